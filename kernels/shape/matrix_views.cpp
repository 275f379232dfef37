#include "kernels/shape/matrix_views.h"

#include "kernels/shape/conjugate.h"
#include "kernels/shape/permute.h"
#include "kernels/shape/transpose.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_matrix_views {
namespace {

/// The result for a 0-d tensor: the tensor itself or its conjugate.
enum class NoDims : bool { Itself, Conjugate };

template <bool conjugate, NoDims no_dims>
void transposed_matrices(CompositeCall& call) {
  const Tensor self = call.tensor(kMatrixViews["self"]);
  call.require(self.dim() == 0 || self.dim() >= 2, "C1", "expects matrices or a tensor without dims: self is {}",
               self.meta());
  if (self.dim() == 0) return call.returns(no_dims == NoDims::Conjugate ? ops::conj(self) : self);
  const Tensor swapped = ops::transpose(self, -2, -1);
  call.returns(conjugate ? ops::conj(swapped) : swapped);
}

void matrix_h(CompositeCall& call) {
  const Tensor self = call.tensor(kMatrixViews["self"]);
  call.require(self.dim() == 0 || self.dim() == 2, "C1", "expects a matrix or a tensor without dims: self is {}",
               self.meta());
  if (self.dim() == 0) return call.returns(is_complex(self.dtype()) ? ops::conj(self) : self);
  call.returns(ops::conj(ops::transpose(self, 0, 1)));
}

void reversed_dims(CompositeCall& call) {
  DimVec dims;
  for (int64_t d = call.meta(kMatrixViews["self"]).dim(); d-- > 0;) dims.push_back(d);
  call.returns(ops::permute(call.tensor(kMatrixViews["self"]), dims));
}

void swap(CompositeCall& call) {
  call.returns(
      ops::transpose(call.tensor(kSwapAxes["self"]), call.integer(kSwapAxes["{1}0"]), call.integer(kSwapAxes["{1}1"])));
}
void swap_inplace(CompositeCall& call) {
  call.returns(ops::transpose_(call.tensor(kSwapAxesInplace["self"]), call.integer(kSwapAxesInplace["{1}0"]),
                               call.integer(kSwapAxesInplace["{1}1"])));
}

void moveaxis_list(CompositeCall& call) {
  call.returns(ops::movedim(call.tensor(kMoveaxisIntlist["self"]), call.ints(kMoveaxisIntlist["source"]),
                            call.ints(kMoveaxisIntlist["destination"])));
}
void moveaxis_int(CompositeCall& call) {
  const SymInt source = call.sym(kMoveaxisInt["source"]), destination = call.sym(kMoveaxisInt["destination"]);
  call.returns(ops::movedim(call.tensor(kMoveaxisInt["self"]), {&source, 1}, {&destination, 1}));
}

}  // namespace

void register_ops(Registry& r) {
  struct View {
    const char* name;
    CompositeBody body;
    const char* refused;
  };
  for (const View& v : {View{"mT", transposed_matrices<false, NoDims::Itself>, "f32[2]"},
                        View{"mH", transposed_matrices<true, NoDims::Conjugate>, "f32[2]"},
                        View{"adjoint", transposed_matrices<true, NoDims::Conjugate>, "f32[2]"},
                        View{"matrix_H", matrix_h, "f32[2,3,4]"}, View{"numpy_T", reversed_dims, nullptr}}) {
    // The overload `a` is the attribute `x.mT` of TorchScript programs. The op `adjoint` has no overload `a`.
    for (const char* overload : {"", ".a"}) {
      if (*overload && std::string_view(v.name) == "adjoint") continue;
      OpEntry& op = r.add(kMatrixViews.with(v.name, overload))
                        .tag(Tag::View)
                        .with_composite(v.body)
                        .sample("c64[2,3]{1,2}")
                        .sample("f32[2,3]");
      if (v.refused) op.refuses("C1", v.refused);
    }
  }
  for (const char* name : {"swapaxes", "swapdims"}) {
    const std::string axis = std::string_view(name) == "swapaxes" ? "axis" : "dim";
    r.add(kSwapAxes.with(name, axis)).tag(Tag::View).with_composite(swap).sample("f32[2,3,4], 0, -1");
    r.add(kSwapAxesInplace.with(name, axis))
        .tag(Tag::InplaceView)
        .with_composite(swap_inplace)
        .sample("f32[2,3,4], 0, -1");
  }
  r.add(kMoveaxisInt).tag(Tag::View).with_composite(moveaxis_int).sample("f32[2,3,4], 0, -1");
  r.add(kMoveaxisIntlist).tag(Tag::View).with_composite(moveaxis_list).sample("f32[2,3,4], [0, 1], [2, 0]");
}

}  // namespace ersatz::op_matrix_views
