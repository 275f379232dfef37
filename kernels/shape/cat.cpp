#include "kernels/shape/cat.h"

#include "kernels/no_flops.h"
#include "kernels/shape/cat_rule.h"
#include "kernels/shape/copy_block.h"
#include "runtime/op/copy.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/moves_tag.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_cat {
namespace {

void require_joinable(const RuleCall& call, const TensorMeta& first, size_t first_at, const TensorMeta& t, size_t at,
                      int64_t dim) {
  call.require(t.dim() == first.dim(), "C3", "tensors must have equal ranks: input {} is {}, input {} is {}", first_at,
               first, at, t);
  for (int64_t d = 0; d < first.dim(); ++d) {
    if (d == dim || sym_eq(first.sizes[d], t.sizes[d])) continue;
    call.require(check_eq(first.sizes[d], t.sizes[d]), "C3",
                 "sizes must match except in dim {}: input {} is {}, input {} is {} (dim {}: {} vs {})", dim, first_at,
                 first, at, t, d, first.sizes[d], t.sizes[d]);
  }
}

/// The first input that is not skipped (is_skipped_in_cat), its position, and the wrapped `dim`.
struct First {
  const TensorMeta* meta = nullptr;  ///< null if all inputs are skipped
  size_t at = 0;
  int64_t dim = 0;

  explicit First(const RuleCall& call) {
    const std::span<const Value> tensors = call.list(kCat["tensors"]);
    if (tensors.empty()) call.refuse(ErrorFamily::Value, "C1", "expects at least one tensor");
    // PyTorch refuses a 0-d input before it checks `dim`.
    for (size_t i = 0; i < tensors.size(); ++i) {
      const TensorMeta& t = tensors[i].tensor_impl()->meta;
      call.require(t.dim() > 0, "C2", "expects tensors with dims: input {} is {}", i, t);
    }
    while (at < tensors.size() && is_skipped_in_cat(tensors[at].tensor_impl()->meta)) ++at;
    if (at == tensors.size()) return;
    meta = &tensors[at].tensor_impl()->meta;
    dim = call.wrap_dim(call.integer(kCat["dim"]), meta->dim());
  }
};

void rule(RuleCall& call) {
  const std::span<const Value> tensors = call.list(kCat["tensors"]);
  const First first(call);
  SymInt joined = 0;
  for (size_t i = first.at; i < tensors.size(); ++i) {
    const TensorMeta& t = tensors[i].tensor_impl()->meta;
    if (is_skipped_in_cat(t)) continue;
    if (i > first.at) require_joinable(call, *first.meta, first.at, t, i, first.dim);
    joined += t.sizes[first.dim];
  }
  TensorMeta& out = call.out.outputs.emplace_back().meta;
  out.dtype = joined_dtype(call, tensors);
  out.device = call.device;
  if (!first.meta) {
    out.sizes.push_back(0);
    out.strides.push_back(1);
    return;
  }
  out.sizes = first.meta->sizes;
  out.sizes[first.dim] = joined;
  out.strides = strides_for(out.sizes, joined_format(tensors));
}

/// Checks the dtype of `out` before the sizes are compared. If all inputs are skipped, `out` may overlap an input.
void out_rule(RuleCall& call) {
  const std::span<const Value> tensors = call.list(kCat["tensors"]);
  const First first(call);
  const TensorMeta& out = call.meta(kCat.out());
  const DType dtype = joined_dtype(call, tensors);
  if (!can_cast(dtype, out.dtype)) {
    call.refuse(ErrorFamily::Type, "result_type", "a result of dtype {} cannot be written to {}", name(dtype), out);
  }
  WrittenForm form = call.op.form;
  form.may_overlap = !first.meta;
  derived_out_rule(call, form);
}

}  // namespace

// The CPU kernel. cat_cuda.cu calls it on CUDA too, for inputs that device_join::join_tensors does not support.
void run(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const TensorMeta& to = out.meta();
  int64_t dim = call.integer(kCat["dim"]);
  if (dim < 0) dim += to.dim();
  int64_t at = 0;
  for (const Value& v : call.list(kCat["tensors"])) {
    const TensorImpl* from = v.tensor_impl();
    if (is_skipped_in_cat(from->meta)) continue;
    const int64_t length = from->meta.sizes[dim].as_int();
    const int64_t start = at * to.strides[dim].as_int();
    at += length;
    if (from->meta.conj || from->meta.neg || to.conj || to.neg) {
      TensorMeta part = to;
      part.sizes[dim] = length;
      part.offset += SymInt(start);
      copy_elements(make_view(out, std::move(part)), v.tensor());
      continue;
    }
    const DType from_dtype = from->meta.dtype;
    const int64_t numel = from->meta.numel().as_int();
    if (numel == 0) continue;
    copy_block(to.device, as_ints(from->meta.sizes), out.raw_data() + start * item_size(to.dtype), to.dtype,
               as_ints(to.strides), from->storage->data() + from->meta.offset.as_int() * item_size(from_dtype),
               from_dtype, as_ints(from->meta.strides));
  }
}

void register_ops(Registry& r) {
  OpEntry& cat = r.add(kCat)
                     .tag(Tag::Core | kMovesEveryDType)
                     .with_rule(rule)
                     .count_flops(no_flops)
                     .every_device(run)
                     .sample("[f32[2,3], f32[4,3]]")
                     .sample("[f32[2,3], i64[2,1]], 1")
                     .sample("[f32[0], f32[2,3]], -1")
                     .refuses("C1", "[]")
                     .refuses("C2", "[f32[]]")
                     .refuses("C3", "[f32[2,3], f32[2,4]]");
  r.add_out(cat, "out", WrittenForm{.cast = WrittenCast::Any, .apart = true, .cast_family = ErrorFamily::Type})
      .with_rule(out_rule)
      .sample("[f32[2,3], f32[4,3]], out=f64[0]")
      .refuses("overlap", "[f32[2], f32[3]], out=f32[2] ~in0");
}

}  // namespace ersatz::op_cat
