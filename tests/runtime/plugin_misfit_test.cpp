// Plugins with functions or samples that do not fit their schemas, and plugins of the first interface version.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/op/dispatch.h"
#include "runtime/op/sample.h"
#include "runtime/plugin/plugin.h"
#include "runtime/plugin/plugin_signature.h"
#include "runtime/tensor/generator.h"
#include "runtime/tensor/layout.h"
#include "tests/runtime/plugin_fault.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

constexpr const char* kMisfit = ERSATZ_BINARY_DIR "/lib/misfit_ops.so";
constexpr const char* kOld = ERSATZ_BINARY_DIR "/lib/old_header_ops.so";

std::string load_error(const char* fault) { return load_error_of(kMisfit, fault); }

// This test must be the first in its file, because a library that was loaded successfully is not loaded again.
TEST(PluginMisfit, RuleOfAnotherArityIsRefusedAtLoad) {
  EXPECT_THAT(load_error("results"), HasSubstr("misfit_ops.so: the rule of misfit.op.default gives 2 results, its "
                                               "schema has 1: misfit::op(Tensor x) -> Tensor"));
  EXPECT_THAT(load_error("arguments"),
              HasSubstr("the rule of misfit.op.default takes 2 arguments, its schema has 1: misfit::op(Tensor x)"));
  EXPECT_EQ(registry().find("misfit.op.default"), nullptr);
}

TEST(PluginMisfit, KernelOfAnotherArityIsRefusedAtLoad) {
  EXPECT_THAT(load_error("kernel"),
              HasSubstr("the cpu kernel of misfit.pair.default takes 1 argument, its schema has 2"));
  EXPECT_THAT(load_error("cuda kernel"), HasSubstr("the cuda kernel of misfit.pair.default takes 1 argument"));
}

TEST(PluginMisfit, TypeOutsideTheSchemaIsRefusedAtLoad) {
  EXPECT_THAT(load_error("type"),
              HasSubstr("the cpu kernel of misfit.typed.default takes float as argument 1 ('k'), its "
                        "schema says int"));
  EXPECT_THAT(load_error("optional"), HasSubstr("the rule of misfit.typed.default takes float as argument 1 ('k'), its "
                                                "schema says float?"));
  EXPECT_THAT(load_error("number"), HasSubstr("the rule of misfit.op.default gives float as result 0, its schema says "
                                              "Tensor"));
}

TEST(PluginMisfit, UnreadableSampleIsRefusedWithItsPlace) {
  EXPECT_THAT(load_error("sample"),
              HasSubstr("misfit_ops.so: the sample 'f32[3,' of the operator misfit.op.default cannot be used: "));
  EXPECT_THAT(load_error("sample"), HasSubstr("a size is needed: at 6 of 'f32[3,'"));
}

TEST(PluginMisfit, SampleAgainstItsSchemaIsRefusedAtLoad) {
  EXPECT_THAT(load_error("sample count"), HasSubstr("the sample 'f32[3], f32[3]' of the operator misfit.op.default"));
  EXPECT_THAT(load_error("sample type"), HasSubstr("the sample '2.0, 3' of the operator misfit.op.default"));
}

TEST(PluginMisfit, SampleLargerThanMemoryIsRefusedAtLoad) {
  EXPECT_THAT(load_error("huge sample"), HasSubstr("the sample 'f32[1000000000,1000000000,1000000000]'"));
}

TEST(PluginMisfit, PolicyAndItsOppositeAreRefusedAtLoad) {
  EXPECT_THAT(load_error("policies"),
              HasSubstr("the operator misfit.op.default declares both ERSATZ_FALLBACK_ZEROS and "
                        "ERSATZ_FALLBACK_REFUSE"));
}

TEST(PluginMisfit, WhatFitsThoughSpelledOtherwiseIsTaken) {
  load_plugin(kMisfit);
  for (const char* op :
       {"misfit.maybe.default", "misfit.listed.default", "misfit.scaled.default", "misfit.cautious.default"}) {
    EXPECT_NE(registry().find(op), nullptr) << op;
  }
}

TEST(PluginMisfit, MisfitOpIsLeftOutWithoutTheOthers) {
  const LoadedPlugin& plugin = load_plugin(kMisfit);
  ASSERT_EQ(plugin.refused.size(), 2u);
  EXPECT_EQ(plugin.refused[0].op, "misfit.pair.default");
  EXPECT_EQ(
      plugin.refused[0].why,
      "the cpu kernel of misfit.pair.default gives 1 result, its schema has 2: misfit::pair(Tensor x) -> (Tensor, "
      "Tensor)");
  EXPECT_THAT(plugin.refused[1].why, HasSubstr("gives Tensor as result 0, its schema says Tensor[]"));
  EXPECT_EQ(registry().find("misfit.pair.default"), nullptr);
  EXPECT_THAT(plugin.ops, testing::Not(testing::Contains("misfit.pair.default")));
  const Tensor x = tensor_of<float>({1, 2}, {2});
  EXPECT_EQ(to_string(call("misfit::op", {x})[0].tensor().meta()), "f32[2]{1}+0@cpu");
}

TEST(PluginMisfit, ElementsAreReadAsTheirOwnType) {
  load_plugin(kMisfit);
  const auto hasty = [](const Tensor& x) { return error_of([&] { call("misfit::hasty", {x}); }); };
  EXPECT_EQ(hasty(tensor_of<bool>({true}, {1})),
            "hasty: argument 0 ('x') is bool, and its elements are asked for as f32: check dtype(), in kernel and rule "
            "alike, or take the type that belongs to it");
  EXPECT_THAT(hasty(tensor_of<int64_t>({1}, {1})), HasSubstr("is i64, and its elements are asked for as f32"));
  EXPECT_THAT(hasty(tensor_of<float>({1}, {1})), HasSubstr("a result is i64, and its elements are asked for as f64"));
}

TEST(PluginMisfit, ElementsOfEachDtypeHaveAType) {
  load_plugin(kMisfit);
  const Tensor all[] = {tensor_of<bfloat16>({bfloat16(1.0f)}, {1}), tensor_of<std::complex<float>>({{1, 2}}, {1}),
                        tensor_of<bool>({true}, {1}), tensor_of<uint8_t>({1}, {1})};
  for (const Tensor& x : all) {
    EXPECT_EQ(to_string(call("misfit::raw", {x})[0].tensor().meta()), to_string(x.meta()));
  }
}

TEST(PluginMisfit, ASignatureThatIsNoneIsRefused) {
  const FunctionSchema schema = parse_schema("ns::f(Tensor x) -> Tensor");
  for (const char* text : {"", "Tensor -> Tensor", "(Tensor", "(Tensor) (Tensor)", "(Tensor) -> Tensor"}) {
    EXPECT_THAT(error_of([&] { signature_misfit(schema, "rule", text); }), HasSubstr("is no signature")) << text;
  }
  EXPECT_EQ(signature_misfit(schema, "rule", "(Tensor?) -> (Tensor)"), "");
}

TEST(BoundSample, AllocatesNothingForItsTensors) {
  const FunctionSchema schema = parse_schema("ns::f(Tensor x, float k=0.5) -> Tensor");
  const std::vector<Value> args = bind_sample(schema, "f32[100000000,1000000]");
  ASSERT_EQ(args.size(), 2u);
  EXPECT_FALSE(args[0].tensor().storage()->has_bytes());
  EXPECT_EQ(args[1], Value(0.5));
}

TEST(OldPlugin, LoadsAndRunsAsBefore) {
  load_plugin(kOld);
  const OpEntry& op = op_named("old.zeros.default");
  EXPECT_EQ(op.samples.size(), 1u);
  EXPECT_EQ(op.fallback, FallbackPolicy::Rule);
  const Tensor y = call("old::zeros", {tensor_of<float>({1, 2}, {2})})[0].tensor();
  EXPECT_EQ(y.data<float>()[1], 0.0f);
}

/// Returns the text that an op of told_kinds.h returns, which names the kinds of its arguments.
std::string told_kinds(const char* op) {
  const std::vector<Value> args = {tensor_of<float>({1}, {1}), Value(Layout::Strided),
                                   Value(MemoryFormat::ChannelsLast), Value(make_ref<Generator>())};
  std::string text;
  for (const Value& v : call(op_named(op), args)) text += to_string(v) + " ";
  return text;
}

TEST(OldPlugin, GetsLayoutsFormatsAndGeneratorsLikeInterface1) {
  load_plugin(kOld);
  EXPECT_EQ(told_kinds("old::told"), "11 11 11 2 ");
  load_plugin(ERSATZ_BINARY_DIR "/lib/kinds_ops.so");
  EXPECT_EQ(told_kinds("kinds::told"), "11 12 13 2 ");
}

TEST(OldPlugin, UnnamedCpuPredictionIsRefusedWithoutArguments) {
  load_plugin(kOld);
  const OpEntry& op = op_named("old.zeros.default");
  const auto predict = [&](const char* meta) {
    const TensorMeta m = parse_meta(meta);
    RuleResult rule;
    run_rule(op, std::array<Value, 1>{Tensor(m, Storage::make_fake(storage_bytes_needed(m), m.device))}, rule);
    return to_string(rule.outputs[0].meta);
  };
  EXPECT_EQ(predict("f32[2,3]@cpu"), "f32[2,3]{3,1}+0@cpu");
  EXPECT_THAT(error_of([&] { predict("f32[2,3]@cuda:1"); }),
              HasSubstr("zeros: the rule of " + std::string(kOld) +
                        " predicts result 0 on cpu, where no argument is (they are on cuda:1)"));
}

TEST(OldPlugin, RuleContradictingItsSchemaIsRefusedWhenCalled) {
  load_plugin(kOld);
  const Tensor x = tensor_of<float>({1, 2}, {2});
  RuleResult two, number;
  EXPECT_THAT(error_of([&] { run_rule(op_named("old.two.default"), std::array<Value, 1>{x}, two); }),
              HasSubstr("gave 2 results for old::two(Tensor x) -> Tensor"));
  EXPECT_THAT(error_of([&] { run_rule(op_named("old.number.default"), std::array<Value, 1>{x}, number); }),
              HasSubstr("gave a number as result 0 of old::number(Tensor x) -> Tensor"));
}

}  // namespace
}  // namespace ersatz
