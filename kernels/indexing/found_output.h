// `out=` of ops whose result only the kernel can size: what was found, put where the caller wants it.
#pragma once

#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"

namespace ersatz {

/// Resizes `out` where `found` does not fit, to the layout of `found`, copies, and returns `out` itself.
inline void put_found(const KernelCall& call, const Tensor& out, const Tensor& found, Values& results) {
  RuleResult rule;
  if (sym_eq(out.sizes(), found.sizes())) {
    rule.same(out.impl());
  } else {
    TensorMeta resized = out.meta();
    resized.sizes = found.meta().sizes;
    resized.strides = found.meta().strides;
    rule.same(out.impl(), std::move(resized));
  }
  OutputTensors outputs;
  make_outputs(rule, nullptr, outputs);
  if (found.numel().as_int() > 0) copy_elements(out, found);
  pack_results(call.op, rule, outputs, results);
}

}  // namespace ersatz
