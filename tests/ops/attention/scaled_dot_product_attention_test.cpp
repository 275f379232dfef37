#include "kernels/attention/scaled_dot_product_attention.h"

#include "fake/mode/fake_mode.h"
#include "runtime/op/recorded_layout.h"
#include "tests/ops/attention/cuda_answers.h"
#include "tests/ops/attention/small_operands.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

using small_operands::keys;
using small_operands::values;
using namespace cuda_answers;

TEST(AttentionChoice, IsFusedWhereTheFusedKernelCanAnswer) {
  const auto choice = [](const Tensor& q, const Tensor& k, const Tensor& v) {
    return call_op_all<"aten._fused_sdp_choice.default">(q, k, v, Tensor(), 0.0, false, std::optional<double>(),
                                                         false)[0]
        .as_int()
        .as_int();
  };
  const Tensor q = ramp("f32[2,4,5,8]"), k = ramp("f32[2,4,7,8]"), one = ramp("f32[2,1,7,8]");
  EXPECT_EQ(choice(q, k, k), 1);
  EXPECT_EQ(choice(q, one, one), 1);
  EXPECT_EQ(choice(q, ramp("f32[2,2,7,8]"), ramp("f32[2,2,7,8]")), 0);
  EXPECT_EQ(choice(q, k, ramp("f32[2,4,7,6]")), 0);
  EXPECT_EQ(choice(ramp("f32[2,4,5,8]{160,40,1,5}"), k, k), 0);
}

TEST(AttentionChoice, IsTheCompositionOnOtherDevices) {
  const Tensor t = shape_only("f32[2,4,5,8]@cuda:0");
  RuleResult result;
  const std::vector<Value> args =
      bind_arguments(op_named("aten._fused_sdp_choice.default").schema, std::vector<Value>{t, t, t}, {});
  run_rule(op_named("aten._fused_sdp_choice.default"), args, result);
  EXPECT_EQ(result.outputs[0].number.as_int().as_int(), 0);
}

/// Arguments of a call of _fused_sdp_choice. All arguments but query and key have PyTorch's defaults.
struct Asked {
  std::string query = "f16[2,4,5,8]", key = "f16[2,4,7,8]", value = {}, mask = {};
  double dropout = 0;
  bool causal = false, grouped = false;
};

/// The name of the kernel (`flash` and so on) that _fused_sdp_choice chooses on this backend.
std::string choice(std::string_view backend, const Asked& of) {
  const ContextGuard guard(
      [&](RuleContext& c) { c.backend = backend.empty() ? BackendRecord() : parse_backend(backend); });
  const Value mask = of.mask.empty() ? Value() : Value(on_cuda(of.mask));
  const std::string n = answers("aten._fused_sdp_choice.default",
                                {on_cuda(of.query), on_cuda(of.key), on_cuda(of.value.empty() ? of.key : of.value),
                                 mask, of.dropout, of.causal, Value(), of.grouped})[0];
  constexpr const char* kNames[] = {"math", "flash", "efficient", "cudnn"};
  return kNames[std::stoi(n)];
}

TEST(AttentionChoiceOnCuda, GoesByDTypeAndCapability) {
  EXPECT_EQ(choice("sm_80", {}), "flash");
  EXPECT_EQ(choice("sm_75", {}), "efficient");
  EXPECT_EQ(choice("sm_80", {.query = "f32[2,4,5,8]", .key = "f32[2,4,7,8]"}), "efficient");
  EXPECT_EQ(choice("sm_80", {.query = "f64[2,4,5,8]", .key = "f64[2,4,7,8]"}), "math");
  EXPECT_EQ(choice("sm_75", {.query = "bf16[2,4,5,8]", .key = "bf16[2,4,7,8]"}), "math");
  EXPECT_EQ(choice("", {}), "math");
}

// BEY-11: the order of kernels depends on the GPU and on the version of cuDNN.
TEST(AttentionChoiceOnCuda, AsksCudnnFirstWhereFastAndNew) {
  EXPECT_EQ(choice("sm_90,cudnn=91900", {}), "cudnn");
  EXPECT_EQ(choice("sm_100,cudnn=91900", {}), "cudnn");
  EXPECT_EQ(choice("sm_90,cudnn=91500", {}), "flash");
  EXPECT_EQ(choice("sm_90", {}), "flash");
  EXPECT_EQ(choice("sm_103,cudnn=91900", {}), "flash");
  EXPECT_EQ(choice("sm_89,cudnn=91900", {}), "flash");
  EXPECT_EQ(choice("sm_90,cudnn=91900", {.mask = "bool[5,7]"}), "cudnn");
  EXPECT_EQ(choice("sm_90,cudnn=91900", {.mask = "f16[3,7]"}), "efficient");
  EXPECT_EQ(choice("sm_90,cudnn=91900", {.key = "f16[2,4,1,8]"}), "flash");
  EXPECT_EQ(choice("sm_90,cudnn=91900", {.query = "f16[2,4,5,12]", .key = "f16[2,4,7,12]"}), "flash");
  EXPECT_EQ(choice("sm_90,cudnn=91900", {.dropout = 0.1}), "flash");
  EXPECT_EQ(choice("sm_90,cudnn=91900", {.dropout = 0.125}), "cudnn");
  EXPECT_EQ(choice("sm_100,cudnn=91900", {.query = "f16[2,4,1,8]"}), "flash");
  EXPECT_EQ(choice("sm_100,cudnn=92401", {.query = "f16[2,4,1,8]"}), "cudnn");
  EXPECT_EQ(choice("sm_100,cudnn=91900", {.query = "f16[2,4,5,192]", .key = "f16[2,4,7,192]"}), "flash");
  EXPECT_EQ(choice("sm_90,cudnn=91900", {.query = "f16[2,4,5,256]", .key = "f16[2,4,7,256]"}), "cudnn");
}

TEST(AttentionChoiceOnCuda, AvoidsFlashWhereItCannotAnswer) {
  EXPECT_EQ(choice("sm_80", {.mask = "f16[5,7]"}), "efficient");
  EXPECT_EQ(choice("sm_80", {.causal = true}), "efficient");
  EXPECT_EQ(choice("sm_80", {.key = "f16[2,4,5,8]", .causal = true}), "flash");
  EXPECT_EQ(choice("sm_80", {.query = "f16[2,4,5,264]", .key = "f16[2,4,7,264]"}), "efficient");
  EXPECT_EQ(choice("sm_80", {.value = "f16[2,4,7,16]"}), "efficient");
  EXPECT_EQ(choice("sm_80", {.query = "f16[2,4,5,6]", .key = "f16[2,4,7,6]"}), "flash");
  EXPECT_EQ(choice("sm_80", {.query = "f16[2,4,5,6]", .key = "f16[2,4,7,6]", .mask = "f16[5,7]"}), "math");
  EXPECT_EQ(choice("sm_80", {.dropout = 0.1}), "flash");
  EXPECT_EQ(choice("sm_80", {.query = "f16[2,4,5,8]{160,40,1,5}"}), "math");
  EXPECT_EQ(choice("sm_80", {.query = "f16[2,4,0,8]"}), "math");
  EXPECT_EQ(choice("sm_80", {.key = "f16[2,2,7,8]"}), "math");
  EXPECT_EQ(choice("sm_80", {.key = "f16[2,2,7,8]", .grouped = true}), "flash");
  EXPECT_EQ(choice("sm_80", {.key = "f16[2,2,7,8]", .mask = "f16[5,7]", .grouped = true}), "efficient");
  EXPECT_EQ(choice("sm_80", {.key = "f16[2,1,7,8]"}), "flash");
  EXPECT_EQ(choice("sm_80", {.query = "f16[4,5,8]", .key = "f16[4,7,8]"}), "flash");
  EXPECT_EQ(choice("sm_80", {.query = "f16[5,8]", .key = "f16[7,8]"}), "math");
  EXPECT_EQ(choice("sm_80", {.mask = "f16[5,7]{1,5}"}), "math");
}

/// The predicted result of attention on cuda:0, and whether its layout is unknown.
struct Predicted {
  std::string meta;
  bool unknown;
};
Predicted predict(std::string_view backend, std::string_view query, std::string_view key, const char* mask = nullptr) {
  const ContextGuard guard(
      [&](RuleContext& c) { c.backend = backend.empty() ? BackendRecord() : parse_backend(backend); });
  FakeOptions counting;
  counting.count_sources = true;
  const FakeMode mode(counting);
  const auto fake = [&](std::string_view text) { return mode.make(parse_meta(std::string(text) + "@cuda:0")); };
  const Tensor out =
      ops::scaled_dot_product_attention(fake(query), fake(key), fake(key), {.mask = mask ? fake(mask) : Tensor()});
  return {to_string(out.meta()), to_string(mode.coverage()).find("strides: unknown_layout 1") != std::string::npos};
}

// BEY-11
TEST(AttentionOnCuda, HasStridesOfKernelThatBackendTakes) {
  EXPECT_EQ(predict("sm_80", "f32[2,4,5,8]", "f32[2,4,7,8]").meta, "f32[2,4,5,8]{160,8,32,1}+0@cuda:0");
  EXPECT_EQ(predict("sm_80", "f16[2,4,5,8]", "f16[2,4,7,8]").meta, "f16[2,4,5,8]{160,40,8,1}+0@cuda:0");
  EXPECT_EQ(predict("sm_80", "f16[2,4,5,8]", "f16[2,4,7,8]", "f16[5,7]").meta, "f16[2,4,5,8]{160,8,32,1}+0@cuda:0");
  EXPECT_EQ(predict("sm_90,cudnn=91900", "f16[2,4,5,8]", "f16[2,4,7,8]", "f16[5,7]").meta,
            "f16[2,4,5,8]{160,40,8,1}+0@cuda:0");
  EXPECT_EQ(predict("sm_80", "f16[4,5,8]{8,32,1}", "f16[4,7,8]").meta, "f16[4,5,8]{8,32,1}+0@cuda:0");
}

TEST(AttentionOnCuda, PadsFeaturesForFlashAndSlicesThemOff) {
  EXPECT_EQ(predict("sm_80", "f16[2,4,5,6]{120,6,24,1}", "f16[2,4,7,6]").meta, "f16[2,4,5,6]{160,40,8,1}+0@cuda:0");
}

// BEY-11: for an unknown backend, the result equals that of PyTorch's fakes without a GPU, and the layout is unknown.
TEST(AttentionOnCuda, IsOfUnknownLayoutWhereBackendsDiffer) {
  const Predicted unknown = predict("", "f32[2,4,5,8]", "f32[2,4,7,8]");
  EXPECT_EQ(unknown.meta, "f32[2,4,5,8]{160,40,8,1}+0@cuda:0");
  EXPECT_TRUE(unknown.unknown);
  EXPECT_FALSE(predict("sm_80", "f32[2,4,5,8]", "f32[2,4,7,8]").unknown);
  EXPECT_FALSE(predict("", "f64[2,4,5,8]", "f64[2,4,7,8]").unknown);
  EXPECT_FALSE(predict("", "f32[2,1,5,8]", "f32[2,1,7,8]").unknown);
  // With a new enough version, cuDNN is tried first, and its result for masks has the query's layout.
  EXPECT_TRUE(predict("sm_90", "f16[2,4,5,8]", "f16[2,4,7,8]", "f16[5,7]").unknown);
  EXPECT_FALSE(predict("sm_90,cudnn=91900", "f16[2,4,5,8]", "f16[2,4,7,8]", "f16[5,7]").unknown);
  EXPECT_FALSE(predict("sm_90", "f16[2,4,5,8]", "f16[2,4,7,8]").unknown);
}

}  // namespace
}  // namespace ersatz
