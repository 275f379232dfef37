// Small parts of tracer/: names, functions on numbers, values of symbols, facts, synthetic weights, source lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "runtime/base/error.h"
#include "runtime/tensor/meta_text.h"
#include "tests/tracer/program_paths.h"
#include "tracer/program/sym_functions.h"
#include "tracer/program/symbol_values.h"
#include "tracer/program/verify.h"
#include "tracer/pt2/inputs_outputs.h"
#include "tracer/pt2/program_file.h"
#include "tracer/pt2/pt2_json_graph.h"
#include "tracer/records/facts.h"
#include "tracer/run/run_inputs.h"
#include "tracer/tensors/synthetic.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NamePool, KeepsEachNameOnce) {
  NamePool pool;
  const NameId a = pool.intern("relu");
  EXPECT_EQ(pool.intern(std::string("re") + "lu"), a);
  EXPECT_NE(pool.intern("relu_"), a);
  EXPECT_EQ(pool[a], "relu");
  EXPECT_EQ(pool.intern(""), 0u);
  EXPECT_FALSE(pool.find("tanh").has_value());
}

TEST(NamePool, TellsNamesThatEndInANumberApart) {
  NamePool pool;
  const std::string_view names[] = {"x_7", "x_07", "x_", "x_8", "7", "07", "x_12345678901", "x_912345678901"};
  for (NameId i = 0; i < std::size(names); ++i) EXPECT_EQ(pool.intern(names[i]), i + 1);
  for (NameId i = 0; i < std::size(names); ++i) EXPECT_EQ(pool.find(names[i]), i + 1);
  EXPECT_FALSE(pool.find("x_007").has_value());
}

TEST(NamePool, SpellsControlCharactersOut) {
  NamePool pool;
  const NameId a = pool.intern("a\nfinding: \x1b[31m");
  EXPECT_EQ(pool[a], "a\\nfinding: \\x1b[31m");
  EXPECT_EQ(pool.find("a\nfinding: \x1b[31m"), a);
}

Value call(std::string_view name, std::initializer_list<Value> args) {
  return call_sym_function(name, std::span<const Value>(args.begin(), args.size()));
}

TEST(SymFunctions, FollowPythonsNumbers) {
  EXPECT_EQ(call("_operator.floordiv", {-7, 2}), Value(-4));
  EXPECT_EQ(call("_operator.mod", {-7, 2}), Value(1));
  EXPECT_EQ(call("_operator.mod", {-7.5, 2}), Value(0.5));
  EXPECT_EQ(call("_operator.truediv", {7, 2}), Value(3.5));
  EXPECT_EQ(call("_operator.pow", {2, 10}), Value(1024));
  EXPECT_EQ(call("_operator.pow", {2, -1}), Value(0.5));
  EXPECT_EQ(call("_operator.le", {2, 2}), Value(true));
  EXPECT_EQ(call("_operator.and_", {true, false}), Value(false));
  EXPECT_EQ(call("torch.sym_max", {3, 4}), Value(4));
  EXPECT_EQ(call("torch.sym_not", {true}), Value(false));
  EXPECT_EQ(call("torch.sym_ite", {true, 1, 2}), Value(1));
  EXPECT_EQ(call("math.trunc", {-2.7}), Value(-2));
}

TEST(SymFunctions, OfOneNumberNegateOrKeepIt) {
  EXPECT_EQ(call("_operator.neg", {3}), Value(-3));
  EXPECT_EQ(call("_operator.neg", {2.5}), Value(-2.5));
  EXPECT_EQ(call("_operator.pos", {-3}), Value(-3));
  EXPECT_THROW(call("_operator.neg", {3, 4}), Error);
  EXPECT_THROW(call("_operator.pos", {}), Error);
}

TEST(SymFunctions, RefuseDivisionByZero) { EXPECT_THROW(call("_operator.floordiv", {1, 0}), Error); }

TEST(SymFunctions, RefuseMissingAndWrongArguments) {
  EXPECT_THROW(call("_operator.add", {1}), Error);
  EXPECT_THROW(call("_operator.add", {1, Value("text")}), Error);
}

TEST(SymFunctions, RefuseOverflow) {
  EXPECT_THROW(call("_operator.mul", {INT64_MAX, 2}), Error);
  EXPECT_THROW(call("math.trunc", {1e300}), Error);
}

TEST(SymFunctions, RefuseUnknownFunctions) { EXPECT_THROW(call("_operator.matmul", {1, 2}), Error); }

TEST(SymbolValues, LearnFromSizesAndFallBackToHints) {
  const Program p = parse_program_text(
      "symbol s0 in [2, 64] hint 5\nsymbol s1 in [2, 64] hint 6\nsymbol u0 in [0, inf]\n"
      "graph(%x: f32[4*s0,s1]): return %x",
      "t");
  SymbolValues values(p);
  const TensorMeta& recorded = *p.meta(p.main().values[0]);
  EXPECT_EQ(to_string(*values.concrete(recorded)), "f32[20,6]{6,1}+0@cpu");
  values.observe(recorded, parse_meta("f32[28,9]{9,1}+0@cpu"));
  EXPECT_EQ(values.find("s0"), 7);
  EXPECT_EQ(to_string(*values.concrete(recorded)), "f32[28,9]{9,1}+0@cpu");
  EXPECT_FALSE(values.concrete(parse_meta("f32[u0]{1}+0@cpu", p.env.get())).has_value());
}

TEST(SourceLine, IsTheInnermostOneOfTheUser) {
  EXPECT_EQ(
      pt2_json::source_line("File \"model.py\", line 17, in forward\n    h = self.up(x)\n"
                            "  File \"torch/nn/modules/linear.py\", line 134, in forward\n    return F.linear()\n"),
      "model.py:17 in forward: h = self.up(x)");
  EXPECT_EQ(pt2_json::source_line("File \"a.py\", line 1, in f\n  File \"b.py\", line 2, in g\n"), "b.py:2 in g");
  EXPECT_EQ(pt2_json::source_line("no trace at all"), "");
}

TEST(Weights, TiedNamesShareOneStorage) {
  const Program p = parse_program_text(
      "storage $0 16B made\n"
      "graph(%a: f32[4] = parameter \"wte\" $0, %b: f32[2,2]{1,2} = parameter \"head\" $0): return",
      "t");
  EXPECT_TRUE(p.weights.tensor(0).shares_storage(p.weights.tensor(1)));
  EXPECT_EQ(p.weights.synthetic(), 1);
}

TEST(Weights, SyntheticOnesDependOnNameAndSeed) {
  auto first = [](const std::string& name, uint64_t seed) {
    const Tensor t = make_real_tensor(TensorMeta(DType::F32, DimVec{8, 4}));
    fill_synthetic(t, name, seed, SyntheticRole::Weight);
    return t.data<float>()[5];
  };
  EXPECT_EQ(first("a.weight", 0), first("a.weight", 0));
  EXPECT_NE(first("a.weight", 0), first("b.weight", 0));
  EXPECT_NE(first("a.weight", 0), first("a.weight", 1));
  const Tensor variance = make_real_tensor(TensorMeta(DType::F32, DimVec{64}));
  fill_synthetic(variance, "bn.running_var", 0, SyntheticRole::Weight);
  for (int i = 0; i < 64; ++i) EXPECT_GE(variance.data<float>()[i], 0.5f);
}

TEST(Weights, AFakeRunReadsNoBytes) {
  Program p = parse_program_text(
      "storage $0 16B file \"/nowhere/weights.bin\" 0\ngraph(%a: f32[4] = parameter \"w\" $0): return %a", "t");
  const auto inputs = make_fake_inputs(p, FakeMode(), SymbolValues(p));
  EXPECT_TRUE(inputs[0].tensor().is_fake());
  EXPECT_THROW(make_inputs(p, SymbolValues(p)), Error);
}

TEST(BareJson, TakesWeightsThatLieBesideIt) {
  const Program p = load_program(std::string(ERSATZ_SOURCE_DIR) + "/tests/programs/mlp/model.json");
  EXPECT_EQ(p.weights.synthetic(), 6);
  EXPECT_EQ(p.weights.tensors()[0].name, "up.weight");
}

TEST(Facts, KnowMetadataNumbersAndAliases) {
  const Facts facts = Facts::parse(
      R"({"symbols": {"u0": 15}, "nodes": [{"node": "n", "target": "t", "outputs": [)"
      R"({"value": "a", "real": "f32[2]{1}+0@cpu", "alias": "x", "verdict": "equal"}, {"value": "k", "real": 15}]}]})",
      "f.json");
  EXPECT_EQ(facts.symbols[0].second, 15);
  EXPECT_EQ(facts.find("n")->results.size(), 2u);
  EXPECT_EQ(facts.find_value("a")->alias, "x");
  EXPECT_EQ(*facts.find_value("k")->number, Value(15));
  EXPECT_EQ(facts.find_value("zzz"), nullptr);
}

TEST(InputsOutputs, LayElementsOutWithTheirStrides) {
  const std::string bytes("\1\2\3\4\5\6", 6);
  const InputsOutputs io = InputsOutputs::parse(
      R"({"inputs": [{"name": "x", "meta": "u8[2,3]{1,2}+1@cpu", "offset": 0, "bytes": 6}, {"name": "n", "value": 3}]})",
      bytes, "io.json");
  const Tensor t = io.value(io.inputs[0]).tensor();
  const uint8_t* p = t.data<uint8_t>();
  EXPECT_EQ(p[0], 1);
  EXPECT_EQ(p[2], 2);
  EXPECT_EQ(p[1], 4);
  EXPECT_EQ(io.value(io.inputs[1]), Value(3));
}

TEST(Verifier, ComplainsOfGraphsThatAreNoPrograms) {
  Program p = parse_program_text("graph(%x: f32[2]):\n  %y: f32[2] = demo.f.default(%x)\n  return %y", "t");
  EXPECT_THAT(find_faults(p), IsEmpty());
  p.main().nodes[0].args.first = p.main().nodes[0].results.first;  // y = f(y)
  p.main().nodes[0].args.count = 1;
  p.main().values[0].name = p.main().values[1].name;
  const auto faults = find_faults(p);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0], "node 0 (demo.f.default): uses %y before it is defined");
  EXPECT_EQ(faults[1], "node 0 (demo.f.default): a second value is named %y");
}

/// Returns the faults of a program that calls aten.add with these arguments.
std::vector<std::string> faults_of_add(const std::string& arguments) {
  return find_faults(
      parse_program_text("graph(%x: f32[2]):\n  %y: f32[2] = aten.add.Tensor(" + arguments + ")\n  return %y", "t"));
}

TEST(Verifier, KnowsArgumentsByTheirKeywordsInAnyOrder) {
  const std::string node = "node 0 (aten.add.Tensor): ";
  EXPECT_THAT(faults_of_add("%x, other=%x"), IsEmpty());
  EXPECT_THAT(faults_of_add("alpha=2, other=%x, self=%x"), IsEmpty());
  EXPECT_THAT(faults_of_add("%x, %x, self=%x"), ElementsAre(node + "argument 'self' stands there twice"));
  EXPECT_THAT(faults_of_add("other=%x, other=%x, self=%x"), ElementsAre(node + "argument 'other' stands there twice"));
  EXPECT_THAT(faults_of_add("%x, alpha=2"), ElementsAre(node + "argument 'other' is missing"));
  EXPECT_THAT(faults_of_add("%x, %x, beta=2"), ElementsAre(node + "has no argument 'beta'"));
}

}  // namespace
}  // namespace ersatz
