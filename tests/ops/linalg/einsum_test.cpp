#include "kernels/linalg/einsum.h"

#include "runtime/tensor/meta_text.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

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
  // `dot` and `sum` have no kernel for 8-bit floats, and `mm` has one.
  const Tensor rows = of("f8e4m3fn[2,3]"), columns = of("f8e4m3fn[3,2]");
  EXPECT_EQ(refused(rows, rows, all), "dot: not implemented for f8e4m3fn on cpu");
  EXPECT_EQ(refused(rows, columns, back), "sum: not implemented for f8e4m3fn on cpu");
  EXPECT_EQ(to_string(ops::tensordot(rows, columns, one, zero).meta()), "f8e4m3fn[2,2]{2,1}+0@cpu");
  // `mul` and `sum` accept bools, `dot` does not.
  EXPECT_EQ(refused(of("bool[2,3]"), of("bool[2,3]"), all), "dot: not implemented for bool on cpu");
  EXPECT_EQ(to_string(ops::tensordot(of("bool[2,3]"), of("bool[3,2]"), all, back).meta()), "bool[]{}+0@cpu");
}
}  // namespace
}  // namespace ersatz
