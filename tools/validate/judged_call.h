// Crosschecks one call of a spec: rule or fallback, kernel, watched memory.
#pragma once

#include "fake/crosscheck/crosscheck.h"
#include "tools/validate/call_spec.h"

namespace ersatz::tools {

struct JudgedCall {
  enum class Ended : uint8_t {
    Agreed,    ///< it ran, and all possible checks passed
    Refused,   ///< fake and real refuse it with equal messages
    Found,     ///< at least one finding
    Unchecked  ///< nothing could be compared; see `reasons`
  };
  Ended ended = Ended::Agreed;
  std::vector<std::string> reasons;                        ///< reasons why a check was not possible; each once
  std::vector<std::pair<std::string, std::string>> about;  ///< (reason, the dtype or argument that it is about)
  std::vector<Finding> findings;
};

class CallJudge {
 public:
  explicit CallJudge(Device device);
  JudgedCall judge(const CallSpec& spec);
  /// Converts the engine's outcome of a call that was made elsewhere.
  JudgedCall concluded(const CallOutcome& outcome, size_t findings_before);
  Crosscheck& engine() { return *engine_; }

 private:
  void renew();
  /// Reports an InternalError of rule or kernel as a finding.
  JudgedCall broken(const CallSpec& spec, const Error& error);
  const Device device_;
  std::unique_ptr<Crosscheck> engine_;
  int64_t calls_ = 0;
};

/// The program of a call with the contents of its tensors. The call is not made, because it may crash.
std::string repro_of(const CallSpec& spec, const Finding& finding);

}  // namespace ersatz::tools
