// Higher-order nodes, with graphs and operators as arguments.
#include "tracer/run/higher_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "runtime/op/copy.h"
#include "tracer/run/interpreter.h"
#include "tracer/run/run_inputs.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

Program parse(const std::string& text) { return parse_program_text(text, "t"); }

std::vector<std::string> metas_of(const std::vector<Value>& values) {
  std::vector<std::string> found;
  for (const Value& v : values) found.push_back(v.is_tensor() ? to_string(v.tensor().meta()) : to_string(v));
  return found;
}

std::vector<Value> run(const Program& p) {
  const PreparedProgram prepared(p);
  return Interpreter(prepared).run(make_inputs(p, SymbolValues(p)));
}

TEST(HigherOrder, RunsAGraphInItsAutocastScope) {
  const Program p = parse(
      "graph @body(%a, %w): %m = aten.mm.default(%a, %w)\n"
      "  %s = aten.add.Tensor(%m, 1)\n"
      "  return %m, %s\n"
      "graph(%x: f32[2,3], %w: f32[3,4]):\n"
      "  %m, %s = higher_order.wrap_with_autocast(\"cpu\", bf16, True, False, @body, %x, %w)\n"
      "  %o = aten.mm.default(%x, %w)\n"
      "  return %m, %s, %o");
  EXPECT_THAT(metas_of(run(p)), ElementsAre("bf16[2,4]{4,1}+0@cpu", "bf16[2,4]{4,1}+0@cpu", "f32[2,4]{4,1}+0@cpu"));
}

TEST(HigherOrder, ANestedScopeSuspendsAutocast) {
  const Program p = parse(
      "graph @inner(%a, %w): %m = aten.mm.default(%a, %w)\n  return %m\n"
      "graph @outer(%a, %w):\n"
      "  (%m) = higher_order.wrap_with_autocast(\"cpu\", None, False, None, @inner, %a, %w)\n"
      "  return %m\n"
      "graph(%x: f32[2,3], %w: f32[3,4]):\n"
      "  (%m) = higher_order.wrap_with_autocast(\"cpu\", bf16, True, False, @outer, %x, %w)\n"
      "  return %m");
  EXPECT_THAT(metas_of(run(p)), ElementsAre("f32[2,4]{4,1}+0@cpu"));
}

TEST(HigherOrder, FakesOfNestedGraphAreFakeFactoriesToo) {
  const Program p = parse(
      "graph @body(%a):\n"
      "  %z = aten.zeros.default([2, 3])\n"
      "  %s = aten.add.Tensor(%a, %z)\n"
      "  return %s\n"
      "graph(%x: f32[2,3]):\n"
      "  (%s) = higher_order.wrap_with_set_grad_enabled(False, @body, %x)\n"
      "  return %s");
  FakeMode mode;
  const PreparedProgram prepared(p);
  const auto outputs = Interpreter(prepared).run(make_fake_inputs(p, mode, SymbolValues(p), InputChoice()));
  EXPECT_TRUE(outputs[0].tensor().is_fake());
  EXPECT_THAT(metas_of(outputs), ElementsAre("f32[2,3]{3,1}+0@cpu"));
}

TEST(HigherOrder, AFunctionalizedOpWritesCopiesOfItsBases) {
  const Program p = parse(
      "graph(%x: f32[2], %y: f32[2]):\n"
      "  %r, %n = higher_order.auto_functionalized_v2(&aten.add_.Tensor, other=%y, _self_base_index=0, "
      "_all_bases=[%x])\n"
      "  return %r, %n, %x");
  const PreparedProgram prepared(p);
  const Value inputs[] = {tensor_of<float>({1, 2}, {2}), tensor_of<float>({10, 20}, {2})};
  const auto outputs = Interpreter(prepared).run(inputs);
  EXPECT_EQ(outputs[1].tensor().data<float>()[1], 22);
  EXPECT_TRUE(outputs[0].tensor().is(outputs[1].tensor()));
  EXPECT_EQ(outputs[2].tensor().data<float>()[1], 2);
}

TEST(HigherOrder, NamesTheOperatorsThatAreMissingInside) {
  const Program p = parse(
      "graph @body(%a): %r = demo.unknown.default(%a)\n  return %r\n"
      "graph(%x: f32[2]):\n"
      "  (%r) = higher_order.wrap_with_set_grad_enabled(False, @body, %x)\n"
      "  %n = higher_order.auto_functionalized_v2(&demo.other.default, _acc_base_index=0, _all_bases=[%x])\n"
      "  %c = higher_order.run_const_graph(@body, [%x])\n"
      "  return %r");
  EXPECT_THAT(PreparedProgram(p).missing_ops(),
              ElementsAre(Pair("demo.other.default", 1), Pair("demo.unknown.default", 1),
                          Pair("higher_order.run_const_graph", 1)));
}

TEST(HigherOrder, RefusesAGraphWithOtherInputsThanOperands) {
  const Program p = parse(
      "graph @body(%a, %b): return %a\n"
      "graph(%x: f32[2]):\n"
      "  (%r) = higher_order.wrap_with_set_grad_enabled(False, @body, %x)\n"
      "  return %r");
  const PreparedProgram prepared(p);
  ASSERT_EQ(prepared.faults.size(), 1u);
  EXPECT_THAT(prepared.faults[0].second.message,
              HasSubstr("its graph has 2 inputs and 1 outputs, the node 1 operands"));
}

}  // namespace
}  // namespace ersatz
