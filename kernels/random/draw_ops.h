// Kernels of random ops that all devices share. `Engine` is HostDraw or DeviceDraw, which runs loops on its device.
#pragma once

#include <algorithm>

#include "kernels/dense_operand.h"
#include "kernels/pointwise/device_value.h"
#include "kernels/random/bernoulli.h"
#include "kernels/random/distribution.h"
#include "kernels/random/draw.h"
#include "kernels/random/draw_elements.h"
#include "kernels/random/moments.h"
#include "kernels/random/normal.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/op/kernel.h"

namespace ersatz::draw_ops {

inline constexpr DTypeSet kCounted = kReals | kBool;

/// Returns the DrawTable for the engine's device.
template <class Engine>
DrawTable table() {
  return {[](const DrawTarget& to, GeneratorState start, double low, double high) {
            dispatch_dtype<kFloats>(to.dtype,
                                    [&]<class T>() { Engine::template fill<T>(to, start, DrawUniform<T>(low, high)); });
          },
          [](const DrawTarget& to, GeneratorState start, double std, double even_mean, double odd_mean) {
            dispatch_dtype<kFloats>(to.dtype, [&]<class T>() {
              Engine::template fill<T>(to, start, DrawNormal<T>(std, even_mean, odd_mean));
            });
          },
          [](const DrawTarget& to, GeneratorState start, int64_t low, int64_t high) {
            dispatch_dtype<kCounted>(
                to.dtype, [&]<class T>() { Engine::template fill<T>(to, start, DrawIntegers<T>(low, high)); });
          },
          [](const DrawTarget& to, GeneratorState start, const double* p, double all) {
            dispatch_dtype<kCounted>(to.dtype, [&]<class T>() {
              Engine::template fill<T>(to, start, DrawBernoulli<T>{p, all});
            });
          }};
}

/// Draws numbers in f64 and converts them to the output's dtype. The generator is the last argument.
template <class Engine, class Draw>
void fill(KernelCall& call, const Draw& draw) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Tensor drawn = make_real_tensor(TensorMeta(DType::F64, out.sizes(), out.device()));
  const DrawTarget to = target_of(drawn);
  Generator& generator = generator_or_default(call.args[call.args.size() - 1].as_generator(), out.device());
  Engine::template fill<double>(to, reserve_for(to.n, Draw::kPerBlock, generator), draw);
  copy_elements(out, drawn);
}
template <class Engine, class F>
void fill_from_uniform(KernelCall& call, const F& f) {
  fill<Engine>(call, DrawThrough<DrawUniform<double>, F>{DrawUniform<double>(0, 1), f});
}

template <class Engine>
void exponential(KernelCall& call) {
  fill_from_uniform<Engine>(call, ToExponential{call.real(op_distribution::kExponential["lambd"])});
}
template <class Engine>
void geometric(KernelCall& call) {
  fill_from_uniform<Engine>(call, ToGeometric{1 / std::log1p(-call.real(op_distribution::kGeometric["p"]))});
}
template <class Engine>
void cauchy(KernelCall& call) {
  fill_from_uniform<Engine>(
      call, ToCauchy{call.real(op_distribution::kCauchy["median"]), call.real(op_distribution::kCauchy["sigma"])});
}
template <class Engine>
void log_normal(KernelCall& call) {
  const DrawNormal<double> normal(call.real(op_distribution::kLogNormal["std"]),
                                  call.real(op_distribution::kLogNormal["mean"]),
                                  call.real(op_distribution::kLogNormal["mean"]));
  fill<Engine>(call, DrawThrough<DrawNormal<double>, ToLogNormal>{normal, {}});
}

/// Kernel that computes out = mean + out * std. A number consists of `parts` reals, 2 for complex numbers.
template <int parts>
struct Scale {
  double* out;
  const double *mean, *std;
  ERSATZ_DEVICE void operator()(int64_t i) const { out[i] = mean[i] + out[i] * std[i / parts]; }
};

/// Arguments of the operator: (mean, std, generator). Numbers are drawn and scaled in f64 (complex numbers in c128),
/// and converted to the output's dtype.
template <class Engine>
void normal_of_moments(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const int64_t n = out.numel().as_int();
  if (n == 0) return;
  const bool complex = is_complex(out.dtype());
  const DType wide = complex ? DType::C128 : DType::F64;
  const Tensor drawn = make_real_tensor(TensorMeta(wide, out.sizes(), out.device()));
  draw_normal(drawn, generator_or_default(call[op_normal::kOfMoments["generator"]].as_generator(), out.device()));
  const Tensor mean = spread_argument(call, op_normal::kOfMoments["mean"], out, wide),
               std = spread_argument(call, op_normal::kOfMoments["std"], out, DType::F64);
  Engine::template require_all<Deviations>(call, std);
  const auto reals = [](const Tensor& t) { return reinterpret_cast<double*>(t.raw_data()); };
  if (complex) {
    Engine::for_each(out.device(), 2 * n, Scale<2>{reals(drawn), reals(mean), reals(std)});
  } else {
    Engine::for_each(out.device(), n, Scale<1>{reals(drawn), reals(mean), reals(std)});
  }
  copy_elements(out, drawn);
}

/// Draws ones and zeros. The argument at position `p` has the probabilities.
template <class Engine, size_t p, size_t generator>
void bernoulli(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const Tensor dense = spread_argument(call, p, out, DType::F64);
  Engine::template require_all<Probabilities>(call, dense);
  draw_bernoulli(out, generator_or_default(call.args[generator].as_generator(), out.device()), dense);
}

/// Multiplies the numbers that the mask keeps by `scale`; other numbers become 0. A dropped NaN stays NaN, unless it is
/// complex.
template <class T>
struct ScaleKept {
  T* data;
  const bool* mask;
  double scale;
  ERSATZ_DEVICE void operator()(int64_t i) const {
    if constexpr (kIsDeviceComplex<T>) {
      using Part = typename T::value_type;
      data[i] = mask[i] ? T(data[i].real() * Part(scale), data[i].imag() * Part(scale)) : T(0);
    } else {
      data[i] = convert_value<T>(convert_value<double>(data[i]) * (mask[i] ? scale : 0.0));
    }
  }
};

/// Arguments of the operator: (input, p, train).
template <class Engine>
void native_dropout(KernelCall& call) {
  const Tensor &out = call.outputs[0], &mask = call.outputs[1];
  if (out.numel().as_int() == 0) return;
  if (call.has(op_bernoulli::kNativeDropout["train"]) && !call.boolean(op_bernoulli::kNativeDropout["train"])) {
    copy_elements(out, call.tensor(op_bernoulli::kNativeDropout["input"]));
    return fill_elements(mask, true);
  }
  const double p = call.real(op_bernoulli::kNativeDropout["p"]);
  draw_bernoulli(mask, default_generator(out.device()), 1 - p);
  // If the result and the mask are dense and have equal strides, elements are processed in the order of memory.
  const bool alike = is_non_overlapping_and_dense(out.sizes(), out.strides()) &&
                     std::ranges::equal(as_ints(out.strides()), as_ints(mask.strides()));
  const Tensor values = alike ? out : make_real_tensor(TensorMeta(out.dtype(), out.sizes(), out.device()));
  const Tensor kept = alike ? mask : dense_input(mask);
  copy_elements(values, call.tensor(op_bernoulli::kNativeDropout["input"]));
  dispatch_dtype<kFloatsAndComplexes>(out.dtype(), [&]<class T>() {
    using E = typename Engine::template Element<T>;
    Engine::for_each(out.device(), out.numel().as_int(),
                     ScaleKept<E>{reinterpret_cast<E*>(values.raw_data()),
                                  reinterpret_cast<const bool*>(kept.raw_data()), p == 1 ? 0 : 1 / (1 - p)});
  });
  if (!alike) copy_elements(out, values);
}

}  // namespace ersatz::draw_ops
