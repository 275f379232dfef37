// Helpers for `out=` overloads of operators whose kernel determines the result's sizes.
#pragma once

#include "kernels/own_dtype.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/resize.h"
#include "runtime/op/composite.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

/// The body of an `out=` overload that is a composite. Runs the functional operator and copies its results to the last
/// arguments, which must have these `dtypes` (else error `out_dtype`).
inline void write_found(CompositeCall& call, std::span<const DType> dtypes) {
  const OpEntry& functional = op_named(fmt::format("aten.{}.default", call.op.base()));
  const size_t inputs = call.args.size() - dtypes.size();
  if (functional.rule) {  // errors of the functional operator come first
    RuleResult refused;
    run_rule(functional, call.args.first(inputs), refused);
  }
  for (size_t i = 0; i < dtypes.size(); ++i) require_own_dtype(call, inputs + i, dtypes[i]);
  Values results;
  dispatch(functional, call.args.first(inputs), results);
  for (size_t i = 0; i < dtypes.size(); ++i) {
    const Tensor out = call.tensor(inputs + i), result = results[i].tensor();
    if (!same_sizes(out.sizes(), result.sizes())) ops::resize_(out, result.sizes());
    ops::copy_(out, result);
    call.returns(call.args[inputs + i]);
  }
}

/// Copies `found` to `out` and returns `out`. If the sizes differ, `out` is resized to the layout of `found`.
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
