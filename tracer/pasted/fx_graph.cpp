#include "tracer/pasted/fx_graph.h"

#include <algorithm>
#include <memory>

#include "runtime/base/error.h"
#include "tracer/pasted/graph_nodes.h"
#include "tracer/pasted/words.h"

namespace ersatz::pasted {

namespace {

/// Returns `model.py:17 in forward: h = relu(x)` for `# File: model.py:17 in forward, code: h = relu(x)`. Empty for a
/// comment that says that there is no stack trace. nullopt for other comments.
std::optional<std::string> source_of(std::string_view comment) {
  const size_t at = comment.find("File: ");
  if (at == comment.npos) {
    return comment.find("No stacktrace found") != comment.npos ? std::optional(std::string()) : std::nullopt;
  }
  std::string out(comment.substr(at + 6));
  if (const size_t code = out.find(", code: "); code != out.npos) out.replace(code, 8, ": ");
  return out;
}
class GraphReader final : public GraphNodes {
 public:
  GraphReader(Shared& shared, Graph& graph, const GraphText& text, int depth)
      : GraphNodes(shared, graph, text, depth) {}

  void read() {
    if (text_.signature) signature();
    for (const PyParameter& given : text_.given) {
      if (!names_.contains(given.name))
        names_[given.name] = value_entry(add_input(given.name, annotation_of(given.annotation)));
      ++s_.nodes;
    }
    for (const BodyLine& line : text_.body) {
      s_.at = &line;
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
        s_.reason = e.message;
        fail_argument("line {}: {}", line.number, e.message);
      }
    }
    s_.at = nullptr;
    finish();
  }

 private:
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
      if (flattens_) {  // the inputs are named by the statement that flattens the containers
        if (a.kind != Annotation::Kind::None) announced_[parameter.name] = a;
        continue;
      }
      names_[parameter.name] = value_entry(add_input(parameter.name, a));
      ++s_.nodes;
    }
  }

  /// Parses `x, y, = fx_pytree.tree_flatten_spec(([x, y], {}), self._in_spec)`. The names on the left are the graph's
  /// inputs. The signature has the containers that these inputs are in.
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

  uint32_t nested_graph(uint32_t child) override {
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

  // The next functions parse statements.

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

  Entry expression(std::string_view name, const Expr& e, const Annotation& annotation) override {
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
    if (callee.starts_with("self.") && children_.contains(callee.substr(5))) {
      const std::string path = callee.substr(5);
      CallArgs args = arguments_of(e);
      const Arg head[] = {entry_arg(member(path, path, {})), p_.add_literal(Value(std::string_view(path)))};
      args.insert(args.begin(), std::begin(head), std::end(head));
      return call_operator(name, "torch.ops.higher_order.invoke_subgraph", args, annotation);
    }
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
    if (!s.value) {  // declares an input before the containers are flattened: `x: "f32[2]";`
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
    if (s.value->is_name("None")) return;  // releases names: `a = b = None`
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

  /// Stores each node's results.
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

  /// Completes the results of a node that runs nested graphs. The node returns as many values as its graph, whether
  /// they are used or not.
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

  std::unordered_map<std::string, Annotation> announced_;  // annotations of inputs that are inside containers
  bool flattens_ = false;
};

/// Returns the device that the graph's calls name, if they name exactly one. Annotations without a device are then
/// taken to be on that device.
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

/// Parses the graph. If it raises, `shared.at` is the statement that failed.
ReadGraph read_whole(const GraphText& text, const GraphHints& hints, Shared& shared) {
  shared.hints = &hints;
  shared.device = device_named(text);
  GraphReader(shared, shared.program.main(), text, 0).read();
  ReadGraph out{std::move(shared.program), std::move(shared.unread), shared.nodes, {}};
  out.program.untold.offsets = out.program.untold.list_ends = true;
  out.program.untold.strides = shared.strides_untold;
  out.program.untold.dtypes = shared.dtypes_untold;
  out.program.untold.devices = text.generated;
  settle_symbols(*out.program.env, hints.symbols, out.synthetic);
  out.unread.insert(out.unread.end(), text.left_out.begin(), text.left_out.end());
  if (text.cut) out.unread.push_back(*text.cut);
  return out;
}

}  // namespace

ReadGraph read_fx_graph(const GraphText& text, const GraphHints& hints) {
  if (text.damage) fail_argument("line {}: {}", text.damage->line, text.damage->reason);
  constexpr int kMostLeftOut = 64;
  std::optional<GraphText> rest;  // generated code without the statements that could not be parsed
  for (int left_out = 0;; ++left_out) {
    const GraphText& now = rest ? *rest : text;
    Shared shared;
    try {
      return read_whole(now, hints, shared);
    } catch (const Error& e) {
      if (e.kind == ErrorKind::InternalError || !text.generated || !shared.at || left_out == kMostLeftOut) throw;
      const auto failed = shared.at - now.body.data();
      if (!rest) rest = text;
      rest->left_out.push_back({rest->body[static_cast<size_t>(failed)].number, shared.reason});
      rest->body.erase(rest->body.begin() + failed);
    }
  }
}

}  // namespace ersatz::pasted
