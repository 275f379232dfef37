#include "tracer/pasted/graph_values.h"

#include <algorithm>
#include <cmath>

#include "runtime/base/error.h"
#include "tracer/pasted/words.h"

namespace ersatz::pasted {

GraphValues::GraphValues(Shared& shared, Graph& graph, const GraphText& text, int depth)
    : s_(shared), p_(shared.program), g_(graph), text_(text), depth_(depth) {
  for (size_t i = 0; i < text.children.size(); ++i) children_.emplace(text.children[i].name, i);
}

// The next functions handle names and values.

NameId GraphValues::unique(std::string_view wanted) {
  std::string name(wanted.empty() ? "unnamed" : wanted);
  for (int i = 1; !taken_.insert(name).second; ++i) name = fmt::format("{}.{}", wanted, i);
  return p_.names.intern(name);
}

ValueId GraphValues::new_value(std::string_view name, ValueKind kind, NodeId node) {
  GraphValue v;
  v.name = unique(name);
  v.kind = kind;
  v.node = node;
  return p_.add_value(g_, v);
}

void GraphValues::bound_symbols(const std::string& expression) {
  const auto& hints = s_.hints->symbols;
  for (size_t at = 0; !hints.empty() && at < expression.size();) {
    const size_t begin = at;
    while (at < expression.size() && in_name(expression[at])) ++at;
    const std::string_view name = std::string_view(expression).substr(begin, at - begin);
    const auto hint = name.empty() || is_digit(name[0]) ? hints.end() : hints.find(name);
    if (hint != hints.end() && !hint->second.real && s_.bounded.insert(std::string(name)).second) {
      p_.env->parse(hint->first);
      if (const SymbolInfo* known = p_.env->find_symbol(name)) {
        SymbolInfo info = *known;
        apply_hint(hint->second, info);
        p_.env->symbol(info);
      }
    }
    if (at == begin) ++at;
  }
}

void GraphValues::record(ValueId id, const Annotation& a) {
  GraphValue& v = g_.values[id];
  if (a.kind == Annotation::Kind::Tensor) {
    if (a.dtype == kAnyDtype) {
      // If the operator is unknown too, a layout without a dtype gives no metadata.
      if (v.node == kNone || !p_.op(g_.nodes[v.node]).entry) return;
      Annotation layout = a;
      layout.dtype = "f32";  // a dtype that is never compared, because `Untold::dtypes` is set
      s_.dtypes_untold = true;
      return record(id, layout);
    }
    if (!dtype_called(a.dtype)) {
      list_unread(fmt::format("{}: dtype {} is not known here", p_.name(v.name), a.dtype));
      return;
    }
    for (const std::string& size : a.sizes) bound_symbols(size);
    TensorMeta meta = meta_of(a, *p_.env);
    if (a.device.empty() && s_.device) meta.device = *s_.device;
    v.kind = ValueKind::Tensor;
    v.record = p_.add_meta(meta);
    s_.strides_untold |= !a.strides && !a.row_major;
  } else if (a.kind == Annotation::Kind::Number) {
    number(v, a.expression);
  }
}

void GraphValues::number(GraphValue& v, const std::string& text) {
  const auto compares = [&](std::string_view op) { return text.find(op) != text.npos; };
  if (compares(" >= ") || compares(" <= ") || compares(" == ") || compares(" > ") || compares(" < ") ||
      compares(" != ") || text.starts_with("Eq(") || text.starts_with("Ne(") || text == "True" || text == "False") {
    v.kind = ValueKind::Bool;
    v.record = text == "True" || text == "False" ? p_.add_literal(text == "True").index
                                                 : p_.add_literal(Value(std::string_view(text))).index;
    return;
  }
  const bool real = text.starts_with("zf") || text.starts_with("zuf") || text.find("ToFloat") != text.npos ||
                    text.find("IntTrueDiv") != text.npos || text.find("FloatTrueDiv") != text.npos ||
                    text.find("OpaqueUnaryFn") != text.npos || text.find('.') != text.npos;
  if (real) {
    v.kind = ValueKind::Float;
    if (const auto x = real_number(text)) {
      v.record = p_.add_literal(*x).index;
    } else if (const auto found = s_.hints->symbols.find(text);
               found != s_.hints->symbols.end() && found->second.real) {
      v.record = p_.add_literal(*found->second.real).index;
    } else {
      v.record = p_.add_literal(Value(std::string_view(text))).index;
    }
    return;
  }
  try {
    bound_symbols(text);
    v.record = p_.add_literal(Value(p_.env->parse(text))).index;
    v.kind = ValueKind::Int;
  } catch (const Error& e) {
    if (e.kind == ErrorKind::InternalError) throw;
    list_unread(fmt::format("{}: {}", p_.name(v.name), e.message));
  }
}

Entry GraphValues::value_entry(ValueId id) const {
  Entry e;
  e.kind = Entry::Kind::Value;
  e.value = id;
  return e;
}

// The next functions add inputs.

ValueId GraphValues::add_input(std::string_view name, const Annotation& annotation) {
  const ValueId id = new_value(name, ValueKind::Unknown, kNone);
  record(id, annotation);
  GraphInput in;
  in.value = id;
  g_.inputs.push_back(in);
  return id;
}

Entry GraphValues::unknown_input(std::string_view name) {
  const Entry e = value_entry(add_input(name, {}));
  names_[std::string(name)] = e;
  return e;
}

Annotation GraphValues::annotation_of(std::string_view text) {
  try {
    return parse_annotation(text);
  } catch (const Error& e) {
    fail_argument("line {}: {}", line_, e.message);
  }
}

// The next functions read arguments.

Entry GraphValues::look_up(const std::string& name) {
  const auto found = names_.find(name);
  if (found != names_.end()) {
    if (found->second.kind == Entry::Kind::Lost) return unknown_input(name);
    return found->second;
  }
  if (text_.signature) fail_argument("{} is used and nothing before this makes it", name);
  return unknown_input(name);
}

std::optional<Value> GraphValues::constant(const std::string& name) const {
  if (name == "True" || name == "False") return Value(name == "True");
  if (name == "inf" || name == "math.inf") return Value(HUGE_VAL);
  if (name == "nan" || name == "math.nan") return Value(std::nan(""));
  if (!name.starts_with("torch.")) return std::nullopt;
  const std::string_view rest = std::string_view(name).substr(6);
  if (rest == "strided") return Value(Layout::Strided);
  if (rest.ends_with("_format") || rest.starts_with("channels_last")) {
    std::string_view format = rest;
    if (format.ends_with("_format")) format.remove_suffix(7);
    if (const auto f = parse_memory_format(format)) return Value(*f);
  }
  if (const auto dtype = dtype_called(rest)) return Value(*dtype);
  return std::nullopt;
}

bool GraphValues::is_one_value(Items& items) {
  if (!items.open || items.list) return false;
  if (items.entries.empty()) {
    items.entries.push_back(value_entry(new_value(items.name, ValueKind::Unknown, items.node)));
    direct_.insert(items.node);
  }
  return direct_.contains(items.node);
}

Arg GraphValues::entry_arg(const Entry& e) {
  switch (e.kind) {
    case Entry::Kind::Value:
      return {0, Arg::Kind::Value, e.value};
    case Entry::Kind::Literal:
      return e.literal;
    case Entry::Kind::Items: {
      if (is_one_value(items_[e.index])) return {0, Arg::Kind::Value, items_[e.index].entries[0].value};
      std::vector<Arg> items;
      for (size_t i = 0; i < items_[e.index].entries.size(); ++i)
        items.push_back(entry_arg(items_[e.index].entries[i]));
      return p_.add_list(items);
    }
    case Entry::Kind::Graph:
      return {0, Arg::Kind::Graph, nested_graph(e.index)};
    case Entry::Kind::Size:
      fail_argument("a whole size where a value is expected");
    default:
      return {};
  }
}

Arg GraphValues::argument(const Expr& e, int depth) {
  if (depth > kMaxNested) fail_argument("an argument is nested more than {} deep", kMaxNested);
  switch (e.kind) {
    case Expr::Kind::Name:
      if (e.text == "None" || e.text == "Ellipsis") return {};
      if (const auto v = constant(e.text)) return p_.add_literal(*v);
      return entry_arg(look_up(e.text));
    case Expr::Kind::Int:
      return p_.add_literal(integer(e.text));
    case Expr::Kind::Float:
      return p_.add_literal(real(e.text));
    case Expr::Kind::String:
      return p_.add_literal(Value(std::string_view(e.text)));
    case Expr::Kind::Tuple:
    case Expr::Kind::List: {
      std::vector<Arg> items;
      for (const Expr& item : e.items) items.push_back(argument(item, depth + 1));
      return p_.add_list(items);
    }
    case Expr::Kind::Dict: {
      std::vector<Arg> items;
      for (size_t i = 0; i + 1 < e.items.size(); i += 2) {
        if (e.items[i].kind != Expr::Kind::String) fail_argument("a key of a dictionary is no text");
        items.push_back(argument(e.items[i + 1], depth + 1));
        items.back().name = p_.names.intern(e.items[i].text);
      }
      return p_.add_dict(items);
    }
    case Expr::Kind::Unary:
      return signed_number(e);
    case Expr::Kind::Attribute:
      return attribute_argument(e);
    case Expr::Kind::Call:
      return made_argument(e);
    default:
      fail_argument("'{}' is code where an argument belongs", place(e));
  }
}

std::string GraphValues::place(const Expr& e) const {
  return std::string(
      std::string_view(written_).substr(std::min(e.begin, written_.size()), std::min<size_t>(e.end - e.begin, 40)));
}

Value GraphValues::integer(const std::string& digits) {
  const auto n = whole_number(digits);
  if (!n) fail_argument("{} is no integer of 64 bits", digits);
  return Value(*n);
}

Value GraphValues::real(const std::string& digits) {
  double x = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), x);
  if (end != digits.data() + digits.size()) fail_argument("{} is no number", digits);
  if (error == std::errc::result_out_of_range) x = HUGE_VAL;
  return Value(x);
}

Arg GraphValues::signed_number(const Expr& e) {
  const Expr& of = e.items[0];
  if (e.text == "-" && of.kind == Expr::Kind::Int) return p_.add_literal(integer("-" + of.text));
  if (e.text == "-" && of.kind == Expr::Kind::Float) return p_.add_literal(-real(of.text).as_double());
  if (e.text == "-" && of.is_name("inf")) return p_.add_literal(-HUGE_VAL);
  if (e.text == "+") return argument(of, 1);
  fail_argument("'{}' is code where an argument belongs", place(e));
}

Arg GraphValues::attribute_argument(const Expr& e) {
  const std::string name = dotted_name(e);
  if (const auto v = constant(name)) return p_.add_literal(*v);
  if (name.starts_with("self.")) return entry_arg(member(name.substr(5), name.substr(5), {}));
  if (name.starts_with("torch.ops.")) {
    try {
      return {0, Arg::Kind::Operator, p_.add_op(name)};
    } catch (const Error& error) {
      fail_argument("{}", error.message);
    }
  }
  if (name.starts_with("torch.")) return p_.add_literal(Value(std::string_view(name)));
  fail_argument("'{}' is code where an argument belongs", place(e));
}

Arg GraphValues::made_argument(const Expr& e) {
  const std::string callee = dotted_name(e.items[0]);
  std::vector<const Expr*> args;
  std::map<std::string, const Expr*> keywords;
  for (size_t i = 1; i < e.items.size(); ++i) {
    if (e.keyword(i).empty()) {
      args.push_back(&e.items[i]);
    } else {
      keywords[std::string(e.keyword(i))] = &e.items[i];
    }
  }
  if (callee == "device" || callee == "torch.device") {
    const Expr* type = !args.empty() ? args[0] : keywords.contains("type") ? keywords["type"] : nullptr;
    if (!type || type->kind != Expr::Kind::String) fail_argument("a device without a type");
    std::string text = type->text;
    if (keywords.contains("index") && keywords["index"]->kind == Expr::Kind::Int && text != "cpu" && text != "meta")
      text += ":" + keywords["index"]->text;
    const auto device = parse_device(text);
    if (!device) fail_argument("device {} is not known here", text);
    return p_.add_literal(*device);
  }
  const auto part = [&](const Expr* x) {
    const Arg a = argument(*x, 1);
    const bool number = a.kind == Arg::Kind::Literal && p_.literal(a).is_number();
    if (!number) fail_argument("{} of what is no number", callee);
    return p_.literal(a).as_double();
  };
  if (callee == "complex" && args.size() == 2)
    return p_.add_literal(std::complex<double>(part(args[0]), part(args[1])));
  if (callee == "float" && args.size() == 1 && args[0]->kind == Expr::Kind::String) {
    const std::string& text = args[0]->text;
    if (text == "inf") return p_.add_literal(HUGE_VAL);
    if (text == "-inf") return p_.add_literal(-HUGE_VAL);
    if (text == "nan") return p_.add_literal(std::nan(""));
  }
  fail_argument("'{}' is code where an argument belongs", place(e));
}

CallArgs GraphValues::arguments_of(const Expr& call, std::optional<Arg> first) {
  CallArgs args;
  if (first) args.push_back(*first);
  for (size_t i = 1; i < call.items.size(); ++i) {
    Arg a = argument(call.items[i]);
    if (!call.keyword(i).empty()) a.name = p_.names.intern(call.keyword(i));
    args.push_back(a);
  }
  return args;
}

// The next functions read members of the module.

Entry GraphValues::member(const std::string& path, std::string_view name, const Annotation& annotation) {
  if (const auto child = children_.find(path); child != children_.end()) {
    Entry e;
    e.kind = Entry::Kind::Graph;
    e.index = static_cast<uint32_t>(child->second);
    return e;
  }
  if (const auto there = members_.find(path); there != members_.end()) return there->second;
  const Entry e = value_entry(add_input(name, annotation));
  if (annotation.kind == Annotation::Kind::None)
    list_unread(fmt::format("self.{}: the text does not say what it is", path));
  members_[path] = e;
  return e;
}

}  // namespace ersatz::pasted
