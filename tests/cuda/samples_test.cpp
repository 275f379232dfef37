// The samples of each op with a CUDA kernel, in each layout and dtype, CPU compared with CUDA. One test per op:
// CudaSamples.<op>.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <regex>

#include "runtime/base/context.h"
#include "runtime/op/device_tag.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/cuda_module.h"
#include "tests/cuda/device_samples.h"
#include "tests/cuda/ptx_operators.h"

namespace ersatz {
namespace {

class CudaSamples : public testing::Test {
 public:
  explicit CudaSamples(const OpEntry& op) : op_(op) {}
  void TestBody() override {
    int calls = 0;
    for (const Sample& sample : op_.samples) {
      for (SampleLayout layout : kSampleLayouts) {
        if (!layout_applies(op_, layout)) continue;
        std::vector<Value> args;
        try {
          args = sample_arguments(op_, sample, {.layout = layout});
        } catch (const Error&) {
          continue;  // a sample that cannot be made in that layout
        }
        ++calls;
        if (refused_on(cuda(0), args)) continue;
        expect_agree(op_, args, op_.name + "(" + sample.arguments + ") " + std::string(name(layout)));
        if (HasFailure()) return;
      }
    }
    for (const ErrorSample& sample : op_.error_samples) {
      const std::vector<Value> args = sample_arguments(op_, sample);
      // If the rule of one device refuses the call, nothing is compared: PyTorch's CUDA kernels have other limits.
      if (refused_on(cuda(0), args) || refused_on(kCPU, args)) continue;
      expect_agree(op_, args, op_.name + "(" + sample.arguments + ")");
    }
    EXPECT_GT(calls, 0) << "no samples";
    for (const Sample& sample : op_.samples) {
      for (int t = 0; t < kDTypeCount && !HasFailure(); ++t) try_dtype(sample, static_cast<DType>(t));
    }
  }

 private:
  /// Tries the sample with another dtype in place of its first tensor's, in dtype arguments too. The kernel must
  /// compute each dtype that CUDA's rule accepts.
  void try_dtype(const Sample& sample, DType dtype) const {
    static const std::regex of_tensor("\\b([a-z]+[0-9]*)(\\[[0-9])");
    std::smatch first;
    if (!std::regex_search(sample.arguments, first, of_tensor) || first[1].str() == name(dtype)) return;
    if (op_.tags.has(kTiesByDevice) && !is_float(dtype)) return;  // the device chooses among equal integers
    const std::regex same("\\b" + first[1].str() + "\\b");
    const std::string text = std::regex_replace(sample.arguments, same, std::string(name(dtype)));
    std::vector<Value> args;
    try {
      args = sample_arguments(op_, text, sample.low, sample.high);
    } catch (const Error&) {
      return;  // refused by the schema
    }
    const std::string what = op_.name + "(" + text + ")";
    if (refused_on(cuda(0), args)) return;
    if (!refused_on(kCPU, args)) return expect_agree(op_, args, what);
    const std::vector<Value> moved = arguments_on(cuda(0), args);
    Values results;
    try {
      dispatch(op_, moved, results);
    } catch (const Error& e) {
      ADD_FAILURE() << what << " on cuda, whose rule takes it: " << e.message;
    }
  }

  /// Returns whether the rule refuses the call on `device`. CUDA's rule may accept other dtypes than the CPU's.
  bool refused_on(Device device, std::span<const Value> args) const {
    const std::vector<Value> moved = arguments_on(device, args);
    ContextGuard guard([device](RuleContext& c) { c.default_device = device; });
    RuleResult result;
    try {
      run_rule(op_, moved, result);
    } catch (const Error&) {
      return true;
    }
    return false;
  }

  const OpEntry& op_;
};

std::string test_name(std::string name) {
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') c = '_';
  }
  return name;
}

void register_samples() {
  for (const OpEntry* op : registry().all()) {
    if (op->composite || op->functional || op->samples.empty() || !op->has_kernel(DeviceType::CUDA)) continue;
    testing::RegisterTest("CudaSamples", test_name(op->name).c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [op]() -> CudaSamples* { return new CudaSamples(*op); });
  }
}

}  // namespace
}  // namespace ersatz

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // Without a GPU the emulated device is used. The variable is set before the first call, because a process looks for
  // the module once.
  if (!std::getenv("ERSATZ_CUDA_MODULE") && !std::filesystem::exists("/dev/nvidiactl")) {
    setenv("ERSATZ_CUDA_MODULE", ERSATZ_BINARY_DIR "/lib/libersatz_cuda_emulated.so", 1);
  }
  ersatz::cuda_functions();
  ersatz::register_samples();
  const int status = RUN_ALL_TESTS();
  ersatz::write_ptx_operators();
  const int skipped = testing::UnitTest::GetInstance()->skipped_test_count();
  if (!ersatz::has_gpu()) std::cout << skipped << " CUDA tests skipped: no device, or no thread sanitizer\n";
  return status;
}
