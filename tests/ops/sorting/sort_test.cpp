#include "kernels/sorting/sort.h"

#include "kernels/sorting/isin.h"
#include "kernels/sorting/kthvalue.h"
#include "kernels/sorting/median.h"
#include "kernels/sorting/mode.h"
#include "kernels/sorting/searchsorted.h"
#include "kernels/sorting/topk.h"
#include "tests/ops/op_calls.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

OP_TEST(Sort, AnswersValuesAndWhereTheyWere) {
  const ops::SortResult r = ops::sort(f32({2, 3}, {3, 1, 2, 5, 6, 4}));
  expect(r.values).meta("f32[2,3]").values({1, 2, 3, 4, 5, 6});
  expect(r.indices).meta("i64[2,3]").values({1, 2, 0, 2, 0, 1});
}
OP_TEST(Sort, PutsNanBehindAllNumbers) {
  expect(ops::sort(f32({4}, {NAN, 1, INFINITY, -1})).values).values({-1, 1, INFINITY, NAN});
  expect(ops::sort(f32({4}, {NAN, 1, INFINITY, -1}), 0, true).values).values({NAN, INFINITY, 1, -1});
}
OP_TEST(Sort, KeepsDenseLayouts) {
  const ops::SortResult r = ops::sort(ramp("f32[2,3]{1,2}"), 0, true);
  expect(r.values).meta("f32[2,3]{1,2}").values({3, 4, 5, 0, 1, 2});
  expect(r.indices).meta("i64[2,3]{1,2}");
  expect(ops::sort(ramp("f32[2,3]{1,4}")).values).meta("f32[2,3]{1,2}");
}
TEST(SortOnCpu, KeepsTheOrderOfEqualElementsWhereItIsAskedFor) {
  std::vector<double> x(1000), places(1000);
  for (size_t i = 0; i < x.size(); ++i) x[i] = i % 2 ? -0.0 : 0.0, places[i] = double(i);
  const Tensor indices = call_op_all<"aten.sort.stable">(f32({1000}, x), true, int64_t(0), false)[1].take_tensor();
  expect(indices).values(places);
}
TEST(SortOnCpu, OrdersLongRowsOfSignedNumbersAsShortOnes) {
  std::vector<double> x(600), sorted(600);
  for (int i = 0; i < 600; ++i) x[size_t(i)] = (i * 7919) % 600 - 300, sorted[size_t(i)] = i - 300;
  for (const char* meta : {"f32[600]", "i16[600]", "i64[600]", "f64[600]", "f16[600]"}) {
    expect(call_op_all<"aten.sort.stable">(make(meta, x), true, int64_t(0), false)[0].take_tensor()).values(sorted);
  }
}
OP_TEST(Sort, RefusesComplexNumbersAndDimsOutOfRange) {
  expect_refused([] { ops::sort(make("c64[2]")); }, ErrorFamily::Type, "sort.C1");
  expect_refused([] { ops::sort(f32({2}), 1); }, ErrorFamily::Index, "sort.dim");
}
OP_TEST(Argsort, AnswersTheIndices) {
  expect(ops::argsort(f32({3}, {2, 3, 1}), 0, true)).meta("i64[3]").values({1, 0, 2});
}
OP_TEST(Msort, SortsAlongTheFirstDim) {
  expect(ops::msort(f32({2, 2}, {3, 1, 2, 4}))).meta("f32[2,2]").values({2, 1, 3, 4});
}
OP_TEST(Topk, AnswersTheLargestFirst) {
  const ops::TopkResult r = ops::topk(f32({2, 3}, {3, 1, 2, 5, 6, 4}), 2);
  expect(r.values).meta("f32[2,2]").values({3, 2, 6, 5});
  expect(r.indices).meta("i64[2,2]").values({0, 2, 1, 0});
}
OP_TEST(Topk, IsRowMajorForAnyInput) {
  expect(ops::topk(ramp("f32[2,3]{1,2}"), 1, 0, false).values).meta("f32[1,3]").values({0, 1, 2});
}
OP_TEST(Topk, OfANumberIsTheNumber) { expect(ops::topk(f32({}, {4}), 0).values).meta("f32[]").values({4}); }
OP_TEST(Kthvalue, CountsFromTheSmallest) {
  const ops::KthvalueResult r = ops::kthvalue(f32({2, 3}, {3, 1, 2, 5, 6, 4}), 2, 1, true);
  expect(r.values).meta("f32[2,1]").values({2, 5});
  expect(r.indices).meta("i64[2,1]").values({2, 0});
}
OP_TEST(Kthvalue, TakesTheDimOutOfAnArgumentThatHasIt) {
  const Tensor values = make("f32[1,2,3]{6,1,2}"), indices = make("i64[0]");
  call_op_all<"aten.kthvalue.values">(ramp("f32[4,2,3]"), int64_t(1), int64_t(0), false, values, indices);
  expect(values).meta("f32[2,3]{1,2}").values({0, 1, 2, 3, 4, 5});
  expect(indices).meta("i64[2,3]");
}
OP_TEST(Median, IsTheLowerOfTwoInTheMiddle) {
  expect(ops::median(f32({4}, {4, 1, 3, 2}))).meta("f32[]").values({2});
  const ops::MedianResult r = ops::median(f32({2, 3}, {3, 1, 2, 5, 6, 4}), 1);
  expect(r.values).meta("f32[2]").values({2, 5});
  expect(r.indices).meta("i64[2]").values({2, 0});
}
OP_TEST(Median, OfWhatHoldsNanIsNan) {
  expect(ops::median(f32({3}, {1, NAN, 2}))).values({NAN});
  expect(ops::nanmedian(f32({3}, {1, NAN, 2}))).values({1});
  expect(ops::nanmedian(f32({2, 2}, {1, NAN, NAN, NAN}), 1).values).values({1, NAN});
}
OP_TEST(Median, OfNothingIsNan) { expect(ops::median(f32({0}))).meta("f32[]").values({NAN}); }
OP_TEST(Mode, IsTheMostFrequentElement) {
  const ops::ModeResult r = ops::mode(i64({2, 4}, {1, 2, 2, 1, 3, 0, 3, 3}));
  expect(r.values).meta("i64[2]").values({1, 3});
  expect(r.indices).meta("i64[2]").values({3, 3});
}
OP_TEST(Searchsorted, CountsWhatStandsBefore) {
  const Tensor sequence = f32({4}, {1, 2, 2, 3});
  expect(ops::searchsorted(sequence, f32({3}, {0, 2, 9}))).meta("i64[3]").values({0, 1, 4});
  expect(ops::searchsorted(sequence, f32({3}, {0, 2, 9}), true, true)).meta("i32[3]").values({0, 3, 4});
}
OP_TEST(Searchsorted, LooksUpEachRowInItsOwnSequence) {
  expect(ops::searchsorted(f32({2, 2}, {1, 2, 5, 6}), f32({2, 1}, {2, 2}))).meta("i64[2,1]").values({1, 0});
}
TEST(SearchsortedOnCpu, RefusesASorterThatPointsOutside) {
  const auto search = [](double place) {
    call_op<"aten.searchsorted.Tensor">(f32({2}, {1, 2}), f32({1}, {1}), false, false, Value(), i64({2}, {0, place}));
  };
  search(1);
  EXPECT_THROW(search(2), Error);
}
TEST(Searchsorted, RefusesPositionsThatDoNotFitI32) {
  const Tensor wide = shape_only("f32[2147483647]{0}"), one = shape_only("f32[1]");
  expect_refused(
      [&] {
        rule_answer("aten.searchsorted.Tensor", {wide, one}, {{"out_int32", true}});
      },
      ErrorFamily::Runtime, "searchsorted.C5");
  expect_refused(
      [&] {
        rule_answer("aten.bucketize.Tensor", {one, wide}, {{"out_int32", true}});
      },
      ErrorFamily::Runtime, "bucketize.C5");
}
OP_TEST(Bucketize, ComparesInTheCommonDType) {
  expect(ops::bucketize(i64({2}, {1, 2}), f32({2}, {1.5, 2.5}))).meta("i64[2]").values({0, 1});
}
OP_TEST(Isin, TellsWhichElementsAreAmongOthers) {
  const Tensor few = f32({2}, {3, NAN}), many = ramp("f32[20]");
  expect(ops::isin(f32({3}, {3, NAN, 30}), few)).meta("bool[3]").values({1, 0, 0});
  expect(ops::isin(f32({3}, {3, NAN, 30}), many, false, true)).values({0, 1, 1});
}
OP_TEST(Isin, ComparesInTheDtypeThatHoldsBoth) {
  expect(ops::isin(f32({3}, {1, 2.5, 3}), i64({2}, {1, 3}))).values({1, 0, 1});
}

}  // namespace
}  // namespace ersatz
