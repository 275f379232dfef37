// The host's cost of CUDA calls and, on a GPU, the speed of kernels relative to a device copy.
//
//   pool/...          allocation and free with a driver that does nothing: only our cost (any machine)
//   scope/...         the calls around a launch: current device, current stream (any machine)
//   allocate/BYTES    allocation and free of a tensor's bytes on the device
//   op/NAME           one small op, queued: rule, output, launch; `kernel`: only run_kernel with its launch
//   add/MIB ...       only the kernel on the device; of_copy: its bytes per second relative to a device copy's
//   sum, softmax, layer_norm, group_norm/DTYPE/SIZES  calls that read and write each element once; counter of_copy
//   avg_pool2d/DTYPE/SIZES  channels innermost, counter of_copy; f16 runs in cuDNN, other dtypes in our own kernel
//   mm, conv2d, attention/DTYPE/SIZES  of_product: their operations per second relative to a matrix product of that
//                     dtype, 8192 x 8192
//
// Baselines are measured in the same run. Without a GPU, the benchmark says so and runs on the emulated device, whose
// kernels are loops on the host. Then only pool, scope and op are meaningful, and calls with a baseline are left out.
// ERSATZ_CUDA_MODULE names another module.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "kernels/shape/permute.h"
#include "runtime/cuda/launch.h"
#include "runtime/cuda/memory.h"
#include "runtime/cuda/pool.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/cuda_module.h"
#include "tests/bench/cpu_bench.h"

namespace ersatz {
namespace {

using namespace cuda_module;

bool g_gpu = false;

/// A driver whose calls succeed at once. Its addresses are only numbers.
Driver idle_driver() {
  Driver d = linked_driver();
  d.malloc_async = [](void** address, size_t nbytes, StreamHandle) {
    static uintptr_t next = uintptr_t(1) << 44;
    *address = reinterpret_cast<void*>(next);
    next += (nbytes + 511) / 512 * 512;
    return 0;
  };
  d.free_async = [](void*, StreamHandle) { return 0; };
  d.worth_caching = true;
  return d;
}

void pool_same_size(benchmark::State& state) {
  const Driver idle = idle_driver();
  use_driver(&idle);
  Pool pool(0);
  for (auto _ : state) pool.free(pool.allocate(4096, nullptr), nullptr);
  state.counters["driver_calls"] = static_cast<double>(pool.figures().driver_calls);
  use_driver(nullptr);
}

/// Allocates as a network does: a few hundred live blocks with about forty sizes.
void pool_mixed(benchmark::State& state) {
  const Driver idle = idle_driver();
  use_driver(&idle);
  Pool pool(0);
  std::vector<void*> held(256, nullptr);
  uint32_t random = 1;
  for (auto _ : state) {
    random = random * 1664525u + 1013904223u;
    void*& slot = held[random >> 24];
    if (slot) pool.free(slot, nullptr);
    slot = pool.allocate(int64_t(512) << (random >> 16) % 12 | int64_t(512) * ((random >> 8) % 4), nullptr);
  }
  state.counters["driver_calls"] = static_cast<double>(pool.figures().driver_calls);
  use_driver(nullptr);
}

void module_allocate(benchmark::State& state) {
  const Driver idle = idle_driver();
  use_driver(&idle);
  for (auto _ : state) {
    void* address = nullptr;
    allocate(&address, 4096, 0);
    deallocate(address, 0);
  }
  use_driver(nullptr);
}

struct Nothing {
  ERSATZ_DEVICE void operator()(int64_t) const {}
};

void scope(benchmark::State& state) {
  for (auto _ : state) {
    const DeviceScope scope(0);
    benchmark::DoNotOptimize(current_stream(0));
  }
}

void emulated_launch(benchmark::State& state) {
  for (auto _ : state) launch_each(0, 1, Nothing{});
}

void synchronize() { check_cuda(cuda_functions().synchronize(0), cuda(0), "synchronize", 0); }

Tensor on_device(DType dtype, int64_t n) {
  TensorMeta meta(dtype, std::vector<SymInt>{n});
  meta.device = cuda(0);
  Tensor t = make_real_tensor(meta);
  cuda_set_bytes(t.storage()->data(), cuda(0), std::byte{0}, t.storage()->nbytes().as_int());
  return t;
}

void device_allocate(benchmark::State& state) {
  const int64_t n = state.range(0);
  const int64_t before = cuda_memory(cuda(0)).driver_calls;
  for (auto _ : state) cuda_allocator().deallocate(cuda_allocator().allocate(n, cuda(0)), n, cuda(0));
  state.counters["driver_calls"] = static_cast<double>(cuda_memory(cuda(0)).driver_calls - before);
  synchronize();
}

struct SmallOp {
  const char* name;
  const char* op;
  int tensors;
  bool alpha;
};

std::vector<Value> arguments(const SmallOp& op, int64_t n) {
  std::vector<Value> args;
  for (int i = 0; i < op.tensors; ++i) args.emplace_back(on_device(DType::F32, n));
  if (op.alpha) args.emplace_back(1);
  return args;
}

/// Synchronizes every thousand calls, so that the queue never fills.
template <class F>
void queue(benchmark::State& state, F f) {
  int queued = 0;
  for (auto _ : state) {
    f();
    if (++queued % 1000 == 0) {
      state.PauseTiming();
      synchronize();
      state.ResumeTiming();
    }
  }
  synchronize();
}

void small_op(benchmark::State& state, SmallOp op, bool kernel_alone) {
  const OpEntry& entry = op_named(op.op);
  const std::vector<Value> args = arguments(op, 6);
  if (!kernel_alone) {
    return queue(state, [&] {
      Values results;
      dispatch(entry, args, results);
    });
  }
  RuleResult rule;
  run_rule(entry, args, rule);
  OutputTensors outputs;
  make_outputs(rule, nullptr, outputs);
  queue(state, [&] { run_kernel(entry, args, outputs, DeviceType::CUDA); });
}

/// Seconds of one call, averaged over several in a row on the device.
double seconds_of(const std::function<void()>& f) {
  constexpr int kInARow = 20;
  f();
  synchronize();
  return bench::best_seconds(5,
                             [&] {
                               for (int i = 0; i < kInARow; ++i) f();
                               synchronize();
                             }) /
         kInARow;
}

void big_op(benchmark::State& state, SmallOp op, int64_t mib) {
  const OpEntry& entry = op_named(op.op);
  const int64_t n = (mib << 20) / 4;
  const std::vector<Value> args = arguments(op, n);
  RuleResult rule;
  run_rule(entry, args, rule);
  OutputTensors outputs;
  make_outputs(rule, nullptr, outputs);
  const int64_t moved = (op.tensors + 1) * n * 4;
  const Tensor from = on_device(DType::F32, moved / 8), to = on_device(DType::F32, moved / 8);
  const double copy =
      seconds_of([&] { cuda_copy_bytes(to.storage()->data(), cuda(0), from.storage()->data(), cuda(0), moved / 2); });
  double ours = 1e9;
  for (auto _ : state) {
    ours = std::min(ours, seconds_of([&] { run_kernel(entry, args, outputs, DeviceType::CUDA); }));
    state.SetIterationTime(ours);
  }
  state.counters["GB_per_s"] = static_cast<double>(moved) / ours * 1e-9;
  if (g_gpu) state.counters["of_copy"] = copy / ours;
}

/// Random elements in [-1, 1): one MiB of them, repeated.
Tensor random_on_device(DType dtype, std::vector<SymInt> sizes) {
  constexpr int64_t kBytes = 1 << 20;
  Tensor pattern = make_real_tensor(TensorMeta(dtype, std::vector<SymInt>{kBytes / item_size(dtype)}));
  fill_random(pattern, -1, 1, 1);
  TensorMeta meta(dtype, sizes);
  meta.device = cuda(0);
  Tensor t = make_real_tensor(meta);
  const int64_t bytes = t.storage()->nbytes().as_int();
  std::byte* const to = t.raw_data();
  int64_t done = std::min(bytes, kBytes);
  cuda_copy_bytes(to, cuda(0), pattern.raw_data(), kCPU, done);
  for (; done < bytes; done *= 2) cuda_copy_bytes(to + done, cuda(0), to, cuda(0), std::min(done, bytes - done));
  return t;
}

/// Seconds of a copy that reads and writes `bytes` in total.
double copy_seconds(int64_t bytes) {
  static std::map<int64_t, double> known;
  double& seconds = known[bytes];
  if (seconds == 0) {
    const Tensor from = on_device(DType::F32, bytes / 8), to = on_device(DType::F32, bytes / 8);
    const int64_t n = from.storage()->nbytes().as_int();
    seconds = seconds_of([&] { cuda_copy_bytes(to.raw_data(), cuda(0), from.raw_data(), cuda(0), n); });
  }
  return seconds;
}

/// Operations per second of a large matrix product.
double product_rate(DType dtype) {
  static std::map<DType, double> known;
  double& rate = known[dtype];
  if (rate == 0) {
    const OpEntry& mm = op_named("aten.mm.default");
    const Value a(random_on_device(dtype, {8192, 8192})), args[] = {a, a};
    rate = 2.0 * 8192 * 8192 * 8192 / seconds_of([&] {
             Values results;
             dispatch(mm, args, results);
           });
  }
  return rate;
}

struct LargeCall {
  const char* name;
  const char* op;
  std::string arguments;  ///< literals; the tensors have the sizes below, in order, and the dtype
  DType dtype;
  std::vector<std::vector<SymInt>> sizes;
  double operations = 0;       ///< 0: the metric is bytes, with each input and output element once
  bool channels_last = false;  ///< `sizes` are images, height, width, channels
};

void large_call(benchmark::State& state, const LargeCall& call) {
  const OpEntry& entry = op_named(call.op);
  std::vector<Value> args = sample_arguments(entry, call.arguments, 0, 1);
  size_t next = 0;
  int64_t bytes = 0;
  for (Value& v : args) {
    if (!v.is_tensor()) continue;
    Tensor t = random_on_device(call.dtype, call.sizes[next++]);
    bytes += t.storage()->nbytes().as_int();
    const SymInt channels_second[] = {0, 3, 1, 2};
    v = Value(call.channels_last ? ops::permute(t, channels_second) : t);
  }
  Values results;
  const auto run = [&] {
    results = Values();  // so that the memory is reused
    dispatch(entry, args, results);
  };
  run();
  for (const Value& v : results) bytes += v.tensor().storage()->nbytes().as_int();
  double ours = 1e9;
  for (auto _ : state) {
    ours = std::min(ours, seconds_of(run));
    state.SetIterationTime(ours);
  }
  if (call.operations > 0) {
    state.counters["TFLOP_per_s"] = call.operations / ours * 1e-12;
    state.counters["of_product"] = call.operations / ours / product_rate(call.dtype);
  } else {
    state.counters["GB_per_s"] = static_cast<double>(bytes) / ours * 1e-9;
    state.counters["of_copy"] = copy_seconds(bytes) / ours;
  }
}

std::string case_name(const LargeCall& call) {
  std::string text = std::string(call.name) + "/" + std::string(name(call.dtype)) + "/";
  for (size_t d = 0; d < call.sizes[0].size(); ++d) text += (d ? "x" : "") + std::to_string(call.sizes[0][d].as_int());
  return text;
}

std::vector<LargeCall> large_calls() {
  std::vector<LargeCall> calls;
  for (DType t : {DType::F32, DType::F16, DType::BF16}) {
    calls.push_back({"add", "aten.add.Tensor", "f32[1], f32[1]", t, {{1 << 26}, {1 << 26}}});
    // Short rows, rows of a transformer, an odd length, long rows, rows of a vocabulary.
    for (const std::vector<SymInt>& rows : std::vector<std::vector<SymInt>>{
             {1 << 20, 64}, {1 << 16, 1024}, {1 << 16, 1023}, {8192, 8192}, {2048, 50257}}) {
      calls.push_back({"sum", "aten.sum.dim_IntList", "f32[1,1], [1]", t, {rows}});
      calls.push_back({"softmax", "aten._softmax.default", "f32[1,1], 1, False", t, {rows}});
    }
    calls.push_back({"sum", "aten.sum.default", "f32[1]", t, {{1 << 26}}});
    calls.push_back({"sum_columns", "aten.sum.dim_IntList", "f32[1,1], [0]", t, {{8192, 8192}}});
    for (int64_t width : {1024, 4096, 16384}) {
      const std::vector<SymInt> x{(1 << 26) / width, width}, w{width};
      const std::string text = "f32[1,1], [" + std::to_string(width) + "], f32[1], f32[1], 1e-05";
      calls.push_back({"layer_norm", "aten.native_layer_norm.default", text, t, {x, w, w}});
    }
    calls.push_back({"group_norm",
                     "aten.native_group_norm.default",
                     "f32[1,1,1], f32[1], f32[1], 16, 320, 4096, 32, 1e-05",
                     t,
                     {{16, 320, 4096}, {320}, {320}}});
  }
  for (DType t : {DType::F32, DType::F16, DType::BF16}) {
    calls.push_back({.name = "avg_pool2d",
                     .op = "aten.avg_pool2d.default",
                     .arguments = "f32[1,1,1,1], [3, 3], [1, 1], [1, 1]",
                     .dtype = t,
                     .sizes = {{32, 112, 112, 128}},
                     .channels_last = true});
    calls.push_back(
        {"mm", "aten.mm.default", "f32[1,1], f32[1,1]", t, {{4096, 4096}, {4096, 4096}}, 2.0 * (1ll << 36)});
    calls.push_back({"conv2d",
                     "aten.convolution.default",
                     "f32[1,1,1,1], f32[1,1,1,1], None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1",
                     t,
                     {{32, 64, 56, 56}, {64, 64, 3, 3}},
                     2.0 * 32 * 64 * 56 * 56 * 64 * 9});
    const std::vector<SymInt> q{8, 16, 1024, 64};
    calls.push_back({"attention",
                     "aten.scaled_dot_product_attention.default",
                     "f32[1,1,1,1], f32[1,1,1,1], f32[1,1,1,1]",
                     t,
                     {q, q, q},
                     4.0 * 8 * 16 * 1024 * 1024 * 64});
  }
  return calls;
}

void register_all() {
  benchmark::RegisterBenchmark("pool/same_size", pool_same_size);
  benchmark::RegisterBenchmark("pool/mixed", pool_mixed);
  benchmark::RegisterBenchmark("pool/through_the_module", module_allocate);
  benchmark::RegisterBenchmark("scope/device_and_stream", scope);
  benchmark::RegisterBenchmark("scope/launch_each_emulated", emulated_launch);
  benchmark::RegisterBenchmark("allocate", device_allocate)->Arg(512)->Arg(1 << 20)->Arg(64 << 20);
  const SmallOp ops[] = {{"add", "aten.add.Tensor", 2, true},
                         {"relu", "aten.relu.default", 1, false},
                         {"zero_", "aten.zero_.default", 1, false},
                         {"exp", "aten.exp.default", 1, false}};
  for (const SmallOp& op : ops) {
    const std::string name = op.name;
    benchmark::RegisterBenchmark(("op/" + name).c_str(), small_op, op, false);
    benchmark::RegisterBenchmark(("op/" + name + "/kernel").c_str(), small_op, op, true);
  }
  for (const SmallOp& op : ops) {
    if (std::string_view(op.name) == "zero_") continue;
    for (int64_t mib : g_gpu ? std::vector<int64_t>{1, 16, 256, 1024} : std::vector<int64_t>{1}) {
      benchmark::RegisterBenchmark((std::string(op.name) + "/" + std::to_string(mib)).c_str(), big_op, op, mib)
          ->UseManualTime()
          ->Iterations(3);
    }
  }
  if (!g_gpu) return;
  for (const LargeCall& call : large_calls()) {
    benchmark::RegisterBenchmark(case_name(call).c_str(), large_call, call)->UseManualTime()->Iterations(3);
  }
}

}  // namespace
}  // namespace ersatz

int main(int argc, char** argv) {
  if (!std::getenv("ERSATZ_CUDA_MODULE") && !std::filesystem::exists("/dev/nvidiactl")) {
    setenv("ERSATZ_CUDA_MODULE", ERSATZ_BINARY_DIR "/lib/libersatz_cuda_emulated.so", 1);
  }
  benchmark::Initialize(&argc, argv);
  ersatz::CudaDevice device;
  ersatz::check_cuda(ersatz::cuda_functions().device(0, &device), ersatz::cuda(0), "description", 0);
  ersatz::g_gpu = std::string_view(device.name) != "emulated device";
  if (!ersatz::g_gpu)
    std::fputs("no device: on the emulated one, without the calls that a GPU's speed decides\n", stderr);
  benchmark::AddCustomContext("device", device.name);
  const ersatz::BackendRecord backend = ersatz::backend_of(ersatz::cuda(0));
  const ersatz::ContextGuard known([&](ersatz::RuleContext& c) { c.backend = backend; });  // attention depends on it
  ersatz::register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
