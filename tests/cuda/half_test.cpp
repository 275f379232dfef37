// Conversions of half floats on a CUDA device, compared with the host bit by bit. A GPU uses its own instructions,
// which only a GPU can test. On the emulated device, device code and host both run runtime/base/half.h.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

template <class T>
Tensor tensor_of(const std::vector<T>& elements) {
  Tensor t = make_real_tensor(TensorMeta(dtype_of<T>, std::vector<SymInt>{static_cast<int64_t>(elements.size())}));
  std::memcpy(t.raw_data(), elements.data(), elements.size() * sizeof(T));
  return t;
}

/// Returns the elements, converted on the device.
template <class To, class From>
std::vector<To> converted(const std::vector<From>& elements) {
  const OpEntry& op = op_named("aten._to_copy.default");
  std::vector<Value> args = sample_arguments(op, "f32[1], dtype=" + std::string(name(dtype_of<To>)), 0, 1);
  args[0] = Value(tensor_on(cuda(0), tensor_of(elements)));
  Values results;
  dispatch(op, args, results);
  const Tensor t = tensor_on(kCPU, results[0].tensor());
  std::vector<To> to(elements.size());
  std::memcpy(to.data(), t.raw_data(), to.size() * sizeof(To));
  return to;
}

template <class T>
std::vector<T> every_pattern() {
  std::vector<T> all(65536);
  for (size_t i = 0; i < all.size(); ++i) all[i].bits = static_cast<uint16_t>(i);
  return all;
}

template <class T>
void expect_every_pattern_widens_and_comes_back() {
  const std::vector<T> all = every_pattern<T>();
  const std::vector<float> wide = converted<float>(all);
  const std::vector<T> back = converted<T>(wide);
  for (size_t i = 0; i < all.size(); ++i) {
    const float expected = all[i];
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(wide[i])) << i;
      ASSERT_TRUE(std::isnan(float(back[i]))) << i;
    } else {
      ASSERT_EQ(detail::bits_as<uint32_t>(wide[i]), detail::bits_as<uint32_t>(expected)) << i;
      ASSERT_EQ(back[i].bits, all[i].bits);
    }
  }
}

TEST(DeviceHalf, EveryHalfWidensAndComesBack) { expect_every_pattern_widens_and_comes_back<half>(); }
TEST(DeviceHalf, EveryBfloat16WidensAndComesBack) { expect_every_pattern_widens_and_comes_back<bfloat16>(); }

/// Returns the middle between each value and the next, its neighbours, and the ends of the range.
template <class T, class Wide>
std::vector<Wide> around_halfway() {
  std::vector<Wide> from;
  for (const T low : every_pattern<T>()) {
    T high = low;
    ++high.bits;
    const Wide a = Wide(float(low)), b = Wide(float(high));
    if (!std::isfinite(a) || !std::isfinite(b) || std::signbit(a) != std::signbit(b)) continue;
    const Wide middle = a / 2 + b / 2;
    for (Wide to : {Wide(0), std::numeric_limits<Wide>::infinity()}) {
      from.push_back(std::nextafter(middle, std::signbit(a) ? -to : to));
    }
    from.push_back(middle);
  }
  for (double v : {65504.0, 65519.996, 65520.0, 65536.0, 3.3895e38, 3.3961775e38, 1e-45, 2.9e-8, 2.98023224e-8, 3e-8}) {
    from.push_back(static_cast<Wide>(v));
    from.push_back(static_cast<Wide>(-v));
  }
  from.push_back(std::numeric_limits<Wide>::infinity());
  from.push_back(-std::numeric_limits<Wide>::infinity());
  from.push_back(std::numeric_limits<Wide>::quiet_NaN());
  return from;
}

template <class T, class Wide>
void expect_the_hosts_roundings() {
  const std::vector<Wide> from = around_halfway<T, Wide>();
  const std::vector<T> to = converted<T>(from);
  for (size_t i = 0; i < from.size(); ++i) {
    if (std::isnan(from[i])) {
      ASSERT_TRUE(std::isnan(float(to[i])));
    } else {
      ASSERT_EQ(to[i].bits, T(from[i]).bits) << from[i];
    }
  }
}

TEST(DeviceHalf, FloatsRoundAsOnTheHost) {
  expect_the_hosts_roundings<half, float>();
  expect_the_hosts_roundings<bfloat16, float>();
}
TEST(DeviceHalf, DoublesRoundAsOnTheHost) {
  expect_the_hosts_roundings<half, double>();
  expect_the_hosts_roundings<bfloat16, double>();
}

}  // namespace
}  // namespace ersatz
