// Graphs of cuDNN: a few operations on tensors, which the library runs as one kernel.
//
// A graph is built once for a problem, planned for a device and executed often. Planning takes up to a second, because
// the library chooses an engine and may compile it. Source: cuDNN 9's graph API (`cudnnBackend*`). Only dnn_*_cuda.cpp
// files and tests/dnn include this header.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/cuda/dnn.h"
#include "runtime/cuda/dnn_library.h"
#include "runtime/cuda/scratch.h"

namespace ersatz::cuda_module {

/// One of cuDNN's descriptors. After its attributes are set it is finalised; then other descriptors may refer to it.
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

/// The device that a plan is made for: a cuDNN context on it, or a description of a device that is not present.
struct DnnTarget {
  cudnnHandle_t handle = nullptr;
  const DnnDescriptor* properties = nullptr;  ///< of type CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR
};

class DnnGraph {
 public:
  using Tensor = cudnnBackendDescriptor_t;  ///< owned by this graph

  /// Adds a tensor in device memory. REQUIRES: its address is a multiple of `alignment`. DnnPlan::execute takes
  /// addresses in the order of the calls of `memory` and `number`.
  Tensor memory(cudnnDataType_t type, std::span<const int64_t> sizes, std::span<const int64_t> strides,
                int64_t alignment = 16);
  /// Adds an f32 tensor of one element, with `dims` dims of size 1, which is read from host memory when the plan is
  /// executed.
  Tensor number(int dims);
  /// Adds a tensor between two operations, which is never stored in memory. It is row-major unless strides are given.
  Tensor inner(cudnnDataType_t type, std::span<const int64_t> sizes, std::span<const int64_t> strides = {});

  /// Computes result = mode(x) or mode(x, b), or `t ? x : b` if a mask t is given. `axis` is for
  /// CUDNN_POINTWISE_GEN_INDEX.
  struct Pointwise {
    cudnnPointwiseMode_t mode;
    Tensor x = nullptr, b = nullptr, t = nullptr;
    cudnnDataType_t computed_in = CUDNN_DATA_FLOAT;
    int64_t axis = -1;
  };
  void pointwise(const Pointwise& operation, Tensor result);
  /// Adds a reduction over the dims that have size 1 in the result.
  void reduce(cudnnReduceTensorOp_t operation, Tensor x, Tensor result);
  /// Adds a matrix product of the last two dims, summed in f32.
  void multiply(Tensor a, Tensor b, Tensor result);
  /// Adds the convolution `p` of images or volumes. With `p.accumulates`, the convolution is added to the result. A
  /// transposed convolution uses cuDNN's gradient with respect to the data.
  void convolve(const Convolution& p, Tensor x, Tensor weight, Tensor result);
  /// Adds means over windows of the last two dims.
  void average(const AveragePool& windows, Tensor x, Tensor result);

  /// Finalises the graph. After this call nothing may be added.
  const DnnDescriptor& finish(const DnnTarget& target);

 private:
  Tensor tensor(cudnnDataType_t type, std::span<const int64_t> sizes, std::span<const int64_t> strides, int64_t uid,
                int64_t alignment, bool is_virtual, bool by_value);
  DnnDescriptor& keep(cudnnBackendDescriptorType_t type);
  /// Adds the operation `described`. Its attribute `as` is set to the descriptor `how`, and each tensor that is not
  /// null is set under its name.
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

/// Properties that the caller needs of an engine. In addition, no engine may round its operands to a narrower type or
/// sum halves in halves.
struct DnnPromises {
  bool deterministic = false;    ///< the engine gives the same bits each time
  bool no_tensor_cores = false;  ///< f32 is multiplied as f32, not as TF32
};

/// Returns whether the address is a multiple of 16 bytes. A null address counts as a multiple.
inline bool on_packet(const void* address) { return reinterpret_cast<uintptr_t>(address) % 16 == 0; }

/// A graph for which an engine of the library was chosen.
class DnnPlan {
 public:
  /// Makes a plan. Returns null if the library can create no engine that supports the graph and has the properties
  /// `promises`.
  static std::shared_ptr<const DnnPlan> of(DnnGraph graph, const DnnTarget& target, DnnPromises promises);
  int64_t workspace() const { return workspace_; }  ///< bytes
  /// Runs the plan. `addresses` are those of the tensors of DnnGraph::memory and DnnGraph::number, in the order of
  /// these calls. Returns false if the engine fails; its outputs are then unspecified.
  bool execute(cudnnHandle_t handle, std::span<void* const> addresses, void* workspace) const;

 private:
  DnnPlan(DnnGraph graph, DnnDescriptor config, DnnDescriptor plan, int64_t workspace);
  DnnGraph graph_;
  DnnDescriptor config_, plan_;
  int64_t workspace_;
};

/// Returns the configurations of engines that have the properties `promises` and that cuDNN says can run the graph.
/// Configurations that cuDNN's heuristics propose come first, the best one first.
std::vector<DnnDescriptor> dnn_engines(DnnGraph& graph, const DnnTarget& target, DnnPromises promises);

/// Returns the graph of a problem. DnnPlan::execute takes the addresses of its tensors in this order. Convolution:
/// input, weight, output, bias if any. Attention: query, key, value, output, sums, scale, then bias and the score of
/// masked keys (-inf) if any. AveragePool: input, output.
DnnGraph dnn_graph(const Convolution& problem);
DnnGraph dnn_graph(const Attention& problem);
DnnGraph dnn_graph(const AveragePool& problem);

/// Runs the problem on the device's current stream. The thread caches plans under `key`, which must contain everything
/// that the plan depends on. Returns false if there is no plan or its execution fails.
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
