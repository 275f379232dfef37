#include "kernels/reduction/hash_tensor.h"

#include "tests/ops/eager_answers.h"
#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

uint64_t hash_of(const Tensor& t) {
  return call_op<"aten.hash_tensor.default">(t, dims({}), false, 0).data<uint64_t>()[0];
}

// PyTorch 2.15 on the CPU gave these bits.
TEST(HashTensor, CombinesTheBitsOfElementsAsI64AndF64) {
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

TEST(HashTensor, LooksAtWhatIsWrittenThenAtDimsThenAtTheMode) {
  expect_answers({
      {"aten.hash_tensor.out", "f64[0], [0], out=f32[0]", "hash_tensor.out_dtype"},
      {"aten.hash_tensor.out", "f64[3], [9], out=f32[0]", "hash_tensor.out_dtype"},
      {"aten.hash_tensor.out", "f64[0], [9], out=u64[0]", "hash_tensor.dim"},
      {"aten.hash_tensor.out", "f64[0], [0], out=u64[0]", "hash_tensor.C3"},
      {"aten.hash_tensor.out", "f64[3], [0, 0], out=u64[0]", "hash_tensor.C2"},
      {"aten.hash_tensor.out", "c64[3], [0], mode=3, out=u64[0]", "hash_tensor.C1"},
      {"aten.hash_tensor.out", "c64[3], [0], out=u64[0]", ""},
      {"aten.hash_tensor.out", "u64[3], [], out=u64[0]", ""},
      {"aten.hash_tensor.out", "f64[3,2], [0], out=u64[0]", "u64[2]"},
      {"aten.hash_tensor.default", "u16[3], []", ""},
      {"aten.hash_tensor.default", "bool[3], []", "u64[]"},
      {"aten.hash_tensor.default", "f32[2,3]{1,2}, [0], keepdim=True", "u64[1,3]"},
      {"aten.hash_tensor.default", "f64[0], [0], mode=3", "hash_tensor.C3"},
      {"aten.hash_tensor.default", "f32[2,0], [1, 1], mode=1", "hash_tensor.C3"},
  });
}

}  // namespace
}  // namespace ersatz
