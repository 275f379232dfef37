// Parses the text form; docs/text-form.md has the grammar.
#include <map>

#include "tracer/program/graph_builder.h"
#include "tracer/text/text_form.h"
#include "tracer/text/text_payload.h"
#include "tracer/text/text_scanner.h"
#include "tracer/text/untold_words.h"

namespace ersatz {

namespace {

constexpr int kMaxNesting = 32;

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : in_(text, file, *p_.env), file_(file) {}

  Program program() {
    if (in_.take_word("ersatz")) {
      in_.expect_word("program");
      const int64_t version = in_.integer("a version number");
      if (version < 1 || version > kTextFormVersion)
        in_.refuse("text form {} is not read here (1 to {} are)", version, kTextFormVersion);
    }
    bool have_main = false;
    while (!in_.at_end()) {
      if (in_.take_word("graph")) {
        graph(have_main);
      } else {
        statement();
      }
    }
    if (!have_main) in_.refuse("a graph without a name is expected: the program itself");
    bind_graph_names();
    return std::move(p_);
  }

 private:
  void statement() {
    if (in_.take_word("producer")) {
      p_.producer = in_.string("who made the program");
    } else if (in_.take_word("function")) {
      p_.function = in_.string("the name of a function");
    } else if (in_.take_word("steals")) {
      p_.steals.push_back(in_.string("the name of an argument"));
    } else if (in_.take_word("untold")) {
      untold();
    } else if (in_.take_word("module")) {
      module();
    } else if (in_.take_word("plugin")) {
      p_.plugins.push_back(in_.string("a path"));
    } else if (in_.take_word("schema")) {
      p_.foreign_schemas.push_back(in_.string("a schema"));
    } else if (in_.take_word("seed")) {
      p_.weights.seed = static_cast<uint64_t>(in_.integer("a number"));
    } else if (in_.take_word("symbol")) {
      symbol();
    } else if (in_.take_word("constraint")) {
      RangeConstraint c;
      c.expression = expression(in_.string("an expression"));
      std::tie(c.min, c.max) = range();
      p_.constraints.push_back(c);
    } else if (in_.take_word("storage")) {
      storage();
    } else if (!condition()) {
      in_.refuse(
          "producer, function, steals, untold, plugin, schema, seed, symbol, constraint, guard, assert, assumption, "
          "storage, "
          "module or graph is expected");
    }
  }

  bool condition() {
    for (const auto kind :
         {RecordedCondition::Kind::Guard, RecordedCondition::Kind::Assert, RecordedCondition::Kind::Assumption}) {
      if (!in_.take_word(name(kind))) continue;
      RecordedCondition c{kind, {}};
      const SymInt truth = expression(in_.string("a condition on symbols"));
      if (truth.is_int()) in_.refuse("a condition that is {} for all sizes", truth.as_int() != 0);
      c.decision.condition = condition_of(truth);
      c.decision.text = to_string(c.decision.condition);
      c.decision.count = 1;
      if (in_.take('{')) condition_attributes(c.decision);
      p_.conditions.push_back(std::move(c));
      return true;
    }
    return false;
  }

  void condition_attributes(Guard& d) {
    while (!in_.take('}')) {
      const std::string_view key = in_.word("op, node, at, message or count");
      in_.expect('=');
      if (key == "count") {
        d.count = in_.integer("a number");
        if (d.count < 0) in_.refuse("a count is at least 0: got {}", d.count);
      } else {
        std::string* const text = key == "op"        ? &d.site.op
                                  : key == "node"    ? &d.site.node
                                  : key == "at"      ? &d.site.line
                                  : key == "message" ? &d.message
                                                     : nullptr;
        if (!text) in_.refuse("op, node, at, message or count is expected, not '{}'", key);
        *text = in_.string("a text");
      }
      if (in_.peek() != '}') in_.expect(',');
    }
  }

  SymInt expression(std::string_view text) {
    try {
      return p_.env->parse(text);
    } catch (const Error& e) {
      in_.refuse("{}", e.message);
    }
  }

  std::pair<std::optional<int64_t>, std::optional<int64_t>> range() {
    std::optional<int64_t> min, max;
    in_.expect_word("in");
    in_.expect('[');
    if (in_.next_is("-inf")) {
      in_.expect('-');
      in_.expect_word("inf");
    } else {
      min = in_.integer("the least value");
    }
    in_.expect(',');
    if (!in_.take_word("inf")) max = in_.integer("the greatest value, or inf,");
    in_.expect(']');
    if (min && max && *min > *max) in_.refuse("the range [{}, {}] is empty", *min, *max);
    return {min, max};
  }

  void symbol() {
    SymbolInfo info;
    info.name = in_.word("a symbol's name");
    if (p_.env->find_symbol(info.name)) in_.refuse("a second symbol {}", info.name);
    const auto [min, max] = range();
    info.min = min.value_or(INT64_MIN);
    info.max = max.value_or(INT64_MAX);
    if (in_.take_word("hint")) info.hint = in_.integer("the example value");
    p_.env->symbol(info);
  }

  void untold() {
    do {
      const std::string_view what = in_.word("strides, offsets, dtypes, devices or list_ends");
      bool Untold::*const field = untold_field(what);
      if (!field) in_.refuse("strides, offsets, dtypes, devices or list_ends is expected, not '{}'", what);
      p_.untold.*field = true;
    } while (in_.take(','));
  }
  void module() {
    const std::string name(in_.word("a module's name"));
    ModuleFrame frame;
    frame.path = p_.names.intern(in_.string("the module's path"));
    frame.type = p_.names.intern(in_.string("the module's type"));
    if (in_.take_word("in")) frame.outer = module_named();
    p_.modules.push_back(frame);
    if (!modules_.emplace(name, static_cast<uint32_t>(p_.modules.size() - 1)).second)
      in_.refuse("a second module {}", name);
  }

  uint32_t module_named() {
    const auto found = modules_.find(std::string(in_.word("a module's name")));
    if (found == modules_.end()) in_.refuse("no module before this has that name");
    return found->second;
  }

  void storage() {
    in_.expect('$');
    const std::string name(in_.word("a storage's name"));
    if (!storages_.emplace(name, p_.weights.add_payload(parse_payload(in_, file_))).second) {
      in_.refuse("a second storage ${}", name);
    }
  }

  // The next functions parse graphs.

  void graph(bool& have_main) {
    uint32_t index = 0;
    if (in_.take('@')) {
      const std::string name = in_.name("a graph's name");
      index = static_cast<uint32_t>(p_.graphs.size());
      p_.graphs.push_back(std::make_unique<Graph>());
      p_.graphs.back()->name = p_.names.intern(name);
      if (name.empty() || !graph_names_.emplace(p_.graphs.back()->name, index).second) {
        in_.refuse("a second graph @{}", name);
      }
    } else {
      if (have_main) in_.refuse("a second graph without a name");
      have_main = true;
    }
    Graph& g = *p_.graphs[index];
    GraphBuilder builder(p_, g);
    b_ = &builder;
    node_positions_.clear();
    g.single_result = in_.take_word("single");
    const size_t start = in_.position();
    in_.expect('(');
    while (!in_.take(')')) {
      input(g);
      if (in_.peek() != ')') in_.expect(',');
    }
    in_.expect(':');
    while (!in_.take_word("return")) node();
    const size_t end = in_.position();
    outputs(g);
    builder.resolve([&](char what, size_t i, const std::string& message) {
      in_.refuse_at(what == 'i' ? start : what == 'n' ? node_positions_[i] : end, message);
    });
  }

  std::string value_name() {
    in_.expect('%');
    std::string name = in_.name("a value's name");
    if (name.empty()) in_.refuse("a value without a name");
    return name;
  }

  /// Parses `%name: type`. The caller stores the returned result.
  Arg definition() {
    const std::string name = value_name();
    if (!in_.take(':')) return b_->define(name, ValueKind::Unknown);
    if (in_.at_meta()) {
      const MetaText text = in_.meta();
      if (text.storage_bytes || text.alias_bytes) in_.refuse("storage sizes and byte ranges are not taken here");
      const Arg a = b_->define(name, ValueKind::Tensor, p_.add_meta(text.meta));
      if (!text.alias.empty()) {
        b_->set_alias(a.index, text.alias[0] == '%' ? text.alias.substr(1) : text.alias);
      } else {
        alias(a.index);
      }
      return a;
    }
    const std::string_view word = in_.word("metadata, tensor, int, float, bool or object");
    if (word == "tensor") {
      const Arg a = b_->define(name, ValueKind::Tensor);
      alias(a.index);
      return a;
    }
    for (ValueKind kind : {ValueKind::Int, ValueKind::Float, ValueKind::Bool, ValueKind::Object}) {
      if (word == ersatz::name(kind)) return b_->define(name, kind, number_record(kind));
    }
    in_.refuse("metadata, tensor, int, float, bool or object is expected, not '{}'", word);
  }

  void alias(ValueId value) {
    if (in_.take('~')) b_->set_alias(value, value_name());
  }

  uint32_t number_record(ValueKind kind) {
    if (!in_.take('(')) return kNone;
    Value v;
    if (kind == ValueKind::Int && in_.peek() != '"') {
      v = expression(in_.inside_parentheses());
    } else {
      v = in_.literal();
      in_.expect(')');
    }
    const bool fits = v.kind() == Value::Kind::String || (kind == ValueKind::Int && v.kind() == Value::Kind::Int) ||
                      (kind == ValueKind::Float && v.kind() == Value::Kind::Float) ||
                      (kind == ValueKind::Bool && v.kind() == Value::Kind::Bool);
    if (!fits) in_.refuse("{} is no {}", to_string(v), ersatz::name(kind));
    return p_.add_literal(std::move(v)).index;
  }

  void input(Graph& g) {
    GraphInput input;
    const Arg a = definition();
    input.value = a.index;
    if (in_.take('=')) {
      const std::string_view word = in_.word("a kind of input");
      const auto kind = parse_input_kind(word);
      if (!kind) in_.refuse("'{}' is no kind of input", word);
      input.kind = *kind;
      if (in_.peek() == '"') input.target = p_.names.intern(in_.string("a qualified name"));
      if (in_.take('$')) input.stored = stored(g, input);
    }
    g.inputs.push_back(input);
  }

  uint32_t stored(const Graph& g, const GraphInput& input) {
    const auto found = storages_.find(std::string(in_.word("a storage's name")));
    if (found == storages_.end()) in_.refuse("no storage before this has that name");
    const GraphValue& v = g.values[input.value];
    StoredTensor tensor{std::string(p_.name(input.target ? input.target : v.name)), found->second, {}};
    if (in_.take_word("as")) {
      tensor.meta = in_.meta().meta;
    } else if (const TensorMeta* recorded = p_.meta(v)) {
      tensor.meta = *recorded;
    } else {
      in_.refuse("a tensor with metadata is expected where a storage is named");
    }
    try {
      return p_.weights.add_tensor(std::move(tensor));
    } catch (const Error& e) {
      in_.refuse("{}", e.message);
    }
  }

  Arg result() {
    if (in_.take_word("None")) return {};
    if (!in_.take('[')) return definition();
    std::vector<Arg> items;
    while (!in_.take(']')) {
      items.push_back(definition());
      if (in_.peek() != ']') in_.expect(',');
    }
    return p_.add_result_list(items);
  }

  std::string op_name() {
    if (in_.peek() == '"') return in_.string("an operator's name");
    return std::string(in_.word("an operator's name"));
  }

  uint32_t op(const std::string& name) {
    try {
      if (!name.empty()) return p_.add_op(name);
    } catch (const Error& e) {
      in_.refuse("{}", e.message);
    }
    in_.refuse("an operator without a name");
  }

  void node() {
    in_.peek();
    node_positions_.push_back(in_.position());
    Node n;
    scratch_.clear();
    const char c = in_.peek();
    if (c == '%' || c == '[' || c == '(' || in_.next_is("None")) {
      n.one_tuple = in_.take('(');
      do scratch_.push_back(result());
      while (!n.one_tuple && in_.take(','));
      if (n.one_tuple) in_.expect(')');
      in_.expect('=');
    }
    n.results = p_.add_args(scratch_);
    n.op = op(op_name());
    std::vector<Arg> args;
    in_.expect('(');
    while (!in_.take(')')) {
      args.push_back(keyword_argument());
      if (!args.back().name && args.size() > 1 && args[args.size() - 2].name) {
        in_.refuse("a positional argument after a keyword");
      }
      if (in_.peek() != ')') in_.expect(',');
    }
    n.args = p_.add_args(args);
    const auto flat = result_values(p_, n);
    if (!flat.empty() && flat[0] != kNone) n.name = b_->graph().values[flat[0]].name;
    if (in_.take('{')) attributes(n);
    b_->add_node(n);
  }

  void attributes(Node& n) {
    while (!in_.take('}')) {
      const std::string_view key = in_.word("name, at, in, of or call");
      in_.expect('=');
      if (key == "name") {
        n.name = p_.names.intern(in_.string("a text"));
      } else if (key == "at") {
        n.source = p_.names.intern(in_.string("a text"));
      } else if (key == "in") {
        n.module = module_named();
      } else if (key == "of") {
        n.original = op(op_name());
      } else if (key == "call") {
        n.call = user_call();
      } else {
        in_.refuse("name, at, in, of or call is expected, not '{}'", key);
      }
      if (in_.peek() != '}') in_.expect(',');
    }
  }

  /// Parses the user's call that a node comes from. All nodes of one call have equal operator and number.
  uint32_t user_call() {
    UserCall call;
    call.op = op(op_name());
    const int64_t number = in_.integer("which call of the operator it is");
    if (number < 1 || number > UINT32_MAX) in_.refuse("calls are counted from 1: got {}", number);
    call.number = static_cast<uint32_t>(number);
    const auto [at, fresh] = calls_.try_emplace({call.op, call.number}, static_cast<uint32_t>(p_.calls.size()));
    if (fresh) p_.calls.push_back(call);
    return at->second;
  }

  Arg keyword_argument() {
    // A quoted text is a keyword if `=` follows it; else it is a string.
    if (in_.peek() == '"') {
      const std::string text = in_.string("a text");
      if (!in_.take('=')) return p_.add_literal(Value(std::string_view(text)));
      return keyword(text);
    }
    if (std::string key = in_.keyword(); !key.empty()) return keyword(key);
    return argument(0);
  }

  Arg keyword(const std::string& key) {
    if (key.empty()) in_.refuse("a keyword without a name");
    Arg a = argument(0);
    a.name = p_.names.intern(key);
    return a;
  }

  Arg argument(int depth) {
    if (depth > kMaxNesting) in_.refuse("nested more than {} deep", kMaxNesting);
    switch (in_.peek()) {
      case '%':
        return b_->named_value(value_name());
      case '@': {
        in_.expect('@');
        return {0, Arg::Kind::Graph, p_.names.intern(in_.name("a graph's name"))};  // replaced at the end
      }
      case '&':
        in_.expect('&');
        return {0, Arg::Kind::Operator, op(op_name())};
      case '[': {
        in_.expect('[');
        std::vector<Arg> items;
        while (!in_.take(']')) {
          items.push_back(argument(depth + 1));
          if (in_.peek() != ']') in_.expect(',');
        }
        return p_.add_list(items);
      }
      case '{': {
        in_.expect('{');
        std::vector<Arg> items;
        while (!in_.take('}')) {
          const NameId key = p_.names.intern(in_.string("a key"));
          in_.expect(':');
          items.push_back(argument(depth + 1));
          items.back().name = key;
          if (in_.peek() != '}') in_.expect(',');
        }
        return p_.add_dict(items);
      }
    }
    return p_.add_literal(in_.literal());
  }

  void outputs(Graph& g) {
    for (bool more = starts_output(); more; more = in_.take(',')) {
      GraphOutput o;
      for (int i = 0; i <= static_cast<int>(OutputKind::Token); ++i) {
        if (in_.take_word(ersatz::name(static_cast<OutputKind>(i)))) {
          o.kind = static_cast<OutputKind>(i);
          if (in_.peek() == '"') o.target = p_.names.intern(in_.string("a target"));
          break;
        }
      }
      o.value = argument(0);
      if (o.value.kind != Arg::Kind::Value && o.value.kind != Arg::Kind::Literal && o.value.kind != Arg::Kind::None) {
        in_.refuse("a graph answers values and literals");
      }
      g.outputs.push_back(o);
    }
  }

  bool starts_output() {
    if (in_.at_end() || in_.next_is("graph")) return false;
    for (const char* word : {"producer", "function", "steals", "untold", "plugin", "schema", "seed", "symbol",
                             "constraint", "guard", "assert", "assumption", "storage", "module"}) {
      if (in_.next_is(word)) return false;
    }
    return true;
  }

  void bind_graph_names() {
    for (Arg& a : p_.args) {
      if (a.kind != Arg::Kind::Graph) continue;
      const auto found = graph_names_.find(a.index);
      if (found == graph_names_.end()) in_.refuse("no graph is named @{}", p_.name(a.index));
      a.index = found->second;
    }
  }

  Program p_;
  TextScanner in_;
  std::string file_;
  GraphBuilder* b_ = nullptr;
  std::unordered_map<std::string, uint32_t> storages_, modules_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> calls_;
  std::unordered_map<NameId, uint32_t> graph_names_;
  std::vector<size_t> node_positions_;
  std::vector<Arg> scratch_;
};

}  // namespace

Program parse_program_text(std::string_view text, const std::string& file) { return Parser(text, file).program(); }

}  // namespace ersatz
