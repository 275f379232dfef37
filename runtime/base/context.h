// Thread-local settings that may change an op's result, in addition to its arguments.
//
// A rule may read only its arguments and the thread's RuleContext, so cache keys contain the RuleContext. RAII guards
// change it. Each thread starts with the defaults.
#pragma once

#include <cstdint>
#include <utility>

#include "runtime/base/device.h"
#include "runtime/base/dtype.h"
#include "runtime/base/torch_version.h"

namespace ersatz {

/// The GPU and the libraries whose layouts are predicted. A field of 0 is unknown.
struct BackendRecord {
  int cuda_capability = 0;  ///< 90 for sm_90
  int cublas_version = 0;
  int cudnn_version = 0;
  bool operator==(const BackendRecord&) const = default;
};

class ProcessGroups;

struct RuleContext {
  DType default_dtype = DType::F32;
  Device default_device = kCPU;
  bool grad_mode = true;  ///< whether autograd records calls (runtime/autograd/grad_mode.h)
  bool inference_mode = false;
  bool deterministic = false;
  bool allow_tf32 = false;
  uint8_t autocast = 0;  ///< bit d is set if autocast is on for DeviceType d
  DType autocast_dtype_cpu = DType::BF16;
  DType autocast_dtype_cuda = DType::F16;
  BackendRecord backend;
  TorchVersion torch;                     ///< the version whose results are predicted
  const ProcessGroups* groups = nullptr;  ///< process groups (runtime/base/process_group.h); null: none were given
  bool operator==(const RuleContext&) const = default;
};

namespace detail {
extern thread_local constinit RuleContext t_context;
/// Whether autograd ignores all calls on this thread (runtime/autograd/grad_mode.h).
extern thread_local constinit bool t_autograd_excluded;
}  // namespace detail
/// This thread's settings.
inline const RuleContext& rule_context() { return detail::t_context; }

/// Replaces the settings of this thread until the end of the scope.
///   ContextGuard guard([](RuleContext& c) { c.default_dtype = DType::F64; });
class ContextGuard {
 public:
  template <class F>
  explicit ContextGuard(F&& change) : saved_(detail::t_context) {
    change(detail::t_context);
  }
  ~ContextGuard() { detail::t_context = saved_; }
  ContextGuard(const ContextGuard&) = delete;
  ContextGuard& operator=(const ContextGuard&) = delete;

 private:
  RuleContext saved_;
};

}  // namespace ersatz
