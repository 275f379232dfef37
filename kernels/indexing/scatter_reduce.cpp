#include "kernels/indexing/scatter_reduce.h"

#include "kernels/indexing/scatter_rule.h"
#include "runtime/op/behind_values.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_scatter_reduce {

Kernel scatter_cpu, index_cpu;

namespace {

void require_reduction(const RuleCall& call, std::initializer_list<std::string_view> known) {
  const std::string_view reduce = call[kEach["reduce"]].as_string();
  bool found = false;
  for (std::string_view name : known) found = found || name == reduce;
  call.require(found, "C7", "no such reduction: {}", reduce);
}

void require_kernel(const RuleCall& call) {
  const std::string_view reduce = call[kIncluding["reduce"]].as_string();
  const DType dtype = call.meta(kIncluding["self"]).dtype;
  // PyTorch runs no loop for an empty index
  if (!kReals.has(dtype) && size_eq(call.meta(kIncluding["index"]).numel(), 0)) return;
  if (reduce == "mean") call.require_dtype(dtype, kNumbers);
  if (reduce == "amax" || reduce == "amin") call.require_dtype(dtype, kAllDTypes.without(kComplexes));
}

/// Calls require_kernel for a kernel that PyTorch looks for only after it has read the indices. For an index out of
/// range, PyTorch then raises an error of class `of_indices` first.
void require_kernel_behind(const RuleCall& call, ErrorFamily of_indices) {
  check_behind_values(call.op.base(), of_indices, [&] { require_kernel(call); });
  if (call.out.no_kernel && *call.out.no_kernel) mark_behind_values(**call.out.no_kernel, call.op.base(), of_indices);
}

void check_scatter_reduce(const RuleCall& call) {
  check_scatter(call);
  require_reduction(call, {"sum", "prod", "mean", "amax", "amin"});
  // Without include_self, ATen first fills the indexed elements by another kernel, which checks the indices.
  call.boolean(kIncluding["include_self"]) ? require_kernel(call) : require_kernel_behind(call, ErrorFamily::Runtime);
}
void check_scatter_with(const RuleCall& call) {
  check_scatter(call);
  require_reduction(call, {"add", "multiply"});
}
void check_index_reduce(const RuleCall& call) {
  require_reduction(call, {"prod", "mean", "amax", "amin"});
  check_index_add(call);
  const TensorMeta& self = call.meta(kEach["self"]);
  // ATen visits the slices one by one, and multiplies and compares them as tensors. The loops for tensors take more
  // dtypes.
  const std::string_view reduce = call[kEach["reduce"]].as_string();
  const DTypeSet of_slices = reduce == "prod" && call.device.is_cpu() ? kLimitedDTypes.without(kFloat4s)
                             : reduce == "mean"                       ? DTypeSet()
                                                                      : kWideUnsigned;
  if (self.dim() <= 1) return require_kernel(call);
  if (of_slices.has(self.dtype)) return call.require_dtype(self.dtype, kEveryDType);
  require_kernel_behind(call, ErrorFamily::Index);
}

}  // namespace

void register_ops(Registry& r) {
  struct Op {
    Schema schema;
    const char* out;
    Rule rule, inplace;
    FillKernel kernel;
    std::vector<const char*> samples;
  };
  for (const Op& o :
       {Op{kScatterReduceTwo,
           "two_out",
           scattered_rule<check_scatter_reduce>,
           scattered_inplace_rule<check_scatter_reduce>,
           scatter_cpu,
           {"f32[4,3], 0, i64[6,2], f32[6,3], \"sum\"", "i64[4,3], 0, i64[6,2], i64[6,3], \"mean\", include_self=False",
            "f32[4,3], 0, i64[6,2], f32[6,3], \"amax\"", "f32[4,3], 0, i64[6,2], f32[6,3], \"amin\"",
            "bool[4,3], 0, i64[6,2], bool[6,3], \"prod\""}},
        Op{kScatterReduce,
           "reduce_out",
           scattered_rule<check_scatter_with>,
           scattered_inplace_rule<check_scatter_with>,
           scatter_cpu,
           {"f32[4,3], 0, i64[6,2], f32[6,3], reduce=\"add\"", "i64[4,3], 0, i64[6,2], i64[6,3], reduce=\"multiply\""}},
        Op{kIndexReduce,
           "out",
           scattered_rule<check_index_reduce>,
           scattered_inplace_rule<check_index_reduce>,
           index_cpu,
           {"f32[4,3], 0, i64[5], f32[5,3], \"prod\"",
            "f32[4,3], 0, i64[5], f32[5,3], \"mean\", include_self=False"}}}) {
    OpEntry& op = r.add(o.schema)
                      .tag(Tag::FailsOnValues)
                      .with_rule(o.rule)
                      .cpu(o.kernel)
                      .with_index_domain({op_scatter::kScattered["index"], op_scatter::kScattered["self"],
                                          op_scatter::kScattered["dim"], true});
    // The kernel writes to self directly, because the rule has checked that no operand shares memory with self.
    OpEntry& inplace = r.add_inplace(op).with_rule(o.inplace).cpu(o.kernel);
    for (const char* sample : o.samples) {
      op.sample(sample, 0, 3);
      inplace.sample(sample, 0, 3);
    }
    r.add_out(op, o.out).with_rule(scattered_out_rule);
  }
  r.find_mutable("aten.scatter_reduce.two")
      ->tag(Tag::Core)
      .refuses("C1", "f32[4], 0, f32[2], f32[2], \"sum\"")
      .refuses("C2", "f32[4,3], 0, i64[2], f32[2], \"sum\"")
      .refuses("C3", "f32[4,3], 0, i64[2,4], f32[2,4], \"sum\"")
      .refuses("C4", "f32[4], 0, i64[2], f64[2], \"sum\"")
      .refuses("C7", "f32[4], 0, i64[2], f32[2], \"add\"");
  r.find_mutable("aten.scatter_reduce_.two")->refuses("C6", "f32[4], 0, i64[4], f32[4] ~in0, \"sum\"");
  r.find_mutable("aten.scatter.reduce")->refuses("C7", "f32[4], 0, i64[2], f32[2], reduce=\"sum\"");
  r.find_mutable("aten.index_reduce.default")
      ->refuses("C1", "f32[4], 0, f32[2], f32[2], \"prod\"")
      .refuses("C2", "f32[4], 0, i64[2], f64[2], \"prod\"")
      .refuses("C3", "f32[4], 0, i64[2], f32[3], \"prod\"")
      .refuses("C4", "f32[4,3], 0, i64[2], f32[2,2], \"prod\"")
      .refuses("C7", "f32[4], 0, i64[2], f32[2], \"sum\"");
}

}  // namespace ersatz::op_scatter_reduce
