#include "python/module/meta_calls.h"

#include <nanobind/stl/string.h>

#include <algorithm>

#include "python/module/entered.h"
#include "python/module/kept_run.h"

namespace ersatz::python {
namespace {

bool on_one_device(const AskedCall& call) {
  const auto is_same = [&](const Tensor& t) { return t.device() == call.tensors()[0].device(); };
  return !call.tensors().empty() && std::all_of(call.tensors().begin(), call.tensors().end(), is_same);
}

}  // namespace

MetaCalls::MetaCalls(const TorchLibrary& torch) : torch_(torch), values_(torch) {
  modes_ = nb::module_::import_("torch").attr("_C").attr("_len_torch_dispatch_stack");
  hidden_ = nb::module_::import_("ersatz.torch.recording.call").attr("hidden");
}

void MetaCalls::make_tensors(const AskedCall& call) {
  tensors_.clear(), names_.clear(), versions_.clear();
  for (size_t i = 0; i < call.tensors().size(); ++i) {
    const ErsatzTensorMeta& reported = call.tensor_meta(i);
    const auto same = static_cast<size_t>(call.with_object(reported.object));
    const auto beside = static_cast<size_t>(call.with_storage(reported.storage));
    nb::object t;
    ErsatzTensorMeta meta = {};
    if (same < i) {
      t = tensors_[same];
    } else if (beside < i) {
      t = objects_.meta_tensor(reported, tensors_[beside].attr("untyped_storage")());
    } else {
      t = objects_.meta_tensor(reported);
      torch_.read(t.ptr(), meta);
      if (reported.offset != 0 || meta.storage_bytes != reported.storage_bytes)
        t = objects_.meta_tensor(reported, objects_.meta_storage(reported.storage_bytes));
    }
    torch_.read(t.ptr(), meta);
    names_.push_back({meta.storage, meta.object});
    versions_.push_back(torch_.version(t.ptr()));
    tensors_.push_back(std::move(t));
  }
}

nb::object MetaCalls::called(nb::handle func, const OpEntry& op, const AskedCall& call) {
  nb::list args;
  nb::dict kwargs;
  for (size_t i = 0; i < call.arguments().size(); ++i) {
    const Argument& argument = op.schema.arguments[i];
    const nb::object given = objects_.argument(call.arguments()[i], call.tensors(), tensors_);
    if (argument.keyword_only)
      kwargs[argument.name.c_str()] = given;
    else
      args.append(given);
  }
  return func(*args, **kwargs);
}

const ErsatzTensorMeta* MetaCalls::reported_meta(const AskedCall& call, const ErsatzTensorMeta& meta) {
  constexpr int32_t kMeta = 12;
  ErsatzTensorMeta& t = reported_.emplace_back(meta);
  if (t.device.type == kMeta) t.device = call.tensor_meta(0).device;
  for (size_t i = names_.size(); i-- > 0;) {
    if (names_[i].object == meta.object) t.object = call.tensor_meta(i).object;
    if (names_[i].storage == meta.storage) t.storage = call.tensor_meta(i).storage;
  }
  return &t;
}

bool MetaCalls::make(nb::handle func, const OpEntry& op, const AskedCall& call,
                     const std::function<void(const tools::LiveOutcome&)>& reported) {
  if (!on_one_device(call)) return false;
  const Entered hidden(nb::cast<int>(modes_()) > 0 ? hidden_() : nb::object());
  nb::object result;
  {
    const KeptRun kept;
    make_tensors(call);
    result = called(func, op, call);
  }
  values_.clear(), reported_.clear(), results_.clear(), after_.clear(), versions_after_.clear();
  values_.flatten(result.ptr());
  if (values_.opaque()) return false;
  if (!op.schema.returns.empty()) results_.assign(values_.flat().begin(), values_.flat().end());
  for (ErsatzValue& r : results_) {
    if (r.kind == ERSATZ_TENSOR) r.as.meta = reported_meta(call, *r.as.meta);
  }
  for (const nb::object& t : tensors_) {
    const ErsatzValue v = values_.value(t.ptr());
    if (v.kind != ERSATZ_TENSOR) return false;
    after_.push_back(reported_meta(call, *v.as.meta));
    versions_after_.push_back(torch_.version(t.ptr()));
  }
  tools::LiveOutcome outcome;
  outcome.results = results_;
  outcome.after = after_;
  outcome.versions_before = versions_;
  outcome.versions_after = versions_after_;
  reported(outcome);
  return true;
}

}  // namespace ersatz::python
