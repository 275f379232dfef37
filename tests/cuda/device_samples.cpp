#include "tests/cuda/device_samples.h"

#include "fake/crosscheck/positions.h"
#include "fake/crosscheck/value_compare.h"
#include "fake/watch/tensor_copies.h"
#include "kernels/shape/copy.h"
#include "runtime/base/context.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "runtime/op/value_checks.h"
#include "runtime/op/write_count.h"
#include "runtime/tensor/cuda_module.h"
#include "runtime/tensor/generator.h"
#include "runtime/tensor/meta_text.h"
#include "tests/cuda/ptx_operators.h"

namespace ersatz {
namespace {

/// The results, arguments and error of a call.
struct Outcome {
  Values results;
  std::vector<Value> args;
  std::optional<Error> error;
  bool deferred = false;  ///< the error was raised by the wait for the device
  bool ran_ptx = false;   ///< a kernel of the call ran on the PTX device
  std::string words() const { return error ? error->message : ""; }
};

Outcome outcome_on(Device device, const OpEntry& op, std::span<const Value> args) {
  Outcome o;
  o.args = arguments_on(device, args);
  ContextGuard guard([&](RuleContext& c) { c.default_device = device; });
  manual_seed(3);
  const std::optional<uint64_t> before = ptx_instructions_run();
  try {
    dispatch(op, o.args, o.results);
    if (device.is_cuda()) check_cuda(cuda_functions().synchronize(device.index), device, "synchronize", 0);
  } catch (const DeferredError& e) {
    o.error = e;
    o.deferred = true;
  } catch (const Error& e) {
    o.error = e;
  }
  o.ran_ptx = before != ptx_instructions_run();
  return o;
}

/// Returns how often the call writes each element of its first result; undefined if each is written once.
Tensor writes_of(const OpEntry& op, std::span<const Value> args) {
  const WriteCount count = op.functional ? nullptr : write_count_of(op);
  return count ? count(args) : Tensor();
}

/// Compares the tensors of both devices. `results` is true if they are results of the call. `writes` has the number of
/// times that each element of the first result was written.
void expect_same_values(std::span<const Value> cuda, std::span<const Value> cpu, const OpEntry& op, bool sizes_only,
                        const std::string& what, bool results = false, const Tensor& writes = {}) {
  std::vector<Tensor> have, want;
  for_each_tensor(cuda, [&](TensorImpl* t) { have.emplace_back(Ref<TensorImpl>(t)); });
  for_each_tensor(cpu, [&](TensorImpl* t) { want.emplace_back(Ref<TensorImpl>(t)); });
  ASSERT_EQ(have.size(), want.size()) << what;
  for (size_t i = 0; i < have.size(); ++i) {
    const bool alike = have[i].dtype() == want[i].dtype() && sym_eq(have[i].sizes(), want[i].sizes());
    const bool saved = results && i > 0;
    if (saved && !alike && op.tags.has(kSavedByDevice)) continue;
    ASSERT_EQ(name(have[i].dtype()), name(want[i].dtype())) << what << " tensor " << i;
    ASSERT_TRUE(sym_eq(have[i].sizes(), want[i].sizes()))
        << what << " tensor " << i << ": " << to_string(have[i].meta()) << " against " << to_string(want[i].meta());
    if (sizes_only || (saved && op.tags.has(kSavedValuesByDevice))) continue;
    Tolerance tolerance = tolerance_of(want[i].dtype());
    tolerance.relative += op.tolerance;
    tolerance.absolute += op.tolerance + (op.tags.has(kRoundsWeights) ? rounded_weights(want[i].dtype()) : 0);
    Tensor mine = tensor_on(kCPU, have[i]), theirs = tensor_on(kCPU, want[i]);
    // The CPU rounds each partial sum of 8-bit floats, CUDA only the final one, so an element may be the neighbouring
    // number.
    if (kFloat8s.has(theirs.dtype()) && op.schema.find_argument("accumulate") >= 0) {
      tolerance.relative += 0.25;
      mine = ops::to(mine, DType::F32);
      theirs = ops::to(theirs, DType::F32);
    }
    // If an element is written several times, each device may keep another of the values.
    if (const Tensor shared = results ? elements_in_place(have[i].meta()) : Tensor()) {
      mine = with_last_writes_of(plain(theirs), plain(mine), shared);
    }
    if (results && i == 0 && writes) mine = with_last_writes_of(plain(theirs), plain(mine), writes);
    const auto difference = compare_values(mine, theirs, tolerance);
    EXPECT_FALSE(difference) << what << " tensor " << i << ": " << to_string(*difference);
  }
}

std::string without_devices(std::string text) {
  for (std::string_view device : {"@cuda:0", "@cpu", "cuda:0", "cuda", "cpu"}) {
    for (size_t at; (at = text.find(device)) != std::string::npos;) text.erase(at, device.size());
  }
  return text;
}

}  // namespace

bool has_gpu() {
  if (cuda_device_count() == 0) return false;
  CudaDevice device;
  if (cuda_functions().device(0, &device) != 0) return false;
  const std::string_view name = device.name;
  return name != "emulated device" && name != "PTX device";
}

Tensor tensor_on(Device device, const Tensor& t) { return TensorCopies(device).of(t); }

std::vector<Value> arguments_on(Device device, std::span<const Value> args) { return TensorCopies(device).of(args); }

namespace {

/// Does expect_agree() for one call. RETURNS whether a kernel ran on the PTX device and the values were compared.
bool compare_devices(const OpEntry& op, std::span<const Value> args, const std::string& what) {
  const Outcome cpu = outcome_on(kCPU, op, args), later = outcome_on(ersatz::cuda(0), op, args);
  if (later.deferred) {
    const ChecksAtOnce at_once;
    const Outcome cuda = outcome_on(ersatz::cuda(0), op, args);
    if (!cuda.error) {
      ADD_FAILURE() << what << ": nothing is refused at once, and later: " << later.words();
      return false;
    }
    EXPECT_FALSE(cuda.deferred) << what;
    EXPECT_EQ(without_devices(cuda.words()), without_devices(cpu.words())) << what;
    EXPECT_EQ(name(later.error->family), name(cuda.error->family)) << what;
    EXPECT_EQ(later.error->op, cuda.error->op) << what;
    EXPECT_EQ(later.error->label, cuda.error->label) << what;
    return false;
  }
  const Outcome& cuda = later;
  // CUDA's kernels may support fewer dtypes. CUDA's rule then raises with one of these texts.
  for (const char* missing : {": not implemented for ", ": no kernel computes in "}) {
    if (!cpu.error && cuda.words().find(missing) != std::string::npos) return false;
  }
  // The results that these ops save for backward differ by device, and CUDA accepts more dtypes of parameters.
  if (op.tags.has(kSavedByDevice) && !cuda.error && cpu.error) return false;
  EXPECT_EQ(without_devices(cuda.words()), without_devices(cpu.words())) << what;
  if (cuda.error || cpu.error) return false;
  const bool sizes_only = op.tags.has(Tag::Uninitialized);
  expect_same_values(cuda.results, cpu.results, op, sizes_only, what, true, writes_of(op, args));
  expect_same_values(cuda.args, cpu.args, op, sizes_only, what + " arguments");
  return cuda.ran_ptx && !sizes_only;
}

}  // namespace

void expect_agree(const OpEntry& op, std::span<const Value> args, const std::string& what) {
  if (compare_devices(op, args, what) && !testing::Test::HasFailure()) note_agreement_on_ptx(op);
}

void expect_agree(std::string_view op, std::string_view arguments, double low, double high) {
  const OpEntry& entry = op_named(op);
  expect_agree(entry, sample_arguments(entry, arguments, low, high),
               std::string(op) + "(" + std::string(arguments) + ")");
}

void expect_agree_for(DTypeSet dtypes, std::string_view op, std::string_view arguments, double low, double high) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const DType dtype = DType(i);
    if (!dtypes.has(dtype)) continue;
    std::string text;
    for (char c : arguments) c == '*' ? text += name(dtype) : text += c;
    expect_agree(op, text, low, high);
  }
}

}  // namespace ersatz
