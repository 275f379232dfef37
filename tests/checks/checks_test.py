"""Each check of scripts/checks finds its faults: a test plants one fault in a small tree of files."""
import importlib
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))


class Checks(unittest.TestCase):
    def found(self, check, files):
        """Returns what the check prints for a tree with these files."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            module = importlib.import_module(f"checks.{check}")
            # EXCEPTIONS name files of this repository, which the test's tree does not have.
            with mock.patch.dict(getattr(module, "EXCEPTIONS", {}), clear=True):
                return "\n".join(module.problems(root, root / "build"))

    def test_python_modules_import_no_cycle(self):
        package = "python/ersatz/"
        files = {package + "a.py": "from . import b\n", package + "b.py": "from .c import f\n", package + "c.py": "def f(): pass\n",
                 package + "torch/recording/call.py": "import json\nfrom .mode import M\n", package + "torch/recording/mode.py": ""}
        self.assertEqual("", self.found("python_imports", files))
        typed = files | {package + "c.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .b import B\n"}
        self.assertEqual("\n".join(f"{package}{name}.py: a circle of imports leads through it" for name in "bc"), self.found("python_imports", typed))
        taken = files | {package + "torch/recording/mode.py": "def f():\n    from ..._ersatz import KeptRun\n", package + "_ersatz.pyi": ""}
        self.assertIn("recording/mode.py:2: python/ersatz/torch/recording/ stands alone, and may not import python/ersatz/_ersatz.pyi",
                      self.found("python_imports", taken))

    def test_room_includes_only_rooms_to_its_left(self):
        self.assertIn("runtime/a.cpp:1: runtime/ may not include fake/mode.h",
                      self.found("layering", {"runtime/a.cpp": '#include "fake/mode.h"\n'}))
        self.assertEqual("", self.found("layering", {"fake/a.cpp": '#include "runtime/tensor/tensor.h"\n'}))

    def test_python_includes_all_rooms_and_nothing_includes_it(self):
        files = {"python/module/README.md": "May include nothing but itself.\n", "python/module/a.cpp": '#include "tools/command/command.h"\n'}
        self.assertEqual("", self.found("layering", files))
        for room in ["tools/command", "include/ersatz"]:
            taken = files | {f"{room}/README.md": "May include nothing but itself.\n", f"{room}/b.h": '#include "python/module/c.h"\n'}
            self.assertIn(f"{room}/b.h:1: {room.split('/')[0]}/ may not include", self.found("layering", taken))

    def test_public_headers_reach_no_tools(self):
        self.assertIn("fake/a.cpp:1: fake/ includes rooms",
                      self.found("layering", {"fake/a.cpp": '#include "ersatz/tensor.h"\n'}))
        self.assertIn("include/ersatz/a.h:1: include/ may not include tools",
                      self.found("layering", {"include/ersatz/a.h": '#include "tools/command/command.h"\n'}))
        self.assertEqual("", self.found("layering", {"include/ersatz/a.h": '#include "tracer/program/program.h"\n'}))

    def test_headers_are_quick_to_compile(self):
        self.assertIn("tools/a.h:1: <CLI/CLI.hpp> is slow", self.found("layering", {"tools/a.h": "#include <CLI/CLI.hpp>\n"}))
        self.assertEqual("", self.found("layering", {"tools/a.cpp": "#include <CLI/CLI.hpp>\n"}))
        self.assertIn("fake/a.h:1: expands fmt's", self.found("layering", {"fake/a.h": 'auto f() { fmt::format_to(x, "a"); }\n'}))

    def test_cuda_headers_stay_in_their_place(self):
        line = "#include <cuda_runtime.h>\n"
        self.assertIn("kernels/shape/a.cpp:1: CUDA headers", self.found("layering", {"kernels/shape/a.cpp": line}))
        self.assertEqual("", self.found("layering", {"kernels/shape/a_cuda.cu": line, "runtime/cuda/b.cpp": line,
                                                  "runtime/cuda/README.md": "May include nothing but itself."}))

    def test_a_folder_includes_what_its_readme_says(self):
        files = {"runtime/base/README.md": "May include nothing but itself.\n", "runtime/base/a.h": "",
                 "runtime/op/README.md": "May include `base/`.\n", "runtime/op/b.h": '#include "runtime/base/a.h"\n'}
        self.assertEqual("", self.found("layering", files))
        up = self.found("layering", files | {"runtime/base/a.cpp": '#include "runtime/op/b.h"\n'})
        self.assertEqual("runtime/base/a.cpp:1: runtime/base/ may not include runtime/op/b.h: see runtime/base/README.md", up)
        self.assertIn("runtime/c.h: belongs into a folder", self.found("layering", files | {"runtime/c.h": ""}))
        self.assertIn("runtime/new/README.md says nothing", self.found("layering", files | {"runtime/new/d.h": ""}))
        self.assertIn("which nothing there includes", self.found("layering", files | {"runtime/op/b.h": ""}))
        self.assertIn("a circle", self.found("layering", files | {
            "runtime/base/README.md": "May include `op/`.\n", "runtime/base/a.h": '#include "runtime/op/b.h"\n'}))

    def test_a_room_without_ops_names_none(self):
        self.assertIn("knows no op", self.found("layering", {"fake/a.cpp": 'auto n = "aten.add.Tensor";\n'}))
        self.assertIn("knows no op", self.found("layering", {"tracer/a.cpp": "auto y = ops::add(a, b);\n"}))
        self.assertEqual("", self.found("layering", {"fake/a.cpp": "// such as aten.add.Tensor\n"}))
        self.assertEqual("", self.found("layering", {"kernels/x/a.cpp": 'auto n = "aten::add.Tensor";\n'}))

    def test_ci_file_missing_from_the_page_is_named(self):
        page = "```yaml\n# .gitlab-ci.yml\na: {script: [b]}\n```\n```yaml\n# azure.yml\na: b\n```\n"
        with mock.patch("checks.actions.SCHEMAS", {"a.yml": "vendor.github-actions"}):
            said = self.found("actions", {"action.yml": "name: a\n", "docs/ci.md": page})
        self.assertIn("docs/ci.md: a.yml is not on it", said)
        self.assertIn("docs/ci.md: azure.yml: scripts/checks/actions.py has no schema for it", said)

    def test_a_long_file_is_named(self):
        self.assertIn("runtime/a.h: 251 lines", self.found("layout", {"runtime/a.h": "#pragma once\n" + "\n" * 250}))
        self.assertIn("runtime/a.cpp: 501 lines", self.found("layout", {"runtime/a.cpp": "\n" * 501}))
        self.assertIn("tests/runtime/a_test.cpp: 401", self.found("layout", {"tests/runtime/a_test.cpp": "\n" * 401}))

    def test_a_vague_name_is_refused(self):
        self.assertIn("name the noun", self.found("layout", {"runtime/string_utils.cpp": ""}))

    def test_a_header_says_pragma_once(self):
        self.assertIn("no #pragma once", self.found("layout", {"runtime/a.h": "int a;\n"}))

    def test_unfinished_work_is_named(self):
        self.assertIn("runtime/a.cpp:2: unfinished", self.found("layout", {"runtime/a.cpp": "\n// TO" + "DO later\n"}))

    def test_a_labelled_invariant_behind_a_sentence_is_named(self):
        merged = self.found("layout", {"runtime/a.cpp": "// R3  It names every output: fresh, or\n// none. R4  It runs in every mode.\n"})
        self.assertIn("runtime/a.cpp:2: a labelled invariant starts a line", merged)
        self.assertIn("starts a line", self.found("layout", {"runtime/a.cpp": "// only for bool. [sub.C3]  Bool operands cannot be.\n"}))
        self.assertEqual("", self.found("layout", {"runtime/a.cpp": "// R3  One.\n// R4  Two, as R3. R5 holds as well.\n"}))

    def test_a_comment_wider_than_a_line_is_named(self):
        self.assertIn("runtime/a.cpp:1: a comment of 121 columns", self.found("layout", {"runtime/a.cpp": "//" + "x" * 119 + "\n"}))

    def test_header_included_inside_of_namespace_is_named(self):
        self.assertIn("runtime/a.cpp:2: a header is included before", self.found("layout", {"runtime/a.cpp": 'namespace a {\n#include "b.h"\n}\n'}))
        self.assertEqual("", self.found("layout", {"runtime/a.cpp": '#include "b.h"\nnamespace a {\n#include "rows.def"\n}\n'}))

    def test_an_op_without_a_test_is_named(self):
        files = {"kernels/ops.def": "OPS(shape, view)\n", "kernels/shape/view.cpp": ""}
        self.assertIn("no test tests/ops/shape/view_test.cpp", self.found("ops", files))

    def test_ops_def_is_sorted(self):
        files = {"kernels/ops.def": "OPS(shape, view)\nOPS(shape, cat)\n"}
        self.assertIn("not sorted at OPS(shape, cat)", self.found("ops", files))

    def test_op_file_missing_from_ops_def_is_named(self):
        files = {"kernels/ops.def": "", "kernels/linalg/outer.cpp": "void register_ops(Registry& r) {}\n"}
        self.assertIn("kernels/linalg/outer.cpp: its register_ops is called by nothing: add OPS(linalg, outer)", self.found("ops", files))
        files["kernels/ops.def"] = "OPS(linalg, outer)\n"
        self.assertNotIn("register_ops", self.found("ops", files))

    def test_op_that_stands_in_two_families_is_named(self):
        files = {"kernels/ops.def": "OPS(linalg, cat)\nOPS(shape, cat)\n"}
        self.assertIn("kernels/ops.def: cat stands twice", self.found("ops", files))
        self.assertNotIn("twice", self.found("ops", {"kernels/ops.def": "OPS(shape, cat)\n"}))

    def test_op_is_tested_in_file_of_its_name(self):
        files = {"kernels/ops.def": "OPS(linalg, mm)\n", "kernels/linalg/mm.cpp": ""}
        test = "OP_TEST(Mm, MultipliesMatrices) { ops::mm(a, b); }\n"
        self.assertIn("kernels/linalg/mm.cpp: no test tests/ops/linalg/mm_test.cpp",
                      self.found("ops", files | {"tests/ops/linalg/product_test.cpp": test}))
        own = "tests/ops/linalg/mm_test.cpp"
        self.assertIn(f"{own}: tests nothing", self.found("ops", files | {own: "// See product_test.cpp.\n"}))
        self.assertNotIn("mm_test.cpp: tests nothing", self.found("ops", files | {own: test}))

    def test_cuda_kernel_stands_in_file_of_its_op(self):
        files = {"kernels/ops.def": "OPS(reduction, prod)\nOPS(reduction, sum)\n", "kernels/reduction/prod.cpp": "",
                 "kernels/reduction/prod.h": 'Schema kProd{"aten::prod(Tensor self) -> Tensor"};\n',
                 "kernels/reduction/sum.cpp": 'add(r, "sum");\nr.add("aten::_sum.out(Tensor self) -> Tensor");\n'}
        attach = 'cuda_module::attach(registry, "aten.prod.default", prod_cuda);\n'
        self.assertIn("kernels/reduction/sum_cuda.cu:1: kernels/reduction/sum.cpp registers no aten.prod",
                      self.found("ops", files | {"kernels/reduction/sum_cuda.cu": attach}))
        self.assertNotIn("prod_cuda.cu", self.found("ops", files | {"kernels/reduction/prod_cuda.cu": attach}))
        own = 'for (const char* name : {"aten.sum.default", "aten.sum_.default", "aten._sum.out"}) attach(registry, name, k);\n'
        self.assertNotIn("sum_cuda.cu", self.found("ops", files | {"kernels/reduction/sum_cuda.cu": own}))

    def test_an_attached_overload_is_spelt_whole(self):
        files = {"kernels/ops.def": "OPS(reduction, sum)\n", "kernels/reduction/sum.cpp": 'add(r, "sum");\n'}
        for line in ('attach(registry, fmt::format("aten.{}.default", name), k);\n', 'attach(registry, kName, k);\n',
                     'attach(registry, std::string("aten.sum") + overload, k);\n'):
            self.assertIn("sum_cuda.cu:1: spell the overload's whole name",
                          self.found("ops", files | {"kernels/reduction/sum_cuda.cu": line}))

    def test_cuda_file_that_attaches_kernels_is_op_s(self):
        files = {"kernels/ops.def": "", "kernels/attention/fused_cuda.cu": 'attach(registry, "aten.a.default", k);\n',
                 "kernels/pointwise/rows_float_cuda.cu": "void attach_cuda(Registry&) { fill_rows(device_rows().rows); }\n"}
        found = self.found("ops", files)
        self.assertIn("kernels/attention/fused_cuda.cu: attaches kernels, but kernels/ops.def has no OPS(attention, fused)", found)
        self.assertNotIn("rows_float", found)

    def test_a_numbered_argument_is_named(self):
        self.assertIn('kernels/shape/cat.cpp:1: name the argument by its schema: call.meta(0)',
                      self.found("ops", {"kernels/ops.def": "", "kernels/shape/cat.cpp": "rank(call.meta(0));\n"}))
        self.assertNotIn("by its schema", self.found("ops", {"kernels/ops.def": "", "kernels/shape/cat.cpp": 'call.meta(kCat["dim"]);\n'}))

    def test_a_test_folder_is_a_family(self):
        files = {"kernels/ops.def": "", "tests/ops/gone/cat_test.cpp": ""}
        self.assertIn("tests/ops/gone/cat_test.cpp: there is no family kernels/gone", self.found("ops", files))

    def test_a_label_that_nothing_triggers_is_named(self):
        op = 'void register_ops(R& r);\nr.add("aten::cat(Tensor[] t) -> Tensor");\ncall.require(a.size() == 2,\n "C2", "no {}", x);\n'
        self.assertIn("kernels/shape/cat.cpp: C2 is triggered by no", self.found("labels", {"kernels/shape/cat.cpp": op}))
        sample = op + 'e.refuses("C2", "f32[2]");\n'
        self.assertEqual("", self.found("labels", {"kernels/shape/cat.cpp": sample}))
        test = {"kernels/shape/cat.cpp": op, "tests/ops/shape/cat_test.cpp": 'expect("cat.C2");\n'}
        self.assertEqual("", self.found("labels", test))

    def test_shared_rule_counts_as_triggered_by_its_family(self):
        shared = {"kernels/shape/dims.cpp": 'call.require(ok, "C7", "x");\n'}
        self.assertIn("C7 is triggered by no", self.found("labels", shared))
        sample = {"kernels/shape/cat.cpp": 'register_ops e.refuses("C7", "f32[2]");\n'}
        self.assertEqual("", self.found("labels", shared | sample))

    def test_a_label_behind_another_string_is_seen(self):
        op = 'register_ops "aten::cat" call.refuse(ErrorFamily::Index, "C3", "x");\n'
        self.assertIn("C3 is triggered by no", self.found("labels", {"kernels/shape/cat.cpp": op}))

    def test_a_path_that_does_not_exist_is_named(self):
        files = {"docs/a.md": "See `runtime/gone.h` and [that](gone.md), `f32` and `fake/`.\n", "fake/a.h": ""}
        found = self.found("docs", files)
        self.assertIn("docs/a.md:1: runtime/gone.h does not exist", found)
        self.assertIn("docs/a.md:1: gone.md does not exist", found)
        self.assertNotIn("f32", found)
        self.assertNotIn("fake/ does", found)

    def test_crosscheck_that_may_have_compared_nothing_is_named(self):
        test = 'TEST(Flash, PassesACrosscheck) {\n  EXPECT_TRUE(report.findings.empty()) << text;\n%s}\n'
        path = "tests/fake/a_test.cpp"
        self.assertIn(f"{path}:1: expects no finding", self.found("comparisons", {path: test % ""}))
        self.assertEqual("", self.found("comparisons", {path: test % "  EXPECT_EQ(report.compared, 0);\n"}))
        self.assertEqual("", self.found("comparisons", {path: "TEST(Flash, Passes) {\n  EXPECT_TRUE(passes(report));\n}\n"}))

    def behaviours(self, rows, notes, test="", deviations="", compared=""):
        """Returns the problems that the check finds in an acceptance list with these rows and notes."""
        return self.found("behaviours", {
            "docs/data/behaviours.tsv": rows, "docs/data/behaviour_notes.tsv": notes, "tests/fake/a_test.cpp": test,
            "docs/deviations.md": deviations, "docs/compare.md": compared})

    def test_row_deviates_only_where_deviations_md_says_so(self):
        rows, note = "MODE-01\tcpu\tA row.\n", "MODE-01\tdeviates\tit differs\n"
        test = "// MODE-01: otherwise\nTEST(Mode, Differs) {\n}\n"
        self.assertIn("MODE-01 deviates, but the first column", self.behaviours(rows, note, test))
        self.assertIn("'deviates', but no test carries its id", self.behaviours(rows, note, "", "| MODE-01: x | a | b | c |\n"))
        self.assertNotIn("MODE-01", self.behaviours(rows, note, test, "| MODE-01: x | a | b | c |\n"))
        self.assertIn("does not note that it deviates", self.behaviours(rows, "", test, "| MODE-01: x | a | b | c |\n"))
        self.assertNotIn("does not note", self.behaviours(rows, "", test, "| a thing | a | b | see MODE-01 |\n"))

    def test_gpu_row_is_shown_only_after_gpu_run(self):
        rows = "MODE-01\tcpu, cuda-real\tA row.\nMODE-02\tcpu\tAnother.\nMODE-03\tgrad\tA third.\n"
        test = "// MODE-01, MODE-02\nTEST(Mode, Works) {\n}\n"
        counted = "3 rows: 1 shown, 0 deviates, 0 unwanted, 1 needs a GPU, 1 later, 0 open"
        self.assertIn(f"docs/compare.md does not say what docs/behaviours.md counts: {counted}", self.behaviours(rows, "", test))
        self.assertNotIn("compare.md", self.behaviours(rows, "", test, compared=f"| rows | {counted} |\n"))
        seen = "MODE-01\tseen\tNVIDIA X, driver 1, 2027-01-01\n"
        self.assertIn("3 rows: 2 shown, 0 deviates, 0 unwanted, 0 needs a GPU", self.behaviours(rows, seen, test))
        self.assertIn("MODE-02 is 'seen', but needs no GPU", self.behaviours(rows, "MODE-02\tseen\tcard\n", test))

    def test_partly_shown_row_is_not_counted_as_shown(self):
        rows, test = "MODE-01\tcpu, grad\tA row.\n", "// MODE-01\nTEST(Mode, Works) {\n}\n"
        self.assertIn("1 rows: 0 shown, 0 deviates, 0 unwanted, 0 needs a GPU, 1 later",
                      self.behaviours(rows, "MODE-01\tlater\tgradients come later\n", test))
        self.assertIn("'unsure' is no note", self.behaviours(rows, "MODE-01\tunsure\twho knows\n", test))

    def test_row_of_existing_part_is_open_until_shown(self):
        for part in ["sym", "trace"]:
            self.assertIn("0 later, 1 open", self.behaviours(f"MODE-01\t{part}\tA row.\n", ""))
        self.assertIn("1 later, 0 open", self.behaviours("MODE-01\tgrad, trace\tA row.\n", ""))

    def test_header_compiles_alone_without_precompiled_ones(self):
        found = self.found("headers", {
            "build/compile_commands.json": '[{"command": "c++ -std=c++20 -I../.. -o kernels/a.o -c a.cpp"}]',
            "runtime/tensor/tensor.h": "#pragma once\n#include <vector>\n",
            "kernels/reaches.h": '#pragma once\n#include "runtime/tensor/tensor.h"\ninline std::vector<int> a;\n',
            "kernels/misses.h": "#pragma once\ninline std::vector<int> b;\n"})
        self.assertIn("kernels/misses.h:2:13: error", found)
        self.assertNotIn("reaches.h", found)

    def test_class_with_private_members_needs_a_row(self):
        header = "class Open {\n public:\n  int f();\n private:\n  int n_ = 0;\n};\n"
        hidden = ("class Hidden : public Base {\n public:\n  ~Hidden();\n private:\n  friend class Other;\n  void seen(int) override;\n  struct Impl;\n"
                  "  std::unique_ptr<Impl> impl_;\n};\n")
        files = {"include/ersatz/a.h": '#include "fake/a.h"\n', "fake/a.h": f"namespace ersatz {{\n{header}{hidden}}}\n", "fake/b.h": header}

        def found(rows, more={}):
            return self.found("private_members", files | more | {
                "docs/measurements/house.md": f"# House\n\n## Private members in public headers\n\n{rows}\n## More\n\n`Later` (fake/a.h)\n"})
        self.assertEqual("fake/a.h: Open shows private members: put them behind a std::unique_ptr<Impl>, or the class into a header that no public one "
                         "includes", found(""))
        row = "| a value | `Open` (fake/a.h) |\n"
        self.assertEqual("", found(row))
        self.assertEqual("docs/measurements/house.md: `Hidden` (fake/a.h) shows no private members: remove it from the list",
                         found(row + "| a value | `Hidden` (fake/a.h) |\n"))
        for text in ("class C {\n  int n_;\n public:\n  int f();\n};\n", "struct C {\n private:\n  void f();\n};\n",
                     "struct C {\n private:\n  struct D {\n    int n;\n  };\n};\n", "class C {\n  std::unique_ptr<Elsewhere> n_;\n};\n",
                     "template <class T>\nclass C {\n  T* n_ = nullptr;\n};\n"):
            self.assertIn("include/ersatz/c.h: C shows private members", found(row, {"include/ersatz/c.h": text}), text)

    def test_a_public_header_is_thin(self):
        found = self.found("public", {"include/ersatz/a.h": '// A.\n#pragma once\n\n#include "fake/a.h"\nint a;\n'})
        self.assertEqual("include/ersatz/a.h:5: a public header is comments and includes, not `int a;`", found)

    def test_header_omitted_by_its_public_header_is_named(self):
        files = {"include/ersatz/ops.h": '#include "kernels/shape/gone.h"\n', "kernels/shape/b.h": "namespace ersatz::ops {\n",
                 "kernels/shape/inner.h": "namespace ersatz::op_b {\n"}
        self.assertEqual("include/ersatz/ops.h: kernels/shape/b.h is missing\n"
                         "include/ersatz/ops.h: kernels/shape/gone.h is no such header", self.found("public", files))
        all_of_them = {"include/ersatz/ersatz.h": "", "include/ersatz/fake.h": "", "include/ersatz/plugin_op.h": ""}
        self.assertEqual("include/ersatz/ersatz.h: ersatz/fake.h is missing", self.found("public", all_of_them))
        self.assertIn("docs/stability.md: ersatz/fake.h is missing",
                      self.found("public", {"include/ersatz/fake.h": "", "docs/stability.md": "| `<ersatz/tensor.h>` | |\n"}))

    def test_snippet_that_includes_internal_headers_is_named(self):
        line = "#include <ersatz/internal/runtime/tensor/tensor.h>\n"
        self.assertIn("docs/a.md:2: <ersatz/internal/runtime/tensor/tensor.h> lies behind",
                      self.found("public", {"docs/a.md": "```cpp\n" + line}))
        self.assertEqual("", self.found("public", {"docs/a.md": "#include <ersatz/tensor.h>\n"}))

    def test_library_opened_but_not_depended_on_is_named(self):
        files = {"kernels/linalg/a.cpp": 'dlopen("libdnnl.so.2", RTLD_NOW)', "cmake/package.cmake": "libopenblas0, libdnnl3"}
        self.assertEqual("kernels/linalg/a.cpp: opens libdnnl.so.2, and cmake/package.cmake names no package libdnnl2",
                         self.found("public", files))
        self.assertEqual("", self.found("public", files | {"cmake/package.cmake": "libdnnl2, libfmt-dev"}))

    def test_a_version_that_documents_say_otherwise_is_named(self):
        project = {"CMakeLists.txt": "project(ersatz VERSION 0.3.0 LANGUAGES CXX)\n"}
        self.assertIn("CHANGELOG.md: says 0.2.0 where CMakeLists.txt has 0.3.0",
                      self.found("public", project | {"CHANGELOG.md": "## [0.2.0] - unreleased\n## [0.3.0]\n"}))
        self.assertIn("README.md: says 0.2 where CMakeLists.txt has 0.3",
                      self.found("public", project | {"README.md": "find_package(ersatz 0.2 REQUIRED)\n"}))
        self.assertEqual("", self.found("public", project | {"README.md": "find_package(ersatz 0.3 REQUIRED)\n"}))

    def test_library_that_is_linked_too_early_is_named(self):
        unwanted = importlib.import_module("checks.linkage").unwanted
        self.assertEqual([], unwanted("lib/libersatz.so", ["libfmt.so.9", "libc.so.6", "libsleef.so.3"]))
        for name in ["libcuda.so.1", "libcudart.so.13", "libcublas.so.13", "libopenblas.so.0", "libdnnl.so.2"]:
            self.assertIn(f"links {name}", "\n".join(unwanted("lib/libersatz.so", [name])))

    def test_a_missing_program_is_no_fresh_document(self):
        self.assertIn("bin/ersatz: missing", self.found("docs", {"docs/ops.md": ""}))

    def test_a_stale_document_is_named(self):
        files = {"docs/ops.md": "old\n", "build/bin/ersatz": "#!/bin/sh\necho new\n"}
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            (root / "build/bin/ersatz").chmod(0o755)
            docs = importlib.import_module("checks.docs")
            self.assertIn("docs/ops.md: stale", "\n".join(docs.problems(root, root / "build")))
            (root / "docs/ops.md").write_text("new\n")
            self.assertEqual([], docs.problems(root, root / "build"))



class ProgramTable(unittest.TestCase):
    """Reports, written by hand, that scripts/program_table must accept or refuse."""
    REPORT = {"status": "clean", "nodes": 3, "results": 40, "compared": 40, "mismatched": 0, "findings": [], "skipped": {},
              "witnesses": {"eager": 40, "kernel": 0, "record": 0}, "values_compared": 1, "record_wrong": [], "missing": {},
              "programs": [{"with_fact": 40}]}

    @classmethod
    def setUpClass(cls):
        path = pathlib.Path(__file__).resolve().parents[2] / "scripts/program_table"
        loader = importlib.machinery.SourceFileLoader("program_table", str(path))
        spec = importlib.util.spec_from_loader("program_table", loader)
        cls.table = importlib.util.module_from_spec(spec)
        loader.exec_module(cls.table)

    def wrong(self, known={}, **changes):
        return "\n".join(self.table.wrong_with("own/mlp", self.REPORT | changes, known))

    def test_a_clean_program_passes(self):
        self.assertEqual("", self.wrong())

    def test_a_finding_that_nobody_expects_fails(self):
        self.assertIn("1 findings, program_findings.tsv expects 0",
                      self.wrong(status="findings", mismatched=1, findings=[{}]))

    def test_finding_known_passes_and_must_be_there(self):
        known = {"mlp": (1, "waits")}
        self.assertEqual("", self.wrong(known=known, status="findings", mismatched=1, findings=[{}]))
        self.assertIn("0 findings, program_findings.tsv expects 1", self.wrong(known=known))

    def test_findings_that_do_not_count_as_mismatched_fail(self):
        self.assertIn("1 findings, 0 mismatched", self.wrong(known={"mlp": (1, "waits")}, findings=[{}]))

    def test_facts_that_did_not_judge_fail(self):
        self.assertIn("37 of 40 compared results that have a fact",
                      self.wrong(witnesses={"eager": 37, "kernel": 0, "record": 3}))

    def test_stale_row_is_named_wherever_its_program_lies(self):
        row = self.table.row("own/mlp", self.REPORT)
        self.assertEqual([], self.table.stale_rows([row], "# Programs\n" + row))
        self.assertEqual([], self.table.stale_rows([self.table.row("mlp", self.REPORT)], row))
        self.assertIn("mlp: the table says", self.table.stale_rows([row.replace("| 40 |", "| 41 |", 1)], row)[0])
        self.assertIn("the table says nothing", self.table.stale_rows([row], "")[0])


if __name__ == "__main__":
    unittest.main()
