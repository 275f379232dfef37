#include "kernels/shape/view_scatter.h"

#include "kernels/creation/arange.h"
#include "kernels/creation/full.h"
#include "kernels/indexing/take.h"
#include "kernels/shape/as_strided.h"
#include "kernels/shape/broadcast.h"
#include "runtime/op/copy.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/write_count.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_view_scatter {
namespace {

// Adds an output with self's strides and offset, like PyTorch's clone_preserve_strides.
void answer_like_self(RuleCall& call) {
  const TensorMeta& self = call.meta(kEach["self"]);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = self.device;
  out.sizes = self.sizes;
  if (internal_overlap(self) == Overlap::Yes) {
    out.strides = preserved_strides(self.sizes, self.strides);
  } else {
    out.strides = self.strides;
    out.offset = self.offset;
  }
}

void copy_rule(RuleCall& call) {
  const TensorMeta &self = call.meta(kCopy["self"]), &src = call.meta(kCopy["src"]);
  call.require(broadcasts_to(src.sizes, self.sizes), "C4", "src must broadcast to self: {} vs {}", src, self);
  if (src.dtype != self.dtype && (is_packed(src.dtype) || is_packed(self.dtype)) && size_ne(self.numel(), 0))
    call.not_supported("elements of several numbers are not converted: src is {}, self is {}", src, self);
  answer_like_self(call);
  if (sym_eq(call.tensor(kCopy["self"])->storage->nbytes(), 0)) call.out.outputs[0].meta.offset = 0;
}

// Adds the output of a scatter op. Runs `view`, the rule of the view op, with self and the arguments after src.
void scatter_rule(RuleCall& call, Rule view) {
  InlineVec<Value, 6> args;
  args.push_back(call[kOfViews["self"]].borrowed());
  for (const Value& v : call.args.subspan(kOfViews["src"] + 1)) args.push_back(v.borrowed());
  RuleResult result;
  RuleCall inner = call.with(args, result);
  view(inner);
  const TensorMeta& part = result.outputs[0].meta;
  call.require(check_eq(part.sizes, call.meta(kOfViews["src"]).sizes), "C4",
               "src must have the sizes of what it replaces: {} vs {}", call.meta(kOfViews["src"]), part);
  answer_like_self(call);
}

void slice_rule(RuleCall& call) {
  static const OpEntry& view = op_named("aten.slice.Tensor");
  scatter_rule(call, view.rule);
}
void select_rule(RuleCall& call) {
  static const OpEntry& view = op_named("aten.select.int");
  scatter_rule(call, view.rule);
}
// Checks the view on self's layout. If elements of self share memory, PyTorch views a dense copy of self.
void as_strided_rule(RuleCall& call) {
  static const OpEntry& view = op_named("aten.as_strided.default");
  InlineVec<Value, 6> args;
  args.push_back(call[kAsStridedScatter["self"]].borrowed());
  Tensor copy;
  TensorMeta self = call.meta(kAsStridedScatter["self"]);
  if (internal_overlap(self) == Overlap::Yes) {
    self.strides = preserved_strides(self.sizes, self.strides);
    self.offset = 0;
    const SymInt bytes = storage_bytes_needed(self);
    copy = Tensor(std::move(self), Storage::make_fake(bytes, call.device));
    args[0] = Value::borrow(copy);
  }
  for (const Value& v : call.args.subspan(kAsStridedScatter["src"] + 1)) args.push_back(v.borrowed());
  RuleResult result;
  RuleCall inner = call.with(args, result);
  view.rule(inner);
  const TensorMeta& part = result.outputs[0].meta;
  call.require(check_eq(part.sizes, call.meta(kAsStridedScatter["src"]).sizes), "C4",
               "src must have the sizes of what it replaces: {} vs {}", call.meta(kAsStridedScatter["src"]), part);
  call.require(internal_overlap(part) != Overlap::Yes, "C5", "elements of what is replaced share memory: {}", part);
  answer_like_self(call);
}
void diagonal_rule(RuleCall& call) {
  static const OpEntry& view = op_named("aten.diagonal.default");
  scatter_rule(call, view.rule);
}

/// Copies self to the output, then calls `replace` to write src into it. If the output shares memory with an input,
/// both steps use a temporary tensor, which is copied to the output at the end.
template <class F>
void copy_and_replace(KernelCall& call, F&& replace) {
  static constexpr Schemas kArgs{kCopy, kSliceScatter, kSelectScatter, kDiagonalScatter};
  const Tensor self = call.tensor(kArgs["self"]);
  const Tensor& out = call.outputs[0];
  const bool shares = out.shares_storage(self) || out.shares_storage(call.tensor(kArgs["src"]));
  const Tensor target = shares ? make_real_tensor(TensorMeta(out.dtype(), out.sizes(), out.device())) : out;
  copy_elements(target, self);
  replace(target);
  if (shares) copy_elements(out, target);
}

/// Writes src to a view of the output. The rule of the view op makes the view from the arguments after src.
void replace_view(KernelCall& call, const OpEntry& view) {
  copy_and_replace(call, [&](const Tensor& target) {
    InlineVec<Value, 6> args;
    args.push_back(Value::borrow(target));
    for (const Value& v : call.args.subspan(kOfViews["src"] + 1)) args.push_back(v.borrowed());
    RuleResult result;
    run_rule(view, args, result);
    copy_elements(make_view(target, std::move(result.outputs[0].meta)), call.tensor(kOfViews["src"]));
  });
}

void run_copy(KernelCall& call) {
  copy_and_replace(call, [&](const Tensor& target) {
    copy_elements(target, broadcast_view(call.tensor(kCopy["src"]), target.sizes()));
  });
}
void run_slice(KernelCall& call) { replace_view(call, op_named("aten.slice.Tensor")); }
void run_select(KernelCall& call) { replace_view(call, op_named("aten.select.int")); }
/// The memory in which `as_strided_scatter` replaces elements. It has self's layout; the output may have other strides.
struct StridedMemory {
  explicit StridedMemory(std::span<const Value> args) : base(args[kAsStridedScatter["self"]].tensor_impl()->meta) {
    if (internal_overlap(base) == Overlap::Yes) {
      base.strides = preserved_strides(base.sizes, base.strides);
      base.offset = 0;
    }
    base.conj = base.neg = false;
    part = base;
    part.sizes = DimVec(args[kAsStridedScatter["size"]].as_ints());
    part.strides = DimVec(args[kAsStridedScatter["stride"]].as_ints());
    const Value& offset = args[kAsStridedScatter["storage_offset"]];
    if (!offset.is_none()) part.offset = offset.as_int();
    elements = floor_div(sym_max(storage_bytes_needed(base), storage_bytes_needed(part)), item_size(base.dtype));
  }

  TensorMeta base, part;  ///< metadata of self in this memory, and of the view that src replaces
  SymInt elements;
};

void run_as_strided(KernelCall& call) {
  const Tensor self = call.tensor(kAsStridedScatter["self"]);
  StridedMemory in(call.args);
  const SymInt elements[] = {in.elements};
  const Tensor memory = make_real_tensor(TensorMeta(in.base.dtype, elements, in.base.device));
  if (self.numel().as_int() > 0) copy_elements(make_view(memory, in.base), self);
  if (in.part.numel().as_int() > 0)
    copy_elements(make_view(memory, std::move(in.part)), call.tensor(kAsStridedScatter["src"]));
  if (self.numel().as_int() > 0) copy_elements(call.outputs[0], make_view(memory, std::move(in.base)));
}

/// Returns for each element the number of times that src writes to it. It can be several times, because C5 is checked
/// by internal_overlap, which does not find every overlap.
Tensor count_strided(std::span<const Value> args) {
  const StridedMemory in(args);
  const SymInt elements[] = {in.elements};
  const Tensor places =
      ops::as_strided(ops::arange(in.elements.as_int()), in.part.sizes, in.part.strides, in.part.offset);
  const Tensor writes = ops::put(ops::zeros(elements), places, ops::ones(in.part.sizes), true);
  return ops::as_strided(writes, in.base.sizes, in.base.strides, in.base.offset);
}

void run_diagonal(KernelCall& call) { replace_view(call, op_named("aten.diagonal.default")); }

}  // namespace

void register_ops(Registry& r) {
  // src may be on any device. answer_out checks that `out` is on self's device.
  const auto devices = [](size_t attributes, bool out) {
    std::vector<DeviceRule> rules(2 + attributes + out, DeviceRule::Any);
    rules[0] = DeviceRule::Same;
    return rules;
  };
  OpEntry& copy = r.add(kCopy)
                      .tag(Tag::Core | kConvertsByDevice)
                      .with_rule(copy_rule)
                      .every_device(run_copy)
                      .devices(devices(1, false))
                      .sample("f32[2,3]{1,2}, i64[3]")
                      .refuses("C4", "f32[2,3], f32[2]");
  r.add_out(copy, "out", kGeneratedForm).sample("f32[2,3]{1,2}, i64[3], out=f32[0]");
  OpEntry& slice_scatter = r.add(kSliceScatter)
                               .tag(Tag::Core)
                               .with_rule(slice_rule)
                               .every_device(run_slice)
                               .devices(devices(4, false))
                               .sample("f32[5,4], f64[2,4], 0, 1, 4, 2", 0, 3)
                               .refuses("C1", "f32[], f32[], 0, 0, 1")
                               .refuses("C2", "f32[5], f32[4], 0, 0, 4, 0")
                               .refuses("C4", "f32[5,4], f32[1,4], 0, 1, 4, 2");
  r.add_out(slice_scatter, "out", kGeneratedForm).sample("f32[5,4], f32[2,4], 0, 1, 4, 2, out=f32[0]");
  OpEntry& select_scatter = r.add(kSelectScatter)
                                .tag(Tag::Core)
                                .with_rule(select_rule)
                                .every_device(run_select)
                                .devices(devices(2, false))
                                .sample("f32[2,3,4], f32[2,4], 1, -1")
                                .refuses("C1", "f32[], f32[], 0, 0")
                                .refuses("C2", "f32[2,3], f32[3], 0, 2")
                                .refuses("C4", "f32[2,3], f32[1], 0, 1");
  r.add_out(select_scatter, "out", kGeneratedForm).sample("f32[2,3,4], f32[2,4], 1, -1, out=f32[0]");
  OpEntry& diagonal_scatter = r.add(kDiagonalScatter)
                                  .with_rule(diagonal_rule)
                                  .every_device(run_diagonal)
                                  .devices(devices(3, false))
                                  .sample("f32[3,5], f32[3], 1")
                                  .refuses("C1", "f32[2,2], f32[2], 0, 0, 0")
                                  .refuses("C4", "f32[3,5], f32[2], 1");
  OpEntry& as_strided_scatter = r.add(kAsStridedScatter)
                                    .with_rule(as_strided_rule)
                                    .every_device(run_as_strided)
                                    .devices(devices(3, false))
                                    .sample("f32[6], f32[2,2], [2, 2], [3, 1], 1")
                                    .refuses("C3", "f32[4], f32[5], [5], [1]")
                                    .refuses("C4", "f32[4], f32[1], [2], [1]")
                                    .refuses("C5", "f32[4], f32[2], [2], [0]");
  count_writes(as_strided_scatter, count_strided);
  r.add_out(as_strided_scatter, "out", kGeneratedForm);
  r.add_out(diagonal_scatter, "out", kGeneratedForm).sample("f32[3,5], f32[3], 1, out=f32[0]");
}

}  // namespace ersatz::op_view_scatter
