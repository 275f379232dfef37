#include "kernels/conv/onednn.h"

#include <dlfcn.h>

#include <optional>

#include "kernels/missing_library.h"

namespace ersatz::onednn {
namespace {

template <class F>
bool bind(void* handle, const char* name, F& to) {
  to = reinterpret_cast<F>(dlsym(handle, name));
  return to != nullptr;
}

std::optional<Library> load() {
  void* handle = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    say_missing_library("libdnnl.so.2", "libdnnl2", "convolutions are made by loops of ersatz's own, slower");
    return std::nullopt;
  }
  Library l{};
  const bool complete =
      bind(handle, "dnnl_engine_create", l.engine_create) && bind(handle, "dnnl_stream_create", l.stream_create) &&
      bind(handle, "dnnl_stream_destroy", l.stream_destroy) && bind(handle, "dnnl_stream_wait", l.stream_wait) &&
      bind(handle, "dnnl_memory_desc_init_by_strides", l.memory_desc_init_by_strides) &&
      bind(handle, "dnnl_memory_desc_init_by_tag", l.memory_desc_init_by_tag) &&
      bind(handle, "dnnl_memory_desc_equal", l.memory_desc_equal) &&
      bind(handle, "dnnl_memory_desc_get_size", l.memory_desc_get_size) &&
      bind(handle, "dnnl_memory_create", l.memory_create) && bind(handle, "dnnl_memory_destroy", l.memory_destroy) &&
      bind(handle, "dnnl_dilated_convolution_forward_desc_init", l.convolution_desc_init) &&
      bind(handle, "dnnl_dilated_convolution_backward_weights_desc_init", l.weight_gradient_desc_init) &&
      bind(handle, "dnnl_dilated_deconvolution_forward_desc_init", l.deconvolution_desc_init) &&
      bind(handle, "dnnl_primitive_attr_create", l.attr_create) &&
      bind(handle, "dnnl_primitive_attr_destroy", l.attr_destroy) &&
      bind(handle, "dnnl_primitive_attr_set_scratchpad_mode", l.attr_set_scratchpad_mode) &&
      bind(handle, "dnnl_primitive_desc_create", l.primitive_desc_create) &&
      bind(handle, "dnnl_primitive_desc_destroy", l.primitive_desc_destroy) &&
      bind(handle, "dnnl_primitive_desc_query_md", l.primitive_desc_query_md) &&
      bind(handle, "dnnl_reorder_primitive_desc_create", l.reorder_primitive_desc_create) &&
      bind(handle, "dnnl_primitive_create", l.primitive_create) &&
      bind(handle, "dnnl_primitive_destroy", l.primitive_destroy) &&
      bind(handle, "dnnl_primitive_execute", l.primitive_execute) &&
      bind(handle, "omp_set_num_threads",
           l.omp_set_num_threads);  // omp_set_num_threads is in the OpenMP runtime that oneDNN is linked to
  if (!complete || l.engine_create(&l.engine, dnnl_cpu, 0) != dnnl_success) return std::nullopt;
  return l;
}

}  // namespace

const Library* library() {
  static const std::optional<Library> loaded = load();
  return loaded ? &*loaded : nullptr;
}

}  // namespace ersatz::onednn
