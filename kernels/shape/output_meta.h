// The start of many rules: outputs that are views of a tensor, or new tensors like an argument.
//
// A view's output has everything of its source but sizes and strides, which the rule appends in place. Nothing is
// allocated while the rank fits DimVec's inline storage, which makes fake views cheap.
#pragma once

#include "runtime/op/rule.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// The result of a view rule: a new tensor on the source's storage, or the source itself with new metadata (`t_`).
enum class ViewKind : bool { NewTensor, InPlace };

inline TensorMeta& start_view(RuleCall& call, TensorImpl* source, ViewKind kind = ViewKind::NewTensor) {
  const TensorMeta& from = source->meta;
  OutputSpec& out = call.out.outputs.emplace_back();
  out.source = source;
  out.meta.dtype = from.dtype;
  out.meta.device = from.device;
  out.meta.conj = from.conj;
  out.meta.neg = from.neg;
  out.meta.inference = from.inference;
  out.meta.offset = from.offset;
  if (kind == ViewKind::InPlace) {
    out.kind = OutputSpec::Kind::Same;
    out.metadata_changed = true;
    out.meta.requires_grad = from.requires_grad;
    out.meta.wrapped_number = from.wrapped_number;
  } else {
    out.kind = OutputSpec::Kind::View;
  }
  return out.meta;
}

/// Starts a view with the sizes and strides of its source: for `alias`, `squeeze` without dims of size 1, `t` of a
/// vector.
inline TensorMeta& start_alias(RuleCall& call, TensorImpl* source, ViewKind kind = ViewKind::NewTensor) {
  TensorMeta& out = start_view(call, source, kind);
  out.sizes = source->meta.sizes;
  out.strides = source->meta.strides;
  return out;
}

/// Adds a new tensor with the argument's dtype, sizes and device. It has the argument's strides if these are dense,
/// else dense strides in that order.
inline TensorMeta& answer_like(RuleCall& call, const TensorMeta& argument) {
  TensorMeta& out = call.out.fresh();
  out.dtype = argument.dtype;
  out.device = argument.device;
  out.sizes = argument.sizes;
  out.strides = preserved_strides(argument.sizes, argument.strides);
  return out;
}

}  // namespace ersatz
