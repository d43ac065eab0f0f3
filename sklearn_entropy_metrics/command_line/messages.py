"""Messages on standard error: warnings, errors and progress."""

import sys
import time
from typing import Self

PROGRAM = "sklearn-entropy-metrics"

# Seconds until the progress of a file is shown, and until it moves again.
_PATIENCE = 0.5
_INTERVAL = 0.1
_WIDTH = 30


def tell(message: str) -> None:
    """Print a message that is not a result."""
    print(f"{PROGRAM}: {message}", file=sys.stderr)


def printable(name: str) -> str:
    """A name without line breaks or terminal control characters."""
    return name if name.isprintable() else repr(name)


def file_name(file: str) -> str:
    """The name of a file in messages."""
    return "standard input" if file == "-" else printable(file)


class Progress:
    """A moving line that shows how much of a long file has been read.

    Parameters
    ----------
    is_shown : bool, default=None
        Whether to show it. By default, only if standard error is a terminal.
    """

    def __init__(self, is_shown: bool | None = None) -> None:
        self._is_shown = sys.stderr.isatty() if is_shown is None else is_shown
        self._next = time.monotonic() + _PATIENCE
        self._length = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._length:
            self._write("")
            self._write("")

    def show(self, n_rows: int, share: float | None) -> None:
        """Show how many rows were read, and the share of the file if it is known."""
        if not self._is_shown or time.monotonic() < self._next:
            return
        line = f"{n_rows:,} rows"
        if share is not None:
            bar = "#" * int(share * _WIDTH)
            line = f"[{bar:<{_WIDTH}}] {share:4.0%}  {line}"
        self._write(line)
        self._next = time.monotonic() + _INTERVAL

    def _write(self, line):
        """Write over the line that was there."""
        sys.stderr.write("\r" + line.ljust(self._length))
        sys.stderr.flush()
        self._length = len(line)
