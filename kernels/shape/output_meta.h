// Functions that begin a rule's output: a view of an argument, or a new tensor like an argument.
//
// start_view copies all metadata of the source except sizes and strides, which the rule appends. If the rank fits into
// DimVec's inline storage, nothing is allocated, which makes fake views cheap.
#pragma once

#include "runtime/op/rule.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// A view rule returns a new tensor on the source's storage, or the source itself with new metadata (as `t_` does).
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

/// Begins a view with the sizes and strides of its source, for ops that change neither: `alias` for example.
inline TensorMeta& start_alias(RuleCall& call, TensorImpl* source, ViewKind kind = ViewKind::NewTensor) {
  TensorMeta& out = start_view(call, source, kind);
  out.sizes = source->meta.sizes;
  out.strides = source->meta.strides;
  return out;
}

/// Adds a new output with the argument's dtype, sizes and device. It has the argument's strides if these are dense,
/// else dense strides in the order of the argument's strides.
inline TensorMeta& answer_like(RuleCall& call, const TensorMeta& argument) {
  TensorMeta& out = call.out.fresh();
  out.dtype = argument.dtype;
  out.device = argument.device;
  out.sizes = argument.sizes;
  out.strides = preserved_strides(argument.sizes, argument.strides);
  return out;
}

}  // namespace ersatz
