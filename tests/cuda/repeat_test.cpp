// Runs the samples of each CUDA kernel twice in deterministic mode; without it, some kernels add with atomics, as in
// PyTorch. The bits must be equal each time. To compare processes too, the test reports a checksum of each op's results
// as a property, which scripts/gpu-session compares.
#include <gtest/gtest.h>

#include "fake/watch/poison.h"
#include "runtime/base/context.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/cuda_module.h"
#include "runtime/tensor/generator.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

/// Returns the elements of all results on cuda:0 as bytes; empty if the call is refused.
std::string result_bytes(const OpEntry& op, std::span<const Value> args) {
  const std::vector<Value> there = arguments_on(cuda(0), args);
  ContextGuard guard([](RuleContext& c) {
    c.default_device = cuda(0);
    c.deterministic = true;
  });
  manual_seed(3);
  Values results;
  std::string bytes;
  try {
    dispatch(op, there, results);
    for_each_tensor(results, [&](TensorImpl* t) {
      const Tensor here = tensor_on(kCPU, Tensor(Ref<TensorImpl>(t)));
      for_each_element(here.meta(), [&](int64_t at) {
        bytes.append(reinterpret_cast<const char*>(here.storage()->data() + at),
                     static_cast<size_t>(item_size(here.dtype())));
      });
    });
  } catch (const Error&) {
    return "";
  }
  return bytes;
}

TEST(CudaRepeat, EveryKernelAnswersTheSameBitsTwice) {
  for (const OpEntry* op : registry().all()) {
    if (op->composite || op->functional || op->samples.empty() || !op->has_kernel(DeviceType::CUDA)) continue;
    if (op->tags.has(Tag::Uninitialized) || op->tags.has(Tag::Nondeterministic)) continue;
    std::string all;
    for (const Sample& sample : op->samples) {
      const std::vector<Value> args = sample_arguments(*op, sample);
      const std::string first = result_bytes(*op, args);
      EXPECT_TRUE(first == result_bytes(*op, args)) << op->name << "(" << sample.arguments << ")";
      all += first;
    }
    std::string key = op->name;
    for (char& c : key) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    RecordProperty(key, std::to_string(std::hash<std::string>()(all)));
  }
}

}  // namespace
}  // namespace ersatz
