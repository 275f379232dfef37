// Where many rules begin: a view that has everything of its source but sizes and strides, or a tensor like an argument.
//
// A view's rule then appends the new sizes and strides in place. Nothing is allocated while the rank stays within
// DimVec's inline room, which is what keeps a fake view cheap.
#pragma once

#include "runtime/op/rule.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// What a view rule returns: a new tensor on the source's storage, or the source itself with new metadata (`t_`).
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

/// The same geometry again: `alias`, `squeeze` of nothing, `t` of a vector.
inline TensorMeta& start_alias(RuleCall& call, TensorImpl* source, ViewKind kind = ViewKind::NewTensor) {
  TensorMeta& out = start_view(call, source, kind);
  out.sizes = source->meta.sizes;
  out.strides = source->meta.strides;
  return out;
}

/// A tensor of its own with the argument's dtype and sizes, on its device; its strides where it is dense, else dense
/// ones in the order of its dims.
inline TensorMeta& answer_like(RuleCall& call, const TensorMeta& argument) {
  TensorMeta& out = call.out.fresh();
  out.dtype = argument.dtype;
  out.device = argument.device;
  out.sizes = argument.sizes;
  out.strides = preserved_strides(argument.sizes, argument.strides);
  return out;
}

}  // namespace ersatz
