// Numbers of live modes, tensors, storages and nodes: after each test they are what they were before it.
#include "runtime/tensor/live_objects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "fake/mode/fake_mode.h"
#include "fake/object/module_tree.h"
#include "runtime/autograd/backward.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

// BEY-38: live objects of each kind are counted
TEST(LiveObjects, CountModesFakesAndStorages) {
  const LiveObjects before = live_objects();
  {
    const FakeMode mode;
    EXPECT_EQ(live_objects().modes, before.modes + 1);
    const Tensor real = ones_f32({2});
    EXPECT_EQ(live_objects().storages, before.storages + 1);
    EXPECT_EQ(live_objects().tensors, before.tensors + 1);
    EXPECT_EQ(live_objects().fakes, before.fakes);
    const Tensor fake = mode.from_tensor(real), view = make_view(fake, meta_of("f32[1]{1}+0"));
    EXPECT_EQ(live_objects().fakes, before.fakes + 2);
    EXPECT_EQ(live_objects().tensors, before.tensors + 3);
    EXPECT_EQ(live_objects().storages, before.storages + 2);
  }
  EXPECT_EQ(live_objects(), before);
}

// BEY-38: a mode without handles lives as long as its fakes
TEST(LiveObjects, AModeLivesAsLongAsItsFakes) {
  const LiveObjects before = live_objects();
  Tensor fake = FakeMode().make(meta_of("f32[2]"));
  EXPECT_EQ(live_objects().modes, before.modes + 1);
  fake = Tensor();
  EXPECT_EQ(live_objects(), before);
}

// BEY-38: calls, errors and converted modules leave nothing behind
TEST(LiveObjects, CallsErrorsAndModulesLeaveNothing) {
  const LiveObjects before = live_objects();
  {
    FakeOptions options;
    options.cache = CachePolicy::Always;
    const FakeMode mode(options);
    Module module;
    module.parameters = {{"w", ones_f32({2})}};
    const FakeScope scope(mode);
    for (int i = 0; i < 100; ++i) call_test_op("twice", {mode.from_tensor(module.find("w"))});
    EXPECT_THROW(call_test_op("twice", {ones_f32({2})}), Error);
  }
  EXPECT_EQ(live_objects(), before);
}

// PyTorch 2.15 also refuses the write in this test.
TEST(LiveObjects, WriteIntoViewOfFormerParameterLeavesNothing) {
  const LiveObjects before = live_objects();
  {
    const Tensor x = ones_f32({2, 1, 3, 1});
    set_requires_grad(x);
    const Tensor y = call("aten.squeeze.default", {x})[0].tensor();
    set_requires_grad(x, false);
    try {
      call("aten.asinh_.default", {y});
      ADD_FAILURE() << "passes";
    } catch (const Error& e) {
      EXPECT_THAT(e.message, testing::HasSubstr("a view of a leaf Variable that requires grad"));
    }
  }
  EXPECT_EQ(live_objects(), before);
}

TEST(LiveObjects, CountNodesOfGraphUntilItIsFreed) {
  const LiveObjects before = live_objects();
  {
    const Tensor x = ones_f32({2});
    set_requires_grad(x);
    const Tensor y = call("aten.sum.default", {call("aten.exp.default", {x})[0]})[0].tensor();
    EXPECT_EQ(live_objects().nodes, before.nodes + 3);  // with the leaf's AccumulateGrad
    backward(y);
  }
  EXPECT_EQ(live_objects(), before);
}

// BEY-38: objects that are made and freed on different threads are counted correctly
TEST(LiveObjects, AddUpOverThreads) {
  const LiveObjects before = live_objects();
  std::vector<Tensor> made(4);
  std::vector<std::thread> threads;
  for (Tensor& t : made) threads.emplace_back([&t] { t = FakeMode().make(meta_of("f32[2]")); });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(live_objects().fakes, before.fakes + 4);
  EXPECT_EQ(live_objects().modes, before.modes + 4);
  std::thread([&made] { made.clear(); }).join();
  EXPECT_EQ(live_objects(), before);
}

}  // namespace
}  // namespace ersatz
