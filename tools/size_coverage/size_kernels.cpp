#include "tools/size_coverage/size_kernels.h"

#include "tools/size_coverage/answered_program.h"

namespace ersatz::tools {

bool affordable(const FakeSummary& on_numbers) {
  return !on_numbers.stopped && on_numbers.flops <= kMostKernelFlops && on_numbers.peak_bytes <= kMostKernelBytes;
}

KernelsAtSizes run_kernels(Program program, const SizeCase& answered, CrosscheckRunOptions options) {
  record_answers(program, answered);
  ProgramInput input;
  input.program = std::move(program);
  options.inputs = "random";
  options.facts = options.expect = "none";
  options.repros = options.descend = false;
  KernelsAtSizes out;
  try {
    const CrosscheckSummary summary = run_crosscheck(input, options);
    const auto value_of = [&](std::string_view name) -> std::optional<int64_t> {
      const auto at = summary.symbols.find(name);
      return at == summary.symbols.end() ? std::nullopt : std::optional(at->second);
    };
    for (const RecordedCondition& c : input.program.conditions) {
      if (evaluate(truth_of(c.decision.condition), value_of).value_or(1) != 0) continue;
      out.refused = fmt::format("{} {} does not hold of these data", name(c.kind), c.decision.text);
      return out;
    }
    out.compared = summary.report.compared;
    out.mismatched = summary.report.mismatched;
    out.findings = summary.report.findings;
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    out.refused = e.message;
  }
  return out;
}

}  // namespace ersatz::tools
