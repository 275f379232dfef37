// The results of a checked call on another device against the same call on the CPU.
//
// Dtype and sizes have to agree, and values within the tolerance; strides and offsets need not, a device has layouts of
// its own.
#include <cmath>

#include "fake/call/prediction.h"
#include "fake/crosscheck/checked_call.h"
#include "fake/crosscheck/positions.h"
#include "fake/crosscheck/value_compare.h"
#include "fake/watch/tensor_copies.h"
#include "runtime/op/copy.h"
#include "runtime/op/device_tag.h"

namespace ersatz {
namespace {

/// With its lazy bits worked out, so that bytes are values.
Tensor plain(const Tensor& t) { return t.meta().conj || t.meta().neg ? converted(t, t.dtype()) : t; }

/// Along which dim did the call ask for the first result's elements in no order?
std::optional<int64_t> dim_in_any_order(const OpEntry& op, std::span<const Value> args) {
  const int sorted = op.schema.find_argument("sorted"), dim = op.schema.find_argument("dim");
  if (!op.tags.has(kTiesByDevice) || sorted < 0 || dim < 0 || args[static_cast<size_t>(sorted)].as_bool()) return {};
  return args[static_cast<size_t>(dim)].as_int().as_int();
}

}  // namespace

namespace {
/// Does result k agree with the truth, whatever device it is on?
bool agrees(std::span<const Value> flat, size_t k, const TensorMeta& truth) {
  if (k >= flat.size() || !flat[k].is_tensor()) return false;
  TensorMeta there = flat[k].tensor_impl()->meta;
  there.device = truth.device;
  return same_metadata(there, truth).verdict != MetaVerdict::Significant;
}
}  // namespace

bool CheckedCall::contradicts(const Values& predicted, size_t k, const TensorMeta& truth) const {
  return k < predicted.size() && predicted[k].is_tensor() && !agrees(predicted, k, truth);
}

void CheckedCall::note_follow_ups() {
  if (fake_error_ || site_.as_predicted.empty() || site_.results.empty()) return;
  const Values predicted = flat_results(outcome_.fake);
  for (size_t k = 0; k < site_.results.size(); ++k) {
    Witness witness;
    const TensorMeta* truth = outside_truth(facts(k), witness);
    if (!truth || !contradicts(predicted, k, *truth) || !agrees(site_.as_predicted, k, *truth)) continue;
    follows_.resize(site_.results.size());
    follows_[k] = true;
    ++check_.report_.follow_ups;
  }
}

void CheckedCall::drop_records_of_cpu() {
  if (fake_error_) return;
  Values predicted, moved;
  std::span<const Value> on_cpu = site_.on_cpu;
  for (size_t k = 0; k < site_.results.size(); ++k) {
    Witness witness;
    const TensorMeta* truth = outside_truth(facts(k), witness);
    const bool of_cpu = facts(k).record_of_cpu && witness == Witness::Record;
    if (!truth || !of_cpu || (k < follows_.size() && follows_[k])) continue;
    if (predicted.empty()) predicted = flat_results(outcome_.fake);
    if (!contradicts(predicted, k, *truth)) continue;
    if (on_cpu.empty()) on_cpu = moved = flat_results(predict_on_cpu(check_.fake_mode_, op_, fake_args_));
    if (!agrees(on_cpu, k, *truth)) continue;
    settled()[k].record.reset();
    ++check_.report_.records_of_cpu;
  }
}

void CheckedCall::run_on_cpu() {
  if (!check_.options_.other_device || !CpuRun::device_of(real_args_)) return;
  cpu_run_.emplace(op_, real_args_, check_.options_.reference_f64);
}

/// Of the coarsest dtype that a value may have gone through: one in f64 of f32 inputs is no better than they are.
Tolerance CheckedCall::device_tolerance(DType t) const {
  Tolerance tolerance = tolerance_of(t);
  for_each_tensor(real_args_, [&](const TensorImpl* input) {
    const Tolerance its = tolerance_of(input->meta.dtype);
    if (is_float(real_dtype(t)) && its.relative > tolerance.relative) tolerance = its;
  });
  tolerance.relative += op_.tolerance;
  return tolerance;
}

void CheckedCall::judge_device() {
  if (!cpu_run_) return;
  if (const auto& error = cpu_run_->error) {
    if (error->value_failure) {
      add_finding(-1, FindingField::Error, "passes", fmt::format("{}: {}", name(error->family), error->message),
                  Witness::Device, "significant", "the same values are refused on the cpu");
    }
    check_.report_.coverage.unchecked(op_, Check::Values, NotChecked::Unsupported);
    return;
  }
  cpu_flat_ = flat_results(cpu_run_->results);
  reference_flat_ = flat_results(cpu_run_->reference);
  if (cpu_flat_.size() != real_flat_.size()) {
    add_finding(-1, FindingField::Size, fmt::format("{} results", real_flat_.size()),
                fmt::format("{} results", cpu_flat_.size()), Witness::Device, "mismatch in number of returns");
    return;
  }
  for (size_t k = 0; k < states_.size(); ++k) judge_on_device(k);
  judge_writes_on_device();
}

void CheckedCall::judge_on_device(size_t k) {
  const Value &mine = real_flat_[k], &theirs = cpu_flat_[k];
  if (!mine.is_tensor() && !mine.is_number()) return;
  states_[k].on_device = true;
  const int result = static_cast<int>(k);
  if (mine.is_tensor() != theirs.is_tensor()) {
    add_finding(result, FindingField::DType, to_string(mine), to_string(theirs), Witness::Device);
  } else if (mine.is_tensor()) {
    judge_tensor_on_device(result, mine.tensor(), theirs.tensor());
  } else if (may_compare_values()) {
    states_[k].values_compared = true;
    if (!equal_numbers(mine, theirs)) {
      add_finding(result, FindingField::Value, to_string(mine), to_string(theirs), Witness::Device);
    }
  }
}

/// Do its values mean anything, and does the CPU compute the same?
bool CheckedCall::may_compare_values() const {
  if (site_.tainted || real_run_.tainted || op_.tags.has(Tag::Uninitialized)) return false;
  return !op_.tags.has(Tag::Random) || !op_.tags.has(Tag::Foreign);  // a stranger's kernels promise no stream
}

void CheckedCall::judge_tensor_on_device(int result, const Tensor& mine, const Tensor& theirs) {
  const bool same_sizes = sym_eq(mine.sizes(), theirs.sizes());
  if (!same_sizes || mine.dtype() != theirs.dtype()) {
    if (result > 0 && op_.tags.has(kSavedByDevice)) return;
    add_finding(result, same_sizes ? FindingField::DType : FindingField::Size, to_string(mine.meta()),
                to_string(theirs.meta()), Witness::Device);
    return;
  }
  if (!may_compare_values() || !mine.storage()->has_bytes()) return;
  // A view holds what it held before the call.
  if (op_.tags.has(Tag::View) && !op_.composite && !op_.has_kernel(DeviceType::CPU)) return;
  if (result >= 0) states_[static_cast<size_t>(result)].values_compared = true;
  compare_on_device(result, plain(on_host(mine)), plain(theirs));
}

void CheckedCall::compare_on_device(int result, const Tensor& mine, const Tensor& theirs) {
  const Tolerance tolerance = device_tolerance(mine.dtype());
  const auto k = static_cast<size_t>(result);
  Tensor reference;
  if (result >= 0 && k < reference_flat_.size() && reference_flat_[k].is_tensor()) {
    reference = reference_flat_[k].tensor();
    const bool fits = reference.dtype() == wide_dtype(mine.dtype()) && reference.dtype() != mine.dtype() &&
                      sym_eq(reference.sizes(), mine.sizes());
    if (!fits) reference = Tensor();
  }
  std::string words;
  if (reference) {
    const double device = largest_error(mine, reference, tolerance), cpu = largest_error(theirs, reference, tolerance);
    check_.report_.add_reference(op_.name, device, cpu);
    words = fmt::format("From the f64 reference the device is off by {:.3g} times the tolerance, the cpu by {:.3g}.",
                        device, cpu);
  }
  if (op_.tags.has(kTiesByDevice) && result + 1 == static_cast<int>(states_.size()) && positions_fit(mine)) return;
  Tensor actual = mine, expected = reference ? converted(reference, mine.dtype()) : theirs;
  if (const auto dim = dim_in_any_order(op_, real_args_); dim && result == 0) {
    actual = sorted_slices(mine, *dim);
    expected = sorted_slices(expected, *dim);
  }
  const auto difference = compare_values(actual, expected, tolerance);
  if (!difference) return;
  const Value& spelled = result >= 0 ? real_flat_[k] : Value();
  const std::string where = spelled.is_tensor() ? to_string(spelled.tensor().device()) : "the device";
  add_finding(result, FindingField::Value, fmt::format("{} on {}", to_string(*difference), where),
              fmt::format("{} {}", difference->expected, reference ? "in the f64 reference" : "on the cpu"),
              Witness::Device, "significant", std::move(words));
}

/// Positions of the first result's elements, where equal ones leave a choice.
bool CheckedCall::positions_fit(const Tensor& positions) const {
  const int dim = op_.schema.find_argument("dim");
  if (dim < 0 || !real_args_[0].is_tensor() || positions.dtype() != DType::I64) return false;
  const Tensor self = plain(cpu_run_->arguments[0]), values = plain(on_host(real_flat_[0].tensor()));
  if (real_flat_.size() == 1) {  // positions alone
    const Tensor theirs = plain(cpu_flat_[0].tensor());
    return positions_hold_the_same(self, real_args_[static_cast<size_t>(dim)].as_int().as_int(), theirs, positions);
  }
  const bool fits = self.dtype() == values.dtype() && sym_eq(values.sizes(), positions.sizes());
  return fits && positions_hold_values(self, real_args_[static_cast<size_t>(dim)].as_int().as_int(), values, positions);
}

/// Arguments that were written and are no result: running statistics, `out=` of what returns nothing.
void CheckedCall::judge_writes_on_device() {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const ArgumentState& a = arguments_[i];
    const bool moved = a.real->storage->version() != a.real_version;
    bool is_result = false;
    for (const Value& v : real_flat_) is_result |= v.is_tensor() && v.tensor_impl() == a.real;
    if (!moved || is_result || i >= cpu_run_->arguments.size()) continue;
    judge_tensor_on_device(-1, Tensor(Ref<TensorImpl>(a.real)), cpu_run_->arguments[i]);
  }
}

}  // namespace ersatz
