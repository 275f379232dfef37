// Helpers of the CPU benchmarks: operands, timing, and baselines that are measured in the same run.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <random>

#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"

namespace ersatz::bench {

inline double best_seconds(int repeats, const std::function<void()>& f) {
  double best = 1e9;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

/// Bytes per second, read and written, of a memcpy that moves `bytes` in total on one thread.
inline double memcpy_bandwidth(int64_t bytes) {
  std::vector<char> a(bytes / 2, 1), b(bytes / 2, 2);
  const double seconds = best_seconds(7, [&] {
    std::memcpy(a.data(), b.data(), a.size());
    benchmark::DoNotOptimize(a.data());
  });
  return static_cast<double>(a.size()) * 2 / seconds;
}

/// Bytes per second of a plain loop that reads `loads` streams of floats and writes one: `c[i] = a[i] + b[i]` for 2
/// loads.
inline double triad_bandwidth(int64_t bytes, int loads) {
  const size_t n = static_cast<size_t>(bytes) / sizeof(float) / static_cast<size_t>(loads + 1);
  std::vector<float> a(n, 1), b(n, 2), c(n, 3);
  const double seconds = best_seconds(7, [&] {
    float* __restrict to = c.data();
    if (loads == 1) {
      for (size_t i = 0; i < n; ++i) to[i] = a[i] * 0.5f;
    } else {
      for (size_t i = 0; i < n; ++i) to[i] = a[i] + b[i];
    }
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  });
  return static_cast<double>(n * sizeof(float)) * (loads + 1) / seconds;
}

inline Tensor filled(DType dtype, std::vector<SymInt> sizes, std::vector<SymInt> strides = {}) {
  Tensor t = make_real_tensor(strides.empty() ? TensorMeta(dtype, sizes) : TensorMeta(dtype, sizes, strides));
  const SymInt one[] = {1};
  Tensor half = tensor_from_values(dtype, std::vector<double>{0.5}, one);
  TensorMeta spread = t.meta();
  for (SymInt& s : spread.strides) s = 0;
  copy_elements(t, make_view(half, spread));
  return t;
}

/// Standard normal numbers, equal in every run. REQUIRES: a dtype of 4-byte floats or complex numbers of them.
inline Tensor noise(std::vector<SymInt> sizes, DType dtype = DType::F32) {
  Tensor t = make_real_tensor(TensorMeta(dtype, sizes));
  std::mt19937 engine(1);
  std::normal_distribution<float> normal;
  float* x = reinterpret_cast<float*>(t.raw_data());
  const int64_t n = t.numel().as_int() * item_size(t.dtype()) / int64_t{sizeof(float)};
  for (int64_t i = 0; i < n; ++i) x[i] = normal(engine);
  return t;
}
/// The result of `noise`, converted to `dtype`.
inline Tensor noise_as(DType dtype, std::vector<SymInt> sizes) {
  Tensor t = make_real_tensor(TensorMeta(dtype, sizes));
  copy_elements(t, noise(std::move(sizes)));
  return t;
}

inline int64_t bytes_of(const Tensor& t) { return t.numel().as_int() * item_size(t.dtype()); }

/// Runs an op's kernel into results that are made once. `moved` is the number of bytes that a call reads and writes;
/// with 0 it is the size of all operands.
inline void run(benchmark::State& state, const char* name, std::vector<Value> args, int64_t moved = 0,
                int triad_loads = 0) {
  const OpEntry& op = op_named(name);
  RuleResult rule;
  run_rule(op, args, rule);
  OutputTensors outputs;
  make_outputs(rule, nullptr, outputs);
  if (moved == 0) {
    for_each_tensor(args, [&](const TensorImpl* t) { moved += t->meta.numel().as_int() * item_size(t->meta.dtype); });
    for (const Tensor& t : outputs) moved += bytes_of(t);
  }
  const double yardstick = memcpy_bandwidth(moved);
  run_kernel(op, args, outputs, DeviceType::CPU);
  double best = 1e9;
  for (auto _ : state) {
    const double seconds = best_seconds(1, [&] { run_kernel(op, args, outputs, DeviceType::CPU); });
    best = std::min(best, seconds);
  }
  state.SetBytesProcessed(state.iterations() * moved);
  state.counters["best_us"] = 1e6 * best;
  state.counters["of_memcpy"] = static_cast<double>(moved) / best / yardstick;
  if (triad_loads > 0) {
    state.counters["of_triad"] = static_cast<double>(moved) / best / triad_bandwidth(moved, triad_loads);
  }
}

/// Times an op's kernel alone: the best call of the run, in seconds. `theirs` is timed right before. The counter `name`
/// is the time of `theirs` divided by that of the kernel.
inline void run_beside(benchmark::State& state, const char* op_name, const std::vector<Value>& args, const char* name,
                       const std::function<void()>& theirs) {
  const OpEntry& op = op_named(op_name);
  RuleResult rule;
  run_rule(op, args, rule);
  OutputTensors outputs;
  make_outputs(rule, nullptr, outputs);
  theirs();
  const double library = best_seconds(9, theirs);
  run_kernel(op, args, outputs, DeviceType::CPU);
  double best = 1e9;
  for (auto _ : state) {
    best = std::min(best, best_seconds(1, [&] { run_kernel(op, args, outputs, DeviceType::CPU); }));
  }
  state.counters["best_us"] = 1e6 * best;
  state.counters[name] = library / best;
}

}  // namespace ersatz::bench
