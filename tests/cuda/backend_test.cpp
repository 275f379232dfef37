// The backend that a real device reports to rules.
#include "runtime/tensor/cuda_module.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

TEST(CudaBackend, IsTheDevicesCapabilityAndItsLibraries) {
  const BackendRecord backend = backend_of({DeviceType::CUDA, 0});
  EXPECT_GE(backend.cuda_capability, 50);
  if (has_gpu()) {
    EXPECT_GT(backend.cublas_version, 0);
    EXPECT_GE(backend.cudnn_version, 90000);
  } else {  // no cuDNN: loops replace it. Only the PTX device has a cuBLASLt
    EXPECT_TRUE(backend.cublas_version == 0 || backend.cublas_version >= 130000) << backend.cublas_version;
    EXPECT_EQ(backend.cudnn_version, 0);
  }
}

}  // namespace
}  // namespace ersatz
