// Lost real values and the calls that they affect, the budget of bytes, and the release of real tensors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "fake/mode/fake_mode_state.h"
#include "fake/mode/real_values.h"
#include "runtime/base/log.h"
#include "runtime/base/source_line.h"
#include "runtime/sym/sym_node.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/cuda_module.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/log_text.h"
#include "tests/fake/real_ops.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Tensor run(std::string_view op, std::initializer_list<Value> args) { return call(op, args)[0].tensor(); }
Tensor add(const Tensor& x, const Tensor& y) { return run("aten.add.Tensor", {Value(x), Value(y), Value(int64_t(1))}); }
Tensor floats(std::initializer_list<float> v) { return tensor_of<float>(v, {static_cast<int64_t>(v.size())}); }

// REAL-03
TEST(ValueLoss, OpOnAFakeWithoutValueIsSkipped) {
  FakeMode mode(propagating());
  const Tensor x = mode.from_tensor(floats({1, 2})), y = mode.make(meta_of("f32[2]"));
  const LogText log(LogLevel::Info);
  const int64_t before = kernel_runs();
  const Tensor sum = add(x, y);
  const Tensor twice = call_real_op("twice", {sum});
  EXPECT_EQ(kernel_runs(), before);
  EXPECT_FALSE(real_value(sum));
  EXPECT_FALSE(real_value(twice));
  EXPECT_EQ(to_string(twice.meta()), "f32[2]{1}+0@cpu");
  EXPECT_THAT(log.text(), HasSubstr("propagate_real_tensors skipped aten.add.Tensor"));
  EXPECT_THAT(log.text(), HasSubstr("propagate_real_tensors skipped realtest.twice.default"));
}

// BEY-19
TEST(ValueLoss, ReportHasPlaceReasonAndAffectedResults) {
  FakeMode mode(propagating(8));
  const Tensor x = mode.from_tensor(floats({1, 2}));
  Tensor big;
  {
    SourceLine line("model.py:7: y = x.repeat(9)");
    big = run("aten.expand.default", {Value(x), Value::int_list(std::vector<int64_t>{9, 2})});
    big = run("aten.clone.default", {Value(big)});
  }
  for (int i = 0; i < 3; ++i) add(big, x);
  call_real_op("twice", {add(big, big)});
  const RealReport report = mode.real_report();
  ASSERT_EQ(report.losses.size(), 1u);
  const ValueLoss& loss = report.losses[0];
  EXPECT_EQ(loss.op, "aten.clone.default");
  EXPECT_EQ(loss.reason, "72 bytes more are over the budget of 8 bytes");
  EXPECT_EQ(loss.source, "model.py:7: y = x.repeat(9)");
  ASSERT_EQ(loss.affected.size(), 2u);
  EXPECT_EQ(loss.affected[0].op, "aten.add.Tensor");
  EXPECT_EQ(loss.affected[0].count, 4);
  EXPECT_EQ(loss.affected[1].op, "realtest.twice.default");
  EXPECT_FALSE(report.successful());
  EXPECT_EQ(to_string(report),
            "lost: aten.clone.default at model.py:7: y = x.repeat(9): 72 bytes more are over the budget of 8 bytes\n"
            "  so aten.add.Tensor was not run for real (4 times)\n"
            "  so realtest.twice.default was not run for real\n");
}

// BEY-19: an error that a lost value causes names the loss.
TEST(ValueLoss, ReadOfLostValueNamesItsOrigin) {
  FakeMode mode(propagating());
  const Tensor x = call_real_op("twice", {mode.make(meta_of("f32[1]"))});
  const Error e = error_of([&] { call("aten.item.default", {Value(x)}); });
  EXPECT_EQ(e.kind, ErrorKind::DataDependentOutput);
  EXPECT_THAT(e.message, HasSubstr("(the real value was lost: made without a value)"));
}

// BEY-19
TEST(ValueLoss, WriteWithoutValueTakesValuesOfWholeStorage) {
  FakeMode mode(propagating());
  const Tensor x = mode.from_tensor(tensor_of<float>({1, 2, 3, 4}, {2, 2}));
  const Tensor row = run("aten.select.int", {Value(x), Value(0), Value(1)});
  run("aten.add_.Tensor", {Value(row), Value(mode.make(meta_of("f32[2]"))), Value(int64_t(1))});
  EXPECT_FALSE(real_value(row));
  EXPECT_FALSE(real_value(x));
  EXPECT_THAT(mode.real_report().losses, testing::SizeIs(1));
}

// BEY-19
TEST(ValueLoss, EachReasonIsNamed) {
  FakeMode mode(propagating()), other;
  const Tensor meta = mode.from_meta(make_real_tensor(meta_of("f32[2]@meta")), kCPU);
  const Tensor without = mode.from_tensor(other.make(meta_of("f32[2]")));
  call_real_op("twice", {meta});
  call_real_op("twice", {without});
  std::vector<std::string> reasons;
  for (const ValueLoss& l : mode.real_report().losses) reasons.push_back(l.reason);
  EXPECT_THAT(reasons, ElementsAre("a meta tensor has no value", "converted from a fake that has no value"));
}

// REAL-03
TEST(ValueLoss, CallWithSymbolIsNotRunForReal) {
  ShapeEnv env;
  FakeMode mode(propagating());
  FakeScope scope(mode);
  const DimVec sizes{env.symbol("s0", 5), 2};
  const Tensor x = run("aten.ones.default", {Value(sizes)});
  EXPECT_EQ(to_string(x.meta()), "f32[s0,2]{2,1}+0@cpu");
  EXPECT_FALSE(real_value(x));
  ASSERT_EQ(mode.real_report().losses.size(), 1u);
  EXPECT_EQ(mode.real_report().losses[0].reason, "an argument is symbolic");
}

// REAL-03: a call with a symbolic number without a value does not run for real.
TEST(ValueLoss, CallWithAnUnknownNumberIsNotRun) {
  ShapeEnv env;
  FakeMode mode(propagating());
  const Tensor x = mode.from_tensor(floats({1, 2}));
  const Tensor y = run("aten.mul.Scalar", {Value(x), Value(env.symbol("u0"))});
  EXPECT_EQ(to_string(y.meta()), "f32[2]{1}+0@cpu");
  EXPECT_FALSE(real_value(y));
  ASSERT_EQ(mode.real_report().losses.size(), 1u);
  EXPECT_EQ(mode.real_report().losses[0].reason, "an argument is symbolic");
}

TEST(ValueLoss, CudaFakesHaveNoValueWithoutAGpu) {
  if (cuda_device_count() > 0) GTEST_SKIP() << "a GPU is here: the values live on it";
  FakeMode mode(propagating());
  FakeScope scope(mode);
  const Tensor x = call(op_named("aten.ones.default"), std::vector<Value>{Value::int_list(std::vector<int64_t>{2})},
                        std::vector<std::pair<std::string, Value>>{{"device", Value(cuda(0))}})[0]
                       .tensor();
  EXPECT_EQ(x.device(), cuda(0));
  EXPECT_FALSE(real_value(x));
  ASSERT_EQ(mode.real_report().losses.size(), 1u);
  EXPECT_EQ(mode.real_report().losses[0].reason, "no cuda device is there");
}

TEST(DataUse, EachReadIsNotedWithLineAndValue) {
  FakeMode mode(propagating());
  const Tensor x = mode.from_tensor(floats({0, 5}));
  {
    SourceLine line("model.py:3: i = x.nonzero()");
    for (int i = 0; i < 2; ++i) run("aten.nonzero.default", {Value(x)});
  }
  call("aten.item.default", {Value(run("aten.select.int", {Value(x), Value(0), Value(1)}))});
  const std::vector<DataUse> uses = mode.real_report().data_uses;
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0].op, "aten.nonzero.default");
  EXPECT_EQ(uses[0].source, "model.py:3: i = x.nonzero()");
  EXPECT_THAT(uses[0].value.text, HasSubstr("i64[1,1]"));
  EXPECT_EQ(uses[0].count, 2);
  EXPECT_EQ(uses[1].op, "aten._local_scalar_dense.default");
  EXPECT_EQ(uses[1].value.text, "5.0");
  EXPECT_FALSE(mode.real_report().successful());
}

TEST(RealReport, SaysSoWhereNothingWasLost) {
  FakeMode mode(propagating());
  call_real_op("twice", {mode.from_tensor(floats({1}))});
  EXPECT_TRUE(mode.real_report().successful());
  EXPECT_EQ(to_string(mode.real_report()), "every value was carried\n");
}

// BEY-22
TEST(RealCopies, ShareTheirStorageAsTheOriginalsDo) {
  FakeMode mode(propagating());
  const Tensor base = floats({1, 2, 3, 4});
  const Tensor view = make_view(base, meta_of("f32[2]{2}+1"));
  const Tensor unrelated(meta_of("f32[2]"), base.storage());  // made without an op
  const Tensor a = mode.from_tensor(view), b = mode.from_tensor(base), c = mode.from_tensor(unrelated);
  EXPECT_TRUE(real_value(a).shares_storage(real_value(b)));
  EXPECT_TRUE(real_value(c).shares_storage(real_value(b)));
  EXPECT_EQ(mode.real_copies(), 1u);
  run("aten.zero_.default", {Value(a)});
  EXPECT_THAT(values_of(b), ElementsAre(1, 0, 3, 0));
  EXPECT_THAT(values_of(c), ElementsAre(1, 0));
}

// BEY-22
TEST(RealCopies, TakeNoBytesUntilTheyAreWritten) {
  FakeMode mode(propagating());
  const Tensor original = make_real_tensor(meta_of("f32[1024]"));
  const int64_t before = host_allocator().figures().live_bytes;
  const Tensor fake = mode.from_tensor(original);
  EXPECT_EQ(host_allocator().figures().live_bytes, before);
  EXPECT_EQ(mode.real_bytes(), 0);
  EXPECT_EQ(mode.real_copies(), 1u);
  run("aten.zero_.default", {Value(fake)});
  EXPECT_GE(host_allocator().figures().live_bytes, before + 4096);
  EXPECT_EQ(mode.real_bytes(), 4096);
}

// BEY-22
TEST(RealCopies, ValuesOverTheBudgetAreLostBeforeAllocation) {
  FakeMode mode(propagating(10000));
  const Tensor x = mode.from_tensor(make_real_tensor(meta_of("f32[1024]")));
  const Tensor y = run("aten.zeros_like.default", {Value(x)});  // 4096 bytes
  const int64_t before = host_allocator().figures().allocations;
  const Tensor z = run("aten.expand.default", {Value(y), Value::int_list(std::vector<int64_t>{2, 1024})});  // a view
  const Tensor lost = run("aten.clone.default", {Value(z)});                                                // 8192
  EXPECT_EQ(host_allocator().figures().allocations, before);
  EXPECT_TRUE(real_value(z));
  EXPECT_FALSE(real_value(lost));
  EXPECT_EQ(to_string(lost.meta()), "f32[2,1024]{1024,1}+0@cpu");
  EXPECT_EQ(mode.real_bytes(), 4096);
  EXPECT_TRUE(real_value(call("aten.neg.default", {Value(y)})[0].tensor()));  // 4096 bytes are free again
}

// BEY-22: freed real tensors no longer count.
TEST(RealCopies, TheBudgetCountsWhatLives) {
  FakeMode mode(propagating(10000));
  const Tensor x = mode.from_tensor(make_real_tensor(meta_of("f32[1024]")));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(real_value(call("aten.neg.default", {Value(x)})[0].tensor())) << i;
}

// BEY-22
TEST(RealCopies, PartingCopyFromItsOriginalCountsForBudget) {
  FakeMode mode(propagating(1000));
  const Tensor x = mode.from_tensor(make_real_tensor(meta_of("f32[1024]")));
  EXPECT_TRUE(real_value(x));
  run("aten.zero_.default", {Value(x)});
  EXPECT_FALSE(real_value(x));
  EXPECT_EQ(mode.real_report().losses[0].reason, "4096 bytes more are over the budget of 1000 bytes");
}

// BEY-22
TEST(RealCopies, DropRealFreesAllAndFakesLiveOn) {
  FakeMode mode(propagating());
  const int64_t before = host_allocator().figures().live_bytes;
  const Tensor x = mode.from_tensor(floats({1, 2}));
  const Tensor y = call_real_op("twice", {x});
  WeakRef<TensorImpl> weak(real_value(y).ref());
  mode.drop_real();
  EXPECT_TRUE(weak.expired());
  EXPECT_EQ(mode.real_copies(), 0u);
  EXPECT_EQ(host_allocator().figures().live_bytes, before);
  EXPECT_EQ(to_string(call_real_op("twice", {y}).meta()), "f32[2]{1}+0@cpu");
  EXPECT_EQ(mode.real_report().losses[0].reason, "drop_real() freed it");
  EXPECT_THAT(values_of(call_real_op("twice", {mode.from_tensor(floats({3}))})), ElementsAre(6));
}

// BEY-22
TEST(RealCopies, NoneLivesAfterItsModeEnded) {
  const Tensor original = floats({1, 2});
  const int64_t before = host_allocator().figures().live_bytes;
  Ref<RealValues> values;
  WeakRef<FakeModeState> weak_mode;
  {
    FakeMode mode(propagating());
    FakeScope scope(mode);
    values = mode.state().reals;
    weak_mode = WeakRef<FakeModeState>(Ref<FakeModeState>(&mode.state()));
    Tensor x = mode.from_tensor(original);
    for (int i = 0; i < 5; ++i) x = add(x, x);
    EXPECT_EQ(values->live_copies(), 1u);
    EXPECT_GT(host_allocator().figures().live_bytes, before);
  }
  EXPECT_TRUE(weak_mode.expired());
  EXPECT_EQ(values->live_copies(), 0u);
  EXPECT_EQ(values->live_bytes(), 0);
  EXPECT_EQ(host_allocator().figures().live_bytes, before);
}

TEST(RealCopies, TheModeKeepsNoTensorAlive) {
  FakeMode mode(propagating());
  Tensor x = mode.from_tensor(floats({1, 2}));
  const WeakRef<TensorImpl> weak_fake(x.ref()), weak_real(real_value(x).ref());
  x = Tensor();
  EXPECT_TRUE(weak_fake.expired());
  EXPECT_TRUE(weak_real.expired());
  EXPECT_EQ(mode.real_copies(), 0u);
}

}  // namespace
}  // namespace ersatz
