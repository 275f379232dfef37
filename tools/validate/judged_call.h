// Crosschecks one call of a spec: runs its rule or fallback and its kernel, and watches memory.
#pragma once

#include "fake/crosscheck/crosscheck.h"
#include "tools/validate/call_spec.h"

namespace ersatz::tools {

struct JudgedCall {
  enum class Ended : uint8_t {
    Agreed,    ///< the call ran, and all possible checks passed
    Refused,   ///< the fake and the real run refuse the call with equal messages
    Found,     ///< there is at least one finding
    Unchecked  ///< nothing could be compared; `reasons` says why
  };
  Ended ended = Ended::Agreed;
  std::vector<std::string> reasons;                        ///< reasons why a check was not possible, each once
  std::vector<std::pair<std::string, std::string>> about;  ///< pairs of a reason and the dtype or argument concerned
  std::vector<Finding> findings;
};

class CallJudge {
 public:
  explicit CallJudge(Device device);
  JudgedCall judge(const CallSpec& spec);
  /// Converts the outcome of a call that other code made with this engine.
  JudgedCall concluded(const CallOutcome& outcome, size_t findings_before);
  Crosscheck& engine() { return *engine_; }

 private:
  void renew();
  /// Returns a finding for an InternalError of the rule or the kernel.
  JudgedCall broken(const CallSpec& spec, const Error& error);
  const Device device_;
  std::unique_ptr<Crosscheck> engine_;
  int64_t calls_ = 0;
};

/// Returns the program of a call, with the contents of its tensors. The call is not made, because it may crash.
std::string repro_of(const CallSpec& spec, const Finding& finding);

}  // namespace ersatz::tools
