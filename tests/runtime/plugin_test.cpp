// Plugins: the demo ops, and a plugin that can have each fault.
#include "runtime/plugin/plugin.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/op/dispatch.h"
#include "tests/runtime/plugin_fault.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kDemo = ERSATZ_BINARY_DIR "/lib/demo_ops.so";
constexpr const char* kBad = ERSATZ_BINARY_DIR "/lib/bad_plugin.so";

std::string load_error(const char* fault) { return load_error_of(kBad, fault); }

/// Returns the error of bad::op on a vector, after the plugin was loaded without a fault.
std::string call_error(const char* fault) {
  load_plugin(kBad);
  Fault f(fault);
  return error_of([] { call("bad.op.default", {tensor_of<float>({1, 2, 3}, {3})}); });
}

// This test must be the first in its file, because a library that was loaded successfully is not loaded again.
TEST(PluginLoad, FailsWithAReasonAndRegistersNothing) {
  load_plugin(kDemo);
  EXPECT_THAT(load_error("schema"), HasSubstr("bad_plugin.so: schema: expected ')' at position"));
  EXPECT_THAT(load_error("twice"), HasSubstr("the operator bad.first.default is registered twice"));
  EXPECT_THAT(load_error("taken"), HasSubstr("the operator demo.leaky_mix.default is already registered (from "));
  EXPECT_THAT(load_error("status"), HasSubstr("its entry function returned 3"));
  EXPECT_THAT(load_error("refuse load"), HasSubstr("the moon is full"));
  EXPECT_THAT(load_error("future"), HasSubstr("bad_plugin.so: it was built for plugin interface 99, this is 2"));
  EXPECT_THAT(load_error("throw at load"), HasSubstr("threw an exception"));
  EXPECT_THAT(load_error("long schema"), HasSubstr("at most 65536 characters"));
  EXPECT_THAT(load_error("no schema"), HasSubstr("an op without a schema"));
  EXPECT_THAT(load_error("no kernel"), HasSubstr("the operator bad.op.default has no kernel"));
  EXPECT_THAT(load_error("old struct"), HasSubstr("an ErsatzOp of 8 bytes"));
  EXPECT_EQ(registry().find("bad.first.default"), nullptr);
}

TEST(Plugin, RegistersItsOps) {
  const LoadedPlugin& plugin = load_plugin(kDemo);
  EXPECT_EQ(plugin.path, kDemo);
  EXPECT_THAT(plugin.ops, ElementsAre("demo.leaky_mix.default", "demo.top_pairs.default", "demo.add_into.default"));
  const OpEntry& mix = op_named("demo.leaky_mix.default");
  EXPECT_TRUE(mix.tags.has(Tag::Foreign));
  EXPECT_EQ(mix.source, kDemo);
  EXPECT_NE(mix.rule, nullptr);
  EXPECT_EQ(mix.samples.size(), 2u);
  const OpEntry& top = op_named("demo.top_pairs.default");
  EXPECT_EQ(top.rule, nullptr);
  EXPECT_EQ(top.fallback, FallbackPolicy::Rule) << "no rule and no declaration: as the mode says";
}

TEST(Plugin, LoadingAgainAnswersTheSame) { EXPECT_EQ(&load_plugin(kDemo), &load_plugin(kDemo)); }

TEST(Plugin, KernelMakesItsOwnLayout) {
  load_plugin(kDemo);
  Tensor x = tensor_of<float>({2, -4, 6, 8, 10, -12}, {2, 3}), y = tensor_of<float>({0, 0, 0, 0, 0, 0}, {2, 3});
  Tensor z = call("demo::leaky_mix", {x, y, 0.5})[0].tensor();
  EXPECT_EQ(to_string(z.meta()), "f32[2,3]{1,2}+0@cpu");
  EXPECT_THAT(std::vector<float>(z.data<float>(), z.data<float>() + 6), ElementsAre(1, 4, -1, 5, 3, -3));
}

TEST(Plugin, KernelReadsAnyStrides) {
  load_plugin(kDemo);
  Tensor x = tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const SymInt sizes[] = {3, 2}, strides[] = {1, 3};
  Tensor t = make_view(x, TensorMeta(DType::F32, sizes, strides));
  Tensor z = call("demo::leaky_mix", {t, t})[0].tensor();
  EXPECT_EQ(to_string(z.meta()), "f32[3,2]{1,3}+0@cpu");
  EXPECT_THAT(std::vector<float>(z.data<float>(), z.data<float>() + 6), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Plugin, RulePredictsWhatTheKernelGives) {
  load_plugin(kDemo);
  const OpEntry& op = op_named("demo.leaky_mix.default");
  Tensor x = tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  RuleResult rule;
  run_rule(op, bind_arguments(op.schema, std::array<Value, 2>{x, x}), rule);
  ASSERT_EQ(rule.outputs.size(), 1u);
  EXPECT_EQ(to_string(rule.outputs[0].meta), to_string(call(op, std::array<Value, 2>{x, x})[0].tensor().meta()));
}

TEST(Plugin, RuleAndKernelRefuseWithTheSameWords) {
  load_plugin(kDemo);
  const OpEntry& op = op_named("demo.leaky_mix.default");
  Tensor x = tensor_of<float>({1, 2}, {2}), y = tensor_of<float>({1}, {1});
  RuleResult rule;
  std::string expected = "leaky_mix: x and y must have the same sizes [leaky_mix.C1]";
  EXPECT_EQ(error_of([&] { run_rule(op, std::array<Value, 3>{x, y, 0.1}, rule); }), expected);
  EXPECT_EQ(error_of([&] { call("demo::leaky_mix", {x, y}); }), expected);
}

TEST(Plugin, ReturnsSeveralResults) {
  load_plugin(kDemo);
  Values r = call("demo::top_pairs", {tensor_of<float>({1, 9, 5, 4, 2, 8}, {2, 3}), 2});
  ASSERT_EQ(r.size(), 2u);
  Tensor values = r[0].tensor(), places = r[1].tensor();
  EXPECT_THAT(std::vector<float>(values.data<float>(), values.data<float>() + 4), ElementsAre(9, 5, 8, 4));
  EXPECT_THAT(std::vector<int64_t>(places.data<int64_t>(), places.data<int64_t>() + 4), ElementsAre(1, 2, 2, 0));
}

TEST(Plugin, WritesAnArgumentAndMovesItsVersion) {
  load_plugin(kDemo);
  Tensor acc = tensor_of<float>({1, 2}, {2});
  Values r = call("demo::add_into", {acc, tensor_of<float>({10, 20}, {2})});
  EXPECT_EQ(r.size(), 0u);
  EXPECT_THAT(std::vector<float>(acc.data<float>(), acc.data<float>() + 2), ElementsAre(11, 22));
  EXPECT_EQ(acc.version(), 1u);
}

TEST(Plugin, ResultsOutliveTheCallAndFreeTheirMemory) {
  load_plugin(kBad);
  void* handle = dlopen(kBad, RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(handle, nullptr);
  auto deleted = reinterpret_cast<int (*)()>(dlsym(handle, "bad_plugin_deleted"));
  int before = deleted();
  {
    Fault f("own memory");
    Tensor y = call("bad.op.default", {tensor_of<float>({1}, {1})})[0].tensor();
    EXPECT_EQ(y.data<float>()[5], 2);
    EXPECT_EQ(deleted(), before);
  }
  EXPECT_EQ(deleted(), before + 1);
}

TEST(Plugin, ResultInsideAnArgumentIsAView) {
  load_plugin(kBad);
  Tensor x = tensor_of<float>({1, 2, 3}, {3});
  Fault f("view");
  Tensor y = call("bad.op.default", {x})[0].tensor();
  EXPECT_TRUE(y.shares_storage(x));
  EXPECT_EQ(to_string(y.meta()), "f32[1]{1}+1@cpu");
}

TEST(Plugin, ArgumentMayBeTheResult) {
  load_plugin(kBad);
  Tensor x = tensor_of<float>({1, 2, 3}, {3});
  Fault f("argument");
  EXPECT_TRUE(call("bad.op.default", {x})[0].tensor().is(x));
}

TEST(PluginLoad, SaysWhatIsWrongWithTheFile) {
  EXPECT_THAT(error_of([] { load_plugin("nowhere/none.so"); }), HasSubstr("plugin nowhere/none.so: "));
  EXPECT_THAT(error_of([] { load_plugin(ERSATZ_SOURCE_DIR "/README.md"); }), HasSubstr("README.md"));
  EXPECT_THAT(error_of([] { load_plugin(ERSATZ_BINARY_DIR "/lib/libersatz.so"); }),
              HasSubstr("it has no function ersatz_plugin"));
}

TEST(PluginCall, EveryFaultOfAKernelIsAnError) {
  EXPECT_EQ(call_error("refuse"), "op: I do not like x [op.C9]");
  EXPECT_THAT(call_error("throw"), HasSubstr("threw an exception through its C interface"));
  EXPECT_THAT(call_error("silent"), HasSubstr("returned 7 without saying why"));
  EXPECT_THAT(call_error("no result"), HasSubstr("gave 0 results for bad::op(Tensor x) -> Tensor"));
  EXPECT_THAT(call_error("two results"), HasSubstr("gave 2 results"));
  EXPECT_THAT(call_error("no data"), HasSubstr("gave no data for result 0"));
  EXPECT_THAT(call_error("number"), HasSubstr("gave a float as result 0"));
  EXPECT_THAT(call_error("too small"), HasSubstr("allocated 8 bytes for result 0, which needs 24"));
  EXPECT_THAT(call_error("dtype"), HasSubstr("an unknown dtype (code 2, bits 33, lanes 1)"));
  EXPECT_THAT(call_error("negative"), HasSubstr("a negative size or stride in dim 1"));
  EXPECT_THAT(call_error("huge"), HasSubstr("64"));
  EXPECT_THAT(call_error("ndim"), HasSubstr("100000 dims: 0 to 64 are taken"));
  EXPECT_THAT(call_error("device"), HasSubstr("an unknown device (77, 0)"));
  EXPECT_THAT(call_error("odd offset"), HasSubstr("an offset of 3 bytes"));
  EXPECT_THAT(call_error("leak"), HasSubstr("refers to argument 5 of bad::op(Tensor x) -> Tensor"));
}

}  // namespace
}  // namespace ersatz
