#include "kernels/shape/packed_sequence.h"

#include "fake/mode/fake_mode.h"
#include "kernels/pointwise/closeness.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/view_dtype.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

TEST(PackPaddedSequence, ResolvesLazyBits) {
  const Tensor x = ops::_conj(ops::view_as_complex(ramp("f32[2,1,2]")));
  const auto [data, batch_sizes] = ops::_pack_padded_sequence(x, i64({1}, {2}), false);
  EXPECT_FALSE(data.meta().conj);
  expect(ops::view_as_real(data)).values({0, -1, 2, -3});
}
// OPS-26. PyTorch's fake predicts the input's sizes without the first dim.
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
// OPS-26: the call is refused if the ShapeEnv does not allow sizes that depend on data.
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

TEST(PadPackedSequence, TakesBackWhatPackingGave) {
  const Tensor x = ramp("i64[4,3,2]"), lengths = i64({3}, {4, 4, 4});
  const auto [data, batch_sizes] = ops::_pack_padded_sequence(x, lengths, false);
  const auto [padded, back] = ops::_pad_packed_sequence(data, batch_sizes, false, Scalar(0), 0);
  EXPECT_TRUE(ops::equal(padded, x));
  EXPECT_TRUE(ops::equal(back, lengths));
}
}  // namespace
}  // namespace ersatz
