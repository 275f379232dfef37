#include "kernels/indexing/embedding_bag.h"

#include "kernels/shape/functional_forms.h"
#include "runtime/op/composite.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_embedding_bag {

Kernel run_forward_cpu, run_backward_cpu, run_weights_backward_cpu;

namespace {

constexpr DTypeSet kIndices{DType::I32, DType::I64};

/// Checks the dtypes of the index tensors. RETURNS: the wider dtype.
DType index_dtype(const RuleCall& call, const TensorMeta& indices, const TensorMeta& offsets) {
  const DType common = promote_types(indices.dtype, offsets.dtype);
  call.require(kIndices.has(common), "C2", "indices and offsets must be i32 or i64 together: they are {} and {}",
               indices, offsets);
  return common;
}

/// Does ATen compute the sum by its fast path, which does not compute offset2bag?
bool fast_sum(const RuleCall& call, const TensorMeta& weight) {
  const Position of_samples = kForwards["per_sample_weights"];
  const int64_t mode = call.integer(kForwards["mode"]);
  return mode == kBagSum && goes_bag_by_bag(weight, call.has(of_samples) ? &call.meta(of_samples) : nullptr, mode,
                                            call.integer(kForwards["padding_idx"]));
}

void forward_rule(RuleCall& call) {
  const TensorMeta &weight = call.meta(kForwards["weight"]), &indices = call.meta(kForwards["indices"]),
                   &offsets = call.meta(kForwards["offsets"]);
  call.require(weight.dim() == 2 && indices.dim() == 1 && offsets.dim() == 1, "C1",
               "expects weight [rows, features], indices and offsets of one dim: they are {}, {} and {}", weight,
               indices, offsets);
  const DType index = index_dtype(call, indices, offsets);
  call.require(kFloats.has(weight.dtype), "C2", "weight must be a float: it is {}", weight);
  const int64_t mode = call.integer(kForwards["mode"]);
  call.require(mode >= kBagSum && mode <= kBagMax, "C3", "mode must be 0, 1 or 2: it is {}", mode);
  if (call.has(kForwards["per_sample_weights"])) {
    const TensorMeta& w = call.meta(kForwards["per_sample_weights"]);
    call.require(mode == kBagSum && w.dtype == weight.dtype && w.dim() == 1 && check_eq(w.sizes[0], indices.sizes[0]),
                 "C3",
                 "per_sample_weights go with a sum and fit weight and indices: mode is {}, they are {}, {} and {}",
                 mode, w, weight, indices);
  }
  for (const TensorMeta* t : {&indices, &offsets}) {
    const bool apart = !call.device.is_cpu() || t->dtype != index || size_ne(t->strides[0], 0);
    call.require(apart || check_le(t->sizes[0], 1), "C7", "indices and offsets must not be expanded: one is {}", *t);
  }
  SymInt bags = offsets.sizes[0];
  if (call.boolean(kForwards["include_last_offset"])) {
    call.require(check_ge(bags, 1), "C4", "the last offset must be there: offsets is {}", offsets);
    bags = bags - 1;
  }
  const auto add = [&](DType dtype, const DimVec& sizes) { call.out.fresh(TensorMeta(dtype, sizes, call.device)); };
  const DimVec whole{bags, weight.sizes[1]}, none{SymInt(0)};
  const bool cuda = call.device.is_cuda();
  add(weight.dtype, whole);
  add(index, !cuda && fast_sum(call, weight) ? none : DimVec{indices.sizes[0]});
  // bag_size of `_embedding_bag_forward_only` has an element for the last offset too.
  const bool by_offset = cuda || (mode == kBagSum && call.op.base() == "_embedding_bag_forward_only");
  const DimVec sizes{by_offset ? offsets.sizes[0] : bags};
  add(index, sizes);
  add(index, mode == kBagMax ? whole : cuda ? none : sizes);
}

void require_row_major(const RuleCall& call, std::initializer_list<Position> positions) {
  for (const Position i : positions)
    call.require(is_contiguous(call.meta(i)), "C6", "{} must be row-major: it is {}", call.op.schema.arguments[i].name,
                 call.meta(i));
}

void backward_rule(RuleCall& call) {
  static constexpr auto& k = kBackward;
  const TensorMeta &grad = call.meta(k["grad"]), &indices = call.meta(k["indices"]), &offsets = call.meta(k["offsets"]),
                   &bags = call.meta(k["offset2bag"]);
  call.require_index(grad.dim() == 2 && indices.dim() == 1, "C1",
                     "expects grad [bags, features] and indices of one dim: they are {} and {}", grad, indices);
  index_dtype(call, indices, offsets);
  const int64_t mode = call.integer(k["mode"]);
  call.require(mode >= kBagSum && mode <= kBagMax, "C3", "mode must be 0, 1 or 2: it is {}", mode);
  require_row_major(call, {k["indices"], k["offsets"], k["offset2bag"]});
  const bool reads = mode != kBagMax && !size_eq(indices.numel(), 0);
  if (reads) {
    call.require(bags.dim() > 0, "C6", "offset2bag must have a dim: it is {}", bags);
    call.require_index(bags.dim() == 1, "C6", "offset2bag must have one dim: it is {}", bags);
    call.require_index(size_eq(bags.numel(), 0) || check_le(indices.sizes[0], bags.sizes[0]), "C6",
                       "offset2bag must be empty or have an element for each index, {}: it is {}", indices, bags);
  }
  call.require(!call.boolean(k["sparse"]), "C6", "sparse gradients are not supported: leave sparse out");
  call.require(kFloats.has(grad.dtype), "C2", "grad must be a float: it is {}", grad);
  if (call.has(k["per_sample_weights"]) && mode != kBagMax) {
    const TensorMeta& w = call.meta(k["per_sample_weights"]);
    call.require_index(!reads || w.dim() == 1, "C3", "per_sample_weights must have one dim: they are {}", w);
    call.require_index(!reads || check_le(indices.sizes[0], w.sizes[0]), "C3",
                       "per_sample_weights must have an element for each index: they are {} and {}", w, indices);
    call.require(w.dtype == grad.dtype && (!reads || mode == kBagSum), "C3",
                 "per_sample_weights go with a sum and have the dtype of grad: mode is {}, they are {} and {}", mode, w,
                 grad);
  }
  // For the maximum, CUDA's kernel recognises empty bags by negative maximum_indices, so it does not read bag_size.
  const bool unsized = mode == kBagMax ? call.device.is_cuda() : mode == kBagSum || !reads;
  const bool sized = unsized || check_ge(call.meta(k["bag_size"]).numel(), grad.sizes[0]);
  call.require(sized && (mode != kBagMax || check_ge(call.meta(k["maximum_indices"]).numel(), grad.numel())), "C6",
               "bag_size and maximum_indices must have what the forward op gave for grad {}: they are {} and {}", grad,
               call.meta(k["bag_size"]), call.meta(k["maximum_indices"]));
  call.require(check_ge(call.sym(k["num_weights"]), 0), "C6", "num_weights must not be negative: it is {}",
               call.sym(k["num_weights"]));
  call.out.fresh(TensorMeta(grad.dtype, DimVec{call.sym(k["num_weights"]), grad.sizes[1]}, call.device));
}

Tensor row_major(const CompositeCall& call, Position at) {
  return call_op<"aten.contiguous.default">(call.tensor(at), MemoryFormat::Contiguous);
}

void dense_backward(CompositeCall& call) {
  static constexpr auto& k = kDenseBackward;
  const TensorMeta &indices = call.meta(k["indices"]), &bags = call.meta(k["offset2bag"]);
  const int64_t mode = call.integer(k["mode"]);
  call.require(mode >= kBagSum && mode <= kBagMax, "C3", "mode must be 0, 1 or 2: it is {}", mode);
  if (mode == kBagMax) {
    const TensorMeta& best = call.meta(k["maximum_indices"]);
    call.require_index(best.dim() == 2, "C6", "maximum_indices must have two dims: it is {}", best);
  } else {
    call.require_index(check_ge(bags.numel(), indices.numel()), "C6",
                       "offset2bag must have an element for each index, {}: it is {}", indices, bags);
    call.require(bags.dtype == indices.dtype && call.meta(k["bag_size"]).dtype == indices.dtype, "C2",
                 "indices, offset2bag and bag_size must have one dtype: they are {}, {} and {}", indices, bags,
                 call.meta(k["bag_size"]));
  }
  const Tensor of_index = row_major(call, mode == kBagMax ? k["indices"] : k["offset2bag"]);
  call.returns(call_op<"aten._embedding_bag_backward.default">(
      call[k["grad"]], row_major(call, k["indices"]), of_index, of_index, call[k["bag_size"]],
      call[k["maximum_indices"]], call[k["num_weights"]], call[k["scale_grad_by_freq"]], call[k["mode"]], false,
      call[k["per_sample_weights"]], call[k["padding_idx"]]));
}

void weights_backward_rule(RuleCall& call) {
  static constexpr auto& k = kWeightsBackward;
  const TensorMeta &grad = call.meta(k["grad"]), &weight = call.meta(k["weight"]), &indices = call.meta(k["indices"]),
                   &bags = call.meta(k["offset2bag"]);
  call.require(call.integer(k["mode"]) == kBagSum, "C3", "mode must be 0: it is {}", call.integer(k["mode"]));
  call.require(grad.dim() == 2 && weight.dim() == 2 && check_eq(weight.sizes[1], grad.sizes[1]) && indices.dim() == 1,
               "C1",
               "expects grad [bags, features], weight [rows, features], indices of one dim: they are {}, {} and {}",
               grad, weight, indices);
  index_dtype(call, indices, call.meta(k["offsets"]));
  require_row_major(call, {k["indices"], k["offset2bag"]});
  call.require(size_eq(bags.numel(), 0) || check_le(indices.sizes[0], bags.numel()), "C6",
               "offset2bag must be empty or have an element for each index, {}: it is {}", indices, bags);
  call.require(weight.dtype == grad.dtype, "C2", "grad must have the dtype of weight: they are {} and {}", grad,
               weight);
  call.require_dtype(weight.dtype, kFloats);
  call.out.fresh(TensorMeta(grad.dtype, DimVec{indices.sizes[0]}, call.device));
}

void bag(CompositeCall& call, Value padding) {
  const auto graded = [&](Position i) { return call.has(i) && call.meta(i).requires_grad; };
  const OpEntry& forward = graded(kBag["weight"]) || graded(kBag["per_sample_weights"])
                               ? op_entry<"aten._embedding_bag.default">()
                               : op_entry<"aten._embedding_bag_forward_only.default">();
  for (Value& v :
       call_op_all(forward, call[kBag["weight"]], row_major(call, kBag["indices"]), row_major(call, kBag["offsets"]),
                   call[kBag["scale_grad_by_freq"]], call[kBag["mode"]], call[kBag["sparse"]],
                   call[kBag["per_sample_weights"]], call[kBag["include_last_offset"]], padding))
    call.returns(std::move(v));
}
void run_bag(CompositeCall& call) { bag(call, Value(int64_t{-1})); }
void run_bag_padding(CompositeCall& call) {
  Value padding(int64_t{-1});
  if (call.has(kBagPadding["padding_idx"])) {
    const TensorMeta& weight = call.meta(kBagPadding["weight"]);
    call.require_index(weight.dim() > 0, "C1", "weight must have dims: it is {}", weight);
    const int64_t given = call.integer(kBagPadding["padding_idx"]), rows = weight.sizes[0].guard_int();
    call.require(given >= -rows && given < rows, "C5", "padding_idx must be one of {} rows: it is {}", rows, given);
    padding = Value(given < 0 ? given + rows : given);
  }
  bag(call, padding);
}

std::optional<SymInt> flops(RuleCall& call, const RuleResult&) {
  return call.meta(kForwards["indices"]).numel() * call.meta(kForwards["weight"]).sizes[1];
}

}  // namespace

void register_ops(Registry& r) {
  constexpr Tags kTags = Tag::FailsOnValues | kSavedByDevice | kSavedValuesByDevice;
  for (const Schema* schema : {static_cast<const Schema*>(&kForward), static_cast<const Schema*>(&kForwardOnly)}) {
    OpEntry& op = r.add(*schema)
                      .tag(kTags)
                      .with_rule(forward_rule)
                      .cpu(run_forward_cpu)
                      .dtypes(kFloats)
                      .count_flops(flops)
                      .with_index_domain({.argument = 1, .of = 0, .dim = 0})
                      .sample("f32[3,2], i64[4], i64[1]", 0, 0)
                      .sample("f64[3,2], i64[4], i32[1], False, 2", 0, 0)
                      .sample("f32[3,2], i64[4], i64[1], False, 1, padding_idx=2", 0, 0)
                      .refuses("C1", "f32[3], i64[4], i64[1]")
                      .refuses("C2", "i64[3,2], i64[4], i64[1]")
                      .refuses("C3", "f32[3,2], i64[4], i64[1], False, 3")
                      .refuses("C4", "f32[3,2], i64[4], i64[0], include_last_offset=True")
                      .refuses("C7", "f32[3,2], i64[4]{0}, i64[1]");
    if (schema != &kForward) continue;
    op.tag(Tag::Core);
    r.add_out(op, "out", kGeneratedForm, {"out0", "out1", "out2", "out3"});
  }
  r.add(kBag).tag(kTags).with_composite(run_bag).sample("f32[3,2], i64[4], i64[1]", 0, 0);
  r.add(kBagPadding)
      .tag(kTags)
      .with_composite(run_bag_padding)
      .sample("f32[3,2], i64[4], i64[1], False, 1, False, None, False, -1", 0, 0)
      .refuses("C5", "f32[3,2], i64[4], i64[1], False, 1, False, None, False, 3");
  r.add(kBackward)
      .tag(Tag::FailsOnValues)
      .with_rule(backward_rule)
      .cpu(run_backward_cpu)
      .dtypes(kFloats)
      .sample("f32[1,2], i64[4], i64[1], i64[0], i64[1], i64[1], 3, True, 0, False, None", 0, 0)
      .refuses("C1", "f32[2], i64[4], i64[1], i64[0], i64[1], i64[1], 3, True, 0, False, None")
      .refuses("C2", "i64[1,2], i64[4], i64[1], i64[0], i64[1], i64[1], 3, True, 0, False, None")
      .refuses("C3", "f32[1,2], i64[4], i64[1], i64[0], i64[1], i64[1], 3, True, 3, False, None")
      .refuses("C6", "f32[1,2], i64[4], i64[1], i64[0], i64[1], i64[1], 3, True, 0, True, None")
      .refuses("C6", "f32[2,2], i64[4], i64[1], i64[0], i64[1], i64[1], 3, True, 1, False, None")
      .refuses("C6", "f32[1,2], i64[4], i64[1], i64[0], i64[1], i64[1], 3, True, 2, False, None");
  OpEntry& dense = r.add(kDenseBackward)
                       .tag(Tag::FailsOnValues)
                       .made_of(dense_backward)
                       .sample("f32[1,2], i64[4], i64[4], i64[1], i64[1], 3, True, 0, None", 0, 0)
                       .sample("f64[2,2], i64[4], i64[4], i64[2], i64[2,2], 3, False, 2, None", 1, 1)
                       .refuses("C2", "f32[1,2], i64[4], i32[4], i64[1], i64[1], 3, True, 0, None")
                       .refuses("C3", "f32[1,2], i64[4], i64[4], i64[1], i64[1], 3, True, 3, None")
                       .refuses("C6", "f32[1,2], i64[4], i64[3], i64[1], i64[1], 3, True, 0, None")
                       .refuses("C6", "f32[1,2], i64[4], i64[4], i64[1], i64[2], 3, True, 2, None");
  add_written_apart(r, dense, "out")
      .sample("f32[1,2], i64[4], i64[4], i64[1], i64[1], 3, True, 0, None, out=f32[0]", 0, 0);
  OpEntry& weights = r.add(kWeightsBackward)
                         .tag(Tag::FailsOnValues)
                         .with_rule(weights_backward_rule)
                         .cpu(run_weights_backward_cpu)
                         .dtypes(kFloats)
                         .sample("f32[1,2], f32[3,2], i64[4], i64[1], i64[0], 0", 0, 0)
                         .refuses("C1", "f32[1,2], f32[3,3], i64[4], i64[1], i64[0], 0")
                         .refuses("C2", "f32[1,2], f64[3,2], i64[4], i64[1], i64[0], 0")
                         .refuses("C3", "f32[1,2], f32[3,2], i64[4], i64[1], i64[0], 1")
                         .refuses("C6", "f32[1,2], f32[3,2], i64[4], i64[1], i64[3], 0");
  r.add_out(weights, "out", kGeneratedForm);
}

}  // namespace ersatz::op_embedding_bag
