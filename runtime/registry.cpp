#include "runtime/registry.h"

#include <algorithm>
#include <map>
#include <shared_mutex>

#include "runtime/derived.h"

namespace ersatz {

struct Registry::Impl {
  mutable std::shared_mutex mutex;
  std::map<std::string, std::unique_ptr<OpEntry>, std::less<>> by_name;
  std::multimap<std::string, OpEntry*, std::less<>> by_base;
};

Registry::Registry() : impl_(std::make_unique<Impl>()) {}
Registry::~Registry() = default;

bool OpEntry::has_kernel(DeviceType d) const {
  if (functional) return functional->has_kernel(d);
  auto i = static_cast<size_t>(d);
  return fill_kernels[i].load() || return_kernels[i].load();
}

OpEntry& Registry::add(std::string_view text, std::string_view source) {
  FunctionSchema schema = parse_schema(text);
  auto entry = std::make_unique<OpEntry>();
  entry->name = schema.qualified_name();
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    if (schema.arguments[i].is_write()) entry->written.push_back(static_cast<uint16_t>(i));
  }
  for (const Argument& r : schema.returns) entry->returns_list |= r.type.is_list();
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
/// A variant shares what its functional op declares.
OpEntry& derive(OpEntry& variant, const OpEntry& functional) {
  ERSATZ_ASSERT(functional.rule, "{} is derived from {}, which has no rule", variant.name, functional.name);
  variant.functional = &functional;
  variant.tags = functional.tags;
  variant.cpu_dtypes = functional.cpu_dtypes;
  variant.tolerance = functional.tolerance;
  variant.index_domains = functional.index_domains;
  variant.costly_rule = functional.costly_rule;
  variant.flops = nullptr;
  variant.device_rules = functional.device_rules;
  variant.device_rules.resize(variant.device_rules.empty() ? 0 : variant.schema.arguments.size(), DeviceRule::Same);
  variant.cpu(derived_kernel).cuda(derived_kernel);
  return variant;
}
}  // namespace

OpEntry& Registry::add_inplace(std::string_view schema, const OpEntry& functional) {
  OpEntry& op = add(schema, functional.source);
  ERSATZ_ASSERT(!op.written.empty() && op.written[0] == 0, "{} does not write its first argument", op.name);
  return derive(op, functional).with_rule(derived_inplace_rule);
}

OpEntry& Registry::add_out(std::string_view schema, const OpEntry& functional) {
  OpEntry& op = add(schema, functional.source);
  op.out_arguments =
      static_cast<int>(op.schema.arguments.size()) - static_cast<int>(functional.schema.arguments.size());
  ERSATZ_ASSERT(op.out_arguments > 0, "{} has no out= argument more than {}", op.name, functional.name);
  return derive(op, functional).with_rule(derived_out_rule);
}

const OpEntry* Registry::find(std::string_view name) const {
  std::shared_lock lock(impl_->mutex);
  if (auto at = impl_->by_name.find(name); at != impl_->by_name.end()) return at->second.get();
  if (auto at = impl_->by_name.find(canonical_op_name(name)); at != impl_->by_name.end()) return at->second.get();
  // A bare base name, where only one overload is meant: the default one, or the only one that takes no out=.
  const OpEntry* found = nullptr;
  auto [first, last] = impl_->by_base.equal_range(name);
  for (auto at = first; at != last; ++at) {
    const OpEntry* op = at->second;
    if (op->schema.overload.empty()) return op;
    if (op->schema.overload.ends_with("out")) continue;
    if (found) return nullptr;
    found = op;
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
    auto* r = new Registry;  // never destroyed: entries are referred to by static locals
    register_all_ops(*r);
    return r;
  }();
  return *filled;
}

const OpEntry& op_named(std::string_view name) {
  if (const OpEntry* op = registry().find(name)) return *op;
  std::string near;
  std::string canonical = canonical_op_name(name);
  std::string_view base = std::string_view(canonical).substr(0, canonical.rfind('.') + 1);
  for (const OpEntry* op : registry().all()) {
    if (op->name.starts_with(base)) near += (near.empty() ? "; there is " : ", ") + op->name;
  }
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "no operator is named {}{}", name, near);
}

}  // namespace ersatz
