#include <dlfcn.h>

#include "runtime/base/error.h"
#include "runtime/cuda/handles.h"

namespace ersatz::cuda_module {

SharedLibrary::SharedLibrary(std::string file, std::string_view needed_for, std::string_view provider)
    : file_(std::move(file)) {
  handle_ = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char* text = handle_ ? nullptr : dlerror();
  const std::string why = text ? text : "";
  for (const char* folder : {"/usr/local/cuda/lib64/", "/usr/local/cuda/lib/"}) {
    if (!handle_) handle_ = dlopen((folder + file_).c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (!handle_) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
         "{} need {} of {}, which cannot be loaded ({}): install it, or name its folder in LD_LIBRARY_PATH; on the CPU "
         "the op runs without it",
         needed_for, file_, provider, why);
  }
}

void* SharedLibrary::address(const char* name) const {
  void* found = dlsym(handle_, name);
  if (!found) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
         "the loaded {} has no function {}: it is of another version", file_, name);
  }
  return found;
}

}  // namespace ersatz::cuda_module
