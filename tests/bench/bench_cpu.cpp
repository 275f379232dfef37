// CPU kernels compared with `memcpy`, `openblas` and `onednn` in the same run, on one thread unless ERSATZ_THREADS is
// set.
//
//   add/MiB, relu/MiB ...   only the kernel, into an existing result; bytes are read and written bytes
//   best_us                 microseconds of the fastest call
//   of_memcpy               bytes per second relative to a memcpy of equally many bytes right before
//   of_triad                bytes per second relative to a plain loop with as many loads and stores
//   of_openblas, of_onednn  the library's time divided by ours
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "kernels/linalg/openblas.h"
#include "runtime/base/parallel.h"
#include "tests/bench/cpu_bench.h"
#include "tests/bench/onednn_yardstick.h"

namespace ersatz {
namespace {

using namespace bench;

/// n for a matrix of n x n floats with at least this many MiB.
int64_t side(int64_t mib) {
  int64_t n = 512;
  while (n * n * 4 < mib << 20) n *= 2;
  return n;
}

void elementwise(const char* label, const char* op, std::function<std::vector<Value>(int64_t n)> args,
                 int triad_loads = 0) {
  for (int64_t mib : {1, 16, 64}) {
    benchmark::RegisterBenchmark((std::string(label) + "/" + std::to_string(mib)).c_str(),
                                 [=](benchmark::State& state) { run(state, op, args(side(mib)), 0, triad_loads); });
  }
}

void register_elementwise() {
  using V = std::vector<Value>;
  constexpr DType f32 = DType::F32;
  for (int64_t mib : {1, 16, 64}) {
    benchmark::RegisterBenchmark(("memcpy/" + std::to_string(mib)).c_str(), [=](benchmark::State& state) {
      std::vector<char> a(mib << 20, 1), b(mib << 20, 2);
      for (auto _ : state) {
        std::memcpy(a.data(), b.data(), a.size());
        benchmark::DoNotOptimize(a.data());
      }
      state.SetBytesProcessed(state.iterations() * (mib << 21));
    });
  }
  elementwise(
      "add", "aten.add.Tensor",
      [](int64_t n) {
        return V{filled(f32, {n, n}), filled(f32, {n, n}), Value(1)};
      },
      2);
  elementwise(
      "add_row", "aten.add.Tensor",
      [](int64_t n) {
        return V{filled(f32, {n, n}), filled(f32, {n}), Value(1)};
      },
      1);
  elementwise("add_number", "aten.add.Tensor", [](int64_t n) { return V{filled(f32, {n, n}), Value(2.0), Value(1)}; });
  elementwise(
      "add_mixed_layout", "aten.add.Tensor",
      [](int64_t n) {
        return V{filled(f32, {n, n}), filled(f32, {n, n}, {1, n}), Value(1)};
      },
      2);
  elementwise("add_mixed_dtype", "aten.add.Tensor", [](int64_t n) {
    return V{filled(f32, {n, n}), filled(DType::F16, {n, n}), Value(1)};
  });
  elementwise("add_f16", "aten.add.Tensor", [](int64_t n) {
    return V{filled(DType::F16, {n, n}), filled(DType::F16, {n, n}), Value(1)};
  });
  elementwise(
      "relu", "aten.relu.default",
      [](int64_t n) {
        return V{filled(f32, {n, n})};
      },
      1);
  elementwise("relu_gapped", "aten.relu.default", [](int64_t n) { return V{filled(f32, {n, n}, {2 * n, 1})}; });
  elementwise(
      "exp", "aten.exp.default",
      [](int64_t n) {
        return V{filled(f32, {n, n})};
      },
      1);
  for (const char* how : {"none", "tanh"}) {
    elementwise((std::string("gelu_") + how).c_str(), "aten.gelu.default",
                [=](int64_t n) {
                  return V{noise({n, n}), Value(how)};
                },
                1);
  }
  elementwise("gelu_bf16", "aten.gelu.default", [](int64_t n) {
    return V{noise_as(DType::BF16, {n, n}), Value("none")};
  });
  elementwise("sum_inner", "aten.sum.dim_IntList", [](int64_t n) {
    return V{filled(f32, {n, n}), Value::int_list(std::vector<int64_t>{1}), Value(false), Value()};
  });
  elementwise("sum_outer", "aten.sum.dim_IntList", [](int64_t n) {
    return V{filled(f32, {n, n}), Value::int_list(std::vector<int64_t>{0}), Value(false), Value()};
  });
  for (DType t : {DType::U8, DType::F16, DType::F32, DType::F64}) {
    for (int64_t mib : {1, 16, 64}) {
      const std::string label = fmt::format("copy_transposed_{}/{}", name(t), mib);
      benchmark::RegisterBenchmark(label.c_str(), [=](benchmark::State& state) {
        int64_t n = 512;
        while (n * n * item_size(t) < mib << 20) n *= 2;
        Tensor from = filled(t, {n, n}, {1, n}), to = filled(t, {n, n});
        const double yardstick = memcpy_bandwidth(2 * bytes_of(to));
        double best = 1e9;
        for (auto _ : state) best = std::min(best, best_seconds(1, [&] { copy_elements(to, from); }));
        state.SetBytesProcessed(state.iterations() * 2 * bytes_of(to));
        state.counters["of_memcpy"] = 2.0 * static_cast<double>(bytes_of(to)) / best / yardstick;
      });
    }
  }
}

/// Softmax of 2^18 elements: [outer, n, inner] along n, or [outer, n] if inner is 1.
void register_softmax() {
  struct Case {
    int64_t outer, n, inner;
  };
  for (const char* op : {"softmax", "log_softmax"}) {
    for (const Case c : {Case{2048, 128, 1}, Case{256, 1024, 1}, Case{64, 4096, 1}, Case{8, 32768, 1},
                         Case{1, 512, 512}, Case{64, 256, 16}}) {
      for (const DType t : {DType::F32, DType::BF16}) {
        if (t == DType::BF16 && c.n != 1024) continue;
        benchmark::RegisterBenchmark(fmt::format("{}_{}/{}x{}x{}", op, name(t), c.outer, c.n, c.inner).c_str(),
                                     [=](benchmark::State& state) {
                                       run(state, fmt::format("aten._{}.default", op).c_str(),
                                           {noise_as(t, {c.outer, c.n, c.inner}), Value(int64_t{1}), Value(false)});
                                     });
      }
    }
  }
}

void register_mm() {
  for (int64_t n : {64, 256, 1024}) {
    benchmark::RegisterBenchmark(("mm/" + std::to_string(n)).c_str(), [=](benchmark::State& state) {
      const OpEntry& op = op_named("aten.mm.default");
      const std::vector<Value> args{filled(DType::F32, {n, n}), filled(DType::F32, {n, n})};
      Tensor out = filled(DType::F32, {n, n});
      const openblas::GemmShape shape{false, false, n, n, n, n, n, n};
      const double library = best_seconds(7, [&] {
        openblas::gemm(shape, 1.f, args[1].tensor().data<float>(), args[0].tensor().data<float>(), 0.f,
                       out.data<float>());
      });
      double best = 1e9;
      Tensor outputs[] = {out};
      for (auto _ : state) {
        best = std::min(best, best_seconds(1, [&] { run_kernel(op, args, outputs, DeviceType::CPU); }));
      }
      state.counters["of_openblas"] = library / best;
      state.counters["gflops"] = 2e-9 * static_cast<double>(n * n * n) / best;
    });
  }
}

void register_conv() {
  struct Case {
    const char* name;
    std::array<int64_t, 4> input, weight;
    int64_t padding;
  };
  for (const Case& c :
       {Case{"conv/3x3", {1, 64, 56, 56}, {64, 64, 3, 3}, 1}, Case{"conv/1x1", {1, 256, 28, 28}, {128, 256, 1, 1}, 0},
        Case{"conv/7x7", {1, 3, 224, 224}, {64, 3, 7, 7}, 3}}) {
    benchmark::RegisterBenchmark(c.name, [=](benchmark::State& state) {
      bench::OnednnConvolution library(c.input, c.weight, c.padding);
      if (!library.ready()) return state.SkipWithError("oneDNN is not there");
      for (int i = 0; i < 3; ++i) library.run();
      const double theirs = best_seconds(9, [&] { library.run(); });
      auto tensor = [](const std::array<int64_t, 4>& s) { return filled(DType::F32, {s[0], s[1], s[2], s[3]}); };
      auto pair = [](int64_t v) { return Value::int_list(std::vector<int64_t>{v, v}); };
      const std::vector<Value> args{tensor(c.input), tensor(c.weight), Value(), pair(1),          pair(c.padding),
                                    pair(1),         Value(false),     pair(0), Value(int64_t(1))};
      const OpEntry& op = op_named("aten.convolution.default");
      RuleResult rule;
      run_rule(op, args, rule);
      OutputTensors outputs;
      make_outputs(rule, nullptr, outputs);
      run_kernel(op, args, outputs, DeviceType::CPU);
      double best = 1e9;
      for (auto _ : state) {
        best = std::min(best, best_seconds(1, [&] { run_kernel(op, args, outputs, DeviceType::CPU); }));
      }
      state.counters["of_onednn"] = theirs / best;
    });
  }
}

}  // namespace
}  // namespace ersatz

int main(int argc, char** argv) {
  if (!std::getenv("ERSATZ_THREADS")) ersatz::set_pool_threads(1);
  ersatz::register_elementwise();
  ersatz::register_softmax();
  ersatz::register_mm();
  ersatz::register_conv();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
