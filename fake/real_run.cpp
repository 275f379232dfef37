#include "fake/real_run.h"

#include <algorithm>
#include <cstring>

#include "fake/guard_zones.h"
#include "fake/input_watch.h"
#include "fake/poison.h"
#include "fake/saved_generators.h"
#include "runtime/layout.h"

namespace ersatz {

const TensorMeta* outside_truth(const ResultFacts& facts, Witness& witness) {
  if (facts.eager) {
    witness = Witness::Eager;
    return &*facts.eager;
  }
  if (facts.record && !facts.record_known_wrong) {
    witness = Witness::Record;
    return &*facts.record;
  }
  return nullptr;
}

void RealRun::run() {
  SuspendModes real_calls;
  if (op_.composite) return op_.composite(args_, results);
  const auto kernel = [](const auto& k) { return k.load(std::memory_order_relaxed) != nullptr; };
  if (std::any_of(op_.return_kernels.begin(), op_.return_kernels.end(), kernel)) {
    // With both kinds of kernel it returns its own results for calls whose outputs the rule cannot name.
    RuleResult rule;
    const bool fills = std::any_of(op_.fill_kernels.begin(), op_.fill_kernels.end(), kernel);
    if (fills) run_rule(op_, args_, rule);
    if (rule.outputs.empty()) return run_returning();
  }
  if (!op_.rule) return run_real(op_, args_, results);  // raises: it has neither
  run_filling();
}

/// Gives the results the metadata of their witnesses. False: the kernel cannot be run on what came out.
bool RealRun::take_truth(RuleResult& rule) {
  bool runnable = true;
  for (size_t k = 0; k < std::min(facts_.size(), rule.outputs.size()); ++k) {
    OutputSpec& o = rule.outputs[k];
    Witness witness;
    const TensorMeta* truth = outside_truth(facts_[k], witness);
    if (!truth || truth->is_symbolic() || o.meta.is_symbolic()) continue;
    if (o.kind != OutputSpec::Kind::Fresh && o.kind != OutputSpec::Kind::View) continue;
    if (same_metadata(o.meta, *truth).verdict != MetaVerdict::Significant) continue;
    const bool same_shape = o.meta.dtype == truth->dtype && sym_eq(o.meta.sizes, truth->sizes);
    o.meta.dtype = truth->dtype;
    o.meta.sizes = truth->sizes;
    o.meta.strides = truth->strides;
    o.meta.offset = truth->offset;
    o.meta.device = truth->device;
    if (o.kind == OutputSpec::Kind::Fresh) {
      runnable &= same_shape;
    } else if (storage_bytes_needed(o.meta).as_int() > o.source->storage->nbytes().as_int()) {
      o.kind = OutputSpec::Kind::Fresh;  // no view of the source could be that
      runnable = false;
    }
  }
  return runnable;
}

void RealRun::watch_inputs(InputWatch& watch, const RuleResult& rule, bool hash) const {
  for (uint16_t i : op_.written) {
    for_each_tensor(args_.subspan(i, 1), [&](const TensorImpl* t) { watch.may_write(t); });
  }
  for (const TensorImpl* t : rule.also_written) watch.may_write(t);
  int argument = 0;
  for_each_tensor(args_, [&](const TensorImpl* t) { watch.watch(t, argument++, hash); });
}

void RealRun::run_filling() {
  RuleResult rule;
  run_rule(op_, args_, rule);
  const bool runnable = take_truth(rule);
  GuardZones zones;
  OutputTensors outputs;
  if (options_.guards && runnable) {
    make_outputs(
        rule, [&](int64_t n, Device d) { return zones.allocate(n, d); }, outputs);
  } else {
    make_outputs(rule, nullptr, outputs);
  }
  if (!runnable) {
    tainted = true;
    for (size_t k = 0; k < outputs.size(); ++k) {
      const bool fresh = rule.outputs[k].kind == OutputSpec::Kind::Fresh && outputs[k].device().is_cpu();
      const Ref<Storage> s = fresh ? outputs[k].storage() : Ref<Storage>();
      if (s && s->data()) std::memset(s->data(), 0, static_cast<size_t>(s->nbytes().as_int()));
    }
  } else if (needs_kernel(op_, rule)) {
    InputWatch watch;
    std::vector<size_t> targets;  // outputs whose every element the kernel has to write
    if (options_.poison) {
      for (size_t k = 0; k < outputs.size(); ++k) {
        const bool bytes = outputs[k] && outputs[k].device().is_cpu() && outputs[k].storage()->data();
        if (bytes && rule.outputs[k].kind == OutputSpec::Kind::Fresh) targets.push_back(k);
      }
    }
    const bool writes = !op_.written.empty() || !rule.also_written.empty();
    if (options_.hash_inputs || (writes && !targets.empty())) watch_inputs(watch, rule, options_.hash_inputs);
    const DeviceType device = kernel_device(args_, outputs);
    std::optional<SavedGenerators> generators;
    if (!targets.empty() && op_.tags.has(Tag::Random)) generators.emplace(args_, kCPU);

    prepare_writes(op_, args_, rule);
    for (size_t k : targets) poison_elements(outputs[k], Poison::First);
    run_kernel(op_, args_, outputs, device);
    std::vector<std::vector<int64_t>> suspects;
    bool again = false;
    for (size_t k : targets) {
      suspects.push_back(poisoned_elements(outputs[k], Poison::First));
      again |= !suspects.back().empty();
    }
    if (again) {
      watch.restore();
      if (generators) generators->restore();
      for (size_t k : targets) poison_elements(outputs[k], Poison::Second);
      run_kernel(op_, args_, outputs, device);
      for (size_t i = 0; i < targets.size(); ++i) {
        const Tensor& t = outputs[targets[i]];
        const auto unwritten = still_poisoned(t, suspects[i], Poison::Second);
        if (unwritten.empty()) continue;
        faults.push_back({FindingField::Unwritten, static_cast<int>(targets[i]), -1, "every element is written",
                          fmt::format("{} of {} elements are not, the first one {} bytes into the storage",
                                      unwritten.size(), t.numel(), unwritten[0])});
      }
    }
    find_byte_faults(watch, zones, outputs);
  }
  bump_written(op_, args_, rule);
  pack_results(op_, rule, outputs, results);
}

void RealRun::run_returning() {
  own_results = true;
  RuleResult rule;
  if (op_.rule && !op_.tags.has(Tag::Foreign)) run_rule(op_, args_, rule);
  InputWatch watch;
  if (options_.hash_inputs) watch_inputs(watch, rule, true);
  prepare_writes(op_, args_, rule);
  run_return_kernel(op_, args_, kernel_device(args_, {}), results);
  find_byte_faults(watch, GuardZones(), OutputTensors());
  bump_written(op_, args_, rule);
}

void RealRun::find_byte_faults(const InputWatch& watch, const GuardZones& zones, const OutputTensors& outputs) {
  for (const auto& [storage, byte] : zones.find_damage()) {
    for (size_t k = 0; k < outputs.size(); ++k) {
      if (!outputs[k] || outputs[k].storage().get() != storage) continue;
      const int64_t n = storage->nbytes().as_int();
      faults.push_back({FindingField::OutOfBounds, static_cast<int>(k), -1,
                        fmt::format("writes stay within the {} bytes of the result", n),
                        byte < 0 ? fmt::format("byte {} before its buffer was written", -byte)
                                 : fmt::format("byte {} behind its buffer was written", byte - n + 1)});
      break;
    }
  }
  for (const auto& [argument, byte] : watch.find_changes()) {
    faults.push_back({FindingField::UndeclaredWrite, -1, argument,
                      fmt::format("argument {} is written only where the op declares it", argument),
                      byte < 0 ? std::string("its storage was written")
                               : fmt::format("byte {} of its storage was written, outside the declared view", byte)});
  }
}

}  // namespace ersatz
