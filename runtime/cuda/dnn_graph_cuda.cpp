#include "runtime/cuda/dnn_graph.h"

#include <algorithm>
#include <numeric>

#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/cuda/status.h"

namespace ersatz::cuda_module {

DnnDescriptor::DnnDescriptor(cudnnBackendDescriptorType_t type) {
  ERSATZ_CHECK_DNN(dnn_library().BackendCreateDescriptor(type, &raw_));
}

DnnDescriptor::~DnnDescriptor() {
  if (raw_) dnn_library().BackendDestroyDescriptor(raw_);
}

void DnnDescriptor::set_all(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count,
                            const void* values) {
  ERSATZ_CHECK_DNN(dnn_library().BackendSetAttribute(raw_, name, type, count, values));
}

void DnnDescriptor::finish() { ERSATZ_CHECK_DNN(dnn_library().BackendFinalize(raw_)); }

DnnDescriptor& DnnGraph::keep(cudnnBackendDescriptorType_t type) {
  return *all_.emplace_back(std::make_unique<DnnDescriptor>(type));
}

DnnGraph::Tensor DnnGraph::tensor(cudnnDataType_t type, std::span<const int64_t> sizes,
                                  std::span<const int64_t> strides, int64_t uid, int64_t alignment, bool is_virtual,
                                  bool by_value) {
  DnnDescriptor& t = keep(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  t.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type);
  t.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, sizes);
  t.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, strides);
  t.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, uid);
  t.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, alignment);
  t.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, is_virtual);
  t.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, by_value);
  t.finish();
  return t.raw();
}

DnnGraph::Tensor DnnGraph::memory(cudnnDataType_t type, std::span<const int64_t> sizes,
                                  std::span<const int64_t> strides, int64_t alignment) {
  return tensor(type, sizes, strides, ++named_, alignment, false, false);
}

DnnGraph::Tensor DnnGraph::number(int dims) {
  const std::vector<int64_t> ones(static_cast<size_t>(dims), 1);
  return tensor(CUDNN_DATA_FLOAT, ones, ones, ++named_, sizeof(float), false, true);
}

DnnGraph::Tensor DnnGraph::inner(cudnnDataType_t type, std::span<const int64_t> sizes,
                                 std::span<const int64_t> strides) {
  if (!strides.empty()) return tensor(type, sizes, strides, -++inner_, 16, true, false);
  std::vector<int64_t> rows(sizes.size(), 1);
  for (size_t d = sizes.size() - 1; d-- > 0;) rows[d] = rows[d + 1] * sizes[d + 1];
  return tensor(type, sizes, rows, -++inner_, 16, true, false);
}

void DnnGraph::operation(DnnDescriptor& described, cudnnBackendAttributeName_t as, DnnDescriptor& how,
                         std::initializer_list<Named> tensors) {
  how.finish();
  described.set(as, how);
  for (const Named& t : tensors) {
    if (t.tensor) described.set(t.name, CUDNN_TYPE_BACKEND_DESCRIPTOR, t.tensor);
  }
  described.finish();
  operations_.push_back(described.raw());
}

void DnnGraph::pointwise(const Pointwise& p, Tensor result) {
  DnnDescriptor& how = keep(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, p.mode);
  how.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, p.computed_in);
  if (p.axis >= 0) how.set(CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, p.axis);
  operation(keep(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR), CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how,
            {{CUDNN_ATTR_OPERATION_POINTWISE_XDESC, p.x},
             {CUDNN_ATTR_OPERATION_POINTWISE_BDESC, p.b},
             {CUDNN_ATTR_OPERATION_POINTWISE_TDESC, p.t},
             {CUDNN_ATTR_OPERATION_POINTWISE_YDESC, result}});
}

void DnnGraph::reduce(cudnnReduceTensorOp_t operator_, Tensor x, Tensor result) {
  DnnDescriptor& how = keep(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
  how.set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, operator_);
  how.set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
  operation(keep(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR), CUDNN_ATTR_OPERATION_REDUCTION_DESC, how,
            {{CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x}, {CUDNN_ATTR_OPERATION_REDUCTION_YDESC, result}});
}

void DnnGraph::multiply(Tensor a, Tensor b, Tensor result) {
  DnnDescriptor& how = keep(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
  how.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
  operation(keep(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR), CUDNN_ATTR_OPERATION_MATMUL_DESC, how,
            {{CUDNN_ATTR_OPERATION_MATMUL_ADESC, a},
             {CUDNN_ATTR_OPERATION_MATMUL_BDESC, b},
             {CUDNN_ATTR_OPERATION_MATMUL_CDESC, result}});
}

void DnnGraph::convolve(const Convolution& p, Tensor x, Tensor weight, Tensor result) {
  const bool wide = p.dtype == DType::F64;
  DnnDescriptor& how = keep(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  const auto set = [&](cudnnBackendAttributeName_t name, const int64_t(&values)[3]) {
    how.set(name, CUDNN_TYPE_INT64, std::span<const int64_t>(values).last(static_cast<size_t>(p.spatial)));
  };
  how.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, wide ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT);
  how.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CROSS_CORRELATION);
  how.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, int64_t(p.spatial));
  set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, p.stride);
  set(CUDNN_ATTR_CONVOLUTION_DILATIONS, p.dilation);
  set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, p.padding);
  set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, p.padding);
  struct Names {
    cudnnBackendAttributeName_t how, x, weight, result, alpha, beta;
  };
  const Names n =
      p.transposed
          ? Names{CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA}
          : Names{CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA};
  DnnDescriptor& o = keep(p.transposed ? CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR
                                       : CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
  const double beta = p.accumulates ? 1 : 0;
  if (wide) {
    o.set(n.alpha, CUDNN_TYPE_DOUBLE, 1.0);
    o.set(n.beta, CUDNN_TYPE_DOUBLE, beta);
  } else {
    o.set(n.alpha, CUDNN_TYPE_FLOAT, 1.0F);
    o.set(n.beta, CUDNN_TYPE_FLOAT, static_cast<float>(beta));
  }
  operation(o, n.how, how, {{n.x, x}, {n.weight, weight}, {n.result, result}});
}

void DnnGraph::average(const AveragePool& p, Tensor x, Tensor result) {
  DnnDescriptor& how = keep(CUDNN_BACKEND_RESAMPLE_DESCRIPTOR);
  how.set(CUDNN_ATTR_RESAMPLE_MODE, CUDNN_TYPE_RESAMPLE_MODE,
          p.counts_padding ? CUDNN_RESAMPLE_AVGPOOL_INCLUDE_PADDING : CUDNN_RESAMPLE_AVGPOOL_EXCLUDE_PADDING);
  how.set(CUDNN_ATTR_RESAMPLE_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
  how.set(CUDNN_ATTR_RESAMPLE_SPATIAL_DIMS, CUDNN_TYPE_INT64, int64_t(2));
  how.set(CUDNN_ATTR_RESAMPLE_PADDING_MODE, CUDNN_TYPE_PADDING_MODE, CUDNN_ZERO_PAD);
  how.set(CUDNN_ATTR_RESAMPLE_NAN_PROPAGATION, CUDNN_TYPE_NAN_PROPOGATION, CUDNN_PROPAGATE_NAN);
  cudnnFraction_t window[2], stride[2], before[2], after[2];
  for (int d = 0; d < 2; ++d) {
    window[d] = {p.window[d], 1};
    stride[d] = {p.stride[d], 1};
    before[d] = {p.padding[d], 1};
    // The padding after the image reaches to the end of the last window.
    after[d] = {std::max<int64_t>(0, (p.out[d] - 1) * p.stride[d] + p.window[d] - p.in[d] - p.padding[d]), 1};
  }
  how.set(CUDNN_ATTR_RESAMPLE_WINDOW_DIMS, CUDNN_TYPE_FRACTION, std::span<const cudnnFraction_t>(window));
  how.set(CUDNN_ATTR_RESAMPLE_STRIDES, CUDNN_TYPE_FRACTION, std::span<const cudnnFraction_t>(stride));
  how.set(CUDNN_ATTR_RESAMPLE_PRE_PADDINGS, CUDNN_TYPE_FRACTION, std::span<const cudnnFraction_t>(before));
  how.set(CUDNN_ATTR_RESAMPLE_POST_PADDINGS, CUDNN_TYPE_FRACTION, std::span<const cudnnFraction_t>(after));
  operation(keep(CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR), CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC, how,
            {{CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC, x}, {CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC, result}});
}

const DnnDescriptor& DnnGraph::finish(const DnnTarget& target) {
  if (!finished_) {
    auto graph = std::make_unique<DnnDescriptor>(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    graph->set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
               std::span<const cudnnBackendDescriptor_t>(operations_));
    if (target.handle) graph->set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, target.handle);
    graph->finish();
    finished_ = std::move(graph);
  }
  return *finished_;
}

namespace {

/// Returns the numerical notes of a configuration's engine.
std::vector<cudnnBackendNumericalNote_t> notes_of(const DnnDescriptor& config) {
  const DnnLibrary& l = dnn_library();
  const DnnDescriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  cudnnBackendDescriptor_t raw = engine.raw();
  int64_t count = 0;
  ERSATZ_CHECK_DNN(
      l.BackendGetAttribute(config.raw(), CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &raw));
  std::vector<cudnnBackendNumericalNote_t> notes(CUDNN_NUMERICAL_NOTE_TYPE_COUNT);
  ERSATZ_CHECK_DNN(l.BackendGetAttribute(engine.raw(), CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                                         CUDNN_NUMERICAL_NOTE_TYPE_COUNT, &count, notes.data()));
  notes.resize(static_cast<size_t>(count));
  return notes;
}

bool keeps(const DnnDescriptor& config, DnnPromises promises) {
  const std::vector<cudnnBackendNumericalNote_t> notes = notes_of(config);
  return std::none_of(notes.begin(), notes.end(), [&](cudnnBackendNumericalNote_t note) {
    switch (note) {
      case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS:
      case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION:
        return true;
      case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:
        return promises.no_tensor_cores;
      case CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC:
        return promises.deterministic;
      default:
        return false;
    }
  });
}

/// Returns true if a cuDNN call that lists, makes or runs an engine succeeded. Returns false if cuDNN has no engine or
/// cannot make it (cuDNN compiles some when they are chosen); the caller then tries the next engine. Raises an error
/// for lack of memory and for a faulty device.
bool goes_on(cudnnStatus_t status, const char* call) {
  if (status == CUDNN_STATUS_SUCCESS) return true;
  if (not_supported(status)) return false;
  if (status == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED ||
      status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED) {
    ERSATZ_CHECK_DNN(status);
  }
  raise_fault_behind(call, __FILE__, __LINE__);
  log().info("cuDNN: {} failed ({}); another engine, or a kernel of our own, is tried", call,
             dnn_library().GetErrorString(status));
  return false;
}

/// Adds the engines that cuDNN's heuristics propose in this mode.
void add_engines(std::vector<DnnDescriptor>& to, DnnGraph& graph, const DnnTarget& target, cudnnBackendHeurMode_t mode,
                 DnnPromises promises) {
  constexpr int64_t kMost = 64;
  DnnDescriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph.finish(target));
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
  if (target.properties) heuristics.set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, *target.properties);
  const cudnnStatus_t status = dnn_library().BackendFinalize(heuristics.raw());
  if (!goes_on(status, "finding engines")) return;
  std::vector<DnnDescriptor> configs;
  std::vector<cudnnBackendDescriptor_t> raw;
  for (int64_t i = 0; i < kMost; ++i) raw.push_back(configs.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR).raw());
  int64_t count = 0;
  ERSATZ_CHECK_DNN(dnn_library().BackendGetAttribute(heuristics.raw(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                                     CUDNN_TYPE_BACKEND_DESCRIPTOR, kMost, &count, raw.data()));
  for (int64_t i = 0; i < count; ++i) {
    if (keeps(configs[size_t(i)], promises)) to.push_back(std::move(configs[size_t(i)]));
  }
}

}  // namespace

std::vector<DnnDescriptor> dnn_engines(DnnGraph& graph, const DnnTarget& target, DnnPromises promises) {
  std::vector<DnnDescriptor> engines;
  for (const auto mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
    add_engines(engines, graph, target, mode, promises);
  }
  return engines;
}

std::shared_ptr<const DnnPlan> DnnPlan::of(DnnGraph graph, const DnnTarget& target, DnnPromises promises) {
  constexpr int64_t kMostWorkspace = int64_t(4) << 30;
  const DnnLibrary& l = dnn_library();
  int failed = 0;
  for (DnnDescriptor& config : dnn_engines(graph, target, promises)) {
    DnnDescriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    if (target.handle) plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, target.handle);
    if (target.properties) plan.set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, *target.properties);
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
    const cudnnStatus_t status = l.BackendFinalize(plan.raw());
    if (!goes_on(status, "making an engine")) {
      failed += not_supported(status) ? 0 : 1;
      continue;
    }
    int64_t bytes = 0, count = 0;
    ERSATZ_CHECK_DNN(l.BackendGetAttribute(plan.raw(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1,
                                           &count, &bytes));
    if (bytes > kMostWorkspace) continue;
    return std::shared_ptr<const DnnPlan>(new DnnPlan(std::move(graph), std::move(config), std::move(plan), bytes));
  }
  if (failed > 0) log().warn("cuDNN: none of its engines for this could be made, {} of them failed", failed);
  return nullptr;
}

DnnPlan::DnnPlan(DnnGraph graph, DnnDescriptor config, DnnDescriptor plan, int64_t workspace)
    : graph_(std::move(graph)), config_(std::move(config)), plan_(std::move(plan)), workspace_(workspace) {}

bool DnnPlan::execute(cudnnHandle_t handle, std::span<void* const> addresses, void* workspace) const {
  ERSATZ_ASSERT(static_cast<int64_t>(addresses.size()) == graph_.named_, "{} addresses for {} tensors",
                addresses.size(), graph_.named_);
  std::vector<int64_t> uids(addresses.size());
  std::iota(uids.begin(), uids.end(), 1);
  DnnDescriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, std::span<const int64_t>(uids));
  pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, addresses);
  pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace);
  pack.finish();
  return goes_on(dnn_library().BackendExecute(handle, plan_.raw(), pack.raw()), "running an engine");
}

}  // namespace ersatz::cuda_module
