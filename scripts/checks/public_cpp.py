"""docs/data/public_cpp.txt lists the symbols of the library that users can name, one symbol a line. The check is skipped without a library or nm.

The list has the strong symbols (functions T, variables B D R) of BUILD/lib/libersatz.so whose qualified name a public header declares.
A public header is a file of include/ersatz/*.h, or a header that these include by "..." (cmake/stage_headers.cmake installs them). Weak symbols
are left out, because they depend on the compiler's inlining. A declaration is found in the text: a statement without a body, at
namespace or class level, not private. So the list lacks inline functions, templates, fields, enumerators, default arguments and return
types; the diff of their header shows these. It also lacks declarations that macros make, except rows of tables (*.def). If a header declares one
of two overloads, the list has both. The names are those of g++, in a build without the checks of Debug and sanitizers.
"""
import re
import shutil
import subprocess

LISTED = "docs/data/public_cpp.txt"
ADVICE = ("run `scripts/public_symbols build` and commit what it writes; where something went away or changed, "
          "write a line in CHANGELOG.md under Changed or Removed")
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^[ \t]*#(?:\\\n|[^\n])*', re.M | re.S)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)
MACRO = re.compile(r"^#define (\w+)\((\w+)[^)]*\)((?:.*\\\n)*.*)$", re.M)
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|\[\[.*?\]\]", re.S)
ACCESS = re.compile(r"\s*(public|protected|private)\s*:(?!:)")
NAMESPACE = re.compile(r"\bnamespace\s+([\w:]+)\s*$")
CLASS = re.compile(r"(?<!enum )\b(class|struct|union)\s+(?:alignas\([^)]*\)\s*)?(\w+)(?:\s+final)?\s*(?::[^:].*)?$", re.S)
FUNCTION = re.compile(r"(\boperator\s*(?:\(\)|\[\]|[^\w\s(]+|[\w\s*&:]+)|~?\b\w+)\s*\(")
SYMBOL = re.compile(r"[0-9a-f]+ [TDBR] (ersatz(?:_\w+|::.*))$")
QUALIFIED = re.compile(r"((?:\w+(?:<[^()]*>)?::)*(?:operator(?:\(\)|\[\]|[^\w\s(]+| [^(]+)|~?\w+))(?:\[abi:\w+\])*(?=\(|$)")
SHORTER = [
    (r"\[abi:\w+\]", ""), (r" >", ">"), (r", 18446744073709551615ul>", ">"),
    (r"fmt::v\d+::", "fmt::"), (r"fmt::basic_string_view<char>", "fmt::string_view"),
    (r"std::(__cxx11::)?basic_string<char, std::char_traits<char>, std::allocator<char>>", "std::string"),
    (r"std::basic_string_view<char, std::char_traits<char>>", "std::string_view"),
    (r"fmt::basic_format_args<fmt::basic_format_context<fmt::appender, char>>", "fmt::format_args")]


def skipped(root, build):
    if not (build / "lib/libersatz.so").exists():
        return f"{build.name} has no lib/libersatz.so"
    return "" if shutil.which("nm") else "there is no nm (Debian: binutils)"


def problems(root, build):
    return differences(root, LISTED, listed(root, build))


def differences(root, path, lines):
    """Lines that the committed list lacks (+), lines that it has too many (-), and advice."""
    committed = set((root / path).read_text(encoding="utf-8").splitlines()) if (root / path).exists() else set()
    changes = sorted([(line, "+") for line in set(lines) - committed] + [(line, "-") for line in committed - set(lines)])
    return [f"{path}: {sign} {line}" for line, sign in changes] + [f"{path}: {ADVICE}"] * bool(changes)


def listed(root, build):
    command = ["nm", "-D", "--defined-only", "-C", build / "lib/libersatz.so"]
    symbols = subprocess.run(command, check=True, text=True, capture_output=True).stdout
    return cpp_lines(symbols, public_headers(root, build / "generated"))


def public_headers(root, generated):
    """The texts of the installed headers, with the rows of tables in place of `#include "table.def"`."""
    texts = public_files(root, generated)
    return [INCLUDE.sub(lambda m: rows(m[1], text, texts), text) for header, text in texts.items() if header.endswith(".h")]


def public_files(root, generated):
    """Name -> text of each installed header, and of the tables that these include."""
    queue, texts = [f"ersatz/{p.name}" for p in sorted((root / "include/ersatz").glob("*.h"))], {}
    while queue:
        header = queue.pop()
        if header not in texts:
            folder = root / "include" if header.startswith("ersatz/") else generated if header.startswith("typed/") else root
            texts[header] = (folder / header).read_text(encoding="utf-8")
            queue += INCLUDE.findall(texts[header])
    return texts


def rows(table, text, texts):
    """The declarations that the macros of a header's text make of the rows `MACRO(name, ...)` of a table."""
    if not table.endswith(".def"):
        return ""
    macros = {macro: (parameter, body) for macro, parameter, body in MACRO.findall(text)}
    found = [re.sub(rf"\b{macros[macro][0]}\b", name, macros[macro][1].replace("\\\n", " "))
             for macro, name in re.findall(r"^(\w+)\((\w+)", texts[table], re.M) if macro in macros]
    return "\n".join(found + [rows(below, text, texts) for below in INCLUDE.findall(texts[table])])


def declared(text):
    """The qualified names that a header's text declares without a body, at namespace or class level and not private."""
    found, scopes, statement, parentheses = set(), [], "", 0  # a scope: [kind, name, whether its section is private]
    for piece in re.split(r"([{}();])", ATTRIBUTE.sub("", NO_CODE.sub(lambda m: '""' if m[0][0] in '"R' else "", text))):
        parentheses += (piece == "(") - (piece == ")")
        if parentheses or piece not in ("{", "}", ";"):
            statement += piece
            continue
        while scopes and (label := ACCESS.match(statement)):
            scopes[-1][2], statement = label[1] == "private", statement[label.end():]
        if piece == "{":
            if any(kind == "body" for kind, _, _ in scopes):
                scopes.append(["body", "", False])
            elif space := NAMESPACE.search(statement):
                scopes.append(["namespace", space[1], False])
            elif kept := CLASS.search(statement):
                scopes.append(["class", kept[2], kept[1] == "class"])
            else:
                scopes.append(["namespace" if re.fullmatch(r'\s*extern\s+""\s*', statement) else "body", "", False])
        elif piece == "}" and scopes:
            scopes.pop()
        elif piece == ";" and not any(kind == "body" or private for kind, _, private in scopes):
            friend = re.match(r"\s*friend\b", statement)
            around = [name for kind, name, _ in scopes if name and not (friend and kind == "class")]
            found.add("::".join([*around, declared_name(statement)]))
        statement = ""
    return found


def declared_name(statement):
    """The name in a declaration: `find` in `std::optional<int> find(int) const`, `count` in `extern int count`."""
    while (fewer := re.sub(r"(?<!operator)(?<!operator<)(?<!operator )<[^<>;]*>", "", statement)) != statement:
        statement = fewer
    name = FUNCTION.search(statement) or re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)?(?:=.*)?$", statement, re.S)
    return re.sub(r"\s+", "", name[1]) if name else ""


def cpp_lines(symbols, headers):
    """The public symbols in the output of `nm -D --defined-only -C`, in a spelling that does not depend on the standard
    library or demangler."""
    known, found = set().union(*map(declared, headers)), set()
    for match in filter(None, map(SYMBOL.match, symbols.splitlines())):
        name = QUALIFIED.match(match[1])
        if name and re.sub(r"<[^()]*>(?=::)|\s", "", name[1]) in known:
            found.add(spelling(match[1]))
    return sorted(found)


def spelling(symbol):
    """The symbol in one spelling for all standard libraries, versions of fmt and demanglers."""
    for long, short in SHORTER:
        symbol = re.sub(long, short, symbol)
    while (shorter := re.sub(r", std::allocator<((?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*)>>", ">", symbol)) != symbol:
        symbol = shorter
    return symbol
