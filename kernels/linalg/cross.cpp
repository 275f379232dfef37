#include "kernels/linalg/cross.h"

#include "kernels/creation/full.h"
#include "kernels/pointwise/iterator_layout.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/reduction/cumsum.h"
#include "kernels/shape/atleast.h"
#include "kernels/shape/cat.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/unfold.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/mode.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_cross {
namespace {

void rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kLinalgCross["self"]), &other = call.meta(kLinalgCross["other"]);
  call.require(self.dim() == other.dim(), "C1", "operands must have one rank: self is {}, other is {}", self, other);
  const size_t dim = static_cast<size_t>(call.wrap_dim(call.integer(kLinalgCross["dim"]), self.dim()));
  call.require_index(self.dim() > 0, "C2", "operands must have dims: they are {} and {}", self, other);
  call.require(check_eq(self.sizes[dim], 3) && check_eq(other.sizes[dim], 3), "C2",
               "dim {} must have size 3: self is {}, other is {}", dim, self, other);
  const TensorMeta* operands[] = {&self, &other};
  DimVec sizes;
  BroadcastMismatch mismatch;
  call.require(broadcast_sizes(operands, sizes, mismatch), "C3", "sizes must broadcast: self is {}, other is {}", self,
               other);
  call.out.fresh(TensorMeta(self.dtype, sizes, call.device));  // ATen checks `out` before dtypes
  call.require_dtype(self.dtype, kNumbers);
  call.require(self.dtype == other.dtype, "C1", "operands must have one dtype: self is {}, other is {}", self, other);
}

/// Computes element i of each cross product: a[i + 1] b[i + 2] - a[i + 2] b[i + 1], with indices modulo 3.
void run(KernelCall& call) {
  const SuspendModes for_real;
  const Tensor a = call.tensor(kLinalgCross["self"]), b = call.tensor(kLinalgCross["other"]), &out = call.outputs[0];
  const int64_t dim = call.integer(kLinalgCross["dim"]);
  for (int64_t i = 0; i < 3; ++i) {
    const int64_t next = (i + 1) % 3, last = (i + 2) % 3;
    const Tensor right = ops::mul(ops::select(a, dim, next), ops::select(b, dim, last));
    const Tensor left = ops::mul(ops::select(a, dim, last), ops::select(b, dim, next));
    ops::copy_(ops::select(out, dim, i), ops::sub(right, left, 1));
  }
}

/// Returns `dim` if the call has one, else the first dim of size 3. Raises [cross.C4] if no dim has size 3.
int64_t cross_dim(const CompositeCall& call) {
  if (call.has(kCross["dim"])) return call.integer(kCross["dim"]);
  const TensorMeta& self = call.meta(kCross["self"]);
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (size_eq(self.sizes[static_cast<size_t>(d)], 3)) return d;
  }
  call.refuse(ErrorFamily::Runtime, "C4", "no dim has size 3: self is {}", self);
}
void cross(CompositeCall& call) {
  call.returns(ops::linalg_cross(call.tensor(kCross["self"]), call.tensor(kCross["other"]), cross_dim(call)));
}
void cross_out(CompositeCall& call) {
  call_op<"aten.linalg_cross.out">(call.tensor(kCross["self"]), call.tensor(kCross["other"]), cross_dim(call),
                                   call.tensor(kCross.out()));
  call.returns(call[kCross.out()]);
}

void vander(CompositeCall& call) {
  const DType dtype = call.meta(kVander["x"]).dtype;
  call.require_dtype(dtype, kIntegers | kComplexes | DTypeSet{DType::F32, DType::F64});
  const Tensor x = ops::atleast_1d(call.tensor(kVander["x"]));
  const SymInt n = call.has(kVander["N"]) ? call.sym(kVander["N"]) : x.size(-1);
  call.require(check_ge(n, 2), "C1", "N must be more than 1, it is {}", n);
  DimVec sizes(x.sizes());
  sizes.push_back(n - 1);
  const Tensor powers = ops::cumprod(ops::expand(ops::unsqueeze(x, -1), sizes), -1);
  sizes.back() = 1;
  const Tensor parts[] = {ops::new_ones(powers, sizes), powers};
  call.returns(ops::cat(parts, -1));
}

void diagonal(CompositeCall& call) {
  call.returns(ops::diagonal(call.tensor(kDiagonal["A"]), call.integer(kDiagonal["offset"]),
                             call.integer(kDiagonal["dim1"]), call.integer(kDiagonal["dim2"])));
}

void is_complex_number(CompositeCall& call) { call.returns(is_complex(call.meta(kKind["self"]).dtype)); }
void is_floating_point(CompositeCall& call) { call.returns(is_float(call.meta(kKind["self"]).dtype)); }

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kLinalgCross)
                    .with_rule(rule)
                    .every_device(run)
                    .dtypes(kNumbers)
                    .sample("f32[2,3], f32[1,3]")
                    .sample("c64[2,3,4]{1,8,2}, c64[2,3,4], dim=1")
                    .sample("i64[3], i64[3]")
                    .refuses("C1", "f32[3], f32[2,3]")
                    .refuses("C1", "f32[3], f64[3]")
                    .refuses("C2", "f32[2,4], f32[2,4]")
                    .refuses("C3", "f32[2,3], f32[4,3]");
  r.add_out(op, "out", WrittenForm{.apart = true});
  OpEntry& named = r.add(kCross).with_composite(cross).sample("f32[3,2], f32[3,2]").refuses("C4", "f32[2], f32[2]");
  r.add_out_alike(named, "out").with_composite(cross_out).sample("f32[3,2], f32[3,2], out=f32[0]");
  r.add(kVander).with_composite(vander).sample("f32[2,3]").sample("i32[3], N=5").refuses("C1", "f32[3], N=1");
  r.add(kDiagonal).tag(Tag::View).with_composite(diagonal).sample("f32[2,3,4], offset=1");
  r.add(kKind.with("is_complex")).with_composite(is_complex_number).sample("f32[2]");
  r.add(kKind.with("is_floating_point")).with_composite(is_floating_point).sample("f32[2]");
}

}  // namespace ersatz::op_cross
