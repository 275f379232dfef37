#include "kernels/reduction/hash_tensor.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(HashTensor, IsRefusedAfterItsArgumentsAreLookedAt) {
  const Tensor x = ramp("f32[2,0]");
  expect_refused(
      [&] {
        run("aten.hash_tensor.default", {x, ints({0})});
      },
      ErrorFamily::NotImplemented, "hash_tensor.NYI");
  expect_refused([&] { run("aten.hash_tensor.default", {x, ints({1})}); }, ErrorFamily::Index, "hash_tensor.C3");
}

OP_TEST(HashTensor, LooksAtDimsBeforeItsMode) {
  const Tensor x = ramp("f32[2,0]");
  expect_refused(
      [&] {
        call_op<"aten.hash_tensor.default">(x, dims({1, 1}), false, 1);
      },
      ErrorFamily::Index, "hash_tensor.C3");
  expect_refused([&] { call_op<"aten.hash_tensor.default">(x, dims({0}), false, 1); }, ErrorFamily::Runtime,
                 "hash_tensor.C1");
}

}  // namespace
}  // namespace ersatz
