// Refusals that PyTorch makes only after it has looked at values, which no rule sees, and those where it goes on with
// memory that nobody knows.
#pragma once

#include <utility>

#include "runtime/base/error.h"

namespace ersatz {

namespace detail {
inline std::string values_suffix(ErrorFamily of_values) { return fmt::format(".or_{}", name(of_values)); }
}  // namespace detail

/// Marks the refusal of a check that PyTorch makes after it has looked at values.
inline void mark_behind_values(Error& e, std::string_view op, ErrorFamily of_values) {
  if (e.label.empty()) e.label = op;
  e.label += detail::values_suffix(of_values);
}

/// Runs a rule's check. PyTorch looks at values before it makes that check, and may refuse one by an error of the
/// family `of_values`: the label of the check's own refusal says so.
template <class Check>
void check_behind_values(std::string_view op, ErrorFamily of_values, Check&& check) {
  try {
    std::forward<Check>(check)();
  } catch (Error& e) {
    mark_behind_values(e, op, of_values);
    throw;
  }
}

/// May PyTorch refuse a value by an error of `family` where a rule refuses the call by `e`?
inline bool values_may_raise(const Error& e, ErrorFamily family) {
  return e.label.ends_with(detail::values_suffix(family));
}

/// May PyTorch do anything where a rule refuses the call by `e`: pass, or raise any error? The label ends in `.or_any`.
/// So are calls that change the memory of their own inputs before they read them.
inline bool anything_may_happen(const Error& e) { return e.label.ends_with(".or_any"); }

}  // namespace ersatz
