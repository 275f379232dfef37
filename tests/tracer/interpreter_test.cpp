#include "tracer/run/interpreter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/fake_mode.h"
#include "runtime/op/copy.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/meta_diff.h"
#include "tests/tracer/program_paths.h"
#include "tracer/pt2/inputs_outputs.h"
#include "tracer/pt2/program_file.h"
#include "tracer/records/facts.h"
#include "tracer/records/result_facts.h"
#include "tracer/run/run_inputs.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using ::testing::HasSubstr;

Program parse(const std::string& text) { return parse_program_text(text, "t"); }

TEST(Interpreter, RunsNodesInOrder) {
  const Program p = parse(
      "graph(%x: f32[2], %y: f32[2]):\n"
      "  %s = aten.add.Tensor(%x, %y, alpha=2)\n"
      "  %r = aten.relu.default(%s)\n"
      "  return %r, %s, 7");
  const PreparedProgram prepared(p);
  const Value inputs[] = {tensor_of<float>({-3, 1}, {2}), tensor_of<float>({1, 2}, {2})};
  const auto outputs = Interpreter(prepared).run(inputs);
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0].tensor().data<float>()[0], 0);
  EXPECT_EQ(outputs[0].tensor().data<float>()[1], 5);
  EXPECT_EQ(outputs[1].tensor().data<float>()[0], -1);
  EXPECT_EQ(outputs[2].as_int().as_int(), 7);
}

TEST(Interpreter, PutsValuesIntoTensorAndIntLists) {
  const Program p = parse(
      "graph(%x: f32[6], %n: int(3) = constant_input):\n"
      "  %k: int = _operator.floordiv(6, %n)\n"
      "  %v = aten.view.default(%x, [%k, 3])\n"
      "  return %v");
  const PreparedProgram prepared(p);
  Interpreter run(prepared);
  for (int i = 0; i < 2; ++i) {  // the second run reuses the slots
    const auto outputs = run.run(make_inputs(p, SymbolValues(p)));
    EXPECT_EQ(to_string(outputs[0].tensor().meta()), "f32[2,3]{3,1}+0@cpu");
  }
}

TEST(Interpreter, FreesEachValueAfterItsLastUse) {
  std::string text = "graph(%x0: f32[1024]):\n";
  for (int i = 0; i < 50; ++i) text += fmt::format("  %x{} = aten.relu.default(%x{})\n", i + 1, i);
  const Program p = parse(text + "  return %x50");
  const PreparedProgram prepared(p);
  const auto inputs = make_inputs(p, SymbolValues(p));
  host_allocator().reset_peak();
  const int64_t before = host_allocator().figures().live_bytes;
  const auto outputs = Interpreter(prepared).run(inputs);
  EXPECT_LE(host_allocator().figures().peak_bytes - before, 3 * 4096);
}

TEST(Interpreter, RunsFakeUnderAFakeMode) {
  const Program p = parse("graph(%x: f32[2,3]):\n  %y = aten.add.Tensor(%x, 1)\n  return %y");
  const PreparedProgram prepared(p);
  const FakeMode mode;
  const auto inputs = make_fake_inputs(p, mode, SymbolValues(p), {.device = cuda(0)});
  const auto outputs = Interpreter(prepared).run(inputs);
  EXPECT_TRUE(outputs[0].tensor().is_fake());
  EXPECT_EQ(to_string(outputs[0].tensor().meta()), "f32[2,3]{3,1}+0@cuda:0");
}

TEST(Interpreter, NamesNodeAndLineOfError) {
  const Program p = parse(
      "graph(%x: f32[2], %y: f32[3]):\n  %s = aten.add.Tensor(%x, %y) {at=\"model.py:17 in forward\"}\n  return %s");
  const PreparedProgram prepared(p);
  try {
    Interpreter(prepared).run(make_inputs(p, SymbolValues(p)));
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.message, HasSubstr("node s (model.py:17 in forward): add: "));
  }
}

TEST(Interpreter, StopsAtUnknownOperatorUnlessItsHandlerAnswers) {
  const Program p = parse("graph(%x: f32[2]):\n  %y: f32[2] = demo.unknown.default(%x)\n  return %y");
  const PreparedProgram prepared(p);
  EXPECT_EQ(prepared.missing_ops(), (std::vector<std::pair<std::string, int64_t>>{{"demo.unknown.default", 1}}));
  const auto inputs = make_inputs(p, SymbolValues(p));
  try {
    Interpreter(prepared).run(inputs);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::NotSupported);
    EXPECT_THAT(e.message, HasSubstr("no operator demo.unknown.default is known"));
  }
  struct Placeholders : NodeHandler {
    void uncallable(const NodeCall&, std::span<Values> results) override {
      results[0].push_back(Value(tensor_of<float>({8, 9}, {2})));
    }
  } handler;
  EXPECT_EQ(Interpreter(prepared, &handler).run(inputs)[0].tensor().data<float>()[1], 9);
}

TEST(Interpreter, RaisesANodesBindingErrorWhenItRuns) {
  const Program p = parse("graph(%x: f32[2]):\n  %y = aten.relu.default(\"text\")\n  return %x");
  const PreparedProgram prepared(p);
  EXPECT_EQ(prepared.faults.size(), 1u);
  EXPECT_THROW(Interpreter(prepared).run(make_inputs(p, SymbolValues(p))), Error);
}

TEST(Interpreter, WritesMutationsBackIntoTheirInputs) {
  const Program p = parse(
      "graph(%c: f32[2] = buffer \"cache\", %x: f32[2]):\n"
      "  %s = aten.add.Tensor(%c, %x)\n"
      "  return buffer_mutation \"cache\" %s");
  const PreparedProgram prepared(p);
  const Tensor cache = tensor_of<float>({1, 2}, {2});
  const Value inputs[] = {cache, tensor_of<float>({10, 20}, {2})};
  Interpreter(prepared).run(inputs);
  EXPECT_EQ(cache.data<float>()[1], 22);
  EXPECT_EQ(cache.version(), 1u);
}

TEST(Interpreter, RunsTwoLanesSideBySide) {
  const Program p = parse("graph(%x: f32[2]):\n  %y = aten.relu.default(%x)\n  return %y");
  const PreparedProgram prepared(p);
  const FakeMode mode;
  const SymbolValues symbols(p);
  const std::vector<Value> inputs[] = {make_fake_inputs(p, mode, symbols), make_inputs(p, symbols)};
  const auto outputs = Interpreter(prepared, nullptr, 2).run(inputs);
  EXPECT_TRUE(outputs[0][0].tensor().is_fake());
  EXPECT_FALSE(outputs[1][0].tensor().is_fake());
}

/// A committed program with its companion files.
struct Whole {
  Program program;
  Facts facts;
  InputsOutputs io;
  explicit Whole(const std::string& name)
      : program(load_program(committed_program(name))),
        facts(Facts::load(beside(name, "facts.json"))),
        io(InputsOutputs::load(beside(name, "inputs_outputs.json"))) {}
  static std::string beside(const std::string& name, const std::string& file) {
    return std::string(ERSATZ_SOURCE_DIR) + "/tests/programs/" + name + "/" + file;
  }
};

/// Returns a row-major tensor with equal elements in f64.
Tensor as_doubles(const Tensor& t) {
  Tensor copy = make_real_tensor(TensorMeta(DType::F64, t.sizes()));
  copy_elements(copy, t);
  return copy;
}

class CommittedProgram : public ::testing::TestWithParam<const char*> {};

TEST_P(CommittedProgram, AnswersTheStoredEagerOutputs) {
  const Whole w(GetParam());
  const PreparedProgram prepared(w.program);
  ASSERT_TRUE(prepared.faults.empty()) << prepared.faults[0].second.message;
  const auto inputs = make_inputs(w.program, SymbolValues(w.program), {.given = &w.io});
  const auto outputs = Interpreter(prepared).run(inputs);
  ASSERT_EQ(outputs.size(), w.io.outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor got = outputs[i].tensor(), want = w.io.value(w.io.outputs[i]).tensor();
    ASSERT_TRUE(sym_eq(got.sizes(), want.sizes()));
    ASSERT_EQ(got.dtype(), want.dtype());
    const double tolerance = got.dtype() == DType::BF16 ? 2e-2 : 1e-4;
    const Tensor a = as_doubles(got), b = as_doubles(want);
    for (int64_t k = 0; k < a.numel().as_int(); ++k) {
      const double expected = b.data<double>()[k];
      ASSERT_NEAR(a.data<double>()[k], expected, tolerance * (1 + std::abs(expected))) << "element " << k;
    }
  }
}

TEST_P(CommittedProgram, FakeRunHasEagersMetadataAtEachNode) {
  const Whole w(GetParam());
  const PreparedProgram prepared(w.program);
  const FakeMode mode;
  const SymbolValues symbols(w.program);
  struct Checker : NodeHandler {
    const Whole& w;
    const SymbolValues& symbols;
    Interpreter* run = nullptr;
    int compared = 0;
    Checker(const Whole& whole, const SymbolValues& values) : w(whole), symbols(values) {}
    void done(const NodeCall& call) override {
      const Graph& g = call.prepared.graph();
      const auto facts = result_facts(w.program, g, call.node(), &w.facts, symbols);
      const auto values = result_values(w.program, call.node());
      for (size_t i = 0; i < facts.size(); ++i) {
        if (!facts[i].eager) continue;
        const MetaFields differ = diff(run->value(values[i]).tensor().meta(), *facts[i].eager).significant;
        EXPECT_TRUE(differ.empty()) << call.name() << ": " << name(differ.first());
        ++compared;
      }
    }
  } checker(w, symbols);
  Interpreter run(prepared, &checker);
  checker.run = &run;
  run.run(make_fake_inputs(w.program, mode, symbols, {.given = &w.io}));
  EXPECT_GE(checker.compared, 10);
}

INSTANTIATE_TEST_SUITE_P(All, CommittedProgram,
                         ::testing::Values("mlp", "mlp_bf16", "lenet_bn", "resnet_tiny", "resnet_tiny_channels_last"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace ersatz
