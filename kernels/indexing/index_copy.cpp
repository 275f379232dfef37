#include "kernels/indexing/index_copy.h"

#include "kernels/creation/full.h"
#include "kernels/indexing/scatter.h"
#include "kernels/indexing/scatter_rule.h"
#include "kernels/no_flops.h"
#include "kernels/own_dtype.h"
#include "kernels/shape/output_meta.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/write_count.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_index_copy {

Kernel copy_cpu, fill_cpu;

namespace {

/// Checks a call (self, dim, index) whose dim has size 0 and whose index is not empty. ATen accepts the call only if
/// another dim has size 0 too. Else it fails when it makes a view of self with one slice for each index. If the memory
/// of self suffices for this view, ATen's kernel raises an IndexError later, after `convert`.
template <class Convert>
void require_slices(const RuleCall& call, int64_t dim, Convert convert) {
  static constexpr Schemas kArgs{kIndexCopy, kIndexFillInt};
  const TensorMeta &self = call.meta(kArgs["self"]), &index = call.meta(kArgs["index"]);
  if (self.dim() == 0 || size_ne(self.sizes[static_cast<size_t>(dim)], 0) || size_eq(index.numel(), 0)) return;
  bool slices = true;
  for (int64_t d = 0; d < self.dim(); ++d) {
    slices = slices && (d == dim || size_ne(self.sizes[static_cast<size_t>(d)], 0));
  }
  // ATen makes a view with one slice for each index. The view is in the memory of self, or of a copy of self, which is
  // empty.
  TensorMeta view = self;
  view.sizes[static_cast<size_t>(dim)] = index.numel();
  view.strides[static_cast<size_t>(dim)] = 0;
  const bool fits = call.op.schema.base.ends_with('_') &&
                    check_le(storage_bytes_needed(view), call.tensor(kArgs["self"])->storage->nbytes());
  constexpr const char* kWords = "nothing can be named in dim {} of size 0: self is {}, index is {}";
  if (fits) {
    convert();
    call.require_index(!slices, "C7", kWords, dim, self, index);
  }
  call.require(!slices, "C7", kWords, dim, self, index);
}

void check_copy(const RuleCall& call) {
  const TensorMeta &self = call.meta(kIndexCopy["self"]), &index = call.meta(kIndexCopy["index"]),
                   &source = call.meta(kIndexCopy["source"]);
  const int64_t dim = call.wrap_dim(call.integer(kIndexCopy["dim"]), self.dim());
  const size_t at = static_cast<size_t>(dim);
  call.require_index(index.dim() <= 1, "C1", "expects an index of at most one dim: index is {}", index);
  const SymInt count = index.numel();
  call.require_index(source.dim() > 0 || check_eq(count, 1), "C3", "a source without dims takes one index: index is {}",
                     index);
  call.require_index(source.dim() == self.dim() || source.dim() == 0 || self.dim() == 0, "C3",
                     "source and self must have equal ranks: {} and {}", source, self);
  call.require(index.dtype == DType::I64, "C1", "expects an i64 index: index is {}", index);
  call.require(self.dtype == source.dtype, "C2", "source must have the dtype of self: {} and {}", source, self);
  DimVec a = self.sizes, b = source.sizes;
  if (!a.empty()) a.erase(at);
  if (!b.empty()) b.erase(at);
  call.require(check_eq(a, b), "C4", "source must have the sizes of self except in dim {}: {} and {}", dim, source,
               self);
  call.require_index(source.dim() == 0 || check_eq(count, source.sizes[at]), "C3",
                     "as many indices as source has slices: index is {}, source is {}", index, source);
  require_slices(call, dim, [] {});
}

void copy_rule(RuleCall& call) {
  check_copy(call);
  answer_scattered(call);
}
// ATen checks the dim first, then the written tensor, then the other arguments.
void copy_inplace_rule(RuleCall& call) {
  call.wrap_dim(call.integer(kIndexCopy["dim"]), call.meta(kIndexCopy["self"]).dim());
  answer_scattered_inplace(call);
  check_copy(call);
}
void copy_out_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kIndexCopy["self"]);
  call.wrap_dim(call.integer(kIndexCopy["dim"]), self.dim());
  require_own_dtype(call, kIndexCopy.out(), self.dtype);
  if (same_sizes(self.sizes, call.meta(kIndexCopy.out()).sizes)) {
    require_writes_apart(call, kIndexCopy.out());
  } else {
    TensorMeta resized = call.meta(kIndexCopy.out());
    resized.sizes = self.sizes;
    resized.strides = contiguous_strides(self.sizes);
    for (const Position input : {kIndexCopy["index"], kIndexCopy["source"]})
      require_memory_apart(call, input, kIndexCopy.out(), resized);
  }
  scattered_out_rule(call);
}

/// Returns the number of writes to each element: index_add adds ones at the indices.
Tensor count_copied(std::span<const Value> args) {
  const Tensor self = args[kIndexCopy["self"]].tensor(), source = args[kIndexCopy["source"]].tensor();
  return ops::index_add(ops::zeros(self.sizes()), args[kIndexCopy["dim"]].as_int().as_int(),
                        args[kIndexCopy["index"]].tensor(), ops::ones(source.sizes()));
}

/// Requires [index_fill_.C6].
void require_index_apart(const RuleCall& call, const TensorImpl* self, const TensorImpl* index) {
  const auto shared = [&] { return index == self ? SharedMemory::Full : shared_memory(index->meta, self->meta, true); };
  call.require(index->storage != self->storage || shared() == SharedMemory::No || shared() == SharedMemory::TooHard,
               "C6", "self shares memory with the index, clone it first: {} and {}", self->meta, index->meta);
}

void check_fill(const RuleCall& call, bool in_place = false) {
  const TensorImpl* impl = call.tensor(kIndexFillInt["self"]);
  const TensorMeta &self = impl->meta, &index = call.meta(kIndexFillInt["index"]);
  if (call.is_tensor(kIndexFillInt["value"])) {
    call.require(call.meta(kIndexFillInt["value"]).dim() == 0, "C4", "expects a value without dims: value is {}",
                 call.meta(kIndexFillInt["value"]));
  }
  call.require_index(index.dtype == DType::I64, "C1", "expects an i64 index: index is {}", index);
  const bool complex_value = call.is_tensor(kIndexFillInt["value"])
                                 ? is_complex(call.meta(kIndexFillInt["value"]).dtype)
                                 : call.scalar(kIndexFillInt["value"]).is_complex();
  call.require(is_complex(self.dtype) || !complex_value, "C5", "a complex value cannot be written to {}", self);
  if (in_place) require_index_apart(call, impl, call.tensor(kIndexFillInt["index"]));
  const int64_t dim = call.wrap_dim(call.integer(kIndexFillInt["dim"]), self.dim());
  call.require(index.dim() <= 1, "C1", "expects an index of at most one dim: index is {}", index);
  const auto convert = [&] {
    if (!call.is_tensor(kIndexFillInt["value"]))
      require_written_number(call, call.scalar(kIndexFillInt["value"]), self, "C3");
  };
  require_slices(call, dim, convert);
  convert();
}

void fill_rule(RuleCall& call) {
  check_fill(call);
  const TensorMeta& self = call.meta(kIndexFillInt["self"]);
  answer_like(call, self);
}
void fill_inplace_rule(RuleCall& call) {
  check_fill(call, true);
  call.out.same(call.tensor(kIndexFillInt["self"]));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& copy = r.add(kIndexCopy)
                      .tag(Tag::FailsOnValues)
                      .with_rule(copy_rule)
                      .count_flops(no_flops)
                      .cpu(copy_cpu)
                      .with_index_domain({kIndexCopy["index"], kIndexCopy["self"], kIndexCopy["dim"], true})
                      .sample("f32[1,3], 0, i64[1], f32[1,3]", 0, 0)
                      .sample("i64[3,2]{1,3}, 1, i64[0], i64[3,0]")
                      .refuses("C1", "f32[4], 0, i32[2], f32[2]")
                      .refuses("C2", "f32[4], 0, i64[2], f64[2]")
                      .refuses("C3", "f32[4], 0, i64[2], f32[3]")
                      .refuses("C4", "f32[4,3], 0, i64[2], f32[2,2]")
                      .refuses("C7", "f32[0], 0, i64[2], f32[2]");
  count_writes(copy, count_copied);
  r.add_inplace(copy)
      .with_rule(copy_inplace_rule)
      .cpu(copy_cpu)
      .sample("f32[1,3], 0, i64[1], f32[1,3]", 0, 0)
      .refuses("C6", "f32[4], 0, i64[4], f32[4] ~in0");
  r.add_out(copy, "out").with_rule(copy_out_rule);
  for (bool tensor : {false, true}) {
    const char *kind = tensor ? "Tensor" : "Scalar", *value = tensor ? "f32[]" : "1.5";
    OpEntry& fill = r.add(kIndexFillInt.with(kind))
                        .tag(Tag::FailsOnValues)
                        .with_rule(fill_rule)
                        .count_flops(no_flops)
                        .cpu(fill_cpu)
                        .with_index_domain({kIndexFillInt["index"], kIndexFillInt["self"], kIndexFillInt["dim"], true})
                        .devices({DeviceRule::Same, DeviceRule::Any, DeviceRule::Same, DeviceRule::CpuScalarOk})
                        .sample(fmt::format("f32[4,3]{{1,4}}, 0, i64[2], {}", value), 0, 3)
                        .sample(fmt::format("f32[], 0, i64[1], {}", value), 0, 0)
                        .refuses("C1", fmt::format("f32[4], 0, i32[2], {}", value))
                        .refuses("C7", fmt::format("f32[0], 0, i64[2], {}", value));
    OpEntry& inplace = r.add_inplace(fill, WrittenForm())
                           .with_rule(fill_inplace_rule)
                           .cpu(fill_cpu)
                           .sample(fmt::format("f32[4,3], 0, i64[2], {}", value), 0, 3)
                           .refuses("C1", fmt::format("f32[4], 0, i32[2], {}", value));
    inplace.device_rules = fill.device_rules;
    r.add_out(fill, tensor ? "int_Tensor_out" : "int_Scalar_out", kGeneratedForm);
  }
  r.find_mutable("aten.index_fill.int_Scalar")
      ->refuses("C3", "u8[4], 0, i64[2], 300")
      .refuses("C5", "f32[4], 0, i64[2], (1+2j)");
  r.find_mutable("aten.index_fill.int_Tensor")->refuses("C4", "f32[4], 0, i64[2], f32[1]");
}

}  // namespace ersatz::op_index_copy
