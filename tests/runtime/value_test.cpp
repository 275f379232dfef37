#include "runtime/op/value.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ersatz {
namespace {

TEST(Value, KeepsTheKindOfANumber) {
  EXPECT_EQ(Value(2).kind(), Value::Kind::Int);
  EXPECT_EQ(Value(2.0).kind(), Value::Kind::Float);
  EXPECT_EQ(Value(true).kind(), Value::Kind::Bool);
  EXPECT_EQ(Value(Scalar(2)).kind(), Value::Kind::Int);
  EXPECT_EQ(Value(Scalar(std::complex<double>(1, 2))).as_complex(), std::complex<double>(1, 2));
}

TEST(Value, EndsOfAListAreItemsNotBools) {
  const Value items[] = {1, 2, 3};
  const Value* const first = items;
  const std::vector<Value> list{first, first + 3};  // of two pointers
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[2], Value(3));
}

TEST(Value, NumberHas64BitsAndSizeHasFewer) {
  for (const int64_t n : {INT64_MIN, INT64_MIN + 1, -(int64_t(1) << 62) - 1, -(int64_t(1) << 62), INT64_MAX}) {
    const Value v(n), copy = v, back = v.as_scalar();
    EXPECT_EQ(copy.as_int64(), n);
    EXPECT_EQ(back.as_int64(), n);
    EXPECT_EQ(v.as_scalar().to_int(), n);
    EXPECT_EQ(v, back);
    EXPECT_FALSE(v.is_symbolic_int());
    EXPECT_EQ(to_string(v), std::to_string(n));
  }
  EXPECT_THROW(Value(INT64_MIN).as_int(), Error);
  EXPECT_EQ(Value(INT64_MIN).as_double(), -0x1p63);
}

TEST(Value, ListWithNonSizeIsListOfValues) {
  const Value sizes[] = {Value(1), Value(2)}, numbers[] = {Value(1), Value(INT64_MIN)};
  EXPECT_EQ(Value::packed(sizes).kind(), Value::Kind::IntList);
  EXPECT_EQ(to_string(Value::packed(numbers)), "[1, -9223372036854775808]");
}

TEST(Value, IntAndFloatAreNotEqual) {
  EXPECT_NE(Value(1), Value(1.0));
  EXPECT_NE(Value(1), Value(true));
  EXPECT_EQ(Value(std::nan("")), Value(std::nan("")));
}

TEST(Value, BorrowedTensorTakesNoReference) {
  Tensor t = tensor_of<float>({1, 2}, {2});
  EXPECT_EQ(t.impl()->use_count(), 1u);
  Value borrowed = Value::borrow(t);
  EXPECT_EQ(t.impl()->use_count(), 1u);
  Value copy = borrowed;
  EXPECT_EQ(t.impl()->use_count(), 2u);
}

TEST(Value, TakingTheTensorLeavesNoneBehind) {
  Value v(tensor_of<float>({1}, {1}));
  Tensor t = v.take_tensor();
  EXPECT_TRUE(v.is_none());
  EXPECT_EQ(t.impl()->use_count(), 1u);
}

TEST(Value, AListIsNotTakenForATensor) {
  std::vector<Value> items = {Value(int64_t(1))};
  const Value borrowed = Value::list(items);
  Value owned = borrowed;
  EXPECT_THROW(owned.take_tensor(), Error);
}

TEST(Value, CopiesOfListsOwnTheirItems) {
  Value copy;
  {
    SymInt sizes[] = {2, 3};
    Value borrowed = Value::borrow(std::span<const SymInt>(sizes));
    copy = borrowed;
    sizes[0] = 7;
  }
  ASSERT_EQ(copy.as_ints().size(), 2u);
  EXPECT_EQ(copy.as_ints()[0].as_int(), 2);
}

TEST(Value, ListsOfTensorsReleaseThem) {
  Tensor t = tensor_of<float>({1}, {1});
  {
    Value items[] = {Value(t), Value(t)};
    Value list = Value::list(items);
    Value again = list;
    EXPECT_EQ(t.impl()->use_count(), 7u);
  }
  EXPECT_EQ(t.impl()->use_count(), 1u);
}

TEST(Value, EmptyListIsListOfAnyKind) {
  Value ints{std::span<const SymInt>()};
  EXPECT_EQ(ints.as_list().size(), 0u);
  EXPECT_EQ(Value::list({}).as_ints().size(), 0u);
}

TEST(Value, ReadingAnotherKindIsAnInternalError) {
  try {
    Value("text").as_bool();
    FAIL() << "a string was read as bool";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InternalError);
  }
}

TEST(Scalar, ConvertsToElementTypes) {
  EXPECT_EQ(Scalar(2.75).to<int32_t>(), 2);
  EXPECT_EQ(Scalar(3).to<float>(), 3.0f);
  EXPECT_EQ(Scalar(true).to<double>(), 1.0);
  EXPECT_EQ(Scalar(int64_t(9007199254740993)).to<int64_t>(), 9007199254740993);
}

TEST(Scalar, RefusesToDropImaginaryPartOrOverflowInt64) {
  EXPECT_THROW(Scalar(std::complex<double>(1, 2)).to_double(), Error);
  EXPECT_THROW(Scalar(1e300).to_int(), Error);
  EXPECT_THROW(Scalar(std::nan("")).to_int(), Error);
}

}  // namespace
}  // namespace ersatz
