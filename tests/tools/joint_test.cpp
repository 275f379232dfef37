// `ersatz trace --joint`: one program with the loss and the gradients, compared with the programs that PyTorch exports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "runtime/tensor/meta_text.h"
#include "tests/tools/command_line.h"
#include "tests/tracer/program_paths.h"
#include "tools/program/program_input.h"
#include "tracer/program/program.h"

namespace ersatz::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::string_view kAttention = "aten._scaled_dot_product_flash_attention_for_cpu_backward.default";

/// Sorts the values of programs into classes of equal values: operator, attributes, classes of the arguments, metadata.
/// Names and the order of nodes are ignored, and an `alias` belongs to the class of its base.
class Classes {
 public:
  explicit Classes(std::map<std::string, size_t>& known) : known_(known) {}

  /// Outputs by kind and target, with their classes. `nodes` has for each class the number of nodes that an output
  /// depends on.
  std::map<std::string, size_t> outputs;
  std::map<size_t, int> nodes;
  int count = 0;

  void see(const Program& p) {
    of_.assign(p.main().values.size(), 0);
    used_.assign(p.main().nodes.size(), false);
    for (const GraphInput& in : p.main().inputs) {
      const std::string_view name =
          p.name(in.target).empty() ? p.name(p.main().values[in.value].name) : p.name(in.target);
      of_[in.value] = number(fmt::format("input {}", name));
    }
    std::vector<size_t> of_node;
    for (const Node& n : p.main().nodes) of_node.push_back(class_of(p, n));
    for (const GraphOutput& o : p.main().outputs) {
      if (o.value.kind != Arg::Kind::Value) continue;
      outputs[fmt::format("{} {}", name(o.kind), p.name(o.target))] = of_[o.value.index];
      use(p, o.value.index);
    }
    for (size_t i = 0; i < used_.size(); ++i) {
      if (!used_[i] || is_alias(p, p.main().nodes[i])) continue;
      ++nodes[of_node[i]];
      ++count;
    }
  }

 private:
  size_t number(const std::string& text) { return known_.try_emplace(text, known_.size()).first->second; }
  static bool is_alias(const Program& p, const Node& n) { return p.name(p.op(n).name) == "aten.alias.default"; }
  static bool is_left_out(const Program& p, const Node& n, size_t argument) {
    return argument == 5 && p.name(p.op(n).name) == kAttention;
  }

  std::string text(const Program& p, const Arg& a) {
    if (a.kind == Arg::Kind::Value) return fmt::format("%{}", of_[a.index]);
    if (a.kind == Arg::Kind::Literal) return to_string(p.literal(a));
    std::string all = "[";
    if (a.kind == Arg::Kind::List) {
      for (const Arg& item : p.list(a)) all += text(p, item) + ",";
    }
    return all + "]";
  }

  size_t class_of(const Program& p, const Node& n) {
    const std::vector<ValueId> results = result_values(p, n);
    const std::span<const Arg> args = p.view(n.args);
    if (is_alias(p, n)) return of_[results[0]] = of_[args[0].index];
    std::string all(p.name(p.op(n).name));
    for (size_t i = 0; i < args.size(); ++i) {
      all += fmt::format(" {}={}", p.name(args[i].name), is_left_out(p, n, i) ? "left out" : text(p, args[i]));
    }
    const size_t made = number(all);
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i] == kNone) continue;
      const TensorMeta* meta = p.meta(p.main().values[results[i]]);
      of_[results[i]] = number(fmt::format("{}#{} {}", made, i, meta ? to_string(*meta) : ""));
    }
    return made;
  }

  void use(const Program& p, ValueId id) {
    const NodeId node = p.main().values[id].node;
    if (node == kNone || used_[node]) return;
    used_[node] = true;
    const Node& n = p.main().nodes[node];
    const std::span<const Arg> args = p.view(n.args);
    for (size_t i = 0; i < args.size(); ++i) {
      if (is_left_out(p, n, i)) continue;
      if (args[i].kind == Arg::Kind::Value) use(p, args[i].index);
      if (args[i].kind != Arg::Kind::List) continue;
      for (const Arg& item : p.list(args[i])) {
        if (item.kind == Arg::Kind::Value) use(p, item.index);
      }
    }
  }

  std::map<std::string, size_t>& known_;
  std::vector<size_t> of_;
  std::vector<bool> used_;
};

/// Expects that the forward program traced with gradients equals PyTorch's joint program in everything that Classes
/// compares. In both programs, outputs depend on `nodes` nodes.
void expect_joint(const std::string& model, int nodes) {
  const fs::path forward = data_folder() / "gradients" / "forward" / (model + "_forward_training");
  if (data_folder().empty() || !fs::is_directory(forward)) GTEST_SKIP() << "ERSATZ_DATA names no folder with gradients";
  const std::string made = scratch_file(model + ".txt", "");
  const CommandResult r =
      run_command({"trace", program_in(forward), "--joint", "--decompositions", "core", "--functional", "-o", made});
  ASSERT_EQ(r.status, 0) << r.err;
  std::map<std::string, size_t> known;
  Classes ours(known), theirs(known);
  ours.see(load_input(made, 0).program);
  theirs.see(load_input(program_in(data_folder() / "programs" / "own" / model), 0).program);
  EXPECT_EQ(ours.outputs, theirs.outputs);
  EXPECT_EQ(ours.nodes, theirs.nodes);
  EXPECT_EQ(ours.count, nodes);
  EXPECT_EQ(theirs.count, nodes);
  EXPECT_EQ(run_command({"crosscheck", made}).status, 0);
}

// The program has 85 nodes, 4 of them aliases.
TEST(Joint, TrainingStepIsProgramThatPyTorchExports) { expect_joint("training_step", 81); }

// The program has 272 nodes, 4 of them aliases. PyTorch's program passes the attention's probabilities as operand
// `logsumexp`, so five gradients are wrong (docs/jobs/gradients.md). ersatz passes the logsumexp.
TEST(Joint, GptTrainingStepIsPyTorchsExceptForLogsumexp) { expect_joint("training_step_gpt", 268); }

std::string linear() {
  return scratch_file(
      "linear.txt",
      "graph(%w: f32[3,4] grad = parameter \"w\", %unused: f32[2] grad = parameter \"u\", %x: f32[2,4]):\n"
      "  %y: f32[2,3] = aten.linear.default(%x, %w)\n"
      "  %loss: f32[] = aten.sum.default(%y)\n"
      "  return %y, %loss\n");
}

TEST(Joint, BackwardIsRecordedBehindTheForwardCalls) {
  const CommandResult r = run_command({"trace", linear(), "--joint", "--loss", "loss"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("  %mm_1: f32[3,4]{4,1}+0@cpu = aten.mm.default(%t_1, %x)\n"));
  EXPECT_THAT(r.out, HasSubstr("return %mm, loss %sum, gradient_to_parameter \"w\" %t_3\n"));
  EXPECT_THAT(r.out, HasSubstr("gradients of loss: 1\nno gradient reaches u\n"));
}

TEST(Joint, WithoutLossSumOfOutputsIsOne) {
  const CommandResult r = run_command({"trace", linear(), "--joint", "--json", "-o", scratch_file("sum.txt", "")});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(r.json()["joint"]["loss"], "the sum of 2 outputs");
  EXPECT_EQ(r.json()["joint"]["gradients"], 1);
  EXPECT_EQ(r.json()["joint"]["without_gradient"], nlohmann::json::array({"u"}));
}

TEST(Joint, SizesThatAreSymbolsStaySymbols) {
  const CommandResult r = run_command(
      {"trace", linear(), "--joint", "--mode", "symbolic", "--dynamic", "x:0=batch:2..64", "--loss", "loss"});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(
      r.out,
      HasSubstr("%expand: f32[batch,3]{0,0}+0@cpu ~%ones_like = aten.expand.default(%ones_like, [%sym_size, 3])"));
  EXPECT_THAT(r.out, HasSubstr("gradient_to_parameter \"w\" %t_3"));
}

TEST(Joint, WriteThroughAViewReachesItsFunctionalBase) {
  const std::string program = scratch_file("write.txt",
                                           "graph(%w: f32[2,2] grad = parameter \"w\"):\n"
                                           "  %x: f32[2,2] = aten.mul.Tensor(%w, 2)\n"
                                           "  %row: f32[2] = aten.select.int(%x, 0, 0)\n"
                                           "  %x_1: f32[2,2] = aten.mul_.Tensor(%x, 3)\n"
                                           "  %loss: f32[] = aten.sum.default(%row)\n"
                                           "  return %loss\n");
  const std::string made = scratch_file("write.joint.txt", "");
  const CommandResult r = run_command({"trace", program, "--joint", "--functional", "-o", made});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(read_bytes(made), HasSubstr("aten.mul.Scalar(%as_strided_3, 3)"));
}

TEST(Joint, WhatCannotBeDifferentiatedIsOneLine) {
  const auto error = [](const std::vector<std::string>& line) {
    const CommandResult r = run_command(line);
    EXPECT_EQ(r.status, 2);
    return r.err;
  };
  EXPECT_THAT(error({"trace", linear(), "--joint", "--loss", "z"}),
              HasSubstr("loss z: the program has no output of that name; it has y, loss"));
  EXPECT_THAT(error({"trace", linear(), "--loss", "y"}),
              HasSubstr("--loss: says where gradients begin; give --joint too"));
  EXPECT_THAT(error({"trace", linear(), "--joint", "--pre-dispatch"}),
              HasSubstr("a program recorded before dispatch has no gradients"));
  const std::string whole =
      scratch_file("whole.txt", "graph(%x: i64[2]):\n  %y: i64[2] = aten.add.Tensor(%x, 1)\n  return %y\n");
  EXPECT_THAT(error({"trace", whole, "--joint"}),
              HasSubstr("the program has no parameter, and no input that requires a gradient"));
}

}  // namespace
}  // namespace ersatz::tools
