// `out=` forms that ATen generates for functional operators. They compute the functional result, resize `out` row-major
// and copy. If an operator's file declares its `out=` form, the form is derived there and not in this file.
#include "kernels/shape/copy.h"
#include "kernels/shape/functional_forms.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_written_forms {
namespace {

struct Form {
  const char *op, *overload;
  const char* outs;  ///< the `out` arguments that belong to the operator's first sample
};
constexpr Form kForms[] = {
    {"aten._adaptive_avg_pool2d_backward.default", "out", "out=f32[0]"},
    {"aten._adaptive_avg_pool3d_backward.default", "out", "out=f32[0]"},
    {"aten._ctc_loss_backward.default", "out", "out=f32[0]"},
    {"aten._embedding_bag_forward_only.default", "out", "out0=f32[0], out1=i64[0], out2=i64[0], out3=i64[0]"},
    {"aten._histogramdd_bin_edges.default", "out", "out=[f32[0], f32[0]]"},
    {"aten._pdist_backward.default", "out", "out=f32[0]"},
    {"aten.segment_reduce.default", "out", "out=f32[0]"},
    {"aten.split_with_sizes_copy.default", "out", "out=[f32[0], f32[0], f32[0]]"},
    {"aten.unbind_copy.int", "int_out", "out=[f32[0], f32[0]]"},
    {"aten.unsafe_split.Tensor", "Tensor_out", "out=[f32[0], f32[0], f32[0]]"},
    {"aten.unsafe_split_with_sizes.default", "out", "out=[f32[0], f32[0], f32[0]]"},
};

constexpr Schema kSplitCopy{
    "aten::split_copy.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, Tensor(a!)[] out) -> ()"};

/// Copies each piece into a tensor of `out`, which keeps its dtype and sizes.
void split_copy(CompositeCall& call) {
  const Values split = call_op_all<"aten.split.Tensor">(call[kSplitCopy["self"]], call[kSplitCopy["split_size"]],
                                                        call[kSplitCopy["dim"]]);
  const std::span<const Value> pieces = split[0].as_list(), to = call.list(kSplitCopy["out"]);
  call.require(to.size() == pieces.size(), "out_length", "there are {} results, and {} tensors to write them to",
               pieces.size(), to.size());
  for (size_t i = 0; i < to.size(); ++i) ops::copy_(to[i].tensor(), pieces[i].tensor());
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kSplitCopy).with_composite(split_copy).sample("f32[7,2], 3, out=[f32[3,2], f64[3,2], f32[1,2]]");
  for (const Form& form : kForms) {
    const OpEntry& op = *r.find_mutable(form.op);
    const Sample& first = op.samples.front();
    add_written_apart(r, op, form.overload)
        .sample(fmt::format("{}, {}", first.arguments, form.outs), first.low, first.high);
  }
}

}  // namespace ersatz::op_written_forms
