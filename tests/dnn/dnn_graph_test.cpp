// The graphs that ersatz gives to cuDNN: cuDNN itself says whether it has an engine for them, on devices of which it
// only gets a description.
//
// The test needs cuDNN 9 but no GPU: cuDNN's heuristics and support checks run on the host. They look for the driver's
// library. If that is missing, the stub of the CUDA toolkit is loaded in its place.
#include "runtime/cuda/dnn_graph.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "runtime/base/error.h"

namespace ersatz::cuda_module {
namespace {

/// Returns the properties that cuDNN asks of a device, under its own names. The figures are from the data sheets of
/// H200 and A100, and from CUDA's tables of compute capabilities.
std::string described(int capability) {
  const bool hopper = capability >= 90;
  return fmt::format(
      R"({{"deviceName": "described", "deviceVer": {}, "driverVer": 13000, "cudaDeviceId": 0, "pciDeviceId": 0,)"
      R"("multiProcessorCount": {}, "maxSharedMemoryPerBlock": 49152, "maxSharedMemoryPerBlockOptin": {},)"
      R"("l2CacheSize": {}, "totalGlobalMem": {}, "smClockRateKHz": {}, "memClockRateKHz": {},)"
      R"("maxGridSize": [2147483647, 65535, 65535], "maxBlockSize": [1024, 1024, 64], "regsPerBlock": 65536,)"
      R"("warpSize": 32, "reservedSharedMemoryPerBlock": 1024, "maxRegistersPerSM": 65536, "maxCtasPerSM": 32,)"
      R"("maxThreadsPerBlock": 1024, "maxThreadsPerSM": 2048, "isTccDriver": 0, "supportCoopLaunch": 1}})",
      capability * 10, hopper ? 132 : 108, hopper ? 232448 : 166912, hopper ? 62914560 : 41943040,
      hopper ? 150000000000 : 42000000000, hopper ? 1980000 : 1410000, hopper ? 3201000 : 1215000);
}

class DnnGraphs : public testing::Test {
 public:
  static void SetUpTestSuite() {
    if (!dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL)) {
      for (const char* folder : {"/usr/local/cuda/lib64/stubs/", "/usr/local/cuda/lib/stubs/"}) {
        s_driver = s_driver || dlopen((std::string(folder) + "libcuda.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
      }
    } else {
      s_driver = true;
    }
    try {
      dnn_library();
    } catch (const Error& e) {
      s_missing = e.what();
    }
    if (!s_driver) s_missing = "neither a driver nor CUDA's stub of one";
  }
  static void TearDownTestSuite() {
    if (s_skipped > 0) std::cout << s_skipped << " CUDA tests skipped: " << s_missing << "\n";
  }
  void SetUp() override {
    if (s_missing.empty()) return;
    ++s_skipped;
    GTEST_SKIP() << s_missing;
  }

  /// Returns how many engines take the problem's graph on a device of that capability.
  template <class Problem>
  static size_t engines(const Problem& p, int capability = 90, DnnPromises promises = {.deterministic = true}) {
    const DnnDescriptor properties = device(capability);
    DnnGraph graph = dnn_graph(p);
    return dnn_engines(graph, {nullptr, &properties}, promises).size();
  }
  static DnnDescriptor device(int capability) {
    const std::string text = described(capability);
    DnnDescriptor properties(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);
    properties.set(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
                   std::span<const char>(text.c_str(), text.size() + 1));
    properties.finish();
    return properties;
  }

 private:
  static inline bool s_driver = false;
  static inline std::string s_missing;
  static inline int s_skipped = 0;
};

alignas(16) constexpr int64_t kSomewhere = 0;  /// an address that is never read; not null, so the problem has a bias

Convolution convolution(DType dtype, int spatial, bool channels_last, bool transposed) {
  Convolution p;
  p.dtype = dtype;
  p.spatial = spatial;
  p.channels_last = channels_last;
  p.transposed = transposed;
  p.images = 2;
  p.in_channels = 16;
  p.out_channels = 32;
  for (int d = 3 - spatial; d < 3; ++d) {
    p.in[d] = p.out[d] = 12;
    p.kernel[d] = 3;
    p.padding[d] = 1;
  }
  return p;
}

/// Returns the number of engines that multiply f32 factors without rounding them to TF32.
size_t exact_engines(const Convolution& p) {
  return DnnGraphs::engines(p, 90, {.deterministic = true, .no_tensor_cores = p.dtype == DType::F32});
}

std::string named(const Convolution& p) {
  return fmt::format("{} of {} dims{}{}{}, {} groups", name(p.dtype), p.spatial,
                     p.channels_last ? ", channels last" : "", p.transposed ? ", transposed" : "",
                     p.accumulates ? ", added" : "", p.groups);
}

TEST_F(DnnGraphs, ConvolutionsOfEveryTypeLayoutAndGrouping) {
  for (const DType dtype : {DType::F16, DType::BF16, DType::F32, DType::F64}) {
    for (const int spatial : {2, 3}) {
      for (const bool transposed : {false, true}) {
        for (const int64_t groups : {1, 4, 16}) {
          Convolution p = convolution(dtype, spatial, dtype != DType::F64 && groups != 4, transposed);
          p.groups = groups;
          EXPECT_GT(exact_engines(p), 0u) << named(p);
        }
      }
    }
  }
}

TEST_F(DnnGraphs, ConvolutionsThatAddABiasBeforeTheyRound) {
  for (const DType dtype : {DType::F16, DType::BF16, DType::F32, DType::F64}) {
    for (const int spatial : {2, 3}) {
      for (const bool channels_last : {false, true}) {
        Convolution p = convolution(dtype, spatial, channels_last && dtype != DType::F64, false);
        p.bias = &kSomewhere;
        EXPECT_GT(exact_engines(p), 0u) << named(p);
      }
    }
  }
}

TEST_F(DnnGraphs, TransposedConvolutionsOfHalvesWithABias) {
  for (const DType dtype : {DType::F16, DType::BF16}) {
    for (const bool channels_last : {false, true}) {
      Convolution p = convolution(dtype, 2, channels_last, true);
      p.accumulates = true;
      EXPECT_GT(exact_engines(p), 0u) << named(p);
    }
  }
}

TEST_F(DnnGraphs, ConvolutionsThatStrideDilateAndPadUnevenly) {
  Convolution p = convolution(DType::F32, 2, false, false);
  p.stride[1] = 2;
  p.dilation[2] = 2;
  p.padding[2] = 0;
  p.out[1] = 6;
  p.out[2] = 8;
  EXPECT_GT(exact_engines(p), 0u);
  p.transposed = true;  // from 12 x 12: stride 2 doubles the size, a dilated kernel enlarges it
  p.out[1] = 24;
  p.out[2] = 16;
  EXPECT_GT(exact_engines(p), 0u);
}

TEST_F(DnnGraphs, OddChannelsAndAddressesOfSingleElements) {
  Convolution p = convolution(DType::F16, 2, false, false);
  p.in_channels = 3;
  p.out_channels = 5;
  EXPECT_GT(exact_engines(p), 0u);
  p.input = reinterpret_cast<const void*>(uintptr_t(2));
  EXPECT_GT(exact_engines(p), 0u);
}

TEST_F(DnnGraphs, RowsAsImagesOfHeightOne) {
  Convolution p = convolution(DType::F32, 2, false, false);
  p.in[1] = p.out[1] = p.kernel[1] = 1;
  p.padding[1] = 0;
  EXPECT_GT(exact_engines(p), 0u);
}

enum class Order { Heads, Positions };  ///< the dim after the batch

void lay_out(int64_t (&strides)[4], Order order, int64_t heads, int64_t positions, int64_t features) {
  const bool by_head = order == Order::Heads;
  const int64_t all[] = {heads * positions * features, by_head ? positions * features : features,
                         by_head ? features : heads * features, 1};
  std::copy_n(all, 4, strides);
}

Attention attention(int64_t heads, int64_t queries, int64_t keys, int64_t features, Order order = Order::Heads) {
  Attention p;
  p.batches = 2;
  p.heads = p.key_heads = heads;
  p.queries = queries;
  p.keys = keys;
  p.features = p.value_features = features;
  lay_out(p.query_strides, order, heads, queries, features);
  lay_out(p.output_strides, order, heads, queries, features);
  lay_out(p.key_strides, order, heads, keys, features);
  lay_out(p.value_strides, order, heads, keys, features);
  return p;
}

TEST_F(DnnGraphs, AttentionOfHalvesOnAmpereAndHopper) {
  for (const int capability : {80, 90}) {
    for (const DType dtype : {DType::F16, DType::BF16}) {
      for (const bool causal : {false, true}) {
        Attention p = attention(4, 128, 128, 64);
        p.dtype = dtype;
        p.causal = causal;
        EXPECT_GT(engines(p, capability), 0u) << name(dtype) << " sm_" << capability << (causal ? " causal" : "");
      }
    }
  }
}

TEST_F(DnnGraphs, AttentionOfUnevenLengthsAndOneQuery) {
  EXPECT_GT(engines(attention(4, 77, 55, 40)), 0u);
  EXPECT_GT(engines(attention(8, 1, 300, 128)), 0u);
  EXPECT_GT(engines(attention(1, 1, 1, 8)), 0u);
}

TEST_F(DnnGraphs, AttentionWithPositionsOutermost) {
  EXPECT_GT(engines(attention(4, 128, 96, 64, Order::Positions)), 0u);
}

TEST_F(DnnGraphs, AttentionWhoseHeadsShareKeys) {
  Attention p = attention(8, 64, 96, 64);
  p.key_heads = 2;
  EXPECT_GT(engines(p), 0u);
  p.causal = true;
  EXPECT_GT(engines(p), 0u);
}

TEST_F(DnnGraphs, AttentionWithABiasOfEveryBroadcast) {
  Attention p = attention(4, 64, 96, 64);
  p.bias = &kSomewhere;
  const int64_t each[4][4] = {{4 * 64 * 96, 64 * 96, 96, 1}, {0, 64 * 96, 96, 1}, {64 * 96, 0, 96, 1}, {0, 0, 96, 1}};
  for (const auto& strides : each) {
    std::copy_n(strides, 4, p.bias_strides);
    for (const bool causal : {false, true}) {
      p.causal = causal;
      EXPECT_GT(engines(p), 0u) << strides[0] << ' ' << strides[1] << (causal ? " causal" : "");
    }
  }
}

// A problem of CUDA's memory-efficient attention: positions are the outermost dim of its result whatever the operands'
// layout is, and its bias is expanded to all scores.
Attention efficient(int64_t heads, int64_t queries, int64_t keys, int64_t features) {
  Attention p = attention(heads, queries, keys, features);
  lay_out(p.output_strides, Order::Positions, heads, queries, features);
  return p;
}

TEST_F(DnnGraphs, AttentionWithPositionsOutermostInTheResultAlone) {
  for (const int capability : {80, 90}) {
    for (const bool causal : {false, true}) {
      for (const int64_t features : {8, 64, 128}) {
        Attention p = efficient(4, 77, 55, features);
        p.causal = causal;
        EXPECT_GT(engines(p, capability), 0u) << capability << ' ' << features << (causal ? " causal" : "");
      }
    }
  }
}

TEST_F(DnnGraphs, AttentionWithABiasRowForAllQueries) {
  for (const int capability : {80, 90}) {
    Attention p = efficient(4, 64, 96, 64);
    p.bias = &kSomewhere;
    for (const int64_t batch : {96, 0}) {
      const int64_t strides[] = {batch, 0, 0, 1};
      std::copy_n(strides, 4, p.bias_strides);
      EXPECT_GT(engines(p, capability), 0u) << capability << ' ' << batch;
    }
  }
}

TEST_F(DnnGraphs, AttentionWithAnUnalignedOrPaddedBias) {
  for (const int64_t pitch : {77, 80}) {
    Attention p = efficient(4, 64, 77, 64);
    p.bias = &kSomewhere;
    const int64_t strides[] = {4 * 64 * pitch, 64 * pitch, pitch, 1};
    std::copy_n(strides, 4, p.bias_strides);
    EXPECT_GT(engines(p), 0u) << pitch;
  }
}

TEST_F(DnnGraphs, AttentionOfValuesWithOtherFeatures) {
  Attention p = attention(4, 64, 64, 192);
  p.value_features = 128;
  lay_out(p.value_strides, Order::Heads, 4, 64, 128);
  lay_out(p.output_strides, Order::Heads, 4, 64, 128);
  EXPECT_GT(engines(p), 0u);
}

TEST_F(DnnGraphs, UnalignedFeaturesAreLeftToOurOwnKernel) { EXPECT_EQ(engines(attention(4, 64, 64, 36)), 0u); }

TEST_F(DnnGraphs, PlanHasAWorkspaceUnlessNoEngineExists) {
  // If the driver is only a stub, cuDNN compiles each kernel and fails to load it.
  DnnGraph graph = dnn_graph(attention(4, 64, 64, 64));
  const DnnDescriptor properties = device(90);
  const auto plan = DnnPlan::of(std::move(graph), {nullptr, &properties}, {.deterministic = true});
  if (plan) EXPECT_GE(plan->workspace(), 0);
}

AveragePool pool(DType dtype, int64_t window, int64_t stride, int64_t padding) {
  AveragePool p;
  p.dtype = dtype;
  p.images = 2;
  p.channels = 16;
  for (int d = 0; d < 2; ++d) {
    p.in[d] = 32 + d;
    p.window[d] = window;
    p.stride[d] = stride;
    p.padding[d] = padding;
    p.out[d] = (p.in[d] + 2 * padding - window) / stride + 1;
  }
  return p;
}

TEST_F(DnnGraphs, AveragesOverWindowsWithAndWithoutThePadding) {
  for (const DType dtype : {DType::F16, DType::F32}) {
    for (const bool counts_padding : {false, true}) {
      AveragePool p = pool(dtype, 3, 2, 1);
      p.counts_padding = counts_padding;
      for (const int capability : {80, 90}) {
        EXPECT_GT(engines(p, capability), 0u) << name(dtype) << (counts_padding ? " with" : " without") << " padding";
      }
    }
  }
}

TEST_F(DnnGraphs, AveragesOverSeparateOrAdjacentWindows) {
  for (const int64_t window : {1, 2, 3, 7}) {
    for (const int64_t stride : {1, 2, 3, 8}) EXPECT_GT(engines(pool(DType::F16, window, stride, 0)), 0u) << window;
  }
}

}  // namespace
}  // namespace ersatz::cuda_module
