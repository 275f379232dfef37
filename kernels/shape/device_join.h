// cat and stack of row-major tensors on CUDA: one launch for up to 64 tensors. A row consists of the dims from the
// joined dim on. The rows of each tensor are copied into the rows of the output. The kernel copies words, as wide as
// all addresses and row lengths allow. Included by *_cuda.cu files.
#pragma once

#include <vector>

#include "kernels/shape/cat.h"
#include "kernels/shape/cat_rule.h"
#include "kernels/shape/quotient.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/cuda/launch.h"
#include "runtime/op/kernel.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace device_join {

inline constexpr int kParts = 64;

struct alignas(16) Words {
  uint64_t lo, hi;
};
template <class Word>
using Moved = std::conditional_t<std::is_same_v<Word, Bytes16>, Words, Word>;

template <class Word>
struct JoinRows {
  Word* to;
  int64_t row, first;  ///< words of an output row; offset in this row of the first word that the launch writes
  int parts;
  const Word* from[kParts];
  int64_t start[kParts + 1];  ///< offset of each part in a row of the launch

  ERSATZ_DEVICE void operator()(int64_t i) const {
    const int64_t width = start[parts], r = quotient(i, width), c = i - r * width;
    int low = 0, high = parts;  // invariant: start[low] <= c < start[high]
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (start[middle] <= c ? low : high) = middle;
    }
    to[r * row + first + c] = from[low][r * (start[low + 1] - start[low]) + c - start[low]];
  }
};

struct Part {
  const std::byte* data;
  int64_t row;  ///< bytes of a row
};

template <class Word>
void join(int device, std::byte* to, int64_t rows, int64_t out_row, std::span<const Part> parts) {
  const auto words = [](int64_t bytes) { return bytes / static_cast<int64_t>(sizeof(Word)); };
  JoinRows<Word> batch{};
  batch.to = reinterpret_cast<Word*>(to);
  batch.row = words(out_row);
  batch.first = 0;
  for (size_t begin = 0; begin < parts.size(); begin += kParts) {
    const std::span<const Part> some = parts.subspan(begin, std::min<size_t>(kParts, parts.size() - begin));
    batch.parts = static_cast<int>(some.size());
    batch.start[0] = 0;
    for (size_t k = 0; k < some.size(); ++k) {
      batch.from[k] = reinterpret_cast<const Word*>(some[k].data);
      batch.start[k + 1] = batch.start[k] + words(some[k].row);
    }
    cuda_module::launch_each(device, rows * batch.start[batch.parts], batch);
    batch.first += batch.start[batch.parts];
  }
}

/// Joins the tensors. Returns false, without writing, if a tensor is not row-major, has lazy bits, or has a dtype that
/// is not the output's.
inline bool join_row_major(KernelCall& call, int64_t rows, bool stacked) {
  const Tensor& out = call.outputs[0];
  const TensorMeta& to = out.meta();
  if (!is_contiguous(to) || to.conj || to.neg) return false;
  const int64_t item = item_size(to.dtype);
  std::vector<Part> parts;
  uint64_t divides = reinterpret_cast<uintptr_t>(out.raw_data()) | 16;
  int64_t out_row = 0;
  for (const Value& v : call.list(op_cat::kCat["tensors"])) {
    const TensorMeta& from = v.tensor_impl()->meta;
    if (!stacked && is_skipped_in_cat(from)) continue;
    if (from.dtype != to.dtype || from.conj || from.neg || !is_contiguous(from)) return false;
    const int64_t row = from.numel().as_int() / rows * item;
    if (row == 0) continue;
    const std::byte* data = v.tensor().raw_data();
    parts.push_back({data, row});
    divides |= reinterpret_cast<uintptr_t>(data) | static_cast<uint64_t>(row);
    out_row += row;
  }
  const int64_t word = static_cast<int64_t>(divides & -divides);  // the lowest bit set in any of them
  dispatch_item_size(
      word, [&]<class Word>() { join<Moved<Word>>(out.device().index, out.raw_data(), rows, out_row, parts); });
  return true;
}

/// Returns the product of the output's sizes before the joined dim.
inline int64_t rows_before(KernelCall& call) {
  const Tensor& out = call.outputs[0];
  const int64_t dim = call.integer(op_cat::kCat["dim"]) + (call.integer(op_cat::kCat["dim"]) < 0 ? out.dim() : 0);
  int64_t rows = 1;
  for (int64_t d = 0; d < dim; ++d) rows *= out.sizes()[static_cast<size_t>(d)].as_int();
  return rows;
}

/// Joins tensors by join_row_major if it supports them, else by `otherwise`.
inline void join_tensors(KernelCall& call, bool stacked, FillKernel otherwise) {
  if (call.outputs[0].numel().as_int() == 0) return;
  if (call.list(op_cat::kCat["tensors"]).size() < 2 || !join_row_major(call, rows_before(call), stacked)) {
    otherwise(call);
  }
}

}  // namespace device_join
}  // namespace ersatz
