// Fourier transforms and singular values as prims. They call ATen's operators, without normalisation.
//
// Constraints of the transforms, where `prim` is the prim's name:
// [prim.C2] dims are less than the rank of the input (IndexError).
// [prim.C3] dims are not negative. PyTorch fails for negative dims, or reads out of bounds.
#include "kernels/synonyms/the_op.h"
#include "runtime/op/registry.h"

namespace ersatz::op_spectral_prims {
namespace {

constexpr Schema kFftC2C{"prims::fft_c2c(Tensor self, *, int[] dim, bool forward) -> Tensor"};
/// [fft_r2c.C1] self is a float.
constexpr Schema kFftR2C{"prims::fft_r2c(Tensor self, *, int[] dim, bool onesided) -> Tensor"};
/// [fft_c2r.C1] self is complex.
constexpr Schema kFftC2R{"prims::fft_c2r(Tensor self, *, int[] dim, SymInt last_dim_size) -> Tensor"};
constexpr Schema kSvd{"prims::svd(Tensor A, *, bool full_matrices) -> (Tensor U, Tensor S, Tensor Vh)"};
constexpr Schemas kFfts{kFftC2C, kFftR2C, kFftC2R};

template <OpName op>
void transform(CompositeCall& call) {
  const TensorMeta& self = call.meta(kFfts["self"]);
  for (SymInt d : call.ints(kFfts["dim"])) {
    call.require_index(check_lt(d, self.dim()) && check_ge(d, -self.dim()), "C2", "has no dim {}: self is {}", d, self);
    call.require(check_ge(d, 0), "C3", "dims must be counted from 0: got {}", call.ints(kFfts["dim"]));
  }
  call.returns(call_op<op>(call[kFfts["self"]], call[kFfts["dim"]], 0, call.args.back()));
}
void r2c(CompositeCall& call) {
  call.require(kFloats.has(call.meta(kFftR2C["self"]).dtype), "C1", "expects floats: self is {}",
               call.meta(kFftR2C["self"]));
  transform<"aten._fft_r2c.default">(call);
}
void c2r(CompositeCall& call) {
  call.require(kComplexes.has(call.meta(kFftC2R["self"]).dtype), "C1", "expects complex numbers: self is {}",
               call.meta(kFftC2R["self"]));
  transform<"aten._fft_c2r.default">(call);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kFftC2C)
      .made_of(transform<"aten._fft_c2c.default">)
      .sample("c64[4,6], dim=[0, 1], forward=True")
      .refuses("C2", "c64[4], dim=[1], forward=True")
      .refuses("C3", "c64[4], dim=[-1], forward=True");
  r.add(kFftR2C)
      .made_of(r2c)
      .sample("f32[4,6], dim=[1], onesided=True")
      .refuses("C1", "i64[4], dim=[0], onesided=True");
  r.add(kFftC2R)
      .made_of(c2r)
      .sample("c64[4,4], dim=[1], last_dim_size=6")
      .refuses("C1", "f32[4], dim=[0], last_dim_size=6");
  r.add(kSvd).made_of(call_the_op<"aten.linalg_svd.default">).sample("f32[3,4], full_matrices=False");
}

}  // namespace ersatz::op_spectral_prims
