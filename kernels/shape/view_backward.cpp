#include "kernels/shape/view_backward.h"

#include "kernels/no_flops.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/fill_elements.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_view_backward {
namespace {

void run(KernelCall& call, const OpEntry& view) {
  const Tensor& out = call.outputs[0];
  fill_elements(out, 0);
  InlineVec<Value, 6> args;
  args.push_back(Value::borrow(out));
  for (const Value& v : call.args.subspan(kEach["input_sizes"] + 1)) args.push_back(v.borrowed());
  RuleResult views;
  run_rule(view, args, views);
  const Tensor part = make_view(out, std::move(views.outputs[0].meta));
  copy_elements(part, broadcast_view(call.tensor(kEach["grad_output"]), part.sizes()));
}

// Arguments: (grad, input_sizes, attributes...). Runs the rule of the view op on metadata of `input_sizes`, to get the
// part of the input that the gradient belongs to.
template <OpName view>
void rule(RuleCall& call) {
  const TensorMeta& grad = call.meta(kEach["grad_output"]);
  const std::span<const SymInt> sizes = call.ints(kEach["input_sizes"]);
  for (SymInt s : sizes) {
    call.require(check_ge(s, 0), "C5", "sizes must not be negative: got {}", sizes);
  }
  const TensorMeta input(grad.dtype, sizes, grad.device);
  const Tensor whole(input, Storage::make_fake(storage_bytes_needed(input), grad.device));
  InlineVec<Value, 6> args;
  args.push_back(Value::borrow(whole));
  for (const Value& v : call.args.subspan(kEach["input_sizes"] + 1)) args.push_back(v.borrowed());
  RuleResult views;
  RuleCall inner = call.with(args, views);
  op_entry<view>().rule(inner);
  const TensorMeta& part = views.outputs[0].meta;
  call.require(broadcasts_to(grad.sizes, part.sizes), "C4", "the gradient must broadcast to the view: {} vs {}", grad,
               part);
  call.out.fresh(input);
}
template <OpName view>
void kernel(KernelCall& call) {
  run(call, op_entry<view>());
}

template <OpName view>
OpEntry& add(Registry& r, const Schema& schema) {
  return r.add(schema).with_rule(rule<view>).count_flops(no_flops).every_device(kernel<view>);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& diagonal = add<"aten.diagonal.default">(r, kDiagonalBackward)
                          .sample("f32[3], [3, 5], 1, 0, 1")
                          .refuses("C1", "f32[2], [2, 2], 0, 0, 0")
                          .refuses("C4", "f32[2], [3, 5], 1, 0, 1")
                          .refuses("C5", "f32[2], [-3, 5], 1, 0, 1");
  r.add_out(diagonal, "out", kGeneratedForm);
  OpEntry& select = add<"aten.select.int">(r, kSelectBackward)
                        .sample("f32[2,4], [2, 3, 4], 1, -1")
                        .refuses("C2", "f32[2], [2, 3], 1, 3")
                        .refuses("C4", "f32[3], [2, 3], 1, 1")
                        .refuses("C5", "f32[3], [-2, 3], 1, 1");
  r.add_out(select, "out", kGeneratedForm);
  OpEntry& slice = add<"aten.slice.Tensor">(r, kSliceBackward)
                       .sample("f32[2,4], [5, 4], 0, 1, 4, 2")
                       .refuses("C2", "f32[4], [5], 0, 0, 4, 0")
                       .refuses("C4", "f32[3,4], [5, 4], 0, 1, 4, 2")
                       .refuses("C5", "f32[3,4], [-5, 4], 0, 1, 4, 2");
  r.add_out(slice, "out", kGeneratedForm);
}

}  // namespace ersatz::op_view_backward
