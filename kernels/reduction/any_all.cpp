#include "kernels/reduction/any_all.h"

#include "kernels/reduction/reduce_dims.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_any_all {

Kernel run_any_cpu, run_all_cpu;

namespace {

void add_output(RuleCall& call, DimMask mask, bool keepdim) {
  const TensorMeta& in = call.meta(kEach["self"]);
  // PyTorch gives u8 for u8 inputs, because u8 was its dtype for truth before it had bool.
  call.out.fresh(reduced_meta(in, mask, keepdim, in.dtype == DType::U8 ? DType::U8 : DType::Bool, call.device));
}

void rule(RuleCall& call) { add_output(call, kAllDims, false); }

void dim_rule(RuleCall& call) {
  add_output(call, reduced_dim(call, kAnyAllDim["dim"], call.meta(kAnyAllDim["self"]).dim()),
             call.boolean(kAnyAllDim["keepdim"]));
}

void dims_rule(RuleCall& call) {
  const bool none = call.has(kAnyAllDims["dim"]) && call.ints(kAnyAllDims["dim"]).empty();
  add_output(call, none ? 0 : reduced_dims(call, kAnyAllDims["dim"], call.meta(kAnyAllDims["self"]).dim(), "C1"),
             call.boolean(kAnyAllDims["keepdim"]));
}

/// If `out` is self and has at most one element after it was resized, PyTorch does not check the dims again.
void out_rule(RuleCall& call) {
  derived_out_rule(call);
  const SymInt left = call.out.outputs[0].meta.numel();
  if (size_ne(left, 0) && size_ne(left, 1)) require_dims_after_resize(call, kAnyAllDim["dim"]);
}

void add(Registry& r, const std::string& name, FillKernel kernel) {
  OpEntry& whole = r.add(kAnyAll.with(name))
                       .with_rule(rule)
                       .cpu(kernel)
                       .dtypes(kAllDTypes)
                       .sample("f32[2,3]")
                       .sample("u8[0]")
                       .sample("bool[3,4]{1,3}");
  r.add_out(whole, "all_out", reduction_form(WrittenCast::Truth));
  OpEntry& dim = r.add(kAnyAllDim.with(name))
                     .with_rule(dim_rule)
                     .cpu(kernel)
                     .dtypes(kAllDTypes)
                     .sample("i64[2,3], 1")
                     .sample("bool[2,3,4]{1,8,2}, -1, True");
  r.add_out(dim, "out", reduction_form(WrittenCast::Truth)).with_rule(out_rule);
  OpEntry& dims = r.add(kAnyAllDims.with(name))
                      .with_rule(dims_rule)
                      .cpu(kernel)
                      .dtypes(kAllDTypes)
                      .sample("c64[2,3,4], [0, 2]")
                      .sample("bool[2,3], []")
                      .refuses("C1", "bool[2,3], [0, 0]");
  r.add_out(dims, "dims_out", reduction_form(WrittenCast::Truth)).with_rule(out_rule);
  if (name == "any") {
    for (OpEntry* op : {&whole, &dim, &dims}) op->tag(Tag::Core);
  }
}

}  // namespace

void register_ops(Registry& r) {
  add(r, "any", run_any_cpu);
  add(r, "all", run_all_cpu);
}

}  // namespace ersatz::op_any_all
