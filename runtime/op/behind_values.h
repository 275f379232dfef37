// Labels for refusals that PyTorch makes only after it has read values, which a rule never reads. They are also for
// calls whose outcome in PyTorch depends on memory that no rule knows.
#pragma once

#include <utility>

#include "runtime/base/error.h"

namespace ersatz {

namespace detail {
inline std::string values_suffix(ErrorFamily of_values) { return fmt::format(".or_{}", name(of_values)); }
}  // namespace detail

/// Marks the error of a check that PyTorch makes after it has read values.
inline void mark_behind_values(Error& e, std::string_view op, ErrorFamily of_values) {
  if (e.label.empty()) e.label = op;
  e.label += detail::values_suffix(of_values);
}

/// Runs a rule's check. PyTorch reads values before it makes that check and may raise an error of the family
/// `of_values` because of them. The label of the check's own error records that family.
template <class Check>
void check_behind_values(std::string_view op, ErrorFamily of_values, Check&& check) {
  try {
    std::forward<Check>(check)();
  } catch (Error& e) {
    mark_behind_values(e, op, of_values);
    throw;
  }
}

/// May PyTorch raise an error of `family` because of values, where a rule refuses the call with `e`?
inline bool values_may_raise(const Error& e, ErrorFamily family) {
  return e.label.ends_with(detail::values_suffix(family));
}

/// May PyTorch do anything where a rule refuses the call with `e`: succeed, or raise any error? Then the label ends in
/// `.or_any`. Calls that change the memory of their own inputs before they read it have that label.
inline bool anything_may_happen(const Error& e) { return e.label.ends_with(".or_any"); }

}  // namespace ersatz
