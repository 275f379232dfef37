// Calls that are written as records and parsed again.
#include "tracer/records/record_print.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "fake/mode/fake_mode.h"
#include "runtime/op/registry.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

const OpEntry& op(const char* name) { return *registry().find(name); }

/// Writes a record of the call, parses it, and returns the arguments of the parsed record.
std::vector<Value> read_back(const OpEntry& entry, std::span<const Value> args) {
  const CallRecord record = parse_call_record(print_call_record(record_arguments(entry, args, 64)), "t:1");
  EXPECT_EQ(record.unusable, "");
  return bind_recorded(entry.schema, record, make_recorded_tensors(record));
}

TEST(RecordPrint, TensorsKeepLayoutValuesAndSharing) {
  const Tensor base = tensor_of<float>({1, 2.5f, -0.0f, INFINITY, NAN, 0.1f}, {2, 3});
  const Tensor column = make_view(base, parse_meta("f32[2]{3}+1"));
  const std::vector<Value> args{base, column, Value(2)};
  const std::vector<Value> back = read_back(op("aten.add.Tensor"), args);
  EXPECT_EQ(to_string(back[0].tensor()), to_string(base));
  EXPECT_EQ(back[1].tensor().meta(), column.meta());
  EXPECT_TRUE(back[0].tensor().shares_storage(back[1].tensor()));
  EXPECT_EQ(back[2], Value(2));
}

TEST(RecordPrint, EveryDtypeIsReadBack) {
  const auto back = [](const Tensor& t) {
    return to_string(read_back(op("aten.clone.default"), std::vector<Value>{t, Value()})[0].tensor());
  };
  for (const Tensor& t :
       {tensor_of<bool>({true, false}, {2}), tensor_of<int64_t>({std::numeric_limits<int64_t>::min(), 7}, {2}),
        tensor_of<double>({0.1, -1e300}, {2}), tensor_of<std::complex<float>>({{1, -2}}, {1}),
        tensor_of<uint8_t>({255}, {1})}) {
    EXPECT_EQ(back(t), to_string(t));
  }
}

TEST(RecordPrint, LiteralsKeepTheirKind) {
  const std::vector<Value> args{Value(DimVec{2, 3}), Value(2.0), Value(DType::F64), Value(), Value(kCPU), Value(false)};
  EXPECT_EQ(read_back(op("aten.full.default"), args), args);
  const std::string line = print_call_record(record_arguments(op("aten.full.default"), args, 64));
  EXPECT_THAT(line, HasSubstr(R"("args":[[2,3],2.0])"));
  EXPECT_THAT(line, HasSubstr(R"("dtype":{"dtype":"f64"})"));
}

TEST(RecordPrint, NumbersThatAreNotFiniteAreObjects) {
  const Tensor x = tensor_of<float>({1}, {1});
  for (const double v : {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const std::vector<Value> args{x, Value(v)};
    EXPECT_EQ(read_back(op("aten.fill.Scalar"), args)[1], Value(v));
  }
}

TEST(RecordPrint, OneTensorTwiceIsOneObject) {
  const Tensor x = tensor_of<float>({1}, {1});
  const std::vector<Value> back = read_back(op("aten.add.Tensor"), std::vector<Value>{x, x, Value(1)});
  EXPECT_TRUE(back[0].tensor().shares_storage(back[1].tensor()));
  EXPECT_THAT(print_call_record(record_arguments(op("aten.mul.Tensor"), std::vector<Value>{x, x}, 64)),
              HasSubstr(R"("is":0)"));
}

TEST(RecordPrint, FakesAndLargeTensorsKeepMetadataOnly) {
  const FakeMode mode;
  const std::vector<Value> args{mode.make(parse_meta("f32[2,2]{1,2}")), make_real_tensor(parse_meta("f32[65]"))};
  const CallRecord record = record_arguments(op("aten.mul.Tensor"), args, 64);
  EXPECT_FALSE(record.tensors[0].has_values);
  EXPECT_FALSE(record.tensors[1].has_values);
  EXPECT_EQ(to_string(record.tensors[0].meta), "f32[2,2]{1,2}+0@cpu");
}

TEST(RecordPrint, SizesThatAreSymbolsAreTheirExamples) {
  FakeOptions options;
  options.shape_env = std::make_shared<ShapeEnv>();
  const FakeMode mode(options);
  const Tensor fake = mode.from_tensor(make_real_tensor(parse_meta("f32[5,3]")));
  ASSERT_TRUE(fake.meta().is_symbolic());
  const CallRecord record = record_arguments(op("aten.relu.default"), std::vector<Value>{fake}, 64);
  EXPECT_EQ(to_string(record.tensors[0].meta), "f32[5,3]{3,1}+0@cpu");
}

TEST(RecordPrint, AnErrorIsWrittenInPlaceOfResults) {
  const Tensor x = tensor_of<float>({1}, {1});
  CallRecord record = record_arguments(op("aten.relu.default"), std::vector<Value>{x}, 64);
  record.outcome.error = "RuntimeError";
  const CallRecord back = parse_call_record(print_call_record(record), "t:1");
  EXPECT_EQ(back.outcome.error, "RuntimeError");
  EXPECT_EQ(back.op, "aten.relu.default");
}

}  // namespace
}  // namespace ersatz
