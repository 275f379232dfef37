#include "kernels/pointwise/engine.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu_features.h"
#include "kernels/pointwise/block_move.h"
#include "kernels/pointwise/loop_plan.h"
#include "runtime/base/parallel.h"

namespace ersatz::pointwise {

namespace {

using Operands = std::span<const EngineOperand>;

constexpr int64_t kBufferBytes = 16384;    // bytes of one operand's block; the buffers of all operands fit L1
constexpr int64_t kStagedBytes = 8192;     // bytes of a buffered block if no operand is transposed
constexpr int64_t kDirectBlock = 1 << 16;  // elements of a block if no buffer is needed
constexpr int64_t kShortRow = 32;  // below this size of dim 0, gathering is faster than a call for each index of dim 1

/// Whether every operand is contiguous in the order of the dims, so that one call of `kernel` computes all elements.
bool is_one_run(std::span<const int64_t> sizes, Operands operands, int64_t& numel) {
  int64_t expected = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] == 1) continue;
    for (const EngineOperand& o : operands) {
      if (!o.strides.empty() && o.strides[d] != expected) return false;
    }
    expected *= sizes[d];
  }
  numel = expected;
  return true;
}

struct Context {
  RowKernel kernel;
  const RowParams& params;
  const LoopPlan& plan;
  Operands operands;
  int64_t item[kMaxEngineOperands];          // bytes of an element in memory
  int64_t compute_item[kMaxEngineOperands];  // bytes of an element in the compute dtype
  Convert convert[kMaxEngineOperands];       // to the compute dtype (inputs) or from it (output); null: no conversion
  std::byte* constant[kMaxEngineOperands];   // a block filled with the value of an input that is one element
  bool by_rows;                              // `kernel` runs on operands in place, once for each index of dim 1
};

struct Block {
  const Context& c;
  int64_t n0, n1;

  BlockView view(int i, std::byte* data) const { return {data, c.plan.dims[0].stride[i], c.plan.dims[1].stride[i]}; }
  bool packed(const BlockView& v, int64_t item) const {
    return (v.stride0 == item || n0 == 1) && (n1 == 1 || v.stride1 == n0 * item);
  }
  bool rows(const BlockView& v, int64_t item) const { return c.by_rows && v.stride0 == item; }
};

void run_block(void* context, std::byte* const* data, int64_t n0, int64_t n1) {
  const Context& c = *static_cast<const Context*>(context);
  const int count = static_cast<int>(c.operands.size());
  const Block block{c, n0, n1};
  alignas(64) std::byte raw[kBufferBytes];
  alignas(64) std::byte buffer[kMaxEngineOperands][kBufferBytes];
  void* at[kMaxEngineOperands];
  int64_t step[kMaxEngineOperands];  // bytes from one index of dim 1 to the next
  bool one_run = true;

  for (int i = 1; i < count; ++i) {
    const BlockView v = block.view(i, data[i]);
    const int64_t packed_row = n0 * c.compute_item[i];
    step[i] = packed_row;
    if (c.constant[i]) {
      at[i] = c.constant[i];
      step[i] = 0;
      continue;
    }
    if (!c.convert[i] && block.packed(v, c.item[i])) {
      at[i] = v.data;
    } else if (!c.convert[i] && block.rows(v, c.item[i])) {
      at[i] = v.data;
      step[i] = v.stride1;
      one_run = false;
    } else {
      at[i] = buffer[i];
      std::byte* source = v.data;
      if (!block.packed(v, c.item[i])) {
        std::byte* gathered = c.convert[i] ? raw : buffer[i];
        move_block({gathered, c.item[i], n0 * c.item[i]}, v, n0, n1, c.item[i]);
        source = gathered;
      }
      if (c.convert[i]) c.convert[i](buffer[i], source, n0 * n1);
    }
  }

  const BlockView out = block.view(0, data[0]);
  const bool out_packed = block.packed(out, c.item[0]);
  const bool out_direct = !c.convert[0] && (out_packed || block.rows(out, c.item[0]));
  at[0] = out_direct ? out.data : buffer[0];
  step[0] = out_direct && !out_packed ? out.stride1 : n0 * c.compute_item[0];
  one_run = one_run && !(out_direct && !out_packed);

  if (one_run || n1 == 1) {
    c.kernel(at, n0 * n1, c.params);
  } else {
    for (int64_t j = 0; j < n1; ++j) {
      c.kernel(at, n0, c.params);
      for (int i = 0; i < count; ++i) at[i] = static_cast<std::byte*>(at[i]) + step[i];
    }
  }
  if (out_direct) return;
  std::byte* result = buffer[0];
  if (c.convert[0]) {
    std::byte* target = out_packed ? out.data : raw;
    c.convert[0](target, result, n0 * n1);
    if (out_packed) return;
    result = raw;
  }
  move_block(out, {result, c.item[0], n0 * c.item[0]}, n0, n1, c.item[0]);
}

void run_blocks(RowKernel kernel, std::span<const int64_t> sizes, Operands operands, const RowParams& params) {
  LoopOperand loops[kMaxEngineOperands];
  const int count = static_cast<int>(operands.size());
  for (int i = 0; i < count; ++i) loops[i] = {operands[i].data, item_size(operands[i].dtype), operands[i].strides};
  LoopPlan plan(sizes, {loops, operands.size()});
  if (plan.numel == 0) return;

  Context c{kernel, params, plan, operands, {}, {}, {}, {}, false};
  int64_t largest = 1;
  for (int i = 0; i < count; ++i) {
    const EngineOperand& o = operands[i];
    c.item[i] = item_size(o.dtype);
    c.compute_item[i] = item_size(o.compute);
    c.convert[i] = i == 0 ? converter(o.dtype, o.compute) : converter(o.compute, o.dtype);
    largest = std::max({largest, c.item[i], c.compute_item[i]});
  }
  // No buffers are needed if nothing is converted and dim 0 is long enough for a call of `kernel` for each index of dim
  // 1.
  bool staged = plan.transposed;
  c.by_rows = plan.dims[0].size >= kShortRow;
  for (int i = 0; i < count; ++i) {
    bool everywhere_equal = i > 0;
    for (const LoopDim& d : plan.dims) everywhere_equal &= d.stride[i] == 0;
    if (everywhere_equal) continue;
    staged |= c.convert[i] != nullptr || plan.dims[0].stride[i] != c.item[i] || !c.by_rows;
  }
  int64_t elements = (plan.transposed ? kBufferBytes : staged ? kStagedBytes : kDirectBlock * largest) / largest;
  bool constants = false;
  for (int i = 1; i < count; ++i) {
    bool constant = true;
    for (const LoopDim& d : plan.dims) constant &= d.stride[i] == 0;
    constants |= constant;
    c.constant[i] = constant ? operands[i].data : nullptr;
  }
  if (constants) elements = std::min(elements, kStagedBytes / largest);
  plan.set_blocks(elements);

  alignas(64) std::byte constant_blocks[kMaxEngineOperands][kStagedBytes * 2];
  const int64_t block = plan.block0 * plan.block1;
  for (int i = 1; i < count; ++i) {
    if (!c.constant[i]) continue;
    alignas(16) std::byte value[16];
    if (c.convert[i]) {
      c.convert[i](value, operands[i].data, 1);
    } else {
      std::memcpy(value, operands[i].data, c.item[i]);
    }
    move_block({constant_blocks[i], c.compute_item[i], 0}, {value, 0, 0}, block, 1, c.compute_item[i]);
    c.constant[i] = constant_blocks[i];
  }
  for_each_block(plan, {loops, operands.size()}, run_block, &c);
}

}  // namespace

void run_engine(RowKernel kernel, std::span<const int64_t> sizes, Operands operands, const RowParams& params) {
  bool in_place = true;
  for (const EngineOperand& o : operands) in_place &= o.dtype == o.compute && !o.strides.empty();
  int64_t numel = 1;
  if (!in_place || !is_one_run(sizes, operands, numel)) return run_blocks(kernel, sizes, operands, params);
  parallel_for(numel, kElementwiseGrain, [&](int64_t begin, int64_t end) {
    void* at[kMaxEngineOperands];
    for (size_t i = 0; i < operands.size(); ++i) at[i] = operands[i].data + begin * item_size(operands[i].dtype);
    kernel(at, end - begin, params);
  });
}

}  // namespace ersatz::pointwise
