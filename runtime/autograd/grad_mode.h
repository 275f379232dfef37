// Scopes that switch autograd's recording on or off for the current thread.
//
// Recording is on by default. NoGrad switches it off, and EnableGrad switches it on again. A tensor that is made under
// InferenceMode never takes part in autograd. Under ExcludeAutograd, autograd neither records calls nor tracks views;
// FollowAutograd makes it do both again. When autograd has handled a call, the call continues under ExcludeAutograd.
#pragma once

#include "runtime/base/context.h"

namespace ersatz {

class NoGrad {
 private:
  ContextGuard guard_{[](RuleContext& c) { c.grad_mode = false; }};
};

class EnableGrad {
 private:
  ContextGuard guard_{[](RuleContext& c) { c.grad_mode = true; }};
};

class InferenceMode {
 private:
  ContextGuard guard_{[](RuleContext& c) { c.inference_mode = true, c.grad_mode = false; }};
};

namespace detail {
template <bool excluded>
class AutogradScope {
 public:
  AutogradScope() : before_(std::exchange(t_autograd_excluded, excluded)) {}
  ~AutogradScope() { t_autograd_excluded = before_; }
  AutogradScope(const AutogradScope&) = delete;
  AutogradScope& operator=(const AutogradScope&) = delete;

 private:
  bool before_;
};
}  // namespace detail
using ExcludeAutograd = detail::AutogradScope<true>;
using FollowAutograd = detail::AutogradScope<false>;

/// Scope in which autograd records nothing and tracks no views, for programs without gradients.
class WithoutAutograd {
 private:
  ExcludeAutograd excluded_;
  NoGrad no_grad_;
};

}  // namespace ersatz
