#include "tracer/pasted/graph_nodes.h"

#include <algorithm>

#include "runtime/base/error.h"

namespace ersatz::pasted {

// The next functions add nodes.

Entry GraphNodes::add_node(std::string_view name, uint32_t op, const CallArgs& args, const Annotation& annotation) {
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

bool GraphNodes::compares(const ProgramOp& op) const {
  const std::string_view name = p_.name(op.name);
  for (const std::string_view end : {".eq", ".ne", ".lt", ".le", ".gt", ".ge", ".sym_not"}) {
    if (name.ends_with(end)) return true;
  }
  return false;
}

Entry GraphNodes::items_entry(Items items) {
  Entry e;
  e.kind = Entry::Kind::Items;
  e.index = static_cast<uint32_t>(items_.size());
  results_[items.node] = {e};
  items_.push_back(std::move(items));
  return e;
}

ValueKind GraphNodes::kind_of(const SchemaType& type) {
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

ValueKind GraphNodes::read_number(const Node& node) const {
  for (const Arg& a : p_.view(node.args)) {
    const TensorMeta* meta = a.kind == Arg::Kind::Value ? p_.meta(g_.values[a.index]) : nullptr;
    if (!meta) continue;
    return meta->dtype == DType::Bool ? ValueKind::Bool : is_integral(meta->dtype) ? ValueKind::Int : ValueKind::Float;
  }
  return ValueKind::Unknown;
}

Entry GraphNodes::known_results(std::string_view name, NodeId id, const FunctionSchema& schema,
                                const Annotation& annotation) {
  const auto& returns = schema.returns;
  if (returns.empty()) return {};
  const auto is_list = [](const Argument& r) {
    return !r.type.wraps.empty() && r.type.wraps[0].kind == SchemaType::Wrap::Kind::List;
  };
  if (returns.size() == 1 && is_list(returns[0])) return items_entry({id, std::string(name), true, true, {}});
  if (returns.size() == 1) {
    const bool number = returns[0].type.base == BaseType::Scalar && returns[0].type.wraps.empty();
    const ValueId v = new_value(name, number ? read_number(g_.nodes[id]) : kind_of(returns[0].type), id);
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

Entry GraphNodes::item_of(std::string_view name, uint32_t of, int64_t index, const Annotation& annotation) {
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

Entry GraphNodes::add_unknown(std::string_view name, std::string_view callee, const CallArgs& args,
                              const Annotation& annotation, const std::string& why) {
  const uint32_t op = p_.add_op(fmt::format("{}()", callee));
  if (!why.empty()) list_unread(fmt::format("{}: {}", callee, why));
  return add_node(name, op, args, annotation);
}

Entry GraphNodes::call_operator(std::string_view name, const std::string& written, CallArgs args,
                                const Annotation& annotation) {
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
  if (entry) return add_node(name, entry == p_.ops[op].entry ? op : p_.add_op(entry->name), args, annotation);
  if (!p_.ops[op].entry) {
    list_missing(spelled);
    return add_node(name, op, args, annotation);
  }
  return add_unknown(name, spelled, args, annotation, why);
}

Entry GraphNodes::call_function(std::string_view name, const std::string& callee, const CallArgs& args,
                                const Annotation& annotation) {
  if (callee.starts_with("torch.sym_") || callee.starts_with("torch._sym_") || callee.starts_with("math."))
    return add_node(name, p_.add_op(callee), args, annotation);
  if (callee.starts_with("_operator.") || callee.starts_with("operator.")) {
    const std::string function = callee.substr(callee.find('.') + 1);
    if (std::all_of(args.begin(), args.end(), [&](const Arg& a) { return is_number(a); }))
      return add_node(name, p_.add_op("_operator." + function), args, annotation);
    return call_mapped(name, callee, OperatorCall{fmt::format("aten.{}", function), args}, args, annotation);
  }
  if (callee == "torch._C._set_grad_enabled" || callee == "torch._C._log_api_usage_once") return {};
  if (callee.ends_with("._enter_autocast")) {
    enter_autocast(args);
    return {};
  }
  if (callee.ends_with("._exit_autocast")) {
    if (!regions_.empty()) regions_.pop_back();
    return {};
  }
  return call_mapped(name, callee, operator_of_function(p_, callee, args), args, annotation);
}

Entry GraphNodes::call_mapped(std::string_view name, std::string_view callee, std::optional<OperatorCall> call,
                              const CallArgs& args, const Annotation& annotation) {
  std::string why = "no operator is known for it";
  if (call) {
    if (const OpEntry* entry = overloads_.choose(p_, call->op, call->args, &why)) {
      if (regions_.empty()) {
        // The region extends to the end of the graph.
        if (const auto untold = untold_region(*entry, call->args, annotation)) regions_.push_back(*untold);
      }
      if (!regions_.empty()) return call_in_region(name, callee, *entry, std::move(call->args), annotation);
      return add_node(name, p_.add_op(entry->name), call->args, annotation);
    }
  }
  return add_unknown(name, callee, args, annotation, why);
}

bool GraphNodes::is_number(const Arg& a) const {
  if (a.kind == Arg::Kind::Literal) return p_.literal(a).is_number();
  if (a.kind != Arg::Kind::Value) return false;
  const ValueKind kind = g_.values[a.index].kind;
  return kind == ValueKind::Int || kind == ValueKind::Float || kind == ValueKind::Bool;
}

Entry GraphNodes::binary(std::string_view name, const Expr& e, const Annotation& annotation, bool in_place) {
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

Entry GraphNodes::unary(std::string_view name, const Expr& e, const Annotation& annotation) {
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

// The next functions handle subscripts of tensors.

std::vector<const Expr*> GraphNodes::index_parts(const Expr& index) {
  if (index.kind != Expr::Kind::Tuple) return {&index};
  std::vector<const Expr*> parts;
  for (const Expr& item : index.items) parts.push_back(&item);
  return parts;
}

std::optional<std::vector<Arg>> GraphNodes::slice_of(const Expr& e) {
  std::vector<Arg> ends;
  if (e.kind == Expr::Kind::Slice) {
    for (const Expr& item : e.items) ends.push_back(argument(item, 1));
    return ends;
  }
  if (e.kind != Expr::Kind::Call || !e.items[0].is_name("slice")) return std::nullopt;
  for (size_t i = 1; i < e.items.size(); ++i) ends.push_back(argument(e.items[i], 1));
  if (ends.size() == 1) ends.insert(ends.begin(), Arg());
  ends.resize(3);
  return ends;
}

int64_t GraphNodes::rank_of(ValueId v) const {
  const TensorMeta* meta = p_.meta(g_.values[v]);
  return meta ? meta->dim() : -1;
}

Entry GraphNodes::subscript(std::string_view name, ValueId x, const Expr& index, const Annotation& annotation,
                            const Arg* put) {
  struct Step {
    std::string op;
    CallArgs args;  ///< arguments without the tensor itself
  };
  std::vector<Step> steps;
  std::vector<Arg> tensors;  ///< tensor indices, for the dims that remain after the views
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
      if (rank < taken) fail_argument("how many dimensions `...` covers is not known");
      for (int64_t i = 0; i < rank - taken; ++i) tensors.emplace_back();
      dim += rank - taken;
    } else if (auto slice = slice_of(*part)) {
      CallArgs args{number(dim)};
      for (const Arg& end : *slice) args.push_back(end);
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
    steps.push_back({put ? "aten.index_put_.default" : "aten.index.Tensor", {p_.add_list(tensors)}});
    if (put) steps.back().args.push_back(*put);
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

bool GraphNodes::names_a_tensor(const Expr& index) {
  const std::vector<const Expr*> parts = index_parts(index);
  return std::any_of(parts.begin(), parts.end(), [&](const Expr* part) {
    if (part->kind != Expr::Kind::Name) return false;
    const auto found = names_.find(part->text);
    return found != names_.end() && found->second.kind == Entry::Kind::Value &&
           !is_number({0, Arg::Kind::Value, found->second.value});
  });
}

Entry GraphNodes::index(std::string_view name, const Expr& e, const Annotation& annotation) {
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
  if (base.kind == Entry::Kind::Items && !whole && is_one_value(items_[base.index])) {
    base = items_[base.index].entries[0];  // an unknown operator counts as returning one tensor
  }
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

void GraphNodes::set_item(const Expr& target, const Expr& value) {
  const Entry base = target.items[0].kind == Expr::Kind::Name ? look_up(target.items[0].text) : Entry();
  if (base.kind != Entry::Kind::Value) fail_argument("'{}' has no items to be set", place(target));
  const std::string name = fmt::format("setitem.{}", g_.nodes.size());
  const size_t before = g_.nodes.size();
  Arg from = argument(value);
  const bool number = is_number(from);
  // index_put_ writes to the elements that tensor indices select. A number has to be given to it as a 0-d tensor.
  const TensorMeta* meta = p_.meta(g_.values[base.value]);
  Arg put = from;
  if (number && names_a_tensor(target.items[1])) {
    if (!meta) return list_unread("x[tensor] = number: the text does not have the dtype of x");
    Arg dtype = p_.add_literal(meta->dtype);
    dtype.name = p_.names.intern("dtype");
    put = entry_arg(call_operator(name + ".value", "aten.scalar_tensor.default", {from, dtype}, {}));
  }
  const Entry view = subscript(name, base.value, target.items[1], {}, &put);
  if (g_.nodes.size() > before && p_.name(p_.op(g_.nodes.back()).name) == "aten.index_put_.default") return;
  const Arg to = entry_arg(view);
  call_operator(name + ".w", number ? "aten.fill_.Scalar" : "aten.copy_.default", {to, from}, {});
}

}  // namespace ersatz::pasted
