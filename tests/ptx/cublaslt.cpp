// libcublasLt.so of the PTX device: the functions of cuBLASLt that runtime/cuda/blas_cuda.cpp calls.
//
// Each function checks its arguments by cublasLt.h and NVIDIA's documentation of cublasLtMatmul (CUDA 13). It looks at
// types of attributes, combinations of types, shapes, leading dimensions, alignment and work space, and whether the
// algorithm was chosen for this very problem. The first error is printed, and the call returns the library's status.
#include "tests/ptx/cublaslt.h"

#include <cublasLt.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "tests/emulated_cuda/product.h"

namespace ersatz::ptx {
namespace {

using cuda_module::MatrixProduct;
using cuda_module::Read;

struct Layout {
  cudaDataType_t type;
  int64_t rows, cols, ld;
  int32_t batch = 1;
  int64_t batch_stride = 0;
};
struct Operation {
  cublasComputeType_t compute;
  cudaDataType_t scale;
  int32_t a = CUBLAS_OP_N, b = CUBLAS_OP_N;
  uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  int32_t bias_type = -1;
};
struct Preference {
  uint64_t workspace = 0;
  uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::array<uint32_t, 4> alignment{256, 256, 256, 256};  ///< promised for the addresses of A, B, C and D
};
/// The problem for which an algorithm was chosen, and the promises about it. Both are stored in a cublasLtMatmulAlgo_t.
struct Algorithm {
  uint64_t problem = 0;  ///< hash of types, shapes, layouts and epilogue
  std::array<uint32_t, 4> alignment{};
  uint64_t bias_alignment = 0, workspace = 0;
};
static_assert(sizeof(Algorithm) <= sizeof(cublasLtMatmulAlgo_t));

std::atomic<int> descriptors{0};
thread_local std::string t_refusal;

template <class... Args>
cublasStatus_t refuse(cublasStatus_t status, fmt::format_string<Args...> text, Args&&... args) {
  t_refusal = fmt::format(text, std::forward<Args>(args)...);
  if (status != CUBLAS_STATUS_NOT_SUPPORTED)
    std::fprintf(stderr, "cuBLASLt of the PTX device: %s\n", t_refusal.c_str());
  return status;
}
template <class... Args>
cublasStatus_t invalid(fmt::format_string<Args...> text, Args&&... args) {
  return refuse(CUBLAS_STATUS_INVALID_VALUE, text, std::forward<Args>(args)...);
}
cublasStatus_t accept() {
  t_refusal.clear();
  return CUBLAS_STATUS_SUCCESS;
}

/// If descriptors still exist when the process ends, the program has leaked them.
struct CountAtEnd {
  ~CountAtEnd() {
    if (descriptors == 0) return;
    std::fprintf(stderr, "cuBLASLt of the PTX device: %d descriptors were not destroyed\n", descriptors.load());
    std::abort();
  }
} count_at_end;

template <class T, class Handle, class... Args>
cublasStatus_t create(Handle* to, Args... args) {
  if (!to) return invalid("no place for the descriptor");
  ++descriptors;
  *to = reinterpret_cast<Handle>(new T{args...});
  return accept();
}
template <class T, class Handle>
cublasStatus_t destroy(Handle handle) {
  if (!handle) return invalid("no descriptor to destroy");
  --descriptors;
  delete reinterpret_cast<T*>(handle);
  return CUBLAS_STATUS_SUCCESS;  // keeps cublaslt_refusal() of the earlier call
}

/// Stores an attribute whose type the header names.
template <class T>
cublasStatus_t store(T& to, const void* from, size_t bytes) {
  if (!from || bytes != sizeof to) return invalid("an attribute of {} bytes is given {}", sizeof to, bytes);
  std::memcpy(&to, from, bytes);
  return accept();
}

std::optional<DType> dtype_of_data(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_16F:
      return DType::F16;
    case CUDA_R_16BF:
      return DType::BF16;
    case CUDA_R_32F:
      return DType::F32;
    case CUDA_R_64F:
      return DType::F64;
    case CUDA_C_32F:
      return DType::C64;
    case CUDA_C_64F:
      return DType::C128;
    default:
      return std::nullopt;
  }
}

/// The rows of the documentation's table of types that ersatz uses: A, B, C and D have one type.
bool types_fit(const Operation& o, DType data) {
  switch (o.compute) {
    case CUBLAS_COMPUTE_32F:
      if (o.scale == CUDA_C_32F) return data == DType::C64;
      return o.scale == CUDA_R_32F && (data == DType::F16 || data == DType::BF16 || data == DType::F32);
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return o.scale == CUDA_C_32F ? data == DType::C64 : o.scale == CUDA_R_32F && data == DType::F32;
    case CUBLAS_COMPUTE_64F:
      return o.scale == CUDA_C_64F ? data == DType::C128 : o.scale == CUDA_R_64F && data == DType::F64;
    default:
      return false;
  }
}

/// Returns whether two elements of the output share memory.
bool overlaps_itself(const Layout& d) {
  std::array<std::pair<int64_t, int64_t>, 3> dims{
      {{1, d.rows}, {d.ld, d.cols}, {d.batch_stride, d.batch}}};  // stride, size
  std::sort(dims.begin(), dims.end());
  int64_t reach = 0;
  for (const auto& [stride, size] : dims) {
    if (size == 1) continue;
    if (stride <= reach) return true;
    reach += stride * (size - 1);
  }
  return false;
}

/// Fills in sizes, layouts and dtype of a product, without addresses and factors. Returns the status of the library if
/// the descriptors are no product that it takes.
cublasStatus_t problem_of(MatrixProduct& p, const Operation& o, const Layout& a, const Layout& b, const Layout& c,
                          const Layout& d) {
  const auto dtype = dtype_of_data(a.type);
  if (!dtype || b.type != a.type || c.type != a.type || d.type != a.type || !types_fit(o, *dtype)) {
    return refuse(CUBLAS_STATUS_NOT_SUPPORTED, "compute type {} with scale type {} and data types {}, {}, {}, {}",
                  int(o.compute), int(o.scale), int(a.type), int(b.type), int(c.type), int(d.type));
  }
  if (o.a < CUBLAS_OP_N || o.a > CUBLAS_OP_C || o.b < CUBLAS_OP_N || o.b > CUBLAS_OP_C)
    return invalid("operations {} and {}", o.a, o.b);
  for (const Layout* l : {&a, &b, &c, &d}) {
    if (l->batch != d.batch) return invalid("batches of {} and {}", l->batch, d.batch);
    if (l->batch > 1 && l->batch_stride < 0) return invalid("a batch stride of {}", l->batch_stride);
  }
  if (c.ld != d.ld || c.batch_stride != d.batch_stride)
    return invalid("C and D are one matrix, with leading dimensions {} and {}", c.ld, d.ld);
  if (overlaps_itself(d))
    return invalid("D of {} by {}, leading dimension {}, {} times at stride {} overlaps itself", d.rows, d.cols, d.ld,
                   d.batch, d.batch_stride);
  const auto read = [](int32_t operation) {
    return operation == CUBLAS_OP_N   ? Read::AsItIs
           : operation == CUBLAS_OP_T ? Read::Transposed
                                      : Read::ConjugateTransposed;
  };
  p.dtype = *dtype;
  p.a = {nullptr, read(o.a), a.ld, a.batch_stride};
  p.b = {nullptr, read(o.b), b.ld, b.batch_stride};
  const bool a_is = p.a.read == Read::AsItIs, b_is = p.b.read == Read::AsItIs;
  p.m = a_is ? a.rows : a.cols, p.k = a_is ? a.cols : a.rows, p.n = b_is ? b.cols : b.rows;
  if ((b_is ? b.rows : b.cols) != p.k || d.rows != p.m || d.cols != p.n || c.rows != p.m || c.cols != p.n)
    return invalid("a product of [{},{}] and [{},{}] into [{},{}]", p.m, p.k, b_is ? b.rows : b.cols, p.n, d.rows,
                   d.cols);
  p.ldc = d.ld, p.c_batch_stride = d.batch_stride, p.batch = d.batch;
  p.allow_tf32 = o.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  if (o.epilogue == CUBLASLT_EPILOGUE_DEFAULT) return accept();
  if (o.epilogue != CUBLASLT_EPILOGUE_BIAS) return invalid("epilogue {}", o.epilogue);
  if (!o.bias) return invalid("the epilogue adds a bias, and its pointer is null");
  if (o.bias_type != -1 && o.bias_type != d.type)
    return invalid("a bias of type {} for D of {}", o.bias_type, int(d.type));
  p.bias = o.bias;
  if (!cuda_module::takes_bias(p.dtype)) return refuse(CUBLAS_STATUS_NOT_SUPPORTED, "a bias for {}", name(p.dtype));
  return accept();
}

/// The alignment of the address, up to 256 bytes, which is the default of each preference.
uint64_t alignment_of(const void* p) { return uint64_t(1) << std::countr_zero(reinterpret_cast<uintptr_t>(p) | 256); }

/// Returns a hash of the problem. Problems that need different algorithms have different hashes.
uint64_t hash_of(const MatrixProduct& p) {
  uint64_t hash = 14695981039346656037u;
  for (int64_t part :
       {int64_t(p.dtype), p.m, p.n, p.k, p.batch, int64_t(p.a.read), int64_t(p.b.read), p.a.ld, p.b.ld, p.ldc,
        p.a.batch_stride, p.b.batch_stride, p.c_batch_stride, int64_t(p.allow_tf32), int64_t(p.bias != nullptr)})
    hash = (hash ^ static_cast<uint64_t>(part)) * 1099511628211u;
  return hash;
}

/// alpha or beta, in the scale type.
std::complex<double> factor(const void* at, cudaDataType_t scale) {
  const auto* singles = static_cast<const float*>(at);
  const auto* doubles = static_cast<const double*>(at);
  switch (scale) {
    case CUDA_R_32F:
      return singles[0];
    case CUDA_C_32F:
      return {singles[0], singles[1]};
    case CUDA_R_64F:
      return doubles[0];
    default:
      return {doubles[0], doubles[1]};
  }
}

const Layout& layout(cublasLtMatrixLayout_t l) { return *reinterpret_cast<const Layout*>(l); }

}  // namespace

const std::string& cublaslt_refusal() { return t_refusal; }
int cublaslt_descriptors() { return descriptors; }

}  // namespace ersatz::ptx

using namespace ersatz::ptx;

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (!handle) return invalid("no place for the handle");
  static int context = 0;
  *handle = reinterpret_cast<cublasLtHandle_t>(&context);
  return accept();
}

size_t cublasLtGetVersion() { return CUBLAS_VERSION; }

const char* cublasLtGetStatusString(cublasStatus_t) { return cublaslt_refusal().c_str(); }

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute, cudaDataType_t scale) {
  return create<Operation>(desc, compute, scale);
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) { return destroy<Operation>(desc); }
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, size_t bytes) {
  auto& o = *reinterpret_cast<Operation*>(desc);
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return store(o.a, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return store(o.b, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return store(o.epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return store(o.bias, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
      return store(o.bias_type, value, bytes);
    default:
      return invalid("attribute {} of an operation is not known here", int(attribute));
  }
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* to, cudaDataType type, uint64_t rows, uint64_t cols,
                                          int64_t ld) {
  // Unless another order is set, a matrix is column-major, so the leading dimension is at least the number of rows.
  if (rows == 0 || cols == 0 || ld < static_cast<int64_t>(rows))
    return invalid("a matrix of {} rows and {} columns with leading dimension {}", rows, cols, ld);
  return create<Layout>(to, type, static_cast<int64_t>(rows), static_cast<int64_t>(cols), ld);
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l) { return destroy<Layout>(l); }
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t to, cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* value, size_t bytes) {
  auto& l = *reinterpret_cast<Layout*>(to);
  switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return store(l.batch, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return store(l.batch_stride, value, bytes);
    default:
      return invalid("attribute {} of a layout is not known here", int(attribute));
  }
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* to) { return create<Preference>(to); }
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p) { return destroy<Preference>(p); }
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t to,
                                                    cublasLtMatmulPreferenceAttributes_t attribute, const void* value,
                                                    size_t bytes) {
  auto& p = *reinterpret_cast<Preference*>(to);
  switch (attribute) {
    case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
      return store(p.workspace, value, bytes);
    case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
      return store(p.reductions, value, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
      return store(p.alignment[0], value, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
      return store(p.alignment[1], value, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
      return store(p.alignment[2], value, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
      return store(p.alignment[3], value, bytes);
    default:
      return invalid("attribute {} of a preference is not known here", int(attribute));
  }
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t results[], int* returned) {
  if (!handle || !desc || !preference || !results || !returned || requested < 1) return invalid("an argument is null");
  *returned = 0;
  MatrixProduct p;
  const auto& o = *reinterpret_cast<const Operation*>(desc);
  if (const auto s = problem_of(p, o, layout(a), layout(b), layout(c), layout(d)); s != CUBLAS_STATUS_SUCCESS) return s;
  const auto& wants = *reinterpret_cast<const Preference*>(preference);
  if ((wants.reductions & ~uint32_t(CUBLASLT_REDUCTION_SCHEME_MASK)) != 0)
    return invalid("a mask of reductions of {}", wants.reductions);
  for (uint32_t bytes : wants.alignment) {
    if (!std::has_single_bit(bytes) || bytes < static_cast<uint32_t>(ersatz::item_size(p.dtype)))
      return invalid("{} are promised to be aligned to {} bytes", name(p.dtype), bytes);
  }
  // This is not documented: some engines fail if the address of a bias is no multiple of 16 bytes. The caller then has
  // to compute the product without the bias.
  if (p.bias && alignment_of(p.bias) < 16) return refuse(CUBLAS_STATUS_NOT_SUPPORTED, "a bias that is not aligned");
  const uint64_t hash = hash_of(p);
  const Algorithm chosen{hash, wants.alignment, p.bias ? alignment_of(p.bias) : 1,
                         std::min<uint64_t>(wants.workspace, hash % 3 * 4096)};
  results[0] = {};
  std::memcpy(&results[0].algo, &chosen, sizeof chosen);
  results[0].workspaceSize = chosen.workspace;
  results[0].state = CUBLAS_STATUS_SUCCESS;
  *returned = 1;
  return accept();
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout,
                              const void* beta, const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                              size_t workspace_bytes, cudaStream_t) {
  if (!handle || !desc || !alpha || !beta || !a || !b || !c || !d || !algorithm) return invalid("an argument is null");
  const auto& o = *reinterpret_cast<const Operation*>(desc);
  MatrixProduct p;
  if (const auto s = problem_of(p, o, layout(a_layout), layout(b_layout), layout(c_layout), layout(d_layout));
      s != CUBLAS_STATUS_SUCCESS)
    return s;
  if (c != d) return invalid("C and D are not one matrix");
  Algorithm chosen;
  std::memcpy(&chosen, algorithm, sizeof chosen);
  if (chosen.problem != hash_of(p)) return invalid("the algorithm was chosen for another problem");
  const int64_t item = ersatz::item_size(p.dtype);
  const std::array<std::pair<const void*, int64_t>, 4> operands{
      {{a, p.a.batch_stride}, {b, p.b.batch_stride}, {c, p.c_batch_stride}, {d, p.c_batch_stride}}};
  for (size_t i = 0; i < operands.size(); ++i) {
    const auto [address, stride] = operands[i];
    const uint64_t steps = p.batch > 1 ? static_cast<uint64_t>(stride * item) : 0;
    if (((reinterpret_cast<uintptr_t>(address) | steps) & (chosen.alignment[i] - 1)) != 0)
      return invalid("operand {} is not aligned to the {} bytes that were promised", "ABCD"[i], chosen.alignment[i]);
  }
  if (p.bias && alignment_of(p.bias) < chosen.bias_alignment)
    return invalid("the bias is less aligned than when the algorithm was chosen");
  if (chosen.workspace > 0) {
    if (!workspace || workspace_bytes < chosen.workspace)
      return invalid("a work space of {} bytes where {} are needed", workspace ? workspace_bytes : 0, chosen.workspace);
    if (alignment_of(workspace) < 16) return invalid("the work space is not aligned to 16 bytes");
    std::memset(workspace, 0x5a, chosen.workspace);
  }
  p.a.data = a, p.b.data = b, p.c = d;
  p.alpha = factor(alpha, o.scale), p.beta = factor(beta, o.scale);
  ersatz::cuda_module::emulated::multiply(p);
  mark_allocation_written(d);
  return accept();
}

}  // extern "C"
