// Each reduction and scan in each dtype, on each of its kernels' read paths: one long row in pieces, rows, columns,
// gaps.
#include <gtest/gtest.h>

#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

struct Reduced {
  const char* tensor;  ///< with `*` in place of the dtype
  const char* dim;
};
constexpr Reduced kReduced[] = {{"*[20001]", "0"},          {"*[700,6]", "0"},        {"*[6,700]", "1"},
                                {"*[6,700]{1,6}", "1"},     {"*[6,90]{400,3}", "1"},  {"*[3,40,9]{1,27,3}", "2"},
                                {"*[700,8]", "0"},          {"*[70,8]", "0"},         {"*[5,20]+1", "1"},
                                {"*[3,1100]{4000,3}", "1"}, {"*[3,4,5]{50,1,4}", "2"}};
/// Several dims that strides keep apart: elements one by one, four columns at a time, rows of whole packets, gaps.
constexpr Reduced kReducedTogether[] = {
    {"*[9,5,13]{99,17,1}", "0, 1"},  {"*[9,5,12]{96,16,1}", "0, 1"},    {"*[9,3,64]", "0, 2"},
    {"*[9,3,20]{200,60,3}", "0, 2"}, {"*[20,3,60]{400,130,2}", "0, 2"}, {"*[5,4,3]{40,3,1}", "0, 1, 2"}};

/// `before` and `after`: the argument text around the dim, or around the list of dims if `before` ends with a bracket.
void expect_each_agrees(DTypeSet dtypes, const char* op, const std::string& before, const std::string& after,
                        double low = -2, double high = 2) {
  for (const Reduced& r : kReduced) expect_agree_for(dtypes, op, r.tensor + before + r.dim + after, low, high);
  if (!before.ends_with("[")) return;
  for (const Reduced& r : kReducedTogether) expect_agree_for(dtypes, op, r.tensor + before + r.dim + after, low, high);
}

constexpr DTypeSet kHere = kReals | kBool | kComplexes;

TEST(EveryFold, OfTruthAndCounts) {
  for (const char* op : {"aten.any.dims", "aten.all.dims"}) expect_each_agrees(kHere, op, ", [", "]", 0, 1);
  expect_each_agrees(kHere, "aten.count_nonzero.dim_IntList", ", [", "]", 0, 1);
}

TEST(EveryFold, OfExtremes) {
  for (const char* op : {"aten.amax.default", "aten.amin.default"}) expect_each_agrees(kReals | kBool, op, ", [", "]");
}

TEST(EveryFold, OfPlacesOfExtremes) {
  for (const char* op : {"aten.argmax.default", "aten.min.dim"}) expect_each_agrees(kReals, op, ", ", "");
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

/// Long rows in chunks, short rows, columns, and columns in chunks.
constexpr const char* kScanned[] = {"*[17000], 0", "*[3,5], 1", "*[2,300,3], 1", "*[300,40], 0", "*[0], 0"};

TEST(EveryScan, OfSumsAndExtremes) {
  for (const char* x : kScanned) {
    expect_agree_for(kHere, "aten.cumsum.default", x, 0.5, 1.5);
    expect_agree_for(kHere, "aten.cumprod.default", x, 1, 1);
    for (const char* op : {"aten.cummax.default", "aten.cummin.default"}) expect_agree_for(kReals | kBool, op, x);
    expect_agree_for(kFloatsAndComplexes, "aten.logcumsumexp.default", x, 0.5, 1);
  }
}

}  // namespace
}  // namespace ersatz
