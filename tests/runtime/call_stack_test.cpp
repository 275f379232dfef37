// Creation stacks and source lines (runtime/base/call_stack.h, runtime/base/source_line.h).
#include "runtime/base/call_stack.h"

#include "runtime/base/source_line.h"
#include "runtime/op/dispatch.h"

namespace ersatz {
namespace {

TEST(CallStack, HasOneLinePerCallFormattedWhenAsked) {
  const Ref<CallStack> stack = CallStack::capture();
  EXPECT_FALSE(stack->formatted());
  const std::string& text = stack->text();
  EXPECT_TRUE(stack->formatted());
  EXPECT_THAT(text, testing::StartsWith("  at "));
  EXPECT_THAT(text, testing::HasSubstr("test_runtime"));
  EXPECT_EQ(&stack->text(), &text);
}

TEST(SourceLine, InnermostOneCountsAndFormerComesBack) {
  EXPECT_EQ(current_source_line(), "");
  {
    const SourceLine outer("a.py:1");
    {
      const SourceLine inner("b.py:2");
      EXPECT_EQ(current_source_line(), "b.py:2");
    }
    EXPECT_EQ(current_source_line(), "a.py:1");
  }
  EXPECT_EQ(current_source_line(), "");
  EXPECT_THAT(SourceLine::here(), testing::StartsWith("call_stack_test.cpp:"));
}

// BEY-40: the error of a refused call has its arguments and the user's line.
TEST(SourceLine, StandsInTheErrorOfARefusedCall) {
  const SourceLine line("model.py:12");
  const Tensor a = tensor_of<float>({1, 2}, {2}), b = tensor_of<float>({1, 2, 3}, {3});
  try {
    call("aten.add.Tensor", {Value(a), Value(b), Value(int64_t(1))});
    FAIL() << "sizes 2 and 3 were added";
  } catch (const Error& e) {
    EXPECT_EQ(e.op, "add");
    EXPECT_EQ(e.source, "model.py:12");
    ASSERT_EQ(e.arguments.size(), 3u);
    EXPECT_EQ(e.arguments[1], "f32[3]{1}+0@cpu");
  }
}

}  // namespace
}  // namespace ersatz
