// cuDNN 9, loaded when a kernel first needs it: its functions, contexts and errors, shared by dnn_*_cuda.cpp.
#pragma once

#include <cudnn.h>

#include "runtime/base/dtype.h"
#include "runtime/cuda/handles.h"

namespace ersatz::cuda_module {

struct DnnLibrary {
#define ERSATZ_CUDNN_TEXT_OF(x) #x
#define ERSATZ_CUDNN_TEXT(x) ERSATZ_CUDNN_TEXT_OF(x)
  SharedLibrary file{"libcudnn.so." ERSATZ_CUDNN_TEXT(CUDNN_MAJOR), "convolutions and attention on CUDA",
                     "cuDNN " ERSATZ_CUDNN_TEXT(CUDNN_MAJOR)};
#define ERSATZ_CUDNN(name) decltype(&cudnn##name) name = file.symbol<decltype(cudnn##name)>("cudnn" #name)
  ERSATZ_CUDNN(Create);
  ERSATZ_CUDNN(SetStream);
  ERSATZ_CUDNN(GetVersion);
  ERSATZ_CUDNN(GetErrorString);
  ERSATZ_CUDNN(GetLastErrorString);
  ERSATZ_CUDNN(BackendCreateDescriptor);
  ERSATZ_CUDNN(BackendDestroyDescriptor);
  ERSATZ_CUDNN(BackendSetAttribute);
  ERSATZ_CUDNN(BackendGetAttribute);
  ERSATZ_CUDNN(BackendFinalize);
  ERSATZ_CUDNN(BackendExecute);
#undef ERSATZ_CUDNN
};

/// Loads cuDNN. Raises NotSupported if cuDNN is missing or has another version.
const DnnLibrary& dnn_library();

/// Raises InternalError with cuDNN's message if `status` is a failure.
void check_dnn(cudnnStatus_t status, const char* call, const char* file, int line);
#define ERSATZ_CHECK_DNN(call) ::ersatz::cuda_module::check_dnn((call), #call, __FILE__, __LINE__)

/// Returns whether cuDNN reports that it does not support a problem, which is not a failure.
inline bool not_supported(cudnnStatus_t status) { return CUDNN_STATUS_CATEGORY(status) == CUDNN_STATUS_NOT_SUPPORTED; }

/// Returns cuDNN's name of a dtype. REQUIRES: a float.
cudnnDataType_t dnn_type(DType dtype);

/// Returns this thread's cuDNN context on that device. Its work is queued on the device's current stream.
cudnnHandle_t dnn_handle(int device);

}  // namespace ersatz::cuda_module
