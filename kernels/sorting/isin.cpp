#include "kernels/sorting/isin.h"

#include <array>
#include <cmath>

#include "kernels/pointwise/elementwise.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_isin {

Kernel run_cpu;

namespace {

constexpr uint8_t kSides[] = {0, 1};

/// Returns a limit. With at least this many test elements, ATen sorts. With fewer, ATen compares each element with each
/// test element.
int64_t few_tests(const RuleCall& call) {
  const SymInt n = call.is_tensor(kIsin["{0}"]) ? call.meta(kIsin["{0}"]).numel() : SymInt(1);
  return static_cast<int64_t>(10 * std::pow(static_cast<double>(n.guard_int()), 0.145));
}

/// Requires [isin.C1]. With few test elements, ATen compares each pair, and first views the test elements as 1-d in the
/// common dtype.
void require_viewable(const RuleCall& call) {
  const TensorMeta& tests = call.meta(kIsin["{1}"]);
  const bool converted = pointwise::common_dtype(call.context, call.args, kSides) != tests.dtype;
  const DimVec strides = converted ? preserved_strides(tests.sizes, tests.strides) : tests.strides;
  if (view_strides(tests.sizes, strides, std::array{tests.numel()})) return;
  const SymInt n = call.is_tensor(kIsin["{0}"]) ? call.meta(kIsin["{0}"]).numel() : SymInt(1);
  if (size_eq(n, 0)) return;
  const int64_t few = few_tests(call);
  call.require(size_ge(tests.numel(), few), "C1",
               "fewer than {} test elements must have a view of one dim: they are {}", few, tests);
}

// Arguments of the operator: (elements, test_elements, assume_unique, invert). The first two are tensors or numbers.
void rule(RuleCall& call) {
  const bool of_tensors = call.is_tensor(kIsin["{0}"]) && call.is_tensor(kIsin["{1}"]);
  // ATen's sort supports more dtypes than its comparison of pairs, and checks the dtypes of both operands separately.
  const bool sorts = of_tensors && size_ge(call.meta(kIsin["{1}"]).numel(), few_tests(call));
  for (Position side : {kIsin["{0}"], kIsin["{1}"]}) {
    const DType t = call.is_tensor(side) ? call.meta(side).dtype : call.scalar(side).dtype();
    if (t == DType::C32 || !kLimitedDTypes.has(t)) {
      call.require_dtype_first(t, kReals);
    } else if (sorts) {
      call.require_dtype(t, kWideUnsigned);
    }
  }
  call.require_dtype(pointwise::common_dtype(call.context, call.args, kSides), sorts ? kReals | kWideUnsigned : kReals);
  if (call.is_tensor(kIsin["{1}"])) require_viewable(call);
  const auto sizes =
      call.is_tensor(kIsin["{0}"]) ? std::span<const SymInt>(call.meta(kIsin["{0}"]).sizes) : std::span<const SymInt>();
  call.out.fresh(TensorMeta(DType::Bool, sizes, call.device));
}

OpEntry& add(Registry& r, const Schema& schema) {
  OpEntry& op = r.add(schema).with_rule(rule).cpu(run_cpu).dtypes(kReals);
  r.add_out(op, op.schema.overload + "_out");
  return op;
}

}  // namespace

void register_ops(Registry& r) {
  add(r, kIsinTensorTensor)
      .sample("i64[2,3], i64[4]", 0, 5)
      .sample("f32[30]{2}, f32[6], invert=True")
      .sample("i32[2,0], f32[3]")
      .sample("f32[2,3], f32[4,4]{1,4}")
      .refuses("C1", "f32[4,2], f32[2,3]{1,2}")
      .refuses("", "bool[2], bool[3]");
  add(r, kIsinTensorScalar).sample("i64[2,3], 1").refuses("", "f32[2], True");
  add(r, kIsinScalarTensor).sample("1, i64[2,5]").refuses("C1", "1, i64[2,3]{1,2}").refuses("", "True, f32[2]");
}

}  // namespace ersatz::op_isin
