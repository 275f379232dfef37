// Attention on CUDA, cases that the samples leave out: masks, causal rows, shared heads, layouts, long and wide heads.
#include "fake/crosscheck/value_compare.h"
#include "kernels/attention/flash_attention.h"
#include "kernels/creation/full.h"
#include "kernels/linalg/matmul.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/expand.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/squeeze.h"
#include "kernels/shape/transpose.h"
#include "runtime/base/context.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/recorded_layout.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "tests/cuda/device_samples.h"
#include "tests/fake/checked.h"

namespace ersatz {
namespace {

constexpr std::string_view kFlash = "aten._scaled_dot_product_flash_attention_for_cpu.default";

/// Tests each dtype in place of `*` in the arguments.
void expect_flash_agrees(std::string arguments) {
  for (const char* dtype : {"f32", "f64", "f16", "bf16"}) {
    std::string text;
    for (char c : arguments) c == '*' ? text += dtype : text += c;
    expect_agree(kFlash, text);
  }
}

TEST(CudaFlashAttention, TakesSizesThatFillNoTile) {
  for (const char* operands : {"*[1,1,1,1], *[1,1,1,1], *[1,1,1,1]", "*[2,3,17,5], *[2,3,33,5], *[2,3,33,5]",
                               "*[1,2,16,32], *[1,2,64,32], *[1,2,64,32]", "*[1,1,3,64], *[1,1,100,64], *[1,1,100,64]",
                               "*[0,2,3,4], *[0,2,3,4], *[0,2,3,4]", "*[1,2,0,4], *[1,2,3,4], *[1,2,3,4]"}) {
    expect_flash_agrees(operands);
    expect_flash_agrees(operands + std::string(", 0.0, True"));
  }
}

TEST(CudaFlashAttention, SeesNoKeyOrNoFeature) {
  expect_flash_agrees("*[1,2,3,4], *[1,2,0,4], *[1,2,0,4]");
  expect_flash_agrees("*[1,2,3,0], *[1,2,5,0], *[1,2,5,0], scale=1.0");
}

TEST(CudaFlashAttention, AddsMasks) {
  for (const char* mask :
       {"*[5,7]", "*[1,7]", "*[5,1]", "*[2,1,5,7]", "*[1,4,1,7]", "*[2,4,5,7]{140,35,1,5}", "f32[5,7]"}) {
    expect_flash_agrees("*[2,4,5,8], *[2,4,7,8], *[2,4,7,8], attn_mask=" + std::string(mask) + ", scale=0.7");
  }
  expect_flash_agrees("*[2,4,5,8], *[2,4,7,8], *[2,4,7,8], 0.0, True, attn_mask=*[5,7]");
}

TEST(CudaFlashAttention, SharesHeadsOfKeyAndValue) {
  expect_flash_agrees("*[2,6,5,8], *[2,2,7,8], *[2,2,7,8]");
  expect_flash_agrees("*[2,6,5,8], *[2,1,7,8], *[2,1,7,8], 0.0, True");
}

TEST(CudaFlashAttention, TakesAnyStrides) {
  expect_flash_agrees("*[2,4,5,8]{160,8,32,1}, *[2,4,7,8]{224,8,32,1}, *[2,4,7,8]{224,8,32,1}");
  expect_flash_agrees("*[2,4,5,8]{160,40,1,5}, *[2,4,7,8]{0,56,8,1}, *[2,4,7,8]{448,112,16,2}");
}

TEST(CudaFlashAttention, TakesHeadsTooWideForSharedMemory) {
  for (const char* features : {"128", "256", "700", "3100"}) {
    const std::string f = features;
    expect_agree(kFlash, "f32[1,2,9," + f + "], f32[1,2,19," + f + "], f32[1,2,19," + f + "]", -0.2, 0.2);
    expect_agree(kFlash, "f64[1,1,9," + f + "], f64[1,1,19," + f + "], f64[1,1,19," + f + "]", -0.2, 0.2);
  }
}

TEST(CudaFlashAttention, StandsLargeScores) {
  expect_agree(kFlash, "f32[1,2,5,8], f32[1,2,40,8], f32[1,2,40,8], scale=50.0", -5, 5);
}

TEST(CudaScaledDotProductAttention, ComposesItselfOfProductsAndASoftmax) {
  for (const char* arguments :
       {"f32[2,4,5,8], f32[2,4,7,8], f32[2,4,7,8]", "f32[4,5,8], f32[4,7,8], f32[4,7,8], bool[5,7]",
        "f64[5,8], f64[7,8], f64[7,6], is_causal=True", "f16[2,4,5,8], f16[2,2,7,8], f16[2,2,7,8], enable_gqa=True",
        "bf16[2,4,5,8]{160,8,32,1}, bf16[2,4,7,8], bf16[2,4,7,8], bf16[5,7], scale=0.3"}) {
    expect_agree("aten.scaled_dot_product_attention.default", arguments);
  }
  expect_agree("aten._scaled_dot_product_attention_math.default", "f64[5,8], f64[7,8], f64[7,6], f64[5,7], scale=-0.5");
  expect_agree("aten._scaled_dot_product_attention_math.default",
               "f32[5,8], f32[7,8], f32[7,8], None, 0.5, False, bool[5,7]");
}

TEST(CudaScaledDotProductAttention, DropsTheWeightsThatTheCpuDrops) {
  for (const char* arguments : {"f32[2,4,5,8], f32[2,4,7,8], f32[2,4,7,8], None, 0.5",
                                "f32[4,5,8], f32[4,7,8], f32[4,7,8], None, 0.25, enable_gqa=True"}) {
    expect_agree("aten.scaled_dot_product_attention.default", arguments);
  }
}

/// Compares the kernel of each backend with the CPU's attention.
void expect_attention_agrees(const std::string& arguments) {
  for (const char* backend : {"sm_75", "sm_80", "sm_90,cudnn=91900"}) {
    const ContextGuard guard([&](RuleContext& c) { c.backend = parse_backend(backend); });
    SCOPED_TRACE(backend);
    for (const char* dtype : {"f32", "f16", "bf16"}) {
      std::string text;
      for (char c : arguments) c == '*' ? text += dtype : text += c;
      expect_agree("aten.scaled_dot_product_attention.default", text);
    }
  }
}

TEST(CudaScaledDotProductAttention, AgreesWhicheverKernelTheBackendTakes) {
  for (const char* arguments :
       {"*[2,4,5,8], *[2,4,7,8], *[2,4,7,8]", "*[2,4,17,64], *[2,4,33,64], *[2,4,33,64], *[17,33]",
        "*[2,4,5,8], *[2,4,7,8], *[2,4,7,16], bool[5,7]", "*[2,4,5,6], *[2,4,7,6], *[2,4,7,6], scale=0.3",
        "*[2,3,7,8], *[2,3,7,8], *[2,3,7,8], is_causal=True", "*[2,3,7,8], *[2,3,9,8], *[2,3,9,8], is_causal=True",
        "*[2,6,5,8], *[2,2,7,8], *[2,2,7,8], enable_gqa=True", "*[2,6,5,8], *[2,1,7,8], *[2,1,7,8], bool[5,7]",
        "*[4,5,8], *[4,7,8], *[4,7,8], bool[5,7]", "*[1,2,5,256], *[1,2,7,256], *[1,2,7,256]",
        "*[1,2,5,5], *[1,2,7,5], *[1,2,7,5]", "*[2,4,5,8]{160,8,32,1}, *[2,4,7,8]{224,8,32,1}, *[2,4,7,8], *[2,1,5,7]",
        "*[5,8], *[7,8], *[7,6]"}) {
    expect_attention_agrees(arguments);
  }
}

Tensor f32_of(const Tensor& t) { return ops::to(tensor_on(kCPU, t), DType::F32); }

void expect_close(const Tensor& have, const Tensor& want, double tolerance = 1e-2) {
  const auto difference = compare_values(f32_of(have), f32_of(want), {tolerance, tolerance});
  EXPECT_FALSE(difference) << to_string(*difference);
}

using Keywords = std::vector<std::pair<std::string, Value>>;

/// Runs the call on cuda:0 with copies of arguments on the CPU.
Values run_on_cuda(std::string_view op, std::vector<Value> args, Keywords keywords = {}) {
  const OpEntry& entry = op_named(op);
  const std::vector<Value> bound = bind_arguments(entry.schema, args, keywords);
  const std::vector<Value> moved = arguments_on(cuda(0), bound);
  Values results;
  dispatch(entry, moved, results);
  return results;
}

std::vector<Value> operands(std::string_view text) {
  const auto args = sample_arguments(op_named("aten._scaled_dot_product_attention_math.default"), text, -2, 2);
  return {args[0], args[1], args[2]};
}

/// Converts between [batch, head, position, feature] and [batch, position, head, feature].
Tensor turned(const Tensor& t) { return ops::transpose(t, 1, 2); }

constexpr std::string_view kFlashForward = "aten._flash_attention_forward.default";
constexpr std::string_view kEfficientForward = "aten._efficient_attention_forward.default";

// The logsumexps that each op returns equal the CPU's, whatever the layout of its result.
TEST(CudaFusedAttention, AnswersTheLogarithmsOfSums) {
  const auto o = operands("f16[2,4,5,8], f16[2,4,7,8], f16[2,4,7,8]");
  const ops::FlashAttentionResult want = ops::flash_attention_for_cpu(o[0].tensor(), o[1].tensor(), o[2].tensor());
  const Values flash = run_on_cuda("aten._scaled_dot_product_flash_attention.default", o);
  expect_close(flash[0].tensor(), want.output);
  expect_close(flash[1].tensor(), want.logsumexp);
  const Values cudnn =
      run_on_cuda("aten._scaled_dot_product_cudnn_attention.default", {o[0], o[1], o[2], Value(), true});
  expect_close(cudnn[0].tensor(), want.output);
  expect_close(ops::squeeze(cudnn[1].tensor(), -1), want.logsumexp);
  const Values efficient =
      run_on_cuda("aten._scaled_dot_product_efficient_attention.default", {o[0], o[1], o[2], Value(), true});
  expect_close(efficient[0].tensor(), want.output);
  expect_close(ops::slice(efficient[1].tensor(), 2, SymInt(0), SymInt(5)), want.logsumexp);
  const Tensor rest = tensor_on(kCPU, ops::slice(efficient[1].tensor(), 2, SymInt(5)));
  expect_close(rest, ops::full(rest.sizes(), INFINITY, {DType::F32, kCPU}));
}

/// Crosschecks a flash attention of three equal operands against what PyTorch 2.15's fakes predict for each result:
/// output, logsumexps, both lengths, seed and offset, the unused result, and the mask.
Checked check_flash(const std::string& operand, const char* output, const char* sums, int64_t length) {
  std::vector<ResultFacts> facts(9);  // 2 and 3 are None
  facts[0].record = meta_of(output);
  facts[1].record = meta_of(sums);
  facts[4].number = facts[5].number = Value(length);
  facts[6].record = meta_of("u64[2]@cuda:0");
  facts[7].record = meta_of("u64[]@cuda:0");
  facts[8].record = meta_of("f16[0]@cuda:0");
  const OpEntry& op = op_named("aten._scaled_dot_product_flash_attention.default");
  const std::vector<Value> bound = bind_arguments(op.schema, operands(operand + ", " + operand + ", " + operand));
  return check_call(op, arguments_on(cuda(0), bound), std::move(facts));
}

// XCHK-13: both calls in this row of docs/behaviours.md pass.
TEST(CudaFusedAttention, PassesACrosscheckAgainstRecordedPredictions) {
  for (const Checked& c :
       {check_flash("f16[1,48,64,64]{0,4096,64,1}", "f16[1,48,64,64]@cuda:0", "f32[1,48,64]@cuda:0", 64),
        check_flash("f16[4,2,16,32]", "f16[4,2,16,32]@cuda:0", "f32[4,2,16]@cuda:0", 16)}) {
    EXPECT_TRUE(passes(c.report));
    EXPECT_EQ(c.report.compared, 7);
    EXPECT_EQ(c.report.skipped[static_cast<size_t>(SkipReason::Unwitnessed)], 0);
  }
}

// XCHK-13: seed and offset are on the device, in fake and real runs.
TEST(CudaFusedAttention, SeedAndOffsetAreOnTheDevice) {
  const Checked c = check_flash("f16[4,2,16,32]", "f16[4,2,16,32]@cuda:0", "f32[4,2,16]@cuda:0", 16);
  for (const size_t i : {6, 7}) {
    EXPECT_EQ(c.outcome.real[i].tensor().device(), cuda(0));
    EXPECT_EQ(c.outcome.fake[i].tensor().device(), cuda(0));
  }
}

// XCHK-13: a prediction of another size of the logsumexps is a finding, so that the passing test has meaning.
TEST(CudaFusedAttention, IsFoundWhereAPredictionDiffers) {
  const Checked c = check_flash("f16[4,2,16,32]", "f16[4,2,16,32]@cuda:0", "f32[4,2,32]@cuda:0", 16);
  EXPECT_TRUE(one_finding(c.report, "aten._scaled_dot_product_flash_attention.default", FindingField::Size));
}

/// Two concatenated sequences: the first has 3 queries and 4 keys, the second 5 queries and 2 keys.
struct Ragged {
  std::vector<Value> o = operands("f16[8,4,8], f16[6,2,8], f16[6,2,8]");
  Tensor query_starts = sample_arguments(op_named("aten.relu.default"), "i32[3]", 0, 1)[0].tensor();
  Tensor key_starts = sample_arguments(op_named("aten.relu.default"), "i32[3]", 0, 1)[0].tensor();
  Ragged() {
    const int32_t q[] = {0, 3, 8}, k[] = {0, 4, 6};
    std::copy_n(q, 3, reinterpret_cast<int32_t*>(query_starts.raw_data()));
    std::copy_n(k, 3, reinterpret_cast<int32_t*>(key_starts.raw_data()));
  }
  /// Returns one sequence of an operand as [1, head, position, feature].
  Tensor part(size_t operand, int64_t begin, int64_t end) const {
    return ops::unsqueeze(ops::transpose(ops::slice(o[operand].tensor(), 0, SymInt(begin), SymInt(end)), 0, 1), 0);
  }
  Tensor attend(int64_t q0, int64_t q1, int64_t k0, int64_t k1, bool causal) const {
    const Tensor out =
        ops::flash_attention_for_cpu(part(0, q0, q1), part(1, k0, k1), part(2, k0, k1), 0, causal).output;
    return ops::transpose(ops::squeeze(out, 0), 0, 1);
  }
};

TEST(CudaFusedAttention, TakesSequencesOfDifferentLengths) {
  const Ragged r;
  const Values flash =
      run_on_cuda(kFlashForward, {r.o[0], r.o[1], r.o[2], r.query_starts, r.key_starts, 5, 4, 0.0, false, false});
  expect_close(ops::slice(flash[0].tensor(), 0, SymInt(0), SymInt(3)), r.attend(0, 3, 0, 4, false));
  expect_close(ops::slice(flash[0].tensor(), 0, SymInt(3), SymInt(8)), r.attend(3, 8, 4, 6, false));
  const auto batched = [&](size_t i) { return Value(ops::unsqueeze(r.o[i].tensor(), 0)); };
  for (const bool causal : {false, true}) {
    const Values efficient = run_on_cuda(
        kEfficientForward,
        {batched(0), batched(1), batched(2), Value(), r.query_starts, r.key_starts, 5, 4, 0.0, causal ? 1 : 0, true});
    const Tensor out = ops::squeeze(efficient[0].tensor(), 0);
    expect_close(ops::slice(out, 0, SymInt(0), SymInt(3)), r.attend(0, 3, 0, 4, causal));
    expect_close(ops::slice(out, 0, SymInt(3), SymInt(8)), r.attend(3, 8, 4, 6, causal));
  }
}

/// Returns a mask with which query i sees only the keys first(i) to last(i).
template <class First, class Last>
Tensor band(int64_t queries, int64_t keys, First first, Last last) {
  const SymInt sizes[] = {SymInt(queries), SymInt(keys)};
  const Tensor mask = ops::zeros(sizes, {DType::F32, kCPU});
  auto* data = reinterpret_cast<float*>(mask.raw_data());
  for (int64_t i = 0; i < queries; ++i) {
    for (int64_t j = 0; j < keys; ++j) data[i * keys + j] = j >= first(i) && j <= last(i) ? 0.0f : -INFINITY;
  }
  return mask;
}

void expect_banded(std::string_view op, const std::vector<Value>& args, const Keywords& keywords,
                   const std::vector<Value>& o, const Tensor& mask) {
  const Values got = run_on_cuda(op, args, keywords);
  expect_close(turned(got[0].tensor()),
               ops::flash_attention_for_cpu(o[0].tensor(), o[1].tensor(), o[2].tensor(), 0, false, mask).output);
}

TEST(CudaFusedAttention, AlignsCausalRowsAndWindowsWithLastKey) {
  const auto o = operands("f16[2,4,5,8], f16[2,4,40,8], f16[2,4,40,8]");
  const Value q = turned(o[0].tensor()), k = turned(o[1].tensor()), v = turned(o[2].tensor()), none;
  const auto from_end = [](int64_t by) { return [by](int64_t i) { return i + 35 + by; }; };
  const auto zero = [](int64_t) { return int64_t(0); };
  expect_banded(kFlashForward, {q, k, v, none, none, 5, 40, 0.0, true, false}, {}, o, band(5, 40, zero, from_end(0)));
  expect_banded(kFlashForward, {q, k, v, none, none, 5, 40, 0.0, false, false},
                {{"window_size_left", 3}, {"window_size_right", 2}}, o, band(5, 40, from_end(-3), from_end(2)));
  expect_banded(kEfficientForward, {q, k, v, none, none, none, none, none, 0.0, 2}, {}, o,
                band(5, 40, zero, from_end(0)));
  expect_banded(kEfficientForward, {q, k, v, none, none, none, none, none, 0.0, 1}, {}, o,
                band(5, 40, zero, [](int64_t i) { return i; }));
  expect_banded(kEfficientForward, {q, k, v, none, none, none, none, none, 0.0, 2}, {{"window_size", 4}}, o,
                band(5, 40, from_end(-3), from_end(0)));
}

constexpr std::string_view kEfficient = "aten._scaled_dot_product_efficient_attention.default";
constexpr std::string_view kCudnn = "aten._scaled_dot_product_cudnn_attention.default";

/// Compares output and logsumexps of both ops that take a bias. With a bias of the operands' dtype, cuDNN runs. With
/// the same bias in f32, which cuDNN does not take, ersatz's kernel runs.
void expect_library_agrees(const std::string& operand_text, const Tensor& bias, bool causal) {
  const auto o = operands(operand_text);
  for (const std::string_view op : {kEfficient, kCudnn}) {
    SCOPED_TRACE(std::string(op) + " " + operand_text + (causal ? " causal" : ""));
    const Values library = run_on_cuda(op, {o[0], o[1], o[2], ops::to(bias, o[0].tensor().dtype()), true, 0.0, causal});
    const Values own = run_on_cuda(op, {o[0], o[1], o[2], bias, true, 0.0, causal});
    expect_close(library[0].tensor(), own[0].tensor());
    expect_close(library[1].tensor(), own[1].tensor());
  }
}

/// Returns a bias that hides all keys from some rows, and all but one key from others.
Tensor sparse_bias(int64_t queries, int64_t keys) {
  const auto first = [=](int64_t i) { return i % 3 == 1 ? keys : i % 3 == 2 ? keys - 1 : 0; };
  return band(queries, keys, first, [=](int64_t) { return keys - 1; });
}

TEST(CudaFusedAttention, AgreesWithItsOwnKernelWhereLibraryAnswers) {
  for (const char* text :
       {"f16[2,4,33,64], f16[2,4,40,64], f16[2,4,40,64]", "bf16[2,4,5,8], bf16[2,2,7,8], bf16[2,2,7,8]",
        "f16[2,4,33,8]{1056,8,32,1}, f16[2,4,40,8]{1280,8,32,1}, f16[2,4,40,8]{1280,8,32,1}",
        "f16[1,2,32,16], f16[1,2,9,16], f16[1,2,9,24]"}) {
    const auto o = operands(text);
    const int64_t queries = o[0].tensor().size(2).as_int(), keys = o[1].tensor().size(2).as_int();
    for (const bool causal : {false, true}) {
      expect_library_agrees(text, sparse_bias(queries, keys), causal);
      expect_library_agrees(text, ops::expand(sparse_bias(1, keys), DimVec{queries, keys}), causal);
    }
  }
}

TEST(CudaFusedAttention, RowWithoutKeysIsZeroWithInfiniteSum) {
  const auto o = operands("f16[1,1,3,8], f16[1,1,3,8], f16[1,1,3,8]");
  const Tensor bias = ops::to(band(
                                  3, 3, [](int64_t i) { return i == 2 ? 3 : 1; }, [](int64_t) { return 2; }),
                              DType::F16);
  for (const std::string_view op : {kEfficient, kCudnn}) {  // causal: query 0 sees only key 0, which the bias hides
    const Values got = run_on_cuda(op, {o[0], o[1], o[2], bias, true, 0.0, true});
    const Tensor out = f32_of(got[0].tensor()), sums = ops::contiguous(f32_of(got[1].tensor()));
    for (const int64_t row : {0, 2}) {
      const Tensor zeros = ops::slice(out, 2, SymInt(row), SymInt(row + 1));
      expect_close(zeros, ops::zeros(zeros.sizes(), {DType::F32, kCPU}));
      EXPECT_EQ(sums.data<float>()[row], INFINITY) << op;
    }
    const Tensor value = ops::slice(o[2].tensor(), 2, SymInt(1), SymInt(2));
    expect_close(ops::slice(out, 2, SymInt(1), SymInt(2)), value);  // query 1 sees only key 1
    EXPECT_TRUE(std::isfinite(sums.data<float>()[1])) << op;
  }
}

/// Compares an op without a CPU kernel with the CPU's attention. `arguments` makes the op's arguments from operands,
/// for causal or not. If a test with an overload's name passes in a GPU session, its kernel counts as verified.
template <class Arguments>
void expect_attends(std::string_view op, std::vector<const char*> dtypes, const Arguments& arguments) {
  for (const char* dtype : dtypes) {
    for (const char* sizes : {"[2,4,33,64]", "[1,2,17,8]", "[1,1,5,128]"}) {
      const std::string one = std::string(dtype) + sizes;
      const auto o = operands(one + ", " + one + ", " + one);
      for (const bool causal : {false, true}) {
        SCOPED_TRACE(std::string(op) + " " + one + (causal ? " causal" : ""));
        Tensor got = run_on_cuda(op, arguments(o, causal))[0].tensor();
        if (op == kFlashForward) got = turned(got);
        expect_close(got, ops::flash_attention_for_cpu(o[0].tensor(), o[1].tensor(), o[2].tensor(), 0, causal).output);
      }
    }
  }
}
using Operands = const std::vector<Value>&;
std::vector<Value> without_bias(Operands o, bool causal) { return {o[0], o[1], o[2], Value(), true, 0.0, causal}; }

TEST(CudaFusedAttention, aten__scaled_dot_product_flash_attention_default) {
  expect_attends("aten._scaled_dot_product_flash_attention.default", {"f16", "bf16"}, [](Operands o, bool causal) {
    return std::vector<Value>{o[0], o[1], o[2], 0.0, causal};
  });
}
TEST(CudaFusedAttention, aten__scaled_dot_product_efficient_attention_default) {
  expect_attends(kEfficient, {"f16", "bf16", "f32"}, without_bias);
}
TEST(CudaFusedAttention, aten__scaled_dot_product_cudnn_attention_default) {
  expect_attends(kCudnn, {"f16", "bf16"}, without_bias);
}
TEST(CudaFusedAttention, aten__flash_attention_forward_default) {
  expect_attends(kFlashForward, {"f16", "bf16"}, [](Operands o, bool causal) {
    const Value q = turned(o[0].tensor()), k = turned(o[1].tensor()), v = turned(o[2].tensor()), none;
    return std::vector<Value>{q, k, v, none, none, o[0].tensor().size(2), o[1].tensor().size(2), 0.0, causal, false};
  });
}

TEST(CudaFusedAttention, DropsWeightsAndSaysWhich) {
  const auto o = operands("f16[2,4,5,8], f16[2,4,40,8], f16[2,4,40,8]");
  const Values got =
      run_on_cuda("aten._scaled_dot_product_flash_attention.default", {o[0], o[1], o[2], 0.5, false, true});
  const Tensor weights = ops::slice(f32_of(got[8].tensor()), 3, SymInt(0), SymInt(40));
  const Values whole = call_op_all<"aten._scaled_dot_product_attention_math.default">(
      o[0].tensor(), o[1].tensor(), o[2].tensor(), Tensor(), 0.0, false, Tensor(), std::optional<double>(), false);
  expect_close(call_op<"aten.abs.default">(weights), whole[1].tensor());
  expect_close(got[0].tensor(),
               ops::mul(ops::matmul(call_op<"aten.relu.default">(weights), f32_of(o[2].tensor())), 2.0));
  int kept = 0, all = 0;
  const Tensor dense = ops::contiguous(weights);
  const auto* data = reinterpret_cast<const float*>(dense.raw_data());
  for (; all < 2 * 4 * 5 * 40; ++all) kept += data[all] > 0;
  EXPECT_NEAR(kept / double(all), 0.5, 0.05);
}

}  // namespace
}  // namespace ersatz
