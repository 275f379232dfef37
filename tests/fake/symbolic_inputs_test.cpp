// Conversion of tensors in a mode with a ShapeEnv: sizes that become symbols, and `defake`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/mode/data_memo.h"
#include "fake/object/defake.h"
#include "fake/object/fake_copy.h"
#include "fake/object/module_tree.h"
#include "fake/object/parameter.h"
#include "runtime/sym/sym_value.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/checked.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Inputs {
  explicit Inputs(FakeOptions options = {}) : mode(with(std::move(options), env)) {}
  static FakeMode with(FakeOptions options, const std::shared_ptr<ShapeEnv>& env) {
    options.shape_env = env;
    return FakeMode(options);
  }
  std::string meta(const Tensor& t, const FromTensorOptions& asked = {}) const {
    return to_string(mode.from_tensor(t, asked).meta());
  }
  std::shared_ptr<ShapeEnv> env = std::make_shared<ShapeEnv>();
  FakeMode mode;
};

Tensor real(std::string_view meta) { return make_real_tensor(parse_meta(meta)); }
SymbolicContext dims(std::vector<DimContext> list) { return {std::move(list)}; }
const DimContext kDynamic{.kind = DimKind::Dynamic}, kStatic, kUnbacked{.kind = DimKind::Unbacked};

// SYM-02: only the dynamic dim becomes a symbol.
TEST(SymbolicInputs, DynamicDimIsSymbolWithSizeAsHint) {
  const Inputs in;
  const Tensor x = in.mode.from_tensor(real("f32[2,2,768]"), {.symbolic_context = dims({kDynamic, kStatic, kStatic})});
  EXPECT_EQ(to_string(x.meta()), "f32[s0,2,768]{1536,768,1}+0@cpu");
  EXPECT_EQ(value_at_hints(x.size(0)), 2);
  EXPECT_EQ(to_string(x.storage()->nbytes()), "6144*s0");
  const Values y = call("aten.unsqueeze_copy.default", {x, Value(1)});
  EXPECT_EQ(to_string(y[0].tensor_impl()->meta), "f32[s0,1,2,768]{1536,1536,768,1}+0@cpu");
  EXPECT_TRUE(y[0].tensor_impl()->meta.sizes[0].is_identical(x.size(0)));
  EXPECT_TRUE(in.env->guards().empty());
}

// MODE-08: static_shapes can be set in the mode, in the call, and in both.
TEST(SymbolicInputs, StaticShapesOfACallOverrideTheMode) {
  const Inputs in;
  EXPECT_EQ(in.meta(real("f32[3,1,4]")), "f32[s0,1,s1]{s1,s1,1}+0@cpu");
  EXPECT_EQ(in.meta(real("f32[3,4]"), {.static_shapes = true}), "f32[3,4]{4,1}+0@cpu");
  const Inputs plain(FakeOptions{.static_shapes = true});
  EXPECT_EQ(plain.meta(real("f32[3,4]")), "f32[3,4]{4,1}+0@cpu");
  EXPECT_EQ(plain.meta(real("f32[3,4]"), {.static_shapes = false}), "f32[s0,s1]{s1,1}+0@cpu");
  const Tensor x = real("f32[3]");
  const Error e = error_of([&] { in.meta(x, {.static_shapes = true, .symbolic_context = dims({kDynamic})}); });
  EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
  EXPECT_THAT(e.message, HasSubstr("cannot set both static_shapes and symbolic_context"));
  EXPECT_EQ(FakeMode().from_tensor(x, {.static_shapes = false}).size(0).as_int(), 3) << "without an environment";
}

TEST(SymbolicInputs, LayoutsAndStoragesAreToldOverSymbols) {
  const Inputs in;
  EXPECT_EQ(in.meta(real("f32[2,3,4,5]{60,1,15,3}+0@cpu")), "f32[s0,s1,s2,s3]{s1*s2*s3,1,s1*s3,s1}+0@cpu");
  const Tensor wide = real("f32[4,6]");
  const Tensor part = make_view(wide, parse_meta("f32[4,3]{6,1}+2@cpu"));
  const Tensor fake = in.mode.from_tensor(part);
  EXPECT_EQ(to_string(fake.meta()), "f32[s4,s5]{6,1}+2@cpu");
  EXPECT_EQ(fake.storage()->nbytes().as_int(), 96) << "what lies beside a part keeps its size";
}

TEST(SymbolicInputs, AContextThatDoesNotFitSaysWhy) {
  const Inputs in;
  const Tensor x = real("f32[3,4]"), y = real("f32[5]");
  const auto refused = [&](const Tensor& t, std::vector<DimContext> list, std::string_view what) {
    const Error e = error_of([&] { in.meta(t, {.symbolic_context = dims(list), .source = "x"}); });
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
    EXPECT_THAT(e.message, HasSubstr(what));
  };
  refused(x, {kDynamic}, "has 1 dims, the tensor 2");
  refused(x, {kStatic, {.kind = DimKind::Dynamic, .max = 3}}, "input x:1 is 4, and the symbolic_context says 2..3");
  EXPECT_EQ(in.meta(x, {.symbolic_context = dims({{.kind = DimKind::Dynamic, .name = "batch"}, kStatic})}),
            "f32[batch,4]{4,1}+0@cpu");
  refused(y, {{.kind = DimKind::Dynamic, .name = "batch"}}, "says batch, which is 3");
  in.meta(y, {.static_shapes = true});
  const Tensor held = in.mode.from_tensor(y, {.static_shapes = true});
  refused(y, {kDynamic}, "another symbolic_context, as f32[5]");
  const Error e = error_of([&] { FakeMode().from_tensor(x, {.symbolic_context = dims({kDynamic, kStatic})}); });
  EXPECT_THAT(e.message, HasSubstr("takes a mode with a ShapeEnv"));
  EXPECT_EQ(in.env->symbols().size(), 1U) << "what is refused makes no symbol";
}

// CONV-20: a tensor keeps its symbols after its first fake is freed.
TEST(SymbolicInputs, ATensorHasTheSameSymbolsEachTime) {
  const Inputs in;
  const Tensor x = real("f32[3,4]");
  const SymbolicContext context = dims({kDynamic, kUnbacked});
  EXPECT_EQ(in.meta(x, {.symbolic_context = context, .source = "x"}), "f32[s0,u0]{u0,1}+0@cpu");
  EXPECT_EQ(in.mode.tensor_memo_size(), 0U);
  EXPECT_EQ(in.meta(x), "f32[s0,u0]{u0,1}+0@cpu");
  EXPECT_EQ(in.meta(x, {.symbolic_context = context}), "f32[s0,u0]{u0,1}+0@cpu");
  EXPECT_EQ(in.meta(x, {.static_shapes = true}), "f32[3,4]{4,1}+0@cpu");
  const Error e = error_of([&] { in.meta(x, {.symbolic_context = dims({kDynamic, kDynamic})}); });
  EXPECT_THAT(e.message, HasSubstr("another symbolic_context, as f32[s0,u0]"));
  EXPECT_EQ(in.env->symbols().size(), 2U);
  EXPECT_THAT(in.env->provenance("u0")->seen, ElementsAre(4));
}

// CONV-16
TEST(SymbolicInputs, ValueOfZeroDimInputIsBackedSymbol) {
  const Inputs in;
  const Tensor n = tensor_of<int64_t>({7}, {}), x = tensor_of<double>({2.5}, {});
  const Tensor fake_n = in.mode.from_tensor(n, {.source = "n"}), fake_x = in.mode.from_tensor(x, {.source = "x"});
  const Value item = call("aten.item.default", {fake_n})[0], number = call("aten.item.default", {fake_x})[0];
  ASSERT_TRUE(item.is_symbolic() && number.is_symbolic());
  EXPECT_EQ(to_string(item), "s0");
  EXPECT_EQ(value_at_hints(item.as_int()), 7);
  EXPECT_EQ(to_string(number), "float(zf0)");
  EXPECT_EQ(number.as_sym_float().at_hints(), 2.5);
  EXPECT_EQ((number.as_sym_float() + SymFloat(1)).at_hints(), 3.5);
  EXPECT_TRUE(guard_gt(item.as_int(), 6));

  call("aten.add_.Scalar", {fake_n, Value(1)});
  EXPECT_EQ(to_string(call("aten.item.default", {fake_n})[0]), "u0") << "written: nobody knows its value";

  const Tensor other = tensor_of<int64_t>({7}, {}), third = tensor_of<int64_t>({7}, {});
  EXPECT_EQ(to_string(call("aten.item.default", {in.mode.from_tensor(other)})[0]), "u1") << "no source";
  const Inputs exporting(FakeOptions{.for_export = true});
  EXPECT_EQ(to_string(call("aten.item.default", {exporting.mode.from_tensor(third, {.source = "n"})})[0]), "u0");
}

// SYM-14: `always_static` returns a bool and a reason; options switch the kinds of tensors off.
TEST(SymbolicInputs, SomeTensorsNeverGetSymbols) {
  const Tensor x = real("f32[3]");
  const Parameter w(real("f32[3]"));
  using Decision = std::pair<bool, std::optional<StaticReason>>;
  const Decision no{false, std::nullopt};
  EXPECT_EQ(always_static(x, false, {}), no);
  EXPECT_EQ(always_static(x, true, {}), Decision(true, StaticReason::ModuleOwned));
  EXPECT_EQ(always_static(x, true, {.of_modules = false}), no);
  EXPECT_EQ(always_static(w, false, {}), Decision(true, StaticReason::Parameter));
  EXPECT_EQ(always_static(w, false, {.parameters = false}), no);
  EXPECT_EQ(always_static(Value(3), false, {}), Decision(true, StaticReason::NotTensor));
  const Inputs in, lenient(FakeOptions{.static_tensors = {.of_modules = false, .parameters = false}});
  EXPECT_EQ(in.meta(w), "f32[3]{1}+0@cpu grad");
  EXPECT_EQ(in.meta(x, {.of_module = true}), "f32[3]{1}+0@cpu");
  EXPECT_EQ(lenient.meta(w), "f32[s0]{1}+0@cpu grad");
  EXPECT_EQ(lenient.meta(x, {.of_module = true}), "f32[s1]{1}+0@cpu");
}

// SYM-15
TEST(SymbolicInputs, WhyATensorIsStaticIsSaid) {
  const Inputs in;
  const Parameter w(real("f32[3]"));
  const auto why = [&](const Tensor& t, bool of_module) {
    return error_of([&] { in.meta(t, {.symbolic_context = dims({kDynamic}), .of_module = of_module}); }).message;
  };
  EXPECT_THAT(why(w, false), HasSubstr("mark_dynamic on parameter, parameters are always static today."));
  EXPECT_THAT(why(real("f32[3]"), true), HasSubstr("tensor is static because it is nn module associated."));
  EXPECT_EQ(message(StaticReason::NotTensor), "mark_dynamic on a non tensor, how did this happen?");
  EXPECT_EQ(error_of([] { message(static_cast<StaticReason>(9)); }).kind, ErrorKind::InternalError);
}

// COPY-03
TEST(SymbolicInputs, CopiesKeepTheirSizes) {
  const Inputs in;
  const Tensor x = real("f32[3,4]");
  const FakeCopyScope scope(in.mode);
  EXPECT_EQ(to_string(deep_copy(x).meta()), "f32[3,4]{4,1}+0@cpu");
  EXPECT_EQ(to_string(call("aten.clone.default", {x})[0].tensor_impl()->meta), "f32[3,4]{4,1}+0@cpu");
  const Values sum = call("aten.add.Tensor", {x, x});
  EXPECT_FALSE(sum[0].tensor().is_fake()) << "no copy";
  EXPECT_TRUE(in.env->symbols().empty());
}

// DBG-33
TEST(SymbolicInputs, DefakedTensorIsRealZerosAtHints) {
  const Inputs in;
  in.env->symbol("s0", 4);
  in.env->symbol("u0");
  TensorMeta meta = parse_meta("f32[3,s0]{1,3}+2@cpu", in.env.get());
  meta.requires_grad = true;
  const Tensor zeros = defake(in.mode.make(meta));
  EXPECT_FALSE(zeros.is_fake());
  EXPECT_EQ(to_string(zeros.meta()), "f32[3,4]{1,3}+2@cpu grad");
  for (int64_t i = 0; i < 12; ++i) EXPECT_EQ(zeros.data<float>()[i], 0.0F);
  EXPECT_TRUE(in.env->guards().empty());
  const Tensor x = real("f32[3]");
  EXPECT_EQ(defake(x).impl(), x.impl());
  const Tensor open = in.mode.make(parse_meta("f32[u0]{1}+0@cpu", in.env.get()));
  EXPECT_EQ(error_of([&] { defake(open); }).kind, ErrorKind::GuardOnDataDependent);
  in.env->set_real_value(in.env->symbol("u0"), 5);
  EXPECT_EQ(defake(open).size(0).as_int(), 5) << "the value of the real run beside it";
}

}  // namespace
}  // namespace ersatz
