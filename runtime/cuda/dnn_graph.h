// cuDNN's graphs: a few operations over described tensors, which the library runs as one kernel.
//
// A graph is built once for a problem, planned for a device and executed often. Planning takes up to a second, because
// the library picks an engine and may compile it. Source: cuDNN 9's graph API (`cudnnBackend*`). Only dnn_*_cuda.cpp
// files and tests/dnn include this header.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/cuda/dnn.h"
#include "runtime/cuda/dnn_library.h"
#include "runtime/cuda/scratch.h"

namespace ersatz::cuda_module {

/// One of cuDNN's descriptors. Its attributes are set, then it is finalised, then other descriptors may refer to it.
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

/// The target of a plan: a context on a device, or the description of a device without one.
struct DnnTarget {
  cudnnHandle_t handle = nullptr;
  const DnnDescriptor* properties = nullptr;  ///< of type CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR
};

class DnnGraph {
 public:
  using Tensor = cudnnBackendDescriptor_t;  ///< owned by this graph

  /// A tensor in device memory, at an address that is a multiple of `alignment` bytes. A plan takes addresses in the
  /// order of the calls of `memory` and `number`.
  Tensor memory(cudnnDataType_t type, std::span<const int64_t> sizes, std::span<const int64_t> strides,
                int64_t alignment = 16);
  /// An f32 that is read from host memory when the plan is executed. It has `dims` dims of size 1.
  Tensor number(int dims);
  /// A tensor between two operations, not in memory. Row-major unless strides are given.
  Tensor inner(cudnnDataType_t type, std::span<const int64_t> sizes, std::span<const int64_t> strides = {});

  /// result = mode(x), mode(x, b), or t ? x : b if a mask t is given. `axis` is for CUDNN_POINTWISE_GEN_INDEX.
  struct Pointwise {
    cudnnPointwiseMode_t mode;
    Tensor x = nullptr, b = nullptr, t = nullptr;
    cudnnDataType_t computed_in = CUDNN_DATA_FLOAT;
    int64_t axis = -1;
  };
  void pointwise(const Pointwise& operation, Tensor result);
  /// Reduces the dims that have size 1 in the result.
  void reduce(cudnnReduceTensorOp_t operation, Tensor x, Tensor result);
  /// Matrix product of the last two dims, summed in f32.
  void multiply(Tensor a, Tensor b, Tensor result);
  /// Convolution of images or volumes, with the attributes of `p`. With `p.accumulates` it is added to the result. A
  /// transposed convolution is the library's gradient with respect to the data.
  void convolve(const Convolution& p, Tensor x, Tensor weight, Tensor result);
  /// Means over windows of the last two dims.
  void average(const AveragePool& windows, Tensor x, Tensor result);

  /// Finalises the graph. Nothing may be added afterwards.
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

/// Properties that an engine must have. No engine may round its operands to a narrower type or sum halves in halves.
struct DnnPromises {
  bool deterministic = false;    ///< equal bits each time
  bool no_tensor_cores = false;  ///< f32 is multiplied as f32, not as TF32
};

/// Whether the address is a multiple of 16 bytes. True for null.
inline bool on_packet(const void* address) { return reinterpret_cast<uintptr_t>(address) % 16 == 0; }

/// A graph for which an engine of the library was chosen.
class DnnPlan {
 public:
  /// Null if no engine supports the graph, has the required properties and can be created.
  static std::shared_ptr<const DnnPlan> of(DnnGraph graph, const DnnTarget& target, DnnPromises promises);
  int64_t workspace() const { return workspace_; }  ///< bytes
  /// `addresses` are those of the graph's tensors in memory and numbers, in their order. Returns false if the engine
  /// fails: its outputs are then unspecified.
  bool execute(cudnnHandle_t handle, std::span<void* const> addresses, void* workspace) const;

 private:
  DnnPlan(DnnGraph graph, DnnDescriptor config, DnnDescriptor plan, int64_t workspace);
  DnnGraph graph_;
  DnnDescriptor config_, plan_;
  int64_t workspace_;
};

/// Engine configurations for a graph which the library says it can run, of engines with the required properties. The
/// library's heuristics come first, best first.
std::vector<DnnDescriptor> dnn_engines(DnnGraph& graph, const DnnTarget& target, DnnPromises promises);

/// The graphs of the three problems. Addresses are in this order. Convolution: input, weight, output, bias if any.
/// Attention: query, key, value, output, sums, scale, then bias and the score of masked keys (-inf) if any.
/// AveragePool: input, output.
DnnGraph dnn_graph(const Convolution& problem);
DnnGraph dnn_graph(const Attention& problem);
DnnGraph dnn_graph(const AveragePool& problem);

/// Runs the problem on the device's current stream. The thread caches plans under `key`, which must have everything
/// that the plan depends on. Returns false if there is no plan or it fails.
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
