// Which results downstream of a finding only inherit it.
//
// After a finding a run goes on with the truth of its witness, so what follows from it is found again in two ways: a
// later witness agrees with the predictions alone (Report::follow_ups), or an output of the program has values that the
// finding upstream can explain. Both are told under the finding that they come from, the nearest one upstream.
#pragma once

#include <string>
#include <vector>

#include "fake/crosscheck/report.h"
#include "tracer/run/interpreter.h"

namespace ersatz::tools {

struct Inherited {
  size_t from = 0;       ///< the finding, by its place in the report
  std::string node, op;  ///< the result that inherits it
  int64_t finding = -1;  ///< the finding that was made about that result, by its place; -1: none
};

inline std::vector<ValueId> argument_values(const NodeCall& call) {
  return argument_values(call.program(), call.node());
}

class Origins {
 public:
  explicit Origins(const Program& program) : program_(program), of_(program.main().values.size(), kNone) {}

  /// Before and after a call was judged.
  void begin(const Report& report);
  void end(const NodeCall& call, const Report& report);
  /// Before and after an output, whose value is `value`, was judged.
  void end_output(ValueId value, const Report& report);

  std::vector<Inherited> take() { return std::move(inherited_); }

 private:
  static constexpr size_t kMostInherited = 10000;
  const Program& program_;
  std::vector<uint32_t> of_;  // per value: the nearest finding upstream
  size_t findings_ = 0;       // of the report, before
  int64_t follow_ups_ = 0;
  std::vector<Inherited> inherited_;
};

}  // namespace ersatz::tools
