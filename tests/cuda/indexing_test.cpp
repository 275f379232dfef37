// Gather, scatter and masks on CUDA, compared with the CPU: cases that the samples leave out.
#include <gtest/gtest.h>

#include "runtime/base/context.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

struct Deterministic {
  ContextGuard guard{[](RuleContext& c) { c.deterministic = true; }};
};

TEST(CudaIndexing, index_out_of_range_has_the_cpus_words) {
  expect_agree("aten.index_select.default", "f32[4,3], 0, i64[20]", -9, 9);
  expect_agree("aten.index_select.default", "f32[4,3], 1, i32[20]", 0, 9);
  expect_agree("aten.gather.default", "f32[4,3], 1, i64[4,9]", 0, 9);
  expect_agree("aten.embedding.default", "f32[4,3], i64[5,2]", 0, 9);
  expect_agree("aten.scatter.value", "f32[4,3], 0, i64[4,3], 2", -1, 3);
  expect_agree("aten.scatter_.src", "f32[4,3], 0, i64[4,3], f32[4,3]", 2, 5);
  expect_agree("aten.scatter_add.default", "f32[4,3], 0, i64[4,3], f32[4,3]", 3, 5);
  expect_agree("aten.scatter_reduce.two", "f32[4,3], 0, i64[4,3], f32[4,3], \"amax\"", -3, 3);
  expect_agree("aten.index_add.default", "f32[4,3], 0, i64[9], f32[9,3]", -3, 3);
  expect_agree("aten.index_add.default", "f32[4,3,2], 1, i64[9], f32[4,9,2], alpha=2", -3, 3);
  expect_agree("aten.index_reduce.default", "f32[4,3], 0, i64[9], f32[9,3], \"mean\"", -3, 3);
  expect_agree("aten.index_copy.default", "f32[4,3], 0, i64[2], f32[2,3]", 4, 7);
  expect_agree("aten.index_fill.int_Scalar", "f32[4,3], 0, i64[7], 2", -7, 3);
  expect_agree("aten.index.Tensor", "f32[4,3,5], [i64[2,1], None, i32[7]]", -9, 9);
  expect_agree("aten.index.Tensor", "f32[4,3,5], [None, i64[4]]", 3, 9);
  expect_agree("aten.index_put.default", "f32[4,3], [i64[4], i64[4]], f32[]", 1, 4);
  expect_agree("aten.take.default", "f32[4,3], i64[30]", -14, 12);
  expect_agree("aten.put.default", "f32[4,3], i64[30], f32[30], True", -14, 12);
  expect_agree("aten.one_hot.default", "i64[20], 4", 0, 5);
  expect_agree("aten.one_hot.default", "i64[20]", -1, 5);
}

TEST(CudaIndexing, negative_indices_count_from_the_end) {
  expect_agree("aten.index.Tensor", "f32[4,3,5], [i64[2,1], None, i32[7]]", -4, 3);
  expect_agree("aten.index_put.default", "f64[4,5], [i64[7]], f64[7,5], True", -4, 3);
  expect_agree("aten.take.default", "f32[4,3]{1,4}, i64[5,6]{1,5}", -12, 11);
  expect_agree("aten.put.default", "f32[4,3]{1,4}, i64[5,6]{1,5}, f32[30], True", -12, 11);
  expect_agree("aten.index_fill.int_Tensor", "f32[4,3], 0, i64[3], f64[]", -4, 3);
}

TEST(CudaIndexing, all_dtypes_are_picked_and_scattered) {
  expect_agree_for(kAllDTypes, "aten.index_select.default", "*[4,8], 0, i64[5]", 0, 3);
  expect_agree_for(kAllDTypes, "aten.gather.default", "*[4,3], 1, i64[4,5]", 0, 2);
  expect_agree_for(kAllDTypes, "aten.embedding.default", "*[4,16], i32[5,2]", 0, 3);
  expect_agree_for(kAllDTypes, "aten.index.Tensor", "*[4,3,5], [i64[2], i64[2]]", 0, 2);
  expect_agree_for(kAllDTypes, "aten.index_put.default", "*[4,3], [i64[9]], *[9,3], True", 0, 3);
  expect_agree_for(kAllDTypes, "aten.index_copy.default", "*[1,3], 0, i64[1], *[1,3]", 0, 0);
  expect_agree_for(kAllDTypes, "aten.scatter_add.default", "*[4,3], 0, i64[6,2], *[6,3]", 0, 3);
  expect_agree_for(kAllDTypes, "aten.index_add.default", "*[4,3], 0, i64[9], *[9,3]", 0, 3);
  expect_agree_for(kAllDTypes, "aten.put.default", "*[4,3], i64[9], *[9], True", 0, 3);
  expect_agree_for(kAllDTypes, "aten.masked_fill.Scalar", "*[4,3], bool[3], 1", 0, 3);
  expect_agree_for(kAllDTypes, "aten.masked_select.default", "*[4,3], bool[4,1]", 0, 3);
  expect_agree_for(kAllDTypes, "aten.masked_scatter.default", "*[4,3], bool[4,3], *[12]", 0, 3);
  expect_agree_for(kAllDTypes, "aten.nonzero.default", "*[4,3]", 0, 1);
  expect_agree_for(kAllDTypes, "aten._local_scalar_dense.default", "*[1]", 0, 3);
  expect_agree_for(kAllDTypes, "aten.embedding_dense_backward.default", "*[6,3], i64[6], 4, 1, False", 0, 3);
}

TEST(CudaIndexing, reductions_of_all_dtypes_agree) {
  for (const char* reduce : {"sum", "prod", "mean", "amax", "amin"}) {
    for (const char* include : {"True", "False"}) {
      const std::string rest = ", \"" + std::string(reduce) + "\", include_self=" + include;
      expect_agree_for(kAllDTypes, "aten.scatter_reduce.two", "*[4,3], 0, i64[6,2], *[6,3]" + rest, 0, 3);
      if (std::string_view(reduce) != "sum") {
        expect_agree_for(kAllDTypes, "aten.index_reduce.default", "*[4,3]{1,4}, 0, i64[6], *[6,3]{1,6}" + rest, 0, 3);
      }
    }
  }
}

TEST(CudaIndexing, more_elements_than_a_block_has_threads_agree) {
  expect_agree("aten.index_select.default", "f32[50,70], 1, i64[300]", 0, 49);
  expect_agree("aten.index_select.default", "f32[50,64], 0, i64[300]", 0, 49);
  expect_agree("aten.scatter_add.default", "f64[40,30], 0, i64[700,30], f64[700,30]", 0, 39);
  expect_agree("aten.index.Tensor", "f32[40,30,20], [i64[50,1], None, i64[60]]", -20, 19);
  expect_agree("aten.nonzero.default", "i32[50,3,70]", 0, 1);
  expect_agree("aten.masked_select.default", "f32[300,70]{1,300}, bool[70]", 0, 1);
  expect_agree("aten.embedding_dense_backward.default", "f64[900,33], i64[900], 40, 3, True", 0, 39);
  expect_agree("aten.one_hot.default", "i64[2000]", 0, 99);
}

TEST(CudaIndexing, strides_of_every_operand_are_followed) {
  expect_agree("aten.gather.default", "f32[4,3,5]{1,4,12}, 1, i64[4,2,5]{20,1,4}", 0, 2);
  expect_agree("aten.gather.out", "f32[4,3], 0, i64[2,3], out=f32[2,3]{1,2}", 0, 3);
  expect_agree("aten.index_select.out", "f32[4,8], 0, i64[2], out=f32[2,8]{1,2}", 0, 3);
  expect_agree("aten.scatter_add_.default", "f32[4,3]{1,4}, 1, i64[4,6]{1,4}, f32[4,6]{0,1}", 0, 2);
  expect_agree("aten.index_put_.default", "f32[4,3,5]{1,4,12}, [None, None, i64[2,1]], f32[3,1,1], True", 0, 4);
  expect_agree("aten.masked_fill_.Scalar", "f32[4,3]{1,4}, bool[3], 2");
  expect_agree("aten.masked_fill.Scalar_out", "f32[4,3]{1,4}, bool[3], 2, out=f32[4,3]{2,9}");
  expect_agree("aten.masked_scatter_.default", "f32[4,3]{1,4}, bool[3], f32[4,6]{1,4}", 0, 1);
  expect_agree("aten.embedding.default", "f32[4,3]{1,4}, i64[5]{3}", 0, 3);
  expect_agree("aten.masked_select.out", "f32[4,3], bool[4,3], out=f32[12]{2}", 0, 1);
}

TEST(CudaIndexing, many_dims_agree) {
  expect_agree("aten.gather.default", "f32[2,1,3,1,2,2,1,2,3,2]{576,1,96,7,24,12,4,6,2,1}, 8, i64[2,1,3,1,2,2,1,2,5,2]",
               0, 2);
  expect_agree("aten.index.Tensor", "f32[2,3,2,2,2,2], [i64[2], None, i64[2], i64[1], i32[], i64[3,2]]", 0, 1);
  expect_agree("aten.nonzero.default", "f32[2,1,3,2,1,2,2,2,2]", 0, 1);
}

TEST(CudaIndexing, empty_and_dimless_tensors_agree) {
  expect_agree("aten.index_select.default", "f32[4,3], 0, i64[0]");
  expect_agree("aten.index_select.default", "f32[], 0, i64[1]", 0, 0);
  expect_agree("aten.gather.default", "f32[0,3], 0, i64[0,3]");
  expect_agree("aten.gather.default", "f32[], 0, i64[]", 0, 0);
  expect_agree("aten.scatter_add.default", "f32[], 0, i64[], f32[]", 0, 0);
  expect_agree("aten.scatter.src", "f32[3], 0, i64[], f32[1]", 0, 2);
  expect_agree("aten.index_add.default", "f32[], 0, i64[1], f32[1]", 0, 0);
  expect_agree("aten.index_add.default", "f32[3], 0, i64[], f32[]", 0, 2);
  expect_agree("aten.index_copy.default", "f32[0,3], 0, i64[0], f32[0,3]");
  expect_agree("aten.index_fill.int_Scalar", "f32[4,3], 0, i64[0], 1");
  expect_agree("aten.index.Tensor", "f32[4,0], [i64[3]]", 0, 3);
  expect_agree("aten.index.Tensor", "f32[0], [i64[0]]");
  expect_agree("aten.index_put.default", "f32[4], [i64[0]], f32[]");
  expect_agree("aten.nonzero.default", "f32[0,3]");
  expect_agree("aten.nonzero.default", "f32[]");
  expect_agree("aten.masked_select.default", "f32[], bool[]");
  expect_agree("aten.masked_select.default", "f32[0], bool[3,1]");
  expect_agree("aten.take.default", "f32[0], i64[0]");
  expect_agree("aten.embedding.default", "f32[4,0], i64[3]", 0, 3);
  expect_agree("aten.embedding_dense_backward.default", "f32[0,3], i64[0], 4, -1, False");
  expect_agree("aten.one_hot.default", "i64[0], 3");
}

TEST(CudaIndexing, masks_pick_and_are_put_at) {
  expect_agree("aten.index.Tensor", "f32[4,3,5], [bool[4,3]]", 0, 1);
  expect_agree("aten.index.Tensor", "f32[4,3,5], [None, bool[3], i64[1]]", 0, 1);
  expect_agree("aten.index.Tensor", "f32[4], [bool[]]", 0, 1);
  expect_agree("aten.index_put.default", "f32[4,3], [bool[4,3]], f32[]", 0, 1);
  expect_agree("aten.index_put.default", "f32[4,3], [bool[4]], f32[9,3]", 0, 1);
  expect_agree("aten.index.Tensor_out", "f32[4,3], [bool[4]], out=f32[0]", 0, 1);
}

TEST(CudaIndexing, a_value_that_does_not_fit_is_refused) {
  expect_agree("aten.masked_fill.Tensor", "u8[3], bool[3], i64[]", 300, 400);
  expect_agree("aten.index_fill.int_Tensor", "u8[3], 0, i64[0], i64[]", 300, 400);
  expect_agree("aten.masked_scatter.default", "f32[50], bool[50], f32[3]", 0, 1);
}

// In deterministic mode, each element has the CPU's value, because sums are computed in the CPU's order.
TEST(CudaIndexing, deterministic_calls_combine_in_order_of_elements) {
  const Deterministic on;
  expect_agree("aten.index_put.default", "f32[4,3], [i64[50]], f32[50,3]", 0, 3);
  expect_agree("aten.index_put.default", "f32[4,3], [i64[50], i64[50]], f32[50], True", 0, 2);
  expect_agree("aten.index_copy.default", "f32[4,3], 0, i64[50], f32[50,3]", 0, 3);
  expect_agree("aten.scatter.src", "f32[4,3], 0, i64[50,3], f32[50,3]{1,50}", 0, 3);
  expect_agree("aten.put.default", "f32[4,3], i64[50], f32[50]", 0, 11);
  expect_agree("aten.embedding_dense_backward.default", "f16[300,7], i64[300], 20, 3, False", 0, 19);
  constexpr DTypeSet combined = kFloatsAndComplexes;
  expect_agree_for(combined, "aten.scatter_add.default", "*[4,3]{1,4}, 0, i64[40,2], *[40,3]", 0, 3);
  expect_agree_for(combined, "aten.index_reduce.default", "*[4,3], 1, i64[6], *[4,6], \"prod\"", 0, 2);
  expect_agree_for(combined, "aten.scatter_reduce.two", "*[4,3], 1, i64[4,6], *[4,6], \"mean\"", 0, 2);
}

}  // namespace
}  // namespace ersatz
