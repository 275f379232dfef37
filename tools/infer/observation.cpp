#include "tools/infer/observation.h"

#include <algorithm>

#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"

namespace ersatz::tools {

using ArgumentKind = SeenArgument::Kind;

PlainMeta plain_meta(const TensorMeta& meta) {
  const auto sizes = as_ints(meta.sizes), strides = as_ints(meta.strides);
  return {meta.dtype, meta.device, Extents(sizes.begin(), sizes.end()), Extents(strides.begin(), strides.end()),
          meta.offset.as_int()};
}

TensorMeta tensor_meta(const PlainMeta& meta) {
  DimVec sizes(meta.sizes.begin(), meta.sizes.end()), strides(meta.strides.begin(), meta.strides.end());
  return TensorMeta(meta.dtype, sizes, strides, meta.device, meta.offset);
}

namespace {

/// Stores a value that is no tensor in `seen`. Returns false if it is symbolic.
bool see_literal(const Value& v, SeenArgument& seen) {
  if (v.is_symbolic()) return false;
  switch (v.kind()) {
    case Value::Kind::None:
      seen.kind = ArgumentKind::None;
      return true;
    case Value::Kind::Bool:
      seen.kind = ArgumentKind::Bool;
      seen.number = v.as_bool();
      return true;
    case Value::Kind::Int:
      seen.kind = ArgumentKind::Int;
      seen.number = v.as_int64();
      return true;
    case Value::Kind::Float:
      seen.kind = ArgumentKind::Float;
      return true;
    case Value::Kind::Complex:
      seen.kind = ArgumentKind::Complex;
      return true;
    case Value::Kind::DType:
      seen.kind = ArgumentKind::DType;
      seen.number = static_cast<int64_t>(v.as_dtype());
      return true;
    case Value::Kind::IntList: {
      if (!all_int(v.as_ints())) return false;
      const auto ints = as_ints(v.as_ints());
      seen.kind = ArgumentKind::Ints;
      seen.ints.assign(ints.begin(), ints.end());
      return true;
    }
    default:
      seen.kind = ArgumentKind::Other;
      seen.text = to_string(v);
      return true;
  }
}

/// Stores any argument in `seen`. `flat` counts tensors. Returns false if the argument is symbolic.
bool see_value(const Value& v, int& flat, SeenArgument& seen) {
  const auto see_tensor = [&](const Value& item) {
    const TensorMeta& meta = item.tensor_impl()->meta;
    if (meta.is_symbolic()) return false;
    if (seen.tensors.empty()) seen.first_flat = flat;
    seen.tensors.push_back(plain_meta(meta));
    ++flat;
    return true;
  };
  if (v.is_tensor()) {
    seen.kind = ArgumentKind::Tensor;
    return see_tensor(v);
  }
  if (v.kind() == Value::Kind::List) {
    const auto items = v.as_list();
    if (items.empty()) {
      seen.kind = ArgumentKind::Ints;
      return true;
    }
    if (std::all_of(items.begin(), items.end(), [](const Value& i) { return i.is_tensor(); })) {
      seen.kind = ArgumentKind::Tensors;
      return std::all_of(items.begin(), items.end(), see_tensor);
    }
    for (const Value& item : items) flat += item.is_tensor();
  }
  return see_literal(v, seen);
}

std::string word_of(const SeenArgument& a) {
  switch (a.kind) {
    case ArgumentKind::None:
      return "none";
    case ArgumentKind::Tensor:
      return "tensor";
    case ArgumentKind::Tensors:
      return "tensors";
    case ArgumentKind::Ints:
      return "ints";
    case ArgumentKind::DType:
      return "dtype";
    case ArgumentKind::Other:
      return a.text;
    default:
      return "number";
  }
}

std::string spell_one(const SeenArgument& a) {
  std::string text;
  switch (a.kind) {
    case ArgumentKind::None:
      return "None";
    case ArgumentKind::Tensor:
      return to_string(tensor_meta(a.tensors[0]), MetaStyle::People);
    case ArgumentKind::Tensors:
      for (const PlainMeta& t : a.tensors)
        text += (text.empty() ? "" : ", ") + to_string(tensor_meta(t), MetaStyle::People);
      return "[" + text + "]";
    case ArgumentKind::Ints:
      for (int64_t i : a.ints) text += (text.empty() ? "" : ", ") + std::to_string(i);
      return "[" + text + "]";
    case ArgumentKind::Bool:
      return a.number ? "True" : "False";
    case ArgumentKind::Int:
      return std::to_string(a.number);
    case ArgumentKind::Float:
      return "0.5";
    case ArgumentKind::Complex:
      return "(0.5+1j)";
    case ArgumentKind::DType:
      return std::string(name(static_cast<DType>(a.number)));
    case ArgumentKind::Other:
      return a.text;
  }
  return text;
}

/// Converts a recorded argument. `type` is its type in the schema; null if unknown.
std::optional<SeenArgument> see_recorded(const RecordedArgument& a, const CallRecord& record, const SchemaType* type,
                                         int& flat) {
  SeenArgument seen;
  const auto add = [&](int tensor) {
    if (seen.tensors.empty()) seen.first_flat = flat;
    seen.tensors.push_back(plain_meta(record.tensors[static_cast<size_t>(tensor)].meta));
    ++flat;
  };
  const auto see_literal_of = [&](Value v) {
    if (type) convert_value(*type, v);  // convert as binding the call to the schema does
    return see_value(v, flat, seen);
  };
  if (a.kind == RecordedArgument::Kind::Tensor) {
    seen.kind = ArgumentKind::Tensor;
    add(a.tensor);
  } else if (a.kind == RecordedArgument::Kind::List) {
    const auto is_tensor = [](const RecordedArgument& i) { return i.kind == RecordedArgument::Kind::Tensor; };
    if (!a.items.empty() && std::all_of(a.items.begin(), a.items.end(), is_tensor)) {
      seen.kind = ArgumentKind::Tensors;
      for (const RecordedArgument& item : a.items) add(item.tensor);
    } else if (std::none_of(a.items.begin(), a.items.end(), is_tensor)) {
      std::vector<Value> items;
      for (const RecordedArgument& item : a.items) items.push_back(argument_value(item, {}));
      if (!see_literal_of(Value::packed(items))) return std::nullopt;
    } else {
      return std::nullopt;
    }
  } else if (!see_literal_of(a.literal)) {
    return std::nullopt;
  }
  return seen;
}

}  // namespace

std::optional<std::vector<SeenArgument>> seen_arguments(std::span<const Value> args) {
  std::vector<SeenArgument> seen(args.size());
  int flat = 0;
  for (size_t i = 0; i < args.size(); ++i) {
    if (!see_value(args[i], flat, seen[i])) return std::nullopt;
  }
  return seen;
}

Observation observe(std::vector<SeenArgument> before, std::span<const Value> args, std::span<const Value> results) {
  Observation o{std::move(before), {}, {}};
  o.spelling = spell(o.arguments);
  std::vector<const TensorImpl*> tensors;
  for_each_tensor(args, [&](const TensorImpl* t) { tensors.push_back(t); });
  const auto add = [&](const Value& v) {
    SeenResult& r = o.results.emplace_back();
    if (v.is_tensor()) {
      const TensorImpl* t = v.tensor_impl();
      r.kind = SeenResult::Kind::Tensor;
      r.meta = plain_meta(t->meta);
      for (size_t k = tensors.size(); k-- > 0;) {
        if (tensors[k]->storage == t->storage) r.storage_of = static_cast<int>(k);
        if (tensors[k] == t) r.is = static_cast<int>(k);
      }
    } else {
      r.kind = v.is_none() ? SeenResult::Kind::None : SeenResult::Kind::Number;
    }
  };
  for (const Value& v : results) {
    if (v.kind() == Value::Kind::List) {
      for (const Value& item : v.as_list()) add(item);
    } else {
      add(v);
    }
  }
  return o;
}

std::optional<Observation> observe(const CallRecord& record, const FunctionSchema* schema,
                                   std::vector<std::string>& names) {
  if (!record.unusable.empty() || !record.outcome.error.empty()) return std::nullopt;
  Observation o;
  int flat = 0;
  std::vector<bool> given;
  size_t last_with_tensors = 0;
  for (const RecordedArgument& a : record.args) {
    size_t at = a.name.empty() ? static_cast<size_t>(&a - record.args.data())
                               : static_cast<size_t>(std::find(names.begin(), names.end(), a.name) - names.begin());
    if (at >= names.size()) {
      if (schema) return std::nullopt;
      names.resize(at + 1);
      names[at] = a.name.empty() ? fmt::format("arg{}", at) : a.name;
    }
    std::optional<SeenArgument> seen = see_recorded(a, record, schema ? &schema->arguments[at].type : nullptr, flat);
    if (!seen) return std::nullopt;
    if (schema && !seen->tensors.empty()) {  // tensors are numbered in the schema's order of arguments
      if (at < last_with_tensors) return std::nullopt;
      last_with_tensors = at;
    }
    o.arguments.resize(std::max({o.arguments.size(), names.size(), at + 1}));
    given.resize(o.arguments.size());
    o.arguments[at] = std::move(*seen);
    given[at] = true;
  }
  o.arguments.resize(names.size());
  given.resize(names.size());
  for (size_t i = 0; schema && i < given.size(); ++i) {
    const std::optional<Value>& left_out = schema->arguments[i].default_value;
    if (!given[i] && left_out && !see_value(*left_out, flat, o.arguments[i])) return std::nullopt;
  }
  o.spelling = spell(o.arguments);
  for (const RecordedResult& from : record.outcome.results) {
    SeenResult& r = o.results.emplace_back();
    if (from.kind != RecordedResult::Kind::Tensor) {
      r.kind = from.kind == RecordedResult::Kind::None ? SeenResult::Kind::None : SeenResult::Kind::Number;
      continue;
    }
    r.kind = SeenResult::Kind::Tensor;
    r.meta = plain_meta(from.tensor.meta);
    r.is = from.tensor.is;
    for (size_t k = record.tensors.size(); k-- > 0;) {
      if (record.tensors[k].storage == from.tensor.storage) r.storage_of = static_cast<int>(k);
    }
    if (r.is >= 0) r.storage_of = r.is;
  }
  return o;
}

std::string pattern_of(std::span<const SeenArgument> arguments) {
  std::string text;
  for (const SeenArgument& a : arguments) text += (text.empty() ? "" : ", ") + word_of(a);
  return text;
}

std::string signature_of(std::span<const SeenArgument> arguments) {
  std::string text;
  for (const SeenArgument& a : arguments) {
    text += (text.empty() ? "" : ", ") + word_of(a);
    if (!a.tensors.empty()) text += std::to_string(a.tensors[0].rank());
    if (a.kind == ArgumentKind::Ints) text += std::to_string(a.ints.size());
  }
  return text;
}

std::string spell(std::span<const SeenArgument> arguments) {
  std::string text;
  for (const SeenArgument& a : arguments) text += (text.empty() ? "" : ", ") + spell_one(a);
  return text;
}

}  // namespace ersatz::tools
