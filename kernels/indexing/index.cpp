#include "kernels/indexing/index.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "kernels/creation/full.h"
#include "kernels/indexing/index_plan.h"
#include "kernels/own_dtype.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/output_meta.h"
#include "runtime/op/behind_values.h"
#include "runtime/op/checked_out.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/moves_tag.h"
#include "runtime/op/write_count.h"
#include "runtime/op/written_memory.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_index {

Kernel index_cpu;
ReturningKernel index_masked_cpu;
Kernel index_put_cpu;

namespace {

bool is_mask(const TensorMeta& t) { return t.dtype == DType::Bool || t.dtype == DType::U8; }

/// Returns the length to which the position vectors of several masks broadcast; a vector of length 1 broadcasts too.
/// Returns nullopt if there are fewer than two masks, or if the data are not known.
std::optional<SymInt> positions_together(const RuleCall& call, std::span<const Value> list) {
  SymInt most = 0;
  int masks = 0;
  for (const Value& v : list) {
    if (v.is_none() || !is_mask(v.tensor_impl()->meta) || v.tensor_impl()->meta.dim() == 0) continue;
    most = sym_max(most, v.tensor_impl()->meta.numel());
    ++masks;
  }
  return masks > 1 ? call.size_of_data({.max = most}) : std::nullopt;
}

/// Stores the metadata of the index list in `indices`. Each mask is replaced by position vectors, one for each dim of
/// the mask. `length(mask)` is the length of these vectors. RETURNS: false if `length` returns nullopt. REQUIRES:
/// elements of the container `vectors` do not move.
template <class Length>
bool put_positions(std::span<const Value> list, Length&& length, std::deque<TensorMeta>& vectors, IndexMetas& indices) {
  indices.clear();
  for (const Value& v : list) {
    TensorImpl* index = v.is_none() ? nullptr : v.tensor_impl();
    if (!index || !is_mask(index->meta)) {
      indices.push_back(index ? &index->meta : nullptr);
      continue;
    }
    if (index->meta.dim() == 0) continue;
    const std::optional<SymInt> n = length(index);
    if (!n) return false;
    for (int64_t d = 0; d < index->meta.dim(); ++d)
      indices.push_back(&vectors.emplace_back(TensorMeta(DType::I64, std::span(&*n, 1), index->meta.device)));
  }
  return true;
}

/// Calls put_positions with lengths that depend on data. RETURNS: false if the data are not known.
bool find_positions(const RuleCall& call, std::deque<TensorMeta>& vectors, IndexMetas& indices) {
  const std::span<const Value> list = call.list(kReads["indices"]);
  const std::optional<SymInt> together = positions_together(call, list);
  const auto length = [&](TensorImpl* mask) {
    return together ? together : call.size_of_data({.max = mask->meta.numel(), .memo = MemoSlot::Nonzero, .of = mask});
  };
  return put_positions(list, length, vectors, indices);
}

/// Do the values of the masks decide whether the masks' positions broadcast with each other and with the other indices?
/// RAISES: an error if the positions do not broadcast for any values.
bool fits_by_values(const RuleCall& call, const TensorMeta& self, std::span<const Value> list) {
  std::optional<Error> misfit;
  bool fits = false;
  // The lengths 0, 1 and the maximum suffice: they show whether some length broadcasts, and whether some length does
  // not.
  const auto length_of = [](const TensorImpl* mask, int choice) {
    const SymInt all = mask->meta.numel();
    return choice == 0 ? SymInt(0) : choice == 1 ? sym_min(all, 1) : all;
  };
  for (int first = 0; first < 3; ++first) {
    for (int others = 0; others < 3; ++others) {
      std::deque<TensorMeta> vectors;
      IndexMetas indices;
      bool is_first = true;
      const auto length = [&](const TensorImpl* mask) {
        return std::optional(length_of(mask, std::exchange(is_first, false) ? first : others));
      };
      put_positions(list, length, vectors, indices);
      try {
        plan_indices(call, self, indices);
        fits = true;
      } catch (const Error& e) {
        if (e.family != ErrorFamily::Index) throw;
        misfit = e;
      }
    }
  }
  if (misfit && !fits) throw *misfit;
  return misfit.has_value();
}

/// Does the index select along a dim of self? None and 0-d masks do not.
bool stands_for_dims(const TensorMeta* index) { return index && (index->dim() > 0 || !is_mask(*index)); }

void index_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kReads["self"]);
  IndexMetas indices = index_metas(call.list(kReads["indices"]));
  IndexPlan plan = plan_indices(call, self, indices);
  // plan_indices accepts this list only for an empty self
  if (std::none_of(indices.begin(), indices.end(), stands_for_dims)) {
    call.out.fresh(TensorMeta(self.dtype, self.sizes, self.device));
    return;
  }
  std::deque<TensorMeta> vectors;
  if (plan.has_mask) {
    if (!find_positions(call, vectors, indices)) return;
    plan = plan_indices(call, self, indices);
  }
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = self.device;
  set_picked_layout(plan, self, indices, out);
}

void unsafe_index_rule(RuleCall& call) {
  for (const Value& v : call.list(kUnsafeIndexTensor["indices"])) {
    const bool number =
        v.is_none() || v.tensor_impl()->meta.dtype == DType::I64 || v.tensor_impl()->meta.dtype == DType::I32;
    call.require(number, "C6", "indices must be i64 or i32: {}", v.is_none() ? TensorMeta() : v.tensor_impl()->meta);
  }
  index_rule(call);
}

void index_out_rule(RuleCall& call) {
  // ATen checks the number of indices first, then `out` (even if `out` will be resized), then each index.
  const TensorMeta& self = call.meta(kIndexTensorOut["self"]);
  const size_t indices = call.list(kIndexTensorOut["indices"]).size();
  call.require_index(indices > 0, "C2", "at least one index must be a tensor that stands for a dim: self is {}", self);
  require_dims_for(call, indices, self);
  require_own_dtype(call, kIndexTensorOut["out"], self.dtype);
  const WrittenForm form{.apart = true};
  const std::span<const Value> inputs = call.args.first(kIndexTensorOut["out"]);
  require_no_overlap(call, call.tensor(kIndexTensorOut["out"]), inputs, form);
  RuleResult result;
  RuleCall functional = call.with(inputs, result);
  index_rule(functional);
  if (result.outputs.empty()) return;  // the sizes of the result depend on values
  answer_checked_out(call, result.outputs[0].meta, kIndexTensorOut["out"], form);
}

/// Requires that values are on self's device or are a 0-d CPU tensor.
void check_values_device(const RuleCall& call, const TensorMeta& self, const TensorMeta& values) {
  if (values.device == self.device || (values.device.is_cpu() && values.dim() == 0)) return;
  const std::string_view op = call.op.base();
  Error e(ErrorKind::DeviceMismatch, ErrorFamily::Runtime,
          fmt::format("{}: values must be on the device of self: {} and {} [{}.device]", op, values, self, op));
  e.label = fmt::format("{}.device", op);
  e.argument = 2;
  e.suggestion = fmt::format("move argument 2 to {}", to_string(self.device));
  throw e;
}

/// Does the call write a single value, from a CPU tensor, to all selected elements?
bool fills(const RuleCall& call) {
  const TensorMeta& values = call.meta(kWrites["values"]);
  return !call.boolean(kWrites["accumulate"]) && values.device.is_cpu() && size_eq(values.numel(), 1);
}

/// Returns the mask if the call writes a single value and its list has no other index. Else returns null.
const TensorMeta* filled_mask(const RuleCall& call) {
  const TensorMeta* mask = nullptr;
  for (const TensorMeta* index : index_metas(call.list(kWrites["indices"]))) {
    if (!index) continue;
    if (mask || !is_mask(*index)) return nullptr;
    mask = index;
  }
  return mask && fills(call) ? mask : nullptr;
}

/// If the call is a masked_fill in ATen, ATen checks the mask before it checks for shared memory. The mask must have
/// the sizes of the dims of self that it indexes, and must be the first index that is not None.
void check_first_mask(const RuleCall& call, const TensorMeta& self) {
  IndexMetas indices = index_metas(call.list(kWrites["indices"]));
  size_t first = 0;
  while (first < indices.size() && !indices[first]) ++first;
  if (first == indices.size() || !is_mask(*indices[first]) || indices[first]->dim() == 0 || !fills(call)) return;
  indices.resize(first + 1);
  plan_indices(call, self, indices);
}

void check_values(const RuleCall& call) {
  const TensorMeta &self = call.meta(kWrites["self"]), &values = call.meta(kWrites["values"]);
  const TensorMeta* mask = filled_mask(call);
  if (mask && mask->dim() == 0 && self.dim() > 0)
    call.not_modelled("index_put at one mask without dims: use masked_fill");
  const IndexMetas indices = index_metas(call.list(kWrites["indices"]));
  const IndexPlan plan = plan_indices(call, self, indices);
  // If the list has no index besides a mask, ATen calls masked_fill. ATen looks for the mask even if the list has no
  // index at all.
  const bool no_index = std::none_of(indices.begin(), indices.end(), [](const TensorMeta* i) { return i != nullptr; });
  call.require(!no_index || !fills(call), "C2", "one value cannot be put without an index: self is {}", self);
  if (mask) {
    call.require(mask->dtype == DType::Bool, "C1", "the mask of one value must be bool: it is {}", *mask);
    return;
  }
  const auto require_dtype = [&] {
    call.require(values.dtype == self.dtype, "C6", "values must have the dtype of self: {} and {}", values, self);
  };
  // ATen converts masks to positions before it checks the dtype of values.
  if (values.dtype != self.dtype && plan.has_mask && fits_by_values(call, self, call.list(kWrites["indices"]))) {
    check_behind_values(call.op.base(), ErrorFamily::Index, require_dtype);
  }
  require_dtype();
  check_values_device(call, self, values);
  call.require(plan.has_mask || broadcasts_to(values.sizes, plan.sizes), "C7",
               "values must broadcast to what the indices pick, {}: {}", plan.sizes, values);
}

void index_put_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kIndexPut, kUnsafeIndexPut};
  check_values(call);
  const TensorMeta& self = call.meta(kArgs["self"]);
  answer_like(call, self);
}

void index_put_inplace_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kIndexPutInplace, kIndexPutImplInplace};
  TensorImpl* self = call.tensor(kArgs["self"]);
  // For a single value and a mask, ATen calls masked_fill. The mask is therefore checked first, and may be self.
  const bool filled = filled_mask(call) != nullptr;
  if (filled) check_values(call);
  require_dims_for(call, call.list(kArgs["indices"]).size(), self->meta);
  check_first_mask(call, self->meta);
  const auto require_apart = [&](const TensorImpl* t) {
    if (t->storage != self->storage) return;
    const SharedMemory shared = t == self ? SharedMemory::Full : shared_memory(t->meta, self->meta, true);
    call.require(shared != SharedMemory::Partial && (filled || shared != SharedMemory::Full), "C8",
                 "self shares memory with an index or with the values, clone it first: {} and {}", t->meta, self->meta);
  };
  for_each_tensor(call.list(kArgs["indices"]), require_apart);
  require_apart(call.tensor(kArgs["values"]));
  if (!filled) check_values(call);
  call.out.same(self);
}

std::vector<Value> boxed(std::span<const std::optional<Tensor>> indices) {
  std::vector<Value> values;
  for (const std::optional<Tensor>& t : indices) values.push_back(t ? Value::borrow(*t) : Value());
  return values;
}

constexpr IndexDomain kPositions{kIndexTensor["indices"], kIndexTensor["self"], IndexDomain::kPosition};

/// Returns the number of writes to each element: index_put adds ones at the indices. If the call itself accumulates,
/// returns an undefined tensor, because the order of additions does not matter.
Tensor count_put(std::span<const Value> args) {
  if (args[kIndexPut["accumulate"]].as_bool()) return {};
  const Tensor self = args[kIndexPut["self"]].tensor();
  Value indices = args[kIndexPut["indices"]].borrowed();
  return call_op<"aten.index_put.default">(ops::zeros(self.sizes()), args[kIndexPut["indices"]].as_list(),
                                           ops::ones({}), true);
}

}  // namespace

void register_ops(Registry& r) {
  const auto devices = [](size_t n) {
    std::vector<DeviceRule> rules(n, DeviceRule::Any);
    rules[0] = DeviceRule::Same;
    return rules;
  };
  r.add(kIndexTensor)
      .tag(Tag::DataDependent | Tag::FailsOnValues | Tag::Core | kMovesEveryDType)
      .with_rule(index_rule)
      .cpu(index_cpu)
      .cpu_returns(index_masked_cpu)
      .devices(devices(2))
      .with_index_domain(kPositions)
      .sample("f32[4,3,5], [None, i64[2]]", 0, 2)
      .sample("f32[4,3,5]{1,4,12}, [i64[2,1], None, i32[3]]", 0, 3)
      .sample("f32[4,3], [bool[4]]", 0, 1)
      .refuses("C1", "f32[4], [f32[2]]")
      .refuses("C2", "f32[4], [i64[2], i64[2]]")
      .refuses("C3", "f32[4], [bool[3]]")
      .refuses("C4", "f32[4,4], [i64[2], i64[3]]")
      .refuses("C5", "f32[0], [i64[2]]");
  r.add(kIndexTensorOut)
      .tag(Tag::DataDependent | Tag::FailsOnValues | kMovesEveryDType)
      .with_rule(index_out_rule)
      .cpu(index_cpu)
      .cpu_returns(index_masked_cpu)
      .devices(devices(3))
      .with_index_domain(kPositions)
      .sample("f32[4,3,5], [None, i64[2]], out=f32[0]", 0, 2)
      .sample("f32[4,3], [bool[4]], out=f32[0]", 0, 1);
  r.add(kUnsafeIndexTensor)
      .tag(Tag::FailsOnValues)
      .with_rule(unsafe_index_rule)
      .cpu(index_cpu)
      .devices(devices(2))
      .with_index_domain(kPositions)
      .sample("f32[4,3,5], [None, i64[2]]", 0, 2)
      .refuses("C6", "f32[4], [bool[4]]");
  for (const Schema& schema : {kIndexPut, kUnsafeIndexPut, kIndexPutInplace, kIndexPutImplInplace}) {
    OpEntry& op = r.add(schema);
    const bool inplace = op.schema.is_mutable();
    op.tag(Tag::FailsOnValues)
        .with_rule(inplace ? index_put_inplace_rule : index_put_rule)
        .cpu(index_put_cpu)
        .devices(devices(op.schema.arguments.size()))
        .with_index_domain(kPositions)
        // values has one value for each row, so the order of the writes to a row does not matter
        .sample("f32[4,3], [None, i64[2]], f32[4,1]", 0, 2)
        .sample("f32[5,4], [i64[6]], f32[], True", 0, 3)
        .refuses("C6", "f32[4], [i64[2]], f64[2]")
        .refuses("C7", "f32[4], [i64[2]], f32[3]");
    count_writes(op, count_put);
  }
  r.find_mutable("aten.index_put.default")
      ->tag(Tag::Core)
      .sample("f32[4], [bool[4]], f32[]", 0, 1)
      .refuses("C1", "f32[4], [f32[2]], f32[2]");
  r.find_mutable("aten.index_put_.default")->refuses("C8", "f32[4], [i64[4]], f32[4] ~in0");
  r.add_out(*r.find("aten.index_put.default"), "out", kGeneratedForm)
      .sample("f32[4,3], [None, i64[2]], f32[4,1], out=f32[0]", 0, 2);
}

}  // namespace ersatz::op_index

namespace ersatz::ops {

Tensor index(const Tensor& self, Indices indices) {
  const std::vector<Value> list = op_index::boxed(indices);
  return call_op<"aten.index.Tensor">(self, std::span<const Value>(list));
}
Tensor index_put(const Tensor& self, Indices indices, const Tensor& values, bool accumulate) {
  const std::vector<Value> list = op_index::boxed(indices);
  return call_op<"aten.index_put.default">(self, std::span<const Value>(list), values, accumulate);
}
Tensor index_put_(const Tensor& self, Indices indices, const Tensor& values, bool accumulate) {
  const std::vector<Value> list = op_index::boxed(indices);
  return call_op<"aten.index_put_.default">(self, std::span<const Value>(list), values, accumulate);
}

}  // namespace ersatz::ops
