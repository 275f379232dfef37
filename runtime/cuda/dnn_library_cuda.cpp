#include "runtime/cuda/dnn_library.h"

#include "runtime/base/error.h"
#include "runtime/cuda/dnn.h"
#include "runtime/cuda/status.h"

namespace ersatz::cuda_module {

const DnnLibrary& dnn_library() {
  static const DnnLibrary loaded;
  return loaded;
}

void check_dnn(cudnnStatus_t status, const char* call, const char* file, int line) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  raise_fault_behind(call, file, line);
  char more[512] = {};
  dnn_library().GetLastErrorString(more, sizeof more);
  raise_internal_error(file, line, call, "cuDNN {}: {} {}", dnn_library().GetVersion(),
                       dnn_library().GetErrorString(status), more);
}

cudnnDataType_t dnn_type(DType t) {
  switch (t) {
    case DType::F16:
      return CUDNN_DATA_HALF;
    case DType::BF16:
      return CUDNN_DATA_BFLOAT16;
    case DType::F32:
      return CUDNN_DATA_FLOAT;
    case DType::F64:
      return CUDNN_DATA_DOUBLE;
    default:
      ERSATZ_ASSERT(false, "cuDNN computes no {}", name(t));
      return CUDNN_DATA_FLOAT;
  }
}

int dnn_version() {
  try {
    return static_cast<int>(dnn_library().GetVersion());
  } catch (const Error&) {
    return 0;
  }
}

cudnnHandle_t dnn_handle(int device) {
  const cudnnHandle_t handle = HandlePool<cudnnHandle_t>::of_thread(device, [] {
    cudnnHandle_t made = nullptr;
    ERSATZ_CHECK_DNN(dnn_library().Create(&made));
    return made;
  });
  DeviceScope scope(device);
  ERSATZ_CHECK_DNN(dnn_library().SetStream(handle, static_cast<cudaStream_t>(current_stream(device))));
  return handle;
}

}  // namespace ersatz::cuda_module
