// sort, argsort, msort: return elements sorted along one dim, and their original indices.
//
// Constraints
// [sort.C1] self is not complex (else TypeError).
// The dim must be in range (else IndexError). NaN is the largest. Equal elements keep their order with `stable`, and on
// CUDA in every case. Results have the layout of `self` if `self` is dense; otherwise they are dense with the order of
// self's strides.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/sorting/sort.h"

namespace ersatz::op_sort {

inline constexpr TypedSchema kSort{
    "aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)"};
inline constexpr Schema kSortStable{
    "aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor "
    "indices)"};
/// Returns the indices of `sort`.
inline constexpr TypedSchema kArgsort{"aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor"};
inline constexpr Schema kArgsortStable{
    "aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor"};
/// Returns the values of `sort` along the first dim.
inline constexpr TypedSchema kMsort{"aten::msort(Tensor self) -> Tensor"};
inline constexpr Schemas kEach{kSort, kSortStable};

}  // namespace ersatz::op_sort
