// Kernels of models compared with memcpy and OpenBLAS in the same run, on one thread unless ERSATZ_THREADS is set.
//
//   layer_norm, embedding, gather, scatter, cumsum   of_memcpy: bytes per second relative to a memcpy of that size
//   bmm, mm_bf16, attention                          of_openblas: OpenBLAS's time for the products, in f32, divided
//                                                    by ours
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <numeric>

#include "kernels/linalg/openblas.h"
#include "runtime/base/parallel.h"
#include "tests/bench/cpu_bench.h"

namespace ersatz {
namespace {

using namespace bench;
using V = std::vector<Value>;
constexpr DType f32 = DType::F32;

Value ints(std::vector<int64_t> v) { return Value::int_list(v); }

/// Positions in [0, limit), spread by a fixed stride that is coprime to it.
Tensor positions(std::vector<SymInt> sizes, int64_t limit) {
  Tensor t = make_real_tensor(TensorMeta(DType::I64, sizes));
  int64_t* p = t.data<int64_t>();
  for (int64_t i = 0, n = t.numel().as_int(); i < n; ++i) p[i] = i * 7919 % limit;
  return t;
}

/// C = A * B in f32, n x n by n x m, for `batch` pairs.
std::function<void()> products(int64_t batch, int64_t m, int64_t n, int64_t k) {
  struct Buffers {
    std::vector<float> a, b, c;
  };
  auto buffers = std::make_shared<Buffers>();
  buffers->a.assign(static_cast<size_t>(batch * m * k), 0.5f);
  buffers->b.assign(static_cast<size_t>(batch * k * n), 0.5f);
  buffers->c.assign(static_cast<size_t>(batch * m * n), 0.5f);
  return [=] {
    const openblas::GemmShape shape{false, false, n, m, k, n, k, n};
    for (int64_t i = 0; i < batch; ++i) {
      openblas::gemm(shape, 1.f, buffers->b.data() + i * k * n, buffers->a.data() + i * m * k, 0.f,
                     buffers->c.data() + i * m * n);
    }
  };
}

void add(const char* name, std::function<void(benchmark::State&)> body) {
  benchmark::RegisterBenchmark(name, std::move(body));
}

void register_memory_bound() {
  add("layer_norm/4096x1024", [](benchmark::State& s) {
    run(s, "aten.native_layer_norm.default",
        V{filled(f32, {4096, 1024}), ints({1024}), filled(f32, {1024}), filled(f32, {1024}), 1e-5});
  });
  add("layer_norm_bf16/4096x1024", [](benchmark::State& s) {
    run(s, "aten.native_layer_norm.default",
        V{filled(DType::BF16, {4096, 1024}), ints({1024}), filled(DType::BF16, {1024}), filled(DType::BF16, {1024}),
          1e-5});
  });
  add("embedding/16384 rows of 768", [](benchmark::State& s) {
    run(s, "aten.embedding.default",
        V{filled(f32, {50257, 768}), positions({16384}, 50257), Value(-1), Value(false), Value(false)},
        2 * 16384 * 768 * 4);
  });
  add("gather/2048x2048 dim 1", [](benchmark::State& s) {
    run(s, "aten.gather.default", V{filled(f32, {2048, 2048}), Value(1), positions({2048, 2048}, 2048), Value(false)});
  });
  add("scatter_add/2048x2048 dim 0", [](benchmark::State& s) {
    run(s, "aten.scatter_add.default",
        V{filled(f32, {2048, 2048}), Value(0), positions({2048, 2048}, 2048), filled(f32, {2048, 2048})});
  });
  add("index_select/4096 rows of 1024", [](benchmark::State& s) {
    run(s, "aten.index_select.default", V{filled(f32, {4096, 1024}), Value(0), positions({4096}, 4096)});
  });
  add("cumsum/4096x1024 dim 1", [](benchmark::State& s) {
    run(s, "aten.cumsum.default", V{filled(f32, {4096, 1024}), Value(1), Value()});
  });
  add("cumsum/4096x1024 dim 0", [](benchmark::State& s) {
    run(s, "aten.cumsum.default", V{filled(f32, {4096, 1024}), Value(0), Value()});
  });
}

void register_products() {
  add("bmm/16x256x256", [](benchmark::State& s) {
    run_beside(s, "aten.bmm.default", V{filled(f32, {16, 256, 256}), filled(f32, {16, 256, 256})}, "of_openblas",
               products(16, 256, 256, 256));
  });
  add("bmm/512x32x32", [](benchmark::State& s) {
    run_beside(s, "aten.bmm.default", V{filled(f32, {512, 32, 32}), filled(f32, {512, 32, 32})}, "of_openblas",
               products(512, 32, 32, 32));
  });
  add("mm_bf16/512", [](benchmark::State& s) {
    run_beside(s, "aten.mm.default", V{filled(DType::BF16, {512, 512}), filled(DType::BF16, {512, 512})}, "of_openblas",
               products(1, 512, 512, 512));
  });
  for (const bool causal : {false, true}) {
    // 8 heads of 64 features over 512 positions. Each head has two products: the scores, and their product with the
    // values.
    add(causal ? "attention_causal/8x512x64" : "attention/8x512x64", [causal](benchmark::State& s) {
      const Tensor q = filled(f32, {1, 8, 512, 64});
      const auto scores = products(8, 512, 512, 64), values = products(8, 512, 64, 512);
      run_beside(s, "aten._scaled_dot_product_flash_attention_for_cpu.default",
                 V{q, q, q, Value(0.0), Value(causal), Value(), Value()}, "of_openblas", [&] {
                   scores();
                   values();
                 });
    });
  }
}

}  // namespace
}  // namespace ersatz

int main(int argc, char** argv) {
  if (!std::getenv("ERSATZ_THREADS")) ersatz::set_pool_threads(1);
  ersatz::register_memory_bound();
  ersatz::register_products();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
