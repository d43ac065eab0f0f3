"""Bytes → lines of UTF-8 text."""

import codecs
import io
import zlib
from collections.abc import Iterator
from itertools import chain
from operator import length_hint
from typing import Any, NoReturn

from sklearn_entropy_metrics.command_line.messages import file_name

# Bytes read at a time. As cells they take some ten times as much memory.
_BLOCK = 1 << 20
# Characters. A longer line is not part of a table, and must not fill the memory.
_LONGEST = 1 << 24


class Lines:
    """Lines of a stream of bytes, with their ends, or blocks of whole lines.

    Parameters
    ----------
    stream : binary file
        What to read.

    file : str
        Its name, for the error messages.
    """

    def __init__(self, stream: Any, file: str) -> None:
        self._stream = stream
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._n_lines = 0  # of the blocks that were given
        self._pending: Iterator[str] = iter(())  # lines of the last of them
        self._returned = ""
        self._rest = ""  # what follows the last whole line

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._blocks())

    @property
    def is_between_blocks(self) -> bool:
        """Whether all lines of a block were given, and none of the next one."""
        return length_hint(self._pending) == 0

    def take(self) -> str:
        """Return the lines that are left of a block, or the next block, as text."""
        left = list(self._pending)
        self._n_lines -= len(left)
        return "".join(left) or self._next()

    def put_back(self, text: str) -> None:
        """Iterate over the lines of a text that was taken, after all."""
        self._returned = text

    def count(self, n_lines: int) -> None:
        """Register the number of lines of a text that was taken."""
        self._n_lines += n_lines

    def _blocks(self):
        while text := self._returned or self._next():
            self._returned = ""
            lines = _split(text)
            self._n_lines += len(lines)
            self._pending = iter(lines)
            yield self._pending

    def _next(self):
        """Text of some whole lines; none at the end."""
        while data := self._read():
            text = self._rest + self._decode(data)
            # A carriage return at the end may be half of a line end.
            end = 1 + max(text.rfind("\n"), text.rfind("\r", 0, -1))
            self._rest = text[end:]
            if len(self._rest) > _LONGEST:
                self._n_lines += len(_split(text[:end]))
                self._rest = ""
                self._fail("", f"the line has more than {_LONGEST:,} characters.")
            if end:
                return text[:end]
        last, self._rest = self._rest + self._decode(b"", final=True), ""
        return last

    def _read(self):
        data = bytearray()
        try:
            # Not `read`, which is deaf to Ctrl-C while it waits for a whole block.
            while some := self._stream.read1(_BLOCK - len(data)):
                data += some
                if len(data) == _BLOCK:
                    break
            return bytes(data)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"{file_name(self._file)}: {error}.") from error

    def _decode(self, data, final=False):
        try:
            text = self._decoder.decode(data, final)
        except UnicodeDecodeError as error:
            before, byte = error.object[: error.start], error.object[error.start]
            self._fail(before.decode(), f"the byte 0x{byte:02x} is not UTF-8 text.")
        if "\0" in text:
            self._fail(text[: text.index("\0")], "there is a NUL character.")
        return text

    def _fail(self, before: str, problem: str) -> NoReturn:
        line = self._n_lines + len(_split(self._rest + before + "."))
        raise ValueError(f"{file_name(self._file)}, line {line}: {problem}")


def _split(text):
    """Lines, split only at the line endings of CSV files."""
    return io.StringIO(text, newline="").readlines()
