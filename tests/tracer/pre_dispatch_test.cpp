// Calls recorded before autocast: a composite is one node, and settings of the thread become regions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "include/ersatz/ops.h"
#include "runtime/base/context.h"
#include "runtime/op/autocast.h"
#include "tests/tracer/traced_lines.h"
#include "tracer/program/verify.h"
#include "tracer/trace/tracer.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;

TraceOptions before_dispatch() {
  TraceOptions o;
  o.pre_dispatch = true;
  return o;
}
const Graph& graph_named(const Program& p, std::string_view name) {
  for (const auto& g : p.graphs) {
    if (p.name(g->name) == name) return *g;
  }
  throw std::runtime_error("no graph " + std::string(name));
}
ContextGuard grad_mode(bool on) {
  return ContextGuard([on](RuleContext& c) { c.grad_mode = on; });
}

// TRACE-09
TEST(PreDispatch, CompositesStayWhole) {
  const auto f = [](std::span<const Value> x) {
    return std::vector<Value>{Value(ops::linear(x[0].tensor(), x[1].tensor(), {}))};
  };
  const Value inputs[] = {Value(make_real_tensor(TensorMeta(DType::F32, DimVec{2, 3}))),
                          Value(make_real_tensor(TensorMeta(DType::F32, DimVec{4, 3})))};
  EXPECT_THAT(nodes_of(trace(f, inputs, before_dispatch())),
              ElementsAre("%linear = aten.linear.default(%arg0, %arg1)"));
}

// TRACE-10
TEST(PreDispatch, CallsUnderAnotherGradModeBecomeARegion) {
  const auto f = [](std::span<const Value> x) {
    const Tensor y = ops::relu(x[0].tensor());
    Tensor z;
    {
      const ContextGuard off = grad_mode(false);
      z = ops::mul(y, y);
      {
        const ContextGuard on = grad_mode(true);
        z = ops::add(z, ops::relu(y));
      }
      z = ops::mul(z, 2);
    }
    return std::vector<Value>{Value(ops::add(z, 1))};
  };
  const ContextGuard on = grad_mode(true);
  const Value inputs[] = {Value(floats({1, -2}))};
  const Program p = trace(f, inputs, before_dispatch());
  verify_program(p, "traced");
  EXPECT_THAT(nodes_of(p),
              ElementsAre("%relu = aten.relu.default(%arg0)",
                          "(%mul) = higher_order.wrap_with_set_grad_enabled(False, @grad_region_0, %relu)",
                          "%relu_1 = aten.relu.default(%relu)", "%add = aten.add.Tensor(%mul, %relu_1)",
                          "(%mul_1) = higher_order.wrap_with_set_grad_enabled(False, @grad_region_1, %add)",
                          "%add_1 = aten.add.Scalar(%mul_1, 1)"));
  EXPECT_THAT(nodes_of(p, graph_named(p, "grad_region_0")), ElementsAre("%mul = aten.mul.Tensor(%relu, %relu)"));
  EXPECT_EQ(values(run(p, {Value(floats({2, -1}))})[0]), (std::vector<float>{13, 1}));
}

// TRACE-10: if a region writes an outer tensor, later nodes outside of the region read the written value.
TEST(PreDispatch, WriteInRegionIsReadBehindIt) {
  const auto f = [](std::span<const Value> x) {
    const Tensor y = ops::relu(x[0].tensor());
    {
      const ContextGuard off = grad_mode(false);
      call("aten.add_.Tensor", {Value(y), Value(1)});
    }
    return std::vector<Value>{Value(ops::mul(y, y))};
  };
  const ContextGuard on = grad_mode(true);
  const Value inputs[] = {Value(floats({1, 2}))};
  const Program p = trace(f, inputs, before_dispatch());
  verify_program(p, "traced");
  EXPECT_EQ(values(run(p, {Value(floats({2, -1}))})[0]), (std::vector<float>{9, 1}));
}

// TRACE-10
TEST(PreDispatch, AutocastIsRegionAndCastsNothingInIt) {
  const auto f = [](std::span<const Value> x) {
    Tensor y;
    {
      const AutocastScope scope(DeviceType::CPU, true, DType::BF16);
      y = ops::mm(x[0].tensor(), x[0].tensor());
    }
    return std::vector<Value>{Value(ops::add(y, 1))};
  };
  const Value inputs[] = {Value(tensor_of<float>({1, 2, 3, 4}, {2, 2}))};
  const Program p = trace(f, inputs, before_dispatch());
  verify_program(p, "traced");
  EXPECT_THAT(nodes_of(p),
              ElementsAre("(%mm) = higher_order.wrap_with_autocast(\"cpu\", bf16, True, False, @autocast_region_0, "
                          "%arg0)",
                          "%add = aten.add.Scalar(%mm, 1)"));
  EXPECT_THAT(nodes_of(p, graph_named(p, "autocast_region_0")), ElementsAre("%mm = aten.mm.default(%arg0, %arg0)"));
  EXPECT_EQ(run(p, {inputs[0]})[0].tensor().meta().dtype, DType::BF16);
}

// TRACE-29
TEST(PreDispatch, BehindAutocastCastIsCallOfEachUse) {
  const Tensor w = tensor_of<float>({1, 2, 3, 4}, {2, 2});
  const auto f = [&](std::span<const Value> x) {
    const AutocastScope scope(DeviceType::CPU, true, DType::BF16);
    return std::vector<Value>{Value(ops::add(ops::mm(x[0].tensor(), w), ops::mm(x[0].tensor(), w)))};
  };
  TraceOptions options;
  options.allow_non_fake_inputs = true;
  const Value inputs[] = {Value(w)};
  const Program p = trace(f, inputs, options);
  int casts = 0;
  for (const std::string& line : nodes_of(p)) casts += line.find("aten._to_copy") != line.npos;
  EXPECT_EQ(casts, 4);
  EXPECT_EQ(p.main().inputs.size(), 2u) << "the weight and the input";
}

// TRACE-26
TEST(PreDispatch, TracersOfBothKindsHideEachOther) {
  const auto inner = [](std::span<const Value> a) { return std::vector<Value>{Value(ops::mul(a[0].tensor(), 2))}; };
  for (const bool outer_first : {true, false}) {
    TraceOptions outside, inside;
    (outer_first ? outside : inside).pre_dispatch = true;
    const auto f = [&](std::span<const Value> x) {
      const Tensor y = ops::relu(x[0].tensor());
      EXPECT_EQ(trace(inner, std::vector<Value>{Value(y)}, inside).main().nodes.size(), 1u);
      const NoTracing hidden;
      EXPECT_EQ(current_tracer(), nullptr);
      ops::relu(y);
      return std::vector<Value>{Value(y)};
    };
    const Value inputs[] = {Value(floats({1, 2}))};
    EXPECT_THAT(nodes_of(trace(f, inputs, outside)), ElementsAre("%relu = aten.relu.default(%arg0)"));
  }
}

}  // namespace
}  // namespace ersatz
