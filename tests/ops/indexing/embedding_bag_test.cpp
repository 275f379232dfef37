#include "kernels/indexing/embedding_bag.h"

#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

Tensor table() { return f64({3, 2}, {1, 2, 3, 4, 5, 0}); }
Tensor indices() { return i64({4}, {0, 2, 2, 1}); }
Tensor offsets() { return i64({3}, {0, 3, 3}); }

// OPS-18: embedding_bag and _embedding_bag have four outputs with these sizes.
OP_TEST(EmbeddingBag, HasFourOutputsOPS18) {
  const Tensor w = f32({6, 1}, {1, 1, 1, 1, 1, 1}), i = i64({6}, {1, 1, 1, 1, 1, 1}), o = i64({2}, {0, 1});
  const auto [out, bags, sizes, best] = ops::_embedding_bag(w, i, o, false, 2);
  expect(out).meta("f32[2,1]").values({1, 1});
  expect(bags).meta("i64[6]").values({0, 1, 1, 1, 1, 1});
  expect(sizes).meta("i64[2]").values({1, 5});
  expect(best).meta("i64[2,1]").values({1, 1});
}
TEST(EmbeddingBagOnCpu, SumsRowsOfAnyLength) {
  for (const int64_t features : {1, 5, 16, 63, 64, 129, 300}) {
    std::vector<double> table(size_t(7 * features)), expected;
    for (size_t i = 0; i < table.size(); ++i) table[i] = double(i % 91) / 4;
    const std::vector<double> indices{6, 0, 3, 3, 5, 1, 6, 2}, offsets{0, 3, 3, 4};
    const auto row = [&](size_t i, int64_t f) { return table[size_t(indices[i]) * size_t(features) + size_t(f)]; };
    for (size_t b = 0; b < 4; ++b) {
      for (int64_t f = 0; f < features; ++f) {
        double sum = 0;
        for (size_t i = size_t(offsets[b]); i < (b < 3 ? size_t(offsets[b + 1]) : 8); ++i) {
          if (indices[i] != 5) sum += row(i, f);
        }
        expected.push_back(sum);
      }
    }
    for (const char* t : {"f32", "f64", "bf16"}) {
      const Values r = call_op_all<"aten._embedding_bag.default">(make(fmt::format("{}[7,{}]", t, features), table),
                                                                  make("i64[8]", indices), make("i64[4]", offsets),
                                                                  false, int64_t(0), false, Value(), false, int64_t(5));
      const std::vector<double> seen = values_of(r[0].tensor());
      for (size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR(seen[i], expected[i], *t == 'b' ? 0.5 : 0) << t << " of " << features << " features, " << i;
      }
    }
  }
}

TEST(EmbeddingBagBackward, IsTheSlopeOfTheBags) {
  const Tensor w = table(), i = indices(), o = offsets(), g = f64({3, 2}, {1, 2, 3, 4, 5, 6});
  for (const int64_t mode : {0, 1, 2}) {
    const auto run = [&] { return ops::_embedding_bag(w, i, o, false, mode); };
    const auto [out, bags, sizes, best] = run();
    expect_slopes(ops::_embedding_bag_backward(g, i, o, bags, sizes, best, 3, false, mode, false, Tensor()), w, g,
                  [&] { return std::get<0>(run()); });
  }
}
TEST(EmbeddingBagBackward, OfTheWeightsOfSamples) {
  const Tensor w = table(), i = indices(), o = offsets(), s = f64({4}, {1, 10, 0.5, 2}),
               g = f64({3, 2}, {1, 2, 3, 4, 5, 6});
  const auto run = [&] { return ops::_embedding_bag(w, i, o, false, 0, false, s); };
  const auto [out, bags, sizes, same] = run();
  expect_slopes(ops::_embedding_bag_per_sample_weights_backward(g, w, i, o, bags, 0), s, g,
                [&] { return std::get<0>(run()); });
  expect_slopes(ops::_embedding_bag_backward(g, i, o, bags, sizes, same, 3, false, 0, false, s), w, g,
                [&] { return std::get<0>(run()); });
}
}  // namespace
}  // namespace ersatz
