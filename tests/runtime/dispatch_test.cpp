#include "runtime/op/dispatch.h"
#include "runtime/op/composite.h"

#include <gtest/gtest.h>

#include "runtime/op/mode.h"

namespace ersatz {
namespace {

// These ops are registered in the namespace `core_test`.

void twice_rule(RuleCall& call) {
  const TensorMeta& x = call.meta(0);
  call.require(x.dim() <= 3, "C1", "at most three dims, not {}", x);
  call.out.fresh(TensorMeta(x.dtype, x.sizes, x.device));
}
void twice_cpu(KernelCall& call) {
  Tensor x = call.tensor(0);
  const float* from = x.data<float>();
  float* to = call.outputs[0].data<float>();
  for (int64_t i = 0; i < x.numel().as_int(); ++i) to[i] = 2 * from[i];
}
void row_rule(RuleCall& call) {
  TensorMeta m = call.meta(0);
  m.offset += m.strides[0] * call.sym(1);
  m.sizes.erase(0);
  m.strides.erase(0);
  call.out.view(call.tensor(0), std::move(m));
}
void pair_rule(RuleCall& call) {
  call.out.fresh(call.meta(0));
  call.out.fresh(call.meta(1));
  call.out.number(Value(2));
}
void copy_both(KernelCall& call) {
  for (size_t i = 0; i < 2; ++i) {
    std::memcpy(call.outputs[i].raw_data(), call.tensor(i).raw_data(), 4);
  }
}
void pieces_rule(RuleCall& call) {
  for (int64_t i = 0; i < call.integer(1); ++i) {
    TensorMeta m = call.meta(0);
    m.sizes[0] = 1;
    m.offset += SymInt(i) * m.strides[0];
    call.out.view(call.tensor(0), std::move(m));
  }
}

const OpEntry& test_op(std::string_view name) {
  static bool registered = [] {
    Registry& r = registry();
    OpEntry& twice =
        r.add("core_test::twice(Tensor self) -> Tensor").with_rule(twice_rule).cpu(twice_cpu).tag(Tag::Pointwise);
    r.add_inplace(twice);
    r.add_out(twice, "out");
    r.add("core_test::row(Tensor(a) self, SymInt i) -> Tensor(a)").with_rule(row_rule).tag(Tag::View);
    r.add("core_test::pair(Tensor a, Tensor b) -> (Tensor, Tensor, int)")
        .with_rule(pair_rule)
        .cpu(copy_both)
        .devices({DeviceRule::CpuScalarOk, DeviceRule::CpuScalarOk});
    r.add("core_test::strict_pair(Tensor a, Tensor b) -> (Tensor, Tensor, int)").with_rule(pair_rule).cpu(copy_both);
    r.add("core_test::pieces(Tensor(a -> *) self, int n) -> Tensor(a)[]").with_rule(pieces_rule).tag(Tag::View);
    r.add("core_test::four_times(Tensor self) -> Tensor").with_composite([](CompositeCall& call) {
      const Tensor once = call_op(test_op("core_test.twice.default"), call.tensor(0));
      call.returns(call_op(test_op("core_test.twice.default"), once));
    });
    r.add("core_test::no_kernel(Tensor self) -> Tensor").with_rule(twice_rule);
    return true;
  }();
  (void)registered;
  return op_named(name);
}

Tensor meta_tensor(Device device, DimVec sizes) {
  return Tensor(TensorMeta(DType::F32, sizes, device), Storage::make_fake(64, device));
}

TEST(Dispatch, TypedAndBoxedCallsReachTheSameEntry) {
  Tensor x = tensor_of<float>({1, 2}, {2});
  Tensor typed = call_op(test_op("core_test.twice.default"), x);
  Tensor boxed = call("core_test::twice", {Value(x)})[0].tensor();
  EXPECT_EQ(typed.data<float>()[1], 4.0f);
  EXPECT_EQ(boxed.data<float>()[1], 4.0f);
}

TEST(Dispatch, RefusalsNameOpOperandAndLabel) {
  try {
    call_op(test_op("core_test.twice.default"), meta_tensor(kMeta, {1, 2, 3, 4}));
    FAIL() << "four dims were taken";
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "twice: at most three dims, not f32[1,2,3,4]@meta [twice.C1]");
    EXPECT_EQ(e.label, "twice.C1");
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
  }
}

TEST(Dispatch, ViewsShareStorageAndRunNoKernel) {
  Tensor x = tensor_of<float>({1, 2, 3, 4}, {2, 2});
  Tensor row = call_op(test_op("core_test.row.default"), x, SymInt(1));
  EXPECT_TRUE(row.shares_storage(x));
  EXPECT_EQ(row.data<float>()[0], 3.0f);
}

TEST(Dispatch, ListResultsAndNumbersArePacked) {
  Tensor x = tensor_of<float>({1, 2, 3}, {3});
  Values pieces = call_op_all(test_op("core_test.pieces.default"), x, Value(3));
  ASSERT_EQ(pieces.size(), 1u);
  ASSERT_EQ(pieces[0].as_list().size(), 3u);
  EXPECT_EQ(pieces[0].as_list()[2].tensor().item_double(), 3.0);
  Tensor a = tensor_of<float>({1}, {1});
  Values pair = call_op_all(test_op("core_test.pair.default"), a, a);
  ASSERT_EQ(pair.size(), 3u);
  EXPECT_EQ(pair[2].as_int().as_int(), 2);
}

TEST(Dispatch, CompositeOpsCallOtherOps) {
  EXPECT_EQ(call_op(test_op("core_test.four_times.default"), tensor_of<float>({1.5f}, {1})).item_double(), 6.0);
}

TEST(Dispatch, ADeviceWithoutKernelIsNotSupported) {
  try {
    call_op(test_op("core_test.no_kernel.default"), tensor_of<float>({1}, {1}));
    FAIL() << "an op without a kernel ran";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::NotSupported);
    EXPECT_EQ(e.message, "no_kernel: core_test.no_kernel.default has no kernel for cpu");
  }
}

TEST(CommonDevice, TwoDevicesAreRefusedByName) {
  try {
    call_op_all(test_op("core_test.strict_pair.default"), meta_tensor(kCPU, {2}), meta_tensor(kMeta, {2}));
    FAIL() << "two devices were taken";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::DeviceMismatch);
    EXPECT_NE(e.message.find("found two different devices cpu, meta"), std::string::npos) << e.message;
  }
}

TEST(CommonDevice, ZeroDimCpuTensorYieldsIfAllowed) {
  Tensor zero_dim = tensor_of<float>({1}, {});
  Tensor meta = meta_tensor(kMeta, {});
  EXPECT_NO_THROW(call_op_all(test_op("core_test.pair.default"), zero_dim, meta));
  EXPECT_NO_THROW(call_op_all(test_op("core_test.pair.default"), meta, zero_dim));
  EXPECT_THROW(call_op_all(test_op("core_test.strict_pair.default"), zero_dim, meta), Error);
  EXPECT_THROW(call_op_all(test_op("core_test.pair.default"), tensor_of<float>({1}, {1}), meta), Error);
}

TEST(Derived, InPlaceWritesArgumentAndMovesItsVersion) {
  Tensor x = tensor_of<float>({1, 2}, {2});
  Tensor y = call_op(test_op("core_test.twice_.default"), x);
  EXPECT_TRUE(y.is(x));
  EXPECT_EQ(x.data<float>()[1], 4.0f);
  EXPECT_EQ(x.version(), 1u);
}

TEST(Derived, InPlaceOnOverlappingMemoryIsRefused) {
  Tensor one = tensor_of<float>({1}, {1});
  Tensor expanded = make_view(one, TensorMeta(DType::F32, DimVec{3}, DimVec{0}));
  try {
    call_op(test_op("core_test.twice_.default"), expanded);
    FAIL() << "an expanded tensor was written in place";
  } catch (const Error& e) {
    EXPECT_EQ(e.label, "twice_.overlap");
  }
}

TEST(Derived, OutOfTheRightSizeKeepsItsStrides) {
  Tensor x = tensor_of<float>({1, 2, 3, 4}, {4});
  Tensor out = tensor_of<float>({0, 0, 0, 0}, {4});
  Tensor y = call_op(test_op("core_test.twice.out"), x, out);
  EXPECT_TRUE(y.is(out));
  EXPECT_EQ(out.data<float>()[3], 8.0f);
}

TEST(Derived, OutOfAnotherSizeIsResized) {
  Tensor x = tensor_of<float>({1, 2, 3, 4}, {2, 2});
  Tensor out = tensor_of<float>({0}, {1});
  call_op(test_op("core_test.twice.out"), x, out);
  EXPECT_EQ(to_string(out.meta()), "f32[2,2]{2,1}+0@cpu");
  EXPECT_EQ(out.data<float>()[3], 8.0f);
}

TEST(Derived, OutThatPartlyOverlapsTheInputIsRefused) {
  Tensor x = tensor_of<float>({1, 2, 3, 4}, {4});
  Tensor head = make_view(x, TensorMeta(DType::F32, DimVec{3}, DimVec{1}));
  Tensor tail = make_view(x, TensorMeta(DType::F32, DimVec{3}, DimVec{1}, kCPU, 1));
  EXPECT_THROW(call_op(test_op("core_test.twice.out"), head, tail), Error);
}

TEST(Registry, FindsEverySpellingAndRefusesDuplicates) {
  const OpEntry& op = test_op("core_test.twice.default");
  EXPECT_EQ(registry().find("core_test::twice"), &op);
  EXPECT_EQ(registry().find("torch.ops.core_test.twice.default"), &op);
  EXPECT_EQ(registry().find("twice"), &op);
  EXPECT_EQ(registry().find("core_test.nothing"), nullptr);
  EXPECT_THROW(registry().add("core_test::twice(Tensor self) -> Tensor"), Error);
}

TEST(Registry, AnUnknownNameListsNearOnes) {
  try {
    test_op("core_test.twice.Scalar");
    FAIL() << "an op was found that is not there";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::NotSupported);
    EXPECT_NE(e.message.find("core_test.twice.out"), std::string::npos) << e.message;
  }
}

/// A mode that records the names of the calls that it handles and passes the calls on.
class Recorder : public Mode {
 public:
  Recorder(ModeOrder order, std::string label, std::vector<std::string>& seen)
      : order_(order), label_(std::move(label)), seen_(seen) {}
  ModeOrder order() const override { return order_; }
  std::string_view mode_name() const override { return label_; }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override {
    seen_.push_back(label_);
    dispatch(op, args, results);
  }

 private:
  ModeOrder order_;
  std::string label_;
  std::vector<std::string>& seen_;
};

TEST(Modes, RunInOneOrderHoweverEntered) {
  std::vector<std::string> seen;
  Recorder tracer(ModeOrder::Tracer, "tracer", seen), user(ModeOrder::Interceptor, "user", seen),
      fake(ModeOrder::Fake, "fake", seen);
  ModeGuard a(user), b(fake), c(tracer);
  call_op(test_op("core_test.twice.default"), tensor_of<float>({1}, {1}));
  EXPECT_EQ(seen, (std::vector<std::string>{"user", "tracer", "fake"}));
}

TEST(Modes, AmongEqualsTheNewestIsOutermost) {
  std::vector<std::string> seen;
  Recorder first(ModeOrder::Interceptor, "first", seen), second(ModeOrder::Interceptor, "second", seen);
  ModeGuard a(first);
  {
    ModeGuard b(second);
    call_op(test_op("core_test.twice.default"), tensor_of<float>({1}, {1}));
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"second", "first"}));
}

TEST(Modes, AnExceptionLeavesTheStackAsItWas) {
  std::vector<std::string> seen;
  Recorder mode(ModeOrder::Tracer, "tracer", seen);
  ModeGuard outer(mode);
  EXPECT_THROW(call_op(test_op("core_test.twice.default"), meta_tensor(kMeta, {1, 1, 1, 1})), Error);
  EXPECT_EQ(active_mode(ModeOrder::Tracer), &mode);
  try {
    ModeGuard inner(mode);
    throw 1;
  } catch (int) {
  }
  seen.clear();
  call_op(test_op("core_test.twice.default"), tensor_of<float>({1}, {1}));
  EXPECT_EQ(seen.size(), 1u);
}

TEST(Modes, SuspendingRunsCallsForReal) {
  std::vector<std::string> seen;
  Recorder mode(ModeOrder::Tracer, "tracer", seen);
  ModeGuard guard(mode);
  {
    SuspendModes suspended;
    EXPECT_EQ(active_mode(ModeOrder::Tracer), nullptr);
    call_op(test_op("core_test.twice.default"), tensor_of<float>({1}, {1}));
  }
  EXPECT_TRUE(seen.empty());
  EXPECT_EQ(active_mode(ModeOrder::Tracer), &mode);
}

// mm's kernel would read the input with the sizes that the resize of `out` gave it, so the call is refused.
TEST(Derived, OutArgumentThatIsInputIsNotResized) {
  const Tensor a = tensor_of<float>({1, 2}, {1, 2}), b = tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  try {
    call(op_named("aten.mm.out"), std::vector<Value>{Value(a), Value(b), Value(a)});
    FAIL() << "the input was resized";
  } catch (const Error& e) {
    EXPECT_EQ(e.label, "mm.overlap.or_any");
    EXPECT_EQ(to_string(a.meta()), "f32[1,2]{2,1}+0@cpu");
  }
}
// A reduction accepts an input as `out`. It is resized before the kernel runs, but the kernel reads the old elements.
TEST(Derived, InputResizedResultIsReadAsItWas) {
  const Tensor x = tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const int64_t dim[] = {0};
  const std::pair<std::string, Value> out[] = {{"out", Value(x)}};
  const Values sums = call(op_named("aten.sum.IntList_out"), std::vector<Value>{Value(x), Value::int_list(dim)}, out);
  EXPECT_TRUE(sums[0].tensor().is(x));
  EXPECT_EQ(to_string(x.meta()), "f32[3]{1}+0@cpu");
  EXPECT_EQ(std::vector<float>(x.data<float>(), x.data<float>() + 3), (std::vector<float>{5, 7, 9}));
}

}  // namespace
}  // namespace ersatz
