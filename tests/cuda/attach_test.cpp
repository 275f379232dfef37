// A CUDA kernel can be attached only from the file that belongs to its op.
#include "runtime/cuda/attach.h"

#include <gmock/gmock.h>

#include "runtime/base/error.h"

namespace ersatz {
namespace {

/// Returns the error of attaching a kernel of `op` from `file`.
std::string refusal(std::string_view op, std::string_view file) {
  try {
    cuda_module::attach_returns(registry(), op, nullptr, file);
  } catch (const Error& e) {
    return e.kind == ErrorKind::InternalError ? e.message : "of another kind: " + e.message;
  }
  return "";
}

TEST(CudaAttach, RefusesKernelInFileOfAnotherOp) {
  EXPECT_THAT(refusal("aten.prod.default", "/anywhere/kernels/reduction/sum_cuda.cu"),
              testing::AllOf(testing::HasSubstr("aten.prod.default is registered by"),
                             testing::HasSubstr("not in /anywhere/kernels/reduction/sum_cuda.cu")));
  EXPECT_NE(refusal("aten.prod.default", "/anywhere/kernels/shape/prod_cuda.cu"), "");
  EXPECT_NE(refusal("aten.prod.default", "prod_cuda.cu"), "");
}

TEST(CudaAttach, TakesAKernelBesideItsRule) {
  EXPECT_EQ(refusal("aten.prod.default", "/anywhere/kernels/reduction/prod_cuda.cu"), "");
}

}  // namespace
}  // namespace ersatz
