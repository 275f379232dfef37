#include "kernels/guard/assertion.h"

#include "kernels/no_flops.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_value.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_assertion {
namespace {

void require_equal(const RuleCall& call, Position argument, std::span<const SymInt> found) {
  if (!call.has(argument)) return;
  const auto expected = call.ints(argument);
  bool equal = expected.size() == found.size();
  for (size_t d = 0; equal && d < found.size(); ++d) equal = check_eq(expected[d], found[d]);
  call.require(equal, "C1", "{} must be {}, it is {}: the tensor is {}", call.op.schema.arguments[argument].name,
               expected, found, call.meta(kAssertTensorMetadata["a"]));
}

void metadata_rule(RuleCall& call) {
  const TensorMeta& a = call.meta(kAssertTensorMetadata["a"]);
  require_equal(call, kAssertTensorMetadata["size"], a.sizes);
  require_equal(call, kAssertTensorMetadata["stride"], a.strides);
  call.require(!call.has(kAssertTensorMetadata["dtype"]) || call[kAssertTensorMetadata["dtype"]].as_dtype() == a.dtype,
               "C1", "dtype must be {}: the tensor is {}", to_string(call[kAssertTensorMetadata["dtype"]]), a);
  if (!call.has(kAssertTensorMetadata["device"])) return;
  const Device expected = call[kAssertTensorMetadata["device"]].as_device();
  call.require(expected.type == a.device.type && (expected.index < 0 || expected.index == a.device.index), "C1",
               "device must be {}: the tensor is {}", to_string(expected), a);
}

void scalar_rule(RuleCall& call) {
  const std::string_view message = call[kAssertScalar["assert_msg"]].as_string();
  call.require(call.scalar(kAssertScalar["self"]).require(message), "C1", "{}", message);
}

void range_rule(RuleCall& call) {
  static constexpr Schemas kArgs{kConstrainRange, kConstrainRangeForSize};
  const bool of_size = call.op.base() == "sym_constrain_range_for_size";
  const SymInt v = call.scalar(kArgs["size"]).to_sym_int();
  const SymInt min = call.has(kArgs["min"]) ? call.sym(kArgs["min"]) : of_size ? SymInt(0) : SymInt::lowest();
  const SymInt max = call.has(kArgs["max"]) ? call.sym(kArgs["max"]) : SymInt(INT64_MAX);
  call.require(check_le(min, max), "C1", "Max must be greater than or equal to min. Got min={} max={}", min, max);
  if (of_size) {
    call.require(check_gt(max, 2), "C3", "Max value to constrain_range_for_size must be greater than 2. got: {}", max);
  }
  const bool above = min.is_identical(SymInt::lowest()) || check_ge(v, min);
  const bool below = max.is_identical(INT64_MAX) || check_le(v, max);
  call.require(above && below, "C2", "Invalid value range for {} between [{}, {}].", v, min, max);
}

void async_rule(RuleCall& call) {
  call.require(check_eq(call.meta(kAsync["self"]).numel(), 1), "C1", "the tensor must have one element, it is {}",
               call.meta(kAsync["self"]));
}

// The kernel for the CPU and CUDA. It copies the element to the host and checks it there.
void run_async_cpu(KernelCall& call, Values&) {
  const Tensor self = call.tensor(kAsync["self"]);
  const Tensor value = make_real_tensor(TensorMeta(DType::Bool, self.sizes()));
  copy_elements(value, self);
  if (*reinterpret_cast<const bool*>(value.raw_data())) return;
  if (call.args.size() > 1)
    fail_on_value(call, ErrorFamily::Runtime, "{}", call[kAssertAsyncMsg["assert_msg"]].as_string());
  fail_on_value(call, ErrorFamily::Runtime, "a tensor with one element that is not zero was expected, it is zero");
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kAssertTensorMetadata)
      .with_rule(metadata_rule)
      .count_flops(no_flops)
      .sample("f32[2,3], [2, 3], None, f32")
      .sample("f32[2,3], None, None, None, device=cpu")
      .refuses("C1", "f32[2,3], [3, 2]")
      .refuses("C1", "f32[2,3], None, [1, 2]")
      .refuses("C1", "f32[2,3], None, None, i64")
      .refuses("C1", "f32[2,3], None, None, None, device=cuda:0");
  r.add(kAssertScalar)
      .with_rule(scalar_rule)
      .count_flops(no_flops)
      .sample("True, \"ok\"")
      .sample("2.5, \"ok\"")
      .refuses("C1", "0, \"zero\"");
  for (const Schema& schema : {kConstrainRange, kConstrainRangeForSize}) {
    OpEntry& op = r.add(schema);
    op.with_rule(range_rule)
        .count_flops(no_flops)
        .sample("5, min=1, max=8")
        .sample("5")
        .refuses("C1", "5, min=7, max=3")
        .refuses("C2", "5, min=1, max=4");
    if (op.base() == "sym_constrain_range_for_size") op.refuses("C3", "1, max=2");
  }
  for (const Schema& schema : {kAssertAsync, kAssertAsyncMsg}) {
    OpEntry& op = r.add(schema);
    const std::string message = op.schema.overload == "msg" ? ", \"zero\"" : "";
    op.tag(Tag::FailsOnValues)
        .with_rule(async_rule)
        .every_device_returns(run_async_cpu)
        .count_flops(no_flops)
        .sample("i64[1]" + message, 1, 3)
        .refuses("C1", "f32[2]" + message);
  }
}

}  // namespace ersatz::op_assertion

namespace ersatz::ops {

void assert_tensor_metadata(const Tensor& a, std::optional<DimVec> size, std::optional<DimVec> stride,
                            std::optional<DType> dtype, std::optional<Device> device) {
  call_op_all<"aten._assert_tensor_metadata.default">(a, size, stride, dtype, device, std::optional<Layout>());
}

void assert_scalar(const Scalar& self, std::string_view message) {
  call_op_all<"aten._assert_scalar.default">(self, message);
}

void assert_async(const Tensor& self) { call_op_all<"aten._assert_async.default">(self); }

void assert_async(const Tensor& self, std::string_view message) {
  call_op_all<"aten._assert_async.msg">(self, message);
}

}  // namespace ersatz::ops
