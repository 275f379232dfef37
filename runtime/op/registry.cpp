#include "runtime/op/registry.h"

#include <map>
#include <shared_mutex>

#include "runtime/op/derived.h"
#include "runtime/op/may_view_tag.h"
#include "runtime/op/op_name.h"

namespace ersatz {

struct Registry::Impl {
  mutable std::shared_mutex mutex;
  std::map<std::string, std::unique_ptr<OpEntry>, std::less<>> by_name;
  std::multimap<std::string, OpEntry*, std::less<>> by_base;
};

Registry::Registry() : impl_(std::make_unique<Impl>()) {}
Registry::~Registry() = default;

OpEntry& Registry::add(std::string_view text, std::string_view source) { return add(parse_schema(text), source); }

OpEntry& Registry::add(FunctionSchema schema, std::string_view source) {
  auto entry = std::make_unique<OpEntry>();
  entry->name = schema.qualified_name();
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    if (schema.arguments[i].is_write()) entry->written.push_back(static_cast<uint16_t>(i));
  }
  for (const Argument& r : schema.returns) {
    entry->returns_list |= r.type.is_list();
    if (r.alias && !r.alias->is_write) entry->tag(kMayViewTag);
  }
  entry->schema = std::move(schema);
  entry->source = source;
  std::unique_lock lock(impl_->mutex);
  auto [at, inserted] = impl_->by_name.try_emplace(entry->name, nullptr);
  if (!inserted)
    fail_argument("duplicate registration: the operator {} is already registered (from {})", entry->name,
                  at->second->source);
  entry->id = static_cast<uint32_t>(impl_->by_name.size() - 1);
  OpEntry& added = *entry;
  at->second = std::move(entry);
  impl_->by_base.emplace(added.schema.base, &added);
  return added;
}

namespace {
/// Copies the declarations of `functional` to `variant`, the in-place or `out=` op that is derived from it.
OpEntry& derive(OpEntry& variant, const OpEntry& functional, WrittenForm form) {
  ERSATZ_ASSERT(functional.rule, "{} is derived from {}, which has no rule", variant.name, functional.name);
  variant.functional = &functional;
  variant.form = form;
  variant.tags = functional.tags.without(Tag::Core);
  variant.cpu_dtypes = functional.cpu_dtypes;
  variant.cuda_dtypes = functional.cuda_dtypes;
  variant.tolerance = functional.tolerance;
  variant.index_domains = functional.index_domains;
  variant.costly_rule = functional.costly_rule;
  variant.flops = nullptr;
  variant.device_rules = functional.device_rules;
  variant.device_rules.resize(variant.device_rules.empty() ? 0 : variant.schema.arguments.size(), DeviceRule::Same);
  variant.cpu(derived_kernel).cuda(derived_kernel);
  return variant;
}

/// Returns the alias annotation of the k-th written argument: `(a!)`, `(b!)`, ...
AliasInfo written_alias(size_t k) {
  AliasInfo alias;
  alias.before = alias.after = {std::string(1, static_cast<char>('a' + k))};
  alias.is_write = true;
  return alias;
}

/// Returns the schema of an `out=` overload: the op's arguments, then one keyword-only written argument per result. If
/// a result is a list, the overload returns nothing.
FunctionSchema out_schema(const OpEntry& op, std::string_view overload, std::initializer_list<std::string_view> names) {
  FunctionSchema schema = op.schema;
  schema.overload = overload;
  const size_t results = schema.returns.size();
  for (size_t k = 0; k < results; ++k) {
    Argument out;
    out.name = k < names.size() ? std::string(names.begin()[k]) : results == 1 ? "out" : fmt::format("out{}", k);
    out.type = schema.returns[k].type;
    out.ready_kinds = 1u << static_cast<int>(Value::Kind::Tensor);
    out.keyword_only = true;
    out.alias = schema.returns[k].alias = written_alias(k);
    schema.arguments.push_back(std::move(out));
  }
  if (!op.returns_list) return schema;
  schema.returns.clear();
  return parse_schema(to_string(schema));  // parsing sets the `ready_kinds` of each argument
}
}  // namespace

OpEntry& Registry::add_inplace(const OpEntry& functional, WrittenForm form) {
  return add_inplace_as(functional.schema.overload, functional, form);
}

OpEntry& Registry::add_inplace_as(std::string_view overload, const OpEntry& functional, WrittenForm form) {
  FunctionSchema schema = functional.schema;
  schema.base += '_';
  schema.overload = overload;
  ERSATZ_ASSERT(schema.returns.size() == 1 && !schema.arguments.empty(), "{} has no in-place form", functional.name);
  schema.arguments[0].alias = schema.returns[0].alias = written_alias(0);
  return derive(add(std::move(schema), functional.source), functional, form).with_rule(derived_inplace_rule);
}

OpEntry& Registry::add_out(const OpEntry& functional, std::string_view overload, std::optional<WrittenForm> form,
                           std::initializer_list<std::string_view> names) {
  ERSATZ_ASSERT(!functional.returns_list, "{} returns a list: its out= form is not derived", functional.name);
  OpEntry& op = add(out_schema(functional, overload, names), functional.source);
  op.out_arguments = static_cast<int>(functional.schema.returns.size());
  return derive(op, functional,
                form.value_or(
                    WrittenForm{.cast = functional.tags.has(Tag::Pointwise) ? WrittenCast::Any : WrittenCast::Own}))
      .with_rule(derived_out_rule);
}

OpEntry& Registry::add_out_alike(const OpEntry& op, std::string_view overload,
                                 std::initializer_list<std::string_view> names) {
  FunctionSchema schema = out_schema(op, overload, names);
  std::vector<DeviceRule> devices = op.device_rules;
  const int options = schema.find_argument("pin_memory") - 3;
  if (options >= 0) {
    schema.arguments.erase(schema.arguments.begin() + options, schema.arguments.begin() + options + 4);
    if (!devices.empty()) devices.erase(devices.begin() + options, devices.begin() + options + 4);
  }
  if (!devices.empty()) devices.resize(schema.arguments.size(), DeviceRule::Same);
  OpEntry& out = add(std::move(schema), op.source)
                     .tag(op.tags.without(Tag::Core).without(Tag::Factory))
                     .with_rule(op.rule)
                     .with_composite(op.composite)
                     .cpu(op.fill_kernels[0])
                     .cuda(op.fill_kernels[1])
                     .dtypes(op.cpu_dtypes)
                     .dtypes_on_cuda(op.cuda_dtypes)
                     .devices(std::move(devices));
  return out;
}

const OpEntry* Registry::find(std::string_view name) const {
  std::shared_lock lock(impl_->mutex);
  if (auto at = impl_->by_name.find(name); at != impl_->by_name.end()) return at->second.get();
  if (auto at = impl_->by_name.find(canonical_op_name(name)); at != impl_->by_name.end()) return at->second.get();
  // A name without namespace or overload must mean one op: the default overload, or the only overload without `out=`.
  const OpEntry* found = nullptr;
  for (const std::string_view base : bases_written(name)) {
    auto [first, last] = impl_->by_base.equal_range(base);
    for (auto at = first; at != last; ++at) {
      const OpEntry* op = at->second;
      if (!op_name_means(name, op->name)) continue;
      if (op->schema.overload.empty()) return op;
      if (op->schema.overload.ends_with("out") && !name.ends_with(op->schema.overload)) continue;
      if (found) return nullptr;
      found = op;
    }
  }
  return found;
}

OpEntry* Registry::find_mutable(std::string_view canonical_name) {
  return const_cast<OpEntry*>(std::as_const(*this).find(canonical_name));
}

std::vector<const OpEntry*> Registry::all() const {
  std::shared_lock lock(impl_->mutex);
  std::vector<const OpEntry*> ops;
  for (const auto& [name, entry] : impl_->by_name) ops.push_back(entry.get());
  return ops;
}

Registry& registry() {
  static Registry* filled = [] {
    auto* r = new Registry;  // never destroyed, because static locals of other files refer to entries
    register_all_ops(*r);
    return r;
  }();
  return *filled;
}

}  // namespace ersatz
