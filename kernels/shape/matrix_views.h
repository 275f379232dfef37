// Other names of transpositions: `mT`, `mH`, `adjoint`, `matrix_H`, `numpy_T`, `swapaxes`, `swapdims`, `moveaxis`.
#pragma once

#include "runtime/op/typed_schema.h"
#include "typed/shape/matrix_views.h"

namespace ersatz::op_matrix_views {

/// mT: the last two dims exchanged; a tensor without dims itself.
/// [mT.C1] the tensor has no dims or at least two.
/// mH, adjoint: the last two dims exchanged, and elements conjugated.
/// [mH.C1] [adjoint.C1] the tensor has no dims or at least two.
/// matrix_H: a matrix transposed and conjugated.
/// [matrix_H.C1] the tensor has no dims or two.
/// numpy_T: the dims in reverse order.
inline constexpr TypedSchema kMatrixViews{
    "aten::{}{}(Tensor(a) self) -> Tensor(a)", "mT|", "mH|", "adjoint|", "matrix_H|", "numpy_T|"};
/// Other names of `transpose`.
inline constexpr TypedSchema kSwapAxes{"aten::{0}(Tensor(a) self, int {1}0, int {1}1) -> Tensor(a)", "swapaxes|axis",
                                       "swapdims|dim"};
inline constexpr Schema kSwapAxesInplace{"aten::{0}_(Tensor(a!) self, int {1}0, int {1}1) -> Tensor(a!)"};
inline constexpr Schema kMoveaxisInt{"aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)"};
/// Another name of `movedim`.
inline constexpr TypedSchema kMoveaxisIntlist{
    "aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)"};

}  // namespace ersatz::op_matrix_views
