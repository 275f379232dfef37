// Whether autograd records: for the thread, until the end of a scope.
//
// Recording is on by default. NoGrad switches it off and EnableGrad switches it on again. Tensors that are made in an
// InferenceMode never take part. ExcludeAutograd also stops following views; it is what runs below autograd, and
// FollowAutograd ends it.
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

/// What a program that wants no gradients runs in: nothing is recorded and nothing is followed.
class WithoutAutograd {
 private:
  ExcludeAutograd excluded_;
  NoGrad no_grad_;
};

}  // namespace ersatz
