// Reductions at indices: `scatter_reduce`, `scatter` with `reduce`, and `index_reduce`.
#pragma once

#include <string_view>

#include "runtime/op/typed_schema.h"
#include "typed/indexing/scatter_reduce.h"

namespace ersatz::op_scatter_reduce {

/// Returns a row-major copy of `self` in which out[index[i][j]][j] is combined with src[i][j] for dim 0, and
/// accordingly for other dims. `reduce` is `sum`, `prod`, `mean`, `amax` or `amin`. Without `include_self`, the results
/// for indexed elements do not include their values in self. A mean of integers is rounded down.
/// [scatter_reduce.C1] to [scatter_reduce.C4] are those of `scatter`.
/// [scatter_reduce.C7] reduce is one of the five names.
/// Values: each index is in [0, size) (else RuntimeError).
/// `scatter_reduce_` returns `self`.
/// [scatter_reduce_.C6] neither index nor src shares memory with self.
inline constexpr TypedSchema kScatterReduceTwo{
    "aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) "
    "-> Tensor",
    kAndInplace};
/// `scatter` with `reduce`, which is `add` or `multiply`.
/// [scatter.C7] reduce is one of the two names.
inline constexpr TypedSchema kScatterReduce{
    "aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor"};
/// Combines the slices of self along `dim` that the index selects with the slices of `source`, by `prod`, `mean`,
/// `amax` or `amin`.
/// [index_reduce.C1] to [index_reduce.C4] are those of `index_add`.
/// [index_reduce.C7] reduce is one of the four names.
/// Values: each index is in [0, size) (else IndexError).
inline constexpr TypedSchema kIndexReduce{
    "aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> "
    "Tensor"};
inline constexpr Schemas kIncluding{kScatterReduceTwo, kIndexReduce};
inline constexpr Schemas kOfElements{kScatterReduceTwo, kScatterReduce};
inline constexpr Schemas kEach{kScatterReduceTwo, kScatterReduce, kIndexReduce};

}  // namespace ersatz::op_scatter_reduce
