#include "kernels/shape/repeat.h"

#include "kernels/no_flops.h"
#include "runtime/op/composite.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_repeat {
namespace {

void rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kRepeat["self"]);
  const std::span<const SymInt> repeats = call.ints(kRepeat["repeats"]);
  call.require(static_cast<int64_t>(repeats.size()) >= self.dim(), "C1",
               "expects at least {} repeats, got {}: self is {}", self.dim(), repeats, self);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = self.device;
  const size_t added = repeats.size() - self.sizes.size();
  for (size_t d = 0; d < repeats.size(); ++d) {
    out.sizes.push_back(d < added ? repeats[d] : repeats[d] * self.sizes[d - added]);
    call.require(check_ge(out.sizes.back(), 0), "C2", "repeats must not be negative: got {}", repeats);
  }
  out.strides = contiguous_strides(out.sizes);
}

void tile(CompositeCall& call) {
  const std::span<const SymInt> asked = call.ints(kTile["dims"]);
  const size_t rank = static_cast<size_t>(call.meta(kTile["self"]).dim());
  DimVec repeats(rank > asked.size() ? rank - asked.size() : 0, SymInt(1));
  repeats.append(asked.begin(), asked.end());
  call.returns(ops::repeat(call.tensor(kTile["self"]), repeats));
}

// Copies between two views that have two dims, (repeat, size), for each dim. The view of self has stride 0 for
// `repeat`.
void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Tensor self = call.tensor(kRepeat["self"]);
  if (out.numel().as_int() == 0) return;
  const std::span<const SymInt> repeats = call[kRepeat["repeats"]].as_ints();
  const size_t added = repeats.size() - self.sizes().size();
  TensorMeta to = out.meta(), from = self.meta();
  for (TensorMeta* t : {&to, &from}) {
    t->sizes.clear();
    t->strides.clear();
  }
  for (size_t d = 0; d < repeats.size(); ++d) {
    const SymInt size = d < added ? SymInt(1) : self.sizes()[d - added];
    const SymInt step = d < added ? SymInt(0) : self.strides()[d - added];
    for (TensorMeta* t : {&to, &from}) {
      t->sizes.push_back(repeats[d]);
      t->sizes.push_back(size);
    }
    to.strides.push_back(out.strides()[d] * size);
    to.strides.push_back(out.strides()[d]);
    from.strides.push_back(0);
    from.strides.push_back(step);
  }
  copy_elements(make_view(out, std::move(to)), make_view(self, std::move(from)));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& repeat = r.add(kRepeat)
                        .tag(Tag::Core)
                        .with_rule(rule)
                        .count_flops(no_flops)
                        .every_device(run)
                        .sample("f32[2,3], [2, 1]")
                        .sample("i64[2,3]{1,2}, [2, 1, 3]")
                        .sample("f32[], [4]")
                        .refuses("C1", "f32[2,3], [2]")
                        .refuses("C2", "f32[2], [-1]");
  r.add_out(repeat, "out", kGeneratedForm);
  r.add(kTile).with_composite(tile).sample("f32[2,3], [2]").sample("f32[3], [2, 2]");
}

}  // namespace ersatz::op_repeat
