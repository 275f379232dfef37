// In the body of a composite op, `active_fake_mode` returns the mode that answers the op.
#include "fake/mode/active_fake_mode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/crosscheck/crosscheck_mode.h"
#include "runtime/op/composite.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

const FakeMode* g_mode = nullptr;
FakeModeState* g_active = nullptr;

/// Gives `faketest::four` another body until the end of the scope.
class Body {
 public:
  explicit Body(CompositeBody body)
      : entry_(*registry().find_mutable(test_op("four").name)), body_(std::exchange(entry_.composite, body)) {}
  ~Body() { entry_.composite = body_; }

 private:
  OpEntry& entry_;
  const CompositeBody body_;
};

TEST(ActiveFakeMode, IsOneThatAnswersCompositeWhoseBodyRuns) {
  const FakeMode mode;
  EXPECT_EQ(active_fake_mode(), nullptr);
  const Body body([](CompositeCall& call) {
    g_active = active_fake_mode();
    call.returns(call_op(test_op("twice"), call.tensor(0)));
  });
  call_test_op("four", {mode.make(meta_of("f32[2]"))});
  EXPECT_EQ(g_active, &mode.state());
}

TEST(CompositeBody, FindsTheDeviceOfItsTensors) {
  static Device found;
  const FakeMode mode;
  const Body body([](CompositeCall& call) {
    found = call.device;
    call.returns(call_op(test_op("twice"), call.tensor(0)));
  });
  call_test_op("four", {mode.make(meta_of("f32[2]@cuda:1"))});
  EXPECT_EQ(found, cuda(1));
  call_test_op("four", {mode.make(meta_of("f32[2]"))});
  EXPECT_EQ(found, kCPU);
}

TEST(ActiveFakeMode, IsNoneUnderACrosscheck) {
  CrosscheckMode mode;
  const ModeGuard guard(mode);
  EXPECT_EQ(active_fake_mode(), nullptr);
}

// The body of the composite op opens a FakeScope of the mode that runs the body. The op's Answer still lists the ops
// that the body called, and that one of them used its fallback.
TEST(ActiveFakeMode, ScopeOfItInBodyChangesNothing) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  const FakeMode mode(options);
  g_mode = &mode;
  const Body body([](CompositeCall& call) {
    const FakeScope scope(*g_mode);
    call.returns(call_op(test_op("opaque"), call.tensor(0)));
  });
  Answer answer;
  const std::vector<Value> args{Value(mode.make(meta_of("f32[2]")))};
  mode.state().answer(test_op("four"), args, answer);
  EXPECT_TRUE(answer.fell_back);
}

}  // namespace
}  // namespace ersatz
