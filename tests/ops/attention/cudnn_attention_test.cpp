#include "kernels/attention/cudnn_attention.h"

#include <gmock/gmock.h>

#include "tests/ops/attention/cuda_answers.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

using namespace cuda_answers;
using testing::ElementsAre;
constexpr std::string_view kCudnn = "aten._scaled_dot_product_cudnn_attention.default";

TEST(CudnnAttention, AnswersLikeQueryInItsOrderOfDims) {
  const Tensor k = on_cuda("f16[2,4,7,8]"), q = on_cuda("f16[2,4,5,8]{480,8,96,1}");
  EXPECT_THAT(answers(kCudnn, {q, k, k, Value(), false}),
              ElementsAre("f16[2,4,5,8]{160,8,32,1}+0@cuda:0", "f32[2,4,5,1]{20,5,1,1}+0@cuda:0", "none", "none", "5",
                          "7", "i64[]{}+0@cuda:0", "i64[]{}+0@cuda:0", "none"));
  const Tensor v = on_cuda("f16[2,4,7,16]");
  EXPECT_EQ(answers(kCudnn, {q, k, v, Value(), true})[0], "f16[2,4,5,16]{320,16,64,1}+0@cuda:0");
  EXPECT_EQ(answers(kCudnn, {on_cuda("f16[2,4,5,8]{0,0,8,1}"), k, v, Value(), true})[0],
            "f16[2,4,5,16]{80,160,16,1}+0@cuda:0");
}

}  // namespace
}  // namespace ersatz
