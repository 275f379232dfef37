// oneDNN's C interface, which is loaded at first use. Only the functions that convolutions need are loaded.
//
// oneDNN starts OpenMP threads of its own. Callers outside of thread-pool tasks set the number of OpenMP threads to the
// size of ersatz's thread pool. Only sources of this folder include this header, because it needs oneDNN's headers.
#pragma once

#include <oneapi/dnnl/dnnl.h>

namespace ersatz::onednn {

struct Library {
  decltype(&dnnl_engine_create) engine_create;
  decltype(&dnnl_stream_create) stream_create;
  decltype(&dnnl_stream_destroy) stream_destroy;
  decltype(&dnnl_stream_wait) stream_wait;
  decltype(&dnnl_memory_desc_init_by_strides) memory_desc_init_by_strides;
  decltype(&dnnl_memory_desc_init_by_tag) memory_desc_init_by_tag;
  decltype(&dnnl_memory_desc_equal) memory_desc_equal;
  decltype(&dnnl_memory_desc_get_size) memory_desc_get_size;
  decltype(&dnnl_memory_create) memory_create;
  decltype(&dnnl_memory_destroy) memory_destroy;
  decltype(&dnnl_dilated_convolution_forward_desc_init) convolution_desc_init;
  decltype(&dnnl_dilated_convolution_backward_weights_desc_init) weight_gradient_desc_init;
  decltype(&dnnl_dilated_deconvolution_forward_desc_init) deconvolution_desc_init;
  decltype(&dnnl_primitive_attr_create) attr_create;
  decltype(&dnnl_primitive_attr_destroy) attr_destroy;
  decltype(&dnnl_primitive_attr_set_scratchpad_mode) attr_set_scratchpad_mode;
  decltype(&dnnl_primitive_desc_create) primitive_desc_create;
  decltype(&dnnl_primitive_desc_destroy) primitive_desc_destroy;
  decltype(&dnnl_primitive_desc_query_md) primitive_desc_query_md;
  decltype(&dnnl_reorder_primitive_desc_create) reorder_primitive_desc_create;
  decltype(&dnnl_primitive_create) primitive_create;
  decltype(&dnnl_primitive_destroy) primitive_destroy;
  decltype(&dnnl_primitive_execute) primitive_execute;
  void (*omp_set_num_threads)(int);
  dnnl_engine_t engine;
};

/// Returns the library, or null if it cannot be loaded. The failure is logged once.
const Library* library();

}  // namespace ersatz::onednn
