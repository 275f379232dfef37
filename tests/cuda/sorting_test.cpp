// Sorting, selection and lookup on CUDA, compared with the CPU. If the CPU leaves the order of equal elements open, the
// expected order is that of CUDA's kernels: by position.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
Tensor vector_of(DType dtype, std::initializer_list<double> values) {
  const SymInt size[] = {static_cast<int64_t>(values.size())};
  return tensor_from_values(dtype, {values.begin(), values.size()}, size);
}
void expect_agree_with(std::string_view op, std::initializer_list<Value> args) {
  expect_agree(op_named(op), {args.begin(), args.size()}, std::string(op));
}
/// Returns the numbers of one result of a call on cuda:0.
std::vector<double> on_cuda(std::string_view op, std::initializer_list<Value> args, size_t result) {
  const OpEntry& entry = op_named(op);
  const std::vector<Value> moved = arguments_on(cuda(0), {args.begin(), args.size()});
  Values results;
  dispatch(entry, moved, results);
  const Tensor t = tensor_on(kCPU, results[result].tensor());
  const Tensor wide = make_real_tensor(TensorMeta(DType::F64, t.sizes()));
  copy_elements(wide, t);
  const size_t n = static_cast<size_t>(t.numel().as_int());
  return n == 0 ? std::vector<double>() : std::vector<double>(wide.data<double>(), wide.data<double>() + n);
}

TEST(CudaSorting, rows_of_every_dtype_are_sorted_stably) {
  for (const char* descending : {"False", "True"}) {
    const std::string rest = std::string(", stable=True, dim=1, descending=") + descending;
    expect_agree_for(kReals, "aten.sort.stable", "*[3,70,2]" + rest, 0, 9);
    expect_agree("aten.sort.stable", "bool[3,70,2]" + rest);
    expect_agree("aten.sort.stable", "f32[3,70,2]{1,6,3}" + rest);
  }
  expect_agree("aten.sort.values_stable",
               "f32[5,6], stable=True, dim=0, descending=False, values=f32[5,6]{1,5}, "
               "indices=i64[5,6]{7,1}");
}

TEST(CudaSorting, many_elements_and_many_rows_are_sorted) {
  expect_agree("aten.sort.stable", "f32[20000], stable=True");
  expect_agree("aten.sort.stable", "i64[5000], stable=True, descending=True", 0, 99);
  expect_agree("aten.sort.stable", "f64[3000,3], stable=True");
  expect_agree("aten.sort.stable", "i64[3,900], stable=True, dim=0", 0, 1);
  expect_agree("aten.sort.stable", "i16[3000,5], stable=True", 0, 3);
  expect_agree("aten.sort.default", "f32[2000]");
}

TEST(CudaSorting, empty_and_dimless_tensors_agree) {
  expect_agree("aten.sort.default", "f32[0]");
  expect_agree("aten.sort.default", "f32[3,0]");
  expect_agree("aten.sort.default", "f32[]");
  expect_agree("aten.topk.default", "f32[3,4], 0");
  expect_agree("aten.topk.default", "f32[], 1");
  expect_agree("aten.kthvalue.default", "f32[], 1");
  expect_agree("aten.kthvalue.default", "c64[], 1");
  expect_agree("aten.median.default", "f32[]");
  expect_agree("aten.median.default", "f32[0]");
  expect_agree("aten.median.dim", "f32[], 0");
  expect_agree("aten.mode.default", "f32[]");
  expect_agree("aten._unique2.default", "f32[0], True, True, True");
  expect_agree("aten._unique2.default", "i64[], True, True, True");
  expect_agree("aten.unique_dim.default", "f32[0,3], 0, True, True, True");
  expect_agree("aten.searchsorted.Tensor", "f32[0], f32[3]");
  expect_agree("aten.searchsorted.Scalar", "f32[4], 1");
  expect_agree("aten.isin.Tensor_Tensor", "f32[3], f32[0], invert=True");
  expect_agree("aten.repeat_interleave.Tensor", "i64[0]");
}

TEST(CudaSorting, nans_are_last_and_signed_zeros_equal) {
  for (DType dtype : {DType::F16, DType::BF16, DType::F32, DType::F64}) {
    const Tensor t = vector_of(dtype, {0.0, kNan, -kInf, 1.5, -0.0, -kNan, kInf, -1.5, 0.0, kNan});
    for (bool descending : {false, true}) expect_agree_with("aten.sort.stable", {t, true, int64_t(0), descending});
    EXPECT_EQ(on_cuda("aten.sort.stable", {t, true, int64_t(0), false}, 1),
              (std::vector<double>{2, 7, 0, 4, 8, 3, 6, 1, 5, 9}));
    expect_agree_with("aten.median.dim", {t, int64_t(0), false});
    expect_agree_with("aten.nanmedian.dim", {t, int64_t(0), false});
    expect_agree_with("aten.median.default", {t});
    expect_agree_with("aten.nanmedian.default", {t});
    expect_agree_with("aten.searchsorted.Tensor", {vector_of(dtype, {-1, 0, 1}), t, false, false, Value(), Value()});
    expect_agree_with("aten.isin.Tensor_Tensor", {t, vector_of(dtype, {kNan, 0, 1.5}), false, false});
    expect_agree_with("aten.isin.Tensor_Tensor",
                      {t, vector_of(dtype, {kNan, 0, 1.5, 2, 3, 4, 5, 6, 7, 8, kInf}), false, false});
    expect_agree_with("aten._unique2.default", {t, true, true, true});
    expect_agree_with("aten.unique_consecutive.default", {t, true, true, Value()});
  }
  const Tensor nans = vector_of(DType::F32, {kNan, kNan, kNan, kNan});
  expect_agree_with("aten.nanmedian.dim", {nans, int64_t(0), false});
  expect_agree_with("aten.median.dim", {nans, int64_t(0), true});
}

TEST(CudaSorting, of_equal_elements_the_first_are_taken) {
  const Tensor t = vector_of(DType::I32, {3, 1, 3, 2, 3, 1, 2, 3, 1, 1, 3, 2, 2, 3, 1, 3, 2, 1, 3, 2});
  EXPECT_EQ(on_cuda("aten.topk.default", {t, int64_t(3), int64_t(-1), true, true}, 1), (std::vector<double>{0, 2, 4}));
  EXPECT_EQ(on_cuda("aten.topk.default", {t, int64_t(3), int64_t(-1), false, false}, 1),
            (std::vector<double>{1, 5, 8}));
  EXPECT_EQ(on_cuda("aten.kthvalue.default", {t, int64_t(7), int64_t(-1), false}, 1), (std::vector<double>{3}));
  EXPECT_EQ(on_cuda("aten.kthvalue.default", {t, int64_t(7), int64_t(-1), false}, 0), (std::vector<double>{2}));
  EXPECT_EQ(on_cuda("aten.sort.default", {t, int64_t(0), false}, 1),
            (std::vector<double>{1, 5, 8, 9, 14, 17, 3, 6, 11, 12, 16, 19, 0, 2, 4, 7, 10, 13, 15, 18}));
  EXPECT_EQ(on_cuda("aten.mode.default", {t, int64_t(0), false}, 0), (std::vector<double>{3}));
  EXPECT_EQ(on_cuda("aten.mode.default", {t, int64_t(0), false}, 1), (std::vector<double>{18}));
}

TEST(CudaSorting, selections_of_rows_agree) {
  expect_agree("aten.topk.default", "f32[7,300,3], 5, 1");
  expect_agree("aten.topk.default", "f64[7,300], 290, -1, False");
  expect_agree("aten.topk.values", "f32[5,30], 4, values=f32[5,4]{1,5}, indices=i64[5,4]{1,5}");
  expect_agree("aten.kthvalue.default", "f32[7,300,3], 120, 1, True");
  expect_agree("aten.kthvalue.values", "f32[7,30], 5, 0, values=f32[30]{2}, indices=i64[30]{3}");
  expect_agree_for(kReals, "aten.median.dim", "*[5,31,3], 1", 0, 9);
  expect_agree_for(kReals, "aten.nanmedian.default", "*[5,31,3]", 0, 99);
  expect_agree_for(kReals, "aten.mode.default", "*[5,16,3], 1", 0, 5);
  expect_agree("aten.mode.default", "bool[5,16], 1, True");
}

TEST(CudaSorting, long_rows_are_selected_from_without_sorting) {
  expect_agree("aten.topk.default", "f32[18,3000], 40");
  expect_agree("aten.topk.default", "f64[1500,3], 300, 0, False");
  expect_agree("aten.topk.default", "f64[2,3,1500]{4500,1,3}, 1");
  expect_agree("aten.kthvalue.default", "f64[3000,2]{1,3000}, 2999, 0, True");
  expect_agree("aten.kthvalue.default", "f32[2,3000], 1");
  expect_agree_for(kReals, "aten.median.dim", "*[3,2000], 1", 0, 99);
  expect_agree_for(kReals, "aten.nanmedian.default", "*[70,30]", 0, 99);
  for (DType dtype : {DType::U8, DType::I16, DType::BF16, DType::I64, DType::F64}) {
    std::vector<double> values;
    for (int i = 0; i < 1 << 12; ++i) values.push_back(i * 37 % 101);
    const SymInt sizes[] = {2, 1 << 11};
    const Tensor t = tensor_from_values(dtype, values, sizes);
    const std::vector<double> order = on_cuda("aten.sort.stable", {t, true, int64_t(1), false}, 1);
    for (int64_t k : {1, 100, 512}) {
      std::vector<double> first;
      for (int64_t row : {0, 1}) {
        first.insert(first.end(), order.begin() + row * 2048, order.begin() + row * 2048 + k);
      }
      EXPECT_EQ(on_cuda("aten.topk.default", {t, k, int64_t(1), false, true}, 1), first) << name(dtype) << " " << k;
      EXPECT_EQ(on_cuda("aten.kthvalue.default", {t, k, int64_t(1), false}, 1),
                (std::vector<double>{order[size_t(k - 1)], order[size_t(2048 + k - 1)]}));
    }
  }
}

/// Compares kthvalue of one row at some ranks with a stable sort: value and position.
void expect_ranks(DType dtype, const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  const auto n = static_cast<int64_t>(values.size());
  const SymInt size[] = {n};
  const Tensor row = tensor_from_values(dtype, values, size);
  for (const int64_t k : {int64_t(1), int64_t(2), n / 2, n - 1, n}) {
    const size_t place = order[static_cast<size_t>(k - 1)];
    const std::initializer_list<Value> args{row, k, int64_t(0), false};
    EXPECT_EQ(on_cuda("aten.kthvalue.default", args, 0), (std::vector<double>{values[place]})) << name(dtype) << k;
    EXPECT_EQ(on_cuda("aten.kthvalue.default", args, 1), (std::vector<double>{double(place)})) << name(dtype) << k;
  }
}

TEST(CudaSorting, rank_is_found_whichever_digits_keys_have) {
  constexpr int kElements = 3000;
  const auto each = [](auto of) {
    std::vector<double> values;
    for (int i = 0; i < kElements; ++i) values.push_back(of(i));
    return values;
  };
  expect_ranks(DType::U8, each([](int i) { return i * 7 % 256; }));  // every value of a digit occurs
  expect_ranks(DType::U8, each([](int) { return 255; }));            // only the last value of a digit occurs
  expect_ranks(DType::U8, each([](int) { return 0; }));              // only the first value of a digit occurs
  expect_ranks(DType::U8, each([](int i) { return i == 1700 ? 0 : 255; }));
  expect_ranks(DType::U8, each([](int i) { return i == 1700 ? 255 : 0; }));
  expect_ranks(DType::I16, each([](int i) { return i % 8 * 8 + 7; }));  // only the last of each eight numbers
  expect_ranks(DType::I16, each([](int i) { return -32768 + i; }));
  expect_ranks(DType::I64, each([](int) { return double(INT64_MAX - 1023); }));
  expect_ranks(DType::F64, each([](int i) { return i % 2 == 0 ? kInf : -kInf; }));
}

TEST(CudaSorting, median_of_long_row_knows_its_nans) {
  for (int nans : {1, 1000, 1999, 2000}) {
    std::vector<double> values;
    for (int i = 0; i < 2000; ++i) values.push_back(i * 7 % 2000 < nans ? kNan : i % 50);
    const SymInt size[] = {2000};
    for (DType dtype : {DType::F16, DType::F32, DType::F64}) {
      const Tensor t = tensor_from_values(dtype, values, size);
      expect_agree_with("aten.median.dim", {t, int64_t(0), false});
      expect_agree_with("aten.nanmedian.dim", {t, int64_t(0), false});
    }
  }
}

TEST(CudaSorting, all_threads_find_the_mode_of_long_rows) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i % 97);
  values.insert(values.end(), {41, 41, 12, 12});
  const SymInt size[] = {1004};
  const Tensor t = tensor_from_values(DType::I64, values, size);
  EXPECT_EQ(on_cuda("aten.mode.default", {t, int64_t(0), false}, 0), (std::vector<double>{12}));
  EXPECT_EQ(on_cuda("aten.mode.default", {t, int64_t(0), false}, 1), (std::vector<double>{1003}));
}

TEST(CudaSorting, different_elements_and_slices_agree) {
  expect_agree_for(kReals, "aten._unique2.default", "*[40,50], True, True, True", 0, 99);
  expect_agree("aten._unique2.default", "bool[4,5]{1,4}, True, True, True");
  expect_agree("aten._unique2.default", "f32[30]{2}, True, False, False", 0, 3);
  expect_agree("aten._unique.default", "i64[300], True, True", 0, 20);
  expect_agree_for(kReals, "aten.unique_dim.default", "*[300,2], 0, True, True, True", 0, 3);
  expect_agree("aten.unique_dim.default", "i64[2,300,2]{1,2,600}, 1, True, True, True", 0, 1);
  expect_agree_for(kReals, "aten.unique_consecutive.default", "*[900], True, True", 0, 1);
  expect_agree("aten.unique_consecutive.default", "i32[2,90]{1,2}, True, True, 1", 0, 1);
  expect_agree("aten.unique_consecutive.default", "i32[90], True, True, -1", 0, 1);
  expect_agree("aten.unique_dim.out", "i64[60,2], 0, out0=i64[0], out1=i64[0], out2=i64[0]", 0, 1);
}

TEST(CudaSorting, numbers_are_looked_up) {
  expect_agree_for(kReals, "aten.isin.Tensor_Tensor", "*[40,50], *[30]", 0, 99);
  expect_agree_for(kReals, "aten.isin.Tensor_Tensor", "*[40,50]{1,40}, *[5]{3}, invert=True", 0, 9);
  expect_agree("aten.isin.Tensor_Tensor", "i32[300], f64[20]", 0, 9);
  for (DType dtype :
       {DType::U8, DType::I8, DType::I16, DType::I32, DType::I64, DType::F16, DType::BF16, DType::F32, DType::F64}) {
    const Tensor sequence = vector_of(dtype, {1, 2, 2, 5, 9, 9, 12}),
                 numbers = vector_of(dtype, {0, 1, 2, 3, 9, 12, 13});
    for (bool right : {false, true}) {
      expect_agree_with("aten.searchsorted.Tensor", {sequence, numbers, true, right, Value(), Value()});
      expect_agree_with("aten.bucketize.Tensor", {numbers, sequence, false, right});
    }
  }
  expect_agree("aten.searchsorted.Tensor", "f32[2,4], f64[2,3]{1,2}, sorter=i64[2,4]{1,2}", 0, 3);
  expect_agree("aten.searchsorted.Tensor", "f32[2,4], f64[2,3], sorter=i64[2,4]", 0, 4);
  expect_agree("aten.searchsorted.Tensor", "f32[2,4], f64[2,3], sorter=i64[2,4]", -1, 3);
  expect_agree("aten.bucketize.Scalar", "2.5, i64[4], right=True", 0, 4);
}

TEST(CudaSorting, repeats_agree_and_are_refused_alike) {
  expect_agree("aten.repeat_interleave.Tensor", "i64[3000]", 0, 9);
  expect_agree("aten.repeat_interleave.Tensor", "i16[30]{2}, output_size=999", 0, 9);
  expect_agree("aten.repeat_interleave.Tensor", "i32[30]", -1, 9);
  expect_agree("aten.repeat_interleave.Tensor_out", "i64[30], out=i64[0]", 0, 9);
  expect_agree("aten.repeat_interleave.self_Tensor", "f32[2,3], i64[3], 1", 0, 3);
  const Tensor huge = make_real_tensor(TensorMeta(DType::I64, vector_of(DType::I64, {1, 2, 3}).sizes()));
  for (int i = 0; i < 3; ++i) huge.data<int64_t>()[i] = INT64_MAX / 2;
  expect_agree_with("aten.repeat_interleave.Tensor", {huge, Value()});
}

}  // namespace
}  // namespace ersatz
