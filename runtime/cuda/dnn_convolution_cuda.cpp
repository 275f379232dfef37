// Convolutions on cuDNN 9.
//
// The functions of its first generation, which version 9 still has: descriptors and an algorithm from the library's
// heuristics, remembered per problem and thread. A transposed convolution is the library's gradient with respect to the
// data. f32 is multiplied as f32 unless TF32 is allowed; half types are summed in f32.
#include "runtime/cuda/dnn.h"

#include <array>
#include <cstring>

#include "runtime/cuda/dnn_library.h"
#include "runtime/cuda/scratch.h"

namespace ersatz::cuda_module {
namespace {

/// One of cuDNN's descriptors, destroyed with its owner.
template <class Descriptor, auto Create, auto Destroy>
struct Owned {
  Descriptor get = nullptr;
  Owned() { ERSATZ_CHECK_DNN((dnn_library().*Create)(&get)); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { (dnn_library().*Destroy)(get); }
};
using TensorDescriptor =
    Owned<cudnnTensorDescriptor_t, &DnnLibrary::CreateTensorDescriptor, &DnnLibrary::DestroyTensorDescriptor>;
using FilterDescriptor =
    Owned<cudnnFilterDescriptor_t, &DnnLibrary::CreateFilterDescriptor, &DnnLibrary::DestroyFilterDescriptor>;
using ConvolutionDescriptor = Owned<cudnnConvolutionDescriptor_t, &DnnLibrary::CreateConvolutionDescriptor,
                                    &DnnLibrary::DestroyConvolutionDescriptor>;

/// f32 without TF32: the library is not to round the factors, whichever algorithm it takes.
bool exact(const Convolution& p) { return p.dtype == DType::F32 && !p.allow_tf32; }

cudnnMathType_t math_type(const Convolution& p) {
  if (exact(p)) return CUDNN_FMA_MATH;
  return p.dtype == DType::F16 ? CUDNN_TENSOR_OP_MATH : CUDNN_DEFAULT_MATH;
}

struct Descriptors {
  TensorDescriptor input, output;
  FilterDescriptor weight;
  ConvolutionDescriptor convolution;
};

/// [outer, channels, spatial...] in the order that cuDNN wants sizes, whatever the layout.
struct Sizes {
  int dims;
  int size[5];
  Sizes(const Convolution& p, int64_t outer, int64_t channels, const int64_t (&spatial)[3]) : dims(p.spatial + 2) {
    size[0] = static_cast<int>(outer);
    size[1] = static_cast<int>(channels);
    for (int d = 0; d < p.spatial; ++d) size[d + 2] = static_cast<int>(spatial[3 - p.spatial + d]);
  }
};

void describe(TensorDescriptor& to, const Convolution& p, const Sizes& s) {
  int stride[5];
  int step = p.channels_last ? s.size[1] : 1;
  for (int d = s.dims - 1; d >= 2; --d) {
    stride[d] = step;
    step *= s.size[d];
  }
  stride[1] = p.channels_last ? 1 : step;
  stride[0] = p.channels_last ? step : step * s.size[1];
  ERSATZ_CHECK_DNN(dnn_library().SetTensorNdDescriptor(to.get, dnn_type(p.dtype), s.dims, s.size, stride));
}

void describe(Descriptors& d, const Convolution& p) {
  const DnnLibrary& l = dnn_library();
  describe(d.input, p, Sizes(p, p.images, p.in_channels, p.in));
  describe(d.output, p, Sizes(p, p.images, p.out_channels, p.out));
  const Sizes w(p, p.transposed ? p.in_channels : p.out_channels,
                (p.transposed ? p.out_channels : p.in_channels) / p.groups, p.kernel);
  ERSATZ_CHECK_DNN(l.SetFilterNdDescriptor(d.weight.get, dnn_type(p.dtype),
                                           p.channels_last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW, w.dims, w.size));
  int padding[3], stride[3], dilation[3];
  for (int i = 0; i < p.spatial; ++i) {
    padding[i] = static_cast<int>(p.padding[3 - p.spatial + i]);
    stride[i] = static_cast<int>(p.stride[3 - p.spatial + i]);
    dilation[i] = static_cast<int>(p.dilation[3 - p.spatial + i]);
  }
  const cudnnDataType_t compute = p.dtype == DType::F64 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
  ERSATZ_CHECK_DNN(l.SetConvolutionNdDescriptor(d.convolution.get, p.spatial, padding, stride, dilation,
                                                CUDNN_CROSS_CORRELATION, compute));
  ERSATZ_CHECK_DNN(l.SetConvolutionGroupCount(d.convolution.get, static_cast<int>(p.groups)));
  ERSATZ_CHECK_DNN(l.SetConvolutionMathType(d.convolution.get, math_type(p)));
}

struct Choice {
  bool found = false;
  int algorithm = 0;  ///< cudnnConvolutionFwdAlgo_t, or cudnnConvolutionBwdDataAlgo_t of a transposed convolution
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  size_t workspace = 0;
};

/// The first of the heuristics' answers, fastest first, that may be used; `size` asks for its work space, and may find
/// that the algorithm does not take the problem after all.
template <class Answer, class Size>
Choice first_usable(const Convolution& p, const Descriptors& d, const Answer* answers, int count, Size size) {
  constexpr size_t kMostWorkspace = size_t(4) << 30;
  for (int i = 0; i < count; ++i) {
    const Answer& a = answers[i];
    if (a.status != CUDNN_STATUS_SUCCESS) continue;
    if (p.deterministic && a.determinism != CUDNN_DETERMINISTIC) continue;
    Choice c{true, static_cast<int>(a.algo), exact(p) ? CUDNN_FMA_MATH : a.mathType, 0};
    if (dnn_library().SetConvolutionMathType(d.convolution.get, c.math) != CUDNN_STATUS_SUCCESS) continue;
    if (size(a.algo, &c.workspace) != CUDNN_STATUS_SUCCESS || c.workspace > kMostWorkspace) continue;
    return c;
  }
  return {};
}

Choice ask(cudnnHandle_t handle, const Convolution& p, const Descriptors& d) {
  const DnnLibrary& l = dnn_library();
  int count = 0;
  if (p.transposed) {
    cudnnConvolutionBwdDataAlgoPerf_t answers[CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT];
    const cudnnStatus_t status =
        l.GetConvolutionBackwardDataAlgorithm_v7(handle, d.weight.get, d.input.get, d.convolution.get, d.output.get,
                                                 CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT, &count, answers);
    if (not_supported(status)) return {};
    ERSATZ_CHECK_DNN(status);
    return first_usable(p, d, answers, count, [&](cudnnConvolutionBwdDataAlgo_t algo, size_t* bytes) {
      return l.GetConvolutionBackwardDataWorkspaceSize(handle, d.weight.get, d.input.get, d.convolution.get,
                                                       d.output.get, algo, bytes);
    });
  }
  cudnnConvolutionFwdAlgoPerf_t answers[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
  const cudnnStatus_t status =
      l.GetConvolutionForwardAlgorithm_v7(handle, d.input.get, d.weight.get, d.convolution.get, d.output.get,
                                          CUDNN_CONVOLUTION_FWD_ALGO_COUNT, &count, answers);
  if (not_supported(status)) return {};
  ERSATZ_CHECK_DNN(status);
  return first_usable(p, d, answers, count, [&](cudnnConvolutionFwdAlgo_t algo, size_t* bytes) {
    return l.GetConvolutionForwardWorkspaceSize(handle, d.input.get, d.weight.get, d.convolution.get, d.output.get,
                                                algo, bytes);
  });
}

using Key = std::array<int64_t, 26>;

Key key_of(int device, const Convolution& p) {
  Key key{device,
          static_cast<int64_t>(p.dtype),
          (p.transposed ? 1 : 0) + (p.channels_last ? 2 : 0) + (p.deterministic ? 4 : 0) + (p.allow_tf32 ? 8 : 0),
          p.spatial,
          p.images,
          p.groups,
          p.in_channels,
          p.out_channels};
  size_t i = 8;
  for (const auto* values : {&p.in, &p.out, &p.kernel, &p.stride, &p.padding, &p.dilation}) {
    for (int64_t v : *values) key[i++] = v;
  }
  return key;
}

const Choice& choice_for(int device, cudnnHandle_t handle, const Convolution& p, const Descriptors& d) {
  return remembered<Choice>(key_of(device, p), [&] { return ask(handle, p, d); });
}

}  // namespace

bool run(int device, const Convolution& p) {
  const DnnLibrary& l = dnn_library();
  const cudnnHandle_t handle = dnn_handle(device);
  DeviceScope scope(device);
  Descriptors d;
  describe(d, p);
  const Choice& choice = choice_for(device, handle, p, d);
  if (!choice.found) return false;
  ERSATZ_CHECK_DNN(l.SetConvolutionMathType(d.convolution.get, choice.math));
  const DeviceScratch workspace(device, static_cast<int64_t>(choice.workspace));
  // Factors are f64 for f64, else f32.
  const double one = 1, zero = 0;
  const float single_one = 1, single_zero = 0;
  const bool wide = p.dtype == DType::F64;
  const void* alpha = wide ? static_cast<const void*>(&one) : &single_one;
  const void* nothing = wide ? static_cast<const void*>(&zero) : &single_zero;
  const void* beta = p.accumulates ? alpha : nothing;
  cudnnStatus_t status;
  if (p.transposed) {
    status = l.ConvolutionBackwardData(handle, alpha, d.weight.get, p.weight, d.input.get, p.input, d.convolution.get,
                                       static_cast<cudnnConvolutionBwdDataAlgo_t>(choice.algorithm),
                                       workspace.as<void>(), choice.workspace, beta, d.output.get, p.output);
  } else {
    status = l.ConvolutionForward(handle, alpha, d.input.get, p.input, d.weight.get, p.weight, d.convolution.get,
                                  static_cast<cudnnConvolutionFwdAlgo_t>(choice.algorithm), workspace.as<void>(),
                                  choice.workspace, beta, d.output.get, p.output);
  }
  if (not_supported(status)) return false;
  ERSATZ_CHECK_DNN(status);
  return true;
}

}  // namespace ersatz::cuda_module
