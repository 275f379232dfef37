#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "include/ersatz/ops.h"
#include "runtime/op/dispatch.h"
#include "runtime/plugin/plugin.h"
#include "tracer/program/verify.h"
#include "tracer/run/interpreter.h"
#include "tracer/text/text_form.h"
#include "tracer/trace/core_decompositions.h"
#include "tracer/trace/functional_form.h"
#include "tracer/trace/trace.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tensor matrix() { return tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3}); }
Program functional(const TracedFunction& f, TraceMode mode = TraceMode::Fake, bool core = false) {
  TraceOptions options;
  options.mode = mode;
  options.functional = true;
  if (core) options.decompositions = &exported_decompositions();
  const Value inputs[] = {Value(matrix())};
  Program p = trace(f, inputs, options);
  verify_program(p, "functional");
  return p;
}
std::vector<std::string> ops_of(const Program& p) {
  std::vector<std::string> names;
  for (const Node& n : p.main().nodes) names.emplace_back(p.name(p.op(n).name));
  return names;
}
std::vector<float> values(const Value& v) {
  const Tensor t = ops::clone(v.tensor(), MemoryFormat::Contiguous);
  return {t.data<float>(), t.data<float>() + t.numel().as_int()};
}
std::vector<Value> run(const Program& p, const Tensor& x) {
  const PreparedProgram prepared(p);
  const Value inputs[] = {Value(x)};
  return Interpreter(prepared).run(inputs);
}
Tensor write(std::string_view op, std::initializer_list<Value> args) { return call(op, args)[0].take_tensor(); }

TEST(Functional, WriteIntoAnInputIsAnOutput) {
  const auto f = [](std::span<const Value> x) {
    write("aten.mul_.Tensor", {x[0], 2});
    return std::vector<Value>{Value(ops::neg(x[0].tensor()))};
  };
  for (const TraceMode mode : {TraceMode::Real, TraceMode::Fake, TraceMode::Symbolic}) {
    const Program p = functional(f, mode);
    EXPECT_THAT(ops_of(p), ElementsAre("aten.mul.Tensor", "aten.neg.default"));
    ASSERT_EQ(p.main().outputs.size(), 2u);
    EXPECT_EQ(p.main().outputs[0].kind, OutputKind::UserInputMutation);
    EXPECT_EQ(p.name(p.main().outputs[0].target), "arg0");
    const Tensor x = matrix();
    EXPECT_EQ(values(run(p, x)[0]), (std::vector<float>{2, 4, 6, 8, 10, 12}));
    EXPECT_EQ(values(Value(x)), (std::vector<float>{2, 4, 6, 8, 10, 12})) << "a run copies it into the input";
  }
}

TEST(Functional, WriteThroughNestedViewsReachesBaseByInverses) {
  const auto f = [](std::span<const Value> x) {
    const Tensor base = ops::clone(x[0].tensor());
    const Tensor column = write("aten.select.int", {Value(ops::t(base)), 0, 1});
    write("aten.add_.Tensor", {Value(column), 10});
    return std::vector<Value>{Value(base), Value(column)};
  };
  const Program p = functional(f);
  EXPECT_THAT(ops_of(p), ElementsAre("aten.clone.default", "aten.t.default", "aten.select.int", "aten.add.Tensor",
                                     "aten.t.default", "aten.select_scatter.default", "aten.t.default",
                                     "aten.t.default", "aten.select.int"));
  const std::vector<Value> out = run(p, matrix());
  EXPECT_EQ(values(out[0]), (std::vector<float>{1, 12, 3, 4, 15, 6}));
  EXPECT_EQ(values(out[1]), (std::vector<float>{12, 15}));
}

TEST(Functional, ViewMadeBeforeWriteShowsItAfterwards) {
  const auto f = [](std::span<const Value> x) {
    const Tensor base = ops::clone(x[0].tensor());
    const Tensor row = write("aten.select.int", {Value(base), 0, 0});
    write("aten.zero_.default", {Value(base)});
    return std::vector<Value>{Value(row)};
  };
  EXPECT_EQ(values(run(functional(f), matrix())[0]), (std::vector<float>{0, 0, 0}));
}

TEST(Functional, OutFormIsFunctionalFormCastToOut) {
  const auto f = [](std::span<const Value> x) {
    const Tensor out = ops::to(x[0].tensor(), DType::F64);
    const std::pair<std::string, Value> keywords[] = {{"out", Value(out)}};
    const Value given[] = {x[0], x[0]};
    call(op_named("aten.add.out"), given, keywords);
    return std::vector<Value>{Value(out)};
  };
  const Program p = functional(f);
  EXPECT_THAT(ops_of(p), ElementsAre("aten.add.Tensor", "aten._to_copy.default"));
  EXPECT_EQ(run(p, matrix())[0].tensor().dtype(), DType::F64);
}

TEST(Functional, TensorWithChangedMetadataBecomesAnotherView) {
  const auto f = [](std::span<const Value> x) {
    const Tensor base = ops::clone(x[0].tensor());
    write("aten.t_.default", {Value(base)});
    write("aten.add_.Tensor", {Value(base), 1});
    return std::vector<Value>{Value(base)};
  };
  const std::vector<Value> out = run(functional(f), matrix());
  EXPECT_EQ(out[0].tensor().size(0).as_int(), 3);
  EXPECT_EQ(values(out[0]), (std::vector<float>{2, 5, 3, 6, 4, 7}));
}

TEST(Functional, AWrittenLiteralsValueStaysKnown) {
  const Program p = functional([](std::span<const Value> x) {
    const Tensor literal = write("aten.lift_fresh.default", {Value(tensor_of<float>({2}, {}))});
    write("aten.add_.Tensor", {Value(literal), 1});
    return std::vector<Value>{Value(ops::mul(x[0].tensor(), ops::item(literal)))};
  });
  EXPECT_THAT(ops_of(p), ElementsAre("aten.mul.Scalar"));
}

TEST(Functional, PluginsOperatorThatWritesIsCalledOnCopies) {
  load_plugin(ERSATZ_BINARY_DIR "/lib/demo_ops.so");
  const auto f = [](std::span<const Value> x) {
    const Tensor first = ops::select(x[0].tensor(), 0, 0);
    call("demo.add_into.default", {Value(first), Value(ops::select(x[0].tensor(), 0, 1))});
    return std::vector<Value>{Value(ops::neg(first))};
  };
  const Program p = functional(f);
  EXPECT_THAT(ops_of(p), ElementsAre("aten.select.int", "aten.select.int", "higher_order.auto_functionalized_v2",
                                     "aten.select_scatter.default", "aten.select.int", "aten.neg.default"));
  EXPECT_EQ(p.main().outputs[0].kind, OutputKind::UserInputMutation);
  const Tensor x = matrix();
  const std::vector<Value> out = run(p, x);
  EXPECT_EQ(values(out[0]), (std::vector<float>{5, 7, 9, 4, 5, 6}));
  EXPECT_EQ(values(out[1]), (std::vector<float>{-5, -7, -9}));
  EXPECT_EQ(values(Value(x)), (std::vector<float>{5, 7, 9, 4, 5, 6}));
}

TEST(Functional, FormsAreFoundByNameAndSchema) {
  const auto form = [](std::string_view op) {
    const OpEntry* found = functional_form(op_named(op));
    return found ? found->name : "";
  };
  EXPECT_EQ(form("aten.add_.Tensor"), "aten.add.Tensor");
  EXPECT_EQ(form("aten.add.out"), "aten.add.Tensor");
  EXPECT_EQ(form("aten.pow_.Scalar"), "aten.pow.Tensor_Scalar");
  EXPECT_EQ(form("aten.__ilshift__.Scalar"), "aten.__lshift__.Scalar");
  EXPECT_EQ(form("aten.normal_.default"), "aten.normal_functional.default");
  EXPECT_EQ(form("aten._native_batch_norm_legit.default"), "aten._native_batch_norm_legit_functional.default");
}

TEST(Functional, CoreDecompositionsLeaveCoreOperators) {
  const auto f = [](std::span<const Value> x) { return std::vector<Value>{Value(ops::silu(ops::t(x[0].tensor())))}; };
  EXPECT_THAT(ops_of(functional(f, TraceMode::Fake, true)),
              ElementsAre("aten.permute.default", "aten.sigmoid.default", "aten.mul.Tensor"));
}

TEST(Functional, CoreDropoutAndResamplingMatchTheExport) {
  const auto f = [](std::span<const Value> x) {
    const Tensor dropped = call("aten.dropout.default", {x[0], 0.5, true})[0].tensor();
    const Tensor image = ops::unsqueeze(ops::unsqueeze(dropped, 0), 0);
    return std::vector<Value>{
        call("aten.upsample_nearest2d.vec", {image, Value::int_list(std::vector<int64_t>{4, 6}), Value()})[0]};
  };
  EXPECT_THAT(ops_of(functional(f, TraceMode::Fake, true)),
              ElementsAre("aten.native_dropout.default", "aten.unsqueeze.default", "aten.unsqueeze.default",
                          "aten.upsample_nearest2d.vec"));
}

// Flash attention's second result, sums of the scores, is in the decomposition only if it is used.
TEST(Functional, CoreDecompositionsOfFlashAttentionHoldSumsUsed) {
  const auto attend = [](bool sums) {
    return [sums](std::span<const Value> x) {
      const Tensor q = ops::unsqueeze(ops::unsqueeze(x[0].tensor(), 0), 0);
      const Values r = call("aten._scaled_dot_product_flash_attention_for_cpu.default", {q, q, q});
      return sums ? std::vector<Value>{r[0], r[1]} : std::vector<Value>{r[0]};
    };
  };
  const Program p = functional(attend(true), TraceMode::Fake, true);
  const std::vector<Value> parts = run(p, matrix());
  const Tensor q = ops::unsqueeze(ops::unsqueeze(matrix(), 0), 0);
  const Values whole = call("aten._scaled_dot_product_flash_attention_for_cpu.default", {q, q, q});
  for (size_t k = 0; k < 2; ++k) {
    const std::vector<float> a = values(parts[k]), b = values(whole[k]);
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5 * (1 + std::abs(b[i]))) << k << " at " << i;
  }
  EXPECT_LT(functional(attend(false), TraceMode::Fake, true).main().nodes.size(), p.main().nodes.size());
}

}  // namespace
}  // namespace ersatz
