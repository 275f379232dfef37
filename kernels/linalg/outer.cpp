#include "kernels/linalg/outer.h"

#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/reshape.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_outer {
namespace {

constexpr Schemas kEach{kOuter, kGer, kOuterOut, kGerOut};
constexpr Schemas kEachOut{kOuterOut, kGerOut};

/// Returns `self` as a column. The outer product is this column times the row `vec2`.
Tensor column(const CompositeCall& call) {
  const TensorMeta& self = call.meta(kEach["self"]);
  const TensorMeta& vec2 = call.meta(kEach["vec2"]);
  call.require(self.dim() == 1, "C1", "self must have one dim: self is {}", self);
  call.require(vec2.dim() == 1, "C2", "vec2 must have one dim: vec2 is {}", vec2);
  return ops::reshape(call.tensor(kEach["self"]), DimVec{self.sizes[0], SymInt(1)});
}

void outer(CompositeCall& call) { call.returns(ops::mul(column(call), call.tensor(kEach["vec2"]))); }

void outer_out(CompositeCall& call) {
  call_op_all<"aten.mul.out">(column(call), call.tensor(kEachOut["vec2"]), call.tensor(kEachOut["out"]));
  call.returns(call[kEachOut["out"]]);
}

}  // namespace

void register_ops(Registry& r) {
  for (const Schema& schema : {Schema(kOuter), Schema(kGer)}) {
    r.add(schema)
        .with_composite(outer)
        .sample("f32[3], f32[2]")
        .sample("i64[2], f16[3]")
        .sample("f32[0], bool[2]")
        .refuses("C1", "f32[], f32[2]")
        .refuses("C2", "f32[3], f32[2,1]");
  }
  for (const Schema& schema : {kOuterOut, kGerOut}) {
    r.add(schema)
        .with_composite(outer_out)
        .sample("f32[3], f32[2], out=f32[0]")
        .refuses("C2", "f32[3], f32[], out=f32[0]");
  }
}

}  // namespace ersatz::op_outer
