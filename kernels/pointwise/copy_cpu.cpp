#include "kernels/pointwise/copy_engine.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu_features.h"
#include "kernels/pointwise/block_move.h"
#include "kernels/pointwise/loop_plan.h"
#include "runtime/base/parallel.h"

namespace ersatz::pointwise {

namespace {

constexpr int64_t kConvertBlock = 2048;         // elements of a converted block: its two buffers fit L1 and L2
constexpr int64_t kTransposeRowBytes = 256;     // bytes of a result row in a block: streaming needs whole cache lines
constexpr int64_t kTransposeColumnBytes = 512;  // bytes of a source row in a block: enough for the prefetcher
constexpr int64_t kStreamBytes = 4 << 20;       // the stores of a result with this size or more bypass the cache
constexpr int64_t kMemcpyPiece = 1 << 20;       // least number of bytes that a thread copies

struct CopyContext {
  const LoopPlan& plan;
  int64_t to_item, from_item;
  Convert convert;  // null if the dtypes are equal
  bool stream;      // the result does not fit the cache
};

BlockView view_of(const LoopPlan& plan, int operand, std::byte* data) {
  return {data, plan.dims[0].stride[operand], plan.dims[1].stride[operand]};
}

bool is_packed(const BlockView& v, int64_t n0, int64_t n1, int64_t item) {
  return (v.stride0 == item || n0 == 1) && (n1 == 1 || v.stride1 == n0 * item);
}

void move_body(void* context, std::byte* const* data, int64_t n0, int64_t n1) {
  const CopyContext& c = *static_cast<const CopyContext*>(context);
  move_block(view_of(c.plan, 0, data[0]), view_of(c.plan, 1, data[1]), n0, n1, c.to_item);
}

/// Copies a block whose smallest source stride is along dim 1. The block is transposed into a packed buffer, which is
/// then copied row by row, in whole cache lines.
void transpose_body(void* context, std::byte* const* data, int64_t n0, int64_t n1) {
  const CopyContext& c = *static_cast<const CopyContext*>(context);
  alignas(64) std::byte buffer[(kTransposeRowBytes + 64) * kTransposeColumnBytes];
  BlockView to = view_of(c.plan, 0, data[0]), from = view_of(c.plan, 1, data[1]);
  int64_t row = n0 * c.to_item, pitch = (row + 63) / 64 * 64 + 64;  // rows begin in different cache sets
  if (to.stride0 != c.to_item) return move_block(to, from, n0, n1, c.to_item);
  move_block({buffer, c.to_item, pitch}, from, n0, n1, c.to_item);
  if (c.stream) {
    for (int64_t j = 0; j < n1; ++j) stream_row(to.data + j * to.stride1, buffer + j * pitch, row);
    finish_streaming();
  } else {
    for (int64_t j = 0; j < n1; ++j) std::memcpy(to.data + j * to.stride1, buffer + j * pitch, row);
  }
}

void convert_body(void* context, std::byte* const* data, int64_t n0, int64_t n1) {
  const CopyContext& c = *static_cast<const CopyContext*>(context);
  alignas(64) std::byte gathered[kConvertBlock * 16];
  alignas(64) std::byte converted[kConvertBlock * 16];
  BlockView to = view_of(c.plan, 0, data[0]), from = view_of(c.plan, 1, data[1]);
  const std::byte* source = from.data;
  if (!is_packed(from, n0, n1, c.from_item)) {
    move_block({gathered, c.from_item, n0 * c.from_item}, from, n0, n1, c.from_item);
    source = gathered;
  }
  if (is_packed(to, n0, n1, c.to_item)) {
    c.convert(to.data, source, n0 * n1);
    return;
  }
  c.convert(converted, source, n0 * n1);
  move_block(to, {converted, c.to_item, n0 * c.to_item}, n0, n1, c.to_item);
}

void copy_bytes_parallel(std::byte* to, const std::byte* from, int64_t bytes) {
  parallel_for(bytes, kMemcpyPiece, [&](int64_t begin, int64_t end) {
    std::memcpy(to + begin, from + begin, static_cast<size_t>(end - begin));
  });
}

}  // namespace

void copy_strided(std::span<const int64_t> sizes, std::byte* to, DType to_dtype, std::span<const int64_t> to_strides,
                  const std::byte* from, DType from_dtype, std::span<const int64_t> from_strides) {
  const LoopOperand operands[] = {{to, item_size(to_dtype), to_strides},
                                  {const_cast<std::byte*>(from), item_size(from_dtype), from_strides}};
  LoopPlan plan(sizes, operands);
  if (plan.numel == 0 || (to == from && to_dtype == from_dtype)) return;
  CopyContext context{plan, operands[0].item, operands[1].item, converter(to_dtype, from_dtype), false};
  if (context.convert) {
    plan.set_blocks(kConvertBlock);
    return for_each_block(plan, operands, convert_body, &context);
  }
  bool one_run = plan.dims.size() == 2 && plan.dims[1].size == 1;
  if (one_run && plan.dims[0].stride[0] == context.to_item && plan.dims[0].stride[1] == context.to_item) {
    return copy_bytes_parallel(to, from, plan.numel * context.to_item);
  }
  if (plan.transposed) {
    plan.block0 = std::min(plan.dims[0].size, kTransposeRowBytes / context.to_item);
    plan.block1 = std::min(plan.dims[1].size, kTransposeColumnBytes / context.to_item);
    context.stream = plan.numel * context.to_item >= kStreamBytes;
    return for_each_block(plan, operands, transpose_body, &context);
  }
  plan.set_blocks(int64_t(1) << 16);
  for_each_block(plan, operands, move_body, &context);
}

}  // namespace ersatz::pointwise
