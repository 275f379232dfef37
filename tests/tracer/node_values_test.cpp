// Values of single nodes of a program: fake and real ones on request, examples, and errors.
#include "tracer/run/node_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "runtime/base/source_line.h"
#include "runtime/op/registry.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"
#include "tests/raised_error.h"
#include "tests/tracer/program_paths.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// A program of four nodes: node 0 adds 1 to x in place, nodes 1 and 2 read x, and node 3 is invalid.
const char* const kProgram =
    "graph(%x: f32[2,3], %w: f32[2,3]):\n"
    "  %a: f32[2,3] ~%x = aten.add_.Scalar(%x, 1) {at=\"m.py:1: a\"}\n"
    "  %b: f32[2,3] = aten.mul.Tensor(%a, %w)\n"
    "  %c: f32[2] = aten.sum.dim_IntList(%b, [1])\n"
    "  %d: f32[2,2] = aten.mm.default(%a, %w) {at=\"m.py:4: d\"}\n"
    "  return %c, %d\n";

struct Fixture {
  Program program;
  FakeMode mode;
  Tensor x = tensor_of<float>({0, 1, 2, 3, 4, 5}, {2, 3}), w = tensor_of<float>({1, 1, 1, 2, 2, 2}, {2, 3});
  NodeValues values;
  explicit Fixture(const char* text = kProgram)
      : program(parse_program_text(text, "t")), values(program, std::vector<Value>{x, w}, mode) {}
};

// DBG-27: the values of a node's arguments are computed first; inputs are converted into the mode
TEST(NodeValues, AFakeValueBringsThoseThatItNeeds) {
  Fixture f;
  EXPECT_EQ(f.values.example(1), nullptr);
  const Tensor c = f.values.fake(2)[0].tensor();
  EXPECT_TRUE(f.mode.owns(c));
  EXPECT_EQ(to_string(c.meta()), "f32[2]{1}+0@cpu");
  EXPECT_NE(f.values.example(1), nullptr);
  EXPECT_EQ(f.values.example(3), nullptr);
}

// DBG-27: an existing fake value is returned as is
TEST(NodeValues, AFakeValueThatIsThereIsReturned) {
  Fixture f;
  const Tensor mine = f.mode.make(parse_meta("f32[2,3]{1,2}"));
  f.values.set_example(1, {mine});
  EXPECT_TRUE(f.values.fake(1)[0].tensor().is(mine));
  EXPECT_EQ(to_string(f.values.fake(2)[0].tensor().meta()), "f32[2]{1}+0@cpu");
  const Tensor again = f.values.fake(2)[0].tensor();
  EXPECT_TRUE(f.values.fake(2)[0].tensor().is(again));
}

// DBG-27: results of another mode are refused unless allowed
TEST(NodeValues, FakesOfAnotherModeAreRefusedUnlessAllowed) {
  Fixture f;
  const FakeMode other;
  const Tensor foreign = other.make(parse_meta("f32[2,3]"));
  EXPECT_THAT(error_of([&] { f.values.set_example(1, {foreign}); }).message, HasSubstr("a fake of another mode"));
  f.values.allow_other_modes = true;
  EXPECT_NO_THROW(f.values.set_example(1, {foreign}));
}

// DBG-30: a real value evaluates the node's ancestors, each once
TEST(NodeValues, ARealValueIsComputedOnce) {
  Fixture f;
  EXPECT_EQ(to_string(f.values.real(2)[0].tensor()), "Tensor(f32[2]@cpu, [6, 30])");
  EXPECT_EQ(to_string(f.values.real(1)[0].tensor()), "Tensor(f32[2,3]@cpu, [[1, 2, 3], [8, 10, 12]])");
  EXPECT_EQ(to_string(f.values.real(0)[0].tensor()), "Tensor(f32[2,3]@cpu, [[1, 2, 3], [4, 5, 6]])");
}

// DBG-30: a node that writes an input writes a copy of it
TEST(NodeValues, ARealValueLeavesTheInputsAlone) {
  Fixture f;
  f.values.real(2);
  EXPECT_EQ(to_string(f.x), "Tensor(f32[2,3]@cpu, [[0, 1, 2], [3, 4, 5]])");
  EXPECT_EQ(f.x.version(), 0u);
}

// DBG-29, DBG-30: the error names operator and arguments, then the cause; it is a NodeError with the original nested
TEST(NodeValues, AFailureSaysWhatWasRun) {
  Fixture f;
  for (const bool real : {false, true}) {
    try {
      real ? f.values.real(3) : f.values.fake(3);
      FAIL() << "nothing was raised";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::NodeError);
      EXPECT_THAT(e.message, StartsWith("node d (m.py:4: d): Failed running call_function aten.mm.default(*("
                                        "f32[2,3]{3,1}+0@cpu, f32[2,3]{3,1}+0@cpu), **{}): mm: columns of self"));
      try {
        std::rethrow_if_nested(e);
        FAIL() << "nothing is nested";
      } catch (const Error& cause) {
        EXPECT_EQ(cause.kind, ErrorKind::InvalidArgument);
        EXPECT_THAT(cause.message, StartsWith("mm: columns of self"));
      }
    }
  }
  EXPECT_EQ(current_source_line(), "");
  EXPECT_NO_THROW(f.values.real(2));
}

// DBG-29: in the error, keyword arguments come after the positional ones
TEST(NodeValues, AFailureHasKeywordsApart) {
  Fixture f(
      "graph(%x: f32[2,3], %w: f32[2,3]):\n"
      "  %a: f32[2,3] = aten.rand_like.default(%x, pin_memory=True)\n"
      "  return %a\n");
  const Error e = error_of([&] { f.values.fake(0); });
  EXPECT_EQ(e.kind, ErrorKind::NodeError);
  EXPECT_THAT(e.message, HasSubstr("Failed running call_function aten.rand_like.default(*(f32[2,3]{3,1}+0@cpu), "
                                   "**{pin_memory: True}): rand_like: pinned memory is not available"));
}

// DBG-29: a missing implementation and an unknown operator raise NotSupported
TEST(NodeValues, WhatIsNotImplementedIsNotSupported) {
  Fixture f(
      "graph(%x: f32[2,3], %w: f32[2,3]):\n"
      "  %a: f32[2,3] = aten.pin_memory.default(%x)\n"
      "  %b: f32[2,3] = demo.nobody.default(%x)\n"
      "  return %a, %b\n");
  const Error pinned = error_of([&] { f.values.fake(0); });
  EXPECT_EQ(pinned.kind, ErrorKind::NotSupported);
  EXPECT_THAT(pinned.message, HasSubstr("Failed running call_function aten.pin_memory.default("));
  const Error unknown = error_of([&] { f.values.fake(1); });
  EXPECT_EQ(unknown.kind, ErrorKind::NotSupported);
  EXPECT_THAT(unknown.message, HasSubstr("no operator demo.nobody.default is known"));
}

// DBG-28: the error about missing data names the operator and the option to set
TEST(NodeValues, WhatDependsOnDataSaysWhatToSet) {
  Fixture f(
      "graph(%x: f32[2,3], %w: f32[2,3]):\n"
      "  %a: i64[4,2] = aten.nonzero.default(%x)\n"
      "  %s: f32[] = aten.sum.default(%x)\n"
      "  %i: float = aten.item.default(%s)\n"
      "  return %a, %i\n");
  const Error sizes = error_of([&] { f.values.fake(0); });
  EXPECT_EQ(sizes.kind, ErrorKind::DynamicOutputShape);
  EXPECT_THAT(sizes.message, HasSubstr("dynamic shape operator: aten.nonzero.default; to enable, set "));
  const Error number = error_of([&] { f.values.fake(2); });
  EXPECT_EQ(number.kind, ErrorKind::DataDependentOutput);
  EXPECT_THAT(number.message, HasSubstr("data dependent operator: aten."));
  EXPECT_THAT(number.message, HasSubstr("; to enable, set "));
}

// DBG-26: a required example that is missing raises NotSupported
TEST(NodeValues, ExampleNeededAndMissingIsNotSupported) {
  Fixture f;
  EXPECT_EQ(f.values.example(0), nullptr);
  const Error e = error_of([&] { f.values.required_example(0); });
  EXPECT_EQ(e.kind, ErrorKind::NotSupported);
  EXPECT_EQ(e.message, "node a: example value was required but not available");
  f.values.fake(0);
  EXPECT_EQ(f.values.required_example(0).size(), 1u);
}

// DBG-26: if an example contains symbols that depend on data, they are bound to their places in it
TEST(NodeValues, ExamplesBindTheirSymbols) {
  const Program program = parse_program_text(
      "graph(%x: f32[4]):\n"
      "  %a: i64[2,1] = aten.nonzero.default(%x)\n"
      "  return %a\n",
      "t");
  FakeOptions options;
  options.shape_env = std::make_shared<ShapeEnv>();
  options.static_shapes = true;
  const FakeMode mode(options);
  NodeValues values(program, std::vector<Value>{tensor_of<float>({0, 1, 0, 2}, {4})}, mode);
  const Tensor made = values.fake(0)[0].tensor();
  ASSERT_EQ(values.bindings(0).size(), 1u);
  EXPECT_EQ(to_string(values.bindings(0)[0]), to_string(made.size(0)) + ": result 0, size(0)");
  NodeValues set(program, std::vector<Value>{tensor_of<float>({0, 1, 0, 2}, {4})}, mode);
  EXPECT_TRUE(set.bindings(0).empty());
  set.set_example(0, {made});
  ASSERT_EQ(set.bindings(0).size(), 1u);
  EXPECT_TRUE(set.bindings(0)[0].symbol.is_identical(made.size(0)));
}

TEST(NodeValues, HaveAValueForEachInput) {
  const Program program = parse_program_text(kProgram, "t");
  EXPECT_THAT(error_of([&] { NodeValues(program, {}, FakeMode()); }).message, HasSubstr("has 2 inputs, 0 given"));
}

}  // namespace
}  // namespace ersatz
