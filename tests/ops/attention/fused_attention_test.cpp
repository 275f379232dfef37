// Rules of CUDA's attention ops, and which of them `scaled_dot_product_attention` takes: no GPU is needed.
#include <gmock/gmock.h>

#include "fake/mode/fake_mode.h"
#include "kernels/attention/scaled_dot_product_attention.h"
#include "runtime/op/recorded_layout.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Keywords = std::vector<std::pair<std::string, Value>>;

/// `f16[2,4,5,8]` on cuda:0, of metadata only.
Tensor on_cuda(std::string_view text) { return shape_only(std::string(text) + "@cuda:0"); }

std::vector<std::string> answers(std::string_view op, std::vector<Value> positional, Keywords keywords = {}) {
  const OpEntry& entry = op_named(op);
  const std::vector<Value> args = bind_arguments(entry.schema, positional, keywords);
  RuleResult result;
  run_rule(entry, args, result);
  std::vector<std::string> spelled;
  for (const OutputSpec& o : result.outputs) {
    spelled.push_back(o.kind == OutputSpec::Kind::None     ? "none"
                      : o.kind == OutputSpec::Kind::Number ? to_string(o.number)
                                                           : to_string(o.meta));
  }
  return spelled;
}

std::string refusal(std::string_view op, std::vector<Value> positional, Keywords keywords = {}) {
  try {
    answers(op, std::move(positional), std::move(keywords));
  } catch (const Error& e) {
    return e.label.empty() ? e.message : e.label;
  }
  return "";
}

constexpr std::string_view kFlash = "aten._scaled_dot_product_flash_attention.default";
constexpr std::string_view kEfficient = "aten._scaled_dot_product_efficient_attention.default";
constexpr std::string_view kCudnn = "aten._scaled_dot_product_cudnn_attention.default";
constexpr std::string_view kFlashForward = "aten._flash_attention_forward.default";
constexpr std::string_view kEfficientForward = "aten._efficient_attention_forward.default";

// OPS-22
TEST(FlashAttentionOnCuda, AnswersLikeTheQueryWithSumsLengthsAndSeeds) {
  const Tensor kv = on_cuda("f16[2,4,7,8]");
  EXPECT_THAT(answers(kFlash, {on_cuda("f16[2,4,5,8]{160,8,32,1}"), kv, kv}),
              ElementsAre("f16[2,4,5,8]{160,8,32,1}+0@cuda:0", "f32[2,4,5]{20,5,1}+0@cuda:0", "none", "none", "5", "7",
                          "i64[]{}+0@cuda:0", "i64[]{}+0@cuda:0", "f16[0]{1}+0@cuda:0"));
}

// The two queries of XCHK-13. A stride of a dim of size 1 is kept, as `empty_like` keeps it.
TEST(FlashAttentionOnCuda, TakesAQueryThatIsBroadcast) {
  const Tensor t = on_cuda("f16[1,48,64,64]{0,4096,64,1}"), dense = on_cuda("f16[4,2,16,32]");
  EXPECT_EQ(answers(kFlash, {t, t, t})[0], "f16[1,48,64,64]{0,4096,64,1}+0@cuda:0");
  EXPECT_EQ(answers(kFlash, {dense, dense, dense})[0], "f16[4,2,16,32]{1024,512,32,1}+0@cuda:0");
}

// OPS-22: literal sizes asked of PyTorch 2.15's fakes.
TEST(FlashAttentionOnCuda, KeepsWeightsForDebuggingInTiles) {
  const auto mask = [](int64_t queries, int64_t keys, int64_t features) {
    const Tensor q = on_cuda(fmt::format("f16[1,2,{},{}]", queries, features));
    const Tensor k = on_cuda(fmt::format("f16[1,2,{},{}]", keys, features));
    return answers(kFlash, {q, k, k, 0.5, false, true})[8];
  };
  EXPECT_EQ(mask(5, 7, 8), "f16[1,2,5,128]{1280,640,128,1}+0@cuda:0");
  EXPECT_EQ(mask(5, 128, 8), "f16[1,2,5,128]{1280,640,128,1}+0@cuda:0");
  EXPECT_EQ(mask(5, 129, 8), "f16[1,2,5,256]{2560,1280,256,1}+0@cuda:0");
  EXPECT_EQ(mask(129, 300, 64), "f16[1,2,129,1]{258,129,1,1}+0@cuda:0");
  EXPECT_EQ(mask(129, 300, 72), "f16[1,2,129,2]{516,258,2,1}+0@cuda:0");
  EXPECT_EQ(mask(300, 1000, 256), "f16[1,2,300,3]{1800,900,3,1}+0@cuda:0");
}

TEST(FlashAttentionOnCuda, RefusesWhatItsKernelsRefuse) {
  const Tensor q = on_cuda("f16[2,4,5,8]");
  EXPECT_THAT(refusal(kFlash, {shape_only("f16[2,4,5,8]"), shape_only("f16[2,4,5,8]"), shape_only("f16[2,4,5,8]")}),
              HasSubstr("not implemented for cpu"));
  EXPECT_EQ(refusal(kFlash, {on_cuda("f16[4,5,8]"), on_cuda("f16[4,5,8]"), on_cuda("f16[4,5,8]")}),
            "_scaled_dot_product_flash_attention.C1");
  EXPECT_EQ(refusal(kFlash, {on_cuda("f32[2,4,5,8]"), on_cuda("f32[2,4,5,8]"), on_cuda("f32[2,4,5,8]")}),
            "_scaled_dot_product_flash_attention.C2");
  EXPECT_EQ(refusal(kFlash, {q, on_cuda("f16[2,3,5,8]"), on_cuda("f16[2,3,5,8]")}),
            "_scaled_dot_product_flash_attention.C3");
  EXPECT_EQ(refusal(kFlash, {q, q, on_cuda("f16[2,4,5,16]")}), "_scaled_dot_product_flash_attention.C3");
  EXPECT_EQ(refusal(kFlash, {on_cuda("f16[2,4,5,6]"), on_cuda("f16[2,4,5,6]"), on_cuda("f16[2,4,5,6]")}),
            "_scaled_dot_product_flash_attention.C4");
  EXPECT_EQ(refusal(kFlash, {on_cuda("f16[2,4,5,8]{160,40,1,5}"), q, q}), "_scaled_dot_product_flash_attention.C4");
  EXPECT_EQ(refusal(kFlash, {q, q, q, 1.0}), "_scaled_dot_product_flash_attention.C5");
}

// OPS-24
TEST(FlashForwardOnCuda, TakesDenseBatchesAndSequencesBehindEachOther) {
  const Tensor kv = on_cuda("f16[2,7,4,8]"), packed = on_cuda("f16[14,4,8]"), lengths = on_cuda("i32[3]");
  EXPECT_THAT(
      answers(kFlashForward, {on_cuda("f16[2,5,4,8]{160,8,40,1}"), kv, kv, Value(), Value(), 5, 7, 0.0, false, false}),
      ElementsAre("f16[2,5,4,8]{160,8,40,1}+0@cuda:0", "f32[2,4,5]{20,5,1}+0@cuda:0", "i64[]{}+0@cuda:0",
                  "i64[]{}+0@cuda:0", "f16[0]{1}+0@cuda:0"));
  EXPECT_THAT(
      answers(kFlashForward, {on_cuda("f16[10,4,8]"), packed, packed, lengths, lengths, 9, 300, 0.5, false, true}),
      ElementsAre("f16[10,4,8]{32,8,1}+0@cuda:0", "f32[4,10]{10,1}+0@cuda:0", "i64[]{}+0@cuda:0", "i64[]{}+0@cuda:0",
                  "f16[2,4,9,1]{36,9,1,1}+0@cuda:0"));
}

TEST(FlashForwardOnCuda, RefusesLengthsOfOneSideAlone) {
  const Tensor packed = on_cuda("f16[14,4,8]"), lengths = on_cuda("i32[3]");
  EXPECT_EQ(refusal(kFlashForward, {packed, packed, packed, lengths, Value(), 9, 9, 0.0, false, false}),
            "_flash_attention_forward.C6");
  EXPECT_EQ(refusal(kFlashForward, {packed, packed, packed, on_cuda("i64[3]"), lengths, 9, 9, 0.0, false, false}),
            "_flash_attention_forward.C6");
  EXPECT_EQ(refusal(kFlashForward, {packed, packed, packed, lengths, lengths, 9, 9, 0.0, false, false},
                    {{"alibi_slopes", on_cuda("f32[3]")}}),
            "_flash_attention_forward.C7");
  EXPECT_THAT(refusal(kFlashForward, {packed, packed, packed, lengths, lengths, 9, 9, 0.0, false, false},
                      {{"block_table", on_cuda("i32[2,3]")}}),
              HasSubstr("block_table"));
}

// OPS-23
TEST(EfficientAttentionOnCuda, IsDenseByPositionWhateverTheQueryLooksLike) {
  const Tensor q = on_cuda("f32[2,4,33,8]"), k = on_cuda("f32[2,4,7,8]"), v = on_cuda("f32[2,4,7,16]");
  EXPECT_THAT(answers(kEfficient, {q, k, v, Value(), true}),
              ElementsAre("f32[2,4,33,16]{2112,16,64,1}+0@cuda:0", "f32[2,4,64]{256,64,1}+0@cuda:0", "i64[]{}+0@cpu",
                          "i64[]{}+0@cpu"));
  EXPECT_EQ(answers(kEfficient, {q, k, v, Value(), false})[1], "f32[2,4,0]{4,1,1}+0@cuda:0");
}

TEST(EfficientAttentionOnCuda, RefusesABiasThatDoesNotFit) {
  const Tensor t = on_cuda("f32[2,4,5,8]");
  EXPECT_EQ(refusal(kEfficient, {t, t, t, on_cuda("f32[3,3]"), true}), "_scaled_dot_product_efficient_attention.C6");
  EXPECT_EQ(refusal(kEfficient, {t, t, t, on_cuda("f16[5,5]"), true}), "_scaled_dot_product_efficient_attention.C6");
  EXPECT_EQ(refusal(kEfficient, {t, t, on_cuda("f64[2,4,5,8]"), Value(), true}),
            "_scaled_dot_product_efficient_attention.C2");
  EXPECT_EQ(refusal(kEfficient, {on_cuda("f32[4,5,8]"), t, t, Value(), true}),
            "_scaled_dot_product_efficient_attention.C1");
}

// OPS-25
TEST(EfficientForwardOnCuda, AnswersTheLongestLengthsToo) {
  const Tensor q = on_cuda("f16[2,5,4,8]"), k = on_cuda("f16[2,7,4,8]"), v = on_cuda("f16[2,7,4,16]"), none;
  EXPECT_THAT(answers(kEfficientForward, {q, k, v, Value(), Value(), Value(), Value(), Value(), 0.0, 0, true}),
              ElementsAre("f16[2,5,4,16]{320,64,16,1}+0@cuda:0", "f32[2,4,32]{128,32,1}+0@cuda:0", "i64[]{}+0@cpu",
                          "i64[]{}+0@cpu", "5", "7"));
  const Tensor packed = on_cuda("f16[1,10,4,8]"), lengths = on_cuda("i32[3]");
  EXPECT_THAT(answers(kEfficientForward, {packed, packed, packed, Value(), lengths, lengths, 7, 9, 0.0, 0, true}),
              ElementsAre("f16[1,10,4,8]{320,32,8,1}+0@cuda:0", "f32[2,4,32]{128,32,1}+0@cuda:0", "i64[]{}+0@cpu",
                          "i64[]{}+0@cpu", "7", "9"));
}

// OPS-25
TEST(EfficientForwardOnCuda, RefusesCumulativeLengthsWithoutTheLongestQuery) {
  const Tensor packed = on_cuda("f16[1,10,4,8]"), lengths = on_cuda("i32[3]");
  EXPECT_EQ(
      refusal(kEfficientForward, {packed, packed, packed, Value(), lengths, lengths, Value(), Value(), 0.0, 0, true}),
      "_efficient_attention_forward.C7");
}

TEST(EfficientForwardOnCuda, RefusesKeyLengthsOfOtherBatchesAndNegativeWindows) {
  const Tensor t = on_cuda("f16[2,5,4,8]");
  const std::vector<Value> args = {t, t, t, Value(), Value(), Value(), Value(), Value(), 0.0, 0};
  EXPECT_EQ(refusal(kEfficientForward, args, {{"seqlen_k", on_cuda("i32[3]")}}), "_efficient_attention_forward.C8");
  EXPECT_EQ(refusal(kEfficientForward, args, {{"window_size", -1}}), "_efficient_attention_forward.C8");
}

TEST(CudnnAttention, AnswersLikeTheQueryInItsOrderOfDims) {
  const Tensor k = on_cuda("f16[2,4,7,8]"), q = on_cuda("f16[2,4,5,8]{480,8,96,1}");
  EXPECT_THAT(answers(kCudnn, {q, k, k, Value(), false}),
              ElementsAre("f16[2,4,5,8]{160,8,32,1}+0@cuda:0", "f32[2,4,5,1]{20,5,1,1}+0@cuda:0", "none", "none", "5",
                          "7", "i64[]{}+0@cuda:0", "i64[]{}+0@cuda:0", "none"));
  const Tensor v = on_cuda("f16[2,4,7,16]");
  EXPECT_EQ(answers(kCudnn, {q, k, v, Value(), true})[0], "f16[2,4,5,16]{320,16,64,1}+0@cuda:0");
  EXPECT_EQ(answers(kCudnn, {on_cuda("f16[2,4,5,8]{0,0,8,1}"), k, v, Value(), true})[0],
            "f16[2,4,5,16]{80,160,16,1}+0@cuda:0");
}

/// One call of the choice: everything but the operands has a default.
struct Asked {
  std::string query = "f16[2,4,5,8]", key = "f16[2,4,7,8]", value = {}, mask = {};
  double dropout = 0;
  bool causal = false, grouped = false;
};

/// `flash` and so on, as `backend` has it.
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

// BEY-11: the order is data, by GPU and version of cuDNN.
TEST(AttentionChoiceOnCuda, AsksCudnnFirstWhereItIsFastAndNew) {
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

/// Attention of fakes on cuda:0, as `backend` gives it, and whether its layout was called unknown.
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
TEST(AttentionOnCuda, HasTheStridesOfTheKernelThatTheBackendTakes) {
  EXPECT_EQ(predict("sm_80", "f32[2,4,5,8]", "f32[2,4,7,8]").meta, "f32[2,4,5,8]{160,8,32,1}+0@cuda:0");
  EXPECT_EQ(predict("sm_80", "f16[2,4,5,8]", "f16[2,4,7,8]").meta, "f16[2,4,5,8]{160,40,8,1}+0@cuda:0");
  EXPECT_EQ(predict("sm_80", "f16[2,4,5,8]", "f16[2,4,7,8]", "f16[5,7]").meta, "f16[2,4,5,8]{160,8,32,1}+0@cuda:0");
  EXPECT_EQ(predict("sm_90,cudnn=91900", "f16[2,4,5,8]", "f16[2,4,7,8]", "f16[5,7]").meta,
            "f16[2,4,5,8]{160,40,8,1}+0@cuda:0");
  EXPECT_EQ(predict("sm_80", "f16[4,5,8]{8,32,1}", "f16[4,7,8]").meta, "f16[4,5,8]{8,32,1}+0@cuda:0");
}
TEST(AttentionOnCuda, PadsFeaturesForTheFlashKernelAndSlicesThemOff) {
  EXPECT_EQ(predict("sm_80", "f16[2,4,5,6]{120,6,24,1}", "f16[2,4,7,6]").meta, "f16[2,4,5,6]{160,40,8,1}+0@cuda:0");
}

// BEY-11: an unknown backend answers as PyTorch's fakes do without a GPU, and says that the layout is unknown.
TEST(AttentionOnCuda, IsOfUnknownLayoutWhereBackendsDiffer) {
  const Predicted unknown = predict("", "f32[2,4,5,8]", "f32[2,4,7,8]");
  EXPECT_EQ(unknown.meta, "f32[2,4,5,8]{160,40,8,1}+0@cuda:0");
  EXPECT_TRUE(unknown.unknown);
  EXPECT_FALSE(predict("sm_80", "f32[2,4,5,8]", "f32[2,4,7,8]").unknown);
  EXPECT_FALSE(predict("", "f64[2,4,5,8]", "f64[2,4,7,8]").unknown);
  EXPECT_FALSE(predict("", "f32[2,1,5,8]", "f32[2,1,7,8]").unknown);
  // cuDNN, which would come first if it is new enough, answers masks in the query's layout.
  EXPECT_TRUE(predict("sm_90", "f16[2,4,5,8]", "f16[2,4,7,8]", "f16[5,7]").unknown);
  EXPECT_FALSE(predict("sm_90,cudnn=91900", "f16[2,4,5,8]", "f16[2,4,7,8]", "f16[5,7]").unknown);
  EXPECT_FALSE(predict("sm_90", "f16[2,4,5,8]", "f16[2,4,7,8]").unknown);
}

}  // namespace
}  // namespace ersatz
