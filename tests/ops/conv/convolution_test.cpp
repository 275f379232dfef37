#include "kernels/conv/convolution.h"

#include "kernels/conv/conv_problem.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

struct Options {
  DimVec stride = dims({1}), padding = dims({0}), dilation = dims({1});
  bool transposed = false;
  DimVec output_padding = dims({0});
  int64_t groups = 1;
};

Tensor convolve(const Tensor& in, const Tensor& weight, const Options& o = {}, const Tensor& bias = Tensor()) {
  return ops::convolution(in, weight, bias, o.stride, o.padding, o.dilation, o.transposed, o.output_padding, o.groups);
}

/// The convolution by its definition, in double precision.
std::vector<double> reference(const Tensor& in, const Tensor& weight, const Tensor& out, const Options& o) {
  const std::vector<double> x = values_of(in), w = values_of(weight);
  std::vector<double> y(size_t(out.numel().as_int()), 0.0);
  auto n = [](const Tensor& t, int d) { return t.sizes()[size_t(d)].as_int(); };
  const int64_t in_per_group = n(in, 1) / o.groups, out_per_group = n(out, 1) / o.groups;
  auto at = [](const DimVec& v, size_t d) { return v[v.size() == 1 ? 0 : d].as_int(); };
  for (int64_t b = 0; b < n(in, 0); ++b)
    for (int64_t oc = 0; oc < n(out, 1); ++oc)
      for (int64_t i = 0; i < in_per_group; ++i)
        for (int64_t h = 0; h < n(out, 2); ++h)
          for (int64_t v = 0; v < n(out, 3); ++v)
            for (int64_t kh = 0; kh < n(weight, 2); ++kh)
              for (int64_t kw = 0; kw < n(weight, 3); ++kw) {
                const int64_t group = oc / out_per_group, ic = group * in_per_group + i;
                int64_t r = h * at(o.stride, 0) - at(o.padding, 0) + kh * at(o.dilation, 0);
                int64_t c = v * at(o.stride, 1) - at(o.padding, 1) + kw * at(o.dilation, 1);
                int64_t weight_at = ((oc * in_per_group + i) * n(weight, 2) + kh) * n(weight, 3) + kw;
                if (o.transposed) {
                  r = h + at(o.padding, 0) - kh * at(o.dilation, 0);
                  c = v + at(o.padding, 1) - kw * at(o.dilation, 1);
                  if (r % at(o.stride, 0) || c % at(o.stride, 1)) continue;
                  r /= at(o.stride, 0);
                  c /= at(o.stride, 1);
                  weight_at = ((ic * out_per_group + oc % out_per_group) * n(weight, 2) + kh) * n(weight, 3) + kw;
                }
                if (r < 0 || c < 0 || r >= n(in, 2) || c >= n(in, 3)) continue;
                y[size_t(((b * n(out, 1) + oc) * n(out, 2) + h) * n(out, 3) + v)] +=
                    x[size_t(((b * n(in, 1) + ic) * n(in, 2) + r) * n(in, 3) + c)] * w[size_t(weight_at)];
              }
  return y;
}

/// Compares every layout with the definition, in the library's kernel (f32) and in our own loops (f64, i64).
void check_against_definition(const char* in, const char* weight, const Options& o) {
  for (const char* dtype : {"f32", "f64", "i64"}) {
    const Tensor x = ramp(dtype + std::string(in)), w = ramp(dtype + std::string(weight));
    const Tensor out = convolve(x, w, o);
    EXPECT_EQ(values_of(out), reference(x, w, out, o)) << dtype << in << " with " << dtype << weight;
  }
}

TEST(Convolution, FollowsItsDefinition) {
  check_against_definition("[2,2,4,5]", "[3,2,3,2]", {});
  check_against_definition("[2,2,4,5]{40,1,10,2}", "[3,2,3,2]{12,1,4,2}", {});
  check_against_definition("[2,2,4,5]{40,20,1,4}", "[3,2,3,2]", {});
}

TEST(Convolution, StridesPadsAndDilates) {
  Options o;
  o.stride = dims({2, 1});
  o.padding = dims({1, 2});
  o.dilation = dims({1, 2});
  check_against_definition("[1,3,5,6]", "[4,3,3,2]", o);
  check_against_definition("[1,3,5,6]{90,1,18,3}", "[4,3,3,2]", o);
}

TEST(Convolution, WorksInGroups) {
  Options o;
  o.groups = 2;
  o.padding = dims({1});
  check_against_definition("[2,4,4,4]", "[6,2,3,3]", o);
  o.groups = 4;
  check_against_definition("[2,4,4,4]{64,1,16,4}", "[4,1,3,3]", o);
}

TEST(Convolution, Transposes) {
  Options o;
  o.transposed = true;
  o.stride = dims({2, 3});
  o.padding = dims({1, 0});
  o.output_padding = dims({1, 2});
  check_against_definition("[2,3,3,4]", "[3,2,3,2]", o);
  check_against_definition("[2,3,3,4]{36,1,12,3}", "[3,2,3,2]", o);
  o.groups = 3;
  check_against_definition("[2,3,3,4]", "[3,2,3,2]", o);
}

TEST(Convolution, TransposesWithDilation) {
  Options o;
  o.transposed = true;
  o.dilation = dims({2});
  o.padding = dims({1});
  check_against_definition("[1,2,3,3]", "[2,2,2,2]", o);
}

TEST(Convolution, AccumulatesHalvesInFloat) {
  const Tensor ones = tensor_from_values(DType::F16, std::vector<double>(4096, 1.0), dims({1, 4096, 1, 1}));
  expect(convolve(ones, ones)).meta("f16[1,1,1,1]{1,1,1,1}+0@cpu").values({4096});
}

std::string planned(const char* in, const char* weight, const Options& o = {}) {
  return rule_answer("aten.convolution.default",
                     {Value(shape_only(in)), Value(shape_only(weight)), Value(), Value(o.stride), Value(o.padding),
                      Value(o.dilation), Value(o.transposed), Value(o.output_padding), Value(o.groups)});
}

TEST(ConvolutionPlan, FollowsAChannelsLastInput) {
  EXPECT_EQ(planned("f32[1,2,4,4]{32,1,8,2}", "f32[3,2,3,3]"), "f32[1,3,2,2]{12,1,6,3}+0@cpu");
}

// PyTorch 2.15: on the CPU, a single small image is computed by loops whose results are row-major.
TEST(ConvolutionPlan, FollowsChannelsLast3dInputAsEagerDoes) {
  EXPECT_EQ(planned("f32[2,2,4,4,4]{128,1,32,8,2}", "f32[3,2,3,3,3]"), "f32[2,3,2,2,2]{24,1,12,6,3}+0@cpu");
  EXPECT_EQ(planned("f32[1,2,4,4,4]{128,1,32,8,2}@cuda:0", "f32[3,2,3,3,3]@cuda:0"),
            "f32[1,3,2,2,2]{24,1,12,6,3}+0@cuda:0");
  EXPECT_EQ(planned("f32[1,2,4,4,4]{128,1,32,8,2}", "f32[3,2,3,3,3]"), "f32[1,3,2,2,2]{24,8,4,2,1}+0@cpu");
}

// PyTorch 2.15: the first four sizes decide whether a 3d image is small.
TEST(ConvolutionPlan, Single3dImageIsLargeWithoutLastSize) {
  EXPECT_EQ(planned("f32[1,4,64,80,2]{40960,1,640,8,4}", "f32[2,4,1,1,1]"),
            "f32[1,2,64,80,2]{20480,10240,160,2,1}+0@cpu");
  EXPECT_EQ(planned("f32[1,4,64,81,2]{41472,1,648,8,4}", "f32[2,4,1,1,1]"), "f32[1,2,64,81,2]{20736,1,324,4,2}+0@cpu");
}

TEST(ConvolutionPlan, FollowsAChannelsLastWeight) {
  EXPECT_EQ(planned("f32[1,2,4,4]", "f32[3,2,2,2]{8,1,4,2}"), "f32[1,3,3,3]{27,1,9,3}+0@cpu");
}

TEST(ConvolutionPlan, SeesRowAsImageOfHeightOne) {
  Options o;
  o.transposed = true;
  EXPECT_EQ(planned("f32[1,4,5]{20,1,4}", "f32[4,8,3]{24,1,8}", o), "f32[1,8,7]{56,1,8}+0@cpu");
  EXPECT_EQ(planned("f32[1,4,5]{20,1,4}", "f32[4,8,3]", o), "f32[1,8,7]{56,7,1}+0@cpu");
}

TEST(ConvolutionPlan, IsRowMajorForAPermutedRow) {
  for (const char* device : {"@cpu", "@cuda:0"}) {
    EXPECT_EQ(
        planned(("f32[2,3,6]{18,1,3}" + std::string(device)).c_str(), ("f32[4,3,3]" + std::string(device)).c_str()),
        "f32[2,4,4]{16,4,1}+0" + std::string(device));
  }
}

TEST(ConvolutionPlan, IsRowMajorForF64OnCuda) {
  EXPECT_EQ(planned("f64[1,2,4,4]{32,1,8,2}@cuda:0", "f64[3,2,3,3]@cuda:0"), "f64[1,3,2,2]{12,4,2,1}+0@cuda:0");
  EXPECT_EQ(planned("f16[1,2,4,4]{32,1,8,2}@cuda:0", "f16[3,2,3,3]@cuda:0"), "f16[1,3,2,2]{12,1,6,3}+0@cuda:0");
}

TEST(ConvolutionPlan, CarriesASymbolicBatch) {
  for (bool hint : {true, false}) {
    ShapeEnv env;
    env.symbol(SymbolInfo{"s0", hint ? std::optional<int64_t>(4) : std::nullopt, 2});
    const Value one = ints({1}), zero = ints({0});
    EXPECT_EQ(rule_answer("aten.convolution.default",
                          {Value(shape_only("f32[s0,2,4,4]", &env)), Value(shape_only("f32[3,2,3,3]")), Value(), one,
                           zero, one, Value(false), zero, Value(1)}),
              "f32[s0,3,2,2]{12,4,2,1}+0@cpu");
  }
}

}  // namespace
}  // namespace ersatz
