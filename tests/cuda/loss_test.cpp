// Losses on a CUDA device: sizes, layouts, dtypes and values that the ops' samples leave out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/shape/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/value_checks.h"
#include "runtime/tensor/cuda_module.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

using testing::ElementsAre;

/// Runs a call on cuda:0 and returns its results as floats.
std::vector<std::vector<float>> on_gpu(std::string_view op, std::initializer_list<Value> args) {
  const std::vector<Value> here(args), moved = arguments_on(cuda(0), here);
  Values results;
  dispatch(op_named(op), moved, results);
  std::vector<std::vector<float>> all;
  for (const Value& result : results) {
    const Tensor wide = ops::to(tensor_on(kCPU, result.tensor()), DType::F32);
    const float* data = wide.data<float>();
    all.emplace_back(data, data + wide.numel().as_int());
  }
  return all;
}
Tensor halves(std::initializer_list<float> values, std::initializer_list<int64_t> sizes) {
  return ops::to(tensor_of<float>(values, sizes), DType::F16);
}

TEST(CudaNllLoss, TakesTargetsOfEveryLayoutAndDtype) {
  const char* op = "aten.nll_loss_forward.default";
  for (const char* reduction : {"0", "1", "2", "5"}) {
    const std::string r = reduction;
    expect_agree_for(kFloats, op, "*[300,7], i64[300], *[7], " + r + ", -100", 0, 6);
    expect_agree(op, "f32[300,7]{1,300}, u8[300], None, " + r + ", 3", 0, 6);
    expect_agree(op, "f32[300,7], i64[300]{2}, f32[7]{3}, " + r + ", 3", 0, 6);
    expect_agree(op, "f64[5], i64[], f64[5], " + r + ", -100", 0, 4);
    expect_agree(op, "f32[5]{2}, u8[1], None, " + r + ", -100", 0, 4);
    expect_agree(op, "f32[0,5], i64[0], None, " + r + ", -100");
    op = "aten.nll_loss2d_forward.default";
    expect_agree_for(kFloats, op, "*[2,5,9,8], i64[2,9,8], *[5], " + r + ", 2", 0, 4);
    expect_agree(op, "f32[2,5,9,8]{360,1,40,5}, i64[2,9,8]{1,16,2}, None, " + r + ", -100", 0, 4);
    op = "aten.nll_loss_forward.default";
  }
  expect_agree(op, "f32[70000,3], i64[70000], f32[3], 1, 2", 0, 2);
}

TEST(CudaNllLoss, SlopesGoWhereTheScoresAre) {
  for (const char* reduction : {"1", "2"}) {
    const std::string r = reduction;
    expect_agree_for(kFloats, "aten.nll_loss_backward.default", "*[], *[300,7], i64[300], *[7], " + r + ", 3, *[]", 1,
                     6);
    expect_agree_for(kFloats, "aten.nll_loss2d_backward.default",
                     "*[], *[2,5,9,8], i64[2,9,8], *[5], " + r + ", 2, *[]", 1, 4);
    expect_agree("aten.nll_loss_backward.default", "f32[1], f32[5], i64[], f32[5], " + r + ", -100, f32[]", 1, 4);
  }
  expect_agree("aten.nll_loss_backward.default", "f32[300]{2}, f32[300,7]{1,300}, u8[300], None, 0, 3, f32[]", 0, 6);
  expect_agree("aten.nll_loss2d_backward.default",
               "f32[2,9,8], f32[2,5,9,8]{360,1,40,5}, i64[2,9,8]{1,16,2}, f32[5], 0, -100, f32[]", 0, 4);
  expect_agree("aten.nll_loss_backward.grad_input",
               "f32[], f32[6,3], i64[6], None, 1, 1, f32[], grad_input=f32[6,3]{1,6}", 1, 2);
}

TEST(CudaNllLoss, RefusesATargetThatIsNoClass) {
  expect_agree("aten.nll_loss_forward.default", "f32[30,3], i64[30], f32[3], 1, -100", 0, 5);
  expect_agree("aten.nll_loss_forward.default", "f32[30,3], i64[30], f32[3], 0, 1", -2, 2);
  expect_agree("aten.nll_loss2d_backward.default", "f32[], f32[2,5,9,8], i64[2,9,8], f32[5], 1, -100, f32[]", 0, 6);
}

TEST(CudaNllLoss, SkipsTargetsThatAreNoClassUntilWait) {
  const Tensor x = tensor_of<float>({1, 2, 3, 4}, {2, 2}), t = tensor_of<int64_t>({1, int64_t{1} << 50}, {2});
  try {
    on_gpu("aten.nll_loss_forward.default", {Value(x), Value(t), Value(), Value(2), Value(-100)});
    FAIL() << "no class, and no error";
  } catch (const DeferredError& e) {
    EXPECT_THAT(e.message, testing::StartsWith("nll_loss_forward: target 1125899906842624 at position 1 is none of 2 "
                                               "classes (found when cuda:0 was next waited for)"));
    EXPECT_EQ(name(e.family), "index");
  }
}

/// PyTorch's CPU kernel returns NaN for the call in this test. PyTorch's and ersatz's CUDA kernels return 0.
TEST(CudaNllLoss, OneIgnoredTargetWithoutABatchIsNothing) {
  const Tensor x = tensor_of<float>({1, 2}, {2}), t = tensor_of<int64_t>({-100}, {1});
  EXPECT_THAT(on_gpu("aten.nll_loss_forward.default", {Value(x), Value(t), Value(), Value(1), Value(-100)}),
              ElementsAre(ElementsAre(0), ElementsAre(0)));
}

TEST(CudaMarginLoss, RowsOfEveryLength) {
  for (const char* dtype : {"f32", "f64"}) {
    const std::string t = dtype;
    for (const char* reduction : {"0", "1", "2"}) {
      const std::string r = reduction;
      for (const int classes : {1, 3, 40, 700}) {
        const std::string c = std::to_string(classes), weight = ", " + t + "[" + c + "], ";
        const double most = classes - 1;
        expect_agree("aten.multi_margin_loss.default", t + "[5," + c + "], i64[5], 1, 0.5" + weight + r, 0, most);
        expect_agree("aten.multi_margin_loss_backward.default",
                     t + (r == "0" ? "[5], " : "[], ") + t + "[5," + c + "], i64[5], 2, 0.5" + weight + r, 0, most);
        expect_agree("aten.multilabel_margin_loss_forward.default", t + "[5," + c + "], i64[5," + c + "], " + r, 0,
                     most);
      }
      expect_agree("aten.multi_margin_loss.default", t + "[50,9]{1,50}, i64[50]{2}, 2, 1.5, " + t + "[9], " + r, 0, 8);
      expect_agree("aten.multi_margin_loss_backward.default",
                   t + (r == "0" ? "[50]{2}, " : "[], ") + t + "[50,9]{1,50}, i64[50], 1, 1.5, " + t + "[9], " + r, 0,
                   8);
      expect_agree("aten.multilabel_margin_loss_forward.default", t + "[50,9]{1,50}, i64[50,9], " + r, -2, 8);
      expect_agree("aten.multilabel_margin_loss_backward.default",
                   t + (r == "0" ? "[50], " : "[], ") + t + "[50,9]{1,50}, i64[50,9], " + r + ", " + t + "[50,9]", -1,
                   8);
    }
  }
  expect_agree("aten.multi_margin_loss.default", "f32[], i64[], 1, 1, None, 0", 0, 0);
  expect_agree("aten.multi_margin_loss.default", "f32[0,3], i64[0], 1, 1, None, 1");
  expect_agree("aten.multi_margin_loss_backward.default", "f32[], f32[0,3], i64[0], 1, 1, None, 1");
  expect_agree("aten.multilabel_margin_loss_forward.default", "f32[9], i64[9], 1", -2, 8);
}

TEST(CudaMarginLoss, RefusesATargetThatIsNoClass) {
  expect_agree("aten.multi_margin_loss.default", "f32[50,3], i64[50]", -1, 2);
  expect_agree("aten.multi_margin_loss_backward.default", "f32[], f32[50,3], i64[50], 1, 1", 0, 4);
  expect_agree("aten.multilabel_margin_loss_forward.default", "f32[50,3], i64[50,3], 0", 0, 5);
  expect_agree("aten.multilabel_margin_loss_backward.default", "f32[], f32[9,3], i64[9,3], 1, f32[9,3]", 0, 5);
}

TEST(CudaMarginLoss, TakesHalves) {
  const Tensor x = halves({0.25, 1, -1, 1, 2, 0.5}, {2, 3}), t = tensor_of<int64_t>({0, 2}, {2});
  EXPECT_THAT(on_gpu("aten.multi_margin_loss.default",
                     {Value(x), Value(t), Value(1), Value(1.0), Value(halves({1, 2, 3}, {3})), Value(2)}),
              ElementsAre(ElementsAre(testing::FloatNear(1.75f / 3 + 4, 0.004f))));
  EXPECT_THAT(on_gpu("aten.multi_margin_loss_backward.default",
                     {Value(halves({3}, {})), Value(x), Value(t), Value(1), Value(1.0), Value(), Value(2)}),
              ElementsAre(ElementsAre(-1, 1, 0, 1, 1, -2)));
  const Tensor lists = tensor_of<int64_t>({0, 2, -1, 1, -1, 0}, {2, 3});
  EXPECT_THAT(on_gpu("aten.multilabel_margin_loss_forward.default", {Value(x), Value(lists), Value(0)}),
              ElementsAre(ElementsAre(testing::FloatNear(4.75f / 3, 0.002f), 0), ElementsAre(1, 0, 1, 0, 1, 0)));
}

TEST(CudaMarginLoss, RightClassThatIsNamedTwiceCountsTwice) {
  const Tensor x = tensor_of<float>({0.5, 1, 0}, {1, 3}), t = tensor_of<int64_t>({1, 1, -1}, {1, 3});
  const Tensor marks = tensor_of<float>({0, 1, 0}, {1, 3}), g = tensor_of<float>({3}, {1});
  expect_agree(op_named("aten.multilabel_margin_loss_forward.default"),
               std::vector<Value>{Value(x), Value(t), Value(0)}, "twice");
  expect_agree(op_named("aten.multilabel_margin_loss_backward.default"),
               std::vector<Value>{Value(g), Value(x), Value(t), Value(0), Value(marks)}, "twice");
}

TEST(CudaBinaryCrossEntropy, AgreesOfEveryDtypeAndLayout) {
  for (const char* reduction : {"0", "1", "2"}) {
    const std::string r = reduction;
    expect_agree_for(kFloats, "aten.binary_cross_entropy.default", "*[30,7], *[30,7]{1,30}, *[7], " + r, 0, 1);
    expect_agree("aten.binary_cross_entropy.default", "f32[30,7]{1,30}, f32[30,1,7], None, " + r, 0, 1);
    expect_agree("aten.binary_cross_entropy.default", "f32[0,7], f32[0,7], None, " + r, 0, 1);
  }
}

TEST(CudaBinaryCrossEntropy, RefusesWhatIsNoProbability) {
  expect_agree("aten.binary_cross_entropy.default", "f32[30], f32[30]", 0, 1.5);
  const Tensor p = tensor_of<float>({0.5, 1}, {2}), t = tensor_of<float>({0, NAN}, {2});
  expect_agree(op_named("aten.binary_cross_entropy.default"), std::vector<Value>{Value(p), Value(t), Value(), Value(1)},
               "NaN");
}

TEST(CudaBinaryCrossEntropy, RaisesTheNotedTargetAtTheNextWait) {
  const Tensor p = tensor_of<float>({0.5, 1}, {2}), t = tensor_of<float>({0, 2}, {2});
  try {
    on_gpu("aten.binary_cross_entropy.default", {Value(p), Value(t), Value(), Value(1)});
    FAIL() << "no probability, and no error";
  } catch (const DeferredError& e) {
    EXPECT_THAT(e.message,
                testing::StartsWith("binary_cross_entropy: target must lie between 0 and 1: element 1 is 2 (found when "
                                    "cuda:0 was next waited for)"));
  }
}

}  // namespace
}  // namespace ersatz
