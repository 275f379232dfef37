// MemoryMeter and FlopCounter: the memory and the floating point operations of a run that is not made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "fake/observe/flop_counter.h"
#include "fake/observe/memory_meter.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

Tensor run(std::string_view op, std::initializer_list<Value> args) { return call(op, args)[0].tensor(); }

/// Runs products, views, in-place calls and a composite op, frees temporaries, and resizes a tensor.
Tensor reference_chain(const Tensor& x, const Tensor& w, const Tensor& bias) {
  Tensor h = run("aten.relu.default", {run("aten.addmm.default", {bias, x, w})});
  h = run("aten.mul.Tensor", {h, run("aten.matmul.default", {x, w})});
  {
    const Tensor wide = run("aten.cat.default", {Value::list(std::vector<Value>{h, h, h}), Value(1)});
    run("aten.add_.Tensor", {h, run("aten.slice.Tensor", {wide, Value(1), Value(0), Value(16), Value(1)})});
  }
  const Tensor grown = run("aten.clone.default", {h});
  run("aten.resize_.default", {grown, Value::int_list(std::vector<int64_t>{40, 16})});
  return run("aten.mm.default", {run("aten.t.default", {h}), run("aten.softmax.int", {h, Value(-1)})});
}

// BEY-29: the peak of a fake run is the measured peak of the real one
TEST(MemoryMeter, FindsThePeakThatTheRealRunHas) {
  const Tensor x = ones_f32({8, 32}), w = ones_f32({32, 16}), bias = ones_f32({16});
  reference_chain(x, w, bias);  // the kernels have allocated the memory that they keep
  const int64_t before = host_allocator().figures().live_bytes;
  host_allocator().reset_peak();
  const Tensor y = reference_chain(x, w, bias);
  const AllocatorFigures measured = host_allocator().figures();

  FakeMode mode;
  const Tensor fx = mode.from_tensor(x), fw = mode.from_tensor(w), fbias = mode.from_tensor(bias);
  MemoryMeter meter;
  Tensor fy;
  {
    ModeGuard guard(meter);
    fy = reference_chain(fx, fw, fbias);
  }
  EXPECT_EQ(meter.figures(kCPU).peak, measured.peak_bytes - before);
  EXPECT_EQ(meter.figures(kCPU).live, measured.live_bytes - before);
  EXPECT_GT(meter.figures(kCPU).peak, meter.figures(kCPU).live);
  EXPECT_EQ(meter.figures(kCPU).live, 16 * 16 * 4);
  fy = Tensor();
  EXPECT_EQ(meter.figures(kCPU).live, 0);
}

// BEY-29: views do not count again; tensors from before the meter count only after `watch`
TEST(MemoryMeter, CountsStoragesNotTensors) {
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[10]"));
  MemoryMeter meter;
  ModeGuard guard(meter);
  const Tensor view = run("aten.slice.Tensor", {run("aten.neg.default", {x}), Value(0), Value(0), Value(5), Value(1)});
  EXPECT_EQ(meter.total().live, 40);
  meter.watch(x);
  meter.watch(Value::list(std::vector<Value>{x, view}));
  EXPECT_EQ(meter.total().live, 80);
  EXPECT_EQ(meter.total().peak, 80);
}

// BEY-29: CUDA bytes are rounded up to the allocator's blocks
TEST(MemoryMeter, RoundsCudaBytesUpToBlocks) {
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[129]@cuda:1"));
  MemoryMeter meter;
  ModeGuard guard(meter);
  const Tensor y = run("aten.neg.default", {x});
  EXPECT_EQ(meter.figures(cuda(1)).live, 1024);
  EXPECT_EQ(meter.figures(cuda(0)).live, 0);
  EXPECT_EQ(allocated_bytes(0, cuda()), 0);
  EXPECT_EQ(allocated_bytes(512, cuda()), 512);
}

TEST(MemoryMeter, StaysExactOverManyShortAndLongLives) {
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[1]"));
  MemoryMeter meter;
  std::vector<Tensor> kept;
  ModeGuard guard(meter);
  for (int i = 0; i < 5000; ++i) {
    Tensor y = run("aten.neg.default", {x});
    if (i % 10 == 0) kept.push_back(y);
  }
  EXPECT_EQ(meter.total().live, 500 * 4);
  EXPECT_EQ(meter.total().peak, 501 * 4);
}

// BEY-30: operations are counted by op and in total; views and copies need no operations
TEST(FlopCounter, CountsByTheOpsFormulas) {
  FakeMode mode;
  const Tensor a = mode.make(meta_of("f32[4,5]")), b = mode.make(meta_of("f32[6,5]")),
               c = mode.make(meta_of("f32[4,6]"));
  FlopCounter counter;
  {
    ModeGuard guard(counter);
    const Tensor y = run("aten.mm.default", {a, run("aten.t.default", {b})});
    run("aten.copy_.default", {c, run("aten.clone.default", {y})});
    run("aten._to_copy.default", {y});
    run("aten.cat.default", {Value::list(std::vector<Value>{y, y})});
    run("aten.mul.Tensor", {y, y});
  }
  EXPECT_EQ(counter.by_op().at("aten.mm.default"), 2 * 4 * 5 * 6);
  EXPECT_EQ(counter.by_op().at("aten.mul.Tensor"), 24);
  for (const char* op :
       {"aten.t.default", "aten.clone.default", "aten.copy_.default", "aten._to_copy.default", "aten.cat.default"}) {
    EXPECT_EQ(counter.by_op().at(op), 0) << op;
  }
  EXPECT_EQ(counter.total(), 264);
  EXPECT_THAT(counter.unknown(), IsEmpty());
}

// BEY-30: ops without a formula are listed
TEST(FlopCounter, ListsOpsWithoutAFormula) {
  FakeMode mode;
  const Tensor x = mode.make(meta_of("f32[4]"));
  FlopCounter counter;
  ModeGuard guard(counter);
  call_test_op("twice", {call_test_op("twice", {x})});
  EXPECT_THAT(counter.unknown(), ElementsAre(Pair("faketest.twice.default", 2)));
  EXPECT_THAT(counter.by_op(), IsEmpty());
}

TEST(FlopCounter, CountsPartsOfCompositesAndRealCallsAlike) {
  const Tensor a = ones_f32({2, 3}), b = ones_f32({3, 4});
  FakeMode mode;
  FlopCounter real, fake;
  {
    ModeGuard guard(real);
    run("aten.matmul.default", {a, b});
  }
  {
    ModeGuard guard(fake);
    FakeScope scope(mode);
    run("aten.matmul.default", {mode.from_tensor(a), mode.from_tensor(b)});
  }
  EXPECT_EQ(real.total(), 2 * 2 * 3 * 4);
  EXPECT_EQ(fake.by_op(), real.by_op());
}

TEST(FlopCounter, LeavesRefusalsAsTheyAre) {
  const Tensor real = ones_f32({2, 3});
  FakeMode mode;
  FakeScope scope(mode);
  const auto refusal = [&] { return error_of([&] { run("aten.matmul.default", {real, real}); }).message; };
  const std::string alone = refusal();
  FlopCounter counter;
  ModeGuard guard(counter);
  EXPECT_EQ(refusal(), alone);
  EXPECT_THAT(alone, HasSubstr("matmul: Please convert all Tensors"));
  EXPECT_EQ(counter.total(), 0);
}

}  // namespace
}  // namespace ersatz
