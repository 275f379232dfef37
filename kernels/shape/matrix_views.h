// Other names for transpositions: `mT`, `mH`, `adjoint`, `matrix_H`, `numpy_T`, `swapaxes`, `swapdims`, `moveaxis`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/matrix_views.h"

namespace ersatz::op_matrix_views {

/// mT: exchanges the last two dims; returns a 0-d tensor itself.
/// [mT.C1] the tensor is 0-d or has at least two dims.
/// mH, adjoint: exchange the last two dims and conjugate the elements.
/// [mH.C1] [adjoint.C1] the tensor is 0-d or has at least two dims.
/// matrix_H: transposes and conjugates a matrix.
/// [matrix_H.C1] the tensor is 0-d or has two dims.
/// numpy_T: reverses the order of the dims.
inline constexpr TypedSchema kMatrixViews{
    "aten::{}{}(Tensor(a) self) -> Tensor(a)", "mT|", "mH|", "adjoint|", "matrix_H|", "numpy_T|"};
/// `swapaxes` and `swapdims` are other names for `transpose`.
inline constexpr TypedSchema kSwapAxes{"aten::{0}(Tensor(a) self, int {1}0, int {1}1) -> Tensor(a)", "swapaxes|axis",
                                       "swapdims|dim"};
inline constexpr Schema kSwapAxesInplace{"aten::{0}_(Tensor(a!) self, int {1}0, int {1}1) -> Tensor(a!)"};
inline constexpr Schema kMoveaxisInt{"aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)"};
/// `moveaxis` is another name for `movedim`.
inline constexpr TypedSchema kMoveaxisIntlist{
    "aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)"};

}  // namespace ersatz::op_matrix_views
