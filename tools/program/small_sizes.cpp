// Makes the sizes of a program small.
#include <algorithm>
#include <map>

#include "runtime/tensor/layout.h"
#include "tools/program/smallest_repro.h"

namespace ersatz::tools {

namespace {

using SmallerExtents = std::map<int64_t, int64_t>;

int64_t small(const SmallerExtents& extents, int64_t size) {
  const auto at = extents.find(size);
  return at == extents.end() ? size : at->second;
}

/// Returns metadata with smaller sizes and the same stride order and gaps. nullopt if the strides have no order.
std::optional<TensorMeta> shrunk(const TensorMeta& m, const SmallerExtents& extents) {
  TensorMeta to = m;
  std::vector<size_t> dims;
  for (size_t d = 0; d < m.sizes.size(); ++d) {
    to.sizes[d] = small(extents, m.sizes[d].as_int());
    dims.push_back(d);
  }
  std::stable_sort(dims.begin(), dims.end(), [&](size_t a, size_t b) {
    const int64_t x = m.strides[a].as_int(), y = m.strides[b].as_int();
    return x != y ? x < y : m.sizes[a].as_int() < m.sizes[b].as_int();
  });
  int64_t dense = 1, now = 1;
  for (size_t d : dims) {
    const int64_t stride = m.strides[d].as_int(), size = m.sizes[d].as_int();
    if (stride == 0) continue;  // an expanded dim
    if (stride % dense != 0) return std::nullopt;
    const int64_t gap = stride / dense;
    to.strides[d] = now * gap;
    dense = stride * std::max<int64_t>(size, 1);
    now = now * gap * std::max<int64_t>(to.sizes[d].as_int(), 1);
  }
  return to;
}

int64_t small_number(const SmallerExtents& extents, int64_t n) {
  return n < 0 ? -small(extents, -n) : small(extents, n);
}

/// Replaces sizes in an int list, for example the argument of `view`. Each item that equals a size of the program
/// becomes the smaller size.
Value shrunk(const Value& literal, const SmallerExtents& extents) {
  if (literal.kind() == Value::Kind::IntList) {
    DimVec smaller;
    for (const SymInt n : literal.as_ints()) {
      if (n.is_symbolic()) return literal;
      smaller.push_back(small_number(extents, n.as_int()));
    }
    return Value(smaller);
  }
  if (literal.kind() != Value::Kind::List) return literal;
  const std::span<const Value> items = literal.as_list();
  const bool integers = std::all_of(items.begin(), items.end(), [](const Value& item) {
    return item.kind() == Value::Kind::Int && !item.is_symbolic_int();
  });
  std::vector<Value> smaller;
  for (const Value& item : items) {
    smaller.push_back(integers ? Value(small_number(extents, item.as_int64())) : shrunk(item, extents));
  }
  return Value::list(smaller);
}

/// Maps each size above 1 to a small one: the sizes in increasing order become 2, 3, ...
SmallerExtents smaller_extents(const Program& program) {
  SmallerExtents extents;
  const auto add = [&](const TensorMeta& meta) {
    for (const SymInt size : meta.sizes) {
      if (size.as_int() > 1) extents[size.as_int()] = 0;
    }
  };
  std::for_each(program.metas.begin(), program.metas.end(), add);
  for (const StoredTensor& stored : program.weights.tensors()) add(stored.meta);
  int64_t next = 2;
  for (auto& [size, to] : extents) to = std::min(size, next++);
  return extents;
}

}  // namespace

bool make_sizes_small(Program& program) {
  const auto symbolic = [](const TensorMeta& meta) { return meta.is_symbolic(); };
  if (std::any_of(program.metas.begin(), program.metas.end(), symbolic)) return false;
  const SmallerExtents extents = smaller_extents(program);
  if (std::none_of(extents.begin(), extents.end(), [](const auto& e) { return e.second < e.first; })) return false;
  for (TensorMeta& meta : program.metas) {
    std::optional<TensorMeta> smaller = shrunk(meta, extents);
    if (!smaller) return false;
    meta = std::move(*smaller);
  }
  for (Value& literal : program.literals) literal = shrunk(literal, extents);
  std::vector<StoredTensor> tensors = program.weights.tensors();
  std::vector<int64_t> needed(program.weights.payloads().size());
  for (StoredTensor& stored : tensors) {
    std::optional<TensorMeta> smaller = shrunk(stored.meta, extents);
    if (!smaller) return false;
    stored.meta = std::move(*smaller);
    needed[stored.payload] = std::max(needed[stored.payload], storage_bytes_needed(stored.meta).as_int());
  }
  Weights weights;
  weights.seed = program.weights.seed;
  for (const int64_t bytes : needed) {
    Payload made;
    made.nbytes = bytes;
    weights.add_payload(std::move(made));
  }
  for (StoredTensor& stored : tensors) weights.add_tensor(std::move(stored));
  program.weights = std::move(weights);
  return true;
}

void make_up(Program& program, uint32_t payload) {
  Weights weights;
  weights.seed = program.weights.seed;
  for (const Payload& p : program.weights.payloads()) {
    const bool chosen = &p == &program.weights.payloads()[payload];
    Payload made;
    made.nbytes = p.nbytes;
    weights.add_payload(chosen ? std::move(made) : p);
  }
  for (const StoredTensor& stored : program.weights.tensors()) weights.add_tensor(stored);
  program.weights = std::move(weights);
}

}  // namespace ersatz::tools
