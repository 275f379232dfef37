#include "runtime/tensor/cuda_module.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/base/error.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Each test runs in a child process, because a process looks for the module only once.
class CudaModule : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

/// Returns the error that creating a real tensor on cuda:0 raises; empty if it raises none.
std::string refusal() {
  try {
    DimVec sizes;
    sizes.push_back(4);
    make_real_tensor(TensorMeta(DType::F32, sizes, cuda(0)));
    return "";
  } catch (const Error& e) {
    return e.kind == ErrorKind::NotSupported ? e.message : "another kind: " + e.message;
  }
}

[[noreturn]] void say_and_exit(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  std::exit(0);
}

std::string mapped_files() {
  std::stringstream maps;
  maps << std::ifstream("/proc/self/maps").rdbuf();
  return maps.str();
}

TEST_F(CudaModule, RealTensorWithoutModuleIsRefusedWithRemedies) {
  auto ask = [] {
    setenv("ERSATZ_CUDA_MODULE", "/nowhere/libersatz_cuda.so", 1);
    say_and_exit(refusal());
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0),
              "cuda: real tensors need the CUDA module, and there is no /nowhere/libersatz_cuda.so: ERSATZ_CUDA_MODULE "
              "names it; fake mode");
}

TEST_F(CudaModule, AFileThatIsNoModuleIsRefused) {
  auto ask = [] {
    setenv("ERSATZ_CUDA_MODULE", ERSATZ_SOURCE_DIR "/LICENSE", 1);
    say_and_exit(refusal());
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "LICENSE cannot be used: .*; fake mode");
}

TEST_F(CudaModule, ALibraryWithoutTheEntryIsRefused) {
  auto ask = [] {
    // If this file exists, even empty, the loader finds the system's library by its name.
    const std::string folder = testing::TempDir() + "ersatz_cuda_module_test";
    std::filesystem::create_directory(folder);
    std::filesystem::current_path(folder);
    std::ofstream("libm.so.6");
    setenv("ERSATZ_CUDA_MODULE", "libm.so.6", 1);
    const std::string said = refusal();
    std::filesystem::remove_all(folder);
    say_and_exit(said);
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "it has no entry ersatz_cuda_attach");
}

TEST_F(CudaModule, ARefusalIsRepeatedToEachCaller) {
  auto ask = [] {
    setenv("ERSATZ_CUDA_MODULE", "/nowhere/libersatz_cuda.so", 1);
    std::string first = refusal();
    setenv("ERSATZ_CUDA_MODULE", "", 1);
    say_and_exit(first == refusal() && cuda_device_count() == 0 && !cuda_module_loaded() ? "the same" : "different");
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "the same");
}

TEST_F(CudaModule, RealTensorWithoutGpuNamesMissingPart) {
  if (std::ifstream("/dev/nvidiactl").good()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_EXIT(
      say_and_exit(refusal()), testing::ExitedWithCode(0),
      "there is no NVIDIA driver here|there is no CUDA device here|there is no .*libersatz_cuda.so: build with");
}

TEST_F(CudaModule, FakeCudaStorageLoadsNeitherModuleNorDriver) {
  auto ask = [] {
    DimVec sizes;
    sizes.push_back(1 << 20);
    TensorMeta meta(DType::F32, sizes, cuda(3));
    Tensor t(meta, Storage::make_fake(int64_t(4) << 20, cuda(3)));
    Tensor view = make_view(t, meta);
    say_and_exit(mapped_files().find("libersatz_cuda") == std::string::npos &&
                         mapped_files().find("libcuda") == std::string::npos && !cuda_module_loaded()
                     ? "nothing is loaded"
                     : "something is loaded");
  };
  EXPECT_EXIT(ask(), testing::ExitedWithCode(0), "nothing is loaded");
}

}  // namespace
}  // namespace ersatz
