"""Results → standard output, or a file that is either complete or absent."""

import json
import math
import os
import secrets
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from sklearn_entropy_metrics._interrupt import PROGRAM
from sklearn_entropy_metrics.balance.balance import EntropyBalance
from sklearn_entropy_metrics.measure import MEASURES
from sklearn_entropy_metrics.report.text import aligned, shown
from sklearn_entropy_metrics.table.classes import ClassTable


def tell(message: str) -> None:
    """Print a message that is not a result."""
    print(f"{PROGRAM}: {message}", file=sys.stderr)


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
    if not path.parent.is_dir():
        raise ValueError(f"there is no folder {str(path.parent)!r} to write to.")
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


def table_rows(tables: Mapping[str, ClassTable]) -> str:
    """A row of text for each table: accuracy and measures of transfer."""
    measures = [one for one in MEASURES.values() if one.section == "transfer"]
    rows = [["", "k_X|Y", "μ", "accuracy", *(one.symbol for one in measures)]]
    for name, one in tables.items():
        balance = EntropyBalance.from_confusion_matrix(one)
        values = [
            balance.remaining_true_classes,
            balance.information_transfer_factor,
            MEASURES["accuracy"](balance) if one.is_square else math.nan,
            *(measure(balance) for measure in measures),
        ]
        rows.append([name, *(shown(value, 3) for value in values)])
    return aligned(rows)


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
