"""docs/data/public_python.txt lists the names of the Python package that users can use, one line a name with its signature.

These are the names in `__all__` of the modules of PUBLIC, which docs/stability.md promises. A class has its bases, and its methods,
properties and fields without a leading underscore, and `__add__` and the like. Inherited ones are listed at the class that has them, and
those of a base in the C++ module at the class that users name. A name that another module defines (python/ersatz/report.py,
python/ersatz/_ersatz.pyi) is listed under the name that users know. The files are parsed; nothing is imported.
"""
import ast
import re

from checks.public_cpp import differences

LISTED = "docs/data/public_python.txt"
PUBLIC = ("ersatz", "ersatz.errors", "ersatz.torch")
IMPORTS = (ast.Import, ast.ImportFrom)


def skipped(root, build):
    return "" if (root / "python/ersatz").is_dir() else "there is no python/ersatz"


def problems(root, build):
    return differences(root, LISTED, listed(root, build))


def listed(root, build):
    """Every line of the list; `build` is not needed."""
    trees, package = {}, root / "python/ersatz"
    for path in [*package.rglob("*.py"), *package.rglob("*.pyi")]:
        parts = [package.name, *path.relative_to(package).with_suffix("").parts]
        folder = path.stem == "__init__"
        trees[".".join(parts[:-1] if folder else parts)] = folder, list(definitions(ast.parse(path.read_text(encoding="utf-8")).body))
    return sorted({line for module in trees if not hidden(module) for line in of_module(module, trees)})


def hidden(module):
    return module not in PUBLIC


def of_module(module, trees):
    """The lines of a public module. `trees`: dotted name of each module -> (is it a package, its definitions)."""
    folder, defined = trees[module]
    exported = [ast.literal_eval(node.value) for name, node in defined if name == "__all__"]
    for name in exported[0] if exported else {n for n, node in defined if not n.startswith("_") and not isinstance(node, IMPORTS)}:
        for node in [node for n, node in defined if n == name] or [None]:
            if node is None:
                yield f"{module}.{name}: __all__ names it and nothing defines it"
            elif isinstance(node, IMPORTS):
                yield from exported_again(f"{module}.{name}", origin(module if folder else module.rpartition(".")[0], node), name, node, trees)
            else:
                yield from described(f"{module}.{name}", node, trees)


def origin(package, node):
    """The module from which an import statement in `package` imports names."""
    above = package.split(".")[:len(package.split(".")) + 1 - node.level] if getattr(node, "level", 0) else []
    return ".".join([*above, *filter(None, [getattr(node, "module", None)])])


def exported_again(as_name, module, name, node, trees):
    """The definition of a name that a module imports from another one, followed through further imports."""
    there = next((a.name for a in node.names if (a.asname or a.name) == name))
    whole = f"{module}.{there}" if module else there
    if whole in trees:
        yield f"{as_name}: module"
        return
    found = [definition for other, definition in trees.get(module, (False, []))[1] if other == there]
    for definition in found:
        if isinstance(definition, IMPORTS):
            package = module if trees[module][0] else module.rpartition(".")[0]
            yield from exported_again(as_name, origin(package, definition), there, definition, trees)
        elif hidden(module):
            yield from described(as_name, definition, trees)
        else:
            yield f"{as_name} = {whole}"
    if not found:
        yield f"{as_name} = {whole}"


def definitions(body):
    """(name, node) of definitions and imports in a body, with those inside `if` and `try`."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from ((t.id, node) for t in (target.elts if isinstance(target, ast.Tuple) else [target]) if isinstance(t, ast.Name))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((alias.asname or alias.name, node) for alias in node.names)
        elif isinstance(node, (ast.If, ast.Try, ast.With)) and not ast.unparse(getattr(node, "test", node.body[0])).startswith("__name__"):
            yield from definitions([*node.body, *getattr(node, "orelse", []), *(s for h in getattr(node, "handlers", []) for s in h.body)])


def described(name, node, trees):
    """Lines for a definition and, of a class, its members. `trees` as in of_module."""
    marks = "".join(f" @{ast.unparse(d)}" for d in getattr(node, "decorator_list", []))
    if isinstance(node, ast.ClassDef):
        yield f"{name}: class({', '.join(map(ast.unparse, [*node.bases, *node.keywords]))}){marks}"
        members = [(n, m) for n, m in definitions(node.body) if not n.startswith("_") or re.fullmatch("__.*__", n)]
        has = {n for n, _ in members}
        for base in (ast.unparse(b).removeprefix("_ersatz.") for b in node.bases if ast.unparse(b).startswith("_ersatz.")):
            above = next(d for n, d in trees["ersatz._ersatz"][1] if n == base)
            members += [(n, m) for n, m in definitions(above.body) if not n.startswith("_") and n not in has]
        for member, inner in members:
            yield from described(f"{name}.{member}", inner, trees)
        own = {a.attr for n, m in members if n == "__init__" for a in ast.walk(m) if isinstance(a, ast.Attribute)
               and isinstance(a.ctx, ast.Store) and ast.unparse(a.value) == "self" and not a.attr.startswith("_")}
        yield from (f"{name}.{attribute}: set by __init__" for attribute in own - {n for n, _ in members})
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        yield f"{name}({ast.unparse(node.args)}){returns}{marks}"
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        yield f"{name}: of {ast.unparse(node)}"
    else:
        value = f" = {ast.unparse(node.value)}" if getattr(node, "value", None) else ""
        yield name + (f": {ast.unparse(node.annotation)}" if isinstance(node, ast.AnnAssign) else "") + value
