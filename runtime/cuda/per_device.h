// One T for each device. It is made when it is first used, and never destroyed, because tensors may be freed after
// static objects.
//
//   PerDevice<Pool> g_pools;    g_pools.of(device)
//
// After use_driver(), new objects are made for the new table. The objects of the linked table are kept until that table
// is used again. T's constructor takes the device's index. Any thread may use a PerDevice.
#pragma once

#include <array>
#include <atomic>
#include <mutex>

#include "runtime/cuda/driver.h"

namespace ersatz::cuda_module {

template <class T>
class PerDevice {
 public:
  constexpr PerDevice() = default;

  /// Returns the device's object; null if it was not made yet.
  T* find(int device) {
    const int table = driver_number();
    Made* made = slots_[table != 0][static_cast<size_t>(device)].load(std::memory_order_acquire);
    return made && made->table == table ? &made->value : nullptr;
  }
  T& of(int device) {
    const int table = driver_number();
    auto& slot = slots_[table != 0][static_cast<size_t>(device)];
    Made* made = slot.load(std::memory_order_acquire);
    if (made && made->table == table) [[likely]]
      return made->value;
    std::lock_guard lock(mutex_);
    made = slot.load(std::memory_order_acquire);
    if (!made || made->table != table) slot.store(made = new Made{table, T(device)}, std::memory_order_release);
    return made->value;
  }

 private:
  struct Made {
    int table;
    T value;
  };
  std::array<std::atomic<Made*>, kMaxDevices> slots_[2]{};
  std::mutex mutex_;
};

}  // namespace ersatz::cuda_module
