// Copies of tensors on the CPU: layout, shared storage, overlapping elements, lists. The tests of other devices are in
// tests/device/device_memory_test.cpp.
#include "fake/watch/tensor_copies.h"

#include <gtest/gtest.h>

#include "fake/crosscheck/wide_copies.h"
#include "fake/mode/fake_mode.h"
#include "fake/object/module_tree.h"
#include "runtime/autograd/backward.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

int64_t alignment(const Tensor& t) { return static_cast<int64_t>(reinterpret_cast<uintptr_t>(t.raw_data()) % 32); }

// DBG-15: a copy has the shape, strides with gaps, offset, requires_grad, values and alignment of its original
TEST(TensorCopies, KeepLayoutAndValues) {
  const Tensor base = tensor_of<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {10});
  for (const char* layout : {"f32[2,2]{4,2}+1", "f32[2,3]{1,2}+3", "f32[2]{1}+5 grad"}) {
    const Tensor t = make_view(base, meta_of(layout));
    const Tensor copy = TensorCopies().of(t);
    EXPECT_EQ(copy.meta(), t.meta()) << layout;
    EXPECT_EQ(to_string(copy), to_string(t)) << layout;
    EXPECT_EQ(alignment(copy), alignment(t)) << layout;
    EXPECT_FALSE(copy.shares_storage(t)) << layout;
  }
}

// DBG-15: the copy of a leaf is a leaf with a copy of its gradient, in the gradient's layout
TEST(TensorCopies, OfALeafCopyItsGradient) {
  const Tensor x = tensor_of<float>({1, 2, 3, 4}, {2, 2});
  set_requires_grad(x);
  const auto square = [](const Tensor& t) { return call_op<"aten.mul.Tensor">(t, t); };
  backward(call_op<"aten.sum.default">(square(x), Value()));
  const Tensor copy = TensorCopies().of(x);
  EXPECT_TRUE(requires_grad(copy));
  EXPECT_TRUE(is_leaf(copy));
  EXPECT_EQ(to_string(grad(copy)), to_string(grad(x)));
  EXPECT_FALSE(grad(copy).shares_storage(grad(x)));
  backward(call_op<"aten.sum.default">(square(copy), Value()));
  EXPECT_EQ(to_string(grad(copy)), "Tensor(f32[2,2]@cpu, [[4, 8], [12, 16]])");
  EXPECT_EQ(to_string(grad(x)), "Tensor(f32[2,2]@cpu, [[2, 4], [6, 8]])");
}

// DBG-17: copies of computed tensors and of views require gradients as their originals do; the graph is not copied
TEST(TensorCopies, OfComputedTensorsAreNoLeaves) {
  const Tensor x = tensor_of<float>({1, 2, 3, 4}, {2, 2});
  set_requires_grad(x);
  const Tensor y = call_op<"aten.exp.default">(x), row = call_op<"aten.select.int">(x, 0, 0);
  TensorCopies copies;
  const Tensor of_y = copies.of(y), of_row = copies.of(row), of_x = copies.of(x);
  EXPECT_TRUE(requires_grad(of_y));
  EXPECT_FALSE(is_leaf(of_y));
  EXPECT_TRUE(is_view(of_row));
  EXPECT_THROW(backward(call_op<"aten.sum.default">(of_y, Value())), Error);
  backward(call_op<"aten.sum.default">(of_row, Value()));
  EXPECT_EQ(to_string(grad(of_x)), "Tensor(f32[2,2]@cpu, [[1, 1], [0, 0]])");
  EXPECT_FALSE(grad(x));
}

// DBG-15: copies in f64 keep strides and sharing
TEST(WideCopies, KeepLayoutAndSharing) {
  const Tensor base = tensor_of<float>({0, 1, 2, 3}, {4}), odd = make_view(base, meta_of("f32[2]{2}+1"));
  WideCopies copies;
  const Tensor wide_base = copies.of(base), wide = copies.of(odd);
  EXPECT_EQ(to_string(wide.meta()), "f64[2]{2}+1@cpu");
  EXPECT_EQ(to_string(wide), "Tensor(f64[2]{2}+1@cpu, [1, 3])");
  EXPECT_TRUE(wide.shares_storage(wide_base));
}

// DBG-16: a tensor whose elements overlap has a copy whose elements overlap; the copy of a fake is a fake
TEST(TensorCopies, KeepOverlapAndFakes) {
  const Tensor expanded = make_view(tensor_of<float>({7}, {1}), meta_of("f32[3]{0}"));
  const Tensor copy = TensorCopies().of(expanded);
  EXPECT_EQ(copy.meta(), expanded.meta());
  EXPECT_EQ(to_string(copy), to_string(expanded));
  const FakeMode mode;
  const Tensor fake = mode.from_tensor(expanded);
  EXPECT_TRUE(mode.owns(deep_copy(fake)));
  EXPECT_EQ(deep_copy(fake).meta(), fake.meta());
}

// DBG-17: tensors in lists are copied, the original list is unchanged, and other items stay as they are
TEST(TensorCopies, OfAListLeaveTheListAlone) {
  const Tensor t = tensor_of<float>({1, 2}, {2});
  const Value list = Value::list(std::vector<Value>{t, 3, Value::list(std::vector<Value>{t})});
  const std::vector<Value> copies = TensorCopies().of(std::vector<Value>{list});
  const std::span<const Value> items = copies[0].as_list();
  EXPECT_FALSE(items[0].tensor().shares_storage(t));
  EXPECT_TRUE(items[2].as_list()[0].tensor().is(items[0].tensor()));
  EXPECT_EQ(items[1], Value(3));
  EXPECT_TRUE(list.as_list()[0].tensor().is(t));
  items[0].tensor().data<float>()[0] = 9;
  EXPECT_EQ(t.data<float>()[0], 1);
}

}  // namespace
}  // namespace ersatz
