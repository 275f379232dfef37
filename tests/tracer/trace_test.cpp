#include "tracer/trace/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "include/ersatz/ops.h"
#include "runtime/autograd/backward.h"
#include "runtime/autograd/saved_tensor_hooks.h"
#include "runtime/op/dispatch.h"
#include "tests/tracer/traced_lines.h"
#include "tracer/program/verify.h"
#include "tracer/text/text_form.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// TRACE-01
TEST(Trace, RecordsOneNodeForEachCallInOrder) {
  const auto f = [](std::span<const Value> x) {
    return std::vector<Value>{Value(ops::mul(ops::add(x[0].tensor(), x[1].tensor()), x[0].tensor()))};
  };
  const Value inputs[] = {Value(floats({1, 2, 3})), Value(floats({4, 5, 6}))};
  for (const TraceMode mode : kModes) {
    const Program p = trace(f, inputs, in_mode(mode));
    verify_program(p, "traced");
    EXPECT_THAT(nodes_of(p),
                ElementsAre("%add = aten.add.Tensor(%arg0, %arg1)", "%mul = aten.mul.Tensor(%add, %arg0)"));
    EXPECT_EQ(p.function, "");
    EXPECT_EQ(values(run(p, {Value(floats({2, 0, 1})), Value(floats({1, 1, 1}))})[0]), (std::vector<float>{6, 0, 2}));
  }
}

TEST(Trace, NamesThatAreSpeltAlikeAreNumbered) {
  const auto f = [](std::span<const Value> x) {
    return std::vector<Value>{Value(ops::add(x[0].tensor(), x[1].tensor()))};
  };
  const Value inputs[] = {Value(floats({1})), Value(floats({4}))};
  TraceOptions options;
  options.input_names = {"a\n", "a\\n"};  // control characters are escaped
  const Program p = trace(f, inputs, options);
  verify_program(p, "traced");
  EXPECT_THAT(nodes_of(p), ElementsAre(R"(%add = aten.add.Tensor(%"a\\n", %"a\\n_1"))"));
}

// TRACE-02
TEST(Trace, KnowsThreeModes) {
  EXPECT_EQ(parse_trace_mode("symbolic"), TraceMode::Symbolic);
  try {
    parse_trace_mode("concrete");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
    EXPECT_THAT(e.message, HasSubstr("Unexpected tracing type: concrete"));
  }
}

// DISP-15
TEST(Trace, CountsTheCallsThatReachIt) {
  const auto f = [](std::span<const Value> x) {
    const Tensor y = ops::relu(ops::linear(x[0].tensor(), x[1].tensor(), {}));
    Values size;
    const Value of[] = {x[0], Value(int64_t(0))};
    dispatch(*registry().find("aten.size.int"), of, size);
    return std::vector<Value>{Value(y)};
  };
  const Value inputs[] = {Value(floats({1, 2})), Value(floats({3, 4}))};
  std::map<std::string, int64_t> counters;
  TraceOptions options;
  options.counters = &counters;
  const auto nodes = static_cast<int64_t>(trace(f, inputs, options).main().nodes.size());
  // Three calls are no nodes: the query of a size, and the composites linear and matmul.
  const std::map<std::string, int64_t> expected{
      {"calls.tracer", nodes + 3}, {"traced.asked", 1}, {"traced.expanded", 2}};
  EXPECT_EQ(counters, expected);
}

TEST(Trace, CompositesCallTheirPartsLikeAten) {
  const auto grids = [](std::span<const Value> x) {
    Values made;
    const Value tensors[] = {Value::list(std::vector<Value>(x.begin(), x.end()))};
    dispatch(*registry().find("aten.meshgrid.default"), tensors, made);
    return std::vector<Value>(made.begin(), made.end());
  };
  const Value sides[] = {Value(floats({1, 2})), Value(floats({3, 4, 5}))};
  EXPECT_THAT(
      nodes_of(trace(grids, sides)),
      ElementsAre("%view = aten.view.default(%arg0, [-1, 1])", "%expand = aten.expand.default(%view, [2, 3])",
                  "%view_1 = aten.view.default(%arg1, [1, -1])", "%expand_1 = aten.expand.default(%view_1, [2, 3])"));
  const auto part = [](std::span<const Value> x) {
    Values made;
    const Value args[] = {x[0], Value(int64_t(-1)), Value(int64_t(0)), Value(int64_t(1))};
    dispatch(*registry().find("aten.narrow.default"), args, made);
    return std::vector<Value>(made.begin(), made.end());
  };
  EXPECT_THAT(nodes_of(trace(part, std::span(sides).first(1))),
              ElementsAre("%slice = aten.slice.Tensor(%arg0, -1, 0, 1)"));
  const auto norm = [](std::span<const Value> x) {
    Values made;
    const Value args[] = {x[0], Value::int_list(std::vector<int64_t>{2}), Value(), Value(0.5)};
    dispatch(*registry().find("aten.rms_norm.default"), args, made);
    return std::vector<Value>(made.begin(), made.end());
  };
  EXPECT_THAT(nodes_of(trace(norm, std::span(sides).first(1))),
              ElementsAre("%pow = aten.pow.Tensor_Scalar(%arg0, 2)", "%mean = aten.mean.dim(%pow, [0], True)",
                          "%add_ = aten.add_.Scalar(%mean, 0.5)", "%rsqrt = aten.rsqrt.default(%add_)",
                          "%mul = aten.mul.Tensor(%arg0, %rsqrt)"));
}

// TRACE-09
TEST(Trace, ImplicitCompositesAreTakenApartUnlessKept) {
  const auto f = [](std::span<const Value> x) {
    return std::vector<Value>{Value(ops::linear(x[0].tensor(), x[1].tensor(), {}))};
  };
  const Value inputs[] = {Value(make_real_tensor(TensorMeta(DType::F32, DimVec{2, 3}))),
                          Value(make_real_tensor(TensorMeta(DType::F32, DimVec{4, 3})))};
  EXPECT_THAT(nodes_of(trace(f, inputs)),
              ElementsAre("%t = aten.t.default(%arg1)", "%mm = aten.mm.default(%arg0, %t)"));
  TraceOptions whole;
  whole.keep_composites = true;
  EXPECT_THAT(nodes_of(trace(f, inputs, whole)), ElementsAre("%linear = aten.linear.default(%arg0, %arg1)"));
}

// TRACE-12
TEST(Trace, ALiteralIsCopiedInEachRun) {
  const auto f = [](std::span<const Value> y) {
    const Tensor x = call_op<"aten.lift_fresh.default">(tensor_of<int64_t>({1}, {}));
    call("aten.add_.Tensor", {Value(x), Value(2)});
    return std::vector<Value>{Value(x), Value(ops::add(y[0].tensor(), x))};
  };
  const Value inputs[] = {Value(floats({1, 2}))};
  for (const TraceMode mode : kModes) {
    const Program p = trace(f, inputs, in_mode(mode));
    EXPECT_THAT(nodes_of(p),
                ElementsAre("%lift_fresh_copy = aten.lift_fresh_copy.default(%_tensor_constant0)",
                            "%add_ = aten.add_.Tensor(%lift_fresh_copy, 2)", "%add = aten.add.Tensor(%arg0, %add_)"));
    for (int i = 0; i < 2; ++i) {
      const std::vector<Value> outputs = run(p, {Value(floats({0, 1}))});
      EXPECT_EQ(outputs[0].tensor().item_int(), 3);
      EXPECT_EQ(values(outputs[1]), (std::vector<float>{3, 4}));
    }
  }
}

// TRACE-13
TEST(Trace, ValueOfLiteralIsNumberOfProgram) {
  const auto f = [](std::span<const Value> x) {
    const Tensor n = call_op<"aten.lift_fresh.default">(tensor_of<int64_t>({3}, {}));
    const Value k = call("aten._local_scalar_dense.default", {Value(ops::mul(n, n))})[0];
    return std::vector<Value>{call("aten.mul.Scalar", {x[0], k})[0]};
  };
  const Value inputs[] = {Value(floats({1, 2}))};
  for (const TraceMode mode : kModes) {
    const Program p = trace(f, inputs, in_mode(mode));
    EXPECT_THAT(nodes_of(p).back(), HasSubstr("aten.mul.Scalar(%arg0, 9)"));
  }
}

// TRACE-15
TEST(Trace, TracedTensorsValueIsRefusedInRealMode) {
  const auto f = [](std::span<const Value> x) {
    const Value k = call("aten._local_scalar_dense.default", {Value(ops::sum(x[0].tensor()))})[0];
    return std::vector<Value>{call("aten.mul.Scalar", {x[0], k})[0]};
  };
  const Value inputs[] = {Value(floats({1, 2}))};
  try {
    trace(f, inputs, in_mode(TraceMode::Real));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::TraceError);
    EXPECT_THAT(e.message, HasSubstr("It appears that you're trying to get value out of a tracing tensor with "
                                     "aten._local_scalar_dense.default - erroring out!"));
    EXPECT_THAT(e.message, HasSubstr("tracing_mode='symbolic'"));
  }
  TraceOptions unchecked = in_mode(TraceMode::Real);
  unchecked.refuse_data_dependent = false;
  EXPECT_THAT(nodes_of(trace(f, inputs, unchecked)).back(), HasSubstr("aten.mul.Scalar(%arg0, 3.0)"));
  EXPECT_THAT(nodes_of(trace(f, inputs)), ElementsAre("%sum = aten.sum.default(%arg0)",
                                                      "%_local_scalar_dense = aten._local_scalar_dense.default(%sum)",
                                                      "%mul = aten.mul.Scalar(%arg0, %_local_scalar_dense)"));
}

// TRACE-16
TEST(Trace, LaterUsesOfWrittenTensorReferToWrite) {
  const auto f = [](std::span<const Value> x) {
    const Tensor y = ops::relu(x[0].tensor());
    call("aten.add_.Tensor", {Value(y), Value(1)});
    return std::vector<Value>{Value(ops::mul(y, y))};
  };
  const Value inputs[] = {Value(floats({-1, 2}))};
  EXPECT_THAT(nodes_of(trace(f, inputs)),
              ElementsAre("%relu = aten.relu.default(%arg0)", "%add_ = aten.add_.Tensor(%relu, 1)",
                          "%mul = aten.mul.Tensor(%add_, %add_)"));
}

// TRACE-18, TRACE-19
TEST(Trace, SizesBecomeNodesWhereUsedAndOnce) {
  const auto f = [](std::span<const Value> x) {
    const Tensor t = x[0].tensor();
    const SymInt flat[] = {t.size(0) * t.size(1)}, doubled[] = {t.size(0) * 2 + 1};
    const Tensor a = ops::view(t, flat), b = ops::zeros(doubled);
    return std::vector<Value>{Value(a), Value(b), Value(ops::zeros(flat))};
  };
  const Value inputs[] = {Value(make_real_tensor(TensorMeta(DType::F32, DimVec{2, 3})))};
  const Program p = trace(f, inputs, in_mode(TraceMode::Symbolic));
  verify_program(p, "traced");
  EXPECT_THAT(nodes_of(p),
              ElementsAre("%sym_size = aten.sym_size.int(%arg0, 0)", "%sym_size_1 = aten.sym_size.int(%arg0, 1)",
                          "%mul = _operator.mul(%sym_size, %sym_size_1)", "%view = aten.view.default(%arg0, [%mul])",
                          "%mul_1 = _operator.mul(%sym_size, 2)", "%add = _operator.add(%mul_1, 1)",
                          "%zeros = aten.zeros.default([%add])", "%zeros_1 = aten.zeros.default([%mul])"));
  const std::vector<Value> outputs = run(p, {Value(make_real_tensor(TensorMeta(DType::F32, DimVec{4, 5})))});
  EXPECT_EQ(outputs[0].tensor().numel().as_int(), 20);
  EXPECT_EQ(outputs[1].tensor().numel().as_int(), 9);
  EXPECT_EQ(nodes_of(trace(f, inputs)).size(), 3u);
}

// TRACE-20
TEST(Trace, RecordOfAValueStaysUnchanged) {
  const auto f = [](std::span<const Value> x) {
    const Tensor y = ops::relu(x[0].tensor());
    call("aten.unsqueeze_.default", {Value(y), Value(0)});
    return std::vector<Value>{Value(y)};
  };
  const Value inputs[] = {Value(floats({1, 2}))};
  const Program p = trace(f, inputs);
  EXPECT_EQ(to_string(*p.meta(p.main().values[1])), "f32[2]{1}+0@cpu");
  EXPECT_EQ(to_string(*p.meta(p.main().values[2])), "f32[1,2]{2,1}+0@cpu");
}

// TRACE-25
TEST(Trace, CallsWithoutTracerRunAndAreNotRecorded) {
  const auto f = [](std::span<const Value> x) {
    const Tensor y = ops::relu(x[0].tensor());
    {
      const SuspendModes untraced(ModeOrder::Tracer);
      EXPECT_EQ(active_mode(ModeOrder::Tracer), nullptr);
      EXPECT_EQ(active_modes().size(), 1u);  // the fake mode
      EXPECT_TRUE(ops::relu(y).is_fake());
    }
    EXPECT_NE(active_mode(ModeOrder::Tracer), nullptr);
    return std::vector<Value>{Value(y)};
  };
  const Value inputs[] = {Value(floats({1, 2}))};
  EXPECT_EQ(nodes_of(trace(f, inputs)).size(), 1u);
}

// TRACE-26
TEST(Trace, InnerTraceHidesTheOuterEvenOnFailure) {
  const auto f = [](std::span<const Value> x) {
    const Tensor y = ops::relu(x[0].tensor());
    const auto inner = [](std::span<const Value> a) { return std::vector<Value>{Value(ops::mul(a[0].tensor(), 2))}; };
    EXPECT_EQ(trace(inner, std::vector<Value>{Value(y)}).main().nodes.size(), 1u);
    const auto fails = [](std::span<const Value> a) -> std::vector<Value> {
      ops::mul(a[0].tensor(), 2);
      fail_argument("no");
    };
    EXPECT_THROW(trace(fails, std::vector<Value>{Value(y)}), Error);
    return std::vector<Value>{Value(ops::add(y, y))};
  };
  const Value inputs[] = {Value(floats({1, 2}))};
  EXPECT_THAT(nodes_of(trace(f, inputs)),
              ElementsAre("%relu = aten.relu.default(%arg0)", "%add = aten.add.Tensor(%relu, %relu)"));
  EXPECT_TRUE(active_modes().empty());
}

// TRACE-06
TEST(Trace, TwoFakeModesDoNotGoTogether) {
  const FakeMode a, b;
  const auto f = [](std::span<const Value> x) {
    return std::vector<Value>{Value(ops::add(x[0].tensor(), x[1].tensor()))};
  };
  const std::vector<Value> inputs{Value(a.from_tensor(floats({1}))), Value(b.from_tensor(floats({1})))};
  try {
    trace(f, inputs);
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.message, HasSubstr("doesn't match mode"));
  }
  const std::vector<Value> one{inputs[0], inputs[0]};
  EXPECT_EQ(trace(f, one).main().nodes.size(), 1u);
  try {
    trace(f, one, in_mode(TraceMode::Symbolic));
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.message, HasSubstr("shape_env should be set if tracing with 'symbolic'"));
  }
}

// TRACE-07, TRACE-23
TEST(Trace, TensorsFoundElsewhereAreConstantsOfTheProgram) {
  const Tensor weight = floats({2, 3});
  const auto f = [&](std::span<const Value> x) {
    return std::vector<Value>{Value(ops::mul(x[0].tensor(), weight)), Value(weight)};
  };
  const Value inputs[] = {Value(floats({1, 1}))};
  EXPECT_THROW(trace(f, inputs), Error);
  TraceOptions open;
  open.allow_non_fake_inputs = true;
  const Program p = trace(f, inputs, open);
  EXPECT_THAT(nodes_of(p), ElementsAre("%mul = aten.mul.Tensor(%arg0, %_tensor_constant0)"));
  weight.data<float>()[0] = 7;  // the program stores the value at the time of the trace
  EXPECT_EQ(values(run(p, {Value(floats({1, 1}))})[0]), (std::vector<float>{2, 3}));
}

TEST(Trace, TextOfTracedProgramReadsBackAsProgram) {
  const Tensor weight = floats({2, 3});
  const auto f = [&](std::span<const Value> x) {
    const Values parts = call("aten.split.Tensor", {x[0], Value(1)});
    return std::vector<Value>{Value(ops::mul(parts[0].as_list()[0].tensor(), weight)), parts[0]};
  };
  TraceOptions open;
  open.allow_non_fake_inputs = true;
  for (const TraceMode mode : {TraceMode::Real, TraceMode::Fake}) {
    open.mode = mode;
    const Value inputs[] = {Value(floats({1, 1}))};
    const Program p = trace(f, inputs, open);
    const std::string text = print_program(p);
    const Program again = parse_program_text(text, "t");
    std::string why;
    EXPECT_TRUE(same_program(p, again, &why)) << why;
    EXPECT_EQ(print_program(again), text);
  }
}

// GRAD-08
TEST(Trace, LeavesHooksOnSavedTensorsToTheRun) {
  int packed = 0;
  const auto pack = [&](const Tensor& t) { return ++packed, std::any(without_history(t)); };
  const auto unpack = [](const std::any& t) { return std::any_cast<Tensor>(t); };
  const auto f = [&](std::span<const Value> x) {
    const SavedTensorHooks set_inside(pack, unpack);
    return std::vector<Value>{Value(ops::mul(x[0].tensor(), x[0].tensor()))};
  };
  const Tensor x = floats({1, 2});
  set_requires_grad(x);
  const Value inputs[] = {Value(x)};
  const SavedTensorHooks hooks(pack, unpack);
  const Program p = trace(f, inputs, in_mode(TraceMode::Real));
  EXPECT_EQ(packed, 0);
  const Tensor y = run(p, {Value(x)})[0].tensor();
  EXPECT_EQ(packed, 2);
  backward(ops::sum(y));
  EXPECT_EQ(values(grad(x)), (std::vector<float>{2, 4}));
}

}  // namespace
}  // namespace ersatz
