// What the rules of scattering ops share: (self, dim, index, source or number, ...).
#pragma once

#include "kernels/indexing/scatter.h"
#include "runtime/op/rule.h"

namespace ersatz {

/// An index of src's sizes, or less. Refuses with
/// [C1] an i64 or i32 index, unless it is empty
/// [C2] equal ranks of self, index and src; 0-d counts as 1
/// [C3] an index not larger than self, except in `dim`, nor than src
/// [C4] src of self's dtype
/// [C5] a number that fits the dtype
void check_scatter(const RuleCall& call);
/// One index for each slice of the source. Refuses with
/// [C1] an index of at most one dim (index error), i32 or i64
/// [C2] a source of self's dtype
/// [C3] as many indices as the source has slices (for a source without dims an index error)
/// [C4] sizes of source and self that agree except in `dim`
void check_index_add(const RuleCall& call);

/// Row-major, of self's sizes and dtype.
void answer_scattered(RuleCall& call);
/// Refuses with
/// [C6] no two elements of `written` share memory, and neither the index nor the source shares memory with `written`
void require_writes_apart(const RuleCall& call, Position written);
/// `self` itself, which is written. Refuses with C6.
void answer_scattered_inplace(RuleCall& call);
/// Both, behind the checks of the op.
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
/// The rule of a derived `out=` form: `out` may be self, but not what is read. Refuses with C6, as in place.
void scattered_out_rule(RuleCall& call);

}  // namespace ersatz
