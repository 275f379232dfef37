"""Builds the tree in which each mutant is a switch. A mutant that does not compile is tried in another form, and
finally left out."""
import collections
import re
import subprocess

from mutation_testing import cpp_mutants, cpp_units, switches

ERROR = re.compile(r"^(?P<path>[^\s:]+):(?P<line>\d+):(?:\d+:)? (?P<what>.*)")

# The test programs, and the files that they need.
TARGETS = ["bin/ersatz", "bin/test_runtime", "bin/test_fake", "bin/test_tracer", "bin/test_tools", "bin/test_ops", "bin/test_device"]


class NotBuilt(Exception):
    pass


class SwitchedTree:
    """`forms`: number of a mutant -> index of the unit that it uses; None if none compiles. The caller keeps it between
    runs."""

    def __init__(self, tree, mutants, forms):
        self.tree, self.forms, self.known = tree, forms, set(forms)
        self.mutants = [m for m in mutants if m.file.endswith((".h", ".cpp"))]
        self.units, self.texts, self.alone, self.compile_time = {}, {}, {}, set()
        for name in sorted({m.file for m in self.mutants}):
            text = self.texts[name] = (tree.root / name).read_text()
            sites = {(s.start, s.end, s.new): s for s in cpp_mutants.sites(text)}
            bodies = cpp_units.units(text).compile_time
            for m in (m for m in self.mutants if m.file == name):
                if any(start < m.start < end for start, end in bodies):
                    self.compile_time.add(m.number)
                site = sites.get((m.start, m.end, m.after))
                self.units[m.number] = site.units if site and text[m.start:m.end] == m.before else ()
                forms.setdefault(m.number, 0)
                self.settle(m.number)

    def settle(self, number):
        if self.forms[number] is not None and self.forms[number] >= len(self.units[number]):
            self.forms[number] = None

    def unit(self, m):
        form = self.forms[m.number]
        return None if form is None else self.units[m.number][form]

    def switched(self, name):
        found = [switches.Switch(m.number, m.start, m.end, m.after, self.unit(m)) for m in self.mutants
                 if m.file == name and self.unit(m)]
        return switches.switched_file(self.texts[name], found) if found else self.texts[name]

    def write(self):
        changed = {name: self.switched(name) for name in self.texts}
        self.tree.sync(changed | {switches.HEADER: switches.HEADER_TEXT, switches.SOURCE: switches.SOURCE_TEXT})

    def lines(self, m):
        unit, text = self.unit(m), self.texts[m.file]
        return text.count("\n", 0, unit.start) + 1, text.count("\n", 0, unit.end) + 1

    def blamed(self, log):
        """Mutants on the lines that the compiler's errors name; if errors name none, those on other mentioned lines."""
        places = collections.defaultdict(set)
        for line in log.splitlines():
            if match := ERROR.match(line.strip()):
                path = match["path"]
                name = next((n for n in self.texts if path == n or path.endswith("/" + n)), None)
                if name:
                    places["error" in match["what"].split(":")[0]].add((name, int(match["line"])))
        for surely in (True, False):
            found = []
            for m in self.mutants:
                if self.unit(m):
                    low, high = self.lines(m)
                    if any(name == m.file and low <= line <= high for name, line in places[surely]):
                        found.append(m)
            if found:
                return found
        named = {name for surely in places.values() for name, _ in surely}
        return [m for m in self.mutants if m.file in named and self.unit(m)]

    def next_forms(self, log, say):
        blamed = self.blamed(log)
        if not blamed:
            raise NotBuilt("\n".join(line for line in log.splitlines() if "error" in line)[:2000] or log[-2000:])
        for m in blamed:
            self.forms[m.number] = self.forms[m.number] + 1 if self.compiles_alone(m) else None
            self.settle(m.number)
            say(f"{m.file}:{m.line}: mutant {m.number} does not compile so" + ("" if self.unit(m) else ", nor otherwise"))

    def try_headers(self, say):
        """A header that does not compile fails every file that includes it, so each header is tried alone first."""
        for name in sorted({m.file for m in self.mutants if m.file.endswith(".h") and m.number not in self.known}):
            while any(self.unit(m) for m in self.mutants if m.file == name):
                done = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-I", self.tree.source, "-x", "c++", "-"],
                                      input=f'#include "{name}"\n', text=True, capture_output=True, errors="replace")
                if done.returncode == 0:
                    break
                self.next_forms(done.stderr, say)
                self.write()

    def compiles_alone(self, m):
        """Whether the mutant compiles without a switch."""
        if m.number in self.alone:
            return self.alone[m.number]
        text = self.texts[m.file]
        folders = [self.tree.source, self.tree.build / "runtime/data", self.tree.build / "tools/data"]
        changed = f'#line 1 "{m.file}"\n{text[:m.start]}{m.after}{text[m.end:]}'
        done = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", *(f"-I{f}" for f in folders), "-x", "c++", "-"],
                              input=changed, text=True, capture_output=True, errors="replace")
        self.alone[m.number] = done.returncode == 0
        return self.alone[m.number]

    def make_alone(self, m, targets=TARGETS):
        """Builds with this mutant in its file, without a switch; the next write() restores the file."""
        text = self.texts[m.file]
        (self.tree.source / m.file).write_text(text[:m.start] + m.after + text[m.end:])
        return self.tree.make(targets)[0]

    def make(self, say=print, jobs=None, targets=TARGETS):
        self.write()
        self.tree.configure()
        self.try_headers(say)
        while True:
            built, log = self.tree.make(targets, keep_going=True, jobs=jobs)
            if built:
                return
            self.next_forms(log, say)
            self.write()
