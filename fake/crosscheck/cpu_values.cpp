// Makes results for a call whose device has no kernel. They have the CPU run's values in the layout that is predicted
// for the device, so later calls compute with meaningful values.
#include "fake/crosscheck/checked_call.h"
#include "runtime/op/copy.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/allocator.h"

namespace ersatz {
namespace {

/// Returns a tensor with metadata `like` on the device of `like`, with the values of the CPU tensor `from`.
Tensor moved(const Tensor& from, const TensorMeta& like) {
  TensorMeta meta = like;
  meta.device = kCPU;
  meta.requires_grad = false;
  Tensor host = make_real_tensor(meta);
  const Storage& bytes = *host.storage();
  set_bytes(bytes.data(), kCPU, std::byte{0}, bytes.nbytes().as_int());
  copy_elements(host, from);
  if (like.device.is_cpu()) return host;
  meta.device = like.device;
  Tensor there = make_real_tensor(std::move(meta));
  copy_bytes(there.storage()->data(), there.device(), bytes.data(), kCPU, bytes.nbytes().as_int());
  return there;
}

}  // namespace

bool CheckedCall::only_kernel_is_missing() const {
  return case_.observed.error && lacks_support(*case_.observed.error) &&
         (!case_.predicted.error || lacks_data(*case_.predicted.error));
}

void CheckedCall::take_values_from_cpu() {
  if (!only_kernel_is_missing() || !case_.cpu_run || case_.cpu_run->error) return;
  const Values cpu = flat_results(case_.cpu_run->results);
  if (case_.predicted.error || case_.answer.fell_back) predict_from_cpu();
  const Values fakes = flat_results(outcome_.fake);
  if (cpu.size() != fakes.size()) return;
  for (size_t k = 0; k < cpu.size(); ++k) {
    if (cpu[k].is_tensor() != fakes[k].is_tensor()) return;
    if (!cpu[k].is_tensor()) continue;
    const TensorMeta &mine = fakes[k].tensor_impl()->meta, &theirs = cpu[k].tensor_impl()->meta;
    if (mine.dtype != theirs.dtype || mine.is_symbolic() || !sym_eq(mine.sizes, theirs.sizes)) return;
  }
  write_back_from_cpu();
  size_t at = 0;
  for (Value& v : map_leaves(outcome_.fake, [&](const Value& fake) {
         const Value& value = cpu[at++];
         if (!fake.is_tensor()) return value;
         for (const CallCase::Argument& a : case_.arguments) {
           if (a.fake == fake.tensor_impl()) return Value(Tensor(Ref<TensorImpl>(a.real)));
         }
         return Value(moved(value.tensor(), fake.tensor_impl()->meta));
       })) {
    outcome_.cpu_values.push_back(std::move(v));
  }
}

/// Replaces the predicted results by fakes with the metadata of the CPU's results, because sizes may depend on data.
void CheckedCall::predict_from_cpu() {
  const Device device = *CpuRun::device_of(case_.real_args);
  outcome_.fake.clear();
  for (Value& v : map_tensors(case_.cpu_run->results, [&](const Tensor& t) {
         TensorMeta meta = t.meta();
         meta.device = device;
         return case_.mode.make(std::move(meta));
       })) {
    outcome_.fake.push_back(std::move(v));
  }
}

/// Copies the arguments that the call wrote on the CPU to the device. The copies on the CPU have the device's layout,
/// so this function can copy whole storages.
void CheckedCall::write_back_from_cpu() {
  for (size_t i = 0; i < std::min(case_.arguments.size(), case_.cpu_run->arguments.size()); ++i) {
    Storage &to = *case_.arguments[i].real->storage, &from = *case_.cpu_run->arguments[i].storage();
    if (from.version() == 0 || to.version() != case_.arguments[i].real_version) continue;
    const int64_t nbytes = to.nbytes().as_int();
    if (from.nbytes().as_int() != nbytes) continue;
    to.prepare_write();
    copy_bytes(to.data(), to.device(), from.data(), kCPU, nbytes);
    to.bump_version();
  }
}

}  // namespace ersatz
