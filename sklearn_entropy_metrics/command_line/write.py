"""Results → standard output, or a file that is either complete or absent."""

import json
import math
import os
import secrets
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from sklearn_entropy_metrics._interrupt import PROGRAM


def tell(message: str) -> None:
    """Print a message that is not a result."""
    print(f"{PROGRAM}: {message}", file=sys.stderr)


def printable(name: str) -> str:
    """A name without line breaks or terminal control characters."""
    return name if name.isprintable() else repr(name)


def write_text(text: str, path: Path | None) -> None:
    """Write text to a file, or to standard output if there is none."""
    if path is None:
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
    else:
        with replacing(path) as file:
            file.write(text.encode("utf-8", "backslashreplace"))


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that gets its name only once it is complete.

    Until then, and if anything goes wrong, an existing file stays.
    """
    path = path.resolve()  # what a link leads to is replaced, not the link
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with open(unfinished, "xb") as file:
            yield file
        if path.exists():
            shutil.copymode(path, unfinished)
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def aligned(heads: Sequence[str], rows: Mapping[str, Sequence[str]]) -> str:
    """Rows of cells by their names, below heads."""
    width = max(map(len, rows))
    return "".join(
        f"{name:<{width}}" + "".join(f"{cell:>11}" for cell in cells) + "\n"
        for name, cells in {"": heads, **rows}.items()
    )


def as_json(content: Mapping[Any, Any]) -> str:
    """Standard JSON, with null for undefined numbers."""
    return json.dumps(_defined(content), indent=2, allow_nan=False) + "\n"


def _defined(value):
    """The same without NaN, which becomes None."""
    if isinstance(value, Mapping):
        return {name: _defined(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return list(map(_defined, value))
    return None if isinstance(value, float) and math.isnan(value) else value
