#include "kernels/pointwise/loop_plan.h"

#include <algorithm>

#include "kernels/cpu_features.h"
#include "runtime/base/parallel.h"

namespace ersatz::pointwise {

namespace {

/// Whether dim `a` is inside dim `b`: compares their strides in the output, then in the inputs in order.
bool inner_to(const LoopDim& a, const LoopDim& b, int operands) {
  return std::lexicographical_compare(a.stride, a.stride + operands, b.stride, b.stride + operands);
}

bool mergeable(const LoopDim& inner, const LoopDim& outer, int operands) {
  for (int i = 0; i < operands; ++i) {
    if (outer.stride[i] != inner.stride[i] * inner.size) return false;
  }
  return true;
}

int64_t blocks_of(int64_t n, int64_t block) { return (n + block - 1) / block; }

}  // namespace

LoopPlan::LoopPlan(std::span<const int64_t> sizes, std::span<const LoopOperand> ops) {
  operands = static_cast<int>(ops.size());
  numel = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    numel *= sizes[d];
    if (sizes[d] == 1) continue;
    LoopDim& dim = dims.emplace_back();
    dim.size = sizes[d];
    for (int i = 0; i < operands; ++i) {
      if (!ops[i].strides.empty()) dim.stride[i] = ops[i].strides[d] * ops[i].item;
    }
    for (size_t k = dims.size() - 1; k > 0 && inner_to(dims[k], dims[k - 1], operands); --k) {
      std::swap(dims[k], dims[k - 1]);
    }
  }
  if (numel == 0) return;
  size_t kept = 0;
  for (size_t d = 1; d < dims.size(); ++d) {
    if (mergeable(dims[kept], dims[d], operands)) {
      dims[kept].size *= dims[d].size;
    } else if (++kept != d) {
      dims[kept] = dims[d];
    }
  }
  if (!dims.empty()) dims.resize(kept + 1);
  while (dims.size() < 2) dims.emplace_back();
  for (int i = 1; i < operands && !transposed; ++i) {
    int64_t least = dims[0].stride[i];
    if (least == 0 || least == ops[i].item) continue;
    size_t fastest = 0;
    for (size_t d = 1; d < dims.size(); ++d) {
      if (dims[d].stride[i] != 0 && dims[d].stride[i] < least && dims[d].size > 1) {
        least = dims[d].stride[i];
        fastest = d;
      }
    }
    if (fastest == 0) continue;
    for (size_t d = fastest; d > 1; --d) std::swap(dims[d], dims[d - 1]);
    transposed = true;
  }
}

void LoopPlan::set_blocks(int64_t elements) {
  if (numel == 0) return;  // no block is needed, and `dims` may have fewer than two dims
  const int64_t n0 = dims[0].size, n1 = dims[1].size;
  block0 = std::min(n0, elements);
  if (transposed) {
    int64_t side = 1;
    while (side * side * 4 <= elements) side *= 2;
    block0 = std::min(n0, elements / std::min(n1, side));
  }
  block1 = std::min(n1, elements / block0);
}

int64_t LoopPlan::block_count() const {
  if (numel == 0) return 0;
  int64_t n = blocks_of(dims[0].size, block0) * blocks_of(dims[1].size, block1);
  for (size_t d = 2; d < dims.size(); ++d) n *= dims[d].size;
  return n;
}

void for_each_block(const LoopPlan& plan, std::span<const LoopOperand> operands, BlockBody body, void* context) {
  int64_t blocks = plan.block_count();
  int64_t per_block = plan.block0 * plan.block1;
  int64_t grain = std::max<int64_t>(kElementwiseGrain / std::max<int64_t>(per_block, 1), 1);
  parallel_for(blocks, grain, [&](int64_t begin, int64_t end) {
    // `at` is the position of a block, in elements of each dim. It counts up like a mixed-radix number, dim 0 first.
    const int n = plan.operands;
    const size_t rank = plan.dims.size();
    InlineVec<int64_t, 8> at(rank, 0);
    int64_t rest = begin;
    for (size_t d = 0; d < rank; ++d) {
      int64_t step = d == 0 ? plan.block0 : d == 1 ? plan.block1 : 1;
      int64_t count = blocks_of(plan.dims[d].size, step);
      at[d] = rest % count * step;
      rest /= count;
    }
    for (int64_t block = begin; block < end; ++block) {
      std::byte* data[kMaxOperands];
      for (int i = 0; i < n; ++i) {
        int64_t offset = 0;
        for (size_t d = 0; d < rank; ++d) offset += at[d] * plan.dims[d].stride[i];
        data[i] = operands[i].data + offset;
      }
      body(context, data, std::min(plan.block0, plan.dims[0].size - at[0]),
           std::min(plan.block1, plan.dims[1].size - at[1]));
      for (size_t d = 0; d < rank; ++d) {
        at[d] += d == 0 ? plan.block0 : d == 1 ? plan.block1 : 1;
        if (at[d] < plan.dims[d].size) break;
        at[d] = 0;
      }
    }
  });
}

}  // namespace ersatz::pointwise
