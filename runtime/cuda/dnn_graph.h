// cuDNN's graphs: a few operations over described tensors, which the library runs as one kernel.
//
// A graph is built once for a problem, planned for a device (the library picks an engine, and may compile it, which
// takes it up to a second) and executed often. Source: cuDNN 9's graph API (`cudnnBackend*`). Only dnn_*_cuda.cpp files
// and tests/dnn include this header.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/cuda/dnn.h"
#include "runtime/cuda/dnn_library.h"
#include "runtime/cuda/scratch.h"

namespace ersatz::cuda_module {

/// One of cuDNN's descriptors: attributes are set, then it is finished, then others may name it.
class DnnDescriptor {
 public:
  explicit DnnDescriptor(cudnnBackendDescriptorType_t type);
  DnnDescriptor(DnnDescriptor&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  DnnDescriptor& operator=(DnnDescriptor&&) = delete;
  ~DnnDescriptor();

  cudnnBackendDescriptor_t raw() const { return raw_; }
  template <class T>
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::span<const T> values) {
    set_all(name, type, static_cast<int64_t>(values.size()), values.data());
  }
  template <class T>
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, const T& value) {
    set_all(name, type, 1, &value);
  }
  void set(cudnnBackendAttributeName_t name, const DnnDescriptor& other) {
    set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, other.raw());
  }
  void finish();

 private:
  void set_all(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count, const void* values);
  cudnnBackendDescriptor_t raw_ = nullptr;
};

/// What a graph is planned for: a context on a device; or, where there is none, a device that is only described.
struct DnnTarget {
  cudnnHandle_t handle = nullptr;
  const DnnDescriptor* properties = nullptr;  ///< of type CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR
};

class DnnGraph {
 public:
  using Tensor = cudnnBackendDescriptor_t;  ///< of this graph, which owns it

  /// Read or written in device memory, at addresses that are multiples of `alignment` bytes. A plan takes their
  /// addresses in the order of these calls and those of `number`.
  Tensor memory(cudnnDataType_t type, std::span<const int64_t> sizes, std::span<const int64_t> strides,
                int64_t alignment = 16);
  /// An f32 that is read from host memory when the plan is executed; of so many dims, each of size 1.
  Tensor number(int dims);
  /// Between two operations, in no memory; row-major unless strides are given.
  Tensor inner(cudnnDataType_t type, std::span<const int64_t> sizes, std::span<const int64_t> strides = {});

  /// result = mode(x), mode(x, b), or t ? x : b where a mask t is given. `axis`: of CUDNN_POINTWISE_GEN_INDEX.
  struct Pointwise {
    cudnnPointwiseMode_t mode;
    Tensor x = nullptr, b = nullptr, t = nullptr;
    cudnnDataType_t computed_in = CUDNN_DATA_FLOAT;
    int64_t axis = -1;
  };
  void pointwise(const Pointwise& operation, Tensor result);
  /// Along the dims that have size 1 in the result.
  void reduce(cudnnReduceTensorOp_t operation, Tensor x, Tensor result);
  /// Of the last two dims; summed in f32.
  void multiply(Tensor a, Tensor b, Tensor result);
  /// Of images and volumes, with the attributes of `p`; added to what the result holds where it accumulates. A
  /// transposed convolution is the library's gradient with respect to the data.
  void convolve(const Convolution& p, Tensor x, Tensor weight, Tensor result);
  /// Means over windows of the last two dims.
  void average(const AveragePool& windows, Tensor x, Tensor result);

  /// The graph as the library sees it. Nothing may be added afterwards.
  const DnnDescriptor& finish(const DnnTarget& target);

 private:
  Tensor tensor(cudnnDataType_t type, std::span<const int64_t> sizes, std::span<const int64_t> strides, int64_t uid,
                int64_t alignment, bool is_virtual, bool by_value);
  DnnDescriptor& keep(cudnnBackendDescriptorType_t type);
  /// Adds the operation `described`: its attribute `as` is `how`, and its tensors are those that are not null.
  struct Named {
    cudnnBackendAttributeName_t name;
    Tensor tensor;
  };
  void operation(DnnDescriptor& described, cudnnBackendAttributeName_t as, DnnDescriptor& how,
                 std::initializer_list<Named> tensors);

  std::vector<std::unique_ptr<DnnDescriptor>> all_;
  std::vector<cudnnBackendDescriptor_t> operations_;
  std::unique_ptr<DnnDescriptor> finished_;
  int64_t named_ = 0, inner_ = 0;
  friend class DnnPlan;
};

/// What an engine must promise. None may round its operands to a narrower type or sum halves in halves.
struct DnnPromises {
  bool deterministic = false;    ///< the same bits each time
  bool no_tensor_cores = false;  ///< f32 is multiplied as f32, not as TF32
};

/// Is the address a multiple of 16 bytes? Null is.
inline bool on_packet(const void* address) { return reinterpret_cast<uintptr_t>(address) % 16 == 0; }

/// A graph that an engine of the library has taken.
class DnnPlan {
 public:
  /// Null where no engine takes it, keeps the promises and can be made.
  static std::shared_ptr<const DnnPlan> of(DnnGraph graph, const DnnTarget& target, DnnPromises promises);
  int64_t workspace() const { return workspace_; }  ///< bytes
  /// `addresses`: of the graph's tensors in memory and numbers, in their order. False where the engine fails: what it
  /// writes is unspecified then.
  bool execute(cudnnHandle_t handle, std::span<void* const> addresses, void* workspace) const;

 private:
  DnnPlan(DnnGraph graph, DnnDescriptor config, DnnDescriptor plan, int64_t workspace);
  DnnGraph graph_;
  DnnDescriptor config_, plan_;
  int64_t workspace_;
};

/// The library's proposals for a graph, those of its heuristics first, best first: engine configurations that it says
/// it can run, of engines that keep the promises.
std::vector<DnnDescriptor> dnn_engines(DnnGraph& graph, const DnnTarget& target, DnnPromises promises);

/// The graphs of our problems. The order of their addresses: input, weight, output, then the bias where there is one;
/// query, key, value, output, sums, scale, then bias and the score of hidden keys (-inf) where there are such; input,
/// output.
DnnGraph dnn_graph(const Convolution& problem);
DnnGraph dnn_graph(const Attention& problem);
DnnGraph dnn_graph(const AveragePool& problem);

/// Runs the problem on the device's current stream, by a plan that this thread remembers under `key`: all that the
/// plan depends on. False where there is none, or it fails.
template <class Problem, class Key>
bool run_graph(int device, const Problem& problem, const Key& key, DnnPromises promises,
               std::span<void* const> addresses) {
  const DnnTarget target{dnn_handle(device)};
  DeviceScope scope(device);
  const auto& plan = remembered<std::shared_ptr<const DnnPlan>>(
      key, [&] { return DnnPlan::of(dnn_graph(problem), target, promises); });
  if (!plan) return false;
  const DeviceScratch workspace(device, plan->workspace());
  return plan->execute(target.handle, addresses, workspace.as<void>());
}

}  // namespace ersatz::cuda_module
