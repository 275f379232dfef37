"""Adds the licences of other projects to a wheel.

The projects are those of the shared libraries that auditwheel put into the wheel, and those of the headers and the static library that
are compiled into its own objects. The licences are next to ersatz's licence, as PACKAGE/copyright (Debian) or PACKAGE/LICENSE.
"""
import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

# CMake packages that are compiled into the library; all other dependencies are libraries in the wheel.
COMPILED_IN = ("nlohmann_json", "CLI11")


def package_of(pattern):
    """The Debian package that owns a file or folder."""
    if not shutil.which("dpkg"):
        sys.exit(f"wheel: there is no dpkg, which says of what package {pattern} is and so under what licence")
    done = subprocess.run(["dpkg", "-S", str(pattern)], text=True, capture_output=True)
    owners = {line.split(": ")[0].split(",")[0].split(":")[0] for line in done.stdout.splitlines()}
    if len(owners) != 1:
        sys.exit(f"wheel: {pattern} is of no Debian package, or of several, so that its licence is not known: {done.stdout}{done.stderr}".strip())
    return owners.pop()


def copyright_of(package):
    text = pathlib.Path("/usr/share/doc", package, "copyright")
    if not text.is_file():
        sys.exit(f"wheel: {text} is not there: the licence of {package} has to be in the wheel")
    return text.read_bytes()


def bundled(names):
    """Bundled shared libraries by their original file names: libfmt-2d3eb5b6.so.9.1.0 is libfmt.so.9.1.0."""
    libraries = [pathlib.PurePosixPath(n).name for n in names if re.match(r"[^/]+\.libs/.*\.so", n)]
    return {library: re.sub(r"-[0-9a-f]{8}(?=\.so)", "", library) for library in libraries}


def cmake_folder(build, package):
    return re.search(rf"^{package}_DIR:PATH=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)[1]


def licences(build, venv, names):
    """File below licenses/ -> text. `venv`: the environment that compiled the module, with its nanobind."""
    packages = {package_of(f"*/{file}") for file in bundled(names).values()}
    packages |= {package_of(cmake_folder(build, package)) for package in COMPILED_IN}
    found = {f"{package}/copyright": copyright_of(package) for package in packages}
    [nanobind] = venv.glob("lib/python3*/site-packages/nanobind-*.dist-info/licenses/LICENSE")
    return found | {"nanobind/LICENSE": nanobind.read_bytes()}


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def add_licences(wheel, build, venv):
    """Writes the wheel again with the licences and an updated RECORD. Returns the number of licences."""
    with zipfile.ZipFile(wheel) as old:
        entries = [(entry, old.read(entry)) for entry in old.infolist()]
    [info] = {e.filename.split("/")[0] for e, _ in entries if re.match(r"[^/]+\.dist-info/RECORD$", e.filename)}
    added = {f"{info}/licenses/{name}": data for name, data in sorted(licences(build, venv, [e.filename for e, _ in entries]).items())}
    whole = wheel.with_suffix(".part")
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for entry, data in entries:
            if entry.filename == f"{info}/RECORD":
                data += "".join(record_line(*a) for a in added.items()).encode()
            new.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
        for name, data in added.items():
            new.writestr(name, data)
    whole.replace(wheel)
    return len(added)
