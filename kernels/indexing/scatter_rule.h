// Checks shared by the rules of scattering operators: (self, dim, index, source or number, ...).
#pragma once

#include "kernels/indexing/scatter.h"
#include "runtime/op/rule.h"

namespace ersatz {

/// Checks a call with an index for each element of src. Refuses with
/// [C1] an i64 or i32 index, unless it is empty
/// [C2] equal ranks of self, index and src; 0-d counts as 1
/// [C3] an index not larger than self, except in `dim`, nor than src
/// [C4] src of self's dtype
/// [C5] a number that fits the dtype
void check_scatter(const RuleCall& call);
/// Checks a call with one index for each slice of the source. Refuses with
/// [C1] an index of at most one dim (index error), i32 or i64
/// [C2] a source of self's dtype
/// [C3] as many indices as the source has slices (index error for a 0-d source)
/// [C4] sizes of source and self that agree except in `dim`
void check_index_add(const RuleCall& call);

/// Adds a row-major result with self's sizes and dtype.
void answer_scattered(RuleCall& call);
/// Refuses with
/// [C6] no two elements of `written` share memory, and neither the index nor the source shares memory with `written`
void require_writes_apart(const RuleCall& call, Position written);
/// Makes `self`, which is written, the result. Refuses with C6.
void answer_scattered_inplace(RuleCall& call);
/// The functional and the in-place rule: the operator's check, then the result.
template <void (*check)(const RuleCall&)>
void scattered_rule(RuleCall& call) {
  check(call);
  answer_scattered(call);
}
template <void (*check)(const RuleCall&)>
void scattered_inplace_rule(RuleCall& call) {
  check(call);
  answer_scattered_inplace(call);
}
/// The rule of a derived `out=` form: `out` may be self, but may not share memory with index or source. Refuses with
/// C6, as in place.
void scattered_out_rule(RuleCall& call);

}  // namespace ersatz
