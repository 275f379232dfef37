// Validation inside a composite body, in the words and with the labels of the rules.
//
// A composite is given its arguments only. This wraps them in the RuleCall that the op's rule would have seen, so that
// `require` and `wrap_dim` raise errors with the op's name and constraint. Its outputs are not used.
#pragma once

#include "runtime/meta_text.h"
#include "runtime/registry.h"
#include "runtime/rule.h"

namespace ersatz {

class CompositeCall {
 public:
  CompositeCall(const OpEntry& op, std::span<const Value> args)
      : call_{op, args, rule_context(), rule_context().default_device, unused_} {}
  const RuleCall* operator->() const { return &call_; }
  const RuleCall& operator*() const { return call_; }

 private:
  RuleResult unused_;
  RuleCall call_;
};

}  // namespace ersatz
