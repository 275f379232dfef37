// The C interface of fake/ask/ask.h: a program passes a call and gets metadata, aliases or an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fake/values_from_c.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Makes calls through the C interface and keeps the answer of the last call.
class Asking : public ToldValues {
 public:
  explicit Asking(const ErsatzAskContext* context = nullptr) : context_(context) {}
  ~Asking() { ask_->free_asker(asker_); }

  int status(const char* op, std::vector<ErsatzValue> arguments) {
    answer_ = {sizeof answer_};
    const ErsatzOpEntry* const entry = ask_->find_op(op);
    if (!entry) return -1;
    return ask_->ask(asker_, entry, context_, arguments.data(), static_cast<uint32_t>(arguments.size()), &answer_);
  }
  /// Returns the metadata of the only result as text; the message if the call was not answered.
  std::string text(const char* op, std::vector<ErsatzValue> arguments) {
    if (status(op, std::move(arguments)) != ERSATZ_ANSWER_GIVEN) return answer_.message;
    return answer_.count == 1 ? spelled(answer_.results[0].tensor) : fmt::format("{} results", answer_.count);
  }
  const ErsatzAnswer& answer() const { return answer_; }
  const ErsatzResult& result(size_t i = 0) const { return answer_.results[i]; }

  static std::string spelled(const ErsatzTensorMeta& t) {
    const auto rank = static_cast<size_t>(t.ndim);
    DimVec sizes, strides;
    for (size_t d = 0; d < rank; ++d) sizes.push_back(t.sizes[d]), strides.push_back(t.strides[d]);
    TensorMeta m(*dtype_from_c(t.dtype), sizes, strides, *device_from_c(t.device));
    m.offset = t.offset;
    return to_string(m);
  }

 private:
  const ErsatzAsk* ask_ = ersatz_ask(ERSATZ_ASK_ABI);
  ErsatzAsker* asker_ = ask_->new_asker();
  const ErsatzAskContext* context_;
  ErsatzAnswer answer_ = {};
};

TEST(Ask, AnotherInterfaceIsRefused) { EXPECT_EQ(ersatz_ask(ERSATZ_ASK_ABI + 1), nullptr); }

TEST(Ask, OperatorsAreFoundBySpellingAndHaveSchemas) {
  const ErsatzAsk* const ask = ersatz_ask(ERSATZ_ASK_ABI);
  EXPECT_EQ(ask->find_op("aten::add.Tensor"), ask->find_op("aten.add.Tensor"));
  EXPECT_EQ(ask->find_op("aten.no_such_op.default"), nullptr);
  EXPECT_EQ(ask->find_op(nullptr), nullptr);
  EXPECT_STREQ(ask->schema_of(ask->find_op("aten.relu.default")), "aten::relu(Tensor self) -> Tensor");
}

TEST(Ask, FreshResultHasStorageOfNoArgument) {
  Asking a;
  EXPECT_EQ(a.text("aten.add.Tensor", {a.tensor("f32[2,1]@cuda:0"), a.tensor("f16[3]@cuda:0")}),
            "f32[2,3]{3,1}+0@cuda:0");
  EXPECT_EQ(a.result().kind, ERSATZ_RESULT_FRESH);
  EXPECT_EQ(a.result().argument, -1);
  EXPECT_EQ(a.result().tensor.storage_bytes, 24);
  EXPECT_NE(a.result().tensor.storage, 101u);
  EXPECT_NE(a.result().tensor.storage, 102u);
  EXPECT_EQ(a.answer().written_count, 0u);
}

TEST(Ask, FreshResultsOfCallHaveTheirOwnStorages) {
  Asking a;
  ASSERT_EQ(a.status("aten.topk.default", {a.tensor("f32[2,5]"), a.integer(3)}), ERSATZ_ANSWER_GIVEN);
  ASSERT_EQ(a.answer().count, 2u);
  EXPECT_EQ(a.spelled(a.result(1).tensor), "i64[2,3]{3,1}+0@cpu");
  EXPECT_NE(a.result(0).tensor.storage, a.result(1).tensor.storage);
}

TEST(Ask, ViewLiesOnStorageOfItsArgument) {
  Asking a;
  EXPECT_EQ(a.text("aten.select.int", {a.tensor("f32[2,3]"), a.integer(0), a.integer(1)}), "f32[3]{1}+3@cpu");
  EXPECT_EQ(a.result().kind, ERSATZ_RESULT_VIEW);
  EXPECT_EQ(a.result().argument, 0);
  EXPECT_EQ(a.result().tensor.storage, 101u);
}

TEST(Ask, ElementsOfATensorListAreConsecutiveResults) {
  Asking a;
  ASSERT_EQ(a.status("aten.unbind.int", {a.tensor("f32[3,2]")}), ERSATZ_ANSWER_GIVEN);
  ASSERT_EQ(a.answer().count, 3u);
  EXPECT_EQ(a.spelled(a.result(2).tensor), "f32[2]{1}+4@cpu");
  EXPECT_EQ(a.result(2).kind, ERSATZ_RESULT_VIEW);
}

TEST(Ask, ArgumentThatIsReturnedIsResultAndWritten) {
  Asking a;
  ASSERT_EQ(a.status("aten.add_.Tensor", {a.tensor("f32[2,3]"), a.tensor("f32[3]")}), ERSATZ_ANSWER_GIVEN);
  EXPECT_EQ(a.result().kind, ERSATZ_RESULT_ARGUMENT);
  EXPECT_EQ(a.result().argument, 0);
  EXPECT_EQ(a.result().tensor.object, 1u);
  ASSERT_EQ(a.answer().written_count, 1u);
  EXPECT_EQ(a.answer().written[0].argument, 0);
  EXPECT_EQ(a.answer().written[0].meta_changed, 0);
}

TEST(Ask, ArgumentWithChangedMetadataHasItsNewMetadata) {
  Asking a;
  ASSERT_EQ(a.status("aten.t_.default", {a.tensor("f32[2,3]")}), ERSATZ_ANSWER_GIVEN);
  ASSERT_EQ(a.answer().written_count, 1u);
  EXPECT_EQ(a.answer().written[0].meta_changed, 1);
  EXPECT_EQ(a.spelled(a.answer().written[0].tensor), "f32[3,2]{1,3}+0@cpu");
  EXPECT_EQ(a.answer().written[0].tensor.object, 1u);
}

TEST(Ask, TensorsAreNumberedThroughLists) {
  Asking a;
  const auto lists = a.list({a.tensor("f32[2]"), a.tensor("f32[3]")});
  ASSERT_EQ(a.status("aten._foreach_add_.Scalar", {lists, a.integer(1)}), ERSATZ_ANSWER_GIVEN);
  ASSERT_EQ(a.answer().written_count, 2u);
  EXPECT_EQ(a.answer().written[1].argument, 1);
}

TEST(Ask, ANumberIsAValue) {
  Asking a;
  ASSERT_EQ(a.status("aten.sym_size.int", {a.tensor("f32[2,3]"), a.integer(1)}), ERSATZ_ANSWER_GIVEN)
      << a.answer().message;
  EXPECT_EQ(a.result().kind, ERSATZ_RESULT_VALUE);
  EXPECT_EQ(a.result().value.kind, ERSATZ_INT);
  EXPECT_EQ(a.result().value.as.integer, 3);
}

TEST(Ask, AnAbsentArgumentIsItsDefault) {
  Asking a;
  const auto x = a.tensor("f32[2,3]");
  EXPECT_EQ(a.text("aten.sum.dim_IntList", {x, a.integers({1}), a.kind(ERSATZ_ABSENT), a.kind(ERSATZ_ABSENT)}),
            "f32[2]{1}+0@cpu");
  EXPECT_EQ(a.text("aten.sum.dim_IntList", {x, a.integers({1})}), "f32[2]{1}+0@cpu");
  EXPECT_EQ(a.status("aten.sum.dim_IntList", {a.kind(ERSATZ_ABSENT)}), ERSATZ_ANSWER_REFUSED);
  EXPECT_STREQ(a.answer().message, "sum: argument 'self' is missing");
  EXPECT_STREQ(a.answer().error_family, "type");
}

TEST(Ask, ACompositeIsAnsweredByItsParts) {
  Asking a;
  EXPECT_EQ(a.text("aten.linear.default", {a.tensor("f32[2,3]"), a.tensor("f32[5,3]"), a.tensor("f32[5]")}),
            "f32[2,5]{5,1}+0@cpu");
  EXPECT_EQ(a.result().kind, ERSATZ_RESULT_FRESH);
}

TEST(Ask, ACompositeThatReturnsItsArgumentSaysSo) {
  Asking a;
  ASSERT_EQ(a.status("aten.contiguous.default", {a.tensor("f32[2,3]")}), ERSATZ_ANSWER_GIVEN) << a.answer().message;
  EXPECT_EQ(a.result().kind, ERSATZ_RESULT_ARGUMENT);
  EXPECT_EQ(a.result().argument, 0);
}

TEST(Ask, AWrongCallIsRefusedWithItsLabel) {
  Asking a;
  const auto tensors = a.list({a.tensor("f32[2,3]"), a.tensor("f32[2,4]")});
  EXPECT_EQ(a.status("aten.cat.default", {tensors, a.integer(0)}), ERSATZ_ANSWER_REFUSED);
  EXPECT_STREQ(a.answer().error_kind, "InvalidArgument");
  EXPECT_STREQ(a.answer().error_family, "runtime");
  EXPECT_STREQ(a.answer().label, "cat.C3");
  EXPECT_THAT(a.answer().message, HasSubstr("cat: "));
  EXPECT_EQ(a.answer().count, 0u);
}

TEST(Ask, WhatValuesDecideIsDataDependent) {
  Asking a;
  EXPECT_EQ(a.status("aten.nonzero.default", {a.tensor("f32[4]")}), ERSATZ_ANSWER_DATA_DEPENDENT);
  EXPECT_STREQ(a.answer().error_kind, "DynamicOutputShape");
  EXPECT_EQ(a.status("aten.item.default", {a.tensor("f32[]")}), ERSATZ_ANSWER_DATA_DEPENDENT);
}

TEST(Ask, AnAnswerAfterARefusalIsWholeAgain) {
  Asking a;
  EXPECT_EQ(a.status("aten.relu.default", {a.integer(1)}), ERSATZ_ANSWER_REFUSED);
  EXPECT_EQ(a.text("aten.relu.default", {a.tensor("f32[2]")}), "f32[2]{1}+0@cpu");
  EXPECT_STREQ(a.answer().message, "");
}

TEST(Ask, ArgumentsThatShareStorageAreSeenToOverlap) {
  Asking a;
  const auto x = a.of(a.meta("f32[4]", 7)), shifted = a.of(a.meta("f32[4]{1}+1", 7));
  EXPECT_EQ(a.status("aten.copy_.default", {x, shifted}), ERSATZ_ANSWER_REFUSED);
  EXPECT_THAT(a.answer().message, HasSubstr("share part of their memory"));
}

TEST(Ask, FlagsDecideAsTheyDoForTensors) {
  Asking a;
  ErsatzTensorMeta& number = a.meta("f64[]");
  EXPECT_EQ(a.text("aten.add.Tensor", {a.tensor("f32[]"), a.of(number)}), "f64[]{}+0@cpu");
  number.flags = ERSATZ_WRAPPED_NUMBER;
  EXPECT_EQ(a.text("aten.add.Tensor", {a.tensor("f32[]"), a.of(number)}), "f32[]{}+0@cpu");
  ErsatzTensorMeta& conjugate = a.meta("c64[2]");
  conjugate.flags = ERSATZ_CONJ;
  ASSERT_EQ(a.status("aten.view.default", {a.of(conjugate), a.integers({2, 1})}), ERSATZ_ANSWER_GIVEN);
  EXPECT_EQ(a.result().tensor.flags, uint32_t(ERSATZ_CONJ));
}

TEST(Ask, TheContextDecidesWhatItSays) {
  ErsatzAskContext context = {sizeof context};
  context.default_dtype = {2, 64, 1};
  Asking a(&context);
  EXPECT_EQ(a.text("aten.ones.default", {a.integers({2})}), "f64[2]{1}+0@cpu");
}

TEST(Ask, MalformedValuesAreRefused) {
  Asking a;
  const auto refused = [&](const ErsatzValue& v) -> std::string {
    const int status = a.status("aten.relu.default", {v});
    return status == ERSATZ_ANSWER_REFUSED ? a.answer().message : fmt::format("status {}", status);
  };
  EXPECT_EQ(refused(a.kind(99)), "there is no kind of value 99");
  EXPECT_EQ(refused(a.kind(ERSATZ_TENSOR)), "a tensor that is a null pointer");
  ErsatzTensorMeta t = a.meta("f32[2]");
  t.sizes = nullptr;
  EXPECT_EQ(refused(a.of(t)), "a tensor of rank 1 without sizes or strides");
  t = a.meta("f32[2]");
  t.ndim = -1;
  EXPECT_EQ(refused(a.of(t)), "a tensor has no rank -1");
  t = a.meta("f32[2]");
  const int64_t negative = -2;
  t.sizes = &negative;
  EXPECT_EQ(refused(a.of(t)), "a tensor has no size -2");
  t = a.meta("f32[2]");
  t.dtype = {2, 48, 1};
  EXPECT_EQ(refused(a.of(t)), "there is no dtype of code 2 and 48 bits");
  t = a.meta("f32[2]");
  t.device.type = 5;
  EXPECT_EQ(refused(a.of(t)), "there is no device of type 5 and index 0");
  t = a.meta("f32[2]");
  t.storage_bytes = -1;
  EXPECT_EQ(refused(a.of(t)), "a storage has no -1 bytes");
}

TEST(Ask, ListsWithoutElementsInMemoryAreRefused) {
  Asking a;
  const auto x = a.tensor("f32[2]");
  EXPECT_EQ(a.status("aten.view.default", {x, a.kind(ERSATZ_INT_LIST, 2)}), ERSATZ_ANSWER_REFUSED);
  EXPECT_STREQ(a.answer().message, "a list of 2 elements that is a null pointer");
  EXPECT_EQ(a.status("aten.cat.default", {a.kind(ERSATZ_LIST, 1)}), ERSATZ_ANSWER_REFUSED);
  EXPECT_STREQ(a.answer().message, "a list of 1 elements that is a null pointer");
}

TEST(Ask, IntegersThatNoSizeCanBeAreRefused) {
  Asking a;
  EXPECT_EQ(a.status("aten.view.default", {a.tensor("f32[2]"), a.integers({INT64_MIN})}), ERSATZ_ANSWER_REFUSED);
}

TEST(Ask, TooManyArgumentsAreRefused) {
  Asking a;
  EXPECT_EQ(a.status("aten.relu.default", {a.tensor("f32[2]"), a.integer(1)}), ERSATZ_ANSWER_REFUSED);
  EXPECT_STREQ(a.answer().message, "relu: takes 1 arguments, not 2");
}

}  // namespace
}  // namespace ersatz
