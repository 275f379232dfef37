#include "kernels/shape/view_dtype.h"

#include "kernels/shape/output_meta.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"

namespace ersatz::op_view_dtype {
namespace {

bool divides(SymInt divisor, SymInt v) { return size_eq(floor_mod(v, divisor), 0); }

void rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kViewDtype["self"]);
  const TensorMeta& from = self->meta;
  const DType dtype = call[kViewDtype["dtype"]].as_dtype();
  call.require(!(from.conj || from.neg), "C4", "a conjugate or negated view cannot be read as a dtype: self is {}",
               from);
  const int64_t old_bytes = item_size(from.dtype), new_bytes = item_size(dtype);
  if (old_bytes != new_bytes) {
    call.require(from.dim() > 0, "C5", "a tensor without dims cannot become {}: self is {}", name(dtype), from);
    call.require(check_eq(from.strides.back(), 1), "C5", "the last dim must have stride 1 to become {}: self is {}",
                 name(dtype), from);
  }
  if (new_bytes > old_bytes) {
    const SymInt ratio = new_bytes / old_bytes;
    bool fits = divides(ratio, from.sizes.back()) && divides(ratio, from.offset);
    for (int64_t d = 0; d + 1 < from.dim(); ++d) fits = fits && divides(ratio, from.strides[d]);
    call.require(fits, "C6", "last size, offset and other strides must divide by {} to become {}: self is {}", ratio,
                 name(dtype), from);
  }
  TensorMeta& out = start_alias(call, self);
  out.dtype = dtype;
  if (new_bytes > old_bytes) {
    const SymInt ratio = new_bytes / old_bytes;
    for (int64_t d = 0; d + 1 < from.dim(); ++d) out.strides[d] = floor_div(out.strides[d], ratio);
    out.sizes.back() = floor_div(out.sizes.back(), ratio);
    out.offset = floor_div(out.offset, ratio);
  } else if (new_bytes < old_bytes) {
    const SymInt ratio = old_bytes / new_bytes;
    for (int64_t d = 0; d + 1 < from.dim(); ++d) out.strides[d] *= ratio;
    out.sizes.back() *= ratio;
    out.offset *= ratio;
  }
}

void as_real_rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kViewAsReal["self"]);
  const TensorMeta& from = self->meta;
  if (!is_complex(from.dtype)) {
    call.refuse(ErrorFamily::Type, "C1", "expects a complex tensor: self is {}", from);
  }
  call.require(!from.conj, "C2", "a conjugate view has no real parts in memory, resolve it first: self is {}", from);
  TensorMeta& out = start_alias(call, self);
  out.dtype = real_dtype(from.dtype);
  for (SymInt& stride : out.strides) stride *= SymInt(2);
  out.offset *= SymInt(2);
  out.sizes.push_back(2);
  out.strides.push_back(1);
}

void as_complex_rule(RuleCall& call) {
  TensorImpl* self = call.tensor(kViewAsComplex["self"]);
  const TensorMeta& from = self->meta;
  if (is_complex(from.dtype)) {
    call.refuse(ErrorFamily::Type, "C1", "expects a real floating tensor: self is {}", from);
  }
  if (from.dtype != DType::F16 && from.dtype != DType::F32 && from.dtype != DType::F64) {
    call.not_supported("expects f16, f32 or f64, there is no complex dtype for {}", name(from.dtype));
  }
  call.require(from.dim() > 0 && check_eq(from.sizes.back(), 2), "C2", "expects a last dim of size 2: self is {}",
               from);
  call.require(check_eq(from.strides.back(), 1), "C3", "expects a last dim of stride 1: self is {}", from);
  bool even = divides(2, from.offset);
  for (int64_t d = 0; d + 1 < from.dim(); ++d) {
    // A dim of size 1 may have an odd stride, because no address depends on it. Its stride is halved, rounded down.
    even = even && (size_eq(from.sizes[d], 1) || divides(2, from.strides[d]));
  }
  call.require(even, "C4", "expects an even offset and even strides before the last dim: self is {}", from);
  TensorMeta& out = start_alias(call, self);
  out.dtype = complex_of_parts(from.dtype);
  out.sizes.pop_back();
  out.strides.pop_back();
  for (SymInt& stride : out.strides) stride = floor_div(stride, 2);
  out.offset = floor_div(out.offset, 2);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kViewDtype)
      .tag(Tag::View)
      .with_rule(rule)
      .sample("f32[2,4], i32")
      .sample("f32[2,4], f64")
      .sample("f32[2,4], i8")
      .refuses("C5", "f32[], i8")
      .refuses("C6", "f32[2,3], f64");
  r.add(kViewAsReal).tag(Tag::View).with_rule(as_real_rule).sample("c64[2,3]").refuses("C1", "f32[2,2]");
  r.add(kViewAsComplex)
      .tag(Tag::View)
      .with_rule(as_complex_rule)
      .sample("f32[3,2]")
      .refuses("C1", "c64[3,2]")
      .refuses("C2", "f32[3,3]")
      .refuses("C3", "f32[2,2]{1,2}")
      .refuses("C4", "f32[2,2]{3,1}");
}

}  // namespace ersatz::op_view_dtype
