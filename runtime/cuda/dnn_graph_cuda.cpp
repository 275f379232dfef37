#include "runtime/cuda/dnn_graph.h"

#include <algorithm>
#include <numeric>

#include "runtime/error.h"

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
                                  std::span<const int64_t> strides, int64_t uid, bool is_virtual, bool by_value) {
  DnnDescriptor& t = keep(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  t.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type);
  t.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, sizes);
  t.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, strides);
  t.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, uid);
  t.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, by_value ? int64_t(4) : int64_t(16));
  t.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, is_virtual);
  t.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, by_value);
  t.finish();
  return t.raw();
}

DnnGraph::Tensor DnnGraph::memory(cudnnDataType_t type, std::span<const int64_t> sizes,
                                  std::span<const int64_t> strides) {
  return tensor(type, sizes, strides, ++named_, false, false);
}

DnnGraph::Tensor DnnGraph::number(int dims) {
  const std::vector<int64_t> ones(static_cast<size_t>(dims), 1);
  return tensor(CUDNN_DATA_FLOAT, ones, ones, ++named_, false, true);
}

DnnGraph::Tensor DnnGraph::inner(cudnnDataType_t type, std::span<const int64_t> sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t d = sizes.size() - 1; d-- > 0;) strides[d] = strides[d + 1] * sizes[d + 1];
  return tensor(type, sizes, strides, -++inner_, true, false);
}

void DnnGraph::operation(DnnDescriptor& described) {
  described.finish();
  operations_.push_back(described.raw());
}

void DnnGraph::pointwise(const Pointwise& p, Tensor result) {
  DnnDescriptor& how = keep(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, p.mode);
  how.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, p.computed_in);
  if (p.axis >= 0) how.set(CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, p.axis);
  how.finish();
  DnnDescriptor& o = keep(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  o.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how);
  o.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, p.x);
  if (p.b) o.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, p.b);
  if (p.t) o.set(CUDNN_ATTR_OPERATION_POINTWISE_TDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, p.t);
  o.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, result);
  operation(o);
}

void DnnGraph::reduce(cudnnReduceTensorOp_t operator_, Tensor x, Tensor result) {
  DnnDescriptor& how = keep(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
  how.set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, operator_);
  how.set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
  how.finish();
  DnnDescriptor& o = keep(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
  o.set(CUDNN_ATTR_OPERATION_REDUCTION_DESC, how);
  o.set(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, x);
  o.set(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, result);
  operation(o);
}

void DnnGraph::multiply(Tensor a, Tensor b, Tensor result) {
  DnnDescriptor& how = keep(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
  how.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
  how.finish();
  DnnDescriptor& o = keep(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
  o.set(CUDNN_ATTR_OPERATION_MATMUL_DESC, how);
  o.set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, a);
  o.set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, b);
  o.set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, result);
  operation(o);
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
    // What the last window reaches beyond the image.
    after[d] = {std::max<int64_t>(0, (p.out[d] - 1) * p.stride[d] + p.window[d] - p.in[d] - p.padding[d]), 1};
  }
  how.set(CUDNN_ATTR_RESAMPLE_WINDOW_DIMS, CUDNN_TYPE_FRACTION, std::span<const cudnnFraction_t>(window));
  how.set(CUDNN_ATTR_RESAMPLE_STRIDES, CUDNN_TYPE_FRACTION, std::span<const cudnnFraction_t>(stride));
  how.set(CUDNN_ATTR_RESAMPLE_PRE_PADDINGS, CUDNN_TYPE_FRACTION, std::span<const cudnnFraction_t>(before));
  how.set(CUDNN_ATTR_RESAMPLE_POST_PADDINGS, CUDNN_TYPE_FRACTION, std::span<const cudnnFraction_t>(after));
  how.finish();
  DnnDescriptor& o = keep(CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR);
  o.set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC, how);
  o.set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, x);
  o.set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, result);
  operation(o);
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

std::vector<DnnDescriptor> dnn_engines(DnnGraph& graph, const DnnTarget& target) {
  constexpr int64_t kMost = 16;
  DnnDescriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph.finish(target));
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, CUDNN_HEUR_MODE_A);
  if (target.properties) heuristics.set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, *target.properties);
  const cudnnStatus_t status = dnn_library().BackendFinalize(heuristics.raw());
  if (not_supported(status)) return {};
  ERSATZ_CHECK_DNN(status);
  std::vector<DnnDescriptor> configs;
  std::vector<cudnnBackendDescriptor_t> raw;
  configs.reserve(kMost);
  for (int64_t i = 0; i < kMost; ++i) {
    configs.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    raw.push_back(configs.back().raw());
  }
  int64_t count = 0;
  ERSATZ_CHECK_DNN(dnn_library().BackendGetAttribute(heuristics.raw(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                                     CUDNN_TYPE_BACKEND_DESCRIPTOR, kMost, &count, raw.data()));
  while (static_cast<int64_t>(configs.size()) > count) configs.pop_back();
  return configs;
}

namespace {

/// Does the engine say that its results may differ from run to run?
bool nondeterministic(const DnnDescriptor& config) {
  const DnnLibrary& l = dnn_library();
  const DnnDescriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  cudnnBackendDescriptor_t raw = engine.raw();
  int64_t count = 0;
  ERSATZ_CHECK_DNN(
      l.BackendGetAttribute(config.raw(), CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &raw));
  cudnnBackendNumericalNote_t notes[CUDNN_NUMERICAL_NOTE_TYPE_COUNT];
  ERSATZ_CHECK_DNN(l.BackendGetAttribute(engine.raw(), CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                                         CUDNN_NUMERICAL_NOTE_TYPE_COUNT, &count, notes));
  return std::find(notes, notes + count, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC) != notes + count;
}

}  // namespace

std::shared_ptr<const DnnPlan> DnnPlan::of(DnnGraph graph, const DnnTarget& target, bool deterministic) {
  constexpr int64_t kMostWorkspace = int64_t(4) << 30;
  const DnnLibrary& l = dnn_library();
  for (DnnDescriptor& config : dnn_engines(graph, target)) {
    if (deterministic && nondeterministic(config)) continue;
    DnnDescriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    if (target.handle) plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, target.handle);
    if (target.properties) plan.set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, *target.properties);
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
    const cudnnStatus_t status = l.BackendFinalize(plan.raw());
    if (not_supported(status)) continue;
    ERSATZ_CHECK_DNN(status);
    int64_t bytes = 0, count = 0;
    ERSATZ_CHECK_DNN(l.BackendGetAttribute(plan.raw(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1,
                                           &count, &bytes));
    if (bytes > kMostWorkspace) continue;
    return std::shared_ptr<const DnnPlan>(new DnnPlan(std::move(graph), std::move(config), std::move(plan), bytes));
  }
  return nullptr;
}

DnnPlan::DnnPlan(DnnGraph graph, DnnDescriptor config, DnnDescriptor plan, int64_t workspace)
    : graph_(std::move(graph)), config_(std::move(config)), plan_(std::move(plan)), workspace_(workspace) {}

void DnnPlan::execute(cudnnHandle_t handle, std::span<void* const> addresses, void* workspace) const {
  ERSATZ_ASSERT(static_cast<int64_t>(addresses.size()) == graph_.named_, "{} addresses for {} tensors",
                addresses.size(), graph_.named_);
  std::vector<int64_t> uids(addresses.size());
  std::iota(uids.begin(), uids.end(), 1);
  DnnDescriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, std::span<const int64_t>(uids));
  pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, addresses);
  pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace);
  pack.finish();
  ERSATZ_CHECK_DNN(dnn_library().BackendExecute(handle, plan_.raw(), pack.raw()));
}

}  // namespace ersatz::cuda_module
