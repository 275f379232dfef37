// Kernels that a trace runs, values that it stores, and traces inside of traces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "include/ersatz/ops.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"
#include "tests/tracer/traced_lines.h"
#include "tracer/program/verify.h"
#include "tracer/trace/decomposition_table.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Tensor matrix() { return make_real_tensor(TensorMeta(DType::F32, DimVec{2, 3})); }
std::vector<Value> relu(std::span<const Value> x) { return {Value(ops::relu(x[0].tensor()))}; }

// TRACE-03
TEST(TraceValues, RealModeRunsKernelsAndKeepsMetadataOnly) {
  std::vector<float> seen;
  const auto f = [&](std::span<const Value> x) {
    const Tensor y = ops::relu(x[0].tensor());
    seen = values(Value(y));
    return std::vector<Value>{Value(y)};
  };
  const Value inputs[] = {Value(floats({-1, 2}))};
  const Program p = trace(f, inputs, in_mode(TraceMode::Real));
  EXPECT_EQ(seen, (std::vector<float>{0, 2}));
  EXPECT_EQ(to_string(*p.meta(p.main().values[1])), "f32[2]{1}+0@cpu");
  EXPECT_THAT(p.weights.payloads(), IsEmpty());
}

// TRACE-04
TEST(TraceValues, FakeModeRunsNothingAndHasNoData) {
  const auto f = [](std::span<const Value> x) {
    EXPECT_TRUE(x[0].tensor().is_fake());
    EXPECT_FALSE(x[0].tensor().meta().is_symbolic());
    EXPECT_THROW(static_cast<void>(x[0].tensor().data<float>()), Error);
    return relu(x);
  };
  const Value inputs[] = {Value(floats({-1, 2}))};
  trace(f, inputs);
}

// TRACE-05
TEST(TraceValues, SymbolicModeMakesSizesAndIntegersSymbols) {
  const auto f = [](std::span<const Value> x) {
    EXPECT_TRUE(x[0].tensor().size(0).is_symbolic());
    EXPECT_TRUE(x[1].is_symbolic());
    EXPECT_FALSE(x[2].is_symbolic());
    return std::vector<Value>{call("aten.add.Scalar", {x[0], x[1]})[0]};
  };
  const Value inputs[] = {Value(matrix()), Value(5), Value(true)};
  const Program p = trace(f, inputs, in_mode(TraceMode::Symbolic));
  EXPECT_EQ(p.env->symbols().size(), 3u);
  EXPECT_THAT(nodes_of(p), ElementsAre("%add = aten.add.Scalar(%arg0, %arg1)"));
}

// TRACE-08
TEST(TraceValues, TableHoldsForItsTraceUnlessShadowed) {
  DecompositionTable negated, doubled;
  negated.add("aten.relu.default", [](CompositeCall& c) { c.returns(Value(ops::neg(c.args[0].tensor()))); });
  doubled.add("aten.relu.default", [](CompositeCall& c) { c.returns(Value(ops::mul(c.args[0].tensor(), 2))); });
  const Value inputs[] = {Value(floats({1, 2}))};
  TraceOptions outer, inner;
  outer.decompositions = &negated;
  inner.decompositions = &doubled;
  const auto f = [&](std::span<const Value> x) {
    EXPECT_THAT(nodes_of(trace(relu, x, inner))[0], HasSubstr("aten.mul."));
    const auto fails = [](std::span<const Value>) -> std::vector<Value> { fail_argument("no"); };
    EXPECT_THROW(trace(fails, x, inner), Error);
    return relu(x);
  };
  EXPECT_THAT(nodes_of(trace(f, inputs, outer)), ElementsAre("%neg = aten.neg.default(%arg0) {of=aten.relu.default}"));
  EXPECT_THAT(nodes_of(trace(relu, inputs)), ElementsAre("%relu = aten.relu.default(%arg0)"));
}

// TRACE-12
TEST(TraceValues, LiftingATracedTensorReturnsItself) {
  const auto f = [](std::span<const Value> x) {
    const Tensor y = ops::relu(x[0].tensor());
    const Tensor lifted = call_op<"aten.lift_fresh.default">(y);
    call("aten.add_.Tensor", {Value(lifted), Value(1)});
    return std::vector<Value>{Value(y)};
  };
  const Value inputs[] = {Value(floats({1, 2}))};
  EXPECT_EQ(values(run(trace(f, inputs), {Value(floats({3, 4}))})[0]), (std::vector<float>{4, 5}));
}

// TRACE-14
TEST(TraceValues, BeingKnownEndsWithSizeChanceAndFactories) {
  const auto refused = [](const std::function<Tensor(const Tensor&)>& make) {
    const auto f = [&](std::span<const Value>) {
      const Tensor literal = call_op<"aten.lift_fresh.default">(floats({3}));
      return std::vector<Value>{call("aten._local_scalar_dense.default", {Value(make(literal))})[0]};
    };
    const Value inputs[] = {Value(floats({1}))};
    try {
      trace(f, inputs, in_mode(TraceMode::Real));
      return false;
    } catch (const Error& e) {
      return e.kind == ErrorKind::TraceError;
    }
  };
  EXPECT_FALSE(refused([](const Tensor& t) { return ops::mul(t, t); }));
  EXPECT_TRUE(
      refused([](const Tensor& t) { return call("aten.bernoulli.default", {Value(ops::mul(t, 0))})[0].tensor(); }));
  EXPECT_TRUE(refused([](const Tensor& t) {
    const Value pair[] = {Value(t), Value(t)};
    return ops::sum(call("aten.cat.default", {Value::list(pair)})[0].tensor());
  }));
  EXPECT_TRUE(refused(
      [](const Tensor&) { return call("aten.ones.default", {Value::int_list(std::vector<int64_t>{1})})[0].tensor(); }));
}

// TRACE-17
TEST(TraceValues, SymbolKeepsTheFirstPlaceSeen) {
  const auto f = [](std::span<const Value> x) {
    const Tensor y = ops::relu(x[0].tensor());
    const SymInt rows[] = {y.size(0)};
    return std::vector<Value>{Value(ops::zeros(rows))};
  };
  const Value inputs[] = {Value(matrix())};
  EXPECT_THAT(nodes_of(trace(f, inputs, in_mode(TraceMode::Symbolic)))[1], "%sym_size = aten.sym_size.int(%arg0, 0)");
}

// TRACE-18
TEST(TraceValues, ElementCountIsItsOwnNodeOnRequest) {
  const auto f = [](std::span<const Value> x) {
    const SymInt flat[] = {x[0].tensor().numel()};
    return std::vector<Value>{Value(ops::view(x[0].tensor(), flat)), Value(ops::zeros(flat))};
  };
  const Value inputs[] = {Value(matrix())};
  TraceOptions options = in_mode(TraceMode::Symbolic);
  options.count_elements = true;
  const Program p = trace(f, inputs, options);
  verify_program(p, "traced");
  EXPECT_THAT(nodes_of(p), ElementsAre("%sym_numel = aten.sym_numel.default(%arg0)",
                                       "%view = aten.view.default(%arg0, [%sym_numel])",
                                       "%zeros = aten.zeros.default([%sym_numel])"));
  EXPECT_EQ(run(p, {Value(make_real_tensor(TensorMeta(DType::F32, DimVec{4, 5})))})[1].tensor().numel().as_int(), 20);
}

// TRACE-19
TEST(TraceValues, SizeArithmeticAddsNoGuardOrNumberNode) {
  const auto f = [](std::span<const Value> x) {
    const SymInt n = x[0].tensor().size(0), one = n * 1, none = n - n + 4, twice = n * 2;
    EXPECT_TRUE(one.is_identical(n));
    const SymInt sizes[] = {one, none, twice};
    return std::vector<Value>{Value(ops::zeros(sizes))};
  };
  const Value inputs[] = {Value(matrix())};
  const Program p = trace(f, inputs, in_mode(TraceMode::Symbolic));
  EXPECT_THAT(nodes_of(p), ElementsAre("%sym_size = aten.sym_size.int(%arg0, 0)", "%mul = _operator.mul(%sym_size, 2)",
                                       "%zeros = aten.zeros.default([%sym_size, 4, %mul])"));
  EXPECT_THAT(p.env->guards(), IsEmpty());
  EXPECT_THAT(p.conditions, IsEmpty());
}

// TRACE-21, TRACE-22
TEST(TraceValues, EveryElementOfListHasItsOwnRecord) {
  const auto f = [](std::span<const Value> x) {
    const Values parts = call("aten.split.Tensor", {x[0], Value(2), Value(1)});
    const Values values = call("aten.topk.default", {x[0], Value(1)});
    return std::vector<Value>{parts[0], values[1], Value(7)};
  };
  const Value inputs[] = {Value(matrix())};
  const Program p = trace(f, inputs);
  std::vector<std::string> records;
  for (const GraphValue& v : p.main().values) records.push_back(to_string(*p.meta(v)));
  EXPECT_THAT(records, ElementsAre("f32[2,3]{3,1}+0@cpu", "f32[2,2]{3,1}+0@cpu", "f32[2,1]{3,1}+2@cpu",
                                   "f32[2,1]{1,1}+0@cpu", "i64[2,1]{1,1}+0@cpu"));
  EXPECT_EQ(p.main().outputs.back().value.kind, Arg::Kind::Literal);
}

// TRACE-21: a result that is a symbolic number is recorded as its expression.
TEST(TraceValues, NumberIsRecordedAsExpressionThatItIs) {
  const auto f = [](std::span<const Value> x) { return std::vector<Value>{Value(x[0].tensor().size(0) * 2)}; };
  const Value inputs[] = {Value(matrix())};
  const Program p = trace(f, inputs, in_mode(TraceMode::Symbolic));
  EXPECT_EQ(p.main().values.back().kind, ValueKind::Int);
  EXPECT_TRUE(p.literals[p.main().values.back().record].is_symbolic());
}

// TRACE-23
TEST(TraceValues, SymbolicResultHasToComeFromTrace) {
  const Value inputs[] = {Value(matrix())};
  const auto size = [](std::span<const Value> x) { return std::vector<Value>{Value(x[0].tensor().size(0))}; };
  EXPECT_THAT(nodes_of(trace(size, inputs, in_mode(TraceMode::Symbolic))),
              ElementsAre("%sym_size = aten.sym_size.int(%arg0, 0)"));
  ShapeEnv elsewhere;
  const SymInt stray = elsewhere.symbol("s9");
  const auto f = [&](std::span<const Value>) { return std::vector<Value>{Value(stray)}; };
  try {
    trace(f, inputs, in_mode(TraceMode::Symbolic));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::TraceError);
    EXPECT_THAT(e.message, HasSubstr("is not tracked with proxy for"));
  }
}

// TRACE-24
TEST(TraceValues, UntracedFakeIsAConstantOnRequest) {
  FakeMode mode;
  const FakeScope scope(mode);
  const Tensor stray = mode.make(parse_meta("f32[3,2]")), x = mode.make(parse_meta("f32[3,2]"));
  const auto f = [&](std::span<const Value> given) {
    return std::vector<Value>{Value(ops::mul(given[0].tensor(), stray))};
  };
  const Value inputs[] = {Value(x)};
  TraceOptions options = in_mode(TraceMode::Fake);
  EXPECT_THROW(trace(f, inputs, options), Error);
  options.allow_stray_fakes = true;
  const Program p = trace(f, inputs, options);
  EXPECT_THAT(nodes_of(p), ElementsAre("%mul = aten.mul.Tensor(%arg0, %_tensor_constant0)"));
}

// TRACE-27, TRACE-28
TEST(TraceValues, IsolatedGraphSharesModeNotOuterGraph) {
  std::optional<Program> inner;
  const auto f = [&](std::span<const Value> x) {
    const Tensor y = ops::relu(x[0].tensor());
    const auto g = [&](std::span<const Value> a) {
      EXPECT_TRUE(mode_of(a[0].tensor()) == mode_of(y));
      return std::vector<Value>{Value(ops::add(a[0].tensor(), a[1].tensor()))};
    };
    inner.emplace(trace_isolated(g, std::vector<Value>{Value(y), x[0]}, {"x", "bias"}));
    return std::vector<Value>{Value(y)};
  };
  const Value inputs[] = {Value(matrix())};
  EXPECT_THAT(nodes_of(trace(f, inputs, in_mode(TraceMode::Symbolic))),
              ElementsAre("%relu = aten.relu.default(%arg0)"));
  EXPECT_THAT(nodes_of(*inner), ElementsAre("%add = aten.add.Tensor(%x, %bias)"));
  try {
    trace_isolated(relu, inputs);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::TraceError);
    EXPECT_THAT(e.message, HasSubstr("Unexpected tracer type"));
  }
}

}  // namespace
}  // namespace ersatz
