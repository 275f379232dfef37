#include "kernels/shape/packed_sequence.h"

#include <algorithm>
#include <vector>

#include "kernels/dense_operand.h"
#include "kernels/indexing/found_output.h"
#include "kernels/no_flops.h"
#include "kernels/shape/broadcast.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/scalar_fit.h"
#include "kernels/shape/slice.h"
#include "runtime/op/copy.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_packed_sequence {
namespace {

constexpr Schemas kPack{kPackPaddedSequence};
constexpr Schemas kPackBack{kPackPaddedSequenceBackward};
constexpr Schemas kPad{kPadPackedSequence};

void require_counts(const RuleCall& call, const TensorMeta& counts, std::string_view name) {
  call.require(counts.dim() == 1 && counts.dtype == DType::I64 && counts.device.is_cpu(), "C2",
               "{} must be a vector of i64 on the CPU: they are {}", name, counts);
}

/// Returns `first` followed by the elements of `sizes` from index `dim` on.
DimVec joined(std::initializer_list<SymInt> first, const DimVec& sizes, size_t dim) {
  DimVec all(first);
  for (; dim < sizes.size(); ++dim) all.push_back(sizes[dim]);
  return all;
}

void pack_rule(RuleCall& call) {
  const TensorMeta& input = call.meta(kPack["input"]);
  const TensorMeta& lengths = call.meta(kPack["lengths"]);
  if (call.boolean(kPack["batch_first"])) call.wrap_dim(1, input.dim());
  call.require(check_ne(input.numel(), 0), "C1", "nothing can be packed of {}", input);
  require_counts(call, lengths, "lengths");
  call.wrap_dim(1, input.dim());
  const size_t batch = call.boolean(kPack["batch_first"]) ? 0 : 1;
  const SymInt sequences = input.sizes[batch], steps = input.sizes[1 - batch];
  call.require(check_eq(lengths.sizes[0], sequences), "C3", "expects a length for each of {} sequences: lengths are {}",
               sequences, lengths);
  const std::optional<SymInt> rows = call.size_of_data({.min = 1, .max = steps * sequences});
  const std::optional<SymInt> longest = call.size_of_data({.min = 1});
  if (!rows || !longest) return;
  call.out.fresh(TensorMeta(input.dtype, joined({*rows}, input.sizes, 2), call.device));
  call.out.fresh(TensorMeta(DType::I64, std::span(&*longest, 1)));
}

/// Returns the metadata of the padded tensor [steps, sequences, ...] for packed `data`.
TensorMeta padded_meta(const TensorMeta& data, SymInt steps, SymInt sequences) {
  return TensorMeta(data.dtype, joined({steps, sequences}, data.sizes, 1), data.device);
}

TensorMeta batch_first_meta(TensorMeta padded) {
  std::swap(padded.sizes[0], padded.sizes[1]);
  std::swap(padded.strides[0], padded.strides[1]);
  return padded;
}

void pad_rule(RuleCall& call) {
  const TensorMeta& data = call.meta(kPad["data"]);
  const TensorMeta& batch_sizes = call.meta(kPad["batch_sizes"]);
  require_counts(call, batch_sizes, "batch sizes");
  call.require(check_ne(batch_sizes.sizes[0], 0), "C2", "there are no batch sizes");
  call.require(data.dim() > 0, "C1", "data without dims have no rows: they are {}", data);
  SymInt steps = batch_sizes.sizes[0];
  if (const int64_t total = call.integer(kPad["total_length"]); total > 0) {
    call.require(check_le(steps, total), "C3", "total_length must be {} at least, the longest sequence: got {}", steps,
                 total);
    steps = total;
  }
  require_fits(call, call.scalar(kPad["padding_value"]), data.dtype, "C4");
  const std::optional<SymInt> sequences = call.size_of_data({.max = data.sizes[0]});
  if (!sequences) return;
  TensorMeta padded = padded_meta(data, steps, *sequences);
  call.out.fresh(call.boolean(kPad["batch_first"]) ? batch_first_meta(std::move(padded)) : std::move(padded));
  call.out.fresh(TensorMeta(DType::I64, std::span(&*sequences, 1)));
}

std::vector<int64_t> numbers_of(const Tensor& counts) {
  const Tensor dense = dense_input(counts);
  const int64_t n = dense.numel().as_int();
  return n == 0 ? std::vector<int64_t>() : std::vector<int64_t>(dense.data<int64_t>(), dense.data<int64_t>() + n);
}

Tensor vector_of(const std::vector<int64_t>& numbers) {
  const SymInt sizes[] = {static_cast<int64_t>(numbers.size())};
  const Tensor t = make_real_tensor(TensorMeta(DType::I64, sizes));
  if (!numbers.empty()) std::copy(numbers.begin(), numbers.end(), t.data<int64_t>());
  return t;
}

/// Converts the lengths of sequences to batch sizes: how many sequences have step i. Also converts batch sizes to
/// lengths.
std::vector<int64_t> transposed(const std::vector<int64_t>& descending, int64_t longest) {
  std::vector<int64_t> counts(static_cast<size_t>(longest));
  size_t n = descending.size();
  for (int64_t i = 0; i < longest; ++i) {
    while (n > 0 && descending[n - 1] <= i) --n;
    counts[static_cast<size_t>(i)] = static_cast<int64_t>(n);
  }
  return counts;
}

/// Calls `copy(rows, block)` for each run of steps with an equal number of sequences. `rows` is the metadata of a view
/// of the packed data. `block` is the metadata of a view of the padded tensor with the same elements. Both have sizes
/// [steps, sequences, ...].
template <class F>
void for_each_run(const std::vector<int64_t>& batch_sizes, int64_t steps, const TensorMeta& packed,
                  const TensorMeta& padded, F copy) {
  int64_t row = 0;
  for (int64_t begin = 0, end = 0; begin < steps && batch_sizes[static_cast<size_t>(begin)] > 0; begin = end) {
    const int64_t n = batch_sizes[static_cast<size_t>(begin)];
    while (end < steps && batch_sizes[static_cast<size_t>(end)] == n) ++end;
    TensorMeta block = padded, rows = padded;
    block.sizes[0] = rows.sizes[0] = end - begin;
    block.sizes[1] = rows.sizes[1] = n;
    block.offset += padded.strides[0] * begin;
    for (size_t d = 1; d < packed.sizes.size(); ++d) rows.strides[d + 1] = packed.strides[d];
    rows.strides[0] = packed.strides[0] * n;
    rows.strides[1] = packed.strides[0];
    rows.offset = packed.offset + packed.strides[0] * row;
    rows.conj = packed.conj;
    rows.neg = packed.neg;
    copy(std::move(rows), std::move(block));
    row += (end - begin) * n;
  }
}

// Runs on every device, because the lengths are on the host and copy_elements supports every device.
void pack(KernelCall& call, Values& results) {
  const Tensor input = call.tensor(kPack["input"]);
  const std::vector<int64_t> lengths = numbers_of(call.tensor(kPack["lengths"]));
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] <= 0) {
      fail_on_value(call, ErrorFamily::Runtime, "lengths must be positive: that of sequence {} is {}", i, lengths[i]);
    }
    if (i > 0 && lengths[i] > lengths[i - 1]) {
      fail_on_value(call, ErrorFamily::Runtime, "lengths must be descending: that of sequence {} is {} after {}", i,
                    lengths[i], lengths[i - 1]);
    }
  }
  const std::vector<int64_t> batch_sizes = transposed(lengths, lengths[0]);
  const TensorMeta padded = call.boolean(kPack["batch_first"]) ? batch_first_meta(input.meta()) : input.meta();
  const int64_t steps = std::min(padded.sizes[0].as_int(), lengths[0]);
  int64_t rows = 0;
  for (int64_t i = 0; i < steps; ++i) rows += batch_sizes[static_cast<size_t>(i)];
  const Tensor data = make_real_tensor(TensorMeta(padded.dtype, joined({rows}, padded.sizes, 2), padded.device));
  for_each_run(batch_sizes, steps, data.meta(), padded, [&](TensorMeta to, TensorMeta from) {
    copy_elements(make_view(data, std::move(to)), make_view(input, std::move(from)));
  });
  results.push_back(data);
  results.push_back(vector_of(batch_sizes));
}

void pack_backward_rule(RuleCall& call) {
  const TensorMeta &grad = call.meta(kPackBack["grad"]), &batch_sizes = call.meta(kPackBack["batch_sizes"]);
  DimVec sizes(call.ints(kPackBack["input_size"]));
  const bool batch_first = call.boolean(kPackBack["batch_first"]);
  for (const SymInt& size : sizes)
    call.require(check_ge(size, 0), "C1", "input_size must not be negative: it is {}", sizes);
  call.require(!batch_first || sizes.size() >= 2, "C1", "input_size must be [sequences, steps, ...]: it is {}", sizes);
  if (batch_first) std::swap(sizes[0], sizes[1]);
  require_counts(call, batch_sizes, "batch sizes");
  if (size_ne(batch_sizes.sizes[0], 0)) {
    call.require_index(grad.dim() > 0 && sizes.size() >= 2, "C3",
                       "grad must be [rows, ...], input_size [steps, sequences, ...]: they are {} and {}", grad, sizes);
    call.require_index(check_gt(sizes[0], 0), "C5", "there are no steps in {}", sizes);
    bool fits = grad.sizes.size() < sizes.size();
    for (size_t d = 1; fits && d < grad.sizes.size(); ++d) {
      const SymInt given = grad.sizes[d], wanted = sizes[sizes.size() - grad.sizes.size() + d];
      fits = check_eq(given, wanted) || check_eq(given, 1);
    }
    call.require(fits, "C4", "rows of grad must stretch to a sequence of a step: they are {} and {}", grad, sizes);
    call.require_index(check_le(batch_sizes.sizes[0], sizes[0]), "C5", "there are more batch sizes, {}, than steps, {}",
                       batch_sizes.sizes[0], sizes[0]);
  }
  TensorMeta padded(grad.dtype, sizes, call.device);
  call.out.fresh(batch_first ? batch_first_meta(std::move(padded)) : std::move(padded));
}

void pack_backward(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const Tensor padded = call.boolean(kPackBack["batch_first"]) ? make_view(out, batch_first_meta(out.meta())) : out;
  const Tensor grad = call.tensor(kPackBack["grad"]);
  const std::vector<int64_t> batch_sizes = numbers_of(call.tensor(kPackBack["batch_sizes"]));
  if (padded.numel().as_int() > 0) fill_elements(padded, 0);
  int64_t row = 0;
  for (size_t i = 0; i < batch_sizes.size(); ++i) {
    const SymInt step = static_cast<int64_t>(i), n = batch_sizes[i];
    const Tensor to = ops::slice(call_op<"aten.select.int">(padded, int64_t(0), step), 0, SymInt(0), n),
                 from = ops::slice(grad, 0, SymInt(row), SymInt(row) + n);
    if (!broadcasts_to(from.sizes(), to.sizes())) {
      fail_on_value(call, ErrorFamily::Runtime, "step {} has {}, for which batch size {} leaves {} of the rows", i,
                    to.meta(), batch_sizes[i], from.meta());
    }
    if (to.numel().as_int() > 0) copy_elements(to, broadcast_view(from, to.sizes()));
    row += batch_sizes[i];
  }
}

void pad(KernelCall& call, Values& results) {
  const Tensor data = call.tensor(kPad["data"]);
  const std::vector<int64_t> batch_sizes = numbers_of(call.tensor(kPad["batch_sizes"]));
  int64_t rows = 0;
  for (size_t i = 0; i < batch_sizes.size(); ++i) {
    if (batch_sizes[i] < 0 || (i > 0 && batch_sizes[i] > batch_sizes[i - 1])) {
      fail_on_value(call, ErrorFamily::Runtime,
                    "batch sizes must be descending and not negative: that of step {} is {}", i, batch_sizes[i]);
    }
    if (__builtin_add_overflow(rows, batch_sizes[i], &rows) || rows > data.sizes()[0].as_int()) {
      fail_on_value(call, ErrorFamily::Runtime, "the batch sizes of steps 0 to {} are more than the {} rows", i,
                    data.sizes()[0]);
    }
  }
  const int64_t steps = static_cast<int64_t>(batch_sizes.size()), total = call.integer(kPad["total_length"]);
  const Tensor padded = make_real_tensor(padded_meta(data.meta(), total > 0 ? total : steps, batch_sizes[0]));
  if (padded.numel().as_int() > 0) {
    fill_elements(padded, call[kPad["padding_value"]].as_scalar());
    for_each_run(batch_sizes, steps, data.meta(), padded.meta(), [&](TensorMeta from, TensorMeta to) {
      from.dtype = data.dtype();
      copy_elements(make_view(padded, std::move(to)), make_view(data, std::move(from)));
    });
  }
  results.push_back(call.boolean(kPad["batch_first"]) ? make_view(padded, batch_first_meta(padded.meta())) : padded);
  results.push_back(vector_of(transposed(batch_sizes, batch_sizes[0])));
}

void pack_out(CompositeCall& call) {
  const DType dtypes[] = {call.meta(kPack["input"]).dtype, DType::I64};
  write_found(call, dtypes);
}

OpEntry& of_every_device(OpEntry& op, ReturnKernel kernel) {
  return op.every_device_returns(kernel).devices({DeviceRule::Same, DeviceRule::Any}).count_flops(no_flops);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& packing = of_every_device(r.add(kPackPaddedSequence), pack)
                         .tag(Tag::DataDependent | Tag::FailsOnValues)
                         .with_rule(pack_rule)
                         .sample("f32[4,3,2], i64[3], False", 2, 2)
                         .sample("c64[3,4], i64[3], True", 3, 3)
                         .refuses("C1", "f32[4,0], i64[0], False")
                         .refuses("C2", "f32[4,3], i32[3], False")
                         .refuses("C3", "f32[4,3], i64[4], False")
                         .refuses("dim", "f32[3], i64[3], True");
  r.add_out_alike(packing, "out")
      .with_rule(nullptr)
      .with_composite(pack_out)
      .sample("f32[4,3,2], i64[3], False, out0=f32[0], out1=i64[0]", 2, 2)
      .refuses("out_dtype", "f32[4,3], i64[3], False, out0=f64[0], out1=i64[0]");
  r.add(kPackPaddedSequenceBackward)
      .tag(Tag::FailsOnValues)
      .with_rule(pack_backward_rule)
      .every_device(pack_backward)
      .devices({DeviceRule::Same, DeviceRule::Any, DeviceRule::Any, DeviceRule::Any})
      .count_flops(no_flops)
      .sample("f32[9,2], [4, 3, 2], i64[4], False", 2, 2)
      .sample("f32[9,2], [3, 4, 2], i64[4], True", 1, 2)
      .refuses("C1", "f32[9,2], [4], i64[4], True")
      .refuses("C2", "f32[9,2], [4, 3, 2], i32[4], False")
      .refuses("C3", "f32[], [4, 3, 2], i64[4], False")
      .refuses("C4", "f32[9,3], [4, 3, 2], i64[4], False")
      .refuses("C5", "f32[9,2], [3, 3, 2], i64[4], False");
  of_every_device(r.add(kPadPackedSequence), pad)
      .tag(Tag::DataDependent | Tag::FailsOnValues)
      .with_rule(pad_rule)
      .sample("f32[6,2], i64[2], False, 1.5, 0", 3, 3)
      .sample("i64[4], i64[2], True, 0, 5", 2, 2)
      .refuses("C1", "f32[], i64[2], False, 0, 0")
      .refuses("C2", "f32[4], i64[0], False, 0, 0")
      .refuses("C3", "f32[4], i64[3], False, 0, 2")
      .refuses("C4", "u8[4], i64[3], False, 300, 0");
}

}  // namespace ersatz::op_packed_sequence
