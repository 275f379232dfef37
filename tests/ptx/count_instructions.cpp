// Counts the PTX instructions that a call's kernels run per element of its largest tensor. The PTX device counts them;
// no time is measured.
//
//   ERSATZ_CUDA_MODULE=lib/libersatz_cuda_ptx.so count_instructions          prints `call,elements,instructions`
//   ERSATZ_CUDA_MODULE=lib/libersatz_cuda_ptx.so count_instructions FILE     fails if a count grew by 10 % since FILE
#include <cstdio>
#include <fstream>
#include <map>

#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "tests/cuda/device_samples.h"
#include "tests/cuda/ptx_operators.h"

namespace ersatz {
namespace {

struct Counted {
  const char* op;
  const char* arguments;
  double low = -2, high = 2;
};
constexpr Counted kCounted[] = {
    {"aten.add.Tensor", "f32[65536], f32[65536]"},
    {"aten.add.Tensor", "f16[65536], f16[65536]"},
    {"aten.add.Tensor", "f32[256,256], f32[256]"},
    {"aten.add.Tensor", "f16[65536], f32[65536]"},
    {"aten.exp.default", "f32[65536]"},
    {"aten.gelu.default", "f16[65536]"},
    {"aten.silu.default", "f16[65536]"},
    {"aten.relu.default", "f16[65536]"},
    {"aten.pow.Tensor_Scalar", "f32[65536], 2.5", 0.5, 2},
    {"aten.where.self", "bool[65536], f32[65536], f32[65536]", 0, 1},
    {"aten.where.self", "bool[65536], f16[65536], f16[65536]", 0, 1},
    {"aten.masked_fill.Scalar", "f32[65536], bool[65536], 0.5", 0, 1},
    {"aten.masked_fill.Scalar", "f16[65536], bool[65536], 0.5", 0, 1},
    {"aten.clone.default", "f32[256,256]{1,256}, memory_format=contiguous_format"},
    {"aten._to_copy.default", "f32[65536], dtype=f16"},
    {"aten.cat.default", "[f32[32768], f32[32768]]"},
    {"aten.fill.Scalar", "f32[65536], 1.5"},
    {"aten.sum.dim_IntList", "f32[1024,64], [1]"},
    {"aten.sum.dim_IntList", "f16[1024,64], [1]"},
    {"aten.sum.dim_IntList", "f32[64,1024], [1]"},
    {"aten.sum.dim_IntList", "f32[1024,64], [0]"},
    {"aten._softmax.default", "f32[64,1024], 1, False"},
    {"aten._softmax.default", "f16[1024,64], 1, False"},
    {"aten.native_layer_norm.default", "f32[64,1024], [1024], f32[1024], f32[1024], 1e-5"},
    {"aten.native_layer_norm.default", "f16[64,1024], [1024], f16[1024], f16[1024], 1e-5"},
    {"aten.native_group_norm.default", "f32[4,32,512], f32[32], f32[32], 4, 32, 512, 8, 1e-5"},
    {"aten.cumsum.default", "f32[64,1024], 1"},
    {"aten.argmax.default", "f16[64,1024], 1"},
    {"aten.topk.default", "f32[64,1024], 8"},
    {"aten.sort.default", "f32[16,4096]"},
    {"aten.nonzero.default", "f32[256,256]"},
    {"aten.gather.default", "f32[256,256], 1, i64[256,256]", 0, 255},
    {"aten.index_select.default", "f32[256,256], 0, i64[256]", 0, 255},
    {"aten.scatter_add.default", "f32[256,256], 1, i64[256,256], f32[256,256]", 0, 255},
    {"aten.index.Tensor", "f32[256,256], [i64[256]]", 0, 255},
    {"aten.embedding.default", "f16[256,64], i64[1024]", 0, 255},
    {"aten.embedding.default", "f16[256,63], i64[1024]", 0, 255},
    {"aten.upsample_nearest2d.default", "f32[4,4,32,32], [64, 64]"},
    {"aten.upsample_bilinear2d.default", "f32[4,4,32,32], [64, 64], False"},
    {"aten.max_pool2d_with_indices.default", "f32[4,4,64,64], [3, 3], [2, 2], [1, 1]"},
    {"aten.avg_pool2d.default", "f32[4,4,64,64], [3, 3], [2, 2], [1, 1]"},
    {"aten.nll_loss_forward.default", "f32[1024,64], i64[1024], None, 1, -100", 0, 63},
    {"aten.native_dropout.default", "f16[65536], 0.5, True"},
    {"aten.tril.default", "f32[256,256]"},
    {"aten._scaled_dot_product_efficient_attention.default",
     "f32[1,2,128,64], f32[1,2,128,64], f32[1,2,128,64], None, False"},
};

struct Count {
  std::string call;
  int64_t elements;
  double per_element;
};

Count counted(const Counted& c) {
  const OpEntry& op = op_named(c.op);
  const std::vector<Value> args = arguments_on(cuda(0), sample_arguments(op, c.arguments, c.low, c.high));
  Values results;
  const uint64_t before = *ptx_instructions_run();
  dispatch(op, args, results);
  const auto run = static_cast<double>(*ptx_instructions_run() - before);
  int64_t elements = 0;
  const auto look = [&](const TensorImpl* t) { elements = std::max(elements, t->meta.numel().as_int()); };
  for_each_tensor(args, look);
  for_each_tensor(results, look);
  return {fmt::format("\"{}({})\"", c.op, c.arguments), elements, run / static_cast<double>(elements)};
}

/// Reads the counts of each call from a file that this program has printed.
std::map<std::string, double> earlier(const char* path) {
  std::map<std::string, double> counts;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const size_t call = line.rfind('"'), last = line.rfind(',');
    if (call != line.npos && last > call) counts[line.substr(0, call + 1)] = std::stod(line.substr(last + 1));
  }
  return counts;
}

int count(const char* file) {
  if (!ptx_instructions_run()) {
    std::fprintf(stderr, "count_instructions: ERSATZ_CUDA_MODULE must name libersatz_cuda_ptx.so\n");
    return 2;
  }
  const std::map<std::string, double> before = file ? earlier(file) : std::map<std::string, double>();
  int status = 0;
  std::printf("call,elements,instructions an element\n");
  for (const Counted& c : kCounted) {
    const Count now = counted(c);
    std::printf("%s,%lld,%.1f\n", now.call.c_str(), static_cast<long long>(now.elements), now.per_element);
    if (!file) continue;
    const auto known = before.find(now.call);
    if (known == before.end()) {
      std::printf("  is not in %s: write it again\n", file);
      status = 1;
    } else if (now.per_element > 1.1 * known->second) {
      std::printf("  grew by more than 10 %%: it was %.1f\n", known->second);
      status = 1;
    }
  }
  return status;
}

}  // namespace
}  // namespace ersatz

int main(int argc, char** argv) { return ersatz::count(argc > 1 ? argv[1] : nullptr); }
