#include "fake/mode/index_bounds.h"

namespace ersatz {
namespace {

void add_bound(const IndexDomain& domain, std::span<const Value> args, TensorImpl* index, int64_t position,
               std::vector<IndexBound>& bounds) {
  const bool integers = is_integral(index->meta.dtype) && index->meta.dtype != DType::Bool;
  if (!integers || !args[domain.of].is_tensor()) return;
  const TensorMeta& indexed = args[domain.of].tensor_impl()->meta;
  int64_t dim = domain.dim;
  if (domain.dim == IndexDomain::kPosition) dim = position;
  if (domain.dim_is_argument) dim = args[static_cast<size_t>(domain.dim)].as_int().as_int();
  if (dim < 0) dim += indexed.dim();
  // A 0-d tensor has one valid index in dim 0.
  int64_t bound = 1;
  if (indexed.dim() > 0 || dim > 0) {
    if (dim < 0 || dim >= indexed.dim()) return;
    bound = indexed.sizes[static_cast<size_t>(dim)].as_int();
  }
  bounds.push_back({index, bound});
}

}  // namespace

std::vector<IndexBound> index_bounds(const OpEntry& op, std::span<const Value> args) {
  std::vector<IndexBound> bounds;
  for (const IndexDomain& domain : op.index_domains) {
    const Value& v = args[domain.argument];
    if (v.is_tensor()) add_bound(domain, args, v.tensor_impl(), 0, bounds);
    if (v.kind() != Value::Kind::List) continue;
    int64_t position = 0;
    for (const Value& item : v.as_list()) {
      if (item.is_tensor()) add_bound(domain, args, item.tensor_impl(), position, bounds);
      ++position;
    }
  }
  return bounds;
}

}  // namespace ersatz
