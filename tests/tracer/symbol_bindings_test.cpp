// Symbols that nodes make for data-dependent sizes: their places, and their values in another run.
#include "tracer/run/symbol_bindings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/fake_mode_state.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"
#include "tests/tracer/program_paths.h"
#include "tracer/pt2/program_file.h"
#include "tracer/run/interpreter.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using testing::ElementsAre;

constexpr const char* kNonzero =
    "graph(%x: f32[6]):\n"
    "  %rows = aten.nonzero.default(%x)\n"
    "  %u, %inverse, %counts = aten.unique_consecutive.default(%x, return_counts=True)\n"
    "  %n = aten.sum.default(%x)\n"
    "  return %rows, %u, %n";

struct Runs {
  explicit Runs(const Program& p, bool real = false) : prepared(p), run(prepared) {
    FakeOptions options;
    options.shape_env = env;
    options.static_shapes = true;
    options.propagate_real = real;
    mode.emplace(options);
  }
  std::vector<Value> operator()(const Tensor& x) {
    const Value inputs[] = {mode->from_tensor(x)};
    return run.run(inputs);
  }
  std::vector<std::string> bindings(NodeId id) const {
    std::vector<std::string> out;
    for (const SymbolBinding& b : run.symbol_bindings(id)) out.push_back(to_string(b));
    return out;
  }
  PreparedProgram prepared;
  Interpreter run;
  std::shared_ptr<ShapeEnv> env = std::make_shared<ShapeEnv>();
  std::optional<FakeMode> mode;
};

SymInt rows(const std::vector<Value>& outputs) { return outputs[0].tensor().size(0); }

// SYM-13
TEST(SymbolBindings, EachSymbolIsFoundInItsNodesResult) {
  const Program p = parse_program_text(kNonzero, "t");
  Runs run(p);
  run(tensor_of<float>({1, 0, 2, 2, 0, 5}, {6}));
  EXPECT_THAT(run.bindings(0), ElementsAre("u0: result 0, size(0)"));
  EXPECT_THAT(run.bindings(1), ElementsAre("u1: result 0, size(0)")) << "counts have it too: the first place counts";
  EXPECT_TRUE(run.run.symbol_bindings(2).empty());
}

TEST(SymbolBindings, StridesOffsetsAndNumbersArePlacesToo) {
  ShapeEnv env;
  const SymInt u[] = {env.symbol("u0"), env.symbol("u1"), env.symbol("u2"), env.symbol("u3")};
  const FakeMode mode;
  const Value results[] = {mode.make(parse_meta("f32[2*u3,4]{u0,1}+u1@cpu", &env)), Value(u[2])};
  std::vector<std::string> found;
  for (const SymbolBinding& b : bind_symbols(u, results)) found.push_back(to_string(b));
  EXPECT_THAT(found, ElementsAre("u0: result 0, stride(0)", "u1: result 0, offset", "u2: result 1, value"))
      << "2*u3 is no place of u3";
}

// SYM-12, PROP-04: each run has its own epoch. A node makes a new symbol in each run, and it is set equal to the old
// one.
TEST(SymbolBindings, AnotherRunBindsNewSymbolsToTheOld) {
  const Program p = parse_program_text(kNonzero, "t");
  Runs run(p);
  const Tensor x = tensor_of<float>({1, 0, 2, 2, 0, 5}, {6});
  const SymInt first = rows(run(x));
  const uint64_t epoch = run.mode->state().epoch();
  const SymInt second = rows(run(x));
  EXPECT_EQ(run.mode->state().epoch(), epoch + 1);
  EXPECT_EQ(to_string(first), "u0");
  EXPECT_EQ(to_string(second), "u2");
  EXPECT_EQ(run.env->statically({SymCompare::Eq, first, second}), true);
  EXPECT_TRUE(run.env->reduced(first).is_identical(run.env->reduced(second)));
  EXPECT_THAT(run.bindings(0), ElementsAre("u2: result 0, size(0)")) << "written anew";
  EXPECT_TRUE(run.env->guards().empty() && run.env->asserts().empty());
}

// PROP-04: if the data give another size in the second run, the two symbols are not set equal.
TEST(SymbolBindings, RunsThatSawOtherValuesStayApart) {
  const Program p = parse_program_text(kNonzero, "t");
  Runs run(p, /*real=*/true);
  const SymInt first = rows(run(tensor_of<float>({1, 0, 2, 2, 0, 5}, {6})));
  const SymInt second = rows(run(tensor_of<float>({0, 0, 2, 0, 0, 0}, {6})));
  EXPECT_EQ(run.env->real_value(first), 4);
  EXPECT_EQ(run.env->real_value(second), 1);
  EXPECT_NE(run.env->statically({SymCompare::Eq, first, second}), true);
}

// SYM-12, SYM-13: if recorded metadata names the symbols, a loaded program uses these names.
TEST(SymbolBindings, LoadedProgramKeepsNamesOfItsRecord) {
  const std::filesystem::path data = data_folder();
  if (data.empty()) GTEST_SKIP() << "no data";
  const Program p = load_program(program_in(data / "programs" / "own" / "moe_tiny"));
  const PreparedProgram prepared(p);
  Interpreter run(prepared);
  FakeOptions options;
  options.shape_env = p.env;
  options.static_shapes = true;
  const FakeMode mode(options);
  const FakeScope scope(mode);
  std::vector<std::string> places[2];
  for (std::vector<std::string>& found : places) {
    std::vector<Value> inputs;
    for (const GraphInput& in : p.main().inputs) inputs.emplace_back(mode.make(*p.meta(p.main().values[in.value])));
    run.run(inputs);
    for (NodeId id = 0; id < p.main().nodes.size(); ++id)
      for (const SymbolBinding& b : run.symbol_bindings(id)) found.push_back(to_string(b));
  }
  EXPECT_GE(places[0].size(), 4U);
  EXPECT_EQ(places[0], places[1]);
}

}  // namespace
}  // namespace ersatz
