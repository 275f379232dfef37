// Runs a line of a `.calls` file and compares it with its expectation (tracer/records/call_line.h, docs/test-files.md).
#pragma once

#include <array>

#include "tracer/records/call_line.h"

namespace ersatz::tools {

/// How a line is run.
enum class LineMode : uint8_t {
  Cpu,         ///< on CPU kernels: compares results, values, aliases and the error
  Fake,        ///< with fake tensors: compares all but values; an error must have the CPU's message
  Crosscheck,  ///< fake and real at once, with every check of `ersatz crosscheck`
  Symbols,     ///< with symbols for sizes, once backed and once unbacked
  Cuda         ///< on a GPU: compared with the same call on the CPU
};
inline constexpr std::array kLineModes = {LineMode::Cpu, LineMode::Fake, LineMode::Crosscheck, LineMode::Symbols,
                                          LineMode::Cuda};
std::string_view name(LineMode m);  ///< `cpu`, `fake`, `crosscheck`, `symbols`, `cuda`

/// A field in which a run differs from the line's expectation.
struct LineDifference {
  std::string about;  ///< `result 0`, `in1`, `the call`
  std::string field;  ///< as in findings: dtype, size, stride, offset, alias, value, error, ...
  std::string expected, got;
};

struct LineAnswer {
  enum class Verdict : uint8_t {
    Agrees,
    Differs,
    Skipped,        ///< see `why`
    ExpectsNothing  ///< the line has no expectation, so nothing was compared
  } verdict = Verdict::Agrees;
  std::vector<LineDifference> differences;
  std::string why;
  std::string got;   ///< Cpu and Fake: the outcome, spelled as an expectation of a line
  bool bug = false;  ///< an InternalError
};

/// Runs the line. Errors of the call are part of the answer and are not raised.
LineAnswer run_line(const CallLine& line, LineMode mode);

/// The line as a record whose outcome is the line's expectation. nullopt if the line expects nothing.
std::optional<CallRecord> expected_record(const CallLine& line);

}  // namespace ersatz::tools
