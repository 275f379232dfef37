// One call of a spec through the crosscheck engine: rule or fallback, kernel, watched memory.
#pragma once

#include "fake/crosscheck/crosscheck.h"
#include "tools/validate/call_spec.h"

namespace ersatz::tools {

struct JudgedCall {
  enum class Ended : uint8_t {
    Agreed,    ///< it ran, and every check that could be made agreed
    Refused,   ///< fake and real refuse it in the same words
    Found,     ///< at least one finding
    Unchecked  ///< `reasons` say why it says nothing
  };
  Ended ended = Ended::Agreed;
  std::vector<std::string> reasons;                        ///< what of it could not be checked; each once
  std::vector<std::pair<std::string, std::string>> about;  ///< (reason, what it is about: a dtype, an argument)
  std::vector<Finding> findings;
};

class CallJudge {
 public:
  explicit CallJudge(Device device);
  JudgedCall judge(const CallSpec& spec);
  /// Of calls that were made otherwise: how the engine's outcome counts.
  JudgedCall concluded(const CallOutcome& outcome, size_t findings_before);
  Crosscheck& engine() { return *engine_; }

 private:
  void renew();
  /// An InternalError of rule or kernel, as a finding.
  JudgedCall broken(const CallSpec& spec, const Error& error);
  const Device device_;
  std::unique_ptr<Crosscheck> engine_;
  int64_t calls_ = 0;
};

/// The program of a call, with what its tensors hold before it is made. The call is not made: it may end whoever does.
std::string repro_of(const CallSpec& spec, const Finding& finding);

}  // namespace ersatz::tools
