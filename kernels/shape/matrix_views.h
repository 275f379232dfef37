// Transposes by other names: `mT`, `mH`, `adjoint`, `matrix_H`, `numpy_T`, `swapaxes`, `swapdims`, `moveaxis`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/matrix_views.h"

namespace ersatz::op_matrix_views {

inline constexpr Schema kMatrixViews{"aten::{}{}(Tensor(a) self) -> Tensor(a)"};
inline constexpr Schema kSwapAxes{"aten::{0}(Tensor(a) self, int {1}0, int {1}1) -> Tensor(a)"};
inline constexpr Schema kSwapAxesInplace{"aten::{0}_(Tensor(a!) self, int {1}0, int {1}1) -> Tensor(a!)"};
inline constexpr Schema kMoveaxisInt{"aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)"};
/// `movedim`.
inline constexpr TypedSchema kMoveaxisIntlist{
    "aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)"};

}  // namespace ersatz::op_matrix_views

namespace ersatz::ops {

/// The last two dims swapped; a tensor without dims itself.
/// [mT.C1] two dims at least, or none.
Tensor mT(const Tensor& self);
/// The same, conjugated.
/// [mH.C1] [adjoint.C1] two dims at least, or none.
Tensor mH(const Tensor& self);
Tensor adjoint(const Tensor& self);
/// A matrix transposed and conjugated.
/// [matrix_H.C1] two dims, or none.
Tensor matrix_H(const Tensor& self);
/// The dims in reverse order.
Tensor numpy_T(const Tensor& self);
/// `transpose`.
Tensor swapaxes(const Tensor& self, int64_t axis0, int64_t axis1);
Tensor swapdims(const Tensor& self, int64_t dim0, int64_t dim1);

}  // namespace ersatz::ops
