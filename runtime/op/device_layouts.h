// Strides that were recorded on a device for which ersatz computes only metadata (runtime/base/other_devices.h). The
// option `--device xpu=run.jsonl` loads them.
//
// If a call has a tensor on that device and its key is recorded, its new and resized tensors get the recorded strides.
// All other metadata come from the call's rule, which also computes the strides of a call that was not recorded. The
// key of a call is its `layout_situation` (recorded_layout.h), which contains no device numbers. REQUIRES: sizes are
// numbers. A key that occurs in several calls is counted once. Thread-safe.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "runtime/op/recorded_layout.h"

namespace ersatz {

class DeviceLayouts {
 public:
  /// `device` is a device name without a number, for example `xpu`. `rows` are recorded for an unknown backend.
  DeviceLayouts(std::string device, RecordedLayouts rows) : device_(std::move(device)), rows_(std::move(rows)) {}

  const std::string& device() const { return device_; }
  bool is_there(Device d) const;
  /// Returns the recorded strides of the result with index `result`, lists flattened; null if no row is recorded for
  /// the call.
  const DimVec* find(std::string_view op, size_t result, std::string_view situation) const {
    return rows_.find(op, static_cast<int>(result), situation, {});
  }
  /// Counts one call. `recorded` is true if its new tensors got recorded strides, false if their strides come from the
  /// rule.
  void count(const OpEntry& op, std::string_view situation, bool recorded) const;

  struct Counts {
    int64_t recorded = 0, by_rules = 0;
    std::map<std::string, int64_t> by_rules_ops;
  };
  Counts counts() const;

 private:
  const std::string device_;
  const RecordedLayouts rows_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::set<std::string, std::less<>>, std::less<>> recorded_, by_rules_;  // by op
};

namespace detail {
extern std::atomic<int> g_device_layouts;  ///< number of DeviceLayoutsGuard objects, over all threads
const DeviceLayouts* device_layouts_of_thread();
}  // namespace detail
/// The recorded layouts that calls of this thread use; null if there are none.
inline const DeviceLayouts* device_layouts() {
  if (detail::g_device_layouts.load(std::memory_order_relaxed) == 0) [[likely]]
    return nullptr;
  return detail::device_layouts_of_thread();
}
/// Makes `layouts` the layouts of this thread until the end of the scope.
class DeviceLayoutsGuard {
 public:
  explicit DeviceLayoutsGuard(const DeviceLayouts* layouts);
  ~DeviceLayoutsGuard();
  DeviceLayoutsGuard(const DeviceLayoutsGuard&) = delete;
  DeviceLayoutsGuard& operator=(const DeviceLayoutsGuard&) = delete;

 private:
  const DeviceLayouts* const saved_;
};

/// Gives the new and resized tensors of a call their recorded strides. REQUIRES: the call's rule has run.
void lay_out_as_recorded(const DeviceLayouts& layouts, RuleCall& call);

}  // namespace ersatz
