// Checks that the rules of scattering operators share. Their arguments are (self, dim, index, source or number, ...).
#pragma once

#include "kernels/indexing/scatter.h"
#include "runtime/op/rule.h"

namespace ersatz {

/// Checks a call that has one index for each element of src. Constraints:
/// [C1] the index is i64 or i32; an empty index may have any dtype
/// [C2] self, index and src have equal ranks; 0-d counts as rank 1
/// [C3] the index is not larger than src, and not larger than self in any dim except `dim`
/// [C4] src has self's dtype
/// [C5] a number as `value` fits the dtype
void check_scatter(const RuleCall& call);
/// Checks a call that has one index for each slice of the source. Constraints:
/// [C1] the index has at most one dim (else IndexError) and is i32 or i64
/// [C2] source has self's dtype
/// [C3] source has one slice for each index (for a 0-d source, else IndexError)
/// [C4] source and self have equal sizes except in `dim`
void check_index_add(const RuleCall& call);

/// Adds an output that is row-major and has self's sizes and dtype.
void answer_scattered(RuleCall& call);
/// Checks the memory of `written`. Constraint:
/// [C6] no two elements of `written` share memory, and neither the index nor the source shares memory with `written`
void require_writes_apart(const RuleCall& call, Position written);
/// Adds `self`, which is written, as the output. Checks constraint C6.
void answer_scattered_inplace(RuleCall& call);
/// The rules of a functional and an in-place operator: run `check`, then add the output.
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
/// The rule of a derived `out=` overload: `out` may be self, but may not share memory with index or source. Checks
/// constraint C6, as the in-place rule does.
void scattered_out_rule(RuleCall& call);

}  // namespace ersatz
