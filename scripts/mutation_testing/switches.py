"""Writes a file in which an environment variable switches each mutant on: ERSATZ_MUTANT=17 runs mutant 17.

All mutants need only one build. `wanted` has tuples (number, start, end, new text, unit), where unit is the text that is written twice.
"""
import collections

from mutation_testing.cpp_tokens import tokens

HEADER = "runtime/mutation_switch.h"
SOURCE = "runtime/mutation_switch.cpp"
VARIABLE = "ERSATZ_MUTANT"

HEADER_TEXT = """#pragma once
namespace ersatz_mutation {
[[gnu::visibility("default")]] extern int mutant;  // set before any other initial value
inline constexpr bool is(int number) {
  if (__builtin_is_constant_evaluated()) return false;
  return mutant == number;
}
}  // namespace ersatz_mutation
"""
SOURCE_TEXT = f"""#include "{HEADER}"
#include <cstdlib>
namespace ersatz_mutation {{
int mutant = 0;
[[gnu::constructor(101)]] static void choose() {{
  if (const char* text = std::getenv("{VARIABLE}")) mutant = std::atoi(text);
}}
}}  // namespace ersatz_mutation
"""

Switch = collections.namedtuple("Switch", "number start end new unit")


def one_line(text):
    """The text without comments, because a comment would hide the text after it on the line."""
    found = tokens(text)
    gaps = [text[a.end:b.start] for a, b in zip(found, found[1:])]
    return "".join(t.text + (" " if gap else "") for t, gap in zip(found, [*gaps, ""]))


def chosen(form, test, changed, original):
    if form == "condition":
        return f"({test} ? static_cast<bool>({changed}) : static_cast<bool>({original}))"
    if form == "step":
        return f"({test} ? static_cast<void>(({changed})) : static_cast<void>(({original})))"
    if form == "expression":
        return f"({test} ? ({changed}) : ({original}))"
    return f"{{ if ({test}) {{ {changed} }} else {{ {original} }} }}"


def render(text, switches, start=0, end=None):
    """text[start:end] with the switches whose units are inside."""
    end = len(text) if end is None else end
    outer = collections.defaultdict(list)
    for s in switches:
        outer[s.unit.start, s.unit.end].append(s)
    out, at = [], start
    for low, high in sorted(outer, key=lambda span: (span[0], -span[1])):
        if low < at:
            continue  # inside the previous unit
        out.append(text[at:low])
        here = outer[low, high]
        inside = [s for s in switches if low <= s.unit.start and s.unit.end <= high and (s.unit.start, s.unit.end) != (low, high)]
        written = render(text, inside, low, high)
        for s in here:
            changed = text[low:s.start] + s.new + text[s.end:high]
            # Line numbers are unchanged, so that compiler messages refer to the original lines.
            written = chosen(s.unit.form, f"::ersatz_mutation::is({s.number})", one_line(changed), written)
        out.append(written)
        at = high
    out.append(text[at:end])
    return "".join(out)


def switched_file(text, switches):
    return f'#include "{HEADER}"\n#line 1\n{render(text, switches)}'
