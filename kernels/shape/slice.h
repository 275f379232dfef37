// Part of one dim: `slice`, `select`, `narrow`.
#pragma once

#include <optional>

#include "runtime/op/schema_literal.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::op_slice {

inline constexpr Schema kSliceTensor{
    "aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)"};
inline constexpr Schema kSelectInt{"aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)"};
inline constexpr Schema kNarrow{"aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)"};
inline constexpr Schema kNarrowTensor{
    "aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)"};

}  // namespace ersatz::op_slice

namespace ersatz::ops {

/// Every `step`-th index of [start, end); both count from the end where negative and are clamped to the dim.
/// [slice.C1] the input has dims (index error).
/// [slice.C2] step > 0.
Tensor slice(const Tensor& self, int64_t dim = 0, std::optional<SymInt> start = std::nullopt,
             std::optional<SymInt> end = std::nullopt, SymInt step = 1);
/// One index of a dim, the dim gone.
/// [select.C1] the input has dims (index error).
/// [select.C2] the index lies in [-size, size) (index error).
Tensor select(const Tensor& self, int64_t dim, SymInt index);
/// `length` indices from `start`, counted from the end where it is negative.
/// [narrow.C1] the input has dims.
/// [narrow.C2] length >= 0.
/// [narrow.C3] start lies in [-size, size] (index error).
/// [narrow.C4] all of them exist.
Tensor narrow(const Tensor& self, int64_t dim, SymInt start, SymInt length);
/// The same with a start that is read from a tensor.
/// [narrow.C5] start is an integer tensor without dims.
Tensor narrow(const Tensor& self, int64_t dim, const Tensor& start, SymInt length);

}  // namespace ersatz::ops
