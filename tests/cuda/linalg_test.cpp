// Matrix products on CUDA, cases that the samples leave out: each layout of operands and results, lazy bits, empty
// sums.
#include <cmath>
#include <limits>

#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

void expect_agree_for_dtypes(std::string_view op, std::string_view arguments) {
  expect_agree_for(kFloatsAndComplexes, op, arguments);
}

TEST(CudaMm, TakesEveryLayoutOfItsOperands) {
  for (const char* a : {"[3,4]", "[3,4]{1,3}", "[3,4]{9,1}", "[3,4]{1,7}", "[3,4]{8,2}", "[3,4]{0,1}", "[3,4]{1,0}",
                        "[3,4]{2,1}", "[3,4]+5"}) {
    for (const char* b : {"[4,5]", "[4,5]{1,4}", "[4,5]{11,2}", "[4,5]{1,0}"}) {
      expect_agree_for_dtypes("aten.mm.default", "*" + std::string(a) + ", *" + b);
    }
  }
}

TEST(CudaMm, TakesMatricesOfOneRowOrColumn) {
  for (const char* arguments : {"*[1,4], *[4,5]", "*[3,1], *[1,5]", "*[3,4], *[4,1]", "*[1,1], *[1,1]",
                                "*[1,4]{1,2}, *[4,1]{3,1}", "*[3,1]{2,5}, *[1,5]{9,3}"}) {
    expect_agree_for_dtypes("aten.mm.default", arguments);
  }
}

TEST(CudaMm, WritesAnOutOfAnyStrides) {
  for (const char* out : {"[3,5]", "[3,5]{1,3}", "[3,5]{1,8}", "[3,5]{12,2}", "[3,5]{2,6}+3"}) {
    expect_agree_for_dtypes("aten.mm.out", "*[3,4], *[4,5], out=*" + std::string(out));
    expect_agree_for_dtypes("aten.addmm.out", "*[5], *[3,4], *[4,5], beta=2, alpha=3, out=*" + std::string(out));
  }
}

TEST(CudaMm, ResolvesLazyBits) {
  for (const char* arguments :
       {"c64[3,4] conj, c64[4,5]", "c64[3,4]{1,3} conj, c64[4,5]", "c64[3,4] conj, c64[4,5]{1,4} conj",
        "c128[3,4], c128[4,5] conj", "c128[1,4] conj, c128[4,1] conj"}) {
    expect_agree("aten.mm.default", arguments);
  }
  expect_agree("aten.bmm.default", "c64[2,3,4]{12,1,3} conj, c64[2,4,5]{0,5,1} conj");
  expect_agree("aten.dot.default", "c64[4]{2} conj, c64[4]");
  expect_agree("aten.mv.default", "c64[3,4] conj, c64[4] conj");
}

TEST(CudaMm, IsZeroWithoutAnythingToSum) {
  for (const char* arguments : {"*[3,0], *[0,5]", "*[0,4], *[4,5]", "*[3,4], *[4,0]", "*[0,0], *[0,0]"}) {
    expect_agree_for_dtypes("aten.mm.default", arguments);
  }
}

TEST(CudaMm, SumsHalvesInFloat) {
  // A sum of 4096 ones in bf16 would stop at 256, so the sum must be computed in a wider dtype.
  expect_agree("aten.mm.default", "bf16[1,4096], bf16[4096,1]", 1, 1);
  expect_agree("aten.mm.default", "f16[2,3000], f16[3000,2]", 1, 1);
}

TEST(CudaAddmm, AddsSelfOfAnySize) {
  for (const char* self : {"[5]", "[5]{2}", "[1]", "[]", "[3,5]", "[3,1]", "[1,5]", "[3,5]{1,3}"}) {
    for (const char* factors : {"", ", beta=0, alpha=2", ", beta=1, alpha=2", ", beta=0.5, alpha=-1.5"}) {
      expect_agree_for_dtypes("aten.addmm.default", "*" + std::string(self) + ", *[3,4], *[4,5]" + factors);
    }
  }
  expect_agree("aten.addmm.default", "c64[5] conj, c64[3,4], c64[4,5], beta=(1+2j), alpha=(0-1j)");
}

TEST(CudaAddmm, AddsABiasAtAnyAddress) {
  // cuBLASLt chooses an algorithm by the alignment of the bias. The bias of the first call has the largest alignment.
  for (const char* offset : {"", "+64", "+16", "+8", "+4", "+1"})
    expect_agree_for_dtypes("aten.addmm.default", "*[5]" + std::string(offset) + ", *[3,4], *[4,5]");
}

TEST(CudaAddmm, ScalesSelfWithoutAnythingToSum) {
  expect_agree_for_dtypes("aten.addmm.default", "*[5], *[3,0], *[0,5], beta=2, alpha=3");
  expect_agree_for_dtypes("aten.addmm.default", "*[3,5]{1,3}, *[3,0], *[0,5], beta=0");
  expect_agree_for_dtypes("aten.addmm_.default", "*[3,5], *[3,0], *[0,5], beta=0.5");
}

TEST(CudaAddmm, AddsInPlace) { expect_agree_for_dtypes("aten.addmm_.default", "*[3,5]{1,3}, *[3,4], *[4,5], beta=2"); }

TEST(CudaBmm, TakesBroadcastAndTransposedBatches) {
  for (const char* a : {"[2,3,4]", "[2,3,4]{0,4,1}", "[2,3,4]{12,1,3}", "[2,3,4]{4,8,1}", "[2,3,4]{1,8,2}"}) {
    for (const char* b : {"[2,4,5]", "[2,4,5]{0,5,1}", "[2,4,5]{20,1,4}", "[2,4,5]{0,1,0}"}) {
      expect_agree_for_dtypes("aten.bmm.default", "*" + std::string(a) + ", *" + b);
    }
  }
  expect_agree_for_dtypes("aten.bmm.default", "*[1,3,4], *[1,4,5]");
  expect_agree_for_dtypes("aten.bmm.out", "*[2,3,4], *[2,4,5], out=*[2,3,5]{5,10,1}");
  expect_agree_for_dtypes("aten.bmm.out", "*[2,3,4], *[2,4,5], out=*[2,3,5]{1,2,6}");
}

TEST(CudaBmm, AddsSelfOfAnySize) {
  for (const char* self : {"[5]", "[]", "[2,3,5]", "[2,1,5]", "[3,1]", "[2,3,5]{1,2,6}"}) {
    expect_agree_for_dtypes("aten.baddbmm.default", "*" + std::string(self) + ", *[2,3,4], *[2,4,5]");
    expect_agree_for_dtypes("aten.baddbmm.default",
                            "*" + std::string(self) + ", *[2,3,4]{12,1,3}, *[2,4,5], beta=2, alpha=0.5");
  }
  expect_agree_for_dtypes("aten.baddbmm.default", "*[5], *[2,3,0], *[2,0,5], beta=2");
  expect_agree_for_dtypes("aten.bmm.default", "*[2,3,0], *[2,0,5]");
  expect_agree_for_dtypes("aten.bmm.default", "*[0,3,4], *[0,4,5]");
}

TEST(CudaMv, TakesStridedVectors) {
  for (const char* vec : {"[4]", "[4]{3}", "[4]{0}"}) {
    for (const char* mat : {"[3,4]", "[3,4]{1,3}", "[3,4]{9,2}"}) {
      expect_agree_for_dtypes("aten.mv.default", "*" + std::string(mat) + ", *" + vec);
      expect_agree_for_dtypes("aten.addmv.default", "*[3], *" + std::string(mat) + ", *" + vec + ", beta=2, alpha=3");
    }
  }
  expect_agree_for_dtypes("aten.addmv.default", "*[1], *[3,4], *[4], beta=0");
  expect_agree_for_dtypes("aten.addmv.default", "*[3], *[3,0], *[0], beta=2");
  expect_agree_for_dtypes("aten.mv.default", "*[3,0], *[0]");
  expect_agree_for_dtypes("aten.mv.out", "*[3,4], *[4], out=*[3]{2}");
}

TEST(CudaDot, TakesStridedAndEmptyVectors) {
  for (const char* arguments : {"*[4], *[4]", "*[4]{2}, *[4]{3}", "*[4]{0}, *[4]", "*[1], *[1]", "*[0], *[0]"}) {
    expect_agree_for_dtypes("aten.dot.default", arguments);
  }
}

TEST(CudaMm, MultipliesMoreThanATile) {
  expect_agree("aten.mm.default", "f32[130,70], f32[70,65]{1,70}");
  expect_agree("aten.bmm.default", "f64[5,33,70], f64[5,70,31]");
}

TEST(CudaMm, RefusesIntegersUnlessThereIsNothingToMultiply) {
  const auto call = [](std::string_view op, std::string_view arguments) {
    const OpEntry& entry = op_named(op);
    return arguments_on(cuda(0), sample_arguments(entry, arguments, 0, 2));
  };
  const auto refuses = [&](std::string_view op, std::string_view arguments) {
    Values results;
    std::vector<Value> args = call(op, arguments);
    try {
      dispatch(op_named(op), args, results);
    } catch (const Error& e) {
      return e.family == ErrorFamily::NotImplemented;
    }
    return false;
  };
  EXPECT_TRUE(refuses("aten.mm.default", "i64[2,3], i64[3,2]"));
  EXPECT_TRUE(refuses("aten.bmm.default", "i64[1,2,3], i64[1,3,2]"));
  EXPECT_TRUE(refuses("aten.mv.default", "i32[2,3], i32[3]"));
  EXPECT_TRUE(refuses("aten.dot.default", "i32[0], i32[0]"));
  for (const auto& [op, arguments] : {std::pair{"aten.mm.default", "i64[2,0], i64[0,2]"},
                                      {"aten.addmm.default", "i64[2], i64[2,0], i64[0,2], beta=2"},
                                      {"aten.bmm.default", "i64[1,2,0], i64[1,0,2]"},
                                      {"aten.mv.default", "i64[2,0], i64[0]"}}) {
    EXPECT_FALSE(refuses(op, arguments)) << op;
    expect_agree(op, arguments);
  }
}

TEST(CudaMatmul, ComposesItselfOfProducts) {
  for (const char* arguments : {"*[4], *[4]", "*[3,4], *[4]", "*[4], *[4,5]", "*[2,3,4], *[4,5]",
                                "*[2,1,3,4], *[3,4,5]", "*[5,3,4], *[4]", "*[2,3,4]{1,2,6}, *[2,4,5]"}) {
    expect_agree_for_dtypes("aten.matmul.default", arguments);
  }
  expect_agree_for_dtypes("aten.linear.default", "*[2,3,4], *[5,4], *[5]");
  expect_agree_for_dtypes("aten.linear.default", "*[3,4], *[5,4]");
}

TEST(CudaLinalgCheckErrors, LooksAtTheInfosOfTheDevice) {
  expect_agree("aten._linalg_check_errors.default", "i32[3], \"linalg.inv\", is_matrix=False", 0, 0);
  expect_agree("aten._linalg_check_errors.default", "i32[3], \"linalg.inv\", is_matrix=False", 2, 2);
}

TEST(CudaDistances, AreThoseOfTheCpuInEveryNorm) {
  for (const char* p : {"0.0", "0.5", "1.0", "1.5", "2.0", "3.0", "inf"}) {
    const std::string norm = std::string(", ") + p;
    expect_agree("aten._cdist_forward.default", "f32[2,3,7], f32[4,1,50,7]{350,350,1,50}" + norm + ", 2");
    expect_agree("aten._cdist_forward.default", "f64[30,70]{1,30}, f64[40,70]" + norm + ", None");
    expect_agree("aten._cdist_backward.default", "f32[2,3,50], f32[2,3,7], f32[2,50,7]" + norm + ", f32[2,3,50]", 1, 2);
    expect_agree("aten._cdist_backward.default",
                 "f64[30,40]{1,30}, f64[30,7]{1,30}, f64[1,40,7]" + norm + ", f64[30,40]", 1, 2);
    expect_agree("aten._pdist_forward.default", "f32[40,7]" + norm);
    expect_agree("aten._pdist_forward.default", "f64[2,70]" + norm);
    expect_agree("aten._pdist_backward.default", "f32[780], f32[40,7]" + norm + ", f32[780]", 1, 2);
    expect_agree("aten._pdist_backward.default", "f64[3]{2}, f64[3,7]" + norm + ", f64[3]", 1, 2);
  }
}

TEST(CudaDistances, OfHalvesWhereTheyMayBeProducts) {
  expect_agree_for(DTypeSet{DType::F16, DType::BF16}, "aten._cdist_forward.default", "*[30,8], *[9,8], 2.0, None");
}

TEST(CudaDistances, NanIsDifferingElementAndNeverLargest) {
  const Tensor x = make_real_tensor(TensorMeta(DType::F32, DimVec{2, 3}));
  std::fill_n(x.data<float>(), 6, 0.0f);
  x.data<float>()[0] = std::numeric_limits<float>::quiet_NaN();
  x.data<float>()[1] = 1;
  const auto distance = [&](double p) {
    const std::vector<Value> args{tensor_on(cuda(0), x), p};
    Values results;
    dispatch(op_named("aten._pdist_forward.default"), args, results);
    return *tensor_on(kCPU, results[0].tensor()).data<float>();
  };
  EXPECT_EQ(distance(0), 2);
  EXPECT_EQ(distance(std::numeric_limits<double>::infinity()), 1);
  EXPECT_TRUE(std::isnan(distance(2)));
}

TEST(CudaDistances, GradientsReadTheFirstElementsOfLargerOperands) {
  for (const char* norm : {"0.0", "1.5", "inf"}) {
    const std::string p = std::string(", ") + norm;
    expect_agree("aten._cdist_backward.default", "f32[40], f32[3,7], f32[5,9]" + p + ", f32[2,10]", 1, 2);
    expect_agree("aten._pdist_backward.default", "f64[8,2]{3,1}, f64[4,3,2]" + p + ", f64[2,4]", 1, 2);
  }
  expect_agree("aten._pdist_backward.default", "f32[], f64[3], 0.0, f32[1]");
}

TEST(CudaDistances, OfNothing) {
  expect_agree("aten._cdist_forward.default", "f32[2,0], f32[3,0], 2.0, None");
  expect_agree("aten._cdist_forward.default", "f32[0,4], f32[3,4], 2.0, None");
  expect_agree("aten._cdist_forward.out", "f32[3,4], f32[2,4], 2.0, None, out=f32[3,2]{1,3}");
  expect_agree("aten._cdist_backward.default", "f32[3,0], f32[3,4], f32[0,4], 2.0, f32[3,0]");
  expect_agree("aten._pdist_forward.default", "f32[3,0], 2.0");
  expect_agree("aten._pdist_forward.default", "f32[1,4], 2.0");
  expect_agree("aten._pdist_backward.default", "f32[0], f32[1,4], 2.0, f32[0]");
}

}  // namespace
}  // namespace ersatz
