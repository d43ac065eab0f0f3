"""A map of the package, ``_generated/house.svg``: rooms, sizes and who uses whom."""

import ast
from pathlib import Path

import sklearn_entropy_metrics

ROOT = Path(sklearn_entropy_metrics.__file__).parent
# Rooms in the order in which data travel through them.
ROOMS = (
    "table",
    "balance",
    "measure",
    "score",
    "compare",
    "display",
    "report",
    "command_line",
)
WIDTH, HEIGHT, LEFT, TOP, PER_LINE = 720, 34, 250, 12, 0.08


def lines_of(path):
    """How many lines of a file are code: no blanks, comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    skipped = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                skipped |= set(range(first.lineno, first.end_lineno + 1))
    lines = enumerate(map(str.strip, text.splitlines()), 1)
    return sum(bool(s) and s[0] != "#" and i not in skipped for i, s in lines)


def uses(path):
    """The rooms that a file imports from when it is loaded."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            package, *rest = node.module.split(".")
            if package == ROOT.name and rest and rest[0] in ROOMS:
                yield rest[0]


def survey():
    """Files, lines of code and the rooms used, by room."""
    found = {}
    for room in ROOMS:
        files = sorted((ROOT / room).rglob("*.py"))
        used = {target for path in files for target in uses(path)} - {room}
        found[room] = len(files), sum(map(lines_of, files)), used
    return found


def draw(found):
    """The rooms as bars below each other, and an arc from each to those it uses."""
    height = TOP + HEIGHT * len(found)
    middle = {room: TOP + HEIGHT * (i + 0.4) for i, room in enumerate(found)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="14" fill="none" stroke="#888">'
    ]
    for room, (n_files, n_lines, used) in found.items():
        y = middle[room]
        for target in used:
            reach = 20 + (y - middle[target]) * 0.45
            x = LEFT - 108
            parts.append(
                f'<path d="M{x} {y:.0f}C{x - reach:.0f} {y:.0f} {x - reach:.0f} '
                f'{middle[target]:.0f} {x} {middle[target]:.0f}"/>'
            )
        width = PER_LINE * n_lines
        parts.append(
            f'<g stroke="none" fill="#888"><text x="{LEFT - 100}" y="{y + 5:.0f}">'
            f'{room}</text><rect x="{LEFT}" y="{y - 11:.0f}" width="{width:.0f}" '
            f'height="22" fill="#00664a"/><text x="{LEFT + width + 8:.0f}" '
            f'y="{y + 5:.0f}">'
            f"{n_lines:,} lines, {n_files} files</text></g>"
        )
    return "\n".join([*parts, "</svg>\n"])


def write(app):
    """Write the map, if it has changed."""
    path = app.srcdir / "_generated" / "house.svg"
    path.parent.mkdir(exist_ok=True)
    text = draw(survey())
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app):
    """Write the map before the pages are read."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
