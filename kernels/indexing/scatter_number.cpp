#include "kernels/indexing/scatter_number.h"

#include "kernels/creation/full.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_scatter_number {
namespace {

/// Returns the arguments for the call of `scatter.reduce`.
Values arguments(const CompositeCall& call) {
  const Tensor self = call.tensor(kEach["self"]);
  const TensorMeta& index = call.meta(kEach["index"]);
  const Scalar value = call.scalar(kEach["value"]);
  call.wrap_dim(call.integer(kEach["dim"]), self.dim());
  const bool fits = scalar_fits(value, self.dtype());
  call.require(fits || size_eq(index.numel(), 0), "C5", "the number {} does not fit dtype {}", to_string(Value(value)),
               name(self.dtype()));
  const Tensor source = ops::full(index.sizes, fits ? value : 0, {.dtype = self.dtype(), .device = self.device()});
  Values made;
  for (Position p : {kEach["self"], kEach["dim"], kEach["index"]}) made.push_back(call[p]);
  made.push_back(source);
  made.push_back(call[kEach["reduce"]]);
  return made;
}
template <OpName op>
void run(CompositeCall& call) {
  Values given = arguments(call), results;
  if (!call.op.written.empty() && call.op.written[0] != 0) given.push_back(call[kOut["out"]]);
  dispatch(op_entry<op>(), given, results);
  call.returns(std::move(results[0]));
}

}  // namespace

void register_ops(Registry& r) {
  const std::string sample = "f32[4,3], 0, i64[2,3], 2.0, reduce=\"multiply\"";
  r.add(kFunctional)
      .tag(Tag::FailsOnValues)
      .with_composite(run<"aten.scatter.reduce">)
      .sample(sample, 0, 3)
      .refuses("C5", "f16[4], 0, i64[1], 70000, reduce=\"add\"");
  r.add(kInplace).tag(Tag::FailsOnValues).with_composite(run<"aten.scatter_.reduce">).sample(sample, 0, 3);
  r.add(kOut)
      .tag(Tag::FailsOnValues)
      .with_composite(run<"aten.scatter.reduce_out">)
      .sample(sample + ", out=f32[0]", 0, 3);
}

}  // namespace ersatz::op_scatter_number
