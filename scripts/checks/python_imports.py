"""Modules of the Python package have no import cycle, not even for types. The recorder's folder imports nothing from the package.

A cycle between a package's `__init__.py` and its modules does not count, because Python imports a package before its modules.
"""
import ast
import pathlib

from checks.sources import all_files, text

PACKAGE = "python/ersatz/"
ALONE = "python/ersatz/torch/recording/"  # copied to machines that have PyTorch but no ersatz


def imports(path, source, files):
    """(line, path) of each module of the package that a module imports anywhere."""
    folders = pathlib.PurePosixPath(path).parent
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = folders
        for _ in range(node.level - 1):
            base = base.parent
        base = base.joinpath(*(node.module or "").split(".")) if node.module else base
        named = [base / alias.name for alias in node.names]
        found = [p for p in (f"{n}.py" for n in named) if p in files]  # `from . import module`
        if len(found) < len(named):
            found += [p for p in (f"{base}.py", f"{base}/__init__.py", f"{base}.pyi") if p in files][:1] or [f"{base}.py"]
        for target in found:
            yield node.lineno, target


def circles(imported):
    """Modules that import each other, directly or through others."""
    above = {module: {t for t in targets if t in imported} for module, targets in imported.items()}
    while done := [m for m in above if not above[m] & above.keys()]:
        for module in done:
            del above[module]
    while led := [m for m in above if not any(m in targets for targets in above.values())]:  # modules that only lead to a circle
        for module in led:
            del above[module]
    return sorted(above)


def problems(root, build):
    files = [p for p in all_files(root) if p.startswith(PACKAGE) and p.endswith((".py", ".pyi"))]
    found, imported = [], {}
    for path in files:
        if path.endswith(".pyi"):
            continue
        targets = list(imports(path, text(root, path), set(files)))
        imported[path] = {t for _, t in targets if not t.endswith("/__init__.py")}
        if path.startswith(ALONE):
            found += [f"{path}:{line}: {ALONE} stands alone, and may not import {t}" for line, t in targets if not t.startswith(ALONE)]
    return found + [f"{path}: a circle of imports leads through it" for path in circles(imported)]
