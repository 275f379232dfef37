// Elements combined with those that indices name: `scatter_reduce`, `scatter` with `reduce`, `index_reduce`.
#pragma once

#include <string_view>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_scatter_reduce {

inline constexpr Schema kScatterReduceTwo{
    "aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) "
    "-> Tensor"};
inline constexpr Schema kScatterReduce{
    "aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor"};
inline constexpr Schema kIndexReduce{
    "aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> "
    "Tensor"};
inline constexpr Schemas kIncluding{kScatterReduceTwo, kIndexReduce};
inline constexpr Schemas kOfElements{kScatterReduceTwo, kScatterReduce};
inline constexpr Schemas kEach{kScatterReduceTwo, kScatterReduce, kIndexReduce};

}  // namespace ersatz::op_scatter_reduce

namespace ersatz::ops {

/// A row-major copy of `self` where out[index[i][j]][j] is combined with src[i][j] for dim 0, and so on, by `sum`,
/// `prod`, `mean`, `amax` or `amin`; without `include_self` an element that is named begins anew. A mean of integers is
/// rounded down. [scatter_reduce.C1] to [scatter_reduce.C4] as `scatter`. [scatter_reduce.C7] one of these names.
/// Values: each index lies in [0, size) (runtime error).
Tensor scatter_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce,
                      bool include_self = true);
/// `self` itself.
/// [scatter_reduce_.C6] neither index nor src shares memory with self.
Tensor scatter_reduce_(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce,
                       bool include_self = true);
/// `add` or `multiply`.
/// [scatter.C7] one of these names.
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce);
/// The slices of `dim` that the index names, combined with those of `source` by `prod`, `mean`, `amax` or `amin`.
/// [index_reduce.C1] to [index_reduce.C4] as `index_add`.
/// [index_reduce.C7] one of these names.
/// Values: each index lies in [0, size) (index error).
Tensor index_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                    bool include_self = true);

}  // namespace ersatz::ops
