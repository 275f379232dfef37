// Calls of PyTorch's operators on tensors of the meta device, where a call has metadata and no data: what the fake
// kernel of an operator says of a call.
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

  /// Calls `func` with arguments of a call's metadata, and hands over what the call did, told as if it had been that
  /// call: on its device, with its arguments' names. The run is kept (KeptRun). False: not all tensors are on one
  /// device, there are none, or the call returns what cannot be told. What it raises passes.
  bool make(nb::handle func, const OpEntry& op, const AskedCall& call,
            const std::function<void(const tools::LiveOutcome&)>& told);

 private:
  void make_tensors(const AskedCall& call);
  nb::object called(nb::handle func, const OpEntry& op, const AskedCall& call);
  /// What was told of a tensor on the meta device, as one of `call`.
  const ErsatzTensorMeta* told_of(const AskedCall& call, const ErsatzTensorMeta& meta);

  const TorchLibrary& torch_;
  TorchObjects objects_;
  TorchValues values_;
  nb::object modes_, hidden_;        ///< how many dispatch modes there are; nobody sees a call below `hidden`
  std::vector<nb::object> tensors_;  ///< arguments
  struct Names {
    uint64_t storage, object;
  };
  std::vector<Names> names_;  ///< of them, before the call
  std::vector<int64_t> versions_, versions_after_;
  std::deque<ErsatzTensorMeta> told_;
  std::vector<ErsatzValue> results_;
  std::vector<const ErsatzTensorMeta*> after_;
};

}  // namespace ersatz::python
