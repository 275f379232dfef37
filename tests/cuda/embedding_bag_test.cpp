// Embedding bags on CUDA, compared with the CPU, and the results that CUDA saves differently.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/base/context.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "runtime/op/value_checks.h"
#include "runtime/tensor/cuda_module.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

const OpEntry& forward() { return op_named("aten._embedding_bag.default"); }

Tensor filled(const std::string& meta, double low, double high) {
  return sample_arguments(op_named("aten.neg.default"), meta, low, high)[0].tensor();
}
/// Returns integers as floats. Their sums are exact in any order, also in f32.
Tensor whole(const std::string& meta, double most) {
  const Tensor t = filled(meta, -most, most);
  Values results;
  dispatch(op_named("aten.round_.default"), std::vector<Value>{t}, results);
  return t;
}
template <class T>
Tensor of_values(const std::vector<T>& values) {
  const Tensor t = make_real_tensor(TensorMeta(dtype_of<T>, DimVec{SymInt(static_cast<int64_t>(values.size()))}));
  std::copy(values.begin(), values.end(), t.data<T>());
  return t;
}
std::vector<int64_t> longs(const Value& v) {
  const Tensor t = tensor_on(kCPU, v.tensor());
  return {t.data<int64_t>(), t.data<int64_t>() + t.numel().as_int()};
}

std::vector<Value> bags(const Tensor& weight, const Tensor& indices, const Tensor& offsets, int64_t mode,
                        const Tensor& samples = Tensor(), bool last = false, int64_t padding = -1) {
  return {weight, indices, offsets, false, mode, false, samples ? Value(samples) : Value(), last, padding};
}

TEST(CudaEmbeddingBag, FoldsBagsOfAnySize) {
  const Tensor indices = filled("i64[700]{2}", 0, 39), offsets = of_values<int32_t>({0, 0, 3, 300, 300, 699});
  for (const int64_t mode : {0, 1, 2}) {
    for (const char* weight : {"f32[40,33]", "f64[40,7]{1,40}", "f16[40,5]", "bf16[40,1]{2,1}", "f32[40,0]"}) {
      const Tensor w = whole(weight, 100);
      expect_agree(forward(), bags(w, indices, offsets, mode), weight);
      expect_agree(forward(), bags(w, indices, offsets, mode, Tensor(), true, 5), weight);
    }
  }
  const Tensor weight = whole("f32[40,33]", 100), samples = whole("f32[700]{3}", 8);
  expect_agree(forward(), bags(weight, indices, offsets, 0, samples), "weighed");
  expect_agree(forward(), bags(weight, filled("u8[699]", 0, 39), filled("i64[1]", 0, 0), 1), "narrow indices");
  expect_agree(forward(), bags(weight, filled("i32[699]", 0, 39), filled("i16[1]", 0, 0), 1), "narrow offsets");
  expect_agree(forward(), bags(weight, filled("i64[0]", 0, 0), of_values<int64_t>({0, 0}), 1), "empty bags");
  expect_agree(forward(), bags(weight, filled("u8[699]", 0, 39), filled("i64[1]", 0, 0), 1), "narrow indices");
  expect_agree(forward(), bags(weight, filled("i32[699]", 0, 39), filled("i16[1]", 0, 0), 1), "narrow offsets");
  expect_agree(forward(), bags(weight, filled("i64[0]", 0, 0), of_values<int64_t>({}), 2), "no bags");
  expect_agree(forward(), bags(weight, indices, of_values<int64_t>({0}), 0, Tensor(), true), "no bags but the last");
}

TEST(CudaEmbeddingBag, SavesTheBagAndTheSizeOfEach) {
  const Tensor weight = tensor_on(cuda(0), filled("f32[5,2]", 1, 2)),
               indices = tensor_on(cuda(0), of_values<int64_t>({4, 2, 2, 1, 0})),
               offsets = tensor_on(cuda(0), of_values<int64_t>({0, 3, 3, 5}));
  for (const int64_t mode : {0, 1, 2}) {
    Values results;
    dispatch(forward(), bags(weight, indices, offsets, mode, Tensor(), true, 1), results);
    EXPECT_EQ(longs(results[1]), (std::vector<int64_t>{0, 0, 0, 2, 2}));
    EXPECT_EQ(longs(results[2]), (std::vector<int64_t>{3, 0, 1, 0}));
    // Mode 2 (max) saves the rows of the maxima, which are -1 for an empty bag.
    const std::vector<int64_t> rows = longs(results[3]);
    EXPECT_EQ(rows.size(), mode == 2 ? 6u : 0u);
    if (mode == 2) {
      EXPECT_EQ(std::vector<int64_t>(rows.begin() + 2, rows.end()), (std::vector<int64_t>{-1, -1, 0, 0}));
    }
  }
}

TEST(CudaEmbeddingBag, SumsTheGradientOfEachRow) {
  const char* op = "aten._embedding_bag_backward.default";
  for (const char* by_frequency : {"False", "True"}) {
    const std::string rest = std::string(", 4, ") + by_frequency;
    for (const char* mode : {", 0", ", 1"}) {
      expect_agree(op, "f32[3,33], i64[700], i64[3], i64[700], i64[3], i64[3]" + rest + mode + ", False, None", 0, 2);
      expect_agree(op, "f64[3,5]{1,3}, i32[70], i64[3], i32[70], u8[3], i64[3]" + rest + mode + ", False, None, 2", 0,
                   2);
      expect_agree(op, "bf16[3,1], i64[9], i64[3], i64[9], i64[3], i64[3]" + rest + mode + ", False, None", 0, 2);
    }
    expect_agree(op, "f16[3,5], i64[70], i64[3], i64[70], i64[3], i64[3]" + rest + ", 0, False, f16[70]{2}", 0, 2);
  }
  expect_agree(op, "f32[3,0], i64[70], i64[3], i64[70], i64[3], i64[3], 4, False, 0, False, None", 0, 2);
  expect_agree(op, "f32[3,5], i64[0], i64[3], i64[0], i64[3], i64[3], 4, False, 1, False, None", 0, 2);
}

TEST(CudaEmbeddingBag, GivesTheGradientToTheMaxima) {
  for (const bool deterministic : {false, true}) {
    const ContextGuard guard([=](RuleContext& c) { c.deterministic = deterministic; });
    for (const char* t : {"f32", "f64", "f16"}) {
      expect_agree("aten._embedding_bag_backward.default",
                   std::string(t) + "[30,5], i64[9], i64[30], i64[9], i64[30], i64[30,5], 4, False, 2, False, None, 0",
                   1, 3);
    }
  }
}

TEST(CudaEmbeddingBag, PassesOverBagsWithoutAMaximumAndPadding) {
  const std::vector<Value> args{tensor_on(cuda(0), filled("f32[3,1]", 1, 1)),
                                tensor_on(cuda(0), of_values<int64_t>({1})),
                                tensor_on(cuda(0), of_values<int64_t>({0, 1, 1})),
                                tensor_on(cuda(0), of_values<int64_t>({0})),
                                tensor_on(cuda(0), of_values<int64_t>({1, 0, 0})),
                                tensor_on(cuda(0), of_values<int64_t>({1, -1, 2})),
                                3,
                                false,
                                2,
                                false,
                                Value(),
                                2};
  Values results;
  dispatch(op_named("aten._embedding_bag_backward.default"), args, results);
  const Tensor gradient = tensor_on(kCPU, results[0].tensor());
  EXPECT_EQ(std::vector<float>(gradient.data<float>(), gradient.data<float>() + 3), (std::vector<float>{0, 1, 0}));
}

TEST(CudaEmbeddingBag, MultipliesRowsForTheWeightsOfSamples) {
  const char* op = "aten._embedding_bag_per_sample_weights_backward.default";
  for (const char* features : {"1", "3", "70"}) {
    const std::string n = features;
    expect_agree(op, "f32[3," + n + "], f32[4," + n + "]{1,4}, i64[300], i64[3], i64[300], 0, 1", 0, 2);
    expect_agree(op, "f16[3," + n + "], f16[4," + n + "], i32[30], i64[3], i32[30], 0", 0, 2);
  }
  expect_agree(op, "f64[3,0], f64[4,0], i64[30], i64[3], i64[30], 0", 0, 2);
}

TEST(CudaEmbeddingBag, FindsBagsByOffsetsWhereNoneAreGiven) {
  const Tensor grad = filled("f32[4,3]", -2, 2), weight = filled("f32[7,3]", -2, 2), indices = filled("i64[90]", 0, 6),
               offsets = of_values<int64_t>({0, 0, 30, 89}), none = of_values<int64_t>({});
  expect_agree(op_named("aten._embedding_bag_backward.default"),
               std::vector<Value>{grad, indices, offsets, none, none, none, 7, true, 0, false, Value(), -1}, "sum");
  expect_agree(op_named("aten._embedding_bag_per_sample_weights_backward.default"),
               std::vector<Value>{grad, weight, indices, offsets, none, 0, -1}, "weights of samples");
}

TEST(CudaEmbeddingBag, GradientsFindBagsByOffsetsInAnyOrder) {
  const Tensor grad = filled("f32[4,3]", -2, 2), weight = filled("f32[7,3]", -2, 2), indices = filled("i64[90]", 0, 6),
               none = of_values<int64_t>({});
  const auto gradients = [&](const Tensor& offsets) {
    for (const int64_t mode : {0, 2}) {
      const Tensor sizes = filled("i64[4]", 1, 1), rows = filled("i64[4,3]", 0, 6);
      expect_agree(op_named("aten._embedding_bag_backward.default"),
                   std::vector<Value>{grad, indices, offsets, none, sizes, rows, 7, true, mode, false, Value(), -1},
                   "mode " + std::to_string(mode));
    }
    expect_agree(op_named("aten._embedding_bag_per_sample_weights_backward.default"),
                 std::vector<Value>{grad, weight, indices, offsets, none, 0, -1}, "weights of samples");
  };
  gradients(of_values<int64_t>({30, 90, 5, 30}));
  gradients(of_values<int32_t>({89, 2}));
  gradients(of_values<int64_t>({0, 91, 3}));
  gradients(of_values<int64_t>({-1, 3}));
}

TEST(CudaEmbeddingBag, RefusesValuesInTheWordsOfTheCpu) {
  const Tensor weight = filled("f32[4,3]", -2, 2), indices = of_values<int64_t>({0, 1, 2, 3}),
               grad = filled("f32[3,3]", -2, 2), none = of_values<int64_t>({});
  for (const int64_t padding : {-1, 2}) {
    const auto folded = [&](const Tensor& given) {
      expect_agree(forward(), bags(weight, given, of_values<int64_t>({0, 1}), 1, Tensor(), false, padding), "a value");
    };
    folded(of_values<int64_t>({0, 4}));
    folded(of_values<int64_t>({0, -1}));
  }
  const auto refused = [&](const char* op, const std::vector<Value>& args) { expect_agree(op_named(op), args, op); };
  const char* backward = "aten._embedding_bag_backward.default";
  const auto sum = [&](const Tensor& given, const Tensor& offsets, const Tensor& names) {
    return std::vector<Value>{grad, given, offsets, names, none, none, 4, false, 0, false, Value(), -1};
  };
  refused(backward, sum(of_values<int64_t>({9}), of_values<int64_t>({0}), of_values<int64_t>({0})));
  refused(backward, sum(of_values<int64_t>({0}), of_values<int64_t>({0}), of_values<int64_t>({3})));
  refused(backward, {grad, indices, none, indices, filled("i64[3]", 1, 1), filled("i64[3,3]", 4, 4), 4, false, 2, false,
                     Value(), -1});
  const char* weights = "aten._embedding_bag_per_sample_weights_backward.default";
  refused(weights, {grad, weight, of_values<int64_t>({4}), none, of_values<int64_t>({0}), 0, -1});
  refused(weights, {grad, weight, of_values<int64_t>({1}), none, of_values<int64_t>({-2}), 0, -1});
}

// PyTorch asserts on CUDA that offsets increase. Its CPU kernel, and its gradients on both devices, take any order.
TEST(CudaEmbeddingBag, RefusesOffsetsThatDoNotIncreaseToIndices) {
  const Tensor weight = filled("f32[4,3]", -2, 2), indices = of_values<int64_t>({0, 1, 2, 3}),
               grad = filled("f32[3,3]", -2, 2), none = of_values<int64_t>({});
  const auto words = [](const OpEntry& op, const std::vector<Value>& args, bool at_once) -> std::string {
    std::optional<ChecksAtOnce> checks;
    if (at_once) checks.emplace();
    Values results;
    try {
      dispatch(op, arguments_on(cuda(0), args), results);
      check_cuda(cuda_functions().synchronize(0), cuda(0), "synchronize", 0);
    } catch (const Error& e) {
      return e.message;
    }
    return "no error";
  };
  const auto folded = [&](const std::vector<int64_t>& offsets, bool at_once) {
    return words(forward(), bags(weight, indices, of_values(offsets), 1), at_once);
  };
  using testing::HasSubstr;
  EXPECT_THAT(folded({1, 2}, true), HasSubstr("offset 0 is 1, it must lie in [0, 0]"));
  EXPECT_THAT(folded({0, 3, 2}, true), HasSubstr("offset 2 is 2, it must lie in [3, 4]"));
  EXPECT_THAT(folded({0, 5}, true), HasSubstr("offset 1 is 5, it must lie in [0, 4]"));
  EXPECT_THAT(folded({0, 3, 2}, false),
              HasSubstr("offset 2 is 2, it must not be below the one before it, and lie in [0, 4]"));
  const std::vector<Value> sum{grad,    indices, of_values<int64_t>({0, 3, 5}), none, none, none, 4, false, 0, false,
                               Value(), -1};
  EXPECT_THAT(words(op_named("aten._embedding_bag_backward.default"), sum, false),
              HasSubstr("offset 2 is 5, it must lie in [0, 4]"));
}

TEST(CudaEmbeddingBag, GradientsReadTheFirstElementsOfLongerOperands) {
  const Tensor grad = filled("f64[2,1]", 1, 2), weight = filled("f64[3,1]", 1, 2), indices = of_values<int64_t>({0, 2}),
               names = of_values<int64_t>({0, 1, 7, 7}), offsets = of_values<int64_t>({0, 1}),
               samples = filled("f64[3]", -2, 2), none = of_values<int64_t>({}), sizes = of_values<int64_t>({2, 1, 0}),
               rows = of_values<int64_t>({1, 2, 9});
  const OpEntry& backward = op_named("aten._embedding_bag_backward.default");
  const auto gradient = [&](const Tensor& at, int64_t mode, const Value& weights) {
    expect_agree(backward,
                 std::vector<Value>{grad, at, offsets, names, sizes, rows, 3, false, mode, false, weights, -1},
                 "mode " + std::to_string(mode));
  };
  gradient(indices, 0, samples);
  gradient(none, 0, samples);
  gradient(indices, 1, Value());
  gradient(indices, 2, Value());
  expect_agree(op_named("aten._embedding_bag_per_sample_weights_backward.default"),
               std::vector<Value>{grad, weight, indices, offsets, names, 0, -1}, "weights of samples");
}

}  // namespace
}  // namespace ersatz
