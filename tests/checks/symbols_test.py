"""The lists of public symbols: their content, and that the check finds each planted change of them."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
from checks import public_cpp, public_python  # noqa: E402

HEADER = """#pragma once
#include "runtime/table.def"
namespace ersatz {
struct Hidden;
enum class Kind { A, B };
class Tensor {
 public:
  Tensor() = default;
  int size(int d) const;  // no(comment);
  bool operator()(int a = f({1, 2}));
  template <class T> T* data() const { return size(0) ? helper(1) : nullptr; }
  friend std::string to_string(const Tensor& t);
 private:
  void secret();
};
namespace detail { extern thread_local int t_count; }
std::vector<std::string> names(std::function<void(int)> f = {});
}  // namespace ersatz
extern "C" {
__attribute__((visibility("default"))) const void* ersatz_ask(unsigned abi);
}
"""
SIZE, NAMES = "ersatz::Tensor::size(int) const", "ersatz::names(std::function<void (int)>)"
NM = f"""0000000000000010 T {SIZE}
0000000000000010 T ersatz::Tensor::operator()(int)
0000000000000018 W ersatz::Tensor::Tensor()
0000000000000020 T ersatz::Tensor::secret()
0000000000000030 T ersatz::Hidden::size(int)
0000000000000038 T ersatz::helper(int)
0000000000000040 T ersatz::to_string[abi:cxx11](ersatz::Tensor const&)
0000000000000050 T {NAMES}
0000000000000058 T {NAMES}
0000000000000060 B ersatz::detail::t_count
0000000000000070 T ersatz_ask
0000000000000080 t ersatz::names(int) [clone .cold]
0000000000000090 T std::names(int)
"""
LISTED = ["ersatz::Tensor::operator()(int)", SIZE, "ersatz::detail::t_count", NAMES, "ersatz::to_string(ersatz::Tensor const&)", "ersatz_ask"]
READ = "ersatz.read(path: str, *, most: int=3) -> int"


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def put(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)


class Cpp(Folder):
    def found(self, symbols):
        """Returns what the check prints if `nm` prints these symbols."""
        self.put("bin/nm", f"#!/bin/sh\ncat <<'END'\n{symbols}END\n")
        (self.root / "bin/nm").chmod(0o755)
        with mock.patch.dict(os.environ, PATH=f"{self.root / 'bin'}:{os.environ['PATH']}"):
            return public_cpp.problems(self.root, self.root / "build")

    def test_strong_symbols_that_a_header_declares_are_listed(self):
        self.assertEqual(LISTED, public_cpp.cpp_lines(NM, [HEADER]))

    def test_symbol_that_went_away_or_came_is_named(self):
        self.put("include/ersatz/tensor.h", '#pragma once\n#include "runtime/tensor.h"\n')
        self.put("runtime/tensor.h", HEADER)
        self.put("runtime/table.def", "")
        self.put(public_cpp.LISTED, "".join(f"{line}\n" for line in LISTED))
        self.assertEqual([], self.found(NM))
        changed = self.found(NM.replace(f"0000000000000010 T {SIZE}\n", f"0000000000000010 T {SIZE.replace('(int)', '(long)')}\n"))
        self.assertEqual([f"{public_cpp.LISTED}: - {SIZE}", f"{public_cpp.LISTED}: + ersatz::Tensor::size(long) const"], changed[:2])
        self.assertIn("run `scripts/public_symbols build`", changed[2])
        self.assertIn("CHANGELOG.md under Changed or Removed", changed[2])

    def test_rows_of_tables_are_declarations(self):
        header = '#define UNARY(name, ...) \\\n  int name(int);\nnamespace ersatz::ops {\n#include "k/all.def"\n}\n'
        for path, text in {"include/ersatz/ops.h": '#include "k/ops.h"\n', "k/ops.h": header, "k/all.def": '#include "k/unary.def"\n',
                           "k/unary.def": "// UNARY(no, x)\nUNARY(abs, x, m::abs(x))\n"}.items():
            self.put(path, text)
        self.assertEqual(["ersatz::ops::abs(int)"], public_cpp.cpp_lines("0 T ersatz::ops::abs(int)\n0 T ersatz::ops::no(int)\n",
                                                                        public_cpp.public_headers(self.root, self.root)))

    def test_the_spelling_is_not_that_of_one_library(self):
        self.assertEqual("ersatz::f(std::vector<std::vector<std::string>> const&, std::span<long const>)", public_cpp.spelling(
            "ersatz::f(std::vector<std::vector<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, std::allocator<"
            "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > > >, std::allocator<std::vector<std::__cxx11::"
            "basic_string<char, std::char_traits<char>, std::allocator<char> >, std::allocator<std::__cxx11::basic_string<char, std::char_traits"
            "<char>, std::allocator<char> > > > > > const&, std::span<long const, 18446744073709551615ul>)"))

    def test_what_is_missing_is_said(self):
        self.assertEqual("build has no lib/libersatz.so", public_cpp.skipped(self.root, self.root / "build"))
        self.put("build/lib/libersatz.so", "")
        with mock.patch.dict(os.environ, PATH=str(self.root)):
            self.assertIn("there is no nm", public_cpp.skipped(self.root, self.root / "build"))


class Python(Folder):
    FILES = {"__init__": "from . import errors\nfrom ._core import Tensor\nfrom .run import Row, load as read\n__all__ = ['Row', 'Tensor', 'errors', 'read']\n",
             "errors": "import os\nKIND = 'a'\n_KIND = 1\nclass Error(Exception):\n    pass\n",
             "run": "__all__ = ['Row', 'load']\ndef load(path: str, *, most: int = 3) -> int: ...\ndef unlisted(): ...\n"
                    "@dataclass(frozen=True)\nclass Row:\n    name: str\n    size: int = 0\n    _own: int = 1\n"
                    "    def __init__(self):\n        self.path, self._hidden = 1, 2\n"
                    "    @property\n    def first(self) -> str: ...\n    def _no(self): ...\n"}
    STUB = "class Tensor:\n    def item(self) -> float: ...\nclass Other: ...\n"

    def listed(self, old="", new=""):
        for name, text in self.FILES.items():
            self.put(f"python/ersatz/{name}.py", text.replace(old, new) if old else text)
        self.put("python/ersatz/_core.pyi", self.STUB)
        return public_python.listed(self.root, None)

    def test_public_names_are_listed_with_their_signatures(self):
        self.assertEqual([
            "ersatz.Row.__init__(self)", "ersatz.Row.first(self) -> str @property", "ersatz.Row.name: str",
            "ersatz.Row.path: set by __init__", "ersatz.Row.size: int = 0", "ersatz.Row: class() @dataclass(frozen=True)",
            "ersatz.Tensor.item(self) -> float", "ersatz.Tensor: class()", "ersatz.errors.Error: class(Exception)",
            "ersatz.errors.KIND = 'a'", "ersatz.errors: module", READ], self.listed())

    def test_changed_default_and_removed_function_are_named(self):
        self.put(public_python.LISTED, "".join(f"{line}\n" for line in self.listed()))
        self.assertEqual([], public_python.problems(self.root, None))
        for old, new, changes in [
                ("most: int = 3", "most: int = 4", [f"- {READ}", f"+ {READ.replace('3', '4')}"]),
                ("def load(path: str, *, most: int = 3) -> int: ...\n", "", ["+ ersatz.read = ersatz.run.load", f"- {READ}"]),
                ("def first", "def last", ["- ersatz.Row.first(self) -> str @property", "+ ersatz.Row.last(self) -> str @property"])]:
            self.listed(old, new)
            found = public_python.problems(self.root, None)
            self.assertEqual([f"{public_python.LISTED}: {change}" for change in changes], found[:-1])
            self.assertIn("CHANGELOG.md", found[-1])


class Script(unittest.TestCase):
    def test_without_a_library_the_python_list_is_compared(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-B", SCRIPTS / "public_symbols", folder, "--check"], text=True, capture_output=True)
        self.assertIn(f"{public_cpp.LISTED}: skipped, and left as it is", done.stdout)
        self.assertIn(f"{public_python.LISTED}: no difference", done.stdout)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
