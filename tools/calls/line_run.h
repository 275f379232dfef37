// Runs a line of a `.calls` file and compares it with its expectation (tracer/records/call_line.h, docs/test-files.md).
#pragma once

#include <array>

#include "tracer/records/call_line.h"

namespace ersatz::tools {

/// The mode in which a line is run.
enum class LineMode : uint8_t {
  Cpu,         ///< runs CPU kernels; compares results, values, aliases and the error
  Fake,        ///< runs with fake tensors; compares all but values; an error must have the message of the CPU run
  Crosscheck,  ///< runs fake and real tensors, with every check of `ersatz crosscheck`
  Symbols,     ///< runs with symbolic sizes, once backed and once unbacked
  Cuda         ///< runs on a GPU; compares with the same call on the CPU
};
inline constexpr std::array kLineModes = {LineMode::Cpu, LineMode::Fake, LineMode::Crosscheck, LineMode::Symbols,
                                          LineMode::Cuda};
std::string_view name(LineMode m);  ///< `cpu`, `fake`, `crosscheck`, `symbols`, `cuda`

/// A field in which a run differs from the line's expectation.
struct LineDifference {
  std::string about;  ///< the part of the call that differs: `result 0`, `in1`, `the call`
  std::string field;  ///< a field of findings: dtype, size, stride, offset, alias, value, error, ...
  std::string expected, got;
};

struct LineAnswer {
  enum class Verdict : uint8_t {
    Agrees,
    Differs,
    Skipped,        ///< not compared; `why` has the reason
    ExpectsNothing  ///< the line has no expectation, so nothing was compared
  } verdict = Verdict::Agrees;
  std::vector<LineDifference> differences;
  std::string why;
  std::string got;   ///< modes Cpu and Fake: the outcome, spelled as an expectation of a line
  bool bug = false;  ///< the run raised an InternalError
};

/// Runs the line. If its call raises, the error is part of the answer; run_line does not raise it.
LineAnswer run_line(const CallLine& line, LineMode mode);

/// Returns the line's call as a record, with the line's expectation as its outcome. nullopt if the line has no
/// expectation.
std::optional<CallRecord> expected_record(const CallLine& line);

}  // namespace ersatz::tools
