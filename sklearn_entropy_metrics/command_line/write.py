"""Results → standard output, or a file that is either complete or absent."""

import csv
import json
import math
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, Literal

from sklearn_entropy_metrics.command_line.messages import printable

# Characters that make a spreadsheet treat a text as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


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


def in_groups(
    groups: Mapping[str, Any],
    by: str | None,
    form: Literal["text", "json"],
    as_text: Callable[[Any], str],
) -> str:
    """Write the results of groups under their names, or a single result without."""
    if by is None:
        (result,) = groups.values()
        return as_json(result) if form == "json" else as_text(result)
    if form == "json":
        return as_json(groups)
    titles = {group: f"{printable(by)} = {printable(group)}" for group in groups}
    return "\n".join(
        f"{title}\n{'=' * len(title)}\n{as_text(groups[group])}"
        for group, title in titles.items()
    )


def as_json(content: Mapping[str, Any]) -> str:
    """Standard JSON, with null for undefined numbers."""
    return json.dumps(_defined(content), indent=2, allow_nan=False) + "\n"


def as_csv(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """CSV for spreadsheets, with empty cells for undefined numbers.

    Text that would be a formula gets a leading apostrophe.
    """
    written: list[str] = []
    writer = csv.writer(SimpleNamespace(write=written.append), lineterminator="\r\n")
    for row in (header, *rows):
        writer.writerow([_harmless(_defined(cell)) for cell in row])
    # The writer puts quotes around no line ends but its own.
    return "".join(line.removesuffix("\r\n") + "\n" for line in written)


def _defined(value):
    """The same without NaN, which becomes None."""
    if isinstance(value, Mapping):
        return {name: _defined(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return list(map(_defined, value))
    return None if isinstance(value, float) and math.isnan(value) else value


def _harmless(cell):
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return cell
