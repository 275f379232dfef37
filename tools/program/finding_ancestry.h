// Finds results that differ only because of an earlier finding.
//
// After a finding, the run goes on with the observed result, so a later result may differ only for that reason. Two
// signs show this: the evidence agrees with predictions that did not take over observed results (Report::follow_ups),
// or an output's values depend on the finding. The later result is listed under the nearest earlier finding that it
// depends on.
#pragma once

#include <string>
#include <vector>

#include "fake/crosscheck/report.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

struct DownstreamDifference {
  size_t from = 0;       ///< index of the earlier finding in the report
  std::string node, op;  ///< the later result's node and operator
  int64_t finding = -1;  ///< index of the finding about the later result; -1: it has no finding
};

inline std::vector<ValueId> argument_values(const NodeCall& call) {
  return argument_values(call.program(), call.node());
}

class FindingAncestry {
 public:
  explicit FindingAncestry(const Program& program) : program_(program), of_(program.main().values.size(), kNone) {}

  /// `begin` must be called before a call is compared, `end` after it.
  void begin(const Report& report);
  void end(const NodeCall& call, const Report& report);
  /// Must be called after an output with this value is compared.
  void end_output(ValueId value, const Report& report);

  std::vector<DownstreamDifference> take() { return std::move(differences_); }

 private:
  static constexpr size_t kMostDifferences = 10000;
  const Program& program_;
  std::vector<uint32_t> of_;  // for each value: the nearest earlier finding that it depends on
  size_t findings_ = 0;       // number of findings in the report when `begin` was called
  int64_t follow_ups_ = 0;
  std::vector<DownstreamDifference> differences_;
};

}  // namespace ersatz::tools
