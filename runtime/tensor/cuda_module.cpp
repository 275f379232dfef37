#include "runtime/tensor/cuda_module.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "runtime/base/error.h"

namespace ersatz {
namespace {

std::atomic<bool> g_loaded{false};

/// Each error about the module ends with this text, which says what works without the module.
constexpr const char* kWaysOn = "fake mode, `--device cuda --no-real` and the cpu need none";

struct LoadedModule {
  CudaFunctions functions;
  std::string failure;  ///< empty when the module is attached
};

/// Returns the folder of the shared library that contains this code.
std::filesystem::path library_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&cuda_module_loaded), &info) == 0 || !info.dli_fname) return {};
  std::error_code ignored;
  std::filesystem::path library = std::filesystem::canonical(info.dli_fname, ignored);
  return (ignored ? std::filesystem::path(info.dli_fname) : library).parent_path();
}

/// Returns the path in ERSATZ_CUDA_MODULE; empty if it is not set.
std::filesystem::path named_path() {
  const char* named = std::getenv("ERSATZ_CUDA_MODULE");
  return named ? named : "";
}

std::filesystem::path module_path() {
  std::filesystem::path named = named_path();
  return named.empty() ? library_folder() / "libersatz_cuda.so" : named;
}

std::string attach(void* library, CudaFunctions& functions) {
  auto entry = reinterpret_cast<CudaAttachFunction>(dlsym(library, "ersatz_cuda_attach"));
  if (!entry) return "it has no entry ersatz_cuda_attach";
  char reason[512] = "no reason given";
  auto status = static_cast<CudaAttach>(entry(kCudaModuleAbi, &functions, reason, sizeof reason));
  return status == CudaAttach::Attached ? "" : reason;
}

LoadedModule load_module() {
  LoadedModule module;
  std::filesystem::path path = module_path();
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    const char* way = named_path().empty() ? "build with -DERSATZ_CUDA=ON, or name the file in ERSATZ_CUDA_MODULE"
                                           : "ERSATZ_CUDA_MODULE names it";
    module.failure =
        fmt::format("cuda: real tensors need the CUDA module, and there is no {}: {}; {}", path.string(), way, kWaysOn);
    return module;
  }
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::string reason = library ? attach(library, module.functions) : std::string(dlerror());
  if (reason.empty()) {
    g_loaded = true;
  } else {
    module.failure = fmt::format("cuda: the CUDA module {} cannot be used: {}; {}", path.string(), reason, kWaysOn);
  }
  return module;  // a library that failed to attach is not closed, because CUDA's threads may already run its code
}

const LoadedModule& module() {
  static const LoadedModule loaded = load_module();
  return loaded;
}

}  // namespace

const CudaFunctions& cuda_functions() {
  const LoadedModule& loaded = module();
  if (!loaded.failure.empty()) fail(ErrorKind::NotSupported, ErrorFamily::Runtime, "{}", loaded.failure);
  return loaded.functions;
}

bool list_cuda_kernels(std::string& reason) {
  const std::filesystem::path path = module_path();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto entry = library ? reinterpret_cast<CudaListFunction>(dlsym(library, "ersatz_cuda_list")) : nullptr;
  char why[512] = "";
  if (entry && entry(kCudaModuleAbi, why, sizeof why) == 0) return true;
  reason = *why ? why : library ? "it has another interface" : dlerror();
  return false;
}

bool cuda_module_loaded() { return g_loaded; }

int cuda_device_count() { return module().failure.empty() ? module().functions.device_count : 0; }

BackendRecord backend_of(Device device) {
  const CudaFunctions& cuda = cuda_functions();
  CudaDevice found;
  check_cuda(cuda.device(device.index, &found), device, "description", 0);
  BackendRecord backend;
  backend.cuda_capability = found.capability;
  if (cuda.library_versions) cuda.library_versions(&backend.cublas_version, &backend.cudnn_version);
  return backend;
}

void check_cuda(int code, Device device, const char* what, int64_t nbytes) {
  if (code == 0) return;
  fail(ErrorKind::NotSupported, ErrorFamily::Runtime, "{}: {} of {} bytes failed: {}", to_string(device), what, nbytes,
       cuda_functions().error_text(code));
}

}  // namespace ersatz
