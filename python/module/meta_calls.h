// Calls PyTorch's operators on meta tensors, which have metadata and no data. The results are the prediction of the
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

  /// Calls `func` on meta tensors with the metadata of `call`. Passes the outcome to `reported` as the outcome of
  /// `call`: on its device, with the ids of its tensors. KeptRun restores the run's state. Returns false if there are
  /// no tensors, if they are on several devices, or if a result cannot be described. If `func` raises, the exception
  /// propagates.
  bool make(nb::handle func, const OpEntry& op, const AskedCall& call,
            const std::function<void(const tools::LiveOutcome&)>& reported);

 private:
  void make_tensors(const AskedCall& call);
  nb::object called(nb::handle func, const OpEntry& op, const AskedCall& call);
  /// Returns the metadata that a result on the meta device would have in `call`.
  const ErsatzTensorMeta* reported_meta(const AskedCall& call, const ErsatzTensorMeta& meta);

  const TorchLibrary& torch_;
  TorchObjects objects_;
  TorchValues values_;
  /// `modes_` counts dispatch modes; `hidden_` returns a context that hides calls from modes.
  nb::object modes_, hidden_;
  std::vector<nb::object> tensors_;  ///< the meta tensors of the arguments
  struct Names {
    uint64_t storage, object;
  };
  std::vector<Names> names_;  ///< ids of the arguments' tensors before the call
  std::vector<int64_t> versions_, versions_after_;
  std::deque<ErsatzTensorMeta> reported_;
  std::vector<ErsatzValue> results_;
  std::vector<const ErsatzTensorMeta*> after_;
};

}  // namespace ersatz::python
