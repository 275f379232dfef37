// Segment reductions on a CUDA device: segments of each length, reduced by a thread, a warp or a block.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "runtime/op/value_checks.h"
#include "runtime/op/write_count.h"
#include "runtime/tensor/cuda_module.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

constexpr const char* kReductions[] = {"sum", "mean", "prod", "max", "min"};

/// Compares segment_reduce and its gradient for `data` with these lengths or offsets.
void expect_segments(std::string_view data, const char* reduce, const Tensor& segments, bool offsets, int64_t axis,
                     const Value& initial = Value()) {
  const OpEntry &op = op_named("aten.segment_reduce.default"),
                &back = op_named("aten._segment_reduce_backward.default");
  const Tensor x = sample_arguments(op_named("aten.neg.default"), std::string(data), 0.5, 1.5)[0].tensor();
  const Value lengths = offsets ? Value() : Value(segments), ends = offsets ? Value(segments) : Value();
  const std::vector<Value> args{Value(x), Value(reduce), lengths, Value(), ends, Value(axis), Value(false), initial};
  const std::string what = std::string(data) + " " + reduce;
  expect_agree(op, args, what);
  Values results;
  dispatch(op, args, results);
  const Tensor y = results[0].tensor();
  const std::vector<Value> gradient{Value(y), Value(y), Value(x), Value(reduce), lengths, ends, Value(axis), initial};
  expect_agree(back, gradient, what + " backward");
}

TEST(CudaSegmentReduce, SegmentsOfEveryLength) {
  for (const char* reduce : kReductions) {
    for (const char* dtype : {"f32", "f64", "f16", "bf16"}) {
      const std::string t = dtype;
      expect_segments(t + "[12]", reduce, tensor_of<int64_t>({3, 0, 1, 8}, {4}), false, 0);
      expect_segments(t + "[40,3]", reduce, tensor_of<int32_t>({0, 7, 7, 39}, {4}), true, 0, Value(0.5));
    }
    expect_segments("f64[900]", reduce, tensor_of<int64_t>({40, 500, 0, 360}, {4}), false, 0);
    expect_segments("f64[5000]", reduce, tensor_of<int64_t>({1, 4000, 5000}, {3}), true, 0, Value(2));
    expect_segments("f32[2,60]{1,2}", reduce, tensor_of<int64_t>({3, 57, 20, 40}, {2, 2}), false, 1);
    expect_segments("f32[2,3,5,7]", reduce,
                    tensor_of<int64_t>({0, 3, 5, 1, 1, 2, 0, 0, 0, 2, 4, 4, 5, 5, 5, 0, 2, 5}, {2, 3, 3}), true, 2);
    expect_segments("f32[30,40]", reduce, tensor_of<int64_t>({10, 20}, {2}), false, 0);
  }
}

TEST(CudaSegmentReduce, RowsOfLengthsHaveOtherOuterDims) {
  for (const char* reduce : kReductions) {
    expect_segments("f32[2,1,3,4]", reduce, tensor_of<int64_t>({1, 2, 3, 0, 0, 3}, {1, 3, 2}), false, 2);
    expect_segments("f64[3,4]", reduce, tensor_of<int32_t>({0, 1, 4, 2, 2, 3, 0, 0, 4, 9, 9, 9}, {4, 3}), true, 1);
  }
  // If lengths have to add up to the data, rows of lengths for which the data have no row are checked too.
  const auto further = [](const char* data, bool unsafe) {
    const Tensor x = sample_arguments(op_named("aten.neg.default"), data, 0.5, 1.5)[0].tensor();
    const std::vector<Value> args{Value(x),      Value("sum"), Value(tensor_of<int64_t>({1, 1, 2, 1}, {2, 2})),
                                  Value(),       Value(),      Value(1),
                                  Value(unsafe), Value()};
    expect_agree(op_named("aten.segment_reduce.default"), args, data);
  };
  for (const bool unsafe : {false, true}) {
    further("f32[1,2]", unsafe);
    further("f32[0,2]", unsafe);
  }
}

TEST(CudaSegmentReduce, ZerosExtremesAndNansOfASegment) {
  const Tensor x = tensor_of<float>({0, 2, 0, 3, 3, NAN, 1, 1, 5}, {9}), n = tensor_of<int64_t>({3, 3, 3}, {3});
  const Tensor g = tensor_of<float>({1, 2, 3}, {3});
  for (const char* reduce : kReductions) {
    const std::vector<Value> args{Value(x), Value(reduce), Value(n), Value(), Value(), Value(0), Value(false), Value()};
    expect_agree(op_named("aten.segment_reduce.default"), args, reduce);
    Values results;
    dispatch(op_named("aten.segment_reduce.default"), args, results);
    const Tensor y = results[0].tensor();
    const std::vector<Value> gradient{Value(g), Value(y), Value(x), Value(reduce),
                                      Value(n), Value(),  Value(0), Value()};
    expect_agree(op_named("aten._segment_reduce_backward.default"), gradient, reduce);
  }
}

TEST(CudaSegmentReduce, GradientsFollowTheSizesOfTheOutput) {
  const OpEntry& op = op_named("aten._segment_reduce_backward.default");
  const auto gradient = [&](const Tensor& grad, const Tensor& data, const Tensor& lengths, int64_t axis) {
    for (const char* reduce : kReductions) {
      const Tensor output = tensor_of<float>({2, 3, 2, 1}, {2, 2});
      const std::vector<Value> args{Value(grad),    Value(output), Value(data), Value(reduce),
                                    Value(lengths), Value(),       Value(axis), Value()};
      expect_agree(op, args, reduce);
    }
  };
  const Tensor g = tensor_of<float>({1, 2, 3, 4}, {2, 2}), x = tensor_of<float>({2, 3, 2, 1, 3, 2, 1, 1, 3}, {3, 3});
  const Tensor n = tensor_of<int64_t>({1, 2}, {2}), across = tensor_of<int64_t>({1, 4, 0, 0, 1, 1}, {3, 2});
  gradient(g, x, n, 1);
  gradient(g, x, across, 1);
  gradient(tensor_of<float>({1, 2}, {2}), x, across, 1);
  gradient(g, x, tensor_of<int64_t>({2, 2}, {2}), 0);
  gradient(tensor_of<float>({1, 2}, {2}), x, n, 0);
  gradient(g, x, tensor_of<int64_t>({1, int64_t{1} << 62}, {2}), 0);
}

TEST(CudaSegmentReduce, RefusesSegmentsOutsideOfTheDim) {
  const auto of = [](const Tensor& lengths, const Tensor& offsets, bool unsafe) {
    const Tensor x = tensor_of<float>({1, 2, 3, 4}, {4});
    const auto given = [](const Tensor& t) { return t ? Value(t) : Value(); };
    const std::vector<Value> args{Value(x),       Value("sum"), given(lengths), Value(),
                                  given(offsets), Value(0),     Value(unsafe),  Value()};
    expect_agree(op_named("aten.segment_reduce.default"), args, "outside");
  };
  of(tensor_of<int64_t>({2, 3}, {2}), Tensor(), false);
  of(tensor_of<int64_t>({2, 1}, {2}), Tensor(), false);
  of(tensor_of<int64_t>({2, 1}, {2}), Tensor(), true);
  of(tensor_of<int64_t>({2, 3}, {2}), Tensor(), true);
  of(tensor_of<int64_t>({5, -1}, {2}), Tensor(), false);
  of(Tensor(), tensor_of<int64_t>({0, 3, 2}, {3}), false);
  of(Tensor(), tensor_of<int64_t>({-1, 3}, {2}), false);
  of(Tensor(), tensor_of<int64_t>({0, 5}, {2}), false);
}

TEST(CudaSegmentReduce, SegmentOutsideIsReportedAtTheNextWait) {
  const auto message = [](std::initializer_list<int64_t> lengths) -> std::string {
    const Tensor x = tensor_of<float>({1, 2, 3, 4}, {4}), n = tensor_of<int64_t>(lengths, {2});
    const std::vector<Value> args{Value(x), Value("sum"), Value(n), Value(), Value(), Value(0), Value(false), Value()};
    Values results;
    dispatch(op_named("aten.segment_reduce.default"), arguments_on(cuda(0), args), results);
    try {
      check_cuda(cuda_functions().synchronize(0), cuda(0), "synchronize", 0);
    } catch (const DeferredError& e) {
      return e.message;
    }
    return "no error";
  };
  EXPECT_THAT(message({2, int64_t{1} << 40}),
              testing::StartsWith("segment_reduce: segment 1 ends at 1099511627778: before it begins, or outside of a "
                                  "dim of size 4 (found"));
  EXPECT_THAT(message({2, 1}), testing::StartsWith("segment_reduce: lengths add up to 3, the dim has size 4 (found"));
}

/// A segment of the first row ends in the second row, so some elements have two gradients. Either may be the result.
TEST(CudaSegmentReduce, ElementsOfTwoSegmentsAreCounted) {
  const OpEntry& op = op_named("aten._segment_reduce_backward.default");
  const Tensor g = tensor_of<float>({1, 2, 3, 4}, {2, 2}), x = tensor_of<float>({2, 3, 2, 1, 3, 2, 1, 1}, {2, 4});
  const Tensor n = tensor_of<int64_t>({2, 4, 1, 2}, {2, 2});
  const std::vector<Value> args{Value(g), Value(g), Value(x), Value("sum"), Value(n), Value(), Value(1), Value()};
  const Tensor writes = write_count_of(op)(args);
  const float want[] = {1, 1, 1, 1, 2, 2, 1, 0};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(writes.data<float>()[i], want[i]) << i;
  expect_agree(op, args, "segments that overlap");
}

}  // namespace
}  // namespace ersatz
