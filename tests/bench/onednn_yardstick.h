// Calls oneDNN directly: a convolution in the library's preferred layouts, without reorders in the loop. Our
// convolution is compared with it.
#pragma once

#include <array>
#include <vector>

#include "kernels/conv/onednn.h"
#include "runtime/base/parallel.h"

namespace ersatz::bench {

class OnednnConvolution {
 public:
  /// `input` is NCHW and `weight` OIHW; the stride is 1. `ready()` is false if there is no oneDNN.
  OnednnConvolution(std::array<int64_t, 4> input, std::array<int64_t, 4> weight, int64_t padding)
      : l_(onednn::library()) {
    if (!l_) return;
    const std::array<int64_t, 4> output{input[0], weight[0], input[2] + 2 * padding - weight[2] + 1,
                                        input[3] + 2 * padding - weight[3] + 1};
    l_->omp_set_num_threads(pool_threads());  // a primitive uses the threads that exist when it is made
    const int64_t ones[] = {1, 1}, zeros[] = {0, 0}, pads[] = {padding, padding};
    dnnl_memory_desc_t x, w, y;
    if (l_->memory_desc_init_by_tag(&x, 4, input.data(), dnnl_f32, dnnl_format_tag_any) ||
        l_->memory_desc_init_by_tag(&w, 4, weight.data(), dnnl_f32, dnnl_format_tag_any) ||
        l_->memory_desc_init_by_tag(&y, 4, output.data(), dnnl_f32, dnnl_format_tag_any)) {
      return;
    }
    dnnl_convolution_desc_t desc;
    if (l_->convolution_desc_init(&desc, dnnl_forward_inference, dnnl_convolution_direct, &x, &w, nullptr, &y, ones,
                                  zeros, pads, pads)) {
      return;
    }
    dnnl_primitive_desc_t pd;
    if (l_->primitive_desc_create(&pd, &desc, nullptr, l_->engine, nullptr)) return;
    const dnnl_query_t queries[] = {dnnl_query_src_md, dnnl_query_weights_md, dnnl_query_dst_md};
    const int arguments[] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
    for (int i = 0; i < 3; ++i) {
      const dnnl_memory_desc_t* md = l_->primitive_desc_query_md(pd, queries[i], 0);
      buffers_[i].assign(l_->memory_desc_get_size(md) / sizeof(float), 0.5f);
      dnnl_memory_t memory;
      if (l_->memory_create(&memory, md, l_->engine, buffers_[i].data())) return;
      args_[i] = {arguments[i], memory};
    }
    if (l_->primitive_create(&primitive_, pd) || l_->stream_create(&stream_, l_->engine, dnnl_stream_default_flags)) {
      primitive_ = nullptr;
    }
    l_->primitive_desc_destroy(pd);
  }
  ~OnednnConvolution() {
    if (!l_) return;
    for (const dnnl_exec_arg_t& a : args_) {
      if (a.memory) l_->memory_destroy(a.memory);
    }
    if (primitive_) l_->primitive_destroy(primitive_);
    if (stream_) l_->stream_destroy(stream_);
  }
  OnednnConvolution(const OnednnConvolution&) = delete;
  OnednnConvolution& operator=(const OnednnConvolution&) = delete;

  bool ready() const { return primitive_ != nullptr; }
  void run() {
    l_->primitive_execute(primitive_, stream_, 3, args_);
    l_->stream_wait(stream_);
  }

 private:
  const onednn::Library* l_;
  std::vector<float> buffers_[3];
  dnnl_exec_arg_t args_[3] = {};
  dnnl_primitive_t primitive_ = nullptr;
  dnnl_stream_t stream_ = nullptr;
};

}  // namespace ersatz::bench
