#include "fake/mode/input_symbols.h"

#include <bit>

#include "fake/mode/data_memo.h"
#include "fake/mode/fake_options.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/symbolic_layout.h"

namespace ersatz {
namespace {

uint64_t key_of(const Tensor& t) { return reinterpret_cast<uint64_t>(t.impl()->weak_cell()); }

/// Returns a context in which each size of 2 or more becomes its own symbol.
SymbolicContext all_dynamic(const TensorMeta& meta) {
  SymbolicContext context;
  for (SymInt size : meta.sizes) {
    const bool varies = size.is_int() && size.as_int() > 1;
    context.dims.push_back({.kind = varies ? DimKind::Dynamic : DimKind::Static});
  }
  return context;
}

std::string dim_name(const std::string& source, size_t dim) {
  return source.empty() ? fmt::format("dim {}", dim) : fmt::format("input {}:{}", source, dim);
}

}  // namespace

const InputSymbols::Given* InputSymbols::given_to(const Tensor& t) const {
  const auto at = given_.find(key_of(t));
  return at == given_.end() || at->second.to.expired() ? nullptr : &at->second;
}

bool InputSymbols::asks_for_symbols(const Tensor& t, const FromTensorOptions& asked) const {
  if (asked.symbolic_context) return true;
  if (asked.static_shapes.value_or(options_.keeps_sizes()) || !options_.shape_env) return false;
  return !always_static(t, asked.of_module, options_.static_tensors).first;
}

void InputSymbols::check(const Tensor& t, const FromTensorOptions& asked, const Tensor& known) const {
  if (!asked.symbolic_context) return;
  if (asked.static_shapes.value_or(false))
    fail_argument("from_tensor: cannot set both static_shapes and symbolic_context");
  if (!options_.shape_env)
    fail_argument("from_tensor: a symbolic_context takes a mode with a ShapeEnv (FakeOptions::shape_env)");
  const std::vector<DimContext>& dims = asked.symbolic_context->dims;
  if (dims.size() != t.meta().sizes.size())
    fail_argument("from_tensor: the symbolic_context has {} dims, the tensor {}: {}", dims.size(),
                  t.meta().sizes.size(), t.meta());
  bool symbols = false;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d].kind == DimKind::Static) continue;
    symbols = true;
    const SymInt size = t.meta().sizes[d];
    if (size.is_symbolic())
      fail_argument("from_tensor: {} is {} already: its context must be Static", dim_name(asked.source, d), size);
    const SymbolInfo* named = dims[d].name.empty() ? nullptr : options_.shape_env->find_symbol(dims[d].name);
    const bool is_other = named && (named->hint ? *named->hint != size.as_int() : dims[d].kind == DimKind::Dynamic);
    if (is_other || size.as_int() < dims[d].min || size.as_int() > dims[d].max) {
      fail_argument("from_tensor: {} is {}, and the symbolic_context says {}", dim_name(asked.source, d), size,
                    is_other ? fmt::format("{}, which {}", named->name,
                                           named->hint ? fmt::format("is {}", *named->hint) : "has no hint")
                             : fmt::format("{}..{}", dims[d].min, dims[d].max));
    }
  }
  const auto [is_static, why] = always_static(t, asked.of_module, options_.static_tensors);
  if (symbols && is_static) fail_argument("from_tensor: {}", message(*why));
  const Given* given = given_to(t);
  const bool differs = given ? given->context != *asked.symbolic_context : known && symbols;
  if (!differs) return;
  fail_argument("from_tensor: the tensor was converted with another symbolic_context, as {}",
                given ? given->meta : known.meta());
}

std::optional<TensorMeta> InputSymbols::metadata(const Tensor& t, const FromTensorOptions& asked) {
  if (asked.static_shapes.value_or(false)) return std::nullopt;
  if (const Given* given = given_to(t)) return given->meta;
  if (!asks_for_symbols(t, asked)) return std::nullopt;
  const SymbolicContext context = asked.symbolic_context ? *asked.symbolic_context : all_dynamic(t.meta());
  TensorMeta meta = t.meta();
  bool symbols = false;
  for (size_t d = 0; d < context.dims.size(); ++d) {
    if (context.dims[d].kind == DimKind::Static) continue;
    symbols = true;
    meta.sizes[d] = symbol(context.dims[d], meta.sizes[d].as_int(), dim_name(asked.source, d));
  }
  if (!symbols) return std::nullopt;
  meta.strides = strides_over(meta.sizes, t.meta());
  if (given_.size() >= purge_at_) {
    std::erase_if(given_, [](const auto& e) { return e.second.to.expired(); });
    purge_at_ = std::max<size_t>(64, 2 * given_.size());
  }
  given_.insert_or_assign(key_of(t), Given{WeakRef<TensorImpl>(t.ref()), context, meta});
  return meta;
}

SymInt InputSymbols::symbol(const DimContext& dim, int64_t size, const std::string& source) {
  ShapeEnv& env = *options_.shape_env;
  const bool backed = dim.kind == DimKind::Dynamic;
  const std::optional<int64_t> hint = backed ? std::optional(size) : std::nullopt;
  SymInt made;
  if (!dim.name.empty()) {
    made = env.symbol({dim.name, hint, dim.min, dim.max});
  } else if (backed) {
    made = env.fresh({.prefix = "s", .min = dim.min, .max = dim.max, .hint = hint});
  } else {
    made = env.fresh({.min = dim.min, .max = dim.max, .op = source});
  }
  if (!backed) options_.propagate_real ? env.set_real_value(made, size) : env.note_value(to_string(made), size);
  return made;
}

void InputSymbols::remember_value(const Tensor& fake, const Tensor& t, const std::string& source,
                                  uint64_t epoch) const {
  const TensorMeta& meta = t.meta();
  const TensorExtra* extra = t.impl()->extra.get();
  const bool is_plain = !t.is_fake() && meta.sizes.empty() && meta.device.is_cpu() && !(extra && extra->is_parameter);
  if (source.empty() || !is_plain || !t.storage()->has_bytes() || !options_.shape_env || options_.for_export) return;
  FreshSymbol wanted{.min = INT64_MIN};
  if (meta.dtype == DType::I64) {
    wanted.prefix = "s";
    wanted.hint = *t.data<int64_t>();
  } else if (meta.dtype == DType::F64) {
    wanted.prefix = "zf";
    wanted.hint = std::bit_cast<int64_t>(*t.data<double>());
  } else {
    return;
  }
  set_memo(*fake.impl(), MemoSlot::Item, epoch, options_.shape_env->fresh(wanted));
}

}  // namespace ersatz
