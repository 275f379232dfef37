#include "kernels/attention/cuda_choice.h"

#include <cmath>

#include "kernels/attention/attention_layout.h"
#include "runtime/sym/sym_int.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

using enum AttentionKernel;

/// The order in which PyTorch tries kernels, by GPU and cuDNN version. The first matching row is used.
struct Priority {
  int capability;   ///< the GPU's compute capability; 0 matches all GPUs
  int after_cudnn;  ///< the row matches if the cuDNN version is above this number
  AttentionKernel order[3];
};
// On two generations of datacenter GPUs, PyTorch tries cuDNN first since cuDNN 9.15.1, which can mask lengths that are
// no multiple of 128 (pytorch/pytorch#169849). Before, users had to enable cuDNN (#138522). The last row is the default
// order of torch.nn.attention.
constexpr Priority kPriorities[] = {
    {90, 91500, {Cudnn, Flash, Efficient}},
    {100, 91500, {Cudnn, Flash, Efficient}},
    {0, -1, {Flash, Efficient, Math}},
};

/// The GPUs and cuDNN versions that the conditions below distinguish. For an unknown backend, each of them is a
/// candidate.
constexpr BackendRecord kBackends[] = {
    {60, 0, 0},     {70, 0, 0},  {75, 0, 0},      {80, 0, 0},      {86, 0, 0},  {90, 0, 0},
    {90, 0, 91600}, {100, 0, 0}, {100, 0, 91600}, {100, 0, 92000}, {120, 0, 0},
};
constexpr BackendRecord kHopper[] = {{90, 0, 0}, {90, 0, 90800}, {90, 0, 91600}};
constexpr BackendRecord kBlackwell[] = {{100, 0, 0}, {100, 0, 91600}, {100, 0, 92000}};

constexpr DTypeSet kHalves{DType::F16, DType::BF16};
constexpr int64_t kMostFlashFeatures = 256;
constexpr int64_t kMostCudnnSize = 65535;

bool one_dtype(const CudaAttention& of, DTypeSet set) {
  return set.has(of.query.dtype) && of.key.dtype == of.query.dtype && of.value.dtype == of.query.dtype;
}

bool four_dims(const CudaAttention& of) { return of.query.dim() == 4 && of.key.dim() == 4 && of.value.dim() == 4; }

bool divides(SymInt n, SymInt of) { return size_gt(n, 0) && size_eq(floor_mod(of, n), 0); }

/// True if the numbers of batches and heads fit. Query, key and value have equally many batches. They have equally many
/// heads, or key and value have one head (pytorch/pytorch#191085). If `of.grouped` is true, the number of key heads and
/// the number of value heads divide the number of query heads. `apart` is true for cuDNN, which lets these two numbers
/// differ.
bool batches_and_heads_fit(const CudaAttention& of, bool apart) {
  const auto &q = of.query.sizes, &k = of.key.sizes, &v = of.value.sizes;
  if (!size_eq(q[0], k[0]) || !size_eq(q[0], v[0])) return false;
  if (!of.grouped) {
    return (size_eq(q[1], k[1]) && size_eq(q[1], v[1])) || (size_gt(q[1], 0) && size_eq(k[1], 1) && size_eq(v[1], 1));
  }
  if (apart) return divides(k[1], q[1]) && divides(v[1], q[1]);
  return size_eq(k[1], v[1]) && divides(k[1], q[1]);
}

bool has_positions(const CudaAttention& of) { return size_ne(of.query.sizes[2], 0) && size_ne(of.key.sizes[2], 0); }

/// True if the last dims of operands and mask have stride 1. If `one_feature_is_dense` is true, operands with one
/// feature may have any strides.
bool last_dims_dense(const CudaAttention& of, bool one_feature_is_dense) {
  const bool dense =
      size_eq(of.query.strides[3], 1) && size_eq(of.key.strides[3], 1) && size_eq(of.value.strides[3], 1);
  const bool operands = dense || (one_feature_is_dense && size_eq(of.query.sizes[3], 1));
  return operands && (!of.mask || of.mask->dim() == 0 || size_eq(of.mask->strides.back(), 1));
}

bool mask_fits(const CudaAttention& of) {
  if (!of.mask) return true;
  const TensorMeta& mask = *of.mask;
  if (mask.requires_grad || (mask.dim() != 2 && mask.dim() != 4)) return false;
  const SymInt scores[] = {of.query.sizes[0], of.query.sizes[1], of.query.sizes[2], of.key.sizes[2]};
  const auto skipped = static_cast<size_t>(4 - mask.dim());
  for (size_t d = skipped; d < 4; ++d) {
    const SymInt n = mask.sizes[d - skipped];
    if (!size_eq(n, 1) && !size_eq(n, scores[d])) return false;
  }
  return true;
}

bool flash_answers(const CudaAttention& of, int capability) {
  if (capability < 80 || capability > 121 || of.mask || !four_dims(of) || !one_dtype(of, kHalves)) return false;
  const SymInt features = of.query.sizes[3];
  if (!size_eq(features, of.key.sizes[3]) || !size_eq(features, of.value.sizes[3])) return false;
  if (!size_le(features, kMostFlashFeatures)) return false;
  // GPUs of these compute capabilities have too little shared memory for the backward pass.
  const bool small = (capability >= 86 && capability <= 89) || capability >= 120;
  if (of.trains && small && size_gt(features, 192) && (size_le(features, 224) || of.dropout > 0)) return false;
  // The flash kernel aligns its causal mask with the last key, so queries and keys must be equally many.
  if (of.causal && !size_eq(of.query.sizes[2], of.key.sizes[2])) return false;
  return batches_and_heads_fit(of, false) && has_positions(of) && last_dims_dense(of, true);
}

/// Returns how many elements the memory-efficient kernel loads together: 16 bytes on GPUs with tensor cores.
int64_t alignment(DType t, int capability) {
  const bool half = is_reduced_float(t);
  if (capability >= 80) return half ? 8 : 4;
  return capability >= 70 && half ? 8 : 1;
}

bool efficient_answers(const CudaAttention& of, int capability) {
  if (capability < 50 || capability > 121 || !four_dims(of)) return false;
  DTypeSet dtypes{DType::F16, DType::F32};
  if (capability >= 80) dtypes = dtypes | DTypeSet{DType::BF16};
  if (!one_dtype(of, dtypes)) return false;
  const SymInt features = of.query.sizes[3], value_features = of.value.sizes[3];
  const int64_t aligned = alignment(of.query.dtype, capability);
  if (!size_eq(features, of.key.sizes[3]) || !divides(aligned, features) || !divides(aligned, value_features) ||
      size_eq(features, 0) || size_eq(value_features, 0)) {
    return false;
  }
  return has_positions(of) && last_dims_dense(of, false) && batches_and_heads_fit(of, false);
}

/// True if this cuDNN version returns wrong results on this GPU for calls with one query (pytorch/pytorch#193893,
/// #194927).
bool single_query_is_off(const BackendRecord& b) {
  const bool gpu = b.cuda_capability >= 100 && b.cuda_capability < 120;
  return gpu && b.cudnn_version >= 91900 && b.cudnn_version <= 92500 && b.cudnn_version != 92401;
}

int64_t most_cudnn_features(const CudaAttention& of, const BackendRecord& b) {
  if (b.cuda_capability == 90 && b.cudnn_version >= 91000) return 256;
  const bool latent = b.cuda_capability / 10 == 10 && b.cudnn_version >= 91100;
  if (latent && size_eq(of.query.sizes[3], 192) && size_eq(of.value.sizes[3], 128)) return 192;
  return 128;
}

bool cudnn_answers(const CudaAttention& of, const BackendRecord& b) {
  if (b.cudnn_version < 90000 || b.cuda_capability < 80 || b.cuda_capability > 121) return false;
  if (!four_dims(of) || of.deterministic || !one_dtype(of, kHalves) || !mask_fits(of)) return false;
  if (of.dropout > 0 && b.cudnn_version > 91100 && b.cudnn_version < 91400) return false;
  if (of.dropout * 16 != std::floor(of.dropout * 16)) return false;
  if (!has_positions(of) || !last_dims_dense(of, true) || !batches_and_heads_fit(of, true)) return false;
  const auto &q = of.query.sizes, &k = of.key.sizes, &v = of.value.sizes;
  if (size_gt(q[0], kMostCudnnSize) || size_gt(q[1], kMostCudnnSize)) return false;
  const int64_t most = most_cudnn_features(of, b);
  if (size_gt(q[3], most) || size_gt(v[3], most)) return false;
  if (!size_eq(floor_mod(q[3], 8), 0) || !size_eq(floor_mod(v[3], 8), 0) || size_eq(k[2], 1)) return false;
  return !size_eq(q[2], 1) || (of.dropout == 0 && !single_query_is_off(b));
}

/// Returns the metadata of `t` after its features are padded with zeros to a multiple of 8.
TensorMeta padded(const TensorMeta& t) {
  if (size_eq(floor_mod(t.sizes[3], 8), 0)) return t;
  TensorMeta wide = t;
  wide.sizes[3] = floor_div(t.sizes[3] + 7, 8) * 8;
  wide.strides = strides_for(wide.sizes, suggest_memory_format(t));
  return wide;
}

}  // namespace

AttentionKernel choose_on_cuda(const CudaAttention& of, const BackendRecord& backend) {
  const int capability = backend.cuda_capability;
  for (const Priority& row : kPriorities) {
    if ((row.capability && row.capability != capability) || backend.cudnn_version <= row.after_cudnn) continue;
    for (AttentionKernel kernel : row.order) {
      if (kernel == Cudnn && cudnn_answers(of, backend)) return kernel;
      if (kernel == Flash && flash_answers(of, capability)) return kernel;
      if (kernel == Efficient && efficient_answers(of, capability)) return kernel;
    }
    break;
  }
  return Math;
}

DimVec attention_strides(const CudaAttention& of, AttentionKernel kernel) {
  const SymInt features = of.value.sizes[3];
  switch (kernel) {
    case Flash:
      return flash_attention_strides(padded(of.query));
    case Efficient:
      return efficient_attention_strides(of.query, features);
    case Cudnn:
      return cudnn_attention_strides(of.query, features);
    case Math:
      break;
  }
  const SymInt sizes[] = {of.query.sizes[0], of.query.sizes[1], of.query.sizes[2], features};
  return contiguous_strides(sizes);
}

std::span<const BackendRecord> backends_like(const BackendRecord& backend) {
  if (backend.cuda_capability == 0) return kBackends;
  if (backend.cudnn_version > 0) return {};
  if (backend.cuda_capability == 90) return kHopper;
  if (backend.cuda_capability == 100) return kBlackwell;
  return {};
}

}  // namespace ersatz
