#include <cmath>

#include "kernels/dense_operand.h"
#include "kernels/norm/batch_norm_calls.h"
#include "kernels/norm/parameter.h"
#include "runtime/base/parallel.h"

namespace ersatz::op_batch_norm {
namespace {

constexpr int64_t kGrain = 1 << 15;  // the number of elements that one task processes

/// A batch of images as [images, channels, points] in memory, or [images, points, channels] if channels_last.
struct Extent {
  int64_t images, channels, points;
  bool channels_last;
};

Extent extent_of(const Tensor& t, MemoryFormat format) {
  Extent e{t.sizes()[0].as_int(), t.sizes()[1].as_int(), 1, format != MemoryFormat::Contiguous};
  for (size_t d = 2; d < t.sizes().size(); ++d) e.points *= t.sizes()[d].as_int();
  return e;
}

/// Computes out = in * scale[c] + shift[c] for each element, where c is its channel.
template <class T, class Acc>
void transform(const Extent& e, const T* in, T* out, const Acc* scale, const Acc* shift) {
  if (e.channels_last) {
    const int64_t rows = e.images * e.points;
    parallel_for(rows, std::max<int64_t>(1, kGrain / std::max<int64_t>(e.channels, 1)), [&](int64_t b, int64_t end) {
      for (int64_t r = b; r < end; ++r) {
        const T* x = in + r * e.channels;
        T* y = out + r * e.channels;
        for (int64_t c = 0; c < e.channels; ++c) y[c] = T(Acc(x[c]) * scale[c] + shift[c]);
      }
    });
    return;
  }
  const int64_t rows = e.images * e.channels;
  parallel_for(rows, std::max<int64_t>(1, kGrain / std::max<int64_t>(e.points, 1)), [&](int64_t b, int64_t end) {
    for (int64_t r = b; r < end; ++r) {
      const T* x = in + r * e.points;
      T* y = out + r * e.points;
      const Acc s = scale[r % e.channels], t = shift[r % e.channels];
      for (int64_t i = 0; i < e.points; ++i) y[i] = T(Acc(x[i]) * s + t);
    }
  });
}

/// Computes mean and sum of squared deviations of each channel, in double. Two passes over the elements avoid
/// cancellation.
template <class T>
void channel_statistics(const Extent& e, const T* in, double* mean, double* squares) {
  const double n = double(e.images * e.points);
  if (e.channels_last) {
    parallel_for(e.channels, 16, [&](int64_t c0, int64_t c1) {
      for (int64_t c = c0; c < c1; ++c) mean[c] = squares[c] = 0;
      for (int64_t r = 0; r < e.images * e.points; ++r) {
        for (int64_t c = c0; c < c1; ++c) mean[c] += double(in[r * e.channels + c]);
      }
      for (int64_t c = c0; c < c1; ++c) mean[c] /= n;
      for (int64_t r = 0; r < e.images * e.points; ++r) {
        for (int64_t c = c0; c < c1; ++c) {
          const double d = double(in[r * e.channels + c]) - mean[c];
          squares[c] += d * d;
        }
      }
    });
    return;
  }
  parallel_for(e.channels, 1, [&](int64_t c0, int64_t c1) {
    constexpr int64_t kLanes = 8;
    for (int64_t c = c0; c < c1; ++c) {
      // Each pass has kLanes independent sums, so that compilers vectorise it.
      auto sum = [&](auto&& term) {
        double lanes[kLanes] = {};
        for (int64_t image = 0; image < e.images; ++image) {
          const T* x = in + (image * e.channels + c) * e.points;
          int64_t i = 0;
          for (; i + kLanes <= e.points; i += kLanes) {
            for (int64_t l = 0; l < kLanes; ++l) lanes[l] += term(double(x[i + l]));
          }
          for (; i < e.points; ++i) lanes[0] += term(double(x[i]));
        }
        double total = 0;
        for (double lane : lanes) total += lane;
        return total;
      };
      const double m = sum([](double x) { return x; }) / n;
      mean[c] = m;
      squares[c] = sum([m](double x) { return (x - m) * (x - m); });
    }
  });
}

template <class T>
void normalise(const Operands& o, std::span<Tensor> outputs) {
  using Acc = Compute_t<T>;
  const Tensor& out = outputs[0];
  if (o.input.numel().as_int() == 0) return;
  const MemoryFormat format = image_format(out);
  const Tensor in = dense_input(o.input, format);
  DenseOutput dense(out, format);
  const Extent e = extent_of(in, format);
  const T* x = reinterpret_cast<const T*>(in.raw_data());
  std::unique_ptr<Acc[]> scale, shift;
  // Weight and bias may share memory with the saved statistics, so they are read after the saved statistics are
  // written.
  const auto read_affine = [&] {
    scale = read_parameter<Acc>(o.weight, e.channels, Acc(1));
    shift = read_parameter<Acc>(o.bias, e.channels, Acc(0));
  };
  if (o.training) {
    auto mean = read_parameter<double>(Tensor(), e.channels, 0.0),
         squares = read_parameter<double>(Tensor(), e.channels, 0.0);
    channel_statistics(e, x, mean.get(), squares.get());
    const double n = double(e.images * e.points);
    for (int64_t c = 0; c < e.channels; ++c) {
      write_parameter(outputs[1], c, Acc(mean[c]));
      write_parameter(outputs[2], c, Acc(1 / std::sqrt(squares[c] / n + o.eps)));
      if (!o.running_mean) continue;
      // Reads the old value just before writing the new one. The channels of an expanded argument are one element in
      // memory, which is updated once for each channel.
      write_parameter(o.running_mean, c,
                      Acc(o.momentum * mean[c] + (1 - o.momentum) * parameter_at(o.running_mean, c)));
      write_parameter(o.running_var, c,
                      Acc(o.momentum * (squares[c] / (n - 1)) + (1 - o.momentum) * parameter_at(o.running_var, c)));
    }
    read_affine();
    for (int64_t c = 0; c < e.channels; ++c) {
      scale[c] = Acc(double(scale[c]) / std::sqrt(squares[c] / n + o.eps));
      shift[c] = Acc(double(shift[c]) - mean[c] * double(scale[c]));
    }
  } else {
    read_affine();
    auto mean = read_parameter<Acc>(o.running_mean, e.channels, Acc(0));
    auto var = read_parameter<Acc>(o.running_var, e.channels, Acc(1));
    for (int64_t c = 0; c < e.channels; ++c) {
      scale[c] *= Acc(1) / std::sqrt(var[c] + Acc(o.eps));
      shift[c] -= mean[c] * scale[c];
    }
  }
  transform<T, Acc>(e, x, reinterpret_cast<T*>(dense.tensor.raw_data()), scale.get(), shift.get());
  dense.finish();
}

struct HostBatchNorm {
  static void run(const Operands& o, std::span<Tensor> outputs) {
    dispatch_dtype<kFloats>(o.input.dtype(), [&]<class T>() { normalise<T>(o, outputs); });
  }
};

}  // namespace

void run_inference_cpu(KernelCall& call) { inference<HostBatchNorm>(call); }
void run_legit_cpu(KernelCall& call) { legit<HostBatchNorm>(call); }
void run_functional_cpu(KernelCall& call) { functional<HostBatchNorm>(call); }
void run_with_update_cpu(KernelCall& call) { with_update<HostBatchNorm>(call); }
void run_no_update_cpu(KernelCall& call) { inference<HostBatchNorm>(call); }
void run_no_stats_cpu(KernelCall& call) { no_stats<HostBatchNorm>(call); }

}  // namespace ersatz::op_batch_norm
