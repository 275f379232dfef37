// Layouts of elementwise results of mixed dtypes, as in PyTorch: eager on the CPU, TensorIterator's rules for CUDA.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include <fmt/ranges.h>
#include "fake/mode/fake_mode.h"
#include "kernels/pointwise/pointwise.h"

#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

std::string strides_on(const char* device, std::string a, std::string b) {
  const FakeMode mode;
  const Tensor x = mode.make(meta_of(a + "@" + device)), y = mode.make(meta_of(b + "@" + device));
  return to_string(ops::mul(x, y).meta());
}
std::string real_strides(const std::string& a, const std::string& b) {
  return to_string(ops::mul(make_real_tensor(meta_of(a)), make_real_tensor(meta_of(b))).meta());
}

// BEY-09: on the CPU the expanded operand is converted first, to a dense copy, which counts for the layout. On CUDA the
// expanded operand itself has stride 0 and does not count, so the transposed operand decides.
TEST(ElementwiseLayout, TransposedComplexTimesExpandedFloat) {
  EXPECT_EQ(strides_on("cpu", "c64[2,3]{1,2}", "f32[2,3]{1,0}"), "c64[2,3]{1,2}+0@cpu");
  EXPECT_EQ(strides_on("cpu", "f32[2,3]{1,0}", "c64[2,3]{1,2}"), "c64[2,3]{3,1}+0@cpu");
  EXPECT_EQ(strides_on("cuda:0", "c64[2,3]{1,2}", "f32[2,3]{1,0}"), "c64[2,3]{1,2}+0@cuda:0");
  EXPECT_EQ(strides_on("cuda:0", "f32[2,3]{1,0}", "c64[2,3]{1,2}"), "c64[2,3]{1,2}+0@cuda:0");
  EXPECT_EQ(real_strides("f32[2,3]{1,0}", "c64[2,3]{1,2}"), "c64[2,3]{3,1}+0@cpu");
  EXPECT_EQ(real_strides("c64[2,3]{1,2}", "f32[2,3]{1,0}"), "c64[2,3]{1,2}+0@cpu");
}
// Answers of PyTorch 2.15: eager on the CPU, and its prediction for CUDA.
TEST(ElementwiseLayout, ConvertingUnaryOpsFollowTheirInput) {
  const FakeMode mode;
  const std::pair<const char*, const char*> layouts[] = {{"[2,3]{1,2}", "[2,3]{1,2}"},
                                                         {"[2,3]{1,0}", "[2,3]{3,1}"},
                                                         {"[2,3,4]{0,1,3}", "[2,3,4]{12,1,3}"},
                                                         {"[2,3,4]{1,0,2}", "[2,3,4]{1,2,6}"}};
  for (const auto& [in, out] : layouts) {
    for (const std::string device : {"@cpu", "@cuda:0"}) {
      const Tensor integers = mode.make(meta_of("i64" + (in + device))),
                   complex = mode.make(meta_of("c64" + (in + device)));
      const std::string expected = "f32" + std::string(out) + "+0" + device;
      EXPECT_EQ(to_string(call("aten.cos.default", {integers})[0].tensor().meta()), expected);
      EXPECT_EQ(to_string(call("aten.abs.default", {complex})[0].tensor().meta()), expected);
    }
    EXPECT_EQ(to_string(ops::cos(make_real_tensor(meta_of(std::string("i64") + in))).meta()),
              "f32" + std::string(out) + "+0@cpu");
  }
}

// BEY-09
TEST(ElementwiseLayout, FirstOperandsOrderOfFourDimsIsKept) {
  const std::array<int, 4> sizes = {2, 3, 4, 5};
  std::array<int, 4> order = {0, 1, 2, 3};
  size_t orders = 0;
  do {
    std::array<int, 4> strides{};
    int stride = 1;
    for (size_t k = 4; k-- > 0;) {
      const auto d = static_cast<size_t>(order[k]);
      strides[d] = stride;
      stride *= sizes[d];
    }
    const std::string layout = fmt::format("[2,3,4,5]{{{}}}", fmt::join(strides, ","));
    for (const char* other : {"f32[2,3,4,5]", "f64[2,3,4,5]{0,0,0,1}", "i64[2,3,4,5]{1,2,6,24}"}) {
      const std::string dtype = other[0] == 'i' ? "f16" : std::string(other, 3);
      EXPECT_EQ(strides_on("cpu", "f16" + layout, other), dtype + layout + "+0@cpu") << other;
      EXPECT_EQ(strides_on("cuda:0", "f16" + layout, other), dtype + layout + "+0@cuda:0") << other;
      EXPECT_EQ(real_strides("f16" + layout, other), dtype + layout + "+0@cpu") << other;
    }
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(orders, 24u);
}

}  // namespace
}  // namespace ersatz
