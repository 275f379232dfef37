#include "tools/program/prediction_lane.h"

#include "fake/mode/prediction.h"
#include "runtime/op/map_tensors.h"
#include "tools/program/placeholder.h"

namespace ersatz::tools {

namespace {

FakeOptions lane_options() {
  FakeOptions o;
  o.fallback = FallbackPolicy::Zeros;  // the crosscheck engine's own fake mode has this setting too
  o.cache = CachePolicy::Never;
  return o;
}

}  // namespace

PredictionLane::PredictionLane(std::optional<Device> device) : device_(device), mode_(lane_options()) {}

std::vector<Value> PredictionLane::inputs(const Program& program, const SymbolValues& symbols,
                                          InputChoice choice) const {
  choice.device = device_;
  return make_fake_inputs(program, mode_, symbols, choice);
}

void PredictionLane::predict(const OpEntry& op, std::span<const Value> args) {
  const bool on_cpu = device_ && device_->is_cpu();
  predicted_ = on_cpu ? predict_on_cpu(mode_, op, args) : ersatz::predict(mode_, op, args);
  flat_ = flat_results(predicted_);
}

Values PredictionLane::results(const Values& fakes) const {
  if (!predicted_.empty()) return predicted_;
  const std::vector<Value> here = map_tensors(std::span<const Value>(fakes.data(), fakes.size()), [&](const Tensor& t) {
    TensorMeta meta = t.meta();
    if (device_) meta.device = *device_;
    return mode_.make(std::move(meta));
  });
  return Values(here.begin(), here.end());
}

Values PredictionLane::placeholders(const NodeCall& call, const SymbolValues& symbols,
                                    std::span<const ResultFacts> facts) const {
  return tools::placeholders(call, &mode_, symbols, device_, facts);
}

}  // namespace ersatz::tools
