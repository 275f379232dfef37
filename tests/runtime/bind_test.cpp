// Binding of boxed arguments to schemas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/op/schema.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Keywords = std::vector<std::pair<std::string, Value>>;

Value ints(std::initializer_list<int64_t> v) { return Value::int_list(std::span(v.begin(), v.size())); }
Value items(std::initializer_list<Value> v) { return Value::list(std::span(v.begin(), v.size())); }

/// Returns `v` as bound to an argument `type x`.
Value as(const std::string& type, Value v) {
  FunctionSchema schema = parse_schema("ns::f(" + type + " x) -> ()");
  check_argument(schema, 0, v);
  return v;
}

Error refusal(const std::string& schema, std::initializer_list<Value> positional, const Keywords& keywords = {}) {
  try {
    bind_arguments(parse_schema(schema), std::span(positional.begin(), positional.size()), keywords);
  } catch (const Error& e) {
    return e;
  }
  return Error(ErrorKind::InternalError, ErrorFamily::Runtime, "accepted");
}

std::vector<Value> bind(const std::string& schema, std::initializer_list<Value> positional,
                        const Keywords& keywords = {}) {
  return bind_arguments(parse_schema(schema), std::span(positional.begin(), positional.size()), keywords);
}

TEST(CheckArgument, ConvertsBetweenNumbers) {
  EXPECT_EQ(as("float", 2), Value(2.0));
  EXPECT_EQ(as("float", true), Value(1.0));
  EXPECT_EQ(as("int", true), Value(1));
  EXPECT_EQ(as("bool", 1), Value(true));
  EXPECT_EQ(as("float?", 2), Value(2.0));
}

TEST(CheckArgument, KeepsTheKindOfScalars) {
  EXPECT_EQ(as("Scalar", 2), Value(2));
  EXPECT_EQ(as("Scalar", 2.0), Value(2.0));
  EXPECT_EQ(as("Scalar", true), Value(true));
}

TEST(CheckArgument, NumberInATensorSlotStaysANumber) {
  EXPECT_EQ(as("Tensor", 2), Value(2));
  EXPECT_EQ(as("Tensor?", 2.5), Value(2.5));
}

TEST(CheckArgument, OneValueFillsAListOfFixedSize) {
  EXPECT_EQ(as("int[2]", 3), ints({3, 3}));
  EXPECT_EQ(as("SymInt[1]?", 3), ints({3}));
  EXPECT_EQ(as("bool[3]", true), items({true, true, true}));
  EXPECT_EQ(as("float[2]", 1), items({1.0, 1.0}));
}

TEST(CheckArgument, LengthOfAListIsAHint) {
  EXPECT_EQ(as("int[2]", ints({5})), ints({5}));
  EXPECT_EQ(as("int[2]", ints({})), ints({}));
}

TEST(CheckArgument, EmptyListIsOfAnyKind) {
  EXPECT_EQ(as("int[]", items({})), ints({}));
  EXPECT_EQ(as("Tensor[]", ints({})).as_list().size(), 0u);
  EXPECT_EQ(as("float[]", ints({})).as_list().size(), 0u);
  EXPECT_EQ(as("bool[]", ints({})).as_list().size(), 0u);
}

TEST(CheckArgument, BoolsHaveTheLengthThatIsAskedFor) {
  for (const auto& given : {items({}), items({true, false})}) {
    try {
      as("bool[3]", given);
      FAIL() << given.as_list().size() << " elements were taken for 3";
    } catch (const Error& e) {
      EXPECT_EQ(e.family, ErrorFamily::Runtime);
      EXPECT_THAT(e.message, testing::HasSubstr("must have 3 elements"));
    }
  }
  EXPECT_EQ(as("int[3]", ints({1})), ints({1}));
}

TEST(CheckArgument, ConvertsElements) {
  EXPECT_EQ(as("float[]", ints({1, 2})), items({1.0, 2.0}));
  EXPECT_EQ(as("float[]", items({1.5, 2})), items({1.5, 2.0}));
  EXPECT_EQ(as("float[]", items({1, 2.5})), items({1.0, 2.5}));
  EXPECT_EQ(as("int[]", items({true, 2})), ints({1, 2}));
  EXPECT_EQ(as("bool[2]", ints({1, 0})), items({true, false}));
  EXPECT_EQ(as("Scalar[]", ints({1, 2})), items({1, 2}));
}

TEST(CheckArgument, TensorListsHoldTensorsAndWhereAllowedNone) {
  Tensor x = tensor_of<float>({1}, {1});
  EXPECT_EQ(as("Tensor[]", items({x, x})), items({x, x}));
  EXPECT_EQ(as("Tensor?[]", items({x, Value()})), items({x, Value()}));
  EXPECT_THROW(as("Tensor[]", items({x, Value()})), Error);
  EXPECT_THROW(as("Tensor[]", items({x, 1.0})), Error);
  EXPECT_THROW(as("Tensor[]", x), Error);
}

TEST(CheckArgument, TakesC10Numbers) {
  EXPECT_EQ(as("ScalarType?", 15), Value(DType::BF16));
  EXPECT_EQ(as("ScalarType", 11), Value(DType::Bool));
  EXPECT_EQ(as("MemoryFormat?", 3), Value(MemoryFormat::ChannelsLast3d));
  EXPECT_EQ(as("Layout?", 0), Value(Layout::Strided));
  EXPECT_EQ(as("ScalarType", 8).as_dtype(), DType::C32);
  EXPECT_EQ(as("ScalarType", 24).as_dtype(), DType::F8E4M3FN);
  EXPECT_THROW(as("ScalarType", 12), Error) << "qint8";
  EXPECT_THROW(as("MemoryFormat", 4), Error);
}

TEST(CheckArgument, TakesADeviceByName) {
  EXPECT_EQ(as("Device?", "cuda:1"), Value(cuda(1)));
  EXPECT_THROW(as("Device", "gpu"), Error);
}

TEST(CheckArgument, OptionalIntTakesADtype) {
  EXPECT_EQ(as("int?", DType::F16), Value(DType::F16));
  EXPECT_THROW(as("int", DType::F16), Error);
}

TEST(CheckArgument, RefusesOtherKinds) {
  EXPECT_THROW(as("int", 1.0), Error);
  EXPECT_THROW(as("int[]", items({1.0})), Error);
  EXPECT_THROW(as("int[]", 3), Error) << "no size to fill";
  EXPECT_THROW(as("float", std::complex<double>(0, 1)), Error);
  EXPECT_THROW(as("bool", 1.0), Error);
  EXPECT_THROW(as("str", 1), Error);
  EXPECT_THROW(as("Tensor", Value()), Error);
  EXPECT_THROW(as("Tensor", ints({1})), Error);
  EXPECT_THROW(as("Scalar", "x"), Error);
  EXPECT_THROW(as("Generator?", 0), Error);
}

TEST(BindArguments, FillsDefaultsIn) {
  std::vector<Value> bound = bind("ns::f(int a, int b=2, *, float c=0.5) -> ()", {1});
  EXPECT_THAT(bound, ElementsAre(Value(1), Value(2), Value(0.5)));
}

TEST(BindArguments, TakesKeywordsInAnyOrder) {
  std::vector<Value> bound = bind("ns::f(int a, int b=2, *, float c=0.5) -> ()", {}, {{"c", 1}, {"a", 7}});
  EXPECT_THAT(bound, ElementsAre(Value(7), Value(2), Value(1.0)));
}

TEST(BindArguments, CompleteListMayHoldKeywordOnlyArguments) {
  std::vector<Value> bound = bind("ns::f(int a, *, float c=0.5) -> ()", {1, 2});
  EXPECT_THAT(bound, ElementsAre(Value(1), Value(2.0)));
}

TEST(BindArguments, RefusalNamesOpAndArgument) {
  Error e = refusal("ns::f(int a, int[2] pad) -> ()", {1, "x"});
  EXPECT_EQ(e.message, "f: argument pad must be int[2], not \"x\" (str)");
  EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
  EXPECT_EQ(e.family, ErrorFamily::Type);
  EXPECT_EQ(e.op, "f");
  EXPECT_EQ(e.argument, 1);
}

TEST(BindArguments, MissingArgumentIsRefused) {
  EXPECT_EQ(refusal("ns::f(int a) -> ()", {}).message, "f: argument a is missing");
}

TEST(BindArguments, SurplusArgumentIsRefused) {
  EXPECT_EQ(refusal("ns::f(int a) -> ()", {1, 2}).message, "f: takes 1 arguments, 2 were given: ns::f(int a) -> ()");
}

TEST(BindArguments, ArgumentGivenTwiceIsRefused) {
  EXPECT_EQ(refusal("ns::f(int a) -> ()", {1}, {{"a", 2}}).message, "f: argument a is given twice");
}

TEST(BindArguments, UnknownArgumentIsRefused) {
  EXPECT_EQ(refusal("ns::f(int a=0) -> ()", {}, {{"b", 2}}).message, "f: there is no argument b: ns::f(int a=0) -> ()");
}

TEST(BindArguments, KeywordOnlyArgumentByPositionIsRefused) {
  EXPECT_EQ(refusal("ns::f(int a, *, int b=1, int c=2) -> ()", {1, 2}).message,
            "f: takes 1 positional arguments, 2 were given (b is keyword-only)");
}

TEST(BindArguments, LongValuesAreCutInMessages) {
  Error e = refusal("ns::f(int a) -> ()", {Value(std::string(5000, 'x'))});
  EXPECT_LT(e.message.size(), 150u);
  EXPECT_THAT(e.message, HasSubstr("..."));
}

}  // namespace
}  // namespace ersatz
