// sort, argsort, msort: elements along one dim in order, and where they were.
//
// Constraints
// [sort.C1] complex numbers have no order (TypeError).
// The dim is in range (IndexError). NaN is the largest. Equal elements keep their order where `stable`
// asks for it, and on CUDA always. Results have the input's layout where that is dense, else dense strides in its
// order.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/sorting/sort.h"

namespace ersatz::op_sort {

inline constexpr TypedSchema kSort{
    "aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)"};
inline constexpr Schema kSortStable{
    "aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor "
    "indices)"};
/// The indices of `sort`.
inline constexpr TypedSchema kArgsort{"aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor"};
inline constexpr Schema kArgsortStable{
    "aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor"};
/// The values of `sort` along the first dim.
inline constexpr TypedSchema kMsort{"aten::msort(Tensor self) -> Tensor"};
inline constexpr Schemas kEach{kSort, kSortStable};

}  // namespace ersatz::op_sort
