// Reductions and scans on CUDA: the ways to distribute the work, and calls compared with the CPU.
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "kernels/reduction/device_scan.h"
#include "kernels/reduction/reduce_launch.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

constexpr int64_t kBusy = busy_threads(128);

TEST(ReduceLaunch, ManyOutputsOfFewElementsGetThreadEach) {
  const ReduceLaunch launch = choose_reduce_launch(1 << 20, 8, true, true, kBusy);
  EXPECT_EQ(launch.team, ReduceTeam::Thread);
  EXPECT_EQ(launch.pieces, 1);
}

TEST(ReduceLaunch, ShortRowsGetLanesAndLongOnesBlock) {
  const auto width = [](int64_t count, bool packets) {
    const ReduceLaunch launch = choose_reduce_launch(4096, count, true, packets, kBusy);
    EXPECT_EQ(launch.team, ReduceTeam::Lanes);
    return launch.width;
  };
  EXPECT_EQ(width(17, true), 2);
  EXPECT_EQ(width(64, true), 4);
  EXPECT_EQ(width(65, true), 8);
  EXPECT_EQ(width(512, true), 32);
  EXPECT_EQ(width(1024, true), 32);
  EXPECT_EQ(width(17, false), 32);
  const ReduceLaunch launch = choose_reduce_launch(4096, 8192, true, true, kBusy);
  EXPECT_EQ(launch.team, ReduceTeam::Block);
  EXPECT_EQ(launch.threads, 256);
  EXPECT_EQ(launch.width, 256);
  EXPECT_EQ(launch.pieces, 1);
  EXPECT_EQ(choose_reduce_launch(4096, 8193, true, true, kBusy).width, 512);
  EXPECT_EQ(choose_reduce_launch(16, 8192, true, true, kBusy).width, 512);  // few rows: all threads work on each
}

TEST(ReduceLaunch, FewLongRowsAreCutIntoPieces) {
  const ReduceLaunch launch = choose_reduce_launch(1, int64_t(1) << 30, true, true, kBusy);
  EXPECT_EQ(launch.team, ReduceTeam::Block);
  EXPECT_EQ(launch.pieces, 256);
  EXPECT_EQ(choose_reduce_launch(1, 16384, true, true, kBusy).pieces, 2);
  EXPECT_EQ(choose_reduce_launch(1, 16383, true, true, kBusy).pieces, 1);
}

TEST(ReduceLaunch, ColumnsGetThreadEachAndFewColumnsSeveral) {
  EXPECT_EQ(choose_reduce_launch(1 << 18, 4096, false, false, kBusy).pieces, 1);
  const ReduceLaunch launch = choose_reduce_launch(64, 1 << 20, false, false, kBusy);
  EXPECT_EQ(launch.team, ReduceTeam::Thread);
  EXPECT_EQ(launch.pieces, 2048);
  EXPECT_EQ(choose_reduce_launch(1, int64_t(1) << 40, false, false, kBusy).pieces, kMostPieces);
}

TEST(ReduceLaunch, WorkIsCutByTheNumberOfMultiprocessors) {
  const auto pieces = [](int multiprocessors) {
    return choose_reduce_launch(1, int64_t(1) << 30, true, true, busy_threads(multiprocessors)).pieces;
  };
  EXPECT_EQ(pieces(2), 4);
  EXPECT_EQ(pieces(108), 216);
  EXPECT_EQ(pieces(132), 264);
  EXPECT_EQ(choose_reduce_launch(64, 1 << 20, false, false, busy_threads(132)).pieces, 2112);
  EXPECT_EQ(choose_scan_launch(4, 1 << 20, 1, busy_threads(64)).chunks, 64);
}

TEST(ReduceLaunch, NothingIsOnePiece) {
  EXPECT_EQ(choose_reduce_launch(0, 5, true, true, kBusy).pieces, 1);
  EXPECT_EQ(choose_reduce_launch(5, 0, false, false, kBusy).pieces, 1);
}

TEST(ScanLaunch, ColumnsGetThreadsAndRowsBlocks) {
  EXPECT_TRUE(choose_scan_launch(2, 1000, 64, kBusy).by_threads);
  EXPECT_TRUE(choose_scan_launch(100000, 8, 1, kBusy).by_threads);
  const ScanLaunch launch = choose_scan_launch(4, 1 << 20, 1, kBusy);
  EXPECT_FALSE(launch.by_threads);
  EXPECT_EQ(launch.chunks, 128);
  EXPECT_EQ(choose_scan_launch(4096, 2048, 1, kBusy).chunks, 1);
}

TEST(Reduction, EverythingInTwoLaunches) {
  expect_agree("aten.sum.default", "f32[300,700]", 0, 2);
  expect_agree("aten.sum.default", "bool[70000]");
  expect_agree("aten.mean.default", "f16[40000]", 0, 1);
  expect_agree("aten.prod.default", "f32[40000]", 0.999, 1.001);
  expect_agree("aten.max.default", "f32[40000]");
  expect_agree("aten.any.default", "i16[70000]");
  expect_agree("aten.var_mean.correction", "f32[70000]", 100, 101);
  expect_agree("aten.linalg_vector_norm.default", "c64[40000]");
  expect_agree("aten.logsumexp.default", "f32[40000], [0]");
  expect_agree("aten.argmax.default", "f32[200,400]");
  expect_agree("aten.argmin.default", "i8[70000]");
  expect_agree("aten.count_nonzero.default", "i64[70000]", -1, 1);
}

TEST(Reduction, RowsAreReadInPacksOrNot) {
  for (const char* in : {"f16[70001]", "i8[70001]", "f32[70001]", "f32[70000]{1}+1", "bf16[3,2048]", "f16[3,2052]",
                         "u8[5,4097]{4112,1}", "f32[5,4100]{4100,1}+4", "f64[5,4100]"}) {
    expect_agree("aten.sum.dim_IntList", std::string(in) + ", [-1]", 0, 2);
    expect_agree("aten.argmax.default", in);
    expect_agree("aten.min.dim", std::string(in) + ", -1");
  }
}

TEST(Reduction, RowsOfEveryLength) {
  for (const char* width : {"1", "3", "16", "17", "32", "100", "1024", "1025", "5000"}) {
    const std::string rows = std::string("f32[5,") + width + "]";
    expect_agree("aten.sum.dim_IntList", rows + ", [1]", 0, 2);  // nonnegative, so sums do not cancel
    expect_agree("aten.amin.default", rows + ", [-1], True");
    expect_agree("aten.max.dim", rows + ", 1");
    expect_agree("aten.var.correction", rows + ", [1], correction=0");
    expect_agree("aten.logsumexp.default", rows + ", [1]");
  }
}

TEST(Reduction, ColumnsAndFewLongColumns) {
  expect_agree("aten.sum.dim_IntList", "f32[100,300], [0]", 0, 2);
  expect_agree("aten.sum.dim_IntList", "bf16[5000,3], [0]", 0, 2);
  expect_agree("aten.mean.dim", "f64[6,400,5], [0, 1]");
  expect_agree("aten.min.dim", "f32[9000,2], 0");
  expect_agree("aten.argmax.default", "f16[3,700,5], 1");
  expect_agree("aten.var.correction", "f32[2000,3], [0]");
}

TEST(Reduction, ColumnsThatOneThreadTakesInFours) {
  // The columns of the last three cannot be read in fours, because the address, a stride or the number of columns is no
  // multiple of four.
  for (const char* in : {"[3000,8]", "[70,1024]", "[9,5,12]{96,16,1}", "[7,6,4]{4,28,1}", "[40,8]{8,1}+4",
                         "[40,8]{8,1}+2", "[40,8]{9,1}", "[40,6]"}) {
    for (const char* dtype : {"f32", "f16", "bf16", "i8", "i64"}) {
      const std::string arguments = std::string(dtype) + in + ", [0]";
      expect_agree("aten.sum.dim_IntList", arguments, 0, 2);
      expect_agree("aten.amin.default", arguments);
      expect_agree("aten.any.dims", arguments);
    }
    expect_agree("aten.linalg_vector_norm.default", "f32" + std::string(in) + ", 2, [0]");
  }
  expect_agree("aten.argmax.default", "f32[500,16], 0");
  expect_agree("aten.sum.dim_IntList", "f32[3,200,2,8]{3200,16,8,1}, [0, 1]", 0, 2);
}

TEST(Reduction, StridedBroadcastAndChannelsLastInputs) {
  for (const char* in : {"f32[4,6,5,7]{210,1,42,6}", "f32[4,6,5,7]{1,4,24,120}", "f32[4,6,5,7]{0,7,42,1}",
                         "f32[4,6,5,7]{420,70,14,2}", "f32[4,6,5,7]{0,0,0,0}"}) {
    for (const char* dims : {"[0]", "[1]", "[3]", "[0, 2, 3]", "[1, 3]", "[0, 1, 2, 3]"}) {
      const std::string arguments = std::string(in) + ", " + dims;
      expect_agree("aten.sum.dim_IntList", arguments);
      expect_agree("aten.amax.default", arguments);
      expect_agree("aten.std.dim", arguments);
    }
    expect_agree("aten.argmin.default", in);
    expect_agree("aten.max.dim", std::string(in) + ", 2");
    expect_agree("aten.cumsum.default", std::string(in) + ", 1");
  }
}

TEST(Reduction, MoreDimsThanTheTablesHold) {
  const std::string in = "f32[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]";
  expect_agree("aten.sum.dim_IntList", in + ", [0, 2, 4, 6, 8, 10, 12, 14, 16]", 0, 2);
  expect_agree("aten.amax.default", in + ", [1, 3, 5, 7, 9, 11, 13, 15, 17], True");
}

TEST(Reduction, OfNothing) {
  expect_agree("aten.sum.default", "f32[0]");
  expect_agree("aten.sum.dim_IntList", "f32[0,3], [0]");
  expect_agree("aten.sum.dim_IntList", "f32[0,3], [1]");
  expect_agree("aten.mean.dim", "f32[2,0], [1]");
  expect_agree("aten.prod.default", "i32[0]");
  expect_agree("aten.all.default", "bool[0]");
  expect_agree("aten.any.dim", "f32[3,0], 1");
  expect_agree("aten.var.correction", "f32[3,0], [1]");
  expect_agree("aten.var_mean.default", "c64[0,5], False");
  expect_agree("aten.logsumexp.default", "f32[3,0], [1]");
  expect_agree("aten.linalg_vector_norm.default", "f32[3,0], 2, [1]");
  expect_agree("aten.cumsum.default", "f32[0,3], 0");
  expect_agree("aten.cumsum_.default", "bool[0,3], 0");
  expect_agree("aten.cumprod_.default", "bool[], 0");
  expect_agree("aten._softmax.default", "f32[0,3], 1, False");
}

constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

/// Compares the call with these elements as its first argument.
void expect_agree_on(const std::string& op, DType dtype, std::span<const double> elements,
                     std::span<const SymInt> sizes, const std::string& rest) {
  const OpEntry& entry = op_named(op);
  std::string literal = std::string(name(dtype)) + "[";
  for (size_t d = 0; d < sizes.size(); ++d) literal += (d > 0 ? "," : "") + std::to_string(sizes[d].as_int());
  std::vector<Value> args = sample_arguments(entry, literal + "]" + rest, 0, 1);
  args[0] = Value(tensor_from_values(dtype, elements, sizes));
  std::string what = op + rest + " of";
  for (double v : elements) what += " " + std::to_string(v);
  expect_agree(entry, args, what);
}

TEST(Reduction, NaNsAndInfinities) {
  const std::vector<double> cases[] = {{1, kNan, 3, kNan, 2},
                                       {kInf, -kInf, 2, kInf},
                                       {-kInf, -kInf, -kInf},
                                       {kInf, 1, 2},
                                       {-kInf, kNan, kInf, 0},
                                       {kNan, kNan},
                                       {-0.0, 0},
                                       {-kInf, -kInf, 1}};
  for (const auto& elements : cases) {
    const SymInt n[] = {static_cast<int64_t>(elements.size())};
    for (DType t : {DType::F32, DType::BF16, DType::F64}) {
      for (const char* op : {"aten.sum.default", "aten.nansum.default", "aten.max.default", "aten.min.default",
                             "aten.argmax.default", "aten.argmin.default", "aten.any.default", "aten.var.default",
                             "aten.linalg_vector_norm.default", "aten.count_nonzero.default", "aten.aminmax.default"}) {
        expect_agree_on(op, t, elements, n, "");
      }
      for (const char* op :
           {"aten.max.dim", "aten.min.dim", "aten.cummax.default", "aten.cummin.default", "aten.cumsum.default",
            "aten.logcumsumexp.default", "aten.softmax.int", "aten.log_softmax.int", "aten._safe_softmax.default"}) {
        expect_agree_on(op, t, elements, n, ", 0");
      }
      expect_agree_on("aten.logsumexp.default", t, elements, n, ", [0]");
      expect_agree_on("aten.linalg_vector_norm.default", t, elements, n, ", inf");
      expect_agree_on("aten.nansum.default", t, elements, n, ", dtype=f32");
    }
  }
}

TEST(Reduction, TheFirstOfEqualExtremaIsFound) {
  expect_agree("aten.argmax.default", "i32[3000]", 0, 2);
  expect_agree("aten.argmin.default", "f32[64,40]", 3, 3);
  expect_agree("aten.max.dim", "u8[40,2000], 1", 0, 2);
  expect_agree("aten.min.dim", "bool[700,3], 0");
  expect_agree("aten.cummax.default", "i64[3,900], 1", 0, 2);
  expect_agree("aten.cummin.default", "bool[900], 0");
}

TEST(Reduction, ResultsGoToStridedOutputs) {
  expect_agree("aten.sum.IntList_out", "f32[3,4,5], [1], out=f32[3,5]{1,3}");
  expect_agree("aten.amax.out", "f32[3,400,5], [1], out=f32[3,5]{10,2}");
  expect_agree("aten.max.dim_max", "f32[3,4,5], 0, max=f32[4,5]{1,4}, max_values=i64[4,5]{10,2}");
  expect_agree("aten.std.out", "f32[3,40], [1], out=f64[3]{2}");
  expect_agree("aten.logsumexp.out", "c64[3,4], [1], out=f32[3]{2}", 0.5, 1);
  expect_agree("aten.cumsum.out", "f32[3,4], 1, out=f32[3,4]{1,3}");
  expect_agree("aten._softmax.out", "f32[3,4], 1, False, out=f32[3,4]{1,3}");
}

TEST(Reduction, OtherDtypesThanTheInputs) {
  expect_agree("aten.sum.default", "f32[3000], dtype=i8", -100, 100);
  expect_agree("aten.sum.dim_IntList", "i32[3,4], [1], dtype=f64");
  expect_agree("aten.sum.dim_IntList", "f16[30,40], [1], dtype=f32");
  expect_agree("aten.nansum.default", "f32[3000], dtype=i16", -100, 100);
  expect_agree("aten.prod.default", "u8[9]", 1, 3);
  expect_agree("aten.cumprod.default", "f32[5], 0, dtype=i32", 1, 3);
  expect_agree("aten.softmax.int", "f16[3,4], 1, f32");
  expect_agree("aten.sum.IntList_out", "f32[5,2,3], [0, 2], True, out=i64[1,2,1]");
  expect_agree("aten.prod.int_out", "c64[2], 0, True, out=f64[1]");
  expect_agree("aten.cumprod.out", "f32[5,5,5]{50,5,1}+25, 2, out=i64[5,5,5]");
  expect_agree("aten.cummin.default", "c128[], 0");
}

TEST(Scan, RowsColumnsAndChunks) {
  for (const char* in : {"f32[20000]", "i16[20000]", "c64[20000]", "bf16[3,300]", "f64[2,300,3]", "f32[3,2,4]",
                         "f32[400,40]", "f16[3,200,50]"}) {
    const std::string x = in;
    expect_agree("aten.cumsum.default", x + ", -1");
    expect_agree("aten.cumsum.default", x + ", 0");
    if (x[0] != 'c') expect_agree("aten.cumprod.default", x + ", -1", 0.99, 1.01);
  }
  for (const char* in : {"f32[20000]", "i8[3,300]", "bf16[2,300,3]", "f64[400,40]"}) {
    expect_agree("aten.cummax.default", std::string(in) + ", 0");
    expect_agree("aten.cummin.default", std::string(in) + ", -1");
  }
  expect_agree("aten.cumprod.default", "c64[3,2000], 1", 0.70, 0.71);
  expect_agree("aten.logcumsumexp.default", "f32[20000], 0");
  expect_agree("aten.logcumsumexp.default", "c128[3,300], 1");
  expect_agree("aten.logcumsumexp.default", "f16[400,40], 0");
}

TEST(Softmax, RowsAndColumnsOfEveryLength) {
  for (const char* in :
       {"f32[4,5]", "f32[4,100]", "f16[3,1500]", "bf16[2,3000]", "f64[70,40]", "f32[3,2000,2]", "f32[2,50,60]"}) {
    for (const char* dim : {", 0", ", 1"}) {
      expect_agree("aten.softmax.int", std::string(in) + dim, -20, 20);
      expect_agree("aten.log_softmax.int", std::string(in) + dim, -20, 20);
      expect_agree("aten._safe_softmax.default", std::string(in) + dim, -20, 20);
    }
  }
}

TEST(Softmax, ColumnsThatOneThreadOrSeveralTake) {
  for (const char* in : {"f32[3,7,2]", "f32[1,15,3]", "f32[2,16,3]", "f16[5,130,2]", "bf16[2,700,17]", "f64[2,40,33]",
                         "f32[1,5000,2]", "f32[3,33,70]", "f32[1,12,300]", "f64[1,4100,5]"}) {
    expect_agree("aten.softmax.int", std::string(in) + ", 1", -20, 20);
    expect_agree("aten.log_softmax.int", std::string(in) + ", 1", -20, 20);
  }
}

TEST(Softmax, NaNsAndHiddenColumns) {
  for (int64_t n : {3, 70, 2000}) {
    std::vector<double> elements(4 * n, 0.25);
    for (int64_t i = 0; i < n; ++i) elements[4 * i] = elements[4 * i + 1] = -kInf;
    elements[4 * (n - 1) + 1] = kNan;
    elements[4 * (n / 2) + 2] = kInf;
    const SymInt sizes[] = {n, 4};
    for (const char* op : {"aten.softmax.int", "aten.log_softmax.int", "aten._safe_softmax.default"}) {
      expect_agree_on(op, DType::F32, elements, sizes, ", 0");
    }
  }
}

/// Returns the metadata of 3 rows of n elements, which are aligned, or off by one element.
std::string rows_of(const std::string& dtype, int64_t n, bool off) {
  const std::string width = std::to_string(n);
  return dtype + "[3," + width + "]" + (off ? "{" + width + ",1}+1" : "");
}

TEST(Softmax, RowsOfEveryLengthAtEveryAddress) {
  std::vector<int64_t> lengths(71);
  std::iota(lengths.begin(), lengths.end(), 0);
  for (int64_t n : {127, 128, 129, 255, 257, 506, 512, 1022, 1030, 2049, 8185, 8200, 16378, 16384, 16400, 20001}) {
    lengths.push_back(n);
  }
  for (int64_t n : lengths) {
    for (const char* dtype : {"f32", "f64", "f16", "bf16"}) {
      for (bool off : {false, true}) {
        expect_agree("aten.softmax.int", rows_of(dtype, n, off) + ", -1", -20, 20);
        if (n % 5 == 0) expect_agree("aten.log_softmax.int", rows_of(dtype, n, off) + ", -1", -20, 20);
      }
    }
  }
}

TEST(Softmax, NaNsAndInfinitiesAnywhereInARow) {
  for (int64_t n : {9, 70, 513, 17000}) {
    for (double odd : {kNan, kInf, -kInf}) {
      for (int64_t at : {int64_t(0), n / 2, n - 1}) {
        std::vector<double> elements(2 * n, 0.5);
        elements[at] = odd;
        std::fill(elements.begin() + n, elements.end(), -kInf);
        if (at == 0) elements[n + 3] = kNan;
        const SymInt sizes[] = {2, n};
        for (DType t : {DType::F32, DType::F16, DType::F64}) {
          for (const char* op : {"aten.softmax.int", "aten.log_softmax.int", "aten._safe_softmax.default"}) {
            expect_agree_on(op, t, elements, sizes, ", 1");
          }
        }
      }
    }
  }
}

TEST(Reduction, RowsOfEveryLengthAtEveryAddress) {
  std::vector<int64_t> lengths(71);
  std::iota(lengths.begin(), lengths.end(), 0);
  for (int64_t n : {127, 128, 129, 1023, 1024, 1025, 1040, 2047, 4097, 8200, 16385, 33001}) lengths.push_back(n);
  for (int64_t n : lengths) {
    for (const char* dtype : {"f32", "f64", "f16", "bf16", "u8", "i16", "i32", "i64", "c64", "c128"}) {
      for (bool off : {false, true}) {
        const std::string rows = rows_of(dtype, n, off);
        expect_agree("aten.sum.dim_IntList", rows + ", [-1]", 0, 2);
        if (n == 0 || dtype[0] == 'c' || n % 4 == 2) continue;
        expect_agree("aten.max.dim", rows + ", -1");
      }
    }
  }
}

TEST(Reduction, OfSeveralRowsForAnOutput) {
  for (const char* in : {"f32[5,3,64]", "f16[5,3,8,16]", "f32[5,3,60]+4", "f32[5,3,60]+1", "f32[5,3,61]", "u8[70,2,32]",
                         "f64[400,2,6]", "i64[5,3,50]{400,100,1}", "bf16[300,2,72]", "c64[40,3,30]"}) {
    expect_agree("aten.sum.dim_IntList", std::string(in) + ", [0, -1]", 0, 2);
  }
  expect_agree("aten.var_mean.correction", "f32[300,3,72], [0, 2]", 100, 101);
  expect_agree("aten.amax.default", "bf16[300,3,72], [0, 2]");
}

TEST(Softmax, HiddenRowIsZeroOnlyWhereAskedFor) {
  const double elements[] = {-kInf, -kInf, 0, -kInf, kNan, -kInf};
  const SymInt sizes[] = {3, 2};
  for (const char* dim : {", 0", ", 1"}) {
    for (const char* op : {"aten._safe_softmax.default", "aten.softmax.int", "aten.log_softmax.int"}) {
      expect_agree_on(op, DType::F32, elements, sizes, dim);
    }
  }
}

}  // namespace
}  // namespace ersatz
