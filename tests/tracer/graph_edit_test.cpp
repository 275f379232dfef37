// remove_dead_nodes removes nodes whose results nothing needs.
#include "tracer/program/graph_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tracer/traced_lines.h"
#include "tracer/program/verify.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;

// TRACE-16
TEST(DeadNodes, AWriteThatFeedsALaterReadStays) {
  Program p = parse_program_text(
      "graph(%x: f32[4]):\n"
      "  %y: f32[4]{1}+0@cpu = aten.relu.default(%x)\n"
      "  %v: f32[2]{1}+0@cpu ~%y = aten.slice.Tensor(%y, 0, 0, 2)\n"
      "  %w: f32[2]{1}+0@cpu ~%y = aten.add_.Tensor(%v, 1)\n"
      "  %unused: f32[4]{1}+0@cpu = aten.mul.Tensor(%y, 5)\n"
      "  %deeper: f32[4]{1}+0@cpu = aten.relu.default(%unused)\n"
      "  %z: f32[4]{1}+0@cpu = aten.mul.Tensor(%y, 2)\n"
      "  return %z",
      "t");
  EXPECT_EQ(remove_dead_nodes(p), 2u);
  verify_program(p, "t");
  EXPECT_THAT(nodes_of(p), ElementsAre("%y = aten.relu.default(%x)", "%v = aten.slice.Tensor(%y, 0, 0, 2)",
                                       "%w = aten.add_.Tensor(%v, 1)", "%z = aten.mul.Tensor(%y, 2)"));
  EXPECT_EQ(values(run(p, {Value(floats({1, 2, 3, -4}))})[0]), (std::vector<float>{4, 6, 6, 0}));
}

TEST(DeadNodes, WhatDrawsChecksOrIsUnknownStays) {
  Program p = parse_program_text(
      "graph(%x: f32[4]):\n"
      "  %a = aten.bernoulli.default(%x)\n"
      "  %b = demo.unknown.default(%x)\n"
      "  %n = _operator.add(1, 2)\n"
      "  return %x",
      "t");
  EXPECT_EQ(remove_dead_nodes(p), 1u);
  EXPECT_THAT(nodes_of(p), ElementsAre("%a = aten.bernoulli.default(%x)", "%b = demo.unknown.default(%x)"));
}

TEST(DeadNodes, SharedStorageSurvivesTheDeathOfOneValue) {
  Program p = parse_program_text(
      "graph(%x: f32[4]):\n"
      "  %dead: f32[4]{1}+0@cpu = demo.a.default(%x)\n"
      "  %b: f32[4]{1}+0@cpu ~%dead = demo.b.default(%x)\n"
      "  %c: f32[4]{1}+0@cpu ~%dead = demo.c.default(%x)\n"
      "  return %b, %c",
      "t");
  take_nodes(p, p.main(), {true, false, false});
  verify_program(p, "t");
  EXPECT_EQ(p.main().values[1].alias, kNone);
  EXPECT_EQ(p.main().values[2].alias, 1u);
}

}  // namespace
}  // namespace ersatz
