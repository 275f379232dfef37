#include "kernels/indexing/embedding_bag.h"

#include "tests/ops/slopes.h"

namespace ersatz {
namespace {

Tensor table() { return f64({3, 2}, {1, 2, 3, 4, 5, 0}); }
Tensor indices() { return i64({4}, {0, 2, 2, 1}); }
Tensor offsets() { return i64({3}, {0, 3, 3}); }

// The bags are rows 0, 2, 2, then none, then row 1.
OP_TEST(EmbeddingBag, SumsAveragesAndMaximises) {
  const Tensor w = table(), i = indices(), o = offsets();
  expect(std::get<0>(ops::_embedding_bag(w, i, o))).meta("f64[3,2]").values({11, 2, 0, 0, 3, 4});
  const auto [mean, bags, sizes, same] = ops::_embedding_bag(w, i, o, false, 1);
  expect(mean).values({11.0 / 3, 2.0 / 3, 0, 0, 3, 4});
  expect(bags).meta("i64[4]").values({0, 0, 0, 2});
  expect(sizes).meta("i64[3]").values({3, 0, 1});
  const auto [most, of_most, counts, best] = ops::_embedding_bag(w, i, o, false, 2);
  expect(most).values({5, 2, 0, 0, 3, 4});
  expect(best).meta("i64[3,2]").values({2, 0, 0, 0, 1, 1});
}
OP_TEST(EmbeddingBag, TheFastWayDoesNotTellBags) {
  const Tensor w = f32({3, 2}, {1, 2, 3, 4, 5, 0}), i = indices(), o = offsets();
  expect(std::get<1>(ops::_embedding_bag(w, i, o))).meta("i64[0]");
  expect(std::get<1>(ops::_embedding_bag(w, i, o, false, 0, false, Tensor(), false, 2))).meta("i64[4]");
}
OP_TEST(EmbeddingBag, LeavesPaddingOutAndWeighsSamples) {
  const Tensor w = table(), i = indices(), o = offsets(), samples = f64({4}, {1, 10, 0, 2});
  expect(std::get<0>(ops::_embedding_bag(w, i, o, false, 1, false, Tensor(), false, 2))).values({1, 2, 0, 0, 3, 4});
  expect(std::get<0>(ops::_embedding_bag(w, i, o, false, 0, false, samples))).values({51, 2, 0, 0, 6, 8});
}
OP_TEST(EmbeddingBag, TheLastOffsetIsNoBag) {
  const auto [out, bags, sizes, same] =
      ops::embedding_bag(table(), indices(), i64({3}, {0, 3, 4}), false, 1, false, Tensor(), true);
  expect(out).meta("f64[2,2]").values({11.0 / 3, 2.0 / 3, 3, 4});
}
// OPS-18: all four outputs with their sizes, of the private op too.
OP_TEST(EmbeddingBag, HasFourOutputsOPS18) {
  const Tensor w = f32({6, 1}, {1, 1, 1, 1, 1, 1}), i = i64({6}, {1, 1, 1, 1, 1, 1}), o = i64({2}, {0, 1});
  const auto [out, bags, sizes, best] = ops::_embedding_bag(w, i, o, false, 2);
  expect(out).meta("f32[2,1]").values({1, 1});
  expect(bags).meta("i64[6]").values({0, 1, 1, 1, 1, 1});
  expect(sizes).meta("i64[2]").values({1, 5});
  expect(best).meta("i64[2,1]").values({1, 1});
}
// As eager: an index is in the bag of the last of the sorted offsets that is not behind it, a size is a difference.
OP_TEST(EmbeddingBag, OffsetsNeedNotIncrease) {
  const auto [mean, bags, sizes, same] = ops::_embedding_bag(table(), indices(), i64({3}, {0, 3, 1}), false, 1);
  expect(bags).values({0, 1, 1, 2});
  expect(sizes).values({3, -2, 3});
  expect(mean).values({1.0 / 3, 2.0 / 3, 10, 0, 1, 4.0 / 3});
}
OP_TEST(EmbeddingBag, TheFastWayEndsTheLastBagAtTheLastOffset) {
  const Tensor slow = f64({3, 1}, {1, 10, 100}), fast = f32({3, 1}, {1, 10, 100}), at = i64({3}, {0, 1, 2});
  const auto bag = [&](const Tensor& w, int64_t mode) {
    return std::get<0>(ops::_embedding_bag(w, at, i64({2}, {0, 2}), false, mode, false, Tensor(), true));
  };
  expect(bag(slow, 0)).values({111});
  expect(bag(fast, 0)).values({11});
  expect(bag(fast, 1)).values({11.0 / 3});
  expect(bag(fast, 2)).values({100});
}
OP_TEST(EmbeddingBag, TheFastWayLeavesABagOfLaterOffsetsEmpty) {
  const Tensor w = f32({3, 1}, {1, 10, 100}), at = i64({3}, {0, 1, 2});
  expect(std::get<0>(ops::_embedding_bag(w, at, i64({3}, {0, 2, 1})))).values({11, 0, 110});
}
TEST(EmbeddingBag, RefusesExpandedIndicesThatItDoesNotConvert) {
  const Tensor w = table(), at = i64({1}, {2}), many = make("i64[2]{0}", {2, 2}), few = make("i32[2]{0}", {2, 2});
  expect_refused([&] { ops::_embedding_bag(w, many, i64({1}, {0})); }, ErrorFamily::Runtime, "_embedding_bag.C7");
  expect_refused(
      [&] {
        ops::_embedding_bag(w, at, make("i64[2]{0}", {0, 0}));
      },
      ErrorFamily::Runtime, "_embedding_bag.C7");
  expect(std::get<0>(ops::_embedding_bag(w, few, i64({1}, {0})))).values({10, 0});
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

TEST(EmbeddingBag, RefusesWhatIsNoRowAndNoOffset) {
  const Tensor w = table();
  const auto refused = [](auto&& f) { expect_refused(f, ErrorFamily::Runtime, "_embedding_bag.value"); };
  refused([&] { ops::_embedding_bag(w, i64({1}, {3}), i64({1}, {0})); });
  refused([&] { ops::_embedding_bag(w, i64({1}, {0}), i64({1}, {1})); });
  expect_refused(
      [&] {
        ops::_embedding_bag(w, i64({1}, {0}), i64({3}, {0, 2, 1}));
      },
      ErrorFamily::Index, "_embedding_bag.value");
}
// The row behind the end of the last bag.
TEST(EmbeddingBag, TheFastWayLooksAtWhatItReads) {
  const Tensor w = f32({2, 1}, {1, 10}), at = i64({3}, {0, 1, 9}), o = i64({2}, {0, 2});
  expect(std::get<0>(ops::_embedding_bag(w, at, o, false, 0, false, Tensor(), true))).values({11});
  expect_refused([&] { ops::_embedding_bag(w, at, o); }, ErrorFamily::Runtime, "_embedding_bag.value");
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
// As eager: what is not read may have any size.
OP_TEST(EmbeddingBagBackward, ReadsTheFirstElementsOfLongerBags) {
  const Tensor g = f64({2, 1}, {1, 2}), i = i64({2}, {0, 2}), none = i64({0}, {}), o = i64({2}, {0, 1});
  const Tensor bags = i64({4}, {0, 1, 7, 7}), samples = f64({3}, {1, 10, 0});
  const auto gradient = [&](const Tensor& at) {
    return ops::_embedding_bag_backward(g, at, o, bags, o, o, 3, false, 0, false, samples);
  };
  expect(gradient(i)).meta("f64[3,1]").values({1, 0, 20});
  expect(gradient(none)).values({0, 0, 0});
}
OP_TEST(EmbeddingBagBackward, LooksAtSizesAndMaximaThatItReads) {
  const Tensor g = f64({2, 1}, {1, 2}), i = i64({1}, {0}), o = i64({2}, {0, 1}), none = i64({0}, {});
  const auto gradient = [&](const Tensor& at, const Tensor& sizes, const Tensor& best, int64_t mode) {
    return ops::_embedding_bag_backward(g, at, o, at, sizes, best, 2, false, mode, false, Tensor());
  };
  expect(gradient(none, none, none, 1)).meta("f64[2,1]").values({0, 0});
  expect(gradient(i, i64({2}, {1, 0}), i64({3, 1}, {1, 9, 9}), 2)).values({0, 1});
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
// Values of PyTorch 2.15.
OP_TEST(EmbeddingBagDenseBackward, GoesByTheBagOfEachIndex) {
  const Tensor g = f32({2, 2}, {1, 2, 10, 20}), i = i64({4}, {0, 2, 1, 2}), bags = i64({4}, {0, 0, 1, 1}),
               sizes = i64({2}, {2, 2});
  const auto gradient = [&](const Tensor& best, bool by_frequency, int64_t mode) {
    return ops::_embedding_bag_dense_backward(g, i, bags, sizes, best, 3, by_frequency, mode, Tensor());
  };
  expect(gradient(sizes, false, 0)).meta("f32[3,2]").values({1, 2, 10, 20, 11, 22});
  expect(gradient(sizes, true, 1)).values({0.5, 1, 5, 10, 2.75, 5.5});
  expect(gradient(i64({2, 2}, {0, 2, 1, 1}), false, 2)).values({1, 0, 10, 20, 0, 2});
}
OP_TEST(EmbeddingBagDenseBackward, RefusesTooFewBagsAsAnIndex) {
  const Tensor g = f32({1, 1}, {1}), i = i64({2}, {0, 1}), one = i64({1}, {0});
  expect_refused([&] { ops::_embedding_bag_dense_backward(g, i, one, one, one, 3, false, 0, Tensor()); },
                 ErrorFamily::Index, "_embedding_bag_dense_backward.C6");
}

}  // namespace
}  // namespace ersatz
