#include "fake/crosscheck/watched_call.h"

#include <algorithm>

#include "fake/crosscheck/checked_call.h"
#include "fake/watch/saved_generators.h"
#include "runtime/op/composite.h"
#include "runtime/op/value_checks.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/cuda_module.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

namespace {

/// Returns the indices of the results that use memory from `memory`.
std::vector<size_t> results_in(const KernelMemory& memory, std::span<const Tensor> made) {
  std::vector<size_t> found;
  for (size_t k = 0; k < made.size(); ++k) {
    if (made[k] && memory.gave(made[k])) found.push_back(k);
  }
  return found;
}

}  // namespace

void WatchedCall::run() {
  SuspendModes real_calls;
  const ChecksAtOnce judged;  // errors about values are raised in this call, not in a later one, because crosscheck
                              // compares them
  if (op_.composite) return run_composite(op_, args_, results);
  has_plan_ ? call_.plan_as_answered() : call_.plan();
  call_.maker() == RealCall::Maker::ReturnKernel ? run_returning() : run_filling();
}

/// Gives the rule's outputs the metadata of the caller's evidence. Returns false if the kernel cannot run with these
/// outputs.
bool WatchedCall::take_truth(RuleResult& rule) {
  bool runnable = true;
  for (size_t k = 0; k < std::min(facts_.size(), rule.outputs.size()); ++k) {
    OutputSpec& o = rule.outputs[k];
    Witness witness;
    const TensorMeta* truth = outside_truth(facts_[k], witness);
    if (!truth || truth->is_symbolic() || o.meta.is_symbolic()) continue;
    if (o.kind != OutputSpec::Kind::Fresh && o.kind != OutputSpec::Kind::View) continue;
    if (!compare(leaf_of(o.meta), leaf_of(*truth)).is_significant()) continue;
    const bool same_shape = o.meta.dtype == truth->dtype && sym_eq(o.meta.sizes, truth->sizes);
    o.meta.dtype = truth->dtype;
    o.meta.sizes = truth->sizes;
    o.meta.strides = truth->strides;
    o.meta.offset = truth->offset;
    o.meta.device = truth->device;
    if (o.kind == OutputSpec::Kind::Fresh) {
      runnable &= same_shape;
    } else if (storage_bytes_needed(o.meta).as_int() > o.source->storage->nbytes().as_int()) {
      o.kind = OutputSpec::Kind::Fresh;  // the source's storage is too small for this view
      runnable = false;
    }
  }
  return runnable;
}

void WatchedCall::watch_inputs(InputWatch& watch, const RuleResult& rule, bool all) const {
  for (uint16_t i : op_.written) {
    for_each_tensor(args_.subspan(i, 1), [&](const TensorImpl* t) { watch.may_write(t); });
  }
  for (const TensorImpl* t : rule.also_written) watch.may_write(t);
  int argument = 0;
  for_each_tensor(args_, [&](const TensorImpl* t) { watch.watch(t, argument++, all); });
}

void WatchedCall::run_filling() {
  const bool runnable = take_truth(call_.rule());
  GuardZones zones;
  if (!runnable) {
    call_.allocate([](int64_t n, Device d) { return Storage::allocate(n, d); });
    fill_with_zeros();
    tainted = true;
    return call_.pack(results);
  }
  if (options_.guards) {
    call_.allocate([&](int64_t n, Device d) { return zones.allocate(n, d); });
  } else {
    call_.allocate();
  }
  if (call_.maker() == RealCall::Maker::FillKernel) {
    const std::span<Tensor> outputs = call_.outputs();
    const RuleResult& rule = call_.rule();
    InputWatch watch(buffers_);
    InlineVec<size_t, 3> targets;  // outputs in which the kernel must write every element
    if (options_.poison) {
      for (size_t k = 0; k < outputs.size(); ++k) {
        const bool bytes = outputs[k] && outputs[k].storage()->has_bytes() && outputs[k].storage()->data();
        if (bytes && rule.outputs[k].kind == OutputSpec::Kind::Fresh) targets.push_back(k);
      }
    }
    note_unwatched(rule, outputs, targets.size());
    const bool writes = !op_.written.empty() || !rule.also_written.empty();
    if (options_.hash_inputs || (writes && !targets.empty())) watch_inputs(watch, rule, options_.hash_inputs);
    call_.prepare();
    if (targets.empty()) {
      run_kernel();
    } else {
      find_unwritten(targets, watch);
    }
    find_damage(zones.find_damage(), outputs);
    find_input_changes(watch);
  }
  call_.pack(results);
}

/// Writes zeros to new results, because the kernel cannot run.
void WatchedCall::fill_with_zeros() {
  for (size_t k = 0; k < call_.outputs().size(); ++k) {
    const Tensor& t = call_.outputs()[k];
    if (call_.rule().outputs[k].kind != OutputSpec::Kind::Fresh || !t.storage()->has_bytes()) continue;
    const Storage& s = *t.storage();
    set_bytes(s.data(), s.device(), std::byte{0}, s.nbytes().as_int());
  }
}

void WatchedCall::run_kernel() {
  call_.run(results);
  if (call_.runs_on() == DeviceType::CUDA) wait_for(call_.outputs());
}

/// Waits for the CUDA devices of arguments and outputs, so that this call raises an error of the kernel, not a later
/// call.
void WatchedCall::wait_for(std::span<const Tensor> outputs) const {
  const CudaFunctions& cuda = cuda_functions();
  const auto wait = [&](const TensorMeta& m) {
    if (!m.device.is_cuda()) return;
    if (const int code = cuda.synchronize(m.device.index)) {
      fail(op_.tags.has(Tag::Foreign) ? ErrorKind::InvalidArgument : ErrorKind::InternalError, ErrorFamily::Runtime,
           "{}: the kernel of {} fails on {}: {}", op_.base(), op_.name, to_string(m.device), cuda.error_text(code));
    }
  };
  for_each_tensor(args_, [&](const TensorImpl* t) { wait(t->meta); });
  for (const Tensor& t : outputs) {
    if (t) wait(t.meta());
  }
}

/// Returns the results among `targets` in which some elements still have only bytes of the first fill.
std::vector<WatchedCall::Suspect> WatchedCall::find_poison(std::span<const size_t> targets,
                                                           std::span<const Tensor> made) {
  std::vector<Suspect> suspects;
  for (size_t k : targets) {
    auto poisoned = poisoned_elements(made[k], Poison::First);
    if (!poisoned.empty()) suspects.push_back({k, std::move(poisoned)});
  }
  return suspects;
}

/// Runs the kernel into outputs with the first fill. If elements keep the fill, runs it again with the second fill.
void WatchedCall::find_unwritten(std::span<const size_t> targets, InputWatch& watch) {
  const std::span<Tensor> outputs = call_.outputs();
  std::optional<SavedGenerators> generators;
  if (op_.tags.has(Tag::Random)) generators.emplace(args_, outputs[targets[0]].device());
  for (size_t k : targets) poison_elements(outputs[k], Poison::First);
  run_kernel();
  const std::vector<Suspect> suspects = find_poison(targets, outputs);
  if (suspects.empty()) return;
  watch.restore();
  if (generators) generators->restore();
  for (size_t k : targets) poison_elements(outputs[k], Poison::Second);
  run_kernel();
  for (const Suspect& s : suspects) find_unwritten(s, outputs[s.result]);
}

void WatchedCall::note_unwatched(const RuleResult& rule, std::span<const Tensor> outputs, size_t targets) {
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

void WatchedCall::run_returning() {
  own_results = true;
  const RuleResult& rule = call_.rule();
  InputWatch watch(buffers_);
  const bool writes = !op_.written.empty() || !rule.also_written.empty();
  if (options_.hash_inputs || (options_.poison && writes)) watch_inputs(watch, rule, options_.hash_inputs);
  if (!options_.hash_inputs) inputs_unchecked = NotChecked::SwitchedOff;
  call_.prepare();
  call_.allocate();
  std::optional<SavedGenerators> generators;
  if (op_.tags.has(Tag::Random)) generators.emplace(args_);
  std::vector<Tensor> made;
  std::vector<Suspect> suspects;
  {
    const KernelMemory memory(options_.guards, options_.poison ? std::optional(Poison::First) : std::nullopt);
    made = run_own();
    note_unwatched_own(memory, made);
    find_damage(memory.find_damage(), made);
    if (options_.poison) suspects = find_poison(results_in(memory, made), made);
  }
  if (!suspects.empty()) {
    watch.restore();
    if (generators) generators->restore();
    find_unwritten_own(made, suspects);
  }
  find_input_changes(watch);
  call_.pack(results);
}

/// Runs the kernel once. Returns its results, including elements of lists, with an undefined tensor for each result
/// that is no tensor.
std::vector<Tensor> WatchedCall::run_own() {
  results.clear();
  call_.run(results);
  std::vector<Tensor> made;
  for (const Value& v : flat_results(results)) made.push_back(v.is_tensor() ? v.tensor() : Tensor());
  if (call_.runs_on() == DeviceType::CUDA) wait_for(made);
  return made;
}

/// Stores which checks were not made. Results in memory of another allocator have neither guard zones nor a fill.
void WatchedCall::note_unwatched_own(const KernelMemory& memory, std::span<const Tensor> made) {
  bool fresh = false, elsewhere = false;
  for (const Tensor& t : made) {
    bool argument = !t;
    for_each_tensor(args_, [&](const TensorImpl* a) { argument |= t && a->storage == t.storage(); });
    fresh |= !argument;
    elsewhere |= !argument && !memory.gave(t);
  }
  if (!fresh) return;
  if (!options_.poison) unwritten_unchecked = NotChecked::SwitchedOff;
  if (!options_.guards) bounds_unchecked = NotChecked::SwitchedOff;
  if (elsewhere) unwritten_unchecked = bounds_unchecked = NotChecked::OwnResults;  // overrides SwitchedOff
}

/// Runs the kernel again in memory with the second fill, and examines the elements that kept the first fill. The call
/// returns the results and written arguments of this second run.
void WatchedCall::find_unwritten_own(std::span<const Tensor> first, std::span<const Suspect> suspects) {
  const KernelMemory memory(options_.guards, Poison::Second);
  const std::vector<Tensor> second = run_own();
  for (const Suspect& s : suspects) {
    if (s.result >= second.size() || !second[s.result] || !memory.gave(second[s.result]) ||
        !(second[s.result].meta() == first[s.result].meta())) {
      unwritten_unchecked = NotChecked::Random;  // the metadata of the two runs differ
    } else {
      find_unwritten(s, second[s.result]);
    }
  }
}

/// Adds a fault if elements kept both fills, because then the kernel did not write them.
void WatchedCall::find_unwritten(const Suspect& suspect, const Tensor& second) {
  const auto unwritten = still_poisoned(second, suspect.offsets, Poison::Second);
  if (unwritten.empty()) return;
  faults.push_back({FindingField::Unwritten, static_cast<int>(suspect.result), -1, "every element is written",
                    fmt::format("{} of {} elements are not, the first one {} bytes into the storage", unwritten.size(),
                                second.numel(), unwritten[0])});
}

void WatchedCall::find_damage(std::span<const GuardZones::Damage> damage, std::span<const Tensor> outputs) {
  for (const GuardZones::Damage& d : damage) {
    int result = -1;
    for (size_t k = outputs.size(); k-- > 0;) {
      if (outputs[k] && outputs[k].storage().get() == d.storage) result = static_cast<int>(k);
    }
    faults.push_back({FindingField::OutOfBounds, result, -1,
                      fmt::format("writes stay within the {} bytes of {}", d.storage->nbytes(),
                                  result < 0 ? "memory that the kernel allocated" : "the result"),
                      to_string(d) + " was written"});
  }
}

void WatchedCall::find_input_changes(InputWatch& watch) {
  // A kernel whose result sizes depend on values resizes the `out=` argument itself. It may write the new elements.
  for (const uint16_t position : op_.written) {
    for_each_tensor(args_.subspan(position, 1), [&](const TensorImpl* t) { watch.covers_now(t); });
  }
  for (const InputWatch::Change& change : watch.find_changes()) {
    int number = 0;
    std::string place;
    for_each_tensor(args_, [&](const TensorImpl* t) {
      if (number++ == change.argument) place = byte_place(t->meta, change.byte, change.span);
    });
    faults.push_back(
        {FindingField::UndeclaredWrite, -1, change.argument,
         fmt::format("argument {} keeps its bytes, but for those that the op declares to write", change.argument),
         fmt::format("{} of argument {} was written", place, change.argument)});
  }
}

}  // namespace ersatz
