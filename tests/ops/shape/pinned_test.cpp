#include "kernels/shape/pinned.h"

#include "tests/ops/op_calls.h"

namespace ersatz {
namespace {

OP_TEST(Pinned, IsRefusedByName) {
  Tensor x = ramp("f32[2]");
  expect_error([&] { ops::pin_memory(x); }, "pin_memory.NYI", "NYI: aten.pin_memory.default");
  expect_error([&] { run("aten._pin_memory.default", {x}); }, "_pin_memory.NYI", "NYI: aten._pin_memory.default");
  expect_error([&] { run("aten.is_pinned.default", {x}); }, "is_pinned.NYI", "NYI: aten.is_pinned.default");
}
OP_TEST(Pinned, FormsThatWriteOrCopyAreRefusedToo) {
  const Tensor x = ramp("f32[2]");
  expect_error([&] { run("aten._pin_memory.out", {x}, {{"out", x}}); }, "_pin_memory.NYI", "NYI: aten._pin_memory.out");
}

}  // namespace
}  // namespace ersatz
