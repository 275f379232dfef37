// Calls PyTorch's operators on meta tensors, where a call has metadata and no data. The result is the prediction of the
// operator's fake kernel.
//
// All functions REQUIRE the GIL.
#pragma once

#include <deque>
#include <functional>

#include "python/module/torch_objects.h"
#include "python/module/torch_values.h"
#include "tools/live/live_outcome.h"

namespace ersatz::python {

class MetaCalls {
 public:
  explicit MetaCalls(const TorchLibrary& torch);

  /// Calls `func` on meta tensors with the metadata of `call`, and passes the outcome to `reported`, as if it were that
  /// call's: on its device, with its tensors' ids. KeptRun restores the run's state. Returns false if the tensors are
  /// not all on one device, if there are none, or if a result cannot be described. Exceptions of `func` propagate.
  bool make(nb::handle func, const OpEntry& op, const AskedCall& call,
            const std::function<void(const tools::LiveOutcome&)>& reported);

 private:
  void make_tensors(const AskedCall& call);
  nb::object called(nb::handle func, const OpEntry& op, const AskedCall& call);
  /// Returns a meta tensor's metadata as it would be in `call`.
  const ErsatzTensorMeta* reported_meta(const AskedCall& call, const ErsatzTensorMeta& meta);

  const TorchLibrary& torch_;
  TorchObjects objects_;
  TorchValues values_;
  nb::object modes_,
      hidden_;                       ///< count dispatch modes; a context that hides calls from modes
  std::vector<nb::object> tensors_;  ///< the arguments
  struct Names {
    uint64_t storage, object;
  };
  std::vector<Names> names_;  ///< ids of the arguments before the call
  std::vector<int64_t> versions_, versions_after_;
  std::deque<ErsatzTensorMeta> reported_;
  std::vector<ErsatzValue> results_;
  std::vector<const ErsatzTensorMeta*> after_;
};

}  // namespace ersatz::python
