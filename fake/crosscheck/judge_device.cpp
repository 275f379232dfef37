// Compares the results of a call on a GPU with those of its CPU run.
//
// Dtypes and sizes must agree, and values must agree within the tolerance. Strides and offsets may differ, because a
// device has its own layouts.
#include <algorithm>
#include <cmath>

#include "fake/crosscheck/judge.h"
#include "fake/crosscheck/made_nan.h"
#include "fake/crosscheck/positions.h"
#include "fake/crosscheck/value_compare.h"
#include "fake/crosscheck/wide_copies.h"
#include "fake/mode/prediction.h"
#include "fake/watch/tensor_copies.h"
#include "fake/watch/written_part.h"
#include "runtime/base/context.h"
#include "runtime/op/copy.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/mode.h"
#include "runtime/op/write_count.h"

namespace ersatz {
namespace {

/// Returns the dim along which the elements of the first result may have any order (`sorted=False`), or nullopt if
/// there is none.
std::optional<int64_t> dim_in_any_order(const OpEntry& op, std::span<const Value> args) {
  const int sorted = op.schema.find_argument("sorted"), dim = op.schema.find_argument("dim");
  if (!op.tags.has(kTiesByDevice) || sorted < 0 || dim < 0 || args[static_cast<size_t>(sorted)].as_bool()) return {};
  return args[static_cast<size_t>(dim)].as_int().as_int();
}

/// Returns the tolerance for results of dtype `t`. The least precise dtype among result and inputs decides, because an
/// f64 result of f32 inputs is only as accurate as the inputs.
Tolerance device_tolerance(const CallCase& c, DType t) {
  Tolerance tolerance = tolerance_of(t);
  for_each_tensor(c.real_args, [&](const TensorImpl* input) {
    const Tolerance its = tolerance_of(input->meta.dtype);
    if (is_float(real_dtype(t)) && its.relative > tolerance.relative) tolerance = its;
  });
  tolerance.relative += c.op.tolerance;
  if (c.op.tags.has(kRoundsWeights)) tolerance.absolute += rounded_weights(t);
  tolerance.any_nan = kFloat8s.has(t) && makes_its_nans(c);
  return tolerance;
}

/// Returns whether the GPU and the CPU must compute equal values for this call, and these values are meaningful.
bool may_compare_values(const CallCase& c) {
  if (c.tainted() || c.evidence.uninitialized || c.op.tags.has(Tag::Uninitialized)) return false;
  // A plugin's random kernels may draw other numbers on each device.
  return !c.op.tags.has(Tag::Random) || !c.op.tags.has(Tag::Foreign);
}

/// Returns whether `positions` are right positions of the first result's elements. Equal elements have several right
/// positions.
bool positions_fit(const CallCase& c, const Tensor& positions) {
  const int dim = c.op.schema.find_argument("dim");
  if (dim < 0 || !c.real_args[0].is_tensor() || positions.dtype() != DType::I64) return false;
  const Tensor self = plain(c.cpu_run->arguments[0]), values = plain(on_host(c.observed.flat[0].tensor()));
  if (c.observed.flat.size() == 1) {  // the op returns only positions
    const Tensor theirs = plain(c.cpu_flat[0].tensor());
    return positions_hold_the_same(self, c.real_args[static_cast<size_t>(dim)].as_int().as_int(), theirs, positions);
  }
  const bool fits = self.dtype() == values.dtype() && sym_eq(values.sizes(), positions.sizes());
  return fits &&
         positions_hold_values(self, c.real_args[static_cast<size_t>(dim)].as_int().as_int(), values, positions);
}

/// Returns the floats that the call converted to the integers of `result`; undefined if it converted none.
Tensor floats_of_integers(const CallCase& c, const Tensor& result) {
  if (!c.op.tags.has(kConvertsByDevice) || !is_integral(result.dtype()) || result.dtype() == DType::Bool) return {};
  const int src = c.op.schema.find_argument("src");
  const auto at = static_cast<size_t>(std::max(src, 0));
  if (at >= c.cpu_run->arguments.size() || is_integral(c.cpu_run->arguments[at].dtype())) return {};
  return c.cpu_run->arguments[at];
}

/// Returns how often the call wrote each element of `mine`, or an undefined tensor if it wrote each at most once.
Tensor writes_of(const CallCase& c, int result, const Tensor& mine) {
  Tensor shared;
  // Elements of a written argument may share memory. The last write remains, and the order of the writes is
  // unspecified.
  for (const CallCase::Argument& a : c.arguments) {
    const Storage* storage = mine.storage().get();
    if (a.real_storage != storage || storage->version() == a.real_version) continue;
    if ((shared = elements_in_place(mine.meta()))) break;
  }
  const WriteCount count = result == 0 ? write_count_of(c.op) : nullptr;
  if (!count) return shared;
  size_t next = 0;
  const std::vector<Value> args = map_tensors(c.real_args, [&](const Tensor&) { return c.cpu_run->arguments[next++]; });
  const ContextGuard on_cpu([](RuleContext& context) { context.default_device = kCPU; });
  const SuspendModes for_real;
  const Tensor counted = count(args);
  if (!shared || !counted) return shared ? shared : counted;
  Tensor either = converted(counted, DType::I64);
  for (int64_t i = 0; i < either.numel().as_int(); ++i) {
    int64_t& times = either.data<int64_t>()[i];
    times = std::max(times, shared.data<int64_t>()[i]);
  }
  return either;
}

/// Compares the device's values `mine` with the CPU run's values `theirs`; both tensors are on the CPU. `original` is
/// the result on the device.
void compare_on_device(const CallCase& c, Judgement& j, int result, const Tensor& original, const Tensor& mine,
                       const Tensor& theirs) {
  const Tolerance tolerance = device_tolerance(c, mine.dtype());
  const auto k = static_cast<size_t>(result);
  Tensor reference;
  if (result >= 0 && k < c.reference_flat.size() && c.reference_flat[k].is_tensor()) {
    reference = c.reference_flat[k].tensor();
    const bool fits = reference.dtype() == wide_dtype(mine.dtype()) && reference.dtype() != mine.dtype() &&
                      sym_eq(reference.sizes(), mine.sizes());
    if (!fits) reference = Tensor();
  }
  std::string words;
  if (reference) {
    const double device = largest_error(mine, reference, tolerance), cpu = largest_error(theirs, reference, tolerance);
    j.report.add_reference(c.op.name, device, cpu);
    words = fmt::format("From the f64 reference the device is off by {:.3g} times the tolerance, the cpu by {:.3g}.",
                        device, cpu);
  }
  if (c.op.tags.has(kTiesByDevice) && result + 1 == static_cast<int>(j.states.size()) && positions_fit(c, mine)) return;
  Tensor writes;  // computed only if values differ
  const auto difference_from = [&](Tensor expected) {
    Tensor actual = mine;
    if (const auto dim = dim_in_any_order(c.op, c.real_args); dim && result == 0) {
      actual = sorted_slices(mine, *dim);
      expected = sorted_slices(expected, *dim);
    }
    if (const Tensor floats = floats_of_integers(c, mine)) actual = with_choices_of(expected, actual, floats);
    if (writes) actual = with_last_writes_of(expected, actual, writes);
    return compare_values(actual, expected, tolerance);
  };
  auto difference = difference_from(theirs);
  if (difference && (writes = writes_of(c, result, original))) difference = difference_from(theirs);
  if (difference && reference) difference = difference_from(converted(reference, mine.dtype()));
  if (!difference) return;
  const Value& spelled = result >= 0 ? c.observed.flat[k] : Value();
  const std::string where = spelled.is_tensor() ? to_string(spelled.tensor().device()) : "the device";
  j.add(result, FindingField::Value, fmt::format("{} on {}", to_string(*difference), where),
        fmt::format("{} {}", difference->expected, reference ? "in the f64 reference" : "on the cpu"), Witness::Device,
        "significant", std::move(words));
}

/// Returns the size in bytes of the result's storage before the call, if the call made the storage grow and wrote no
/// values (`resize_`, `set_`); else nullopt.
std::optional<int64_t> bytes_before_growth(const CallCase& c, const Tensor& mine) {
  if (!c.op.tags.has(Tag::InplaceView)) return {};
  for (const CallCase::Argument& a : c.arguments) {
    if (a.real_storage == mine.storage().get() && a.real_nbytes < mine.storage()->nbytes().as_int())
      return a.real_nbytes;
  }
  return {};
}

void judge_tensor_on_device(const CallCase& c, Judgement& j, int result, const Tensor& mine, const Tensor& theirs) {
  const bool same_sizes = sym_eq(mine.sizes(), theirs.sizes());
  if (!same_sizes || mine.dtype() != theirs.dtype()) {
    if (result > 0 && c.op.tags.has(kSavedByDevice)) return;
    j.add(result, same_sizes ? FindingField::DType : FindingField::Size, to_string(mine.meta()),
          to_string(theirs.meta()), Witness::Device);
    return;
  }
  if (result > 0 && c.op.tags.has(kSavedValuesByDevice)) return;
  if (!may_compare_values(c) || !mine.storage()->has_bytes()) return;
  // A view's values were computed by earlier calls, so they are not compared here.
  if (c.op.tags.has(Tag::View) && !c.op.composite && !c.op.has_kernel(DeviceType::CPU)) return;
  Tensor here = plain(on_host(mine)), there = plain(theirs);
  if (const auto written = bytes_before_growth(c, mine)) {
    here = converted(here, here.dtype());
    there = converted(there, there.dtype());
    keep_written(there, mine.meta(), *written);
    if (keep_written(here, mine.meta(), *written) == 0) {
      return j.report.coverage.unchecked(c.op, Check::Values, NotChecked::NoBytes);
    }
  }
  if (result >= 0) j.states[static_cast<size_t>(result)].values_compared = true;
  compare_on_device(c, j, result, mine, here, there);
}

void judge_on_device(const CallCase& c, Judgement& j, size_t k) {
  const Value &mine = c.observed.flat[k], &theirs = c.cpu_flat[k];
  if (!mine.is_tensor() && !mine.is_number()) return;
  j.states[k].on_device = true;
  const int result = static_cast<int>(k);
  if (mine.is_tensor() != theirs.is_tensor()) {
    j.add(result, FindingField::DType, to_string(mine), to_string(theirs), Witness::Device);
  } else if (mine.is_tensor()) {
    judge_tensor_on_device(c, j, result, mine.tensor(), theirs.tensor());
  } else if (may_compare_values(c)) {
    j.states[k].values_compared = true;
    if (!equal_numbers(mine, theirs)) {
      j.add(result, FindingField::Value, to_string(mine), to_string(theirs), Witness::Device);
    }
  }
}

/// Compares written arguments that are no results: running statistics, or `out=` of an op without returns.
void judge_writes_on_device(const CallCase& c, Judgement& j) {
  for (size_t i = 0; i < c.arguments.size(); ++i) {
    const CallCase::Argument& a = c.arguments[i];
    const bool moved = a.real->storage->version() != a.real_version;
    bool is_result = false;
    for (const Value& v : c.observed.flat) is_result |= v.is_tensor() && v.tensor_impl() == a.real;
    if (!moved || is_result || i >= c.cpu_run->arguments.size()) continue;
    judge_tensor_on_device(c, j, -1, Tensor(Ref<TensorImpl>(a.real)), c.cpu_run->arguments[i]);
  }
}

}  // namespace

void judge_device(const CallCase& c, Judgement& j) {
  if (!c.cpu_run) return;
  if (const auto& error = c.cpu_run->error) {
    if (error->value_failure) {
      j.add(-1, FindingField::Error, "passes", fmt::format("{}: {}", name(error->family), error->message),
            Witness::Device, "significant", "the same values are refused on the cpu");
    }
    j.report.coverage.unchecked(c.op, Check::Values, NotChecked::Unsupported);
    return;
  }
  if (c.cpu_flat.size() != c.observed.flat.size()) {
    j.add(-1, FindingField::Size, fmt::format("{} results", c.observed.flat.size()),
          fmt::format("{} results", c.cpu_flat.size()), Witness::Device, "mismatch in number of returns");
    return;
  }
  for (size_t k = 0; k < j.states.size(); ++k) judge_on_device(c, j, k);
  judge_writes_on_device(c, j);
}

}  // namespace ersatz
