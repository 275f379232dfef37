#include "kernels/indexing/scatter.h"

#include "kernels/creation/full.h"
#include "kernels/indexing/scatter_rule.h"
#include "kernels/shape/scalar_fit.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/write_count.h"

namespace ersatz::op_scatter {

Kernel scatter_cpu, scatter_add_cpu, index_add_cpu;

namespace {

void check_scaled_add(const RuleCall& call) {
  check_index_add(call);
  const Scalar alpha = call.scalar(kIndexAdd["alpha"]);
  const TensorMeta& self = call.meta(kIndexAdd["self"]);
  // Along the first or last of several dims, ATen calls scatter_add, which has loops for unsigned integers wider than
  // u8.
  const int64_t dim = call.wrap_dim(call.integer(kIndexAdd["dim"]), self.dim());
  if (kWideUnsigned.has(self.dtype) && self.dim() > 1 && (dim == 0 || dim == self.dim() - 1))
    call.require_dtype(self.dtype, kEveryDType);
  if (scalar_fits(alpha, self.dtype)) return;
  // With two or more dims, ATen calls `add` for each index, so alpha is converted only if there is an index. With fewer
  // dims, one loop adds everything and always converts alpha.
  const bool adds_nothing = size_eq(call.meta(kIndexAdd["index"]).numel(), 0) || size_eq(self.numel(), 0);
  if (self.dim() > 1 && adds_nothing) return;
  require_written_number(call, alpha, self, "C5");
}

/// Returns the number of writes to each element: scatter_add adds ones at the indices.
Tensor count_scattered(std::span<const Value> args) {
  const Tensor self = args[kScatterSrc["self"]].tensor(), src = args[kScatterSrc["src"]].tensor();
  return ops::scatter_add(ops::zeros(self.sizes()), args[kScatterSrc["dim"]].as_int().as_int(),
                          args[kScatterSrc["index"]].tensor(), ops::ones(src.sizes()));
}

}  // namespace

void register_ops(Registry& r) {
  struct Family {
    Schema schema;
    const char* out;
    Rule rule, inplace;
    FillKernel kernel;
    const char* sample;
    double high;
  };
  for (const Family& f :
       {Family{kScatterSrc, "src_out", scattered_rule<check_scatter>, scattered_inplace_rule<check_scatter>,
               scatter_cpu, "f32[1,3], 0, i64[1,2], f32[1,3]", 0},
        Family{kScatterValue, "value_out", scattered_rule<check_scatter>, scattered_inplace_rule<check_scatter>,
               scatter_cpu, "f32[4,3], 0, i64[2,3], 1.5", 3},
        Family{kScatterAdd, "out", scattered_rule<check_scatter>, scattered_inplace_rule<check_scatter>,
               scatter_add_cpu, "f32[4,3], 0, i64[6,2], f32[6,3]", 3},
        Family{kIndexAdd, "out", scattered_rule<check_scaled_add>, scattered_inplace_rule<check_scaled_add>,
               index_add_cpu, "f32[4,3], 0, i64[5], f32[5,3], alpha=2", 3}}) {
    OpEntry& op = r.add(f.schema)
                      .tag(Tag::FailsOnValues)
                      .with_rule(f.rule)
                      .cpu(f.kernel)
                      .with_index_domain({kScattered["index"], kScattered["self"], kScattered["dim"], true})
                      .sample(f.sample, 0, f.high);
    // The kernel writes to self directly, because the rule has checked that no operand shares memory with self.
    r.add_inplace(op).with_rule(f.inplace).cpu(f.kernel).sample(f.sample, 0, f.high);
    r.add_out(op, f.out).with_rule(scattered_out_rule).sample(fmt::format("{}, out=f32[0]", f.sample), 0, f.high);
  }
  count_writes(*r.find("aten.scatter.src"), count_scattered);
  for (const char* name : {"aten.scatter.src", "aten.scatter.value", "aten.scatter_add.default"}) {
    r.find_mutable(name)->tag(Tag::Core);
  }
  for (const char* name : {"aten.scatter.src", "aten.scatter_.src", "aten.scatter_add.default"}) {
    r.find_mutable(name)
        ->refuses("C1", "f32[4], 0, f32[2], f32[2]")
        .refuses("C2", "f32[4,3], 0, i64[2], f32[2]")
        .refuses("C3", "f32[4,3], 0, i64[2,4], f32[2,4]")
        .refuses("C4", "f32[4], 0, i64[2], f64[2]");
  }
  r.find_mutable("aten.scatter.value")->refuses("C5", "u8[4], 0, i64[2], 300");
  r.find_mutable("aten.scatter.src_out")->refuses("C6", "f32[4], 0, i64[4], f32[4], out=f32[4] ~in2");
  r.find_mutable("aten.scatter_.src")->refuses("C6", "f32[4], 0, i64[4], f32[4] ~in0");
  r.find_mutable("aten.index_add.default")
      ->refuses("C1", "f32[4], 0, f32[2], f32[2]")
      .refuses("C2", "f32[4], 0, i64[2], f64[2]")
      .refuses("C3", "f32[4], 0, i64[2], f32[3]")
      .refuses("C4", "f32[4,3], 0, i64[2], f32[2,2]")
      .refuses("C5", "f32[4], 0, i64[2], f32[2], alpha=(1+2j)")
      .refuses("C5", "f32[0], 0, i64[0], f32[0], alpha=1e300");
}

}  // namespace ersatz::op_scatter
