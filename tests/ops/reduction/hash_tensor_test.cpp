#include "kernels/reduction/hash_tensor.h"

#include "tests/ops/eager_answers.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

uint64_t hash_of(const Tensor& t) {
  return call_op<"aten.hash_tensor.default">(t, dims({}), false, 0).data<uint64_t>()[0];
}

// The expected bits are those of PyTorch 2.15 on the CPU.
TEST(HashTensor, CombinesBitsOfElementsAsI64AndF64) {
  EXPECT_EQ(hash_of(make("f32[1]", {1})), 0x3ff0000000000000u);
  EXPECT_EQ(hash_of(make("bf16[2]", {2, 3})), 0x8000000000000u);
  EXPECT_EQ(hash_of(make("f16[1]", {-1})), 0xbff0000000000000u);
  EXPECT_EQ(hash_of(make("i8[1]", {-1})), 0xffffffffffffffffu);
  EXPECT_EQ(hash_of(make("u8[1]", {255})), 0xffu);
  EXPECT_EQ(hash_of(make("i32[2]", {2, 3})), 1u);
  EXPECT_EQ(hash_of(make("bool[2]", {1, 1})), 0u);
  const Tensor rows = call_op<"aten.hash_tensor.default">(make("i64[2,2]", {1, 2, 4, 8}), dims({1}), true, 0);
  expect(rows).meta("u64[2,1]");
  EXPECT_EQ(rows.data<uint64_t>()[0], 3u);
  EXPECT_EQ(rows.data<uint64_t>()[1], 12u);
}

}  // namespace
}  // namespace ersatz
