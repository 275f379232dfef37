// Kernels with one fault each, which a tool of compute-sanitizer finds, and equal kernels without the fault.
//     planted memcheck|initcheck|racecheck|synccheck faulty|sound
#include <cstdio>
#include <cstring>

__global__ void read(const int* from, int* to, int at) { to[threadIdx.x] = from[threadIdx.x + at]; }

__global__ void turn(int* data, bool wait) {
  __shared__ int shared[256];
  shared[threadIdx.x] = data[threadIdx.x];
  if (wait) __syncthreads();
  data[threadIdx.x] = shared[255 - threadIdx.x];
}

// A lane that is not in the mask waits.
__global__ void wait(int* data, int lanes) {
  if (threadIdx.x < lanes) {
    data[threadIdx.x] = 1;
    __syncwarp(0x0000ffff);
    data[threadIdx.x] = 2;
  }
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const char* tool = argv[1];
  const bool faulty = !std::strcmp(argv[2], "faulty");
  int *from = nullptr, *to = nullptr;
  cudaMalloc(&from, 256 * sizeof(int));
  cudaMalloc(&to, 256 * sizeof(int));
  if (!(faulty && !std::strcmp(tool, "initcheck"))) cudaMemset(from, 0, 256 * sizeof(int));
  if (!std::strcmp(tool, "memcheck")) read<<<1, 256>>>(from, to, faulty ? 1 : 0);
  if (!std::strcmp(tool, "initcheck")) read<<<1, 256>>>(from, to, 0);
  if (!std::strcmp(tool, "racecheck")) turn<<<1, 256>>>(from, !faulty);
  if (!std::strcmp(tool, "synccheck")) wait<<<1, 32>>>(from, faulty ? 17 : 16);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(from);
  cudaFree(to);
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
