// Ops in graphs of inductor that ATen does not have: memory pools, seeds, offsets in pooling windows, tokens.
#include "kernels/creation/arange.h"
#include "kernels/creation/empty.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/as_strided.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/output_meta.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/view_dtype.h"
#include "kernels/synonyms/the_op.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_inductor_prims {
namespace {

/// Returns a tensor of any dtype on the memory of `self`.
/// [_alloc_from_pool.C1] `self` begins at the first byte of its storage.
/// [_alloc_from_pool.C2] size and stride have equal lengths, no number is negative, and all elements are within the
///                       storage. PyTorch does not check this.
constexpr Schema kAllocFromPool{
    "inductor::_alloc_from_pool(Tensor self, int offset_bytes, ScalarType dtype, int[] size, int[] stride) -> Tensor"};
/// [_reinterpret_tensor.C2] the constraint [_alloc_from_pool.C2].
constexpr Schema kReinterpret{
    "inductor::_reinterpret_tensor(Tensor self, int[] size, int[] stride, int offset_increment=0) -> Tensor"};
/// Writes a @ b + c @ d to `out`.
constexpr Schema kMmPlusMm{
    "inductor::_mm_plus_mm(Tensor a, Tensor b, Tensor c, Tensor d, Tensor(t!) out) -> Tensor(t!)"};
/// Returns the sum of both gradients. If only `new_grad` is given, returns a copy of it with the strides of `variable`.
constexpr Schema kAccumulateGrad{
    "inductor::accumulate_grad_(Tensor variable, Tensor? variable_grad, Tensor? new_grad) -> Tensor?"};
/// Changes the number of bytes of the storage of `variable`.
/// [resize_storage_bytes_.C1] new_size is not negative.
constexpr Schema kResizeStorage{"inductor::resize_storage_bytes_(Tensor variable, SymInt new_size) -> ()"};
/// Rounds each element up to a power of 2 and returns the byte that stores this power as an f8e8m0fnu.
/// [inductor_cvt_e8m0_rceil.C1] input is f16, bf16 or f32.
constexpr Schema kCeilExponent{"prims::inductor_cvt_e8m0_rceil(Tensor input) -> Tensor"};
constexpr Schema kForceStride{"prims::inductor_force_stride_order(Tensor input, SymInt[] stride) -> Tensor"};
constexpr Schema kLookupSeed{"prims::inductor_lookup_seed(Tensor seeds, int index) -> Tensor"};
constexpr Schema kSeed{"prims::inductor_seed(Device device) -> Tensor"};
constexpr Schema kSeeds{"prims::inductor_seeds(int count, Device device) -> Tensor"};
constexpr Schema kEagerOffset{"prims::inductor_rand_eager_offset(SymInt offset, Device device) -> Tensor"};
constexpr Schema kEagerOffsets{"prims::inductor_rand_eager_offsets(SymInt[] offsets, Device device) -> Tensor"};
constexpr Schema kRandint{"prims::inductor_randint(SymInt low, SymInt high, SymInt[] size, Tensor seed) -> Tensor"};
/// [inductor_random.C1] mode is "rand" or "randn".
constexpr Schema kRandom{
    "prims::inductor_random(SymInt[] size, Tensor seed, str mode, *, ScalarType? align_dtype=None) -> Tensor"};
/// Returns random numbers on CUDA, and the offset that the generator has after drawing them.
/// [philox_rand.C1] the device is CUDA.
/// [philox_rand.C2] stride is not given.
constexpr Schema kPhiloxRand{
    "rngprims::philox_rand(SymInt[] size, Tensor seed, Tensor offset, int[]? stride, Device? device=None, ScalarType? "
    "dtype=None) -> (Tensor, Tensor)"};
/// Returns the largest element of each window, and the offset of this element in its window.
constexpr Schema kMaxPool{
    "prims::_low_memory_max_pool_with_offsets(Tensor self, SymInt[] kernel_size, SymInt[] stride, SymInt[] padding, "
    "SymInt[] dilation, bool ceil_mode) -> (Tensor, Tensor)"};
/// Converts the offsets of _low_memory_max_pool_with_offsets to indices in the plane of input_size.
constexpr Schema kOffsetsToIndices{
    "prims::_low_memory_max_pool_offsets_to_indices(Tensor self, SymInt[] kernel_size, SymInt[] input_size, SymInt[] "
    "stride, SymInt[] padding, SymInt[] dilation) -> Tensor"};
/// Returns for each row the largest element, and the sum of exp(element - largest element).
constexpr Schema kOnlineSoftmax{"prims::prepare_softmax_online(Tensor a, int dim) -> (Tensor, Tensor)"};
constexpr Schema kMakeToken{"prims::_make_token() -> Tensor"};
constexpr Schema kSinkTokens{"prims::_sink_tokens(Tensor[] tokens) -> ()"};

using namespace arithmetic;

void answer_view(RuleCall& call, DType dtype, SymInt offset, std::span<const SymInt> sizes,
                 std::span<const SymInt> strides) {
  TensorImpl* self = call.tensor(kAllocFromPool["self"]);
  TensorMeta& out = start_view(call, self);
  out.dtype = dtype;
  out.sizes = DimVec(sizes);
  out.strides = DimVec(strides);
  out.offset = offset;
  bool fits = sizes.size() == strides.size() && check_ge(offset, 0);
  for (size_t d = 0; fits && d < sizes.size(); ++d) fits = check_ge(sizes[d], 0) && check_ge(strides[d], 0);
  call.require(fits && check_le(storage_bytes_needed(out), self->storage->nbytes()), "C2",
               "sizes {}, strides {} and offset {} must stay within the storage: {} bytes", sizes, strides, offset,
               self->storage->nbytes());
}
void alloc_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kAllocFromPool["self"]);
  call.require(check_eq(self.offset, 0), "C1", "the pool must start where its storage does: self is {}", self);
  const DType dtype = call[kAllocFromPool["dtype"]].as_dtype();
  answer_view(call, dtype, call.integer(kAllocFromPool["offset_bytes"]) / item_size(dtype),
              call.ints(kAllocFromPool["size"]), call.ints(kAllocFromPool["stride"]));
}
void reinterpret_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kReinterpret["self"]);
  answer_view(call, self.dtype, self.offset + call.sym(kReinterpret["offset_increment"]),
              call.ints(kReinterpret["size"]), call.ints(kReinterpret["stride"]));
}

void mm_plus_mm(CompositeCall& call) {
  const Value& out = call[kMmPlusMm["out"]];
  call_op_all<"aten.mm.out">(call[kMmPlusMm["a"]], call[kMmPlusMm["b"]], out);
  call.returns(call_op<"aten.addmm.out">(out, call[kMmPlusMm["c"]], call[kMmPlusMm["d"]], Scalar(1), Scalar(1), out));
}

void accumulate_grad(CompositeCall& call) {
  const Value &grad = call[kAccumulateGrad["variable_grad"]], &more = call[kAccumulateGrad["new_grad"]];
  if (!more.is_none() && !grad.is_none()) return call.returns(call_op<"aten.add.Tensor">(grad, more, Scalar(1)));
  if (!grad.is_none()) return call.returns(call_op<"aten.clone.default">(grad, Value()));
  if (more.is_none()) return call.returns(Value());
  const Tensor laid_out = ops::empty_like(call.tensor(kAccumulateGrad["variable"]), {.dtype = more.tensor().dtype()});
  call.returns(ops::copy_(laid_out, more.tensor()));
}

void resize_storage(CompositeCall& call) {
  const SymInt size = call.sym(kResizeStorage["new_size"]);
  call.require(check_ge(size, 0), "C1", "the size must not be negative: it is {}", size);
  call.tensor(kResizeStorage["variable"]).storage()->resize(size);
}

void ceil_exponent(CompositeCall& call) {
  const Tensor input = call.tensor(kCeilExponent["input"]);
  constexpr DTypeSet taken{DType::F16, DType::BF16, DType::F32};
  if (!taken.has(input.dtype()))
    call.refuse(ErrorFamily::Value, "C1", "expects f16, bf16 or f32: input is {}", input.meta());
  const Tensor bits = ops::view(ops::to(input, DType::F32), DType::I32);
  const Tensor exponent = call_op<"aten.bitwise_and.Scalar">(
      call_op<"aten.bitwise_right_shift.Tensor_Scalar">(bits, Scalar(23)), Scalar(255));
  const Tensor beyond = ops::ne(call_op<"aten.bitwise_and.Scalar">(bits, Scalar(0x7fffff)), Scalar(0));
  call.returns(ops::to(call_op<"aten.clamp.default">(exponent + beyond, Value(), Scalar(254)), DType::U8));
}

/// Returns a copy with the given strides. REQUIRES: the strides reach no element beyond the input's number of elements.
void force_stride(CompositeCall& call) {
  const Tensor input = call.tensor(kForceStride["input"]);
  const DimVec count{input.numel()};
  const Tensor laid_out =
      ops::as_strided(ops::new_empty(input, count), input.sizes(), call.ints(kForceStride["stride"]), SymInt(0));
  call.returns(ops::copy_(laid_out, input));
}

Tensor draw_integers(std::span<const SymInt> size, Device device) {
  return call_op<"aten.randint.low">(SymInt(0), SymInt(int64_t{1} << 60), size, DType::I64, Value(), device, Value());
}
void lookup_seed(CompositeCall& call) {
  call.returns(call_op<"aten.clone.default">(
      ops::select(call.tensor(kLookupSeed["seeds"]), 0, call.integer(kLookupSeed["index"])), Value()));
}
void seed(CompositeCall& call) { call.returns(draw_integers({}, call[kSeed["device"]].as_device())); }
void seeds(CompositeCall& call) {
  call.returns(draw_integers(DimVec{call.sym(kSeeds["count"])}, call[kSeeds["device"]].as_device()));
}
void eager_offset(CompositeCall& call) {
  call.returns(draw_integers(DimVec{2}, call[kEagerOffset["device"]].as_device()));
}
void eager_offsets(CompositeCall& call) {
  const int64_t n = static_cast<int64_t>(call.ints(kEagerOffsets["offsets"]).size());
  call.returns(draw_integers(DimVec{n, 2}, call[kEagerOffsets["device"]].as_device()));
}
void randint(CompositeCall& call) {
  call.returns(call_op<"aten.randint.low">(call[kRandint["low"]], call[kRandint["high"]], call[kRandint["size"]],
                                           DType::I64, Value(), call.meta(kRandint["seed"]).device, Value()));
}
void random(CompositeCall& call) {
  const std::string_view mode = call[kRandom["mode"]].as_string();
  call.require(mode == "rand" || mode == "randn", "C1", "mode must be rand or randn: it is {}", mode);
  const Device device = call.meta(kRandom["seed"]).device;
  const Value& size = call[kRandom["size"]];
  call.returns(mode == "rand" ? call_op<"aten.rand.default">(size, DType::F32, Value(), device, Value())
                              : call_op<"aten.randn.default">(size, DType::F32, Value(), device, Value()));
}
void philox_rand_rule(RuleCall& call) {
  const Value &device = call[kPhiloxRand["device"]], &dtype = call[kPhiloxRand["dtype"]];
  TensorMeta& out = call.out.fresh();
  out.device = device.is_none() ? call.device : device.as_device();
  out.dtype = dtype.is_none() ? call.context.default_dtype : dtype.as_dtype();
  call.require(out.device.is_cuda(), "C1", "draws on CUDA alone: the device is {}", to_string(out.device));
  call.require(!call.has(kPhiloxRand["stride"]), "C2", "takes no strides: got {}",
               to_string(call[kPhiloxRand["stride"]]));
  out.sizes = DimVec(call.ints(kPhiloxRand["size"]));
  out.strides = contiguous_strides(out.sizes);
  answer_like(call, call.meta(kPhiloxRand["offset"]));
}

/// Returns element d of `list`, for example of `kernel_size`. A list of one number has this number for all dims.
SymInt of_dim(std::span<const SymInt> list, size_t d) { return list.size() == 1 ? list[0] : list[d]; }

/// Returns the first input index of each window along pooled dim d of `dims`. The result broadcasts with the windows.
Tensor starts(SymInt windows, size_t d, size_t dims, SymInt stride, SymInt padding, Device device) {
  DimVec shape{windows};
  for (size_t k = d + 1; k < dims; ++k) shape.push_back(1);
  const Tensor first = ops::arange(SymInt(0), windows, SymInt(1), {.dtype = DType::I64, .device = device});
  return ops::reshape(call_op<"aten.sub.Scalar">(first * Scalar(stride), Scalar(padding), Scalar(1)), shape);
}

Tensor floor_divided(const Tensor& a, SymInt by) {
  return call_op<"aten.div.Scalar_mode">(a, Scalar(by), std::string_view("floor"));
}
Tensor remainder(const Tensor& a, SymInt by) { return call_op<"aten.remainder.Scalar">(a, Scalar(by)); }

void max_pool(CompositeCall& call) {
  const Tensor self = call.tensor(kMaxPool["self"]);
  const std::span<const SymInt> kernel = call.ints(kMaxPool["kernel_size"]), stride = call.ints(kMaxPool["stride"]),
                                padding = call.ints(kMaxPool["padding"]), dilation = call.ints(kMaxPool["dilation"]);
  const bool volume = kernel.size() == 3 || (kernel.size() == 1 && self.dim() == 5);
  const Value args[] = {call[kMaxPool["self"]].borrowed(),     call[kMaxPool["kernel_size"]].borrowed(),
                        call[kMaxPool["stride"]].borrowed(),   call[kMaxPool["padding"]].borrowed(),
                        call[kMaxPool["dilation"]].borrowed(), call[kMaxPool["ceil_mode"]].borrowed()};
  const Values pooled = dispatch(
      volume ? op_entry<"aten.max_pool3d_with_indices.default">() : op_entry<"aten.max_pool2d_with_indices.default">(),
      args);
  const size_t dims = volume ? 3 : 2;
  Tensor rest = pooled[1].tensor(), offsets;
  const auto size_of = [&](const Tensor& t, size_t d) {
    return t.size(static_cast<int64_t>(d) - static_cast<int64_t>(dims));
  };
  SymInt weight = 1;
  for (size_t d = dims; d-- > 0;) {
    const SymInt size = size_of(self, d), windows = size_of(rest, d);
    const Tensor at = d == 0 ? rest : remainder(rest, size);
    const Tensor first = starts(windows, d, dims, stride.empty() ? of_dim(kernel, d) : of_dim(stride, d),
                                of_dim(padding, d), self.device());
    const Tensor place = floor_divided(at - first, of_dim(dilation, d)) * Scalar(weight);
    offsets = offsets ? offsets + place : place;
    weight = weight * of_dim(kernel, d);
    if (d > 0) rest = floor_divided(rest, size);
  }
  call.returns(pooled[0]);
  call.returns(ops::to(offsets, DType::I8));
}

void offsets_to_indices(CompositeCall& call) {
  const std::span<const SymInt> kernel = call.ints(kOffsetsToIndices["kernel_size"]),
                                input = call.ints(kOffsetsToIndices["input_size"]),
                                stride = call.ints(kOffsetsToIndices["stride"]),
                                padding = call.ints(kOffsetsToIndices["padding"]),
                                dilation = call.ints(kOffsetsToIndices["dilation"]);
  Tensor rest = ops::to(call.tensor(kOffsetsToIndices["self"]), DType::I64), indices;
  const size_t dims = input.size();
  SymInt weight = 1;
  for (size_t d = dims; d-- > 0;) {
    const SymInt size = of_dim(kernel, d), windows = rest.size(static_cast<int64_t>(d) - static_cast<int64_t>(dims));
    const Tensor at = d == 0 ? rest : remainder(rest, size);
    const Tensor first = starts(windows, d, dims, of_dim(stride, d), of_dim(padding, d), rest.device());
    const Tensor place = (at * Scalar(of_dim(dilation, d)) + first) * Scalar(weight);
    indices = indices ? indices + place : place;
    weight = weight * input[d];
    if (d > 0) rest = floor_divided(rest, size);
  }
  call.returns(indices);
}

void online_softmax(CompositeCall& call) {
  const Tensor a = call.tensor(kOnlineSoftmax["a"]);
  const DimVec dims{call.sym(kOnlineSoftmax["dim"])};
  const Tensor largest = call_op<"aten.amax.default">(a, dims, true);
  call.returns(largest);
  call.returns(call_op<"aten.sum.dim_IntList">(ops::exp(a - largest), dims, true, Value()));
}

void make_token(CompositeCall& call) { call.returns(ops::empty(DimVec{0}, {.dtype = DType::F32, .device = kCPU})); }
void sink_tokens(CompositeCall&) {}

}  // namespace

void register_ops(Registry& r) {
  r.add(kAllocFromPool)
      .tag(Tag::View)
      .with_rule(alloc_rule)
      .sample("u8[64], 8, f16, [2, 3], [3, 1]")
      .refuses("C1", "u8[4]+2, 0, u8, [1], [1]")
      .refuses("C2", "u8[4], 0, f32, [2], [1]");
  r.add(kReinterpret)
      .tag(Tag::View)
      .with_rule(reinterpret_rule)
      .sample("f32[4,6], [2, 3], [6, 1], 2")
      .refuses("C2", "f32[4], [4], [1], 1");
  r.add(kMmPlusMm).made_of(mm_plus_mm).sample("f32[2,3], f32[3,4], f32[2,5], f32[5,4], f32[2,4]");
  r.add(kAccumulateGrad)
      .made_of(accumulate_grad)
      .sample("f32[2,3], f32[2,3], f32[2,3]{1,2}")
      .sample("f32[2,3]{1,2}, None, f32[2,3]")
      .sample("f32[2,3], f32[2,3], None");
  r.add(kResizeStorage).made_of(resize_storage).sample("f32[2,3], 64").refuses("C1", "f32[2,3], -1");
  r.add(kCeilExponent).made_of(ceil_exponent).sample("f32[2,3]{1,2}", -9, 9).refuses("C1", "f64[2]");
  r.add(kForceStride).made_of(force_stride).sample("f32[2,3], [1, 2]");
  r.add(kLookupSeed).made_of(lookup_seed).sample("i64[3], 1");
  const Tags drawn = Tag::Factory | Tag::Random;
  r.add(kSeed).tag(drawn).made_of(seed).sample("cpu");
  r.add(kSeeds).tag(drawn).made_of(seeds).sample("3, cpu");
  r.add(kEagerOffset).tag(drawn).made_of(eager_offset).sample("4, cpu");
  r.add(kEagerOffsets).tag(drawn).made_of(eager_offsets).sample("[4, 8], cpu");
  r.add(kRandint).tag(Tag::Random).made_of(randint).sample("0, 5, [2, 3], i64[]");
  r.add(kRandom)
      .tag(Tag::Random)
      .made_of(random)
      .sample("[2, 3], i64[], \"randn\"")
      .refuses("C1", "[2], i64[], \"poisson\"");
  r.add(kPhiloxRand)
      .tag(Tag::Random)
      .with_rule(philox_rand_rule)
      .devices({DeviceRule::Any, DeviceRule::Any, DeviceRule::Any, DeviceRule::Any, DeviceRule::Any, DeviceRule::Any})
      .refuses("C1", "[2], i64[], i64[], None, cpu, f32")
      .refuses("C2", "[2], i64[], i64[], [1], cuda:0, f32");
  r.add(kMaxPool)
      .made_of(max_pool)
      .sample("f32[1,2,6,7], [3, 2], [2, 1], [1, 0], [1, 1], False")
      .sample("f32[1,2,4,4,4], [2, 2, 2], [2, 2, 2], [0, 0, 0], [1, 1, 1], False");
  r.add(kOffsetsToIndices)
      .made_of(offsets_to_indices)
      .sample("i8[1,2,3,4], [3, 3], [6, 7], [2, 2], [1, 1], [1, 1]", 0, 8);
  r.add(kOnlineSoftmax).made_of(online_softmax).sample("f32[3,5]{1,3}, 1");
  r.add(kMakeToken).tag(Tag::Factory).made_of(make_token).sample("");
  r.add(kSinkTokens).made_of(sink_tokens).sample("[f32[0]]");
}

}  // namespace ersatz::op_inductor_prims
