#include "kernels/linalg/einsum.h"

#include "runtime/tensor/meta_text.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

Tensor a() { return f64({2, 3}, {1, 2, 3, 4, 5, 6}); }
Tensor b() { return f64({3, 2}, {1, 0, 0, 1, 1, 1}); }
Tensor einsum(const char* equation, const std::vector<Tensor>& operands) { return ops::einsum(equation, operands); }

OP_TEST(Einsum, SumsOverWhatTheResultDoesNotName) {
  expect(einsum("ij,jk->ik", {a(), b()})).meta("f64[2,2]").values({4, 5, 10, 11});
  expect(einsum("ij,jk->ki", {a(), b()})).meta("f64[2,2]").values({4, 10, 5, 11});
  expect(einsum("ij->", {a()})).meta("f64[]").values({21});
  expect(einsum("ij,ij->j", {a(), a()})).values({17, 29, 45});
  expect(einsum("i,jk,kl->il", {f64({2}, {1, 2}), a(), b()})).meta("f64[2,2]").values({14, 16, 28, 32});
}
OP_TEST(Einsum, WithoutAResultSortsWhatStandsOnce) {
  expect(einsum("ba", {a()})).meta("f64[3,2]{1,3}").values({1, 4, 2, 5, 3, 6});
  expect(einsum("ij,jk", {a(), b()})).values({4, 5, 10, 11});
}
OP_TEST(Einsum, ALetterTwiceIsADiagonal) {
  const Tensor m = f64({2, 2}, {1, 2, 3, 4});
  expect(einsum("ii->i", {m})).meta("f64[2]{3}").values({1, 4});
  expect(einsum("ii", {m})).values({5});
}
OP_TEST(Einsum, AnEllipsisBroadcasts) {
  const Tensor batch = f64({2, 1, 3}, {1, 2, 3, 4, 5, 6});
  expect(einsum("...ij,...jk->...ik", {batch, b()})).meta("f64[2,1,2]").values({4, 5, 10, 11});
  expect(einsum("...j->j", {batch})).values({5, 7, 9});
}
OP_TEST(Einsum, AlongAPath) {
  const Tensor operands[] = {a(), b(), f64({2}, {1, 10})};
  const SymInt path[] = {1, 2, 0, 1};
  expect(ops::einsum("ij,jk,k->i", operands, path)).meta("f64[2]").values({54, 120});
}
OP_TEST(Tensordot, ContractsDimsInPairs) {
  const SymInt one[] = {1}, zero[] = {0};
  expect(ops::tensordot(a(), b(), one, zero)).meta("f64[2,2]").values({4, 5, 10, 11});
  const SymInt all[] = {0, 1};
  expect(ops::tensordot(a(), a(), all, all)).meta("f64[]").values({91});
}
OP_TEST(Tensordot, OfOneNumberIsADotOfRowsOrASumOfProducts) {
  const SymInt all[] = {0, 1}, back[] = {1, 0};
  expect(ops::tensordot(a(), b(), all, back)).meta("f64[]").values({15});
}
TEST(TensordotOfOneNumber, TakesTheDtypesOfItsKernels) {
  const SymInt all[] = {0, 1}, back[] = {1, 0}, one[] = {1}, zero[] = {0};
  const auto of = [](const char* meta) { return make_real_tensor(parse_meta(meta)); };
  const auto refused = [](const Tensor& x, const Tensor& y, std::span<const SymInt> dims) {
    const SymInt order[] = {0, 1};
    try {
      ops::tensordot(x, y, order, dims);
    } catch (const Error& e) {
      return e.message;
    }
    return std::string();
  };
  // Neither `dot` nor `sum` has a kernel for floats of 8 bits, and `mm` has one.
  const Tensor rows = of("f8e4m3fn[2,3]"), columns = of("f8e4m3fn[3,2]");
  EXPECT_EQ(refused(rows, rows, all), "dot: not implemented for f8e4m3fn on cpu");
  EXPECT_EQ(refused(rows, columns, back), "sum: not implemented for f8e4m3fn on cpu");
  EXPECT_EQ(to_string(ops::tensordot(rows, columns, one, zero).meta()), "f8e4m3fn[2,2]{2,1}+0@cpu");
  // `mul` and `sum` take bools, `dot` does not.
  EXPECT_EQ(refused(of("bool[2,3]"), of("bool[2,3]"), all), "dot: not implemented for bool on cpu");
  EXPECT_EQ(to_string(ops::tensordot(of("bool[2,3]"), of("bool[3,2]"), all, back).meta()), "bool[]{}+0@cpu");
}
OP_TEST(Bilinear, IsAFormOfBothInputs) {
  const Tensor x = f64({1, 2}, {1, 2}), y = f64({1, 2}, {3, 4}), w = f64({1, 2, 2}, {1, 0, 0, 10});
  expect(ops::bilinear(x, y, w)).meta("f64[1,1]").values({83});
  expect(ops::bilinear(x, y, w, f64({1}, {0.5}))).values({83.5});
}

}  // namespace
}  // namespace ersatz
