#include "tools/validate/call_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "fake/mode/fake_mode.h"
#include "fake/mode/storage_fill.h"
#include "fake/watch/tensor_copies.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/layout.h"

namespace ersatz::tools {

namespace {

Tensor placeholder(const TensorMeta& meta, Ref<Storage> storage = {}) {
  if (!storage) storage = Storage::make_fake(storage_bytes_needed(meta), meta.device);
  return Tensor(meta, std::move(storage));
}

/// Returns the arguments of an `out=` overload without its `out` tensors.
std::span<const Value> functional_arguments(const CallSpec& spec) {
  return {spec.args.data(), spec.args.size() - static_cast<size_t>(spec.op->out_arguments)};
}

/// Returns the smallest size above 0 of any dim. An index below it is valid in every dim.
int64_t smallest_size(std::span<const Tensor> tensors) {
  int64_t least = INT64_MAX;
  for (const Tensor& t : tensors) {
    for (const SymInt& s : t.sizes()) {
      if (s.as_int() > 0) least = std::min(least, s.as_int());
    }
  }
  return least == INT64_MAX ? 1 : least;
}

/// Returns the bound that the op declares for indices in argument `at`; -1 if it declares none.
int64_t declared_bound(const CallSpec& spec, size_t at) {
  for (const IndexDomain& d : spec.op->index_domains) {
    if (d.argument != at || !spec.args[d.of].is_tensor() || d.dim == IndexDomain::kPosition) continue;
    const TensorMeta& of = spec.args[d.of].tensor_impl()->meta;
    int64_t dim = d.dim;
    if (d.dim_is_argument) {
      const Value& v = spec.args[static_cast<size_t>(d.dim)];
      if (v.kind() != Value::Kind::Int) continue;
      dim = v.as_int().guard_int();
    }
    if (dim < 0) dim += of.dim();
    if (dim >= 0 && dim < of.dim()) return of.sizes[static_cast<size_t>(dim)].as_int();
  }
  return -1;
}

void fill(const CallSpec& spec, const Tensor& t, size_t number, size_t position, std::span<const Tensor> all) {
  const uint64_t seed = spec.seed * 1000003 + number + 1;
  const bool constant = spec.fill == FillKind::Zeros || spec.fill == FillKind::Ones;
  if (constant && t.dtype() == DType::Bool) {  // the whole storage is filled, because a bool is one byte
    std::memset(t.storage()->data(), spec.fill == FillKind::Ones, static_cast<size_t>(t.storage()->nbytes().as_int()));
  } else if (constant) {
    const double v = spec.fill == FillKind::Ones ? 1 : 0;
    fill_random(t, v, v, seed);
  } else if (spec.fill == FillKind::IndexSafe && is_integer(t.dtype())) {
    int64_t bound = declared_bound(spec, position);
    if (bound < 0) bound = smallest_size(all);
    fill_random(t, 0, static_cast<double>(std::max<int64_t>(bound - 1, 0)), seed);
  } else {
    fill_random(t, spec.low, spec.high, seed);
  }
}

}  // namespace

std::string_view name(FillKind fill) {
  constexpr std::string_view names[] = {"zeros", "ones", "random", "index_safe", "recorded"};
  return names[static_cast<size_t>(fill)];
}

std::vector<Tensor> CallSpec::tensors() const {
  std::vector<Tensor> found;
  for_each_tensor(args, [&](TensorImpl* t) {
    const bool known = std::any_of(found.begin(), found.end(), [&](const Tensor& f) { return f.impl() == t; });
    if (!known) found.emplace_back(Ref<TensorImpl>(t));
  });
  return found;
}

std::vector<size_t> CallSpec::positions() const {
  std::vector<const TensorImpl*> known;
  std::vector<size_t> positions;
  for (size_t i = 0; i < args.size(); ++i) {
    for_each_tensor(std::span(&args[i], 1), [&](const TensorImpl* t) {
      if (std::find(known.begin(), known.end(), t) != known.end()) return;
      known.push_back(t);
      positions.push_back(i);
    });
  }
  return positions;
}

std::string CallSpec::spelled() const { return fmt::format("{} fill={}", render_call(*op, args), name(fill)); }

const std::vector<Sample>& samples_of(const OpEntry& op) {
  return op.samples.empty() && op.functional ? op.functional->samples : op.samples;
}

CallSpec spec_of(const OpEntry& op, const Sample& sample) {
  CallSpec spec;
  spec.op = &op;
  spec.low = sample.low, spec.high = sample.high;
  if (!op.samples.empty() || op.out_arguments == 0) {
    spec.args = bind_sample(op.schema, sample.arguments);
  } else {
    spec.args = bind_sample(op.functional->schema, sample.arguments);
    spec.args.resize(spec.args.size() + static_cast<size_t>(op.out_arguments));
    renew_outs(spec);
  }
  return spec;
}

void renew_outs(CallSpec& spec) {
  const OpEntry& op = *spec.op;
  if (op.out_arguments == 0 || !op.functional) return;
  if (!op.functional->rule) {
    throw Error(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
                fmt::format("{}: the functional op has no rule that says what out= must be", op.name));
  }
  RuleResult result;
  run_rule(*op.functional, functional_arguments(spec), result);
  size_t at = spec.args.size() - static_cast<size_t>(op.out_arguments);
  for (const OutputSpec& out : result.outputs) {
    if (at == spec.args.size()) break;
    if (out.kind == OutputSpec::Kind::Number || out.kind == OutputSpec::Kind::None) continue;
    spec.args[at++] = Value(placeholder(out.meta));
  }
}

std::vector<bool> shares_storage(const CallSpec& spec) {
  const std::vector<Tensor> tensors = spec.tensors();
  std::vector<bool> shares(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    for (size_t k = 0; k < tensors.size(); ++k) {
      if (i != k && tensors[i].shares_storage(tensors[k])) shares[i] = true;
    }
  }
  return shares;
}

std::optional<CallSpec> with_metas(const CallSpec& spec, const std::function<bool(size_t, TensorMeta&)>& change) {
  const std::vector<Tensor> before = spec.tensors();
  std::vector<TensorMeta> metas;
  std::vector<bool> changed(before.size());
  bool any = false;
  for (size_t k = 0; k < before.size(); ++k) {
    metas.push_back(before[k].meta());
    changed[k] = change(k, metas[k]);
    any |= changed[k];
  }
  if (!any) return std::nullopt;
  std::vector<Tensor> after(before.size());
  for (size_t k = 0; k < before.size(); ++k) {
    if (after[k]) continue;
    bool group_changed = false;
    SymInt needed = 0;
    for (size_t j = k; j < before.size(); ++j) {
      if (!before[j].shares_storage(before[k])) continue;
      group_changed |= changed[j];
      needed = sym_max(needed, storage_bytes_needed(metas[j]));
    }
    Ref<Storage> storage = group_changed ? Storage::make_fake(needed, before[k].meta().device) : before[k].storage();
    for (size_t j = k; j < before.size(); ++j) {
      if (before[j].shares_storage(before[k])) after[j] = group_changed ? Tensor(metas[j], storage) : before[j];
    }
  }
  CallSpec result = spec;
  result.args = map_tensors(spec.args, [&](const Tensor& t) {
    for (size_t k = 0; k < before.size(); ++k) {
      if (before[k].is(t)) return after[k];
    }
    return t;
  });
  return result;
}

std::vector<Value> make_arguments(const CallSpec& spec, Device device) {
  const std::vector<Tensor> before = spec.tensors();
  const std::vector<size_t> positions = spec.positions();
  std::vector<Tensor> made;
  for (size_t k = 0; k < before.size(); ++k) {
    const Tensor& t = before[k];
    if (!t.meta().device.is_cpu()) {
      made.push_back(t);  // the tensor stays on its device, so that rules can refuse mixed devices
      continue;
    }
    const auto shared = std::find_if(before.begin(), before.begin() + static_cast<ptrdiff_t>(k),
                                     [&](const Tensor& b) { return b.shares_storage(t); });
    if (shared != before.begin() + static_cast<ptrdiff_t>(k)) {
      made.emplace_back(t.meta(), made[static_cast<size_t>(shared - before.begin())].storage());
      continue;  // its storage has been filled for an earlier tensor
    }
    made.push_back(make_sample_tensor(t.meta(), t.storage()->nbytes().guard_int()));
    fill(spec, made.back(), k, positions[k], before);
  }
  std::vector<Value> args = map_tensors(spec.args, [&](const Tensor& t) {
    for (size_t k = 0; k < before.size(); ++k) {
      if (before[k].is(t)) return made[k];
    }
    return t;
  });
  return device.is_cpu() ? args : TensorCopies(device).of(args);
}

}  // namespace ersatz::tools
