#include "kernels/conv/onednn_convolution.h"

#include <cstring>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "runtime/base/parallel.h"

namespace ersatz::onednn {
namespace {

struct KeyHash {
  size_t operator()(const ConvolutionKey& k) const {
    uint64_t h = 1469598103934665603u;
    for (int64_t v : k) h = (h ^ uint64_t(v)) * 1099511628211u;
    return h ^ (h >> 29);
  }
};

/// Returns the descriptor of a tensor with the sizes [lead..., spatial...]. Only the call's own `spatial` dims are
/// used.
dnnl_memory_desc_t strided(const Library& l, std::initializer_list<int64_t> lead, std::initializer_list<int64_t> steps,
                           const int64_t* sizes, const int64_t* strides, int spatial) {
  dnnl_dims_t dims, by;
  int n = 0;
  for (int64_t v : lead) dims[n++] = v;
  n = 0;
  for (int64_t v : steps) by[n++] = v;
  for (int d = 3 - spatial; d < 3; ++d, ++n) {
    dims[n] = sizes[d];
    by[n] = strides[d];
  }
  dnnl_memory_desc_t md{};
  l.memory_desc_init_by_strides(&md, n, dims, dnnl_f32, by);
  return md;
}

bool any_layout(const Library& l, const dnnl_memory_desc_t& like, dnnl_memory_desc_t& to) {
  return l.memory_desc_init_by_tag(&to, like.ndims, like.dims, dnnl_f32, dnnl_format_tag_any) == dnnl_success;
}

/// Scratch memory of one call. `take` returns parts of it that are aligned to cache lines. Unless the memory is large,
/// the thread keeps it for its next call. Otherwise the allocation would take a quarter of the time of a gradient for
/// [1,64,56,56].
class Room {
 public:
  explicit Room(std::initializer_list<size_t> pieces) : lines_(std::exchange(t_kept, {})) {
    size_t lines = 0;
    for (const size_t bytes : pieces) lines += lines_of(bytes);
    if (lines_.count < lines) lines_ = {std::make_unique_for_overwrite<Line[]>(lines), lines};
  }
  ~Room() {
    if (lines_.count <= kMostKept / sizeof(Line)) t_kept = std::move(lines_);
  }
  Room(const Room&) = delete;
  /// Returns the next part of the memory, or null if `bytes` is 0.
  void* take(size_t bytes) {
    Line* const piece = bytes ? lines_.memory.get() + taken_ : nullptr;
    taken_ += lines_of(bytes);
    return piece;
  }

 private:
  static constexpr size_t kMostKept = size_t{32} << 20;
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  struct Lines {
    std::unique_ptr<Line[]> memory;
    size_t count = 0;
  };
  static size_t lines_of(size_t bytes) { return (bytes + sizeof(Line) - 1) / sizeof(Line); }
  static thread_local Lines t_kept;

  Lines lines_;
  size_t taken_ = 0;
};
thread_local Room::Lines Room::t_kept;

class Memory {
 public:
  Memory(const Library& l, const dnnl_memory_desc_t& md, void* data) : l_(l) {
    if (l.memory_create(&memory_, &md, l.engine, data) != dnnl_success) memory_ = nullptr;
  }
  ~Memory() {
    if (memory_) l_.memory_destroy(memory_);
  }
  Memory(const Memory&) = delete;
  dnnl_memory_t get() const { return memory_; }

 private:
  const Library& l_;
  dnnl_memory_t memory_ = nullptr;
};

}  // namespace

ConvolutionKey key_of(const ConvProblem& p, int threads) {
  ConvolutionKey k{};
  size_t n = 0;
  for (int64_t v : {int64_t(threads), int64_t(p.transposed), int64_t(p.weight_gradient), int64_t(p.spatial),
                    int64_t(p.bias != nullptr), p.images, p.groups, p.in_channels, p.out_channels}) {
    k[n++] = v;
  }
  for (const auto* triple : {&p.in, &p.out, &p.kernel, &p.stride, &p.padding, &p.dilation}) {
    for (int64_t v : *triple) k[n++] = v;
  }
  for (const auto* strides : {&p.input_strides, &p.weight_strides, &p.output_strides}) {
    for (int64_t v : *strides) k[n++] = v;
  }
  return k;
}

bool PreparedConvolution::describe(const ConvProblem& p) {
  const int64_t g = p.groups, oc = p.out_channels / g, ic = p.in_channels / g;
  const int64_t* w = p.weight_strides;
  input_.outside = strided(l_, {p.images, p.in_channels}, {p.input_strides[0], p.input_strides[1]}, p.in,
                           p.input_strides + 2, p.spatial);
  output_.outside = strided(l_, {p.images, p.out_channels}, {p.output_strides[0], p.output_strides[1]}, p.out,
                            p.output_strides + 2, p.spatial);
  // oneDNN takes weights as (groups, out, in, kernel...). The weights of a transposed convolution are (in, out/groups,
  // kernel...), so their strides are exchanged.
  const int64_t out_step = p.transposed ? w[1] : w[0], in_step = p.transposed ? w[0] : w[1];
  const int64_t group_step = w[0] * (p.transposed ? ic : oc);
  weight_.outside = g == 1 ? strided(l_, {oc, ic}, {out_step, in_step}, p.kernel, w + 2, p.spatial)
                           : strided(l_, {g, oc, ic}, {group_step, out_step, in_step}, p.kernel, w + 2, p.spatial);
  const bool channels_last = p.output_strides[1] == 1 && p.out_channels > 1 && p.input_strides[1] == 1;
  if (channels_last) {
    // oneDNN's kernels read and write channels-last memory directly, so no reorder is needed.
    input_.inside = input_.outside;
    output_.inside = output_.outside;
  } else if (!any_layout(l_, input_.outside, input_.inside) || !any_layout(l_, output_.outside, output_.inside)) {
    return false;
  }
  const dnnl_dims_t bias = {p.out_channels};
  if (p.bias && l_.memory_desc_init_by_tag(&bias_, 1, bias, dnnl_f32, dnnl_a) != dnnl_success) return false;
  return any_layout(l_, weight_.outside, weight_.inside);
}

bool PreparedConvolution::make_reorder(Operand& o, bool into) {
  if (l_.memory_desc_equal(&o.outside, &o.inside)) return true;
  dnnl_primitive_desc_t desc = nullptr;
  const dnnl_memory_desc_t &from = into ? o.outside : o.inside, &to = into ? o.inside : o.outside;
  if (l_.reorder_primitive_desc_create(&desc, &from, l_.engine, &to, l_.engine, nullptr) != dnnl_success) return false;
  const bool made = l_.primitive_create(&o.reorder, desc) == dnnl_success;
  l_.primitive_desc_destroy(desc);
  return made;
}

bool PreparedConvolution::create(const ConvProblem& p) {
  dnnl_dims_t stride, dilation, before, after;
  for (int d = 0; d < p.spatial; ++d) {
    const int from = d + 3 - p.spatial;
    stride[d] = p.stride[from];
    dilation[d] = p.dilation[from] - 1;
    before[d] = p.padding[from];
    // oneDNN computes the output size from the padding at both ends. The padding at the end of an ordinary convolution
    // may be larger than its last window needs.
    const int64_t reach = p.dilation[from] * (p.kernel[from] - 1) + 1;
    after[d] =
        p.transposed ? (p.in[from] - 1) * p.stride[from] + reach - p.padding[from] - p.out[from] : p.padding[from];
  }
  dnnl_convolution_desc_t desc{}, gradient{};
  const auto init = p.transposed ? l_.deconvolution_desc_init : l_.convolution_desc_init;
  if (init(&desc, p.weight_gradient ? dnnl_forward_training : dnnl_forward_inference,
           p.transposed ? dnnl_deconvolution_direct : dnnl_convolution_direct, &input_.inside, &weight_.inside,
           p.bias ? &bias_ : nullptr, &output_.inside, stride, dilation, before, after) != dnnl_success) {
    return false;
  }
  if (p.weight_gradient &&
      l_.weight_gradient_desc_init(&gradient, dnnl_convolution_direct, &input_.inside, &weight_.inside, nullptr,
                                   &output_.inside, stride, dilation, before, after) != dnnl_success) {
    return false;
  }
  dnnl_primitive_attr_t attr = nullptr;
  if (l_.attr_create(&attr) != dnnl_success) return false;
  l_.attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user);  // because oneDNN's own scratchpad is not thread-safe
  dnnl_primitive_desc_t primitive_desc = nullptr;
  bool made = l_.primitive_desc_create(&primitive_desc, &desc, attr, l_.engine, nullptr) == dnnl_success;
  if (made && p.weight_gradient) {
    dnnl_primitive_desc_t forward = primitive_desc;
    made = l_.primitive_desc_create(&primitive_desc, &gradient, attr, l_.engine, forward) == dnnl_success;
    l_.primitive_desc_destroy(forward);
  }
  l_.attr_destroy(attr);
  if (!made) return false;
  const auto layout = [&](dnnl_query_t what) { return *l_.primitive_desc_query_md(primitive_desc, what, 0); };
  input_.inside = layout(dnnl_query_src_md);
  weight_.inside = layout(p.weight_gradient ? dnnl_query_diff_weights_md : dnnl_query_weights_md);
  output_.inside = layout(p.weight_gradient ? dnnl_query_diff_dst_md : dnnl_query_dst_md);
  scratchpad_ = layout(dnnl_query_scratchpad_md);
  made = l_.primitive_create(&primitive_, primitive_desc) == dnnl_success;
  l_.primitive_desc_destroy(primitive_desc);
  return made && make_reorder(input_, true) && make_reorder(weight_, !p.weight_gradient) &&
         make_reorder(output_, p.weight_gradient);
}

std::shared_ptr<const PreparedConvolution> PreparedConvolution::prepare(const Library& l, const ConvProblem& p) {
  std::shared_ptr<PreparedConvolution> c(new PreparedConvolution(l));
  if (!c->describe(p) || !c->create(p)) return nullptr;
  return c;
}

PreparedConvolution::~PreparedConvolution() {
  for (dnnl_primitive_t made : {primitive_, input_.reorder, weight_.reorder, output_.reorder}) {
    if (made) l_.primitive_destroy(made);
  }
}

bool PreparedConvolution::run(const ConvProblem& p) const {
  dnnl_stream_t stream = nullptr;
  if (l_.stream_create(&stream, l_.engine, dnnl_stream_default_flags) != dnnl_success) return false;
  auto size = [&](const Operand& o) { return o.reorder ? l_.memory_desc_get_size(&o.inside) : 0; };
  const size_t of_input = size(input_), of_weight = size(weight_), of_output = size(output_),
               of_bias = p.bias && p.bias_stride != 1 ? size_t(p.out_channels) * sizeof(float) : 0,
               of_scratch = l_.memory_desc_get_size(&scratchpad_);
  Room room{of_input, of_weight, of_output, of_bias, of_scratch};
  void *const input_room = room.take(of_input), *const weight_room = room.take(of_weight),
              *const output_room = room.take(of_output), *const bias_room = room.take(of_bias),
              *const scratch = room.take(of_scratch);
  auto data = [](const std::byte* d) { return const_cast<std::byte*>(d); };
  void* bias = data(p.bias);
  if (bias_room) {
    for (int64_t c = 0; c < p.out_channels; ++c) {
      static_cast<float*>(bias_room)[c] = reinterpret_cast<const float*>(p.bias)[c * p.bias_stride];
    }
    bias = bias_room;
  }
  bool ok = true;
  auto reorder = [&](const Operand& o, dnnl_memory_t from, dnnl_memory_t to) {
    const dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    ok = ok && l_.primitive_execute(o.reorder, stream, 2, args) == dnnl_success;
  };
  {
    const Memory input(l_, input_.inside, input_.reorder ? input_room : data(p.input));
    const Memory weight(l_, weight_.inside, weight_.reorder ? weight_room : data(p.weight));
    const Memory output(l_, output_.inside, output_.reorder ? output_room : p.output);
    const Memory scratchpad(l_, scratchpad_, scratch);
    const auto enter = [&](const Operand& o, const std::byte* from, const Memory& to) {
      if (o.reorder) reorder(o, Memory(l_, o.outside, data(from)).get(), to.get());
    };
    const auto leave = [&](const Operand& o, const Memory& from, const std::byte* to) {
      if (o.reorder) reorder(o, from.get(), Memory(l_, o.outside, data(to)).get());
    };
    const bool gradient = p.weight_gradient;
    enter(input_, p.input, input);
    gradient ? enter(output_, p.output, output) : enter(weight_, p.weight, weight);
    const Memory bias_memory(l_, p.bias ? bias_ : scratchpad_, p.bias ? bias : nullptr);
    const dnnl_exec_arg_t args[] = {{DNNL_ARG_SRC, input.get()},
                                    {gradient ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS, weight.get()},
                                    {gradient ? DNNL_ARG_DIFF_DST : DNNL_ARG_DST, output.get()},
                                    {DNNL_ARG_SCRATCHPAD, scratchpad.get()},
                                    {DNNL_ARG_BIAS, bias_memory.get()}};
    ok = ok && l_.primitive_execute(primitive_, stream, p.bias ? 5 : 4, args) == dnnl_success;
    gradient ? leave(weight_, weight, p.weight) : leave(output_, output, p.output);
    ok = ok && l_.stream_wait(stream) == dnnl_success;
  }
  l_.stream_destroy(stream);
  return ok;
}

}  // namespace ersatz::onednn

namespace ersatz {

bool convolve_with_onednn(const ConvProblem& p) {
  using namespace onednn;
  const Library* l = library();
  if (!l) return false;
  // omp_set_num_threads limits the number of OpenMP threads to the size of ersatz's thread pool, for the calling thread
  // only.
  const int threads = pool_threads();
  l->omp_set_num_threads(threads);
  static std::mutex mutex;
  static auto& cache = *new std::unordered_map<ConvolutionKey, std::shared_ptr<const PreparedConvolution>, KeyHash>();
  constexpr size_t kCacheLimit = 1024;
  const ConvolutionKey key = key_of(p, threads);
  std::shared_ptr<const PreparedConvolution> prepared;
  {
    std::lock_guard lock(mutex);
    auto found = cache.find(key);
    if (found != cache.end()) {
      prepared = found->second;
    } else {
      if (cache.size() >= kCacheLimit) cache.clear();
      prepared = cache[key] = PreparedConvolution::prepare(*l, p);
    }
  }
  return prepared && prepared->run(p);
}

}  // namespace ersatz
