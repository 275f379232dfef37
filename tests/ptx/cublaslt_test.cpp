// Calls that the cuBLASLt of the PTX device refuses. Each test changes a valid product so that it breaks one rule.
#include "tests/ptx/cublaslt.h"

#include <cublasLt.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <vector>

namespace ersatz::ptx {

int g_writes = 0;
void mark_allocation_written(const void*) { ++g_writes; }

namespace {

using testing::HasSubstr;

/// A product d[2,2] = a[2,3] @ b[3,2] of column-major matrices, and each property that a test may make wrong.
struct Call {
  cudaDataType_t type = CUDA_R_32F, scale = CUDA_R_32F;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  int32_t a_operation = CUBLAS_OP_N;
  uint64_t a_rows = 2, a_cols = 3, b_rows = 3, b_cols = 2;
  int64_t a_ld = 2, d_ld = 2;
  int32_t batch = 1, b_batch = 1;
  int64_t d_batch_stride = 4;
  int offset_of_a = 0;  ///< added to the address of `a` when the product runs, in elements
  uint32_t alignment_of_a = 4;
  const void* bias = nullptr;
  int32_t bias_type = CUDA_R_32F;
  uint64_t most_workspace = 8192;
  int64_t bytes_less = 0;  /// how much smaller the work space is than needed
  int offset_of_workspace = 0;
  bool chosen_for_another = false;

  alignas(256) std::array<float, 64> a{1, 2, 3, 4, 5, 6, 7, 8}, b{1, 0, 1, 0, 1, 0};
  alignas(256) std::array<float, 64> d{};
  alignas(256) std::array<char, 8192 + 64> workspace{};

  /// Returns the status of the first call that refuses, or else that of the product.
  cublasStatus_t run() {
    struct Owner {
      cublasLtMatmulDesc_t o = nullptr;
      cublasLtMatrixLayout_t a = nullptr, b = nullptr, d = nullptr;
      cublasLtMatmulPreference_t p = nullptr;
      ~Owner() {
        if (o) cublasLtMatmulDescDestroy(o);
        for (auto l : {a, b, d}) {
          if (l) cublasLtMatrixLayoutDestroy(l);
        }
        if (p) cublasLtMatmulPreferenceDestroy(p);
      }
    } made;
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    const auto ok = [&](cublasStatus_t s) { return (status = s) == CUBLAS_STATUS_SUCCESS; };
    const auto set_layout = [&](cublasLtMatrixLayout_t l, int32_t count, int64_t stride) {
      return ok(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count)) &&
             ok(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                                 sizeof stride));
    };
    const auto set = [&](cublasLtMatmulDescAttributes_t attribute, auto value) {
      return ok(cublasLtMatmulDescSetAttribute(made.o, attribute, &value, sizeof value));
    };
    const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, auto value) {
      return ok(cublasLtMatmulPreferenceSetAttribute(made.p, attribute, &value, sizeof value));
    };
    cublasLtHandle_t handle = nullptr;
    if (!ok(cublasLtCreate(&handle)) || !ok(cublasLtMatmulDescCreate(&made.o, compute, scale)) ||
        !set(CUBLASLT_MATMUL_DESC_TRANSA, a_operation) ||
        !ok(cublasLtMatrixLayoutCreate(&made.a, type, a_rows, a_cols, a_ld)) ||
        !ok(cublasLtMatrixLayoutCreate(&made.b, type, b_rows, b_cols, static_cast<int64_t>(b_rows))) ||
        !ok(cublasLtMatrixLayoutCreate(&made.d, type, 2, 2, d_ld)) || !set_layout(made.a, batch, 0) ||
        !set_layout(made.b, b_batch, 0) || !set_layout(made.d, batch, d_batch_stride) ||
        !ok(cublasLtMatmulPreferenceCreate(&made.p)) ||
        !prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, most_workspace) ||
        !prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_of_a))
      return status;
    for (auto which : {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
                       CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES}) {
      if (!prefer(which, uint32_t{4})) return status;
    }
    if (bias && (!set(CUBLASLT_MATMUL_DESC_EPILOGUE, static_cast<uint32_t>(CUBLASLT_EPILOGUE_BIAS)) ||
                 !set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias) || !set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, bias_type)))
      return status;
    cublasLtMatmulHeuristicResult_t found{};
    int count = 0;
    if (!ok(cublasLtMatmulAlgoGetHeuristic(handle, made.o, made.a, made.b, made.d, made.d, made.p, 1, &found, &count)))
      return status;
    if (chosen_for_another && !set(CUBLASLT_MATMUL_DESC_TRANSB, static_cast<int32_t>(CUBLAS_OP_T))) return status;
    needed = found.workspaceSize;
    const float one = 1, zero = 0;
    return cublasLtMatmul(handle, made.o, &one, a.data() + offset_of_a, made.a, b.data(), made.b, &zero, d.data(),
                          made.d, d.data(), made.d, &found.algo, workspace.data() + offset_of_workspace,
                          needed - static_cast<size_t>(bytes_less), nullptr);
  }
  size_t needed = 0;
};

void expect_refused(Call call, cublasStatus_t status, const char* why) {
  EXPECT_EQ(call.run(), status) << why;
  EXPECT_THAT(cublaslt_refusal(), HasSubstr(why));
  EXPECT_EQ(cublaslt_descriptors(), 0);
}
void expect_invalid(const Call& call, const char* why) { expect_refused(call, CUBLAS_STATUS_INVALID_VALUE, why); }

TEST(Cublaslt, TakesAProduct) {
  Call call;
  g_writes = 0;
  ASSERT_EQ(call.run(), CUBLAS_STATUS_SUCCESS) << cublaslt_refusal();
  // Columns of a are (1,2), (3,4), (5,6); columns of b are (1,0,1) and (0,1,0).
  EXPECT_THAT(std::vector<float>(call.d.begin(), call.d.begin() + 4), testing::ElementsAre(6, 8, 3, 4));
  EXPECT_EQ(g_writes, 1);
  EXPECT_EQ(cublaslt_descriptors(), 0);
}

TEST(Cublaslt, AddsABias) {
  alignas(16) const std::array<float, 2> bias{10, 20};
  Call call{.bias = bias.data()};
  ASSERT_EQ(call.run(), CUBLAS_STATUS_SUCCESS) << cublaslt_refusal();
  EXPECT_THAT(std::vector<float>(call.d.begin(), call.d.begin() + 4), testing::ElementsAre(16, 28, 13, 24));
}

TEST(Cublaslt, RefusesTypesThatAreNotInTheTable) {
  expect_refused({.type = CUDA_R_16F, .scale = CUDA_R_16F}, CUBLAS_STATUS_NOT_SUPPORTED, "compute type");
  expect_refused({.type = CUDA_R_16F, .compute = CUBLAS_COMPUTE_32F_FAST_TF32}, CUBLAS_STATUS_NOT_SUPPORTED,
                 "compute type");
  expect_refused({.type = CUDA_R_64F}, CUBLAS_STATUS_NOT_SUPPORTED, "compute type");
}

TEST(Cublaslt, RefusesALeadingDimensionBelowTheRows) { expect_invalid({.a_ld = 1}, "leading dimension 1"); }

TEST(Cublaslt, RefusesInnerSizesThatDiffer) { expect_invalid({.b_rows = 4}, "a product of [2,3] and [4,2]"); }

TEST(Cublaslt, ReadsSizesBehindTheTranspose) {
  expect_invalid({.a_operation = CUBLAS_OP_T}, "a product of [3,2] and [3,2]");
}

TEST(Cublaslt, RefusesBatchesThatDiffer) { expect_invalid({.batch = 2}, "batches of 1 and 2"); }

TEST(Cublaslt, RefusesAResultThatOverlapsItself) {
  expect_invalid({.batch = 2, .b_batch = 2, .d_batch_stride = 3}, "overlaps itself");
}

TEST(Cublaslt, RefusesAnOperandLessAlignedThanPromised) {
  expect_invalid({.offset_of_a = 1, .alignment_of_a = 16}, "operand A is not aligned");
}

TEST(Cublaslt, RefusesAPromiseBelowOneElement) { expect_invalid({.alignment_of_a = 2}, "promised"); }

TEST(Cublaslt, RefusesAnAlgorithmOfAnotherProblem) {
  expect_invalid({.a_cols = 2, .b_rows = 2, .chosen_for_another = true}, "for another problem");
}

TEST(Cublaslt, RefusesABiasOfAnotherType) {
  alignas(16) const std::array<float, 2> bias{};
  expect_invalid({.bias = bias.data(), .bias_type = CUDA_R_16F}, "a bias of type");
}

TEST(Cublaslt, HasNoAlgorithmForAnUnalignedBias) {
  alignas(16) const std::array<float, 3> bias{};
  expect_refused({.bias = bias.data() + 1}, CUBLAS_STATUS_NOT_SUPPORTED, "not aligned");
}

/// Returns a call whose algorithm needs a work space. Whether an algorithm needs one depends on the sizes.
Call with_workspace() {
  for (int64_t ld = 2; ld < 20; ++ld) {
    Call call{.a_ld = ld};
    if (call.run() == CUBLAS_STATUS_SUCCESS && call.needed > 0) return call;
  }
  ADD_FAILURE() << "no product needs a work space";
  return {};
}

TEST(Cublaslt, RefusesAWorkSpaceThatIsTooSmall) {
  Call call = with_workspace();
  call.bytes_less = 1;
  expect_invalid(call, "a work space of");
}

TEST(Cublaslt, RefusesAWorkSpaceThatIsNotAligned) {
  Call call = with_workspace();
  call.offset_of_workspace = 8;
  expect_invalid(call, "not aligned to 16 bytes");
}

TEST(Cublaslt, RefusesAnAttributeOfAnotherSize) {
  cublasLtMatmulDesc_t desc = nullptr;
  ASSERT_EQ(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F), CUBLAS_STATUS_SUCCESS);
  const int64_t operation = CUBLAS_OP_T;
  EXPECT_EQ(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &operation, sizeof operation),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_THAT(cublaslt_refusal(), HasSubstr("an attribute of 4 bytes is given 8"));
  cublasLtMatmulDescDestroy(desc);
}

}  // namespace
}  // namespace ersatz::ptx
