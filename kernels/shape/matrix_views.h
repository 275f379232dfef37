// Transposes by other names: `mT`, `mH`, `adjoint`, `matrix_H`, `numpy_T`, `swapaxes`, `swapdims`, `moveaxis`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/matrix_views.h"

namespace ersatz::op_matrix_views {

/// The last two dims swapped; a tensor without dims itself.
/// [mT.C1] two dims at least, or none.
/// The same, conjugated.
/// [mH.C1] [adjoint.C1] two dims at least, or none.
/// A matrix transposed and conjugated.
/// [matrix_H.C1] two dims, or none.
/// The dims in reverse order.
inline constexpr TypedSchema kMatrixViews{
    "aten::{}{}(Tensor(a) self) -> Tensor(a)", "mT|", "mH|", "adjoint|", "matrix_H|", "numpy_T|"};
/// `transpose`.
inline constexpr TypedSchema kSwapAxes{"aten::{0}(Tensor(a) self, int {1}0, int {1}1) -> Tensor(a)", "swapaxes|axis",
                                       "swapdims|dim"};
inline constexpr Schema kSwapAxesInplace{"aten::{0}_(Tensor(a!) self, int {1}0, int {1}1) -> Tensor(a!)"};
inline constexpr Schema kMoveaxisInt{"aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)"};
/// `movedim`.
inline constexpr TypedSchema kMoveaxisIntlist{
    "aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)"};

}  // namespace ersatz::op_matrix_views
