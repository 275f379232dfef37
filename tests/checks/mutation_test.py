"""scripts/mutation: the mutants that it draws, the switches that it writes, the order of tests, and continued runs."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from mutation_testing import build, cpp_mutants, draw, judges, moved, nearest, py_mutants, results, switches  # noqa: E402


def changes(text):
    """Returns the set of all texts that a mutant of this C++ text can have."""
    return {text[:s.start] + s.new + text[s.end:] for s in cpp_mutants.sites(text)}


def mutant(number=1, file="fake/mode.cpp", room="fake", before="<", after="<=", line=1):
    return draw.Mutant(number, room, file, line, "operator", f"{before} to {after}", 0, len(before), before, after)


class CppMutants(unittest.TestCase):
    def test_a_comparison_changes_and_angle_brackets_stay(self):
        found = changes("int f(int a) { X<int> x; return g<T>(a < 7, x); }")
        self.assertIn("int f(int a) { X<int> x; return g<T>(a <= 7, x); }", found)
        self.assertIn("int f(int a) { X<int> x; return g<T>(a < 8, x); }", found)
        self.assertEqual(2, len(found))

    def test_a_product_changes_and_a_pointer_stays(self):
        found = changes("int f(int* a) { const T* p = a; return *a * b; }")
        self.assertEqual({"int f(int* a) { const T* p = a; return *a / b; }"}, found)

    def test_condition_is_negated_and_negation_is_dropped(self):
        self.assertIn("void f() { if (!(ok)) g(); }", changes("void f() { if (ok) g(); }"))
        self.assertIn("void f() { if (ok) g(); }", changes("void f() { if (!ok) g(); }"))

    def test_a_statement_is_deleted_and_a_declaration_stays(self):
        found = changes("void f() { int x; g(x); T y(x); }")
        self.assertEqual({"void f() { int x; ; T y(x); }"}, found)

    def test_a_return_is_deleted_only_where_another_follows(self):
        text = "int f(bool a) { if (a) return x; return y; }"
        self.assertIn("int f(bool a) { if (a) ; return y; }", changes(text))
        self.assertNotIn("int f(bool a) { if (a) return x; ; }", changes(text))

    def test_comments_strings_and_declarations_are_left_alone(self):
        text = 'const int k = 3;\nstruct S { int a = 1; bool f() const; };\nint f() { /* 1 + 2 */ return g("a < b"); }  // x == 4\n'
        self.assertEqual(set(), changes(text))

    def test_code_under_a_preprocessor_condition_is_left_alone(self):
        self.assertEqual(set(), changes("void f() {\n#if defined(X)\n  g(1);\n#endif\n}\n"))

    def test_bodies_of_constructors_members_and_lambdas_are_found(self):
        self.assertEqual({"A::A(int x) : a_(x), b_{x} { ; }"}, changes("A::A(int x) : a_(x), b_{x} { g(); }"))
        self.assertEqual({"struct A { int f() const { return 2; } };"}, changes("struct A { int f() const { return 1; } };"))
        self.assertEqual({"const auto f = [](int x) { return x - y; };"}, changes("const auto f = [](int x) { return x + y; };"))

    def test_a_list_of_values_is_no_body(self):
        self.assertEqual(set(), changes("const std::vector<int> k{1, 2};\nenum class E { A = 1 };\n"))


class PyMutants(unittest.TestCase):
    def test_python_changes_in_the_same_ways(self):
        text = "def f(a):\n    g(a)\n    if a and not b:\n        x = a == 1\n    return x\n"
        found = {text[:s.start] + s.new + text[s.end:] for s in py_mutants.sites(text)}
        for old, new in [("    g(a)", "    pass"), ("a and not b", "a or not b"), ("and not b", "and b"), ("a == 1", "a != 1"),
                         ("a == 1", "a == 2"), ("if a and not b", "if not (a and not b)"), ("x = a == 1", "pass")]:
            self.assertIn(text.replace(old, new), found)
        self.assertEqual(7, len(found))


PROGRAM = """#include <cstdio>
#include <cstdlib>
int twice(int x) {
  if (x > 3) return 0;  // a guard
  int y = x + x;
  for (int i = 0; i < 2; ++i) y += i;
  auto add = [&](int z) { y -= z; };
  add(
      // one
      1);
  return y;
}
constexpr int fixed(int x) { return x + 1; }
static_assert(fixed(1) == 2);
int main() { std::printf("%d %d\\n", twice(3), twice(4)); }
"""


class Switches(unittest.TestCase):
    def test_one_program_holds_all_mutants_and_environment_chooses(self):
        compiler = shutil.which(os.environ.get("CXX", "c++"))
        self.assertIsNotNone(compiler)
        body = PROGRAM.index("int main")
        sites = [s for s in cpp_mutants.sites(PROGRAM) if s.start < body]
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "runtime").mkdir()
            (root / switches.HEADER).write_text(switches.HEADER_TEXT)
            (root / switches.SOURCE).write_text(switches.SOURCE_TEXT)
            (root / "a.cpp").write_text(switches.switched_file(PROGRAM, [
                switches.Switch(n, s.start, s.end, s.new, s.units[0]) for n, s in enumerate(sites, 1)]))
            subprocess.run([compiler, "-std=c++20", "-I", root, root / "a.cpp", root / switches.SOURCE, "-o", root / "a"], check=True)

            def printed(number):
                return subprocess.run([root / "a"], env=os.environ | {switches.VARIABLE: str(number)}, text=True,
                                      capture_output=True, check=True).stdout

            by_change = {(s.kind, PROGRAM[s.start:s.end]): printed(n) for n, s in enumerate(sites, 1)}
            self.assertEqual("6 0\n", printed(0))
        self.assertEqual("6 8\n", by_change["deleted", "return 0;"])
        self.assertEqual("0 8\n", by_change["negated", "x > 3"])
        self.assertEqual("0 0\n", by_change["> to >=", ">"])
        self.assertEqual("8 0\n", by_change["< to <=", "<"])
        self.assertEqual("8 0\n", by_change["-= to +=", "-="])
        self.assertEqual("7 0\n", by_change["deleted", "y -= z;"])

    def test_bodies_that_the_compiler_may_run_are_known(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            text = "int f() { return 1; }\nconstexpr int g() { return 2; }\nstruct S {\n  constexpr S() { x = 3; }\n  int x;\n};\n"
            (root / "a.cpp").write_text(text)
            mutants = [draw.Mutant(int(text[s.start]), "fake", "a.cpp", 0, s.group, s.kind, s.start, s.end, text[s.start:s.end], s.new)
                       for s in cpp_mutants.sites(text) if s.kind == "number"]
            self.assertEqual({1, 2, 3}, {m.number for m in mutants})
            self.assertEqual({2, 3}, build.SwitchedTree(build_tree(root), mutants, {}).compile_time)

    def test_error_is_attributed_to_mutant_on_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "fake").mkdir()
            text = "void f() {\n  g(1);\n  h();\n}\n"
            (root / "fake/mode.cpp").write_text(text)
            sites = cpp_mutants.sites(text)
            mutants = [draw.Mutant(n, "fake", "fake/mode.cpp", 0, s.group, s.kind, s.start, s.end, text[s.start:s.end], s.new)
                       for n, s in enumerate(sites, 1)]
            tree = build.SwitchedTree(build_tree(root), mutants, {})
            said = []
            tree.next_forms("../fake/mode.cpp:3:5: error: no such thing\n../fake/mode.cpp:2:1: note: here\n", said.append)
            of_h = next(m for m in mutants if m.before == "h();")
            self.assertEqual({of_h.number: None}, {n: form for n, form in tree.forms.items() if form != 0})
            self.assertIn("does not compile", said[0])


def build_tree(root):
    from mutant_tree import MutantTree
    return MutantTree(root, root / "switches")


class Draw(unittest.TestCase):
    def test_rooms_share_by_lines_and_the_sum_holds(self):
        self.assertEqual({"a": 7, "b": 3}, draw.shares({"a": 70, "b": 26}, 10))
        self.assertEqual(300, sum(draw.shares({"a": 1, "b": 1, "c": 1, "d": 5}, 300).values()))

    def test_a_seed_draws_the_same_mutants_again(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            subprocess.run(["git", "init", "-q", root], check=True)
            for name in ("fake/a.cpp", "tools/b.cpp", "kernels/shape/cat_cuda.cu", "scripts/script"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text("".join(f"void f{i}() {{ g({i}); }}\n" for i in range(9)))
            (root / "scripts/script").write_text("#!/usr/bin/env -S python3 -B\nif x == 1:\n    y()\n")
            subprocess.run(["git", "-C", root, "add", "."], check=True)
            self.assertEqual({"fake": ["fake/a.cpp"], "tools": ["tools/b.cpp"], "scripts": ["scripts/script"]}, draw.mutable_files(root))
            drawn = draw.draw(root, 10, "7")
            self.assertEqual(10, len(drawn))
            self.assertEqual(drawn, draw.draw(root, 10, "7"))
            self.assertNotEqual(drawn, draw.draw(root, 10, "8"))


class Judges(unittest.TestCase):
    def test_of_the_same_name_is_asked_first(self):
        tests = [nearest.TestFile("tests/ops/shape/cat_test.cpp", "test_ops", ["Cat.a"], set()),
                 nearest.TestFile("tests/ops/shape/view_test.cpp", "test_ops", ["View.a"], set()),
                 nearest.TestFile("tests/fake/join_test.cpp", "test_fake", ["Join.a"], {"kernels/shape/cat.h"})]
        steps = nearest.plan("kernels/shape/cat_cpu.cpp", tests)
        self.assertEqual([("test_ops", ["Cat.a"], []), ("test_ops", ["View.a"], []), ("test_ops", None, ["Cat.a", "View.a"])], steps[:3])
        self.assertEqual({*judges.PROGRAMS}, {program for program, wanted, _ in steps if wanted is None})
        self.assertEqual(("test_fake", ["Join.a"], []), nearest.plan("kernels/shape/cat.cpp", tests)[1])

    def test_parametrized_and_typed_tests_are_matched_by_pattern(self):
        self.assertEqual(["*/A.b/*", "C/*.d", "E.f", "G.h/*"],
                         nearest.patterns("TEST_P(A, b) {\nTYPED_TEST(C, d) {\nTEST(E, f) {\nOP_TEST(G, h) {\n"))

    def test_failing_test_crash_and_hang_are_told_apart(self):
        ran = "[ RUN      ] A.b\n"
        self.assertEqual(("failed", "test_fake: A.b"), judges.verdict_of(1, ran + "[  FAILED  ] A.b (0 ms)\n", "test_fake"))
        self.assertEqual(("crashed", "test_fake: A.b"), judges.verdict_of(-11, ran, "test_fake"))
        self.assertEqual(("hung", "test_fake: A.b"), judges.verdict_of(None, ran, "test_fake"))

    def test_a_program_that_never_ends_is_stopped(self):
        status, _ = judges.limited([sys.executable, "-c", "while True: pass"], ".", 0.5)
        self.assertEqual("hung", judges.verdict_of(status, "", "x").how)


class Runs(unittest.TestCase):
    def test_cut_off_run_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.jsonl"
            run = results.Run(path)
            run.start({"seed": "1"}, [mutant(1), mutant(2)])
            run.write({"form": [2, 1]})
            run.keep(1, results.Result("survived", None, None, 3))
            with open(path, "a") as f:
                f.write('{"result": {"num')
            again = results.Run(path)
            self.assertEqual([1, 2], [m.number for m in again.mutants])
            self.assertEqual({1}, set(again.results))
            self.assertEqual({2: 1}, again.forms)
            again.keep(1, results.Result("killed", "failed", "test_fake: A.b", 1))
            self.assertEqual("killed", results.Run(path).results[1].verdict)

    def test_equivalent_mutant_has_reason_and_does_not_count(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs/data").mkdir(parents=True)
            rows = root / "docs/data/mutation_equivalents.tsv"
            rows.write_text("# comment\nfake/mode.cpp\tif (a < b) {\t<\t<=\tthey are never equal\n")
            listed = results.read_equivalents(root)
            self.assertEqual("they are never equal", listed[results.key_of(mutant(), "  if (a < b) {")])
            rows.write_text("fake/mode.cpp\tif (a < b) {\t<\t<=\t\n")
            with self.assertRaisesRegex(ValueError, "mutation_equivalents.tsv:1: .* reason"):
                results.read_equivalents(root)
        done = {1: results.Result("killed", "failed", "t", 1), 2: results.Result("survived", None, None, 1),
                3: results.Result("survived", None, None, 1)}
        table = results.table([mutant(n) for n in (1, 2, 3, 4)], done, {3: "they are never equal"})
        self.assertIn("| fake | 4 | 1 | 1 | 0 | 0 | 1 | 1 | 0 | 1 | 50.0 % |", table)

    def test_mutant_is_found_after_moves_and_renames(self):
        before = "".join(f"line {k};\n" for k in range(20)) + "if (a < b) {\n}\n"
        start = before.index("<")
        drawn = mutant(file="fake/old.cpp", line=21)._replace(start=start, end=start + 1)
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)

            def git(*arguments):
                subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=root, check=True, capture_output=True)

            git("init")
            (root / "fake").mkdir()
            (root / "fake/old.cpp").write_text(before)
            git("add", "-A")
            git("commit", "-m", "drawn here")
            git("mv", "fake/old.cpp", "fake/new.cpp")
            now = "// another line\n" + before
            (root / "fake/new.cpp").write_text(now)
            git("add", "-A")
            [found] = moved.to_today(root, "HEAD", [drawn])
            self.assertEqual(("fake/new.cpp", 22, "<"), (found.file, found.line, now[found.start:found.end]))
            (root / "fake/new.cpp").write_text(before.replace("(a < b)", "(a < c)"))
            [gone] = moved.to_today(root, "HEAD", [drawn])
            self.assertEqual(drawn.start, gone.start, "its own line changed")


if __name__ == "__main__":
    unittest.main()
