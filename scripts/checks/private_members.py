"""Public headers show no private members, except those of the classes that docs/measurements/house.md lists with a reason.

A public header is a file of include/ersatz/*.h, or a header that these include by "...". A private section may have a nested type that is
only declared, a `std::unique_ptr` to it, friends, and overrides. Other private members show how the class works, and
a change of them compiles all users of the header again. The list may only get shorter: a class that is not in it is an error, and so is a
class in it that has no private members any more. Classes are found in the text, so the check does not see members that a macro makes.
"""
import re

from checks import public_cpp

LISTED = "docs/measurements/house.md"
HEADING = "## Private members in public headers"
ROW = re.compile(r"`([\w:]+)` \(([\w./]+\.h)\)")
FORWARD = re.compile(r"(?:struct|class)\s+(\w+)\s*$")
POINTER = re.compile(r"(?:const\s+)?std::unique_ptr<(?:const\s+)?(\w+)>\s+\w+\s*$")


def skipped(root, build):
    return "" if (build / "generated/typed").is_dir() else f"{build.name} has no generated headers"


def problems(root, build):
    text = (root / LISTED).read_text(encoding="utf-8")
    section = text.partition(HEADING)[2].partition("\n## ")[0]
    listed = {(header, name) for name, header in ROW.findall(section)}
    found = {(f"include/{header}" if header.startswith("ersatz/") else header, name) for header, code in public_cpp.public_files(root, build / "generated").items()
             if header.endswith(".h") for name in open_classes(code)}
    return ([f"{header}: {name} shows private members: put them behind a std::unique_ptr<Impl>, or the class into a header that no public one includes"
             for header, name in sorted(found - listed)] +
            [f"{LISTED}: `{name}` ({header}) shows no private members: remove it from the list" for header, name in sorted(listed - found)])


def open_classes(text):
    """The classes of a header's text with visible private members, as `Outer::Inner`."""
    code = public_cpp.ATTRIBUTE.sub("", public_cpp.NO_CODE.sub(lambda m: '""' if m[0][0] in '"R' else "", text))
    # A scope: [kind, name, whether its section is private, its declared types].
    found, scopes, statement, parentheses = set(), [], "", 0
    for piece in re.split(r"([{}();])", code):
        parentheses += (piece == "(") - (piece == ")")
        if parentheses or piece not in ("{", "}", ";"):
            statement += piece
            continue
        while scopes and scopes[-1][0] == "class" and (label := public_cpp.ACCESS.match(statement)):
            scopes[-1][2], statement = label[1] == "private", statement[label.end():]
        inside = scopes[-1] if scopes else ["", "", False, set()]
        if piece != "}" and inside[0] == "class":
            if forward := FORWARD.search(statement) if piece == ";" else None:
                inside[3].add(forward[1])
            elif inside[2] and statement.strip() and not is_hidden(statement.strip(), inside[3]):
                found.add("::".join(name for kind, name, _, _ in scopes if kind == "class"))
        if piece == "{":
            kept = None if any(kind == "body" for kind, *_ in scopes) else public_cpp.CLASS.search(statement)
            space = public_cpp.NAMESPACE.search(statement) or re.fullmatch(r'\s*extern\s+""\s*|\s*inline\s+namespace\s+\w+\s*|\s*namespace\s*', statement)
            scopes.append(["class", kept[2], kept[1] == "class", set()] if kept else ["namespace" if space else "body", "", False, set()])
        elif piece == "}" and scopes:
            scopes.pop()
        statement = ""
    return found


def is_hidden(statement, declared):
    pointer = POINTER.search(statement)
    return bool(re.match(r"friend\b", statement) or re.search(r"\boverride\b", statement) or (pointer and pointer[1] in declared))
