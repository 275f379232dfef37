// Fields of an error besides its message: kind, op, argument, metadata of the arguments, source line, suggestion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/crosscheck/crosscheck_mode.h"
#include "fake/mode/fake_mode.h"
#include "runtime/base/source_line.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// The expected fields of an error.
struct Refusal {
  ErrorKind kind;
  const char* op;
  int argument;  ///< -1: no argument in particular
  std::vector<std::string> arguments;
  const char* suggestion;  ///< a part of the suggestion; empty: the error has none
  std::function<void()> call;
};

void expect_fields(const Refusal& expected) {
  const SourceLine line("model.py:12: y = f(x)");
  const Error e = error_of(expected.call);
  SCOPED_TRACE(e.message);
  EXPECT_EQ(e.kind, expected.kind);
  EXPECT_EQ(e.op, expected.op);
  EXPECT_EQ(e.argument, expected.argument);
  EXPECT_EQ(e.arguments, expected.arguments);
  EXPECT_EQ(e.source, "model.py:12: y = f(x)");
  if (*expected.suggestion) {
    EXPECT_THAT(e.suggestion, HasSubstr(expected.suggestion));
  } else {
    EXPECT_THAT(e.suggestion, IsEmpty());
  }
}

Value boxed(std::string_view op, std::initializer_list<Value> args) { return call(op, args)[0]; }

// BEY-40: an error of each kind has its fields
TEST(ErrorFields, AreThereForEveryKind) {
  FakeMode mode, other;
  const Tensor fake = mode.make(meta_of("f32[2]")), far = mode.make(meta_of("f32[2]@cuda:0"));
  const Tensor three = mode.make(meta_of("f32[3]")), real = ones_f32({2}), of_other = other.make(meta_of("f32[2]"));
  ShapeEnv env;
  const SymInt u0 = env.symbol("u0");
  const Tensor unknown = mode.make(TensorMeta(DType::F32, DimVec{u0}), 4 * u0);
  const std::string f32_2 = "f32[2]{1}+0@cpu", f32_3 = "f32[3]{1}+0@cpu", on_cuda = "f32[2]{1}+0@cuda:0";
  const auto in_scope = [&](const std::function<void()>& f) {
    return [&mode, f] {
      FakeScope scope(mode);
      f();
    };
  };
  Tensor odd = ones_f32({2});
  odd.impl()->meta.strides.clear();

  const std::vector<Refusal> table{
      {ErrorKind::InvalidArgument,
       "add",
       -1,
       {f32_2, f32_3},
       "",
       [&] {
         call_test_op("add", {fake, three});
       }},
      {ErrorKind::InvalidArgument, "twice", 0, {"\"x\""}, "", [&] { call_test_op("twice", {Value("x")}); }},
      {ErrorKind::InvalidArgument, "add", 1, {f32_2, f32_2}, "convert it with from_tensor", in_scope([&] {
         call_test_op("add", {fake, real});
       })},
      {ErrorKind::InvalidArgument, "add", 1, {f32_2, f32_2}, "convert it with from_tensor", in_scope([&] {
         call_test_op("add", {fake, of_other});
       })},
      {ErrorKind::InvalidArgument, "flip_", 0, {f32_2}, "convert it with from_tensor", in_scope([&] {
         call_test_op("flip_", {real});
       })},
      {ErrorKind::NotSupported,
       "mm",
       -1,
       {"bool[1,1]{1,1}+0@cpu", "bool[1,1]{1,1}+0@cpu"},
       "convert it to one of",
       [&] {
         const Tensor b = mode.make(meta_of("bool[1,1]"));
         boxed("aten.mm.default", {b, b});
       }},
      {ErrorKind::DataDependentOutput, "read", 0, {f32_2}, "propagate_real", [&] { call(test_op("read"), {{fake}}); }},
      {ErrorKind::DynamicOutputShape,
       "nonzero",
       0,
       {f32_2},
       "propagate_real",
       [&] { boxed("aten.nonzero.default", {fake}); }},
      {ErrorKind::UnsupportedOperator, "unwilling", -1, {f32_2}, "rule", [&] { call_test_op("unwilling", {fake}); }},
      {ErrorKind::UnsupportedFakeTensor,
       "twice",
       -1,
       {"f32[2]{}+0@cpu"},
       "keep the tensor real",
       [&] {
         FakeOptions converts;
         converts.allow_non_fake_inputs = true;
         FakeScope scope{FakeMode(converts)};
         call_test_op("twice", {odd});
       }},
      {ErrorKind::DeviceMismatch,
       "add",
       1,
       {f32_2, on_cuda},
       "move argument 1 to cpu",
       [&] {
         call_test_op("add", {fake, far});
       }},
      {ErrorKind::MetadataMismatch,
       "column_major",
       -1,
       {"f32[2,3]{3,1}+0@cpu"},
       "stop_at_first",
       [&] {
         CrosscheckOptions options;
         options.stop_at_first = true;
         CrosscheckMode crosscheck(options);
         ModeGuard guard(crosscheck);
         call_test_op("column_major", {ones_f32({2, 3})});
       }},
      {ErrorKind::GuardOnDataDependent,
       "split",
       -1,
       {"f32[u0]{1}+0@cpu", "3", "0"},
       "hint",
       [&] {
         boxed("aten.split.Tensor", {unknown, 3});
       }},
      {ErrorKind::InternalError, "broken", -1, {f32_2}, "report", [&] { call_test_op("broken", {fake}); }},
  };
  std::vector<bool> seen(static_cast<size_t>(ErrorKind::GuardOnDataDependent) + 1);
  for (const Refusal& r : table) {
    expect_fields(r);
    seen[static_cast<size_t>(r.kind)] = true;
  }
  EXPECT_THAT(seen, testing::Each(true));
}

// BEY-40: errors that are not raised in a call have the source line too
TEST(ErrorFields, OutsideCallsKnowTheUsersLine) {
  const SourceLine line("model.py:13");
  const Error e = error_of([] { FakeMode().make(meta_of("f32[1]")).item_double(); });
  EXPECT_EQ(e.kind, ErrorKind::DataDependentOutput);
  EXPECT_EQ(e.source, "model.py:13");
  EXPECT_THAT(e.suggestion, HasSubstr("from_constant"));
  EXPECT_THAT(e.op, IsEmpty());
}

// BEY-40: the error of a composite op names the innermost op that refused
TEST(ErrorFields, NameThePartOfACompositeThatRefused) {
  FakeMode mode;
  const Tensor a = mode.make(meta_of("f32[2,3]")), b = mode.make(meta_of("f32[4,5]"));
  const Error e = error_of([&] { boxed("aten.linear.default", {a, b}); });
  EXPECT_THAT(e.message, testing::StartsWith(e.op + ": "));
  EXPECT_THAT(e.arguments, Not(IsEmpty()));
}

// BEY-40: for a tensor of another mode, the message says where the tensor and its mode were made
TEST(ErrorFields, OfForeignTensorsSayWhereTheyWereMade) {
  FakeOptions keeps;
  keeps.keep_stacks = true;
  FakeMode owner(keeps), mode;
  const Tensor foreign = owner.make(meta_of("f32[2]"));
  FakeScope scope(mode);
  const std::string message = error_of([&] { call_test_op("twice", {foreign}); }).message;
  EXPECT_THAT(message, HasSubstr("It was made\n" + creation_stack(foreign)));
  EXPECT_THAT(message, HasSubstr("Its mode was made\n" + owner.stack()));
}

}  // namespace
}  // namespace ersatz
