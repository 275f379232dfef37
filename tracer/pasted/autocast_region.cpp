// Reads Python calls in an autocast region of a graph from Dynamo. PyTorch converts their operands when they run. Here
// the conversions are added to the program as nodes.
#include <algorithm>

#include "runtime/base/error.h"
#include "runtime/op/autocast.h"
#include "tracer/pasted/graph_nodes.h"

namespace ersatz::pasted {

namespace {

bool is_narrow(DType d) { return d == DType::F16 || d == DType::BF16; }

}  // namespace

void GraphNodes::enter_autocast(const CallArgs& args) {
  AutocastRegion region;
  const auto given = [&](size_t i, Value::Kind kind) -> const Value* {
    if (i >= args.size() || args[i].kind != Arg::Kind::Literal) return nullptr;
    const Value& v = p_.literal(args[i]);
    return v.kind() == kind ? &v : nullptr;
  };
  const Value* device = given(0, Value::Kind::String);
  const auto known = device ? parse_device(device->as_string()) : std::nullopt;
  if (!known) fail_argument("an autocast region of an unknown device");
  region.device = known->type;
  region.narrow = known->is_cuda() ? DType::F16 : DType::BF16;
  if (const Value* dtype = given(1, Value::Kind::DType)) region.narrow = dtype->as_dtype();
  if (const Value* enabled = given(2, Value::Kind::Bool)) region.enabled = enabled->as_bool();
  regions_.push_back(region);
}

std::optional<std::vector<const TensorMeta*>> GraphNodes::tensors_of(std::span<const Arg> args) const {
  std::vector<const TensorMeta*> found;
  for (const Arg& a : args) {
    if (a.kind == Arg::Kind::List) {
      const auto items = tensors_of(p_.list(a));
      if (!items) return std::nullopt;
      found.insert(found.end(), items->begin(), items->end());
    } else if (a.kind == Arg::Kind::Value) {
      const GraphValue& v = g_.values[a.index];
      if (v.kind != ValueKind::Tensor && v.kind != ValueKind::Unknown) continue;
      const TensorMeta* meta = p_.meta(v);
      if (!meta) return std::nullopt;
      found.push_back(meta);
    }
  }
  return found;
}

std::optional<GraphNodes::AutocastRegion> GraphNodes::untold_region(const OpEntry& op, const CallArgs& args,
                                                                    const Annotation& annotation) const {
  if (annotation.kind != Annotation::Kind::Tensor) return std::nullopt;
  const std::optional<DType> result = dtype_called(annotation.dtype);
  AutocastRegion region;
  std::optional<DType> narrow;
  bool any_wide = false;
  for (const Arg& a : args) {
    const TensorMeta* meta = a.kind == Arg::Kind::Value ? p_.meta(g_.values[a.index]) : nullptr;
    if (!meta) continue;
    any_wide |= meta->dtype == DType::F32;
    if (is_narrow(meta->dtype)) narrow = meta->dtype;
    region.device = meta->device.type;
  }
  switch (op.autocast.on(region.device)) {
    case AutocastKind::Narrow:
      if (!result || !is_narrow(*result) || !any_wide) return std::nullopt;
      region.narrow = *result;
      return region;
    case AutocastKind::Wide:
    case AutocastKind::WideResult:
      if (result != DType::F32 || !narrow || any_wide) return std::nullopt;
      region.narrow = *narrow;
      return region;
    default:
      return std::nullopt;
  }
}

Arg GraphNodes::converted(const Arg& a, std::string_view name, DeviceType device, DType to) {
  if (a.kind == Arg::Kind::List) {
    std::vector<Arg> items(p_.list(a).begin(), p_.list(a).end());
    bool any = false;
    for (size_t i = items.size(); i-- > 0;) {
      const Arg item = converted(items[i], fmt::format("{}.{}", name, i), device, to);
      any |= item.index != items[i].index;
      items[i] = item;
    }
    if (!any) return a;
    Arg list = p_.add_list(items);
    list.name = a.name;
    return list;
  }
  const TensorMeta* meta = a.kind == Arg::Kind::Value ? p_.meta(g_.values[a.index]) : nullptr;
  if (!meta || !autocast_converts(*meta, device) || meta->dtype == to) return a;
  Arg made = entry_arg(call_operator(name, "aten.to.dtype", {{0, Arg::Kind::Value, a.index}, p_.add_literal(to)}, {}));
  made.name = a.name;
  return made;
}

Entry GraphNodes::call_in_region(std::string_view name, std::string_view callee, const OpEntry& op, CallArgs args,
                                 const Annotation& annotation) {
  const auto tensors = tensors_of(args);
  // Chooses the region of a device that one of the tensors is on. CUDA's region has precedence over the CPU's.
  const AutocastRegion* region = nullptr;
  for (const TensorMeta* t : tensors ? *tensors : std::vector<const TensorMeta*>()) {
    const auto of = std::find_if(regions_.rbegin(), regions_.rend(),
                                 [&](const AutocastRegion& r) { return r.device == t->device.type; });
    if (of != regions_.rend() && of->enabled && (!region || of->device == DeviceType::CUDA)) region = &*of;
  }
  const auto plain = [&] { return add_node(name, p_.add_op(op.name), args, annotation); };
  if (tensors && !region) return plain();
  const AutocastKind kind = op.autocast.on(region ? region->device : regions_.back().device);
  if (kind == AutocastKind::None && !op.composite) return plain();
  if (!tensors)
    return add_unknown(name, callee, args, annotation,
                       "is in an autocast region, and the text does not say what it is given");
  if (kind == AutocastKind::None) {
    // Autocast applies to the operators inside this operator. If all tensors have the result's dtype, nothing is
    // converted.
    const std::optional<DType> result =
        annotation.kind == Annotation::Kind::Tensor ? dtype_called(annotation.dtype) : std::nullopt;
    const bool even = result && std::all_of(tensors->begin(), tensors->end(), [&](const TensorMeta* t) {
                        return !autocast_converts(*t, region->device) || t->dtype == *result;
                      });
    if (even) return plain();
    return add_unknown(name, callee, args, annotation, "is in an autocast region, which converts parts of it");
  }
  const AutocastChange change = autocast_change(op, region->device, region->narrow, *tensors);
  if (change.operands) {
    const DeviceType device = region->device;
    for (size_t i = args.size(); i-- > 0;)
      args[i] = converted(args[i], fmt::format("{}.cast{}", name, i), device, *change.operands);
    return plain();
  }
  const bool widens = !args.empty() && args[0].kind == Arg::Kind::Value && p_.meta(g_.values[args[0].index]) &&
                      autocast_converts(*p_.meta(g_.values[args[0].index]), region->device);
  if (!widens) return plain();
  if (op.autocast.wide_form) {
    args.push_back(p_.add_literal(DType::F32));
    return add_node(name, p_.add_op(op.autocast.wide_form->name), args, annotation);
  }
  const auto& formals = op.schema.arguments;
  const auto dtype = std::find_if(formals.begin(), formals.end(), [](const Argument& a) { return a.name == "dtype"; });
  const bool named =
      dtype == formals.end() || static_cast<size_t>(dtype - formals.begin()) < args.size() ||
      std::any_of(args.begin(), args.end(), [&](const Arg& a) { return a.name && p_.name(a.name) == "dtype"; });
  if (!named) {
    Arg wide = p_.add_literal(DType::F32);
    wide.name = p_.names.intern("dtype");
    args.push_back(wide);
  }
  return plain();
}

}  // namespace ersatz::pasted
