"""Bytes → lines of UTF-8 text."""

import codecs
import io
import zlib
from collections.abc import Iterator
from itertools import chain
from typing import Any, NoReturn

from sklearn_entropy_metrics.command_line.messages import file_name

# Bytes that are taken at a time. As cells they take some ten times as much memory.
_BLOCK = 1 << 20
# Characters. A longer line is none of a table, and must not fill the memory.
_LONGEST = 1 << 24


class Lines:
    """Lines of a stream of bytes, with their ends.

    Parameters
    ----------
    stream : binary file
        What to read.

    file : str
        Its name, for the error messages.

    Attributes
    ----------
    n_blocks : int
        How many blocks of bytes were read.
    """

    def __init__(self, stream: Any, file: str) -> None:
        self.n_blocks = 0
        self._stream = stream
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._n_lines = 0
        self._rest = ""  # what follows the last whole line

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._blocks())

    def _blocks(self):
        while data := self._read():
            self.n_blocks += 1
            lines = _split(self._rest + self._decode(data))
            # A carriage return at the end may be half of a line end.
            is_whole = not lines or lines[-1].endswith("\n")
            self._rest = "" if is_whole else lines.pop()
            self._n_lines += len(lines)
            if len(self._rest) > _LONGEST:
                self._rest = ""
                self._fail("", f"the line has more than {_LONGEST:,} characters.")
            yield lines
        yield _split(self._rest + self._decode(b"", final=True))

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
    """Lines, at the ends that CSV files have and at no other separators."""
    return io.StringIO(text, newline="").readlines()
