// If a plugin's author names no device, the results are on the device of the first tensor argument.
#include <gtest/gtest.h>

#include "runtime/plugin/plugin_op.h"

namespace ersatz::plugin {
namespace {

ErsatzDevice g_asked = {0, 0};

void* note_device(const ErsatzCall*, uint64_t, ErsatzDevice device) {
  static double memory[64];
  g_asked = device;
  return memory;
}

/// A call with the given arguments.
struct TestCall {
  explicit TestCall(std::vector<ErsatzValue> values) : arguments(std::move(values)) {
    host.allocate = note_device;
    call = {sizeof(ErsatzCall), static_cast<uint32_t>(arguments.size()), arguments.data(), &host, nullptr};
  }
  std::vector<ErsatzValue> arguments;
  ErsatzHost host{};
  ErsatzCall call{};
};

ErsatzTensor on(int32_t type, int32_t index) {
  ErsatzTensor t{};
  t.device = {type, index};
  return t;
}
ErsatzValue tensor(const ErsatzTensor& t) {
  ErsatzValue v{};
  v.kind = ERSATZ_TENSOR, v.as.tensor = &t;
  return v;
}
ErsatzValue device(int32_t type, int32_t index) {
  ErsatzValue v{};
  v.kind = ERSATZ_DEVICE, v.as.device = {type, index};
  return v;
}
ErsatzValue list(const std::vector<ErsatzValue>& items) {
  ErsatzValue v{};
  v.kind = ERSATZ_LIST, v.as.items = items.data(), v.length = static_cast<uint32_t>(items.size());
  return v;
}

/// Returns, as `type:index`, the device that `allocate` requests from the host.
std::string asked(const TestCall& call) {
  Call(&call.call).allocate(DType::F32, {2, 3});
  return std::to_string(g_asked.type) + ":" + std::to_string(g_asked.index);
}

TEST(UsualDevice, IsThatOfTheFirstTensor) {
  const ErsatzTensor first = on(2, 1), second = on(1, 0);
  EXPECT_EQ(asked(TestCall({ErsatzValue{}, tensor(first), tensor(second)})), "2:1");
}

TEST(UsualDevice, IsThatOfATensorInAList) {
  const ErsatzTensor t = on(2, 3);
  const std::vector<ErsatzValue> items = {ErsatzValue{}, tensor(t)};
  EXPECT_EQ(asked(TestCall({list(items)})), "2:3");
}

TEST(UsualDevice, CallWithoutTensorsUsesTheNamedDevice) {
  EXPECT_EQ(asked(TestCall({ErsatzValue{}, device(2, 0), device(1, 0)})), "2:0");
  EXPECT_EQ(asked(TestCall({})), "1:0");
}

TEST(UsualDevice, GivesWayToOneThatIsNamed) {
  const ErsatzTensor t = on(2, 0);
  const TestCall call({tensor(t)});
  Call(&call.call).allocate(DType::F32, {2, 3}, ErsatzDevice{1, 0});
  EXPECT_EQ(g_asked.type, 1);
  Call(&call.call).allocate(DType::F32, {2, 3}, {1, 2}, ErsatzDevice{1, 0});
  EXPECT_EQ(g_asked.type, 1);
}

}  // namespace
}  // namespace ersatz::plugin
