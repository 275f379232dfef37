// The origin of nodes: modules, user calls, decomposed operators, source lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/object/module_call.h"
#include "fake/object/parameter.h"
#include "include/ersatz/ops.h"
#include "runtime/base/source_line.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "tests/tracer/traced_lines.h"
#include "tracer/program/verify.h"
#include "tracer/text/text_form.h"
#include "tracer/trace/decomposition_table.h"
#include "tracer/trace/retrace.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<Module> module_of(std::string type) {
  auto m = std::make_shared<Module>();
  m->type = std::move(type);
  return m;
}

/// Returns lines like `mul | /Net A/B A.D/D`, with each module as path/type, outermost first.
std::vector<std::string> places(const Program& p) {
  std::vector<std::string> lines;
  for (const Node& n : p.main().nodes) {
    std::string line = std::string(p.name(n.name)) + " |";
    for (const uint32_t m : module_stack(p, n))
      line += fmt::format(" {}/{}", p.name(p.modules[m].path), p.name(p.modules[m].type));
    lines.push_back(line);
  }
  return lines;
}

/// The module Net(A: B(D), C: B(D)), with one D that both share.
struct Net {
  std::shared_ptr<Module> net = module_of("Net"), a = module_of("B"), c = module_of("B"), d = module_of("D");
  Net() {
    d->parameters = {{"w", Parameter(floats({2, 3}))}};
    a->children = {{"D", d}};
    c->children = {{"D", d}};
    net->children = {{"A", a}, {"C", c}};
  }
  Tensor forward_d(const Tensor& x) const {
    const ModuleCall scope(*d);
    return ops::mul(x, d->parameters[0].second);
  }
  Tensor forward_b(const Module& b, const Tensor& x) const {
    const ModuleCall scope(b);
    return ops::add(forward_d(x), 1);
  }
  std::vector<Value> operator()(std::span<const Value> x) const {
    const ModuleCall scope(*net);
    const Tensor y = forward_b(*c, forward_b(*a, x[0].tensor()));
    return {Value(ops::add(y, forward_d(x[0].tensor())))};
  }
};

TraceOptions with_weights() {
  TraceOptions o;
  o.allow_non_fake_inputs = true;
  return o;
}

// TRACE-30, TRACE-11, TRACE-01
TEST(Provenance, ChildOfTwoParentsIsUnderCalledPath) {
  const Net net;
  const Value inputs[] = {Value(floats({1, 1}))};
  const Program p = trace(net, inputs, with_weights());
  verify_program(p, "traced");
  EXPECT_THAT(places(p), ElementsAre("mul | /Net A/B A.D/D", "add | /Net A/B", "mul_1 | /Net C/B C.D/D",
                                     "add_1 | /Net C/B", "mul_2 | /Net A.D/D", "add_2 | /Net"));
  EXPECT_EQ(p.function, "Net");
  const GraphInput& weight = p.main().inputs[0];
  EXPECT_EQ(weight.kind, InputKind::Parameter);
  EXPECT_EQ(p.name(weight.target), "A.D.w");
  EXPECT_THAT(nodes_of(p)[0], HasSubstr("%mul = aten.mul.Tensor(%arg0, %A.D.w)"));
}

// TRACE-11
TEST(Provenance, TensorThatNoModuleHasRegisteredGetsNumber) {
  const Parameter w(floats({2, 3}));
  const Tensor c = floats({1, 1});
  const auto f = [&](std::span<const Value> x) {
    return std::vector<Value>{Value(ops::add(ops::mul(x[0].tensor(), w), c))};
  };
  const Value inputs[] = {Value(floats({1, 1}))};
  const Program p = trace(f, inputs, with_weights());
  EXPECT_EQ(p.name(p.main().inputs[0].target), "_param_constant0");
  EXPECT_EQ(p.name(p.main().inputs[1].target), "_tensor_constant0");
}

// TRACE-31
TEST(Provenance, ModuleThatIsNoDescendantIsTracedThrough) {
  const auto parent = module_of("Net"), hidden = module_of("Linear");
  const auto f = [&](std::span<const Value> x) {
    const ModuleCall outer(*parent);
    const ModuleCall inner(*hidden);
    return std::vector<Value>{Value(ops::relu(x[0].tensor()))};
  };
  const Value inputs[] = {Value(floats({1, 1}))};
  EXPECT_THAT(places(trace(f, inputs)), ElementsAre("relu | /Net"));
  EXPECT_EQ(current_module(), nullptr);
}

// TRACE-32
TEST(Provenance, NodesKnowCallThatTheyArePartOf) {
  const auto f = [](std::span<const Value> x) {
    const Tensor y = ops::linear(x[0].tensor(), x[1].tensor(), {});
    return std::vector<Value>{Value(ops::relu(ops::linear(y, x[1].tensor(), {})))};
  };
  const Value inputs[] = {Value(make_real_tensor(TensorMeta(DType::F32, DimVec{2, 3}))),
                          Value(make_real_tensor(TensorMeta(DType::F32, DimVec{3, 3})))};
  TraceOptions options;
  options.record_calls = true;
  const Program p = trace(f, inputs, options);
  std::vector<std::string> calls;
  for (const Node& n : p.main().nodes) {
    const auto [name, type] = user_call(p, n);
    calls.push_back(fmt::format("{}: {} {}", p.name(n.name), name, type));
  }
  EXPECT_THAT(calls, ElementsAre("t: linear_1 aten.linear", "mm: linear_1 aten.linear", "t_1: linear_2 aten.linear",
                                 "mm_1: linear_2 aten.linear", "relu: relu_1 aten.relu"));
}

// TRACE-32
TEST(Provenance, PartsOfDecompositionKnowOperatorTakenApart) {
  const auto f = [](std::span<const Value> x) {
    const SourceLine line("model.cpp:7");
    return std::vector<Value>{Value(ops::neg(ops::relu(x[0].tensor())))};
  };
  DecompositionTable table;
  table.add("aten.relu.default", [](CompositeCall& c) {
    c.returns(Value(ops::mul(ops::abs(c.args[0].tensor()), ops::neg(c.args[0].tensor()))));
  });
  table.add("aten.abs.default", [](CompositeCall& c) { c.returns(Value(ops::neg(c.args[0].tensor()))); });
  const Value inputs[] = {Value(floats({1, 2}))};
  TraceOptions options;
  options.decompositions = &table;
  const Program p = trace(f, inputs, options);
  std::vector<std::string> originals;
  for (const Node& n : p.main().nodes) {
    originals.push_back(n.original == kNone ? "itself" : std::string(p.name(p.ops[n.original].name)));
    EXPECT_EQ(p.name(n.source), "model.cpp:7");
  }
  EXPECT_THAT(nodes_of(p).size(), 4u);
  EXPECT_THAT(originals, ElementsAre("aten.relu.default", "aten.relu.default", "aten.relu.default", "itself"));
}

// TRACE-32, TRACE-33
TEST(Provenance, RecordingAProgramAnewKeepsIt) {
  const Net net;
  const Value inputs[] = {Value(floats({1, 1}))};
  TraceOptions options = with_weights();
  options.record_calls = true;
  const Program p = trace(net, inputs, options);
  std::vector<Value> given;
  for (const GraphInput& in : p.main().inputs)
    given.push_back(in.stored != kNone ? Value(p.weights.tensor(in.stored)) : inputs[0]);
  const Program again = retrace(p, given);
  EXPECT_EQ(places(again), places(p));
  EXPECT_EQ(again.function, "Net");
  EXPECT_EQ(user_call(again, again.main().nodes[2]), user_call(p, p.main().nodes[2]));
}

// TRACE-32
TEST(Provenance, CallsOfFunctionsAreRecordedOnRequest) {
  const auto f = [](std::span<const Value> x) { return std::vector<Value>{Value(ops::relu(x[0].tensor()))}; };
  const Value inputs[] = {Value(floats({1, 2}))};
  EXPECT_EQ(trace(f, inputs).main().nodes[0].source, 0u);
  TraceOptions options;
  options.capture_stacks = true;
  const Program p = trace(f, inputs, options);
  EXPECT_THAT(std::string(p.name(p.main().nodes[0].source)), HasSubstr("at "));
}

TEST(Provenance, TheTextFormKeepsIt) {
  const Net net;
  const Value inputs[] = {Value(floats({1, 1}))};
  TraceOptions options = with_weights();
  options.record_calls = true;
  options.steals = {"arg0"};
  const Program p = trace(net, inputs, options);
  const std::string text = print_program(p);
  EXPECT_THAT(text, HasSubstr("ersatz program 2\n"));
  EXPECT_THAT(text, HasSubstr("\nfunction \"Net\"\nsteals \"arg0\"\n"));
  EXPECT_THAT(text, HasSubstr("\nmodule 0 \"\" \"Net\"\nmodule 1 \"A\" \"B\" in 0\nmodule 2 \"A.D\" \"D\" in 1\n"));
  EXPECT_THAT(text, HasSubstr("aten.mul.Tensor(%arg0, %A.D.w) {in=2, call=aten.mul.Tensor 1}\n"));
  const Program read = parse_program_text(text, "t");
  std::string why;
  EXPECT_TRUE(same_program(p, read, &why)) << why;
  EXPECT_EQ(print_program(read), text);
}

TEST(Provenance, ProgramsThatDifferInItAreNotEqual) {
  const std::string graph =
      "graph(%x: f32[2]): %y = aten.relu.default(%x) {in=0, of=aten.a.b, call=aten.c.d 2} return %y";
  const Program p = parse_program_text("module 0 \"a\" \"T\" " + graph, "t");
  for (const std::string& other :
       {"module 0 \"b\" \"T\" " + graph, "module 0 \"a\" \"U\" " + graph,
        "function \"f\" module 0 \"a\" \"T\" " + graph,
        std::string("module 0 \"a\" \"T\" graph(%x: f32[2]): %y = aten.relu.default(%x) {in=0, of=aten.a.b, "
                    "call=aten.c.d 3} return %y"),
        std::string("graph(%x: f32[2]): %y = aten.relu.default(%x) {of=aten.a.b, call=aten.c.d 2} return %y"),
        std::string("module 0 \"a\" \"T\" graph(%x: f32[2]): %y = aten.relu.default(%x) {in=0, of=aten.a.c, "
                    "call=aten.c.d 2} return %y")}) {
    EXPECT_FALSE(same_program(p, parse_program_text(other, "t"))) << other;
  }
}

}  // namespace
}  // namespace ersatz
