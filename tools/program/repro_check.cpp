#include "tools/program/repro_check.h"

#include <algorithm>

#include "tools/output/progress.h"
#include "tools/program/smallest_repro.h"

namespace ersatz::tools {

bool shows_again(const std::string& repro, const Finding& finding, const RunOptions& like) {
  CrosscheckRunOptions options(like);
  options.keep_going = options.repros = false;  // the repro must show the finding by itself
  options.seed = 0;                             // the user runs the repro with the default seed
  std::vector<Finding> found;
  try {
    const ProgramInput input{"repro", load_program_bytes(repro, "repro"), "", ""};
    found = run_crosscheck(input, options).report.findings;
  } catch (const Error&) {
    return false;  // the call cannot be made
  }
  return std::any_of(found.begin(), found.end(),
                     [&](const Finding& f) { return f.op == finding.op && f.field == finding.field; });
}

void check_repros(std::vector<Finding>& findings, const RunOptions& like, const Program* program) {
  constexpr size_t kMostSlices = 5;
  size_t kept = 0, slices = 0;
  Progress progress("checking that repros show their findings", static_cast<int64_t>(findings.size()));
  for (Finding& f : findings) {
    progress.at(&f - findings.data());
    if (f.repro.empty()) continue;
    std::string repro = kept < kMostRepros ? smallest_repro(f.repro, f, like) : std::string();
    if (repro.empty() && program && kept < kMostRepros && slices++ < kMostSlices) {
      repro = smallest_slice(*program, f, like);
    }
    kept += !repro.empty();
    f.repro = std::move(repro);
  }
}

}  // namespace ersatz::tools
