#include "fake/real_run.h"

#include <algorithm>

#include "fake/guard_zones.h"
#include "fake/poison.h"
#include "fake/saved_generators.h"
#include "runtime/allocator.h"
#include "runtime/composite.h"
#include "runtime/cuda_module.h"
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
  if (op_.composite) return run_composite(op_, args_, results);
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

void RealRun::watch_inputs(InputWatch& watch, const RuleResult& rule, bool all) const {
  for (uint16_t i : op_.written) {
    for_each_tensor(args_.subspan(i, 1), [&](const TensorImpl* t) { watch.may_write(t); });
  }
  for (const TensorImpl* t : rule.also_written) watch.may_write(t);
  int argument = 0;
  for_each_tensor(args_, [&](const TensorImpl* t) { watch.watch(t, argument++, all); });
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
      if (rule.outputs[k].kind != OutputSpec::Kind::Fresh || !outputs[k].storage()->has_bytes()) continue;
      const Storage& s = *outputs[k].storage();
      set_bytes(s.data(), s.device(), std::byte{0}, s.nbytes().as_int());
    }
  } else if (needs_kernel(op_, rule)) {
    InputWatch watch(buffers_);
    InlineVec<size_t, 3> targets;  // outputs whose every element the kernel has to write
    if (options_.poison) {
      for (size_t k = 0; k < outputs.size(); ++k) {
        const bool bytes = outputs[k] && outputs[k].storage()->has_bytes() && outputs[k].storage()->data();
        if (bytes && rule.outputs[k].kind == OutputSpec::Kind::Fresh) targets.push_back(k);
      }
    }
    note_unwatched(rule, outputs, targets.size());
    const bool writes = !op_.written.empty() || !rule.also_written.empty();
    if (options_.hash_inputs || (writes && !targets.empty())) watch_inputs(watch, rule, options_.hash_inputs);
    const DeviceType device = kernel_device(args_, outputs);
    prepare_writes(op_, args_, rule);
    if (targets.empty()) {
      run_kernel(outputs, device);
    } else {
      find_unwritten(targets, outputs, device, watch);
    }
    find_damage(zones, outputs);
    find_input_changes(watch);
  }
  bump_written(op_, args_, rule);
  pack_results(op_, rule, outputs, results);
}

/// The kernel, to its end: what fails on a device is told here, where the op is known, and not by a later call.
void RealRun::run_kernel(OutputTensors& outputs, DeviceType device) {
  ersatz::run_kernel(op_, args_, outputs, device);
  if (device != DeviceType::CUDA) return;
  const CudaFunctions& cuda = cuda_functions();
  const auto wait = [&](const TensorMeta& m) {
    if (!m.device.is_cuda()) return;
    if (const int code = cuda.synchronize(m.device.index)) {
      fail(ErrorKind::InternalError, ErrorFamily::Runtime, "{}: the kernel of {} fails on {}: {}", op_.base(), op_.name,
           to_string(m.device), cuda.error_text(code));
    }
  };
  for_each_tensor(args_, [&](const TensorImpl* t) { wait(t->meta); });
  for (const Tensor& t : outputs) {
    if (t) wait(t.meta());
  }
}

/// Runs the kernel into poisoned outputs; again where it left poison, into another one.
void RealRun::find_unwritten(std::span<const size_t> targets, OutputTensors& outputs, DeviceType device,
                             InputWatch& watch) {
  std::optional<SavedGenerators> generators;
  if (op_.tags.has(Tag::Random)) generators.emplace(args_, outputs[targets[0]].device());
  for (size_t k : targets) poison_elements(outputs[k], Poison::First);
  run_kernel(outputs, device);
  std::vector<std::pair<size_t, std::vector<int64_t>>> suspects;
  for (size_t k : targets) {
    auto poisoned = poisoned_elements(outputs[k], Poison::First);
    if (!poisoned.empty()) suspects.emplace_back(k, std::move(poisoned));
  }
  if (suspects.empty()) return;
  watch.restore();
  if (generators) generators->restore();
  for (size_t k : targets) poison_elements(outputs[k], Poison::Second);
  run_kernel(outputs, device);
  for (const auto& [k, offsets] : suspects) {
    const auto unwritten = still_poisoned(outputs[k], offsets, Poison::Second);
    if (unwritten.empty()) continue;
    faults.push_back({FindingField::Unwritten, static_cast<int>(k), -1, "every element is written",
                      fmt::format("{} of {} elements are not, the first one {} bytes into the storage",
                                  unwritten.size(), outputs[k].numel(), unwritten[0])});
  }
}

void RealRun::note_unwatched(const RuleResult& rule, const OutputTensors& outputs, size_t targets) {
  size_t fresh = 0, with_bytes = 0;
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (!outputs[k] || rule.outputs[k].kind != OutputSpec::Kind::Fresh) continue;
    ++fresh;
    with_bytes += outputs[k].storage()->has_bytes();
  }
  if (fresh > 0 && targets == 0) {
    if (with_bytes == 0) unwritten_unchecked = NotChecked::NoBytes;
    if (!options_.poison) unwritten_unchecked = NotChecked::SwitchedOff;
  }
  if (fresh > 0 && with_bytes == 0) bounds_unchecked = NotChecked::NoBytes;
  if (fresh > 0 && !options_.guards) bounds_unchecked = NotChecked::SwitchedOff;
  if (!options_.hash_inputs) inputs_unchecked = NotChecked::SwitchedOff;
}

void RealRun::run_returning() {
  own_results = true;
  RuleResult rule;
  if (op_.rule && !op_.tags.has(Tag::Foreign)) run_rule(op_, args_, rule);
  InputWatch watch(buffers_);
  if (options_.hash_inputs) watch_inputs(watch, rule, true);
  unwritten_unchecked = bounds_unchecked = NotChecked::OwnResults;
  if (!options_.hash_inputs) inputs_unchecked = NotChecked::SwitchedOff;
  prepare_writes(op_, args_, rule);
  run_return_kernel(op_, args_, kernel_device(args_, {}), results);
  find_input_changes(watch);
  bump_written(op_, args_, rule);
}

void RealRun::find_damage(const GuardZones& zones, const OutputTensors& outputs) {
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
}

void RealRun::find_input_changes(const InputWatch& watch) {
  for (const InputWatch::Change& change : watch.find_changes()) {
    int number = 0;
    std::string place;
    for_each_tensor(args_, [&](const TensorImpl* t) {
      if (number++ == change.argument) place = byte_place(t->meta, change.byte, change.span);
    });
    faults.push_back({FindingField::UndeclaredWrite, -1, change.argument,
                      fmt::format("argument {} is written only where the op declares it", change.argument),
                      fmt::format("{} of argument {} was written", place, change.argument)});
  }
}

}  // namespace ersatz
