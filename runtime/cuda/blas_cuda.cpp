// Matrix products on cuBLASLt, which is loaded when the first product runs.
//
// The algorithm is the first that the library's heuristics propose, and each thread caches it for each problem. The
// work space always has one size. So the same product on the same GPU gives the same bits each time, even if
// `deterministic` is false.
#include "runtime/cuda/blas.h"

#include <cublasLt.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "runtime/base/error.h"
#include "runtime/cuda/handles.h"
#include "runtime/cuda/scratch.h"
#include "runtime/cuda/status.h"

namespace ersatz::cuda_module {
namespace {

#define ERSATZ_CUBLASLT_TEXT_OF(x) #x
#define ERSATZ_CUBLASLT_TEXT(x) ERSATZ_CUBLASLT_TEXT_OF(x)
constexpr const char* kFile = "libcublasLt.so." ERSATZ_CUBLASLT_TEXT(CUBLAS_VER_MAJOR);
constexpr uint64_t kWorkspaceBytes = 32 << 20;  // the size that NVIDIA recommends for Hopper GPUs
constexpr int64_t kMostBatches = 65535;         // per launch, because some kernels use a grid dimension for the batch

struct Library {
  SharedLibrary file{kFile, "matrix products on CUDA",
                     "CUDA " ERSATZ_CUBLASLT_TEXT(CUBLAS_VER_MAJOR) "'s cuBLAS (cuBLASLt)"};
#define ERSATZ_CUBLASLT(name) decltype(&cublasLt##name) name = file.symbol<decltype(cublasLt##name)>("cublasLt" #name)
  ERSATZ_CUBLASLT(Create);
  ERSATZ_CUBLASLT(GetVersion);
  ERSATZ_CUBLASLT(GetStatusString);
  ERSATZ_CUBLASLT(Matmul);
  ERSATZ_CUBLASLT(MatmulAlgoGetHeuristic);
  ERSATZ_CUBLASLT(MatmulDescCreate);
  ERSATZ_CUBLASLT(MatmulDescDestroy);
  ERSATZ_CUBLASLT(MatmulDescSetAttribute);
  ERSATZ_CUBLASLT(MatrixLayoutCreate);
  ERSATZ_CUBLASLT(MatrixLayoutDestroy);
  ERSATZ_CUBLASLT(MatrixLayoutSetAttribute);
  ERSATZ_CUBLASLT(MatmulPreferenceCreate);
  ERSATZ_CUBLASLT(MatmulPreferenceDestroy);
  ERSATZ_CUBLASLT(MatmulPreferenceSetAttribute);
#undef ERSATZ_CUBLASLT
};

const Library& library() {
  static const Library loaded;  // if loading fails, an error is raised, and the next call tries again
  return loaded;
}

void check_lt(cublasStatus_t status, const char* call, int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  raise_fault_behind(call, __FILE__, line);
  raise_internal_error(__FILE__, line, call, "cuBLASLt: {}", library().GetStatusString(status));
}
#define ERSATZ_CHECK_LT(call) check_lt((call), #call, __LINE__)

/// Owns a descriptor of cuBLASLt and destroys it.
template <class Descriptor, auto Destroy>
struct Owned {
  Descriptor get = nullptr;
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (get) (library().*Destroy)(get);
  }
};
using Operation = Owned<cublasLtMatmulDesc_t, &Library::MatmulDescDestroy>;
using Layout = Owned<cublasLtMatrixLayout_t, &Library::MatrixLayoutDestroy>;
using Preference = Owned<cublasLtMatmulPreference_t, &Library::MatmulPreferenceDestroy>;

struct Types {
  cudaDataType_t data, scale;
  cublasComputeType_t compute;
};

Types types_of(const MatrixProduct& p) {
  const cublasComputeType_t single = p.allow_tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
  switch (p.dtype) {
    case DType::F16:
      return {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case DType::BF16:
      return {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case DType::F32:
      return {CUDA_R_32F, CUDA_R_32F, single};
    case DType::F64:
      return {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F};
    case DType::C64:
      return {CUDA_C_32F, CUDA_C_32F, single};
    case DType::C128:
      return {CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F};
    default:
      ERSATZ_ASSERT(false, "no product of {}", name(p.dtype));
      return {};
  }
}

/// alpha or beta as a number of the scale type: f32 or f64, real or complex.
struct Factor {
  alignas(16) std::byte bytes[16];
  Factor(std::complex<double> v, cudaDataType_t scale) {
    const std::complex<float> single(v);
    const bool is_single = scale == CUDA_R_32F || scale == CUDA_C_32F;
    std::memcpy(bytes, is_single ? static_cast<const void*>(&single) : &v, is_single ? sizeof single : sizeof v);
  }
};

cublasOperation_t operation(Read read) {
  return read == Read::AsItIs ? CUBLAS_OP_N : read == Read::Transposed ? CUBLAS_OP_T : CUBLAS_OP_C;
}

template <class T>
void set(const Operation& o, cublasLtMatmulDescAttributes_t attribute, T value) {
  ERSATZ_CHECK_LT(library().MatmulDescSetAttribute(o.get, attribute, &value, sizeof value));
}
template <class T>
void set(const Layout& l, cublasLtMatrixLayoutAttribute_t attribute, T value) {
  ERSATZ_CHECK_LT(library().MatrixLayoutSetAttribute(l.get, attribute, &value, sizeof value));
}
template <class T>
void set(const Preference& p, cublasLtMatmulPreferenceAttributes_t attribute, T value) {
  ERSATZ_CHECK_LT(library().MatmulPreferenceSetAttribute(p.get, attribute, &value, sizeof value));
}

/// Describes a matrix as it is stored. For a matrix that is read transposed, `rows` and `cols` are exchanged.
void describe(Layout& layout, cudaDataType_t type, Read read, int64_t rows, int64_t cols, int64_t ld, int64_t batch,
              int64_t batch_stride) {
  if (read != Read::AsItIs) std::swap(rows, cols);
  ERSATZ_CHECK_LT(
      library().MatrixLayoutCreate(&layout.get, type, static_cast<uint64_t>(rows), static_cast<uint64_t>(cols), ld));
  if (batch == 1) return;
  set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<int32_t>(batch));
  set(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, batch_stride);
}

/// Returns the common alignment of the addresses p, p + step, p + 2 * step, ..., at most 256 bytes.
uint32_t alignment(const void* p, int64_t step = 0) {
  return 1u << std::min(8, std::countr_zero(reinterpret_cast<uintptr_t>(p) | static_cast<uintptr_t>(step)));
}

struct Alignments {
  uint32_t a, b, c, bias;
  explicit Alignments(const MatrixProduct& p) {
    const int64_t item = p.batch > 1 ? item_size(p.dtype) : 0;
    a = alignment(p.a.data, p.a.batch_stride * item);
    b = alignment(p.b.data, p.b.batch_stride * item);
    c = alignment(p.c, p.c_batch_stride * item);
    bias = alignment(p.bias);  // without a bias, `p.bias` is null, which has the largest alignment
  }
};

struct Descriptors {
  Operation operation;
  Layout a, b, c;
};

void describe(Descriptors& d, const MatrixProduct& p, const Types& types) {
  ERSATZ_CHECK_LT(library().MatmulDescCreate(&d.operation.get, types.compute, types.scale));
  set(d.operation, CUBLASLT_MATMUL_DESC_TRANSA, static_cast<int32_t>(operation(p.a.read)));
  set(d.operation, CUBLASLT_MATMUL_DESC_TRANSB, static_cast<int32_t>(operation(p.b.read)));
  if (p.bias) {
    set(d.operation, CUBLASLT_MATMUL_DESC_EPILOGUE, static_cast<uint32_t>(CUBLASLT_EPILOGUE_BIAS));
    set(d.operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, p.bias);
    set(d.operation, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, static_cast<int32_t>(types.data));
  }
  describe(d.a, types.data, p.a.read, p.m, p.k, p.a.ld, p.batch, p.a.batch_stride);
  describe(d.b, types.data, p.b.read, p.k, p.n, p.b.ld, p.batch, p.b.batch_stride);
  describe(d.c, types.data, Read::AsItIs, p.m, p.n, p.ldc, p.batch, p.c_batch_stride);
}

struct Choice {
  bool found = false;  ///< false: the library has no algorithm for this bias
  cublasLtMatmulAlgo_t algorithm{};
  size_t workspace = 0;
};

Choice ask(cublasLtHandle_t handle, const MatrixProduct& p, const Descriptors& d) {
  Preference preference;
  ERSATZ_CHECK_LT(library().MatmulPreferenceCreate(&preference.get));
  set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kWorkspaceBytes);
  // Partial sums stay in f32 and are never rounded to a half type.
  set(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
      static_cast<uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
  const Alignments aligned(p);
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, aligned.a);
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, aligned.b);
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, aligned.c);
  // cuBLASLt reads the bias together with the output D, so the smaller alignment of both is passed for D.
  set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, std::min(aligned.c, aligned.bias));
  cublasLtMatmulHeuristicResult_t found{};
  int count = 0;
  const cublasStatus_t status = library().MatmulAlgoGetHeuristic(handle, d.operation.get, d.a.get, d.b.get, d.c.get,
                                                                 d.c.get, preference.get, 1, &found, &count);
  if (status != CUBLAS_STATUS_SUCCESS || count == 0 || found.state != CUBLAS_STATUS_SUCCESS) {
    if (p.bias) return {};
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
         "cuBLASLt {} has no algorithm for {} products [{},{}] @ [{},{}] of {} on this GPU ({}): the CPU takes them",
         library().GetVersion(), p.batch, p.m, p.k, p.k, p.n, name(p.dtype),
         library().GetStatusString(status != CUBLAS_STATUS_SUCCESS ? status : CUBLAS_STATUS_NOT_SUPPORTED));
  }
  return {true, found.algo, found.workspaceSize};
}

using Key = std::array<int64_t, 18>;

Key key_of(int device, const MatrixProduct& p) {
  const Alignments aligned(p);
  return {device,
          static_cast<int64_t>(p.dtype),
          p.m,
          p.n,
          p.k,
          p.batch,
          static_cast<int64_t>(p.a.read),
          static_cast<int64_t>(p.b.read),
          p.a.ld,
          p.b.ld,
          p.ldc,
          p.a.batch_stride,
          p.b.batch_stride,
          p.c_batch_stride,
          aligned.a,
          aligned.b,
          aligned.c,
          (p.allow_tf32 ? 1 : 0) + (p.bias ? 2 : 0) + 4 * int64_t(aligned.bias)};
}

const Choice& choice_for(int device, cublasLtHandle_t handle, const MatrixProduct& p, const Descriptors& d) {
  return remembered<Choice>(key_of(device, p), [&] { return ask(handle, p, d); });
}

bool run_piece(int device, const MatrixProduct& p) {
  const Library& l = library();
  const cublasLtHandle_t handle = HandlePool<cublasLtHandle_t>::of_thread(device, [&] {
    cublasLtHandle_t made = nullptr;
    ERSATZ_CHECK_LT(l.Create(&made));
    return made;
  });
  DeviceScope scope(device);
  const Types types = types_of(p);
  Descriptors d;
  describe(d, p, types);
  const Choice& choice = choice_for(device, handle, p, d);
  if (!choice.found) return false;
  const DeviceScratch workspace(device, static_cast<int64_t>(choice.workspace));
  const Factor alpha(p.alpha, types.scale), beta(p.beta, types.scale);
  ERSATZ_CHECK_LT(l.Matmul(handle, d.operation.get, alpha.bytes, p.a.data, d.a.get, p.b.data, d.b.get, beta.bytes, p.c,
                           d.c.get, p.c, d.c.get, &choice.algorithm, workspace.as<void>(), choice.workspace,
                           static_cast<cudaStream_t>(current_stream(device))));
  return true;
}

}  // namespace

int blas_version() {
  try {
    return static_cast<int>(library().GetVersion());
  } catch (const Error&) {
    return 0;
  }
}

bool run(int device, const MatrixProduct& product) {
  const int64_t item = item_size(product.dtype);
  const auto after = [&](const void* p, int64_t elements) {
    return static_cast<const std::byte*>(p) + elements * item;
  };
  for (int64_t first = 0; first < product.batch; first += kMostBatches) {
    MatrixProduct piece = product;
    piece.batch = std::min(kMostBatches, product.batch - first);
    piece.a.data = after(product.a.data, first * product.a.batch_stride);
    piece.b.data = after(product.b.data, first * product.b.batch_stride);
    piece.c = const_cast<std::byte*>(after(product.c, first * product.c_batch_stride));
    if (!run_piece(device, piece)) return false;
  }
  return true;
}

}  // namespace ersatz::cuda_module
