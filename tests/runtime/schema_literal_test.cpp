#include "runtime/op/schema_literal.h"

#include <gtest/gtest.h>

#include "runtime/base/error.h"
#include "runtime/op/registry.h"

namespace ersatz {
namespace {

constexpr Schema kPad{"aten::pad(Tensor(a) self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor(a)"};
constexpr Schema kShift{
    "aten::shift(Tensor self, int[2] by=[1, -1], *, bool wraps=False, Tensor(a!) out) -> Tensor(a!)"};
constexpr Schema kFamily{"aten::{}.dim(Tensor self, {} index, {}) -> Tensor"};

/// A name that can be a template argument.
struct Name {
  template <size_t n>
  consteval Name(const char (&name)[n]) {
    for (size_t i = 0; i < n; ++i) text[i] = name[i];
  }
  char text[16] = {};
};
template <const auto& schema, Name name>
concept HasArgument = requires {
  typename std::integral_constant<size_t, schema[name.text]>;
};

TEST(SchemaLiteral, ANameIsItsPlaceInTheSchema) {
  static_assert(kPad["self"] == 0 && kPad["pad"] == 1 && kPad["mode"] == 2 && kPad["value"] == 3);
}

TEST(SchemaLiteral, CommasInDefaultsAndStarsAreNoArguments) {
  static_assert(kShift["by"] == 1 && kShift["wraps"] == 2 && kShift["out"] == 3 && kShift.count() == 4);
}

TEST(SchemaLiteral, NameThatSchemaHasNotDoesNotCompile) {
  static_assert(HasArgument<kPad, "mode">);
  static_assert(!HasArgument<kPad, "modes">);
  static_assert(!HasArgument<kPad, "a">);
}

TEST(SchemaLiteral, SeveralSchemasAnswerNamesAtCommonPositions) {
  static constexpr Schemas both{kPad, kShift};
  static constexpr Schemas moved{kPad, kFamily};
  static_assert(both["self"] == 0);
  static_assert(HasArgument<both, "self"> && !HasArgument<both, "pad"> && !HasArgument<moved, "pad">);
}

TEST(SchemaLiteral, ArgumentsOfADerivedFormFollow) { static_assert(kPad.out() == 4 && kPad.out(1) == 5); }

TEST(SchemaLiteral, FamilyIsSpeltForEachOfItsOps) {
  static_assert(kFamily["self"] == 0 && kFamily["index"] == 1);
  EXPECT_EQ(kFamily.with("take", "int", "bool keepdim=False"),
            "aten::take.dim(Tensor self, int index, bool keepdim=False) -> Tensor");
}

TEST(SchemaLiteral, BehindAnyNumberOfArgumentsNoneHasName) {
  static constexpr Schema open{"aten::{}(Tensor input, {}float[]? factors, bool last, {}) -> Tensor"};
  static_assert(HasArgument<open, "input"> && !HasArgument<open, "factors"> && !HasArgument<open, "last">);
}

TEST(SchemaLiteral, RegisteredOpKnowsFileThatRegisteredIt) {
  Registry registry;
  EXPECT_EQ(registry.add(kPad).source, "tests/runtime/schema_literal_test.cpp");
}

#ifndef NDEBUG
TEST(SchemaLiteral, NameOfAnotherOpsArgumentIsInternalError) {
  Registry registry;
  const OpEntry& op = registry.add(kPad);
  const std::vector<Value> args(4);
  RuleResult result;
  const RuleCall call{op, args, rule_context(), kCPU, result};
  EXPECT_FALSE(call.has(kPad["value"]));
  EXPECT_THROW(call.has(kShift["wraps"]), Error);
}
#endif

}  // namespace
}  // namespace ersatz
