#include "tracer/pasted/fx_graph.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "runtime/base/error.h"
#include "tracer/pasted/torch_calls.h"
#include "tracer/pasted/words.h"
#include "tracer/program/verify.h"

namespace ersatz::pasted {

namespace {

constexpr size_t kMaxItems = 4096;  // results of one node
constexpr int kMaxNested = 64;      // brackets of an argument

/// `model.py:17 in forward: h = relu(x)` of `# File: model.py:17 in forward, code: h = relu(x)`; empty of a comment
/// that says that there is no line; none of another comment.
std::optional<std::string> source_of(std::string_view comment) {
  const size_t at = comment.find("File: ");
  if (at == comment.npos) {
    return comment.find("No stacktrace found") != comment.npos ? std::optional(std::string()) : std::nullopt;
  }
  std::string out(comment.substr(at + 6));
  if (const size_t code = out.find(", code: "); code != out.npos) out.replace(code, 8, ": ");
  return out;
}

/// What a name stands for.
struct Entry {
  enum class Kind : uint8_t { None, Value, Items, Graph, Literal, Size, Lost };
  Kind kind = Kind::None;
  ValueId value = kNone;  ///< of Value and Size (the tensor whose size it is)
  uint32_t index = 0;     ///< of Items: in GraphReader::items_; of Graph: among the children
  Arg literal;
};

/// Results of a node that returns several values, or a list.
struct Items {
  NodeId node = 0;
  std::string name;
  bool open = false;  ///< how many there are is not known: those that are used, and all before them
  bool list = false;  ///< they are one `Tensor[]`
  std::vector<Entry> entries;
};

/// What all graphs of a program share.
struct Shared {
  Program program;
  const GraphHints* hints = nullptr;
  std::vector<Unread> unread;
  size_t nodes = 0;
  bool strides_untold = false;
  std::optional<Device> device;  ///< of annotations that name none
  std::unordered_map<const GraphText*, uint32_t> graphs;
};

class GraphReader {
 public:
  GraphReader(Shared& shared, Graph& graph, const GraphText& text, int depth)
      : s_(shared), p_(shared.program), g_(graph), text_(text), overloads_(p_, graph), depth_(depth) {
    for (size_t i = 0; i < text.children.size(); ++i) children_.emplace(text.children[i].name, i);
  }

  void read() {
    if (text_.signature) signature();
    for (const BodyLine& line : text_.body) {
      line_ = line.number;
      if (line.comment) {
        if (auto source = source_of(line.text)) source_ = p_.names.intern(*source);
        continue;
      }
      try {
        for (const PyStatement& statement : parse_statements(line.text)) {
          written_ = line.text;
          this->statement(statement);
        }
      } catch (const Error& e) {
        if (e.kind == ErrorKind::InternalError) throw;
        if (text_.cut && &line == &text_.body.back()) {
          list_unread("the text ends within this statement");
          break;
        }
        fail_argument("line {}: {}", line.number, e.message);
      }
    }
    finish();
  }

 private:
  // Names and values.

  NameId unique(std::string_view wanted) {
    std::string name(wanted.empty() ? "unnamed" : wanted);
    for (int i = 1; !taken_.insert(name).second; ++i) name = fmt::format("{}.{}", wanted, i);
    return p_.names.intern(name);
  }

  ValueId new_value(std::string_view name, ValueKind kind, NodeId node) {
    GraphValue v;
    v.name = unique(name);
    v.kind = kind;
    v.node = node;
    return p_.add_value(g_, v);
  }

  void list_unread(std::string reason) { s_.unread.push_back({line_, std::move(reason)}); }

  /// Writes into the value what its annotation says.
  void record(ValueId id, const Annotation& a) {
    GraphValue& v = g_.values[id];
    if (a.kind == Annotation::Kind::Tensor) {
      if (!dtype_called(a.dtype)) {
        list_unread(fmt::format("{}: dtype {} is not known here", p_.name(v.name), a.dtype));
        return;
      }
      TensorMeta meta = meta_of(a, *p_.env);
      if (a.device.empty() && s_.device) meta.device = *s_.device;
      v.kind = ValueKind::Tensor;
      v.record = p_.add_meta(meta);
      s_.strides_untold |= !a.strides && !a.row_major;
    } else if (a.kind == Annotation::Kind::Number) {
      number(v, a.expression);
    }
  }

  void number(GraphValue& v, const std::string& text) {
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
      v.record = p_.add_literal(Value(p_.env->parse(text))).index;
      v.kind = ValueKind::Int;
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError) throw;
      list_unread(fmt::format("{}: {}", p_.name(v.name), e.message));
    }
  }

  Entry value_entry(ValueId id) const {
    Entry e;
    e.kind = Entry::Kind::Value;
    e.value = id;
    return e;
  }

  // Inputs.

  ValueId add_input(std::string_view name, const Annotation& annotation) {
    const ValueId id = new_value(name, ValueKind::Unknown, kNone);
    record(id, annotation);
    GraphInput in;
    in.value = id;
    g_.inputs.push_back(in);
    return id;
  }

  Entry unknown_input(std::string_view name) {
    const Entry e = value_entry(add_input(name, {}));
    names_[std::string(name)] = e;
    return e;
  }

  void signature() {
    line_ = text_.first;
    flattens_ = std::any_of(text_.body.begin(), text_.body.end(), [](const BodyLine& line) {
      return !line.comment && line.text.find("tree_flatten_spec(") != line.text.npos;
    });
    size_t given = 0;
    for (const PyParameter& parameter : text_.signature->parameters) {
      if (parameter.name == "self") continue;
      Annotation a = annotation_of(parameter.annotation);
      if (depth_ == 0 && given < s_.hints->inputs.size() && a.kind != Annotation::Kind::Tensor)
        a = s_.hints->inputs[given];
      ++given;
      if (flattens_) {  // the inputs are named where the containers are taken apart
        if (a.kind != Annotation::Kind::None) announced_[parameter.name] = a;
        continue;
      }
      names_[parameter.name] = value_entry(add_input(parameter.name, a));
      ++s_.nodes;
    }
  }

  Annotation annotation_of(std::string_view text) {
    try {
      return parse_annotation(text);
    } catch (const Error& e) {
      fail_argument("line {}: {}", line_, e.message);
    }
  }

  /// `x, y, = fx_pytree.tree_flatten_spec(([x, y], {}), self._in_spec)`: the inputs are those on the left, and what
  /// stood in the signature were the containers that they come from.
  void flattened_inputs(const PyStatement& statement) {
    std::vector<std::string> flat;
    for (const Expr& target : statement.targets) {
      if (target.kind == Expr::Kind::Name) flat.push_back(target.text);
      if (target.kind != Expr::Kind::Tuple) continue;
      for (const Expr& item : target.items) flat.push_back(item.text);
    }
    for (const std::string& name : flat) {
      const auto announced = announced_.find(name);
      if (names_.contains(name)) fail_argument("a second input {}", name);
      names_[name] = value_entry(add_input(name, announced == announced_.end() ? Annotation() : announced->second));
      ++s_.nodes;
    }
  }

  // Arguments.

  Entry look_up(const std::string& name) {
    const auto found = names_.find(name);
    if (found != names_.end()) {
      if (found->second.kind == Entry::Kind::Lost) return unknown_input(name);
      return found->second;
    }
    if (text_.signature) fail_argument("{} is used and nothing before this makes it", name);
    return unknown_input(name);
  }

  std::optional<Value> constant(const std::string& name) const {
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

  /// What a node of an unknown operator returns is one value where nothing takes an item of it.
  bool is_one_value(Items& items) {
    if (!items.open || items.list) return false;
    if (items.entries.empty()) {
      items.entries.push_back(value_entry(new_value(items.name, ValueKind::Unknown, items.node)));
      direct_.insert(items.node);
    }
    return direct_.contains(items.node);
  }

  Arg entry_arg(const Entry& e) {
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
        fail_argument("a whole size stands where a value is expected");
      default:
        return {};
    }
  }

  Arg argument(const Expr& e, int depth = 0) {
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

  std::string place(const Expr& e) const {
    return std::string(
        std::string_view(written_).substr(std::min(e.begin, written_.size()), std::min<size_t>(e.end - e.begin, 40)));
  }

  static Value integer(const std::string& digits) {
    const auto n = whole_number(digits);
    if (!n) fail_argument("{} is no integer of 64 bits", digits);
    return Value(*n);
  }
  static Value real(const std::string& digits) {
    double x = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), x);
    if (end != digits.data() + digits.size()) fail_argument("{} is no number", digits);
    if (error == std::errc::result_out_of_range) x = HUGE_VAL;
    return Value(x);
  }

  Arg signed_number(const Expr& e) {
    const Expr& of = e.items[0];
    if (e.text == "-" && of.kind == Expr::Kind::Int) return p_.add_literal(integer("-" + of.text));
    if (e.text == "-" && of.kind == Expr::Kind::Float) return p_.add_literal(-real(of.text).as_double());
    if (e.text == "-" && of.is_name("inf")) return p_.add_literal(-HUGE_VAL);
    if (e.text == "+") return argument(of, 1);
    fail_argument("'{}' is code where an argument belongs", place(e));
  }

  Arg attribute_argument(const Expr& e) {
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

  /// `device(type='cpu')`, `torch.device(...)`, `complex(0.0, 1.0)`, `float('inf')`: nothing else is made.
  Arg made_argument(const Expr& e) {
    const std::string callee = dotted_name(e.items[0]);
    std::vector<const Expr*> args;
    std::map<std::string, const Expr*> keywords;
    for (size_t i = 1; i < e.items.size(); ++i) {
      if (e.keywords[i - 1].empty()) {
        args.push_back(&e.items[i]);
      } else {
        keywords[e.keywords[i - 1]] = &e.items[i];
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

  CallArgs arguments_of(const Expr& call, std::optional<Arg> first = std::nullopt) {
    CallArgs args;
    if (first) args.push_back(*first);
    for (size_t i = 1; i < call.items.size(); ++i) {
      Arg a = argument(call.items[i]);
      if (!call.keywords[i - 1].empty()) a.name = p_.names.intern(call.keywords[i - 1]);
      args.push_back(a);
    }
    return args;
  }

  // Nested graphs and members of the module.

  uint32_t nested_graph(uint32_t child) {
    const GraphText& text = text_.children[child];
    if (const auto done = s_.graphs.find(&text); done != s_.graphs.end()) return done->second;
    std::string name = text.name;
    const auto taken = [&] {
      return std::any_of(p_.graphs.begin(), p_.graphs.end(), [&](const auto& g) { return p_.name(g->name) == name; });
    };
    for (int i = 1; taken(); ++i) name = fmt::format("{}_{}", text.name, i);
    const auto index = static_cast<uint32_t>(p_.graphs.size());
    p_.graphs.push_back(std::make_unique<Graph>());
    Graph& graph = *p_.graphs.back();
    graph.name = p_.names.intern(name);
    s_.graphs.emplace(&text, index);
    GraphReader(s_, graph, text, depth_ + 1).read();
    return index;
  }

  /// `self.true_graph_0`, `self.norm.weight`, `self._tensor_constant0`.
  Entry member(const std::string& path, std::string_view name, const Annotation& annotation) {
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

  // Nodes.

  /// Adds a node of an operator that is known, or is not; answers what its name stands for.
  Entry add_node(std::string_view name, uint32_t op, const CallArgs& args, const Annotation& annotation) {
    const auto id = static_cast<NodeId>(g_.nodes.size());
    Node n;
    n.op = op;
    n.source = source_;
    n.args = p_.add_args(args);
    n.name = p_.names.intern(name);
    g_.nodes.push_back(n);
    results_.emplace_back();
    const ProgramOp& called = p_.ops[op];
    if (called.entry) return known_results(name, id, called.entry->schema, annotation);
    if (called.kind == ProgramOp::Kind::SymFunction) {
      const ValueId v = new_value(name, ValueKind::Int, id);
      record(v, annotation);
      if (annotation.kind == Annotation::Kind::None && compares(called)) g_.values[v].kind = ValueKind::Bool;
      results_[id].push_back(value_entry(v));
      return value_entry(v);
    }
    if (annotation.kind == Annotation::Kind::Tensor || annotation.kind == Annotation::Kind::Number) {
      const ValueId v = new_value(name, ValueKind::Unknown, id);
      record(v, annotation);
      results_[id].push_back(value_entry(v));
      direct_.insert(id);
      return value_entry(v);
    }
    return items_entry({id, std::string(name), true, false, {}});
  }

  bool compares(const ProgramOp& op) const {
    const std::string_view name = p_.name(op.name);
    for (const std::string_view end : {".eq", ".ne", ".lt", ".le", ".gt", ".ge", ".sym_not"}) {
      if (name.ends_with(end)) return true;
    }
    return false;
  }

  Entry items_entry(Items items) {
    Entry e;
    e.kind = Entry::Kind::Items;
    e.index = static_cast<uint32_t>(items_.size());
    results_[items.node] = {e};
    items_.push_back(std::move(items));
    return e;
  }

  static ValueKind kind_of(const SchemaType& type) {
    switch (type.base) {
      case BaseType::Tensor:
        return ValueKind::Tensor;
      case BaseType::Int:
      case BaseType::SymInt:
        return ValueKind::Int;
      case BaseType::Float:
        return ValueKind::Float;
      case BaseType::Bool:
        return ValueKind::Bool;
      default:
        return ValueKind::Unknown;
    }
  }

  Entry known_results(std::string_view name, NodeId id, const FunctionSchema& schema, const Annotation& annotation) {
    const auto& returns = schema.returns;
    if (returns.empty()) return {};
    const auto is_list = [](const Argument& r) {
      return !r.type.wraps.empty() && r.type.wraps[0].kind == SchemaType::Wrap::Kind::List;
    };
    if (returns.size() == 1 && is_list(returns[0])) return items_entry({id, std::string(name), true, true, {}});
    if (returns.size() == 1) {
      const ValueId v = new_value(name, kind_of(returns[0].type), id);
      record(v, annotation);
      results_[id].push_back(value_entry(v));
      return value_entry(v);
    }
    Items items{id, std::string(name), false, false, {}};
    for (size_t i = 0; i < returns.size(); ++i) {
      items.entries.push_back(value_entry(new_value(fmt::format("{}.{}", name, i), kind_of(returns[i].type), id)));
    }
    return items_entry(std::move(items));
  }

  /// `max_1[0]`: the result, which from now on has the name.
  Entry item_of(std::string_view name, uint32_t of, int64_t index, const Annotation& annotation) {
    Items& items = items_[of];
    if (index < 0) index += static_cast<int64_t>(items.entries.size());
    if (index < 0 || index >= static_cast<int64_t>(kMaxItems) ||
        (!items.open && index >= static_cast<int64_t>(items.entries.size())))
      fail_argument("{} has no result {}", items.name, index);
    while (static_cast<int64_t>(items.entries.size()) <= index) {
      const std::string made = fmt::format("{}.{}", items.name, items.entries.size());
      items.entries.push_back(
          value_entry(new_value(made, items.list ? ValueKind::Tensor : ValueKind::Unknown, items.node)));
    }
    const Entry e = items.entries[static_cast<size_t>(index)];
    if (e.kind != Entry::Kind::Value) return e;
    if (named_.insert(e.value).second) g_.values[e.value].name = unique(name);
    if (g_.values[e.value].record == kNone) record(e.value, annotation);
    return e;
  }

  /// A call that is kept under its own name: nothing of it is known but what the text says.
  Entry add_unknown(std::string_view name, std::string_view callee, const CallArgs& args, const Annotation& annotation,
                    const std::string& why) {
    const uint32_t op = p_.add_op(fmt::format("{}()", callee));
    if (!why.empty()) list_unread(fmt::format("{}: {}", callee, why));
    return add_node(name, op, args, annotation);
  }

  Entry call_operator(std::string_view name, const std::string& written, CallArgs args, const Annotation& annotation) {
    std::string spelled = written.starts_with("torch.ops.") ? written.substr(10) : written;
    uint32_t op = 0;
    try {
      op = p_.add_op(spelled);
    } catch (const Error& e) {
      fail_argument("{}", e.message);
    }
    const ProgramOp::Kind kind = p_.ops[op].kind;
    if (kind != ProgramOp::Kind::Operator) return add_node(name, op, args, annotation);
    const size_t dots = static_cast<size_t>(std::count(spelled.begin(), spelled.end(), '.'));
    if (!p_.ops[op].entry && dots >= 2) {
      list_missing(spelled);
      return add_node(name, op, args, annotation);
    }
    std::string why;
    const OpEntry* entry = overloads_.choose(p_, dots >= 2 ? std::string(p_.ops[op].entry->name) : spelled, args, &why);
    if (entry) return add_node(name, p_.add_op(entry->name), args, annotation);
    if (!p_.ops[op].entry) {
      list_missing(spelled);
      return add_node(name, op, args, annotation);
    }
    return add_unknown(name, spelled, args, annotation, why);
  }

  void list_missing(std::string_view op) { list_unread(fmt::format("{}: there is no rule of it here", op)); }

  Entry call_function(std::string_view name, const std::string& callee, const CallArgs& args,
                      const Annotation& annotation) {
    if (callee.starts_with("torch.sym_") || callee.starts_with("torch._sym_") || callee.starts_with("math."))
      return add_node(name, p_.add_op(callee), args, annotation);
    if (callee.starts_with("_operator.") || callee.starts_with("operator.")) {
      const std::string function = callee.substr(callee.find('.') + 1);
      if (std::all_of(args.begin(), args.end(), [&](const Arg& a) { return is_number(a); }))
        return add_node(name, p_.add_op("_operator." + function), args, annotation);
      return call_mapped(name, callee, OperatorCall{fmt::format("aten.{}", function), args}, args, annotation);
    }
    if (callee.find("_enter_autocast") != callee.npos) ++autocast_;
    if (callee.find("_exit_autocast") != callee.npos && autocast_ > 0) --autocast_;
    return call_mapped(name, callee, operator_of_function(p_, callee, args), args, annotation);
  }

  Entry call_mapped(std::string_view name, std::string_view callee, std::optional<OperatorCall> call,
                    const CallArgs& args, const Annotation& annotation) {
    if (autocast_ > 0)
      return add_unknown(name, callee, args, annotation, "stands in an autocast region, which is not followed");
    std::string why = "no operator is known for it";
    if (call) {
      if (const OpEntry* entry = overloads_.choose(p_, call->op, call->args, &why))
        return add_node(name, p_.add_op(entry->name), call->args, annotation);
    }
    return add_unknown(name, callee, args, annotation, why);
  }

  bool is_number(const Arg& a) const {
    if (a.kind == Arg::Kind::Literal) return p_.literal(a).is_number();
    if (a.kind != Arg::Kind::Value) return false;
    const ValueKind kind = g_.values[a.index].kind;
    return kind == ValueKind::Int || kind == ValueKind::Float || kind == ValueKind::Bool;
  }

  Entry binary(std::string_view name, const Expr& e, const Annotation& annotation, bool in_place) {
    const Arg a = argument(e.items[0]), b = argument(e.items[1]);
    if (is_number(a) && is_number(b)) {
      const std::string_view function = number_operator(e.text);
      if (function.empty()) return add_unknown(name, e.text, {a, b}, annotation, "is no function on numbers here");
      return add_node(name, p_.add_op(fmt::format("_operator.{}", function)), {a, b}, annotation);
    }
    std::string op(tensor_operator(e.text));
    CallArgs args{a, b};
    if (in_place) {
      op += '_';
    } else if (is_number(a) && e.text != "**") {
      if (e.text == "-") {
        op = "rsub";
        args = {b, a};
      } else if (e.text == "/") {
        const Entry inverse = call_operator(fmt::format("{}.0", name), "aten.reciprocal.default", {b}, {});
        args = {entry_arg(inverse), a};
        op = "mul";
      } else if (e.text == "+" || e.text == "*" || e.text == "==" || e.text == "!=") {
        args = {b, a};
      } else if (e.text == "<" || e.text == "<=" || e.text == ">" || e.text == ">=") {
        op = e.text[0] == '<' ? "g" : "l";
        op += e.text.size() == 2 ? 'e' : 't';
        args = {b, a};
      }
    }
    std::optional<OperatorCall> call;
    if (!op.empty()) call = OperatorCall{fmt::format("aten.{}", op), args};
    return call_mapped(name, fmt::format("operator {}", e.text), std::move(call), {a, b}, annotation);
  }

  Entry unary(std::string_view name, const Expr& e, const Annotation& annotation) {
    const Arg a = argument(e.items[0]);
    if (is_number(a)) {
      const std::string_view function = e.text == "-"   ? "_operator.neg"
                                        : e.text == "+" ? "_operator.pos"
                                                        : "torch.sym_not";
      return add_node(name, p_.add_op(function), {a}, annotation);
    }
    const std::string_view op = e.text == "-" ? "aten.neg" : e.text == "~" ? "aten.bitwise_not" : "";
    std::optional<OperatorCall> call;
    if (!op.empty()) call = OperatorCall{std::string(op), {a}};
    return call_mapped(name, fmt::format("operator {}", e.text), std::move(call), {a}, annotation);
  }

  // Subscripts of tensors.

  /// The parts of a subscript: ints, slices, None, Ellipsis, tensors.
  static std::vector<const Expr*> index_parts(const Expr& index) {
    if (index.kind != Expr::Kind::Tuple) return {&index};
    std::vector<const Expr*> parts;
    for (const Expr& item : index.items) parts.push_back(&item);
    return parts;
  }

  struct SliceParts {
    std::vector<Arg> ends;  ///< begin, end, step
  };
  std::optional<SliceParts> slice_of(const Expr& e) {
    SliceParts parts;
    if (e.kind == Expr::Kind::Slice) {
      for (const Expr& item : e.items) parts.ends.push_back(argument(item, 1));
      return parts;
    }
    if (e.kind != Expr::Kind::Call || !e.items[0].is_name("slice")) return std::nullopt;
    for (size_t i = 1; i < e.items.size(); ++i) parts.ends.push_back(argument(e.items[i], 1));
    if (parts.ends.size() == 1) parts.ends.insert(parts.ends.begin(), Arg());
    parts.ends.resize(3);
    return parts;
  }

  int64_t rank_of(ValueId v) const {
    const TensorMeta* meta = p_.meta(g_.values[v]);
    return meta ? meta->dim() : -1;
  }

  /// The view, or the copy, that `x[index]` is; the last node has the name.
  Entry subscript(std::string_view name, ValueId x, const Expr& index, const Annotation& annotation) {
    struct Step {
      std::string op;
      CallArgs args;  ///< without the tensor
    };
    std::vector<Step> steps;
    std::vector<Arg> tensors;  ///< at the dims of what the views leave
    bool any_tensor = false;
    int64_t dim = 0;
    const std::vector<const Expr*> parts = index_parts(index);
    const auto number = [&](int64_t n) { return p_.add_literal(Value(n)); };
    int64_t taken = 0;
    for (const Expr* part : parts) taken += !part->is_name("None") && !part->is_name("Ellipsis");
    for (const Expr* part : parts) {
      if (part->is_name("None")) {
        steps.push_back({"aten.unsqueeze.default", {number(dim)}});
        tensors.emplace_back();
        ++dim;
      } else if (part->is_name("Ellipsis")) {
        const int64_t rank = rank_of(x);
        if (rank < taken) fail_argument("how many dimensions `...` stands for is not known");
        for (int64_t i = 0; i < rank - taken; ++i) tensors.emplace_back();
        dim += rank - taken;
      } else if (auto slice = slice_of(*part)) {
        CallArgs args{number(dim)};
        for (const Arg& end : slice->ends) args.push_back(end);
        if (args[3].kind == Arg::Kind::None) args.pop_back();
        const bool whole = args.size() == 3 && args[1].kind == Arg::Kind::None && args[2].kind == Arg::Kind::None;
        if (!whole) steps.push_back({"aten.slice.Tensor", args});
        tensors.emplace_back();
        ++dim;
      } else {
        const Arg a = argument(*part, 1);
        if (is_number(a)) {
          steps.push_back({"aten.select.int", {number(dim), a}});
        } else if (a.kind == Arg::Kind::Value) {
          tensors.push_back(a);
          any_tensor = true;
          ++dim;
        } else {
          return add_unknown(name, "x[...]", {{0, Arg::Kind::Value, x}, a}, annotation,
                             "is an index that is not followed");
        }
      }
    }
    if (any_tensor) {
      while (!tensors.empty() && tensors.back().kind == Arg::Kind::None) tensors.pop_back();
      steps.push_back({"aten.index.Tensor", {p_.add_list(tensors)}});
    } else if (steps.empty()) {
      steps.push_back({"aten.alias.default", {}});
    }
    Entry at = value_entry(x);
    for (size_t i = 0; i < steps.size(); ++i) {
      CallArgs args{entry_arg(at)};
      args.insert(args.end(), steps[i].args.begin(), steps[i].args.end());
      const bool last = i + 1 == steps.size();
      at = call_operator(last ? std::string(name) : fmt::format("{}.{}", name, i), steps[i].op, args,
                         last ? annotation : Annotation());
    }
    return at;
  }

  Entry index(std::string_view name, const Expr& e, const Annotation& annotation) {
    const Expr& of = e.items[0];
    const Expr& at = e.items[1];
    Entry base;
    if (of.kind == Expr::Kind::Name) {
      base = look_up(of.text);
    } else {
      base = expression(fmt::format("{}.of", name), of, {});
    }
    const Arg a = at.kind == Expr::Kind::Int || at.kind == Expr::Kind::Unary ? argument(at, 1) : Arg();
    const bool whole =
        a.kind == Arg::Kind::Literal && p_.literal(a).kind() == Value::Kind::Int && !p_.literal(a).is_symbolic();
    if (base.kind == Entry::Kind::Items) {
      if (!whole) fail_argument("'{}' is no number of a result", place(at));
      return item_of(name, base.index, p_.literal(a).as_int64(), annotation);
    }
    if (base.kind == Entry::Kind::Size) {
      if (!whole) fail_argument("'{}' is no number of a dimension", place(at));
      return call_operator(name, "aten.sym_size.int", {{0, Arg::Kind::Value, base.value}, a}, annotation);
    }
    if (base.kind == Entry::Kind::None) {
      list_unread(fmt::format("{}: what it is taken from returns nothing", name));
      Entry lost;
      lost.kind = Entry::Kind::Lost;
      return lost;
    }
    if (base.kind != Entry::Kind::Value) fail_argument("'{}' has no items", place(of));
    return subscript(name, base.value, at, annotation);
  }

  /// `x[index] = v`: a view is written.
  void set_item(const Expr& target, const Expr& value) {
    const Entry base = target.items[0].kind == Expr::Kind::Name ? look_up(target.items[0].text) : Entry();
    if (base.kind != Entry::Kind::Value) fail_argument("'{}' has no items to be set", place(target));
    const std::string name = fmt::format("setitem.{}", g_.nodes.size());
    const size_t before = g_.nodes.size();
    const Entry view = subscript(name, base.value, target.items[1], {});
    const Arg to = entry_arg(view), from = argument(value);
    const bool copied = g_.nodes.size() > before && p_.name(p_.op(g_.nodes.back()).name) == "aten.index.Tensor";
    if (copied) {  // elements that tensors name are put, not copied into a view
      list_unread("x[tensor] = value: is not followed");
      return;
    }
    const bool number = is_number(from);
    call_operator(name + ".w", number ? "aten.fill_.Scalar" : "aten.copy_.default", {to, from}, {});
  }

  // Statements.

  Entry method(std::string_view name, const Expr& call, const Annotation& annotation) {
    const Expr& callee = call.items[0];
    const Entry of = callee.items[0].kind == Expr::Kind::Name ? look_up(callee.items[0].text) : Entry();
    const Arg self = entry_arg(of);
    if (self.kind != Arg::Kind::Value) fail_argument("'{}' is no call of an operator", place(callee));
    if (callee.text == "size" && call.items.size() == 1) {
      Entry e;
      e.kind = Entry::Kind::Size;
      e.value = self.index;
      return e;
    }
    const CallArgs args = arguments_of(call, self);
    if (callee.text == "size") return call_operator(name, "aten.sym_size.int", args, annotation);
    return call_mapped(name, fmt::format("Tensor.{}", callee.text), operator_of_method(p_, callee.text, args), args,
                       annotation);
  }

  Entry expression(std::string_view name, const Expr& e, const Annotation& annotation) {
    switch (e.kind) {
      case Expr::Kind::Name:
        if (e.text == "None") return {};
        if (!constant(e.text)) return look_up(e.text);
        break;
      case Expr::Kind::Call:
        return called(name, e, annotation);
      case Expr::Kind::Index:
        return index(name, e, annotation);
      case Expr::Kind::Binary:
        return binary(name, e, annotation, false);
      case Expr::Kind::Unary:
        if (e.items[0].kind != Expr::Kind::Int && e.items[0].kind != Expr::Kind::Float)
          return unary(name, e, annotation);
        break;
      case Expr::Kind::Attribute: {
        const std::string path = dotted_name(e);
        if (path.starts_with("self.")) return member(path.substr(5), name, annotation);
        if (e.items[0].kind == Expr::Kind::Name && names_.contains(e.items[0].text))
          return attribute(name, e, annotation);
        if (!constant(path)) fail_argument("'{}' is no call of an operator", place(e));
        break;
      }
      default:
        break;
    }
    Entry literal;
    literal.kind = Entry::Kind::Literal;
    literal.literal = argument(e);
    return literal;
  }

  Entry attribute(std::string_view name, const Expr& e, const Annotation& annotation) {
    const Entry of = look_up(e.items[0].text);
    if (of.kind != Entry::Kind::Value) fail_argument("'{}' has no attributes", e.items[0].text);
    const CallArgs self{{0, Arg::Kind::Value, of.value}};
    if (e.text == "shape") {
      Entry size = of;
      size.kind = Entry::Kind::Size;
      return size;
    }
    const std::string_view op = e.text == "T"      ? "aten.numpy_T"
                                : e.text == "mT"   ? "aten.mT"
                                : e.text == "H"    ? "aten.matrix_H"
                                : e.text == "real" ? "aten.real"
                                : e.text == "imag" ? "aten.imag"
                                                   : std::string_view();
    std::optional<OperatorCall> call;
    if (!op.empty()) call = OperatorCall{std::string(op), self};
    return call_mapped(name, fmt::format("Tensor.{}", e.text), std::move(call), self, annotation);
  }

  Entry called(std::string_view name, const Expr& e, const Annotation& annotation) {
    const std::string callee = dotted_name(e.items[0]);
    if (callee.starts_with("torch.ops.")) return call_operator(name, callee, arguments_of(e), annotation);
    if (callee.starts_with("self.")) {
      list_unread(callee == "self._guards_fn" ? "self._guards_fn: checks of inputs, whose code the text does not have"
                                              : callee + ": a call of a module, whose code the text does not have");
      if (callee == "self._guards_fn") return {};
      const uint32_t op = p_.add_op(callee + "()");
      return add_node(name, op, arguments_of(e), annotation);
    }
    const bool method_call = e.items[0].kind == Expr::Kind::Attribute &&
                             (callee.empty() || (e.items[0].items[0].kind == Expr::Kind::Name &&
                                                 (names_.contains(e.items[0].items[0].text) || !text_.signature) &&
                                                 e.items[0].items[0].text != "torch"));
    if (method_call && !callee.starts_with("torch.") && !callee.starts_with("operator.") &&
        !callee.starts_with("_operator.") && !callee.starts_with("math."))
      return method(name, e, annotation);
    if (callee.starts_with("torch.") || callee.starts_with("operator.") || callee.starts_with("_operator.") ||
        callee.starts_with("math.")) {
      return call_function(name, callee, arguments_of(e), annotation);
    }
    if (callee == "device" || callee == "complex" || callee == "float") {
      Entry literal;
      literal.kind = Entry::Kind::Literal;
      literal.literal = made_argument(e);
      return literal;
    }
    fail_argument("'{}' is no call of an operator", place(e.items[0]));
  }

  void statement(const PyStatement& s) {
    if (s.returns) {
      if (s.value) returned(*s.value);
      return;
    }
    if (!s.value) {  // `x: "f32[2]";` before the inputs are flattened
      if (s.targets.size() == 1 && s.targets[0].kind == Expr::Kind::Name && s.annotated)
        announced_[s.targets[0].text] = annotation_of(s.annotation);
      return;
    }
    if (s.targets.empty()) {
      const std::string callee = s.value->kind == Expr::Kind::Call ? dotted_name(s.value->items[0]) : std::string();
      if (callee.empty()) fail_argument("'{}' is no statement of a graph", place(*s.value));
      called(fmt::format("unnamed.{}", g_.nodes.size()), *s.value, {});
      return;
    }
    if (s.value->is_name("None")) return;  // `a = b = None` gives names free
    if (s.value->kind == Expr::Kind::Call && dotted_name(s.value->items[0]).ends_with("tree_flatten_spec"))
      return flattened_inputs(s);
    if (s.targets.size() != 1) fail_argument("more than one name for a value");
    const Expr& target = s.targets[0];
    if (target.kind == Expr::Kind::Index) return set_item(target, *s.value);
    if (target.kind != Expr::Kind::Name) fail_argument("'{}' is no name", place(target));
    const Annotation annotation = s.annotated ? parse_annotation(s.annotation) : Annotation();
    if (!s.in_place.empty()) {
      Expr both;
      both.kind = Expr::Kind::Binary;
      both.text = s.in_place;
      both.begin = target.begin;
      both.end = s.value->end;
      both.items = {target, *s.value};
      names_[target.text] = binary(fmt::format("{}.{}", target.text, g_.nodes.size()), both, {}, true);
      return;
    }
    names_[target.text] = expression(target.text, *s.value, annotation);
    ++s_.nodes;
  }

  void returned(const Expr& e) {
    const bool unflatten = e.kind == Expr::Kind::Call && dotted_name(e.items[0]).ends_with("tree_unflatten");
    const Expr& value = unflatten && e.items.size() > 1 ? e.items[1] : e;
    g_.single_result = depth_ > 0 && value.kind != Expr::Kind::Tuple && value.kind != Expr::Kind::List;
    outputs(value, 0);
  }

  void outputs(const Expr& e, int depth) {
    if (depth > kMaxNested) fail_argument("a result is nested more than {} deep", kMaxNested);
    if (e.kind == Expr::Kind::Tuple || e.kind == Expr::Kind::List) {
      for (const Expr& item : e.items) outputs(item, depth + 1);
      return;
    }
    if (e.kind == Expr::Kind::Dict) {
      for (size_t i = 1; i < e.items.size(); i += 2) outputs(e.items[i], depth + 1);
      return;
    }
    add_outputs(e.kind == Expr::Kind::Name && !e.is_name("None") && !constant(e.text)
                    ? look_up(e.text)
                    : expression(fmt::format("output.{}", g_.outputs.size()), e, {}));
  }

  void add_outputs(const Entry& e) {
    if (e.kind == Entry::Kind::Items && !is_one_value(items_[e.index])) {
      for (size_t i = 0; i < items_[e.index].entries.size(); ++i) add_outputs(items_[e.index].entries[i]);
      return;
    }
    GraphOutput out;
    if (e.kind == Entry::Kind::Value || e.kind == Entry::Kind::Items || e.kind == Entry::Kind::Literal)
      out.value = entry_arg(e);
    if (out.value.kind == Arg::Kind::List || out.value.kind == Arg::Kind::Graph) out.value = {};
    g_.outputs.push_back(out);
  }

  /// Gives each node its results.
  void finish() {
    for (NodeId id = 0; id < g_.nodes.size(); ++id) {
      std::vector<Arg> results;
      for (const Entry& e : results_[id]) {
        if (e.kind == Entry::Kind::Value) {
          results.push_back({0, Arg::Kind::Value, e.value});
        } else if (e.kind == Entry::Kind::Items) {
          complete_items(g_.nodes[id], items_[e.index]);
          std::vector<Arg> items;
          for (const Entry& item : items_[e.index].entries) items.push_back({0, Arg::Kind::Value, item.value});
          if (items_[e.index].list) {
            results.push_back(p_.add_result_list(items));
          } else {
            results.insert(results.end(), items.begin(), items.end());
          }
        }
      }
      Node& n = g_.nodes[id];
      n.one_tuple = p_.op(n).kind == ProgramOp::Kind::HigherOrder && results.size() == 1 && !direct_.contains(id);
      n.results = p_.add_args(results);
    }
  }

  /// A node of nested graphs returns as many values as they do, used or not.
  void complete_items(const Node& node, Items& items) {
    if (!items.open || items.list) return;
    size_t wanted = 0;
    for (const Arg& a : p_.view(node.args)) {
      if (a.kind == Arg::Kind::Graph) wanted = p_.graphs[a.index]->outputs.size();
    }
    while (items.entries.size() < std::min(wanted, kMaxItems)) {
      const std::string made = fmt::format("{}.{}", items.name, items.entries.size());
      items.entries.push_back(value_entry(new_value(made, ValueKind::Unknown, items.node)));
    }
  }

  Shared& s_;
  Program& p_;
  Graph& g_;
  const GraphText& text_;
  Overloads overloads_;
  int depth_;
  std::string written_;
  uint32_t line_ = 0;
  NameId source_ = 0;
  int autocast_ = 0;
  std::unordered_map<std::string, Entry> names_, members_;
  std::unordered_map<std::string, size_t> children_;
  std::unordered_map<std::string, Annotation> announced_;
  std::unordered_set<std::string> taken_;
  std::unordered_set<ValueId> named_;
  std::unordered_set<NodeId> direct_;
  bool flattens_ = false;
  std::vector<Items> items_;
  std::vector<std::vector<Entry>> results_;  // per node
};

/// Gives symbols the values and bounds that the text has, and the others values of their own.
void settle_symbols(ShapeEnv& env, const GraphHints& hints, std::vector<std::string>& made_up) {
  int64_t next = 12;  // sizes that many programs take: even, of several divisors, and each another one
  for (const SymbolInfo& known : env.symbols()) {
    SymbolInfo info = known;
    const auto found = hints.symbols.find(info.name);
    if (found != hints.symbols.end()) {
      if (found->second.min) info.min = *found->second.min;
      if (found->second.max) info.max = *found->second.max;
      if (found->second.value) info.hint = found->second.value;
    }
    if (info.name.starts_with("u") && found == hints.symbols.end()) info.min = INT64_MIN;
    if (!info.hint && info.name.starts_with("u")) {  // small: parts of a size are mostly no larger than it
      info.hint = std::clamp<int64_t>(2, std::max<int64_t>(info.min, 0), std::max<int64_t>(info.max, 0));
      made_up.push_back(info.name);
    } else if (!info.hint) {
      info.hint = std::clamp(next, std::max<int64_t>(info.min, 0), std::max<int64_t>(info.max, 0));
      next += 4;
      made_up.push_back(info.name);
    }
    env.symbol(info);
  }
}

/// The device that the graph's calls name, where they name one alone: annotations without a device are on it too.
std::optional<Device> device_named(const GraphText& text) {
  constexpr std::string_view kHead = "device(type='", kIndex = "index=";
  std::optional<Device> only;
  for (const BodyLine& line : text.body) {
    if (line.comment) continue;
    for (size_t at = 0; (at = line.text.find(kHead, at)) != line.text.npos;) {
      at += kHead.size();
      const std::string_view rest = std::string_view(line.text).substr(at);
      const std::string_view call = rest.substr(0, rest.find(')'));
      std::string name(call.substr(0, call.find('\'')));
      if (const size_t index = call.find(kIndex); index != call.npos && name != "cpu")
        name += fmt::format(":{}", call.substr(index + kIndex.size()));
      const std::optional<Device> device = parse_device(name);
      if (!device || (only && *only != resolve(*device))) return std::nullopt;
      only = resolve(*device);
    }
  }
  return only;
}

}  // namespace

ReadGraph read_fx_graph(const GraphText& text, const GraphHints& hints) {
  if (text.damage) fail_argument("line {}: {}", text.damage->line, text.damage->reason);
  Shared shared;
  shared.hints = &hints;
  shared.device = device_named(text);
  GraphReader(shared, shared.program.main(), text, 0).read();
  ReadGraph out{std::move(shared.program), std::move(shared.unread), shared.nodes, {}};
  out.program.untold.offsets = out.program.untold.list_ends = true;
  out.program.untold.strides = shared.strides_untold;
  settle_symbols(*out.program.env, hints, out.made_up);
  if (text.cut) out.unread.push_back(*text.cut);
  return out;
}

}  // namespace ersatz::pasted
