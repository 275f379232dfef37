// Strides recorded on a device that ersatz has only metadata for (runtime/base/other_devices.h): `--device
// xpu=run.jsonl`.
//
// If a call touches that device and is one of the recorded calls, its new and resized tensors get the recorded strides.
// All other metadata come from the call's rule, and so do the strides of a call that was not recorded. The key of a
// call is `layout_situation` (recorded_layout.h). The key ignores device numbers and REQUIRES sizes that are numbers.
// Each key is counted once, even if its call is repeated. Thread-safe.
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
  /// `device` is a name without a number, `xpu`; the backend of the rows is unknown.
  DeviceLayouts(std::string device, RecordedLayouts rows) : device_(std::move(device)), rows_(std::move(rows)) {}

  const std::string& device() const { return device_; }
  bool is_there(Device d) const;
  /// Returns the recorded strides of result number `result`, lists flattened; null if the call was not recorded.
  const DimVec* find(std::string_view op, size_t result, std::string_view situation) const {
    return rows_.find(op, static_cast<int>(result), situation, {});
  }
  /// Counts a call: `recorded` says whether its new tensors have recorded strides or those of its rule.
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
/// The layouts that this thread's calls use; null: none.
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
