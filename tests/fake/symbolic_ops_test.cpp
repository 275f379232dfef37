// Operators on fakes with symbolic sizes: layouts, devices, and sources of answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "runtime/sym/sym_value.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/checked.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

struct SymbolicOps : testing::Test {
  SymbolicOps() : mode(options(env)) {
    env->symbol("s0", 4);
    env->symbol("s1", 6);
    env->fresh();
  }
  static FakeOptions options(const std::shared_ptr<ShapeEnv>& env) {
    FakeOptions o;
    o.shape_env = env;
    o.count_sources = true;
    o.propagate_real = false;  // these symbols have no real values
    return o;
  }
  Tensor make(std::string_view meta) const { return mode.make(parse_meta(meta, env.get())); }
  static std::string meta(const Values& results) { return to_string(results[0].tensor_impl()->meta); }
  std::shared_ptr<ShapeEnv> env = std::make_shared<ShapeEnv>();
  FakeMode mode;
};

constexpr const char* kBinary[] = {"aten.add.Tensor", "aten.sub.Tensor", "aten.mul.Tensor", "aten.div.Tensor"};

// OPS-28: layouts of binary ops. (PyTorch's test counts calls of a fast path; ersatz has no fast path besides the
// rule.)
TEST_F(SymbolicOps, BinaryOpsKeepTheLayoutOfTheirOperands) {
  const char* const rows = "f32[s0,3,s1,5]{15*s1,5*s1,5,1}+0@cpu";
  const char* const last = "f32[s0,3,s1,5]{15*s1,1,15,3}+0@cpu";
  for (const char* op : kBinary) {
    EXPECT_EQ(meta(call(op, {make(rows), make(rows)})), rows) << op;
    EXPECT_EQ(meta(call(op, {make(last), make(last)})), last) << op;
    EXPECT_EQ(meta(call(op, {make(last), make(rows)})), last) << op << ": of a mixture the first operand's";
    EXPECT_EQ(meta(call(op, {make(rows), make(last)})), rows) << op;
    EXPECT_EQ(meta(call(op, {make("f32[s0,1]{1,1}+0@cpu"), make("f32[s1]{1}+0@cpu")})), "f32[s0,s1]{s1,1}+0@cpu")
        << op << ": no operand has the result's shape";
  }
}

// OPS-29
TEST_F(SymbolicOps, BinaryOpsTakeOneZeroDimCpuOperand) {
  const Tensor x = make("f32[s0]{1}+0@cuda:0"), zero = make("f64[]@cpu");
  for (const char* op : kBinary) {
    EXPECT_EQ(meta(call(op, {x, zero})), "f32[s0]{1}+0@cuda:0") << op;
    EXPECT_EQ(meta(call(op, {zero, x})), "f32[s0]{1}+0@cuda:0") << op;
    for (const char* other : {"f32[s0]{1}+0@cpu", "f32[1]@cpu", "f32[s0]{1}+0@cuda:1"}) {
      const Error e = error_of([&] { call(op, {x, make(other)}); });
      EXPECT_EQ(e.kind, ErrorKind::DeviceMismatch) << op << " " << other;
    }
  }
  // The result dtypes with symbols are those of calls without symbols.
  const Tensor whole = make("i32[s0]{1}+0@cpu");
  EXPECT_EQ(meta(call("aten.add.Scalar", {whole, Value(2.5)})), "f32[s0]{1}+0@cpu");
  EXPECT_EQ(meta(call("aten.mul.Scalar", {whole, Value(2)})), "i32[s0]{1}+0@cpu");
  EXPECT_EQ(meta(call("aten.div.Tensor", {whole, whole})), "f32[s0]{1}+0@cpu");
  EXPECT_EQ(meta(call("aten.add.Tensor", {whole, make("f16[s0]{1}+0@cpu")})), "f16[s0]{1}+0@cpu");
  EXPECT_EQ(meta(call("aten.add.Scalar", {whole, Value(env->symbol("s1"))})), "i32[s0]{1}+0@cpu");
}

// OPS-20: the statements of this row of docs/behaviours.md that need no backend.
TEST_F(SymbolicOps, ConvolutionOverSymbols) {
  const auto conv = [&](const char* input, const char* weight) {
    const Tensor x = make(input), w = make(weight);
    const size_t rank = static_cast<size_t>(x.dim()) - 2;
    const Value ones = Value::int_list(std::vector<int64_t>(rank, 1)),
                zeros = Value::int_list(std::vector<int64_t>(rank, 0));
    return meta(call("aten.convolution.default", {x, w, Value(), ones, zeros, ones, Value(false), zeros, Value(1)}));
  };
  EXPECT_EQ(conv("f32[s0,3,6,6]{108,1,18,3}+0@cpu", "f32[4,3,3,3]"), "f32[s0,4,4,4]{64,1,16,4}+0@cpu");
  EXPECT_EQ(conv("f32[u0,3,6,6]{108,36,6,1}+0@cpu", "f32[4,3,3,3]"), "f32[u0,4,4,4]{64,16,4,1}+0@cpu");
  EXPECT_EQ(conv("f32[u0,3,6,6]{108,1,18,3}+0@cpu", "f32[4,3,3,3]"), "f32[u0,4,4,4]{64,1,16,4}+0@cpu");
  EXPECT_EQ(conv("f32[s0,3,6]{18,1,3}+0@cuda:0", "f32[4,3,3]@cuda:0"), "f32[s0,4,4]{16,4,1}+0@cuda:0");
}

// DISP-06: with symbols too, an op with a rule uses the rule, and the body of a composite op runs in the mode.
TEST_F(SymbolicOps, RulesComeBeforeDefinitionsByOtherOps) {
  call("aten.relu.default", {make("f32[s0]{1}+0@cpu")});
  call("aten.tensor_split.sections", {make("f32[s0,6]{6,1}+0@cpu"), Value(2), Value(1)});
  std::map<std::string, std::string> answered;
  for (const OpCoverage& row : mode.coverage().ops()) {
    for (const Source by : {Source::Rule, Source::Composite})
      if (row.sources[static_cast<size_t>(by)] > 0) answered[row.op] += name(by);
  }
  EXPECT_EQ(answered["aten.relu.default"], "rule");
  EXPECT_EQ(answered["aten.tensor_split.sections"], "composite");
  EXPECT_EQ(answered["aten.slice.Tensor"], "rule") << "a part, which the mode answered";
  for (const OpEntry* op : registry().all()) EXPECT_FALSE(op->rule && op->composite) << op->name << ": one author";
}

// SYM-04: PyTorch 2.15 exports programs whose layouts depend on an unchecked number from data (guard_or_false).
TEST_F(SymbolicOps, NumberFromDataIsSizeLikeAnyOther) {
  const FakeScope scope(mode);
  const Value n = call("aten.item.default", {make("i64[]@cpu")})[0];
  ASSERT_EQ(to_string(n.as_int()), "u1");
  const SymInt u = n.as_int();
  const Tensor rows = call("aten.zeros.default", {DimVec{u, SymInt(4)}})[0].tensor();
  EXPECT_EQ(to_string(rows.meta()), "f32[u1,4]{4,1}+0@cpu");
  const Tensor columns = call("aten.t.default", {rows})[0].tensor();
  EXPECT_EQ(meta(call("aten.contiguous.default", {columns})), "f32[4,u1]{Max(1,u1),1}+0@cpu");
  EXPECT_EQ(meta(call("aten.view.default", {rows, DimVec{SymInt(-1), SymInt(2), SymInt(2)}})),
            "f32[u1,2,2]{4,2,1}+0@cpu");
  EXPECT_EQ(meta(call("aten.unsqueeze.default", {call("aten.zeros.default", {DimVec{u - 1, SymInt(3)}})[0], 0})),
            "f32[1,u1-1,3]{3*u1-3,3,1}+0@cpu");
  // view replaces the -1 by an expression over the number, and records no guard.
  EXPECT_EQ(meta(call("aten.view.default", {make("f32[12]@cpu"), DimVec{u, SymInt(-1)}})),
            "f32[u1,(12//u1)]{(12//u1),1}+0@cpu");
}

}  // namespace
}  // namespace ersatz
