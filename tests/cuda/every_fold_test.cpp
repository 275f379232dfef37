// Each reduction in each dtype, on each of its kernels' read paths: one long row in pieces, rows, columns, gaps.
#include <gtest/gtest.h>

#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

struct Reduced {
  const char* tensor;  ///< with `*` in place of the dtype
  const char* dim;
};
constexpr Reduced kReduced[] = {{"*[70001]", "0"},      {"*[700,6]", "0"},       {"*[6,700]", "1"},
                                {"*[6,700]{1,6}", "1"}, {"*[6,90]{400,3}", "1"}, {"*[3,40,9]{1,27,3}", "2"}};

/// `before` and `after`: the argument text around the dim.
void expect_each_agrees(DTypeSet dtypes, const char* op, const std::string& before, const std::string& after,
                        double low = -2, double high = 2) {
  for (const Reduced& r : kReduced) expect_agree_for(dtypes, op, r.tensor + before + r.dim + after, low, high);
}

constexpr DTypeSet kHere = kReals | kBool | kComplexes;

TEST(EveryFold, OfTruthAndCounts) {
  for (const char* op : {"aten.any.dim", "aten.all.dim"}) expect_each_agrees(kHere, op, ", ", "", 0, 1);
  expect_each_agrees(kHere, "aten.count_nonzero.dim_IntList", ", [", "]", 0, 1);
}

TEST(EveryFold, OfExtremes) {
  for (const char* op : {"aten.amax.default", "aten.amin.default"}) expect_each_agrees(kReals | kBool, op, ", [", "]");
}

TEST(EveryFold, OfSumsAndProducts) {
  expect_each_agrees(kReals | kBool, "aten.nansum.default", ", [", "]", 0.5, 1.5);
  expect_each_agrees(kHere, "aten.sum.dim_IntList", ", [", "]", 0.5, 1.5);
  // All factors are 1, because a product of many other numbers overflows or vanishes.
  expect_each_agrees(kHere, "aten.prod.dim_int", ", ", "", 1, 1);
}

TEST(EveryFold, OfNormsAndVariances) {
  for (const char* order : {"0", "1", "2", "3", "inf"}) {
    expect_each_agrees(kFloatsAndComplexes, "aten.linalg_vector_norm.default", std::string(", ") + order + ", [", "]");
  }
  expect_each_agrees(kFloatsAndComplexes, "aten.var.correction", ", [", "]");
  expect_each_agrees(kFloatsAndComplexes, "aten.logsumexp.default", ", [", "]", 0.5, 1);
}

}  // namespace
}  // namespace ersatz
