#include "tracer/run/higher_order.h"

#include "runtime/op/autocast.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "tracer/run/control_flow.h"
#include "tracer/run/nested_graph.h"
#include "tracer/run/tagged_call.h"

namespace ersatz {

HigherOrderOp::HigherOrderOp(const Program& of, const Node& made_of, ArgRange operands)
    : HigherOrderOp(of, made_of, {of.view(operands).begin(), of.view(operands).end()}) {}

HigherOrderOp::HigherOrderOp(const Program& of, const Node& made_of, std::vector<Arg> given)
    : program(of), node(made_of), operands(std::move(given)) {
  name = program.name(program.op(node).name);
  const size_t dot = name.find('.');
  schema.ns = name.substr(0, dot);
  schema.base = name.substr(dot + 1);
  size_t at = 0;
  for (const Arg& a : operands) {
    Argument formal;
    formal.name = a.name ? std::string(program.name(a.name)) : fmt::format("arg{}", at);
    formal.type.base = BaseType::Any;
    formal.ready_kinds = ~0u;
    schema.arguments.push_back(std::move(formal));
    ++at;
  }
  for (const Arg& r : program.view(node.results)) {
    Argument formal;
    if (r.kind == Arg::Kind::List) formal.type.wraps = {{SchemaType::Wrap::Kind::List}};
    returns_list |= r.kind == Arg::Kind::List;
    schema.returns.push_back(std::move(formal));
  }
  tag(Tag::HigherOrder);
}

namespace {

/// A nested graph that runs unchanged, under a grad mode or in an autocast scope.
class WrappedGraph final : public HigherOrderOp {
 public:
  enum class Kind { Grad, Autocast };

  WrappedGraph(const Program& p, const Node& node, Kind kind, uint32_t settings, const PrepareOptions& options)
      : HigherOrderOp(p, node, {node.args.first + settings + 1, node.args.count - settings - 1}),
        kind_(kind),
        body_(*this, p, p.view(node.args)[settings], operands.size(), schema.returns.size(), options) {
    is_region = true;
    const auto args = p.view(node.args);
    for (uint32_t i = 0; i < settings; ++i) {
      settings_.push_back(args[i].kind == Arg::Kind::Literal ? p.literal(args[i]) : Value());
    }
    // If the program moves to another device, the autocast setting moves too.
    if (kind == Kind::Autocast && options.device) settings_[0] = Value(ersatz::name(options.device->type));
    const bool flag = settings_[kind == Kind::Grad ? 0 : 2].kind() == Value::Kind::Bool;
    const bool device = kind == Kind::Grad || settings_[0].kind() == Value::Kind::String;
    if (!flag || !device)
      refuse_node(*this, "its settings must be literals: grad mode; or device, dtype, enabled, cache");
    with_composite([](CompositeCall& call) { static_cast<const WrappedGraph&>(call.op).run(call); });
  }

 private:
  void run(CompositeCall& call) const {
    if (kind_ == Kind::Grad) {
      const ContextGuard grad([&](RuleContext& c) { c.grad_mode = settings_[0].as_bool(); });
      return run_graph(call);
    }
    std::optional<DType> dtype;
    if (!settings_[1].is_none()) dtype = settings_[1].as_dtype();
    const std::optional<Device> device = parse_device(settings_[0].as_string());
    call.require(device.has_value(), "", "no device is called '{}'", settings_[0].as_string());
    const bool cache = settings_.size() < 4 || settings_[3].kind() != Value::Kind::Bool || settings_[3].as_bool();
    const AutocastScope autocast(device->type, settings_[2].as_bool(), dtype, cache);
    run_graph(call);
  }
  void run_graph(CompositeCall& call) const {
    for (Value& v : body_.run(call.args)) call.returns(std::move(v));
  }

  Kind kind_;
  std::vector<Value> settings_;
  NestedGraph body_;
};

/// A nested graph that runs unchanged, without a scope. It is a region that is compiled once, a region that is
/// recomputed in the backward pass, or a module that a graph calls.
class PlainGraph final : public HigherOrderOp {
 public:
  PlainGraph(const Program& p, const Node& node, uint32_t first, const PrepareOptions& options)
      : HigherOrderOp(p, node, positional(p, node, first)),
        body_(*this, p, p.view(node.args)[0], operands.size(), schema.returns.size(), options) {
    with_composite([](CompositeCall& call) { static_cast<const PlainGraph&>(call.op).run(call); });
  }

 private:
  /// Returns the positional operands from `first` on. Keyword arguments are left out, because they are settings that
  /// change no metadata.
  static std::vector<Arg> positional(const Program& p, const Node& node, uint32_t first) {
    std::vector<Arg> args;
    for (const Arg& a : p.view(node.args).subspan(first)) {
      if (a.name == 0) args.push_back(a);
    }
    return args;
  }
  void run(CompositeCall& call) const {
    for (Value& v : body_.run(call.args)) call.returns(std::move(v));
  }

  NestedGraph body_;
};

/// An op that writes arguments. It is called on copies of these arguments.
class Functionalized final : public HigherOrderOp {
 public:
  Functionalized(const Program& p, const Node& node, const ProgramOp& op)
      : HigherOrderOp(p, node, {node.args.first + 1, node.args.count - 1}), called_(op.entry) {
    if (!called_) {
      missing.emplace_back(p.name(op.name));
      return;
    }
    bases_ = schema.find_argument("_all_bases");
    if (bases_ < 0) refuse_node(*this, "it has no argument _all_bases");
    for (const Argument& formal : called_->schema.arguments) {
      Source source;
      if (formal.is_write()) {
        source.base = schema.find_argument("_" + formal.name + "_base_index");
        if (source.base < 0)
          refuse_node(*this, fmt::format("argument {} has no base: it has no _base_index", formal.name));
        refuse_views(formal.name);
      } else {
        source.argument = schema.find_argument(formal.name);
        if (source.argument < 0 && !formal.default_value) {
          refuse_node(*this, fmt::format("argument {} of {} is missing", formal.name, called_->name));
        }
      }
      sources_.push_back(source);
    }
    with_composite([](CompositeCall& call) { static_cast<const Functionalized&>(call.op).run(call); });
  }

 private:
  /// The origin of an argument of the called op: an operand, or an index into the bases. If both are -1, it has its
  /// default.
  struct Source {
    int argument = -1, base = -1;
  };

  void refuse_views(std::string_view argument) const {
    for (const char* part : {"_size", "_slice_dim"}) {
      if (schema.find_argument(fmt::format("_{}{}", argument, part)) >= 0) {
        fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
             "{}: argument {} is a view of its base; only whole bases are known", base(), argument);
      }
    }
  }

  void run(CompositeCall& call) const {
    std::vector<Value> copies;
    for (const Value& base : call.args[bases_].as_list()) copies.push_back(clone_of(base));
    std::vector<Value> args;
    for (size_t i = 0; i < sources_.size(); ++i) {
      const Source& s = sources_[i];
      if (s.base >= 0 && !call.args[s.base].is_none()) {
        const int64_t index = call.integer(s.base);
        call.require(index >= 0 && index < static_cast<int64_t>(copies.size()), "", "there is no base {} of {}", index,
                     copies.size());
        args.push_back(copies[index]);
      } else if (s.base >= 0) {
        args.emplace_back();
      } else {
        args.push_back(s.argument >= 0 ? call.args[s.argument] : *called_->schema.arguments[i].default_value);
      }
    }
    Values results = ersatz::call(*called_, args);
    if (results.empty()) call.returns(Value());
    for (Value& v : results) call.returns(std::move(v));
    for (Value& v : copies) call.returns(std::move(v));
  }

  const OpEntry* called_;
  int bases_ = -1;
  std::vector<Source> sources_;  // for each argument of the called op
};

}  // namespace

std::unique_ptr<HigherOrderOp> higher_order_op(const Program& p, const Node& node, const PrepareOptions& options) {
  const std::string_view kind = p.name(p.op(node).name);
  const auto args = p.view(node.args);
  const auto is_graph = [&](size_t i) { return i < args.size() && args[i].kind == Arg::Kind::Graph; };
  if (kind == "higher_order.wrap_with_set_grad_enabled" && is_graph(1)) {
    return std::make_unique<WrappedGraph>(p, node, WrappedGraph::Kind::Grad, 1, options);
  }
  if (kind == "higher_order.wrap_with_autocast" && is_graph(4)) {
    return std::make_unique<WrappedGraph>(p, node, WrappedGraph::Kind::Autocast, 4, options);
  }
  if ((kind == "higher_order.tag_activation_checkpoint" || kind == "higher_order.wrap") && is_graph(0)) {
    return std::make_unique<PlainGraph>(p, node, 1, options);
  }
  if (kind == "higher_order.invoke_subgraph" && is_graph(0) && args.size() > 1) {  // args[1] is a name
    return std::make_unique<PlainGraph>(p, node, 2, options);
  }
  if (kind == "higher_order.auto_functionalized_v2" && !args.empty() && args[0].kind == Arg::Kind::Operator) {
    return std::make_unique<Functionalized>(p, node, p.ops[args[0].index]);
  }
  return control_flow_op(p, node, options);
}

}  // namespace ersatz
