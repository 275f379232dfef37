// Typed functions that the build generates from schemas: parameters, defaults and results.
#include <type_traits>

#include "kernels/creation/empty.h"
#include "kernels/creation/full.h"
#include "kernels/indexing/item.h"
#include "kernels/indexing/take.h"
#include "kernels/norm/layer_norm.h"
#include "kernels/pooling/max_pool2d.h"
#include "kernels/random/randperm.h"
#include "kernels/reduction/cumsum.h"
#include "kernels/shape/cat.h"
#include "kernels/shape/flip.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/split.h"
#include "kernels/sorting/topk.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

template <class Signature, Signature* function>
constexpr bool is_function = true;

TEST(TypedFunctions, ParametersFollowTheArguments) {
  static_assert(is_function<Tensor(const Tensor&, std::span<const SymInt>), ops::flip>);
  static_assert(is_function<Tensor(const Tensor&, int64_t, std::optional<DType>), ops::cumsum>);
  static_assert(is_function<Tensor(std::span<const Tensor>, int64_t), ops::cat>);
}

TEST(TypedFunctions, SeveralResultsAreATuple) {
  using Three = std::tuple<Tensor, Tensor, Tensor>;
  static_assert(is_function<Three(const Tensor&, std::span<const SymInt>, const Tensor&, const Tensor&, double),
                            ops::native_layer_norm>);
}

OP_TEST(TypedFunctions, NamedResultsAreAStructWithTheirNames) {
  const ops::TopkResult r = ops::topk(f32({3}, {1, 3, 2}), 1);
  expect(r.values).values({3});
  expect(r.indices).values({1});
}

TEST(TypedFunctions, AResultThatIsNoTensorIsItself) {
  static_assert(is_function<Scalar(const Tensor&), ops::item>);
  EXPECT_EQ(ops::item(f32({1}, {2})).to_double(), 2);
}

OP_TEST(TypedFunctions, AnEmptyListStandsForTheDefault) {
  const Tensor x = f32({1, 2, 2}, {1, 2, 3, 4});
  const SymInt kernel[] = {2};
  expect(std::get<0>(ops::max_pool2d_with_indices(x, kernel, {}, {}, {}))).meta("f32[1,1,1]{1,1,1}+0@cpu").values({4});
}

OP_TEST(TypedFunctions, DtypeThatSchemaNamesIsThatOfResult) { expect(ops::randperm(0)).meta("i64[0]{1}+0@cpu"); }

OP_TEST(TypedFunctions, TheInPlaceFormIsThere) {
  const Tensor x = f32({3}, {1, 2, 3});
  expect(ops::put_(x, i64({1}, {0}), f32({1}, {7}))).is(x).values({7, 2, 3});
}

TEST(TypedFunctions, TheOptionsOfAFactoryAreOneParameter) {
  static_assert(is_function<Tensor(std::span<const SymInt>, const FactoryOptions&), ops::zeros>);
}

OP_TEST(TypedFunctions, DefaultsAreTheSchemas) {
  const Tensor x = f32({4}, {1, 2, 3, 4});
  expect(ops::slice(x)).meta("f32[4]{1}+0@cpu");
  expect(ops::slice(x, 0, 1)).meta("f32[3]{1}+1@cpu");
}

OP_TEST(TypedFunctions, AListOfResultsIsAVector) {
  const std::vector<Tensor> pieces = ops::chunk(f32({5}, {1, 2, 3, 4, 5}), 2);
  ASSERT_EQ(pieces.size(), 2u);
  expect(pieces[1]).values({4, 5});
}

}  // namespace
}  // namespace ersatz
