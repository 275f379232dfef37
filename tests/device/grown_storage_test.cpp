// Calls that enlarge a storage on a device: no kernel wrote the added bytes, so they are not compared.
#include <cstring>

#include "runtime/op/composite.h"
#include "tests/device/hidden_device.h"

namespace ersatz {
namespace {

constexpr auto kSet = "aten.set_.source_Tensor";

CompositeBody g_set = nullptr;
int64_t g_changed_byte = 0;

/// A kernel of `set_` that also changes one byte of the storage, on the device only.
class ChangingSet {
 public:
  explicit ChangingSet(int64_t byte) : entry_(*registry().find_mutable(kSet)) {
    g_set = entry_.composite;
    g_changed_byte = byte;
    entry_.composite = [](CompositeCall& call) {
      g_set(call);
      const TensorImpl* self = call.args[0].tensor_impl();
      if (self->meta.device.is_cuda() && self->storage->has_bytes())
        device_bytes(self->storage->data())[g_changed_byte] ^= std::byte{0x40};
    };
  }
  ~ChangingSet() { entry_.composite = g_set; }

 private:
  OpEntry& entry_;
};

/// Crosschecks a `set_` that makes a tensor of f64 on the storage of two f32. The storage grows from 8 to 16 bytes.
Checked put_doubles_on_floats(int64_t changed_byte) {
  const ChangingSet changing(changed_byte);
  return check_on_device(kSet, {tensor_of<double>({1, 2, 3}, {3}), tensor_of<float>({0, 1}, {2})});
}

TEST(GrownStorage, BytesThatNobodyWroteAreNotCompared) {
  const Checked c = put_doubles_on_floats(15);
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.values_compared, 1);
}

TEST(GrownStorage, BytesThatItHadBeforeAreCompared) {
  const Checked c = put_doubles_on_floats(7);
  ASSERT_EQ(c.report.findings.size(), 2u);  // one for the result, one for the source that shares its storage
  EXPECT_EQ(c.report.findings[0].result, 0);
  EXPECT_EQ(c.report.findings[0].predicted.substr(0, 19), "1 of 2 elements dif");
}

TEST(GrownStorage, WithoutAnyElementWrittenNothingIsCompared) {
  const int64_t more[] = {600};
  const Checked c =
      check_on_device("aten.resize_.default", {tensor_of<float>({}, {0}), Value::int_list(more), Value()});
  EXPECT_TRUE(c.report.clean());
  EXPECT_EQ(c.report.values_compared, 0);
}

}  // namespace
}  // namespace ersatz
