#include "runtime/cuda/status.h"

namespace ersatz::cuda_module {

void check(int status, const char* call, const char* file, int line) {
  if (status == 0) return;
  int device = -1;
  driver().get_device(&device);
  raise_internal_error(file, line, call, "cuda:{}: {}", device, driver().error_text(status));
}

}  // namespace ersatz::cuda_module
