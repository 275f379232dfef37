#include "kernels/shape/packed_sequence.h"

#include "fake/mode/fake_mode.h"
#include "kernels/pointwise/closeness.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/view_dtype.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(PackPaddedSequence, PutsEachStepOfAllSequencesTogether) {
  const auto [data, batch_sizes] = ops::_pack_padded_sequence(ramp("f32[4,3,2]"), i64({3}, {4, 2, 1}), false);
  expect(data).meta("f32[7,2]").values({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 18, 19});
  expect(batch_sizes).meta("i64[4]").values({3, 2, 1, 1});
}
TEST(PackPaddedSequence, TakesSequencesFirst) {
  const auto [data, batch_sizes] = ops::_pack_padded_sequence(ramp("f32[3,2]"), i64({3}, {2, 2, 1}), true);
  expect(data).meta("f32[5]").values({0, 2, 4, 1, 3});
  expect(batch_sizes).values({3, 2});
}
TEST(PackPaddedSequence, ResolvesLazyBits) {
  const Tensor x = ops::_conj(ops::view_as_complex(ramp("f32[2,1,2]")));
  const auto [data, batch_sizes] = ops::_pack_padded_sequence(x, i64({1}, {2}), false);
  EXPECT_FALSE(data.meta().conj);
  expect(ops::view_as_real(data)).values({0, -1, 2, -3});
}
// What eager answers: a length beyond the steps has batch sizes, and no rows.
TEST(PackPaddedSequence, CountsStepsThatAreNotThere) {
  const auto [data, batch_sizes] = ops::_pack_padded_sequence(ramp("f32[2,2]"), i64({2}, {4, 1}), false);
  expect(data).meta("f32[3]").values({0, 1, 2});
  expect(batch_sizes).values({2, 1, 1, 1});
}
TEST(PackPaddedSequence, RefusesLengthsByTheirValues) {
  const Tensor x = ramp("f32[4,2]");
  for (const std::array<double, 2> bad : {std::array<double, 2>{1, 2}, {2, 0}, {-1, -1}}) {
    expect_refused(
        [&] {
          ops::_pack_padded_sequence(x, i64({2}, {bad[0], bad[1]}), false);
        },
        ErrorFamily::Runtime, "_pack_padded_sequence.value");
  }
}
TEST(PackPaddedSequence, RefusesAnInputWithoutSequencesAsAnIndex) {
  expect_refused(
      [] {
        ops::_pack_padded_sequence(ramp("f32[3]"), i64({3}, {1, 1, 1}), false);
      },
      ErrorFamily::Index, "_pack_padded_sequence.dim");
}
// OPS-26, where PyTorch's fake gives the data the sizes of the input without its first dim.
TEST(PackPaddedSequence, HasSymbolsForRowsAndBatchSizes) {
  FakeOptions options;
  options.shape_env = std::make_shared<ShapeEnv>();
  const FakeMode mode(options);
  const Tensor lengths = mode.make(parse_meta("i64[3]"));
  const auto answer = [&](const char* meta, bool batch_first) {
    const auto [data, batch_sizes] = ops::_pack_padded_sequence(mode.make(parse_meta(meta)), lengths, batch_first);
    return to_string(data.meta()) + " " + to_string(batch_sizes.meta());
  };
  EXPECT_EQ(answer("f32[4,3,2]@cuda:0", false), "f32[u0,2]{2,1}+0@cuda:0 i64[u1]{1}+0@cpu");
  EXPECT_EQ(answer("f32[3,5,2]", true), "f32[u2,2]{2,1}+0@cpu i64[u3]{1}+0@cpu");
  EXPECT_EQ(options.shape_env->range(options.shape_env->symbol("u2")), (std::pair<int64_t, int64_t>(1, 15)));
}
// OPS-26: without the permission for sizes that depend on data nothing is answered.
TEST(PackPaddedSequence, NeedsThePermissionForSizesOfData) {
  FakeOptions options;
  options.shape_env = std::make_shared<ShapeEnv>(ShapeEnvSettings{.allow_dynamic_output_shapes = false});
  const FakeMode mode(options);
  const Tensor x = mode.make(parse_meta("f32[4,3]")), lengths = mode.make(parse_meta("i64[3]"));
  try {
    ops::_pack_padded_sequence(x, lengths, false);
    ADD_FAILURE() << "an answer without its sizes";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::DynamicOutputShape) << e.message;
  }
}

// Values of PyTorch 2.15.
TEST(PackPaddedSequenceBackward, PutsRowsBackAndZerosElsewhere) {
  const Tensor g = f32({5}, {1, 2, 3, 4, 5});
  const std::vector<SymInt> three{3, 3}, sequences_first{2, 3};
  expect(ops::_pack_padded_sequence_backward(g, three, i64({2}, {3, 2}), false))
      .meta("f32[3,3]")
      .values({1, 2, 3, 4, 5, 0, 0, 0, 0});
  expect(ops::_pack_padded_sequence_backward(g, sequences_first, i64({3}, {2, 2, 1}), true))
      .meta("f32[2,3]{1,2}")
      .values({1, 3, 5, 2, 4, 0});
}
TEST(PackPaddedSequenceBackward, StretchesARowThatIsLeft) {
  const std::vector<SymInt> sizes{1, 3, 2};
  expect(ops::_pack_padded_sequence_backward(f32({1, 1}, {7}), sizes, i64({1}, {3}), false)).values({7, 7, 7, 7, 7, 7});
}
TEST(PackPaddedSequenceBackward, RefusesBatchSizesWithoutRows) {
  const std::vector<SymInt> sizes{2, 3};
  for (const std::array<double, 2> bad : {std::array<double, 2>{3, 3}, {4, 1}, {0, -1}}) {
    expect_refused(
        [&] {
          ops::_pack_padded_sequence_backward(ramp("f32[5]"), sizes, i64({2}, {bad[0], bad[1]}), false);
        },
        ErrorFamily::Runtime, "_pack_padded_sequence_backward.value");
  }
}
TEST(PadPackedSequence, FillsWhatIsNotThere) {
  const auto [padded, lengths] =
      ops::_pad_packed_sequence(ramp("f32[7]"), i64({4}, {3, 2, 1, 1}), false, Scalar(-1.0), 5);
  expect(padded).meta("f32[5,3]").values({0, 1, 2, 3, 4, -1, 5, -1, -1, 6, -1, -1, -1, -1, -1});
  expect(lengths).meta("i64[3]").values({4, 2, 1});
}
TEST(PadPackedSequence, IsATransposedViewWithSequencesFirst) {
  const auto [padded, lengths] =
      ops::_pad_packed_sequence(ramp("f32[7,2]{1,7}"), i64({4}, {3, 2, 1, 1}), true, Scalar(0.0), 0);
  expect(padded).meta("f32[3,4,2]{2,6,1}");
  expect(ops::select(padded, 0, 1)).values({2, 3, 8, 9, 0, 0, 0, 0});
}
TEST(PadPackedSequence, TakesBackWhatPackingGave) {
  const Tensor x = ramp("i64[4,3,2]"), lengths = i64({3}, {4, 4, 4});
  const auto [data, batch_sizes] = ops::_pack_padded_sequence(x, lengths, false);
  const auto [padded, back] = ops::_pad_packed_sequence(data, batch_sizes, false, Scalar(0), 0);
  EXPECT_TRUE(ops::equal(padded, x));
  EXPECT_TRUE(ops::equal(back, lengths));
}
TEST(PadPackedSequence, OfNoSequencesIsEmpty) {
  const auto [padded, lengths] = ops::_pad_packed_sequence(ramp("f32[7,2]"), i64({2}, {0, 0}), true, Scalar(0.0), 3);
  expect(padded).meta("f32[0,3,2]{2,2,1}");
  expect(lengths).meta("i64[0]");
}
TEST(PadPackedSequence, RefusesBatchSizesByTheirValues) {
  for (const std::array<double, 2> bad : {std::array<double, 2>{1, 2}, {2, -1}, {4, 4}}) {
    expect_refused(
        [&] {
          ops::_pad_packed_sequence(ramp("f32[7]"), i64({2}, {bad[0], bad[1]}), false, Scalar(0.0), 0);
        },
        ErrorFamily::Runtime, "_pad_packed_sequence.value");
  }
}

}  // namespace
}  // namespace ersatz
