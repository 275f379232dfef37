// Lines of calls run and compared with what they expect (tracer/records/call_line.h, docs/test-files.md).
#pragma once

#include <array>

#include "tracer/records/call_line.h"

namespace ersatz::tools {

/// How a line is run.
enum class LineMode : uint8_t {
  Cpu,         ///< on CPU kernels: the line's results, values, aliases and error
  Fake,        ///< with fake tensors: the same but for values, and an error in the very words of the CPU's
  Crosscheck,  ///< fake and real at once, with all that a crosscheck looks at
  Symbols,     ///< with symbols for sizes, backed ones and unbacked ones
  Cuda         ///< on a GPU: compared with the same call on the CPU
};
inline constexpr std::array kLineModes = {LineMode::Cpu, LineMode::Fake, LineMode::Crosscheck, LineMode::Symbols,
                                          LineMode::Cuda};
std::string_view name(LineMode m);  ///< `cpu`, `fake`, `crosscheck`, `symbols`, `cuda`

/// A field in which a run is not what the line expects.
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
  std::string got;   ///< Cpu and Fake: what the run came to, as a line expects it
  bool bug = false;  ///< an InternalError
};

/// Runs the line. Raises nothing that the call raises.
LineAnswer run_line(const CallLine& line, LineMode mode);

/// The line as a record: what it expects is the recorded outcome. Empty: it expects nothing.
std::optional<CallRecord> expected_record(const CallLine& line);

}  // namespace ersatz::tools
