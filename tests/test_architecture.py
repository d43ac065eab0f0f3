"""The shape of the package: direction of imports, private names, weight of import."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import sklearn_entropy_metrics as sem

ROOT = Path(sem.__file__).parent
# Each layer may import from those before it and from itself.
LAYERS = [
    ["_colors", "_html", "_interrupt", "_warn"],
    ["table"],
    ["_sklearn", "datasets"],
    ["balance"],
    ["measure"],
    ["score"],
    ["features", "compare"],
    ["display"],
    ["report"],
    ["__init__"],
    ["command_line"],
    ["__main__"],
]
# The method `balance` of the accumulator, which nothing in its room calls.
CONVENIENCE = ("accumulate.py", "balance")
RANK = {module: rank for rank, layer in enumerate(LAYERS) for module in layer}
FILES = sorted(ROOT.rglob("*.py"))
MODULES = {
    module.name
    for module in pkgutil.walk_packages([str(ROOT)], "sklearn_entropy_metrics.")
}


def layer_of(path):
    return path.relative_to(ROOT).with_suffix("").parts[0]


def imports(path):
    """Dotted names of all modules and members that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import in {path}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def top(name):
    """The layer that an import of ours leads to; None for other packages."""
    package, *rest = name.split(".")
    if package != "sklearn_entropy_metrics":
        return None
    return rest[0] if rest and rest[0] in RANK else "__init__"


def test_imports_run_in_one_direction():
    for path in FILES:
        check_direction(path)


def check_direction(path):
    own = layer_of(path)
    assert own in RANK, f"{own} has no place among the layers"
    for name in imports(path):
        target = top(name)
        if target is not None and (path.name, target) != CONVENIENCE:
            assert RANK[target] <= RANK[own], f"{own} imports {name}"
            if own == "datasets":
                assert target in ("datasets", "table")


def test_private_names_of_others_stay_out():
    for file in FILES:
        for name in () if file.name == "_sklearn.py" else imports(file):
            package, *rest = name.split(".")
            if package != "sklearn_entropy_metrics":
                private = [part for part in rest if part.startswith("_")]
                assert not private, f"{file.name} imports {name}"


def defined(path):
    """Functions and classes that a file defines, or an `__init__.py` imports too."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.ImportFrom) and path.name == "__init__.py":
            yield from (
                alias.asname or alias.name
                for alias in node.names
                if f"{node.module}.{alias.name}" not in MODULES
            )


def test_no_module_has_the_name_of_a_function_beside_it():
    """The same import would mean a module here and a function there."""
    for path in FILES:
        package = ".".join(path.relative_to(ROOT.parent).parent.parts)
        clashes = [name for name in defined(path) if f"{package}.{name}" in MODULES]
        assert not clashes, path


@pytest.mark.slow
def test_importing_is_light():
    code = (
        "import sys, sklearn_entropy_metrics; "
        "print({m.split('.')[0] for m in sys.modules}"
        " & {'matplotlib', 'dask', 'polars', 'mpmath'}"
        " | {'sklearn_entropy_metrics.display'} & {*sys.modules})"
    )
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "set()"


def test_type_checkers_and_python_load_the_same_names_later():
    source = inspect.getsource(sem)
    (checked,) = (node for node in ast.parse(source).body if isinstance(node, ast.If))
    named = {alias.name for node in checked.body for alias in node.names}
    assert named == {name for name in sem.__all__ if name.endswith("isplay")}
    with pytest.raises(AttributeError, match="has no attribute 'confidence'"):
        sem.confidence  # noqa: B018


def test_every_public_name_is_documented_and_typed():
    for name in sem.__all__:
        member = getattr(sem, name)
        assert inspect.getdoc(member), name
        if inspect.isfunction(member):
            check_documentation(member)


@pytest.mark.parametrize("module", ["measure", "datasets"])
def test_every_public_function_of_the_modules_is_documented(module):
    members = vars(getattr(sem, module))
    for name in getattr(sem, module).__all__:
        if inspect.isfunction(members[name]):
            check_documentation(members[name])


def check_documentation(function):
    doc = inspect.getdoc(function)
    signature = inspect.signature(function)
    assert signature.return_annotation is not signature.empty, function
    assert ">>>" in doc, function
    for parameter in signature.parameters.values():
        assert parameter.annotation is not parameter.empty, (function, parameter)
        assert parameter.name in doc, (function, parameter)


@pytest.mark.parametrize("module", [sem, sem.measure, sem.datasets])
def test_signatures_are_short(module):
    """help() shows the name of a type, not the twenty types that it stands for."""
    for name in module.__all__:
        member = getattr(module, name)
        functions = {name: member}
        if inspect.isclass(member):
            functions = dict(inspect.getmembers(member, inspect.isroutine))
            functions = {f"{name}.{key}": f for key, f in functions.items()}
        for full_name, function in functions.items():
            ours = str(getattr(function, "__module__", "")).startswith("sklearn_ent")
            if ours and callable(function):  # a cached property is not
                assert len(str(inspect.signature(function))) < 600, full_name


def test_every_module_imports_and_is_typed():
    for module in MODULES:
        assert importlib.import_module(module).__doc__
    assert (ROOT / "py.typed").exists()
