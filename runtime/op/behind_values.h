// Labels of errors that PyTorch raises only after it has read tensor values, which a rule never reads. Another label
// marks calls whose outcome in PyTorch depends on the contents of memory.
#pragma once

#include <utility>

#include "runtime/base/error.h"

namespace ersatz {

namespace detail {
inline std::string values_suffix(ErrorFamily of_values) { return fmt::format(".or_{}", name(of_values)); }
}  // namespace detail

/// Marks `e` as an error that PyTorch raises after it has read values. PyTorch may raise an error of class `of_values`
/// for these values first.
inline void mark_behind_values(Error& e, std::string_view op, ErrorFamily of_values) {
  if (e.label.empty()) e.label = op;
  e.label += detail::values_suffix(of_values);
}

/// Runs `check`, one check of a rule. REQUIRES: PyTorch reads values before this check and may raise an error of class
/// `of_values` because of them. If `check` raises an error, the error's label records that class.
template <class Check>
void check_behind_values(std::string_view op, ErrorFamily of_values, Check&& check) {
  try {
    std::forward<Check>(check)();
  } catch (Error& e) {
    mark_behind_values(e, op, of_values);
    throw;
  }
}

/// If a rule refuses a call with `e`, may PyTorch raise an error of class `family` because of values instead?
inline bool values_may_raise(const Error& e, ErrorFamily family) {
  return e.label.ends_with(detail::values_suffix(family));
}

/// If a rule refuses a call with `e`, may PyTorch do anything, even run the call? The label of `e` then ends in
/// `.or_any`. Calls that write into the memory of an input before they read that input have this label.
inline bool anything_may_happen(const Error& e) { return e.label.ends_with(".or_any"); }

}  // namespace ersatz
