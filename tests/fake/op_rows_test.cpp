// Rows of docs/behaviours.md about single ops, each from a problem that users of fake tensors had.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "fake/mode/fake_mode.h"
#include "kernels/conv/convolution.h"
#include "kernels/indexing/index.h"
#include "kernels/indexing/nonzero.h"
#include "kernels/pointwise/closeness.h"
#include "kernels/pointwise/pointwise.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

class OpRows : public testing::Test {
 protected:
  Tensor make(const char* text) { return mode.make(meta_of(text)); }
  FakeMode mode;
  FakeScope scope{mode};
};

std::vector<std::string> metas_of(const Values& values) {
  std::vector<std::string> metas;
  for_each_tensor(values, [&](const TensorImpl* t) { metas.push_back(to_string(t->meta)); });
  return metas;
}

// OPS-01: constructors, also with `out=`, return fakes with the metadata of ersatz's real call. A test on recorded
// calls compares them with eager (Conformance.ConstructorsAnswerWhatEagerDid).
TEST_F(OpRows, ConstructorsAnswerTheRealMetadata) {
  std::set<std::string_view> factories;
  for (const OpEntry* op : registry().all()) {
    if (op->tags.has(Tag::Factory)) factories.insert(op->base());
  }
  int compared = 0;
  for (const OpEntry* op : registry().all()) {
    const std::string_view base = op->base();
    const bool constructs = factories.contains(base) || base.ends_with("_like") || base.starts_with("new_");
    if (!constructs || !op->name.starts_with("aten.") || op->tags.has(Tag::DataDependent)) continue;
    for (const Sample& sample : op->samples) {
      std::vector<std::string> real, fake;
      {
        const SuspendModes for_real;
        Values results;
        dispatch(*op, sample_arguments(*op, sample), results);
        real = metas_of(results);
      }
      {
        std::vector<Value> args;
        {
          const SuspendModes for_real;
          args = sample_arguments(*op, sample);
        }
        for (Value& v : args) {
          if (v.is_tensor()) v = mode.from_tensor(v.tensor());
        }
        Values results;
        dispatch(*op, args, results);
        for_each_tensor(results, [&](const TensorImpl* t) { EXPECT_TRUE(t->fake_mode) << op->name; });
        fake = metas_of(results);
      }
      EXPECT_EQ(real, fake) << op->name << "(" << sample.arguments << ")";
      ++compared;
    }
  }
  EXPECT_GT(compared, 50);
  for (const char* text : {"cpu", "cuda:0"}) {
    const std::vector<std::pair<std::string, Value>> options{{"device", Value(*parse_device(text))}};
    const Value size[] = {Value::int_list(std::vector<int64_t>{2, 3})};
    EXPECT_EQ(call(op_named("aten.ones.default"), size, options)[0].tensor().device(), *parse_device(text));
  }
}

// OPS-01
TEST_F(OpRows, NamedDimsAreRefusedByName) {
  const Error e = error_of([] {
    const Value size[] = {Value::int_list(std::vector<int64_t>{2})};
    const std::vector<std::pair<std::string, Value>> names{{"names", Value()}};
    call(op_named("aten.zeros.names"), size, names);
  });
  EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator);
  EXPECT_THAT(e.message, HasSubstr("named tensors"));
}

// OPS-05
TEST_F(OpRows, NonzeroHasASizeThatDependsOnData) {
  const Error e = error_of([&] { ops::nonzero(make("f32[10,10]")); });
  EXPECT_EQ(e.kind, ErrorKind::DynamicOutputShape);
  EXPECT_THAT(e.message, HasSubstr("nonzero"));
}

// OPS-13
TEST_F(OpRows, ComparingDataThatIsNotThereNamesOp) {
  const Tensor x = make("f32[2]"), y = make("f32[2]");
  const Error equal = error_of([&] { ops::equal(x, y); }), close = error_of([&] { ops::allclose(x, y); });
  EXPECT_EQ(equal.kind, ErrorKind::DataDependentOutput);
  EXPECT_EQ(close.kind, ErrorKind::DataDependentOutput);
  EXPECT_THAT(equal.message, HasSubstr("equal"));
  EXPECT_THAT(close.message, HasSubstr("allclose"));
}

// OPS-15
TEST_F(OpRows, ValuesOnAnotherDeviceMustBeZeroDim) {
  const Tensor x = make("f32[4,4]@cuda:0");
  const std::optional<Tensor> at[] = {make("i64[2]@cuda:0")};
  for (const bool in_place : {true, false}) {
    const auto put = [&](const Tensor& values) {
      return in_place ? ops::index_put_(x, at, values) : ops::index_put(x, at, values);
    };
    const Error e = error_of([&] { put(make("f32[2,4]")); });
    EXPECT_EQ(e.kind, ErrorKind::DeviceMismatch);
    EXPECT_EQ(e.argument, 2);
    EXPECT_THAT(e.message, HasSubstr("device"));
    EXPECT_THAT(e.message, HasSubstr("f32[2,4]"));
    EXPECT_EQ(put(make("f32[]")).device(), cuda(0));
  }
}

// OPS-20: with channels-last weights or inputs, results have the memory format that the backend chooses. Results of
// rank 3 are row-major.
TEST_F(OpRows, ConvolutionsKeepTheFormatOfTheirBackend) {
  const auto conv = [&](const char* input, const char* weight) {
    const Tensor x = make(input), w = make(weight);
    const size_t rank = static_cast<size_t>(x.dim()) - 2;
    const Value args[] = {x,
                          w,
                          Value(),
                          Value::int_list(std::vector<int64_t>(rank, 1)),
                          Value::int_list(std::vector<int64_t>(rank, 0)),
                          Value::int_list(std::vector<int64_t>(rank, 1)),
                          Value(false),
                          Value::int_list(std::vector<int64_t>(rank, 0)),
                          Value(1)};
    return to_string(call(op_named("aten.convolution.default"), args)[0].tensor().meta());
  };
  EXPECT_EQ(conv("f32[2,3,6,6]{108,1,18,3}@cpu", "f32[4,3,3,3]@cpu"), "f32[2,4,4,4]{64,1,16,4}+0@cpu");
  EXPECT_EQ(conv("f32[2,3,6,6]{108,1,18,3}@cuda:0", "f32[4,3,3,3]@cuda:0"), "f32[2,4,4,4]{64,1,16,4}+0@cuda:0");
  EXPECT_EQ(conv("f32[2,3,6,6]@cuda:0", "f32[4,3,3,3]@cuda:0"), "f32[2,4,4,4]{64,16,4,1}+0@cuda:0");
  EXPECT_EQ(conv("f32[2,3,6]{18,1,3}@cuda:0", "f32[4,3,3]@cuda:0"), "f32[2,4,4]{16,4,1}+0@cuda:0");
}

// OPS-30
TEST_F(OpRows, NanToNumKeepsItsDtype) {
  for (const char* dtype : {"f16", "f32"}) {
    const Tensor x = make(fmt::format("{}[2]", dtype).c_str());
    EXPECT_EQ(name(call("aten.nan_to_num.default", {x, Value(), Value(), Value()})[0].tensor().dtype()), dtype);
    EXPECT_EQ(name(call("aten.nan_to_num.default", {x, 0.0, Value(), Value()})[0].tensor().dtype()), dtype);
  }
}

// OPS-31
TEST_F(OpRows, AFloatByAnIntegerIsAFloat) {
  EXPECT_EQ(to_string(ops::div(make("f32[2,2]"), make("i64[2,2]")).meta()), "f32[2,2]{2,1}+0@cpu");
}

// OPS-02
TEST_F(OpRows, RandpermIsOfIntegers) {
  const std::vector<std::pair<std::string, Value>> on_cpu{{"device", Value(kCPU)}};
  const Value ten[] = {Value(10)}, five[] = {Value(5)};
  EXPECT_EQ(to_string(call(op_named("aten.randperm.default"), ten)[0].tensor().meta()), "i64[10]{1}+0@cpu");
  EXPECT_EQ(to_string(call(op_named("aten.randperm.default"), five, on_cpu)[0].tensor().meta()), "i64[5]{1}+0@cpu");
}

// OPS-03: an exact rule predicts the strides of the real kernel, without a fallback.
TEST_F(OpRows, FourierTransformsKeepTheirKernelsStrides) {
  const auto strides = [&](const char* self, std::initializer_list<int64_t> dims) {
    const Value args[] = {make(self), Value::int_list(std::vector<int64_t>(dims)), Value(0), Value(true)};
    return to_string(call(op_named("aten._fft_r2c.default"), args)[0].tensor().meta());
  };
  EXPECT_EQ(strides("f32[4,6]", {1}), "c64[4,4]{4,1}+0@cpu");
  EXPECT_EQ(strides("f32[4,6]", {0}), "c64[3,6]{1,3}+0@cpu");
  EXPECT_EQ(strides("f32[2,4,6]", {2, 1}), "c64[2,3,6]{18,1,3}+0@cpu");
}

// OPS-34: the image has strides {1,1920,3} in a batch of one. The batch's stride 3 is not that of channels-last.
TEST_F(OpRows, AFewChannelsUpsampledOnCudaAreContiguous) {
  const Value args[] = {make("f32[1,3,427,640]{3,1,1920,3}@cuda:0"), Value::int_list(std::vector<int64_t>{800, 1199}),
                        Value(false), Value(), Value()};
  EXPECT_EQ(to_string(call(op_named("aten.upsample_bilinear2d.default"), args)[0].tensor().meta()),
            "f32[1,3,800,1199]{2877600,959200,1199,1}+0@cuda:0");
}

// OPS-37
TEST_F(OpRows, NestedTensorsAreRefusedByName) {
  const Tensor padded = make("f32[2,3,4]"), mask = make("bool[2,3]");
  const Error e = error_of([&] { call("aten._nested_tensor_from_mask.default", {padded, mask, true}); });
  EXPECT_EQ(e.kind, ErrorKind::UnsupportedOperator);
  EXPECT_THAT(e.message, HasSubstr("does not support strided NestedTensor"));
  const Tensor buffer = make("f32[6]"), numbers = make("i64[2,1]");
  for (const char* view : {"aten._nested_view_from_buffer.default", "aten._nested_view_from_buffer_copy.default"}) {
    const Error refused = error_of([&] { call(view, {buffer, numbers, numbers, make("i64[2]")}); });
    EXPECT_EQ(refused.kind, ErrorKind::UnsupportedOperator) << view;
    EXPECT_THAT(refused.message, HasSubstr("does not support strided NestedTensor")) << view;
  }
}

}  // namespace
}  // namespace ersatz
