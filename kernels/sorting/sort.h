// sort, argsort, msort: elements in order along one dim, and their original indices.
//
// Constraints
// [sort.C1] complex numbers have no order (TypeError).
// The dim is in range (IndexError). NaN is the largest. Equal elements keep their order with `stable`, and on CUDA
// always. Results have the input's layout if it is dense, else dense strides in its order.
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
