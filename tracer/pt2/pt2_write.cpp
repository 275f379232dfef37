// Writes the graph JSON: the graphs, and signature, ranges and versions around them.
#include <algorithm>

#include "runtime/base/error.h"
#include "runtime/sym/sym_number.h"
#include "tracer/archive/json_stream.h"
#include "tracer/archive/json_text.h"
#include "tracer/program/program_facts.h"
#include "tracer/pt2/pt2_signature.h"
#include "tracer/pt2/pt2_write_graph.h"
#include "tracer/pt2/save_program.h"
#include "tracer/text/text_form.h"

namespace ersatz {

namespace pt2_text {

using namespace json_text;
using pt2_json::InputTag;
using pt2_json::kInputTags;
using pt2_json::kOutputTags;
using pt2_json::OutputTag;

namespace {

class ProgramWriter {
 public:
  explicit ProgramWriter(const Program& program) : p_(program), graphs_(program) {}

  std::string json() {
    const std::string graph = graphs_.main();
    if (const uint32_t unused = graphs_.unused_graph()) {
      fail_unwritable("graph @{} is held by no node", p_.name(p_.graphs[unused]->name));
    }
    const std::string module = object({{"graph", graph},
                                       {"signature", signature()},
                                       {"module_call_graph", module_call_graph()},
                                       {"metadata", "{}"},
                                       {"treespec_namedtuple_fields", "{}"}});
    const Maker maker = maker_of(p_);
    std::vector<std::string> verifiers;
    for (const std::string& v : maker.verifiers) verifiers.push_back(text(v));
    Members members{{"graph_module", module},
                    {"opset_version", object({{"aten", "10"}})},
                    {"range_constraints", ranges()},
                    {"schema_version", object({{"major", "8"}, {"minor", "20"}})},
                    {"verifiers", list(verifiers)},
                    {"torch_version", text(maker.torch)},
                    {"guards_code", "[]"}};
    if (p_.producer != maker.producer()) members.emplace_back("ersatz_producer", text(p_.producer));
    if (const std::string stated = statements(); !stated.empty()) members.emplace_back("ersatz", text(stated));
    return object(members);
  }

 private:
  /// The program's producer, as the JSON records it.
  struct Maker {
    std::string torch = "2.15.0";  ///< the version of PyTorch whose format is written
    std::vector<std::string> verifiers;
    std::string producer() const { return fmt::format("torch {}, schema 8.20, {}", torch, fmt::join(verifiers, ", ")); }
  };

  /// Returns the producer to record. A dialect promises properties of the graph, so the program's dialect is kept only
  /// if the graph has these properties.
  static Maker maker_of(const Program& p) {
    Maker maker;
    const std::string_view made = p.producer;
    if (const size_t comma = made.find(", schema "); made.starts_with("torch ") && comma != made.npos) {
      maker.torch = made.substr(6, comma - 6);
    }
    const bool training = made.ends_with(", TRAINING") || !is_functional(p);
    maker.verifiers = {training ? "TRAINING" : "ATEN"};
    return maker;
  }

  static bool is_functional(const Program& p) {
    return std::none_of(p.ops.begin(), p.ops.end(), [](const ProgramOp& op) {
      return op.kind == ProgramOp::Kind::Operator && (!op.entry || op.entry->schema.is_mutable());
    });
  }

  // The next functions write the signature.

  std::string name_of(ValueId value) const { return object({{"name", text(p_.name(p_.main().values[value].name))}}); }

  std::string input_spec(const GraphInput& in) {
    Members members;
    std::string_view tag = "user_input";
    if (in.kind == InputKind::ConstantInput) {
      tag = "constant_input";
      members = {{"name", text(p_.name(p_.main().values[in.value].name))},
                 {"value", graphs_.constant(p_.main().values[in.value])}};
    } else if (in.kind == InputKind::UserInput) {
      members = {{"arg", graphs_.input(p_.main(), in)}};
    }
    std::string_view target;
    for (const InputTag& row : kInputTags) {
      if (row.kind != in.kind) continue;
      tag = row.tag;
      target = row.target;
      members = {{"arg", name_of(in.value)}};
    }
    if (in.kind == InputKind::CustomObject) {
      const GraphValue& v = p_.main().values[in.value];
      const bool has_class = v.record != kNone && p_.literals[v.record].kind() == Value::Kind::String;
      members = {{"arg", object({{"name", text(p_.name(v.name))},
                                 {"class_fqn", text(has_class ? p_.literals[v.record].as_string() : "")}})}};
    }
    if (!target.empty()) {
      members.emplace_back(target, text(p_.name(in.target)));
    } else if (in.target) {
      members.emplace_back("ersatz_target", text(p_.name(in.target)));
    }
    if (tag == "buffer") members.emplace_back("persistent", boolean(in.kind == InputKind::Buffer));
    return object({{tag, object(members)}});
  }

  std::string output_spec(const GraphOutput& o) {
    for (const OutputTag& row : kOutputTags) {
      if (row.kind != o.kind) continue;
      const bool of_user = o.kind == OutputKind::UserOutput;
      if (!of_user && o.value.kind != Arg::Kind::Value) fail_unwritable("the {} is no value", name(o.kind));
      Members members{{"arg", of_user ? graphs_.argument(p_.main(), o.value) : name_of(o.value.index)}};
      if (!row.target.empty()) {
        members.emplace_back(row.target, text(p_.name(o.target)));
      } else if (o.target) {
        members.emplace_back("ersatz_target", text(p_.name(o.target)));
      }
      return object({{row.tag, object(members)}});
    }
    return {};
  }

  std::string signature() {
    std::vector<std::string> inputs, outputs;
    for (const GraphInput& in : p_.main().inputs) inputs.push_back(input_spec(in));
    for (const GraphOutput& o : p_.main().outputs) outputs.push_back(output_spec(o));
    return object({{"input_specs", list(inputs)}, {"output_specs", list(outputs)}});
  }

  /// Returns the JSON of PyTorch's call signature. In it, a specification of nested arguments is JSON inside a string.
  std::string module_call_graph() const {
    const auto spec = [](std::string_view type, std::string_view context, const std::vector<std::string>& children) {
      return object({{"type", type.empty() ? "null" : text(type)},
                     {"context", context.empty() ? "null" : text(context)},
                     {"children_spec", list(children)}});
    };
    const auto leaves = [&](size_t n) { return std::vector<std::string>(n, spec("", "", {})); };
    const auto written = [](const std::string& of) { return text("[1, " + of + "]"); };
    std::vector<std::string> names;
    for (const GraphInput& in : p_.main().inputs) {
      if (in.kind == InputKind::UserInput || in.kind == InputKind::ConstantInput) {
        names.push_back(text(p_.name(p_.main().values[in.value].name)));
      }
    }
    const size_t results =
        static_cast<size_t>(std::count_if(p_.main().outputs.begin(), p_.main().outputs.end(), [](const GraphOutput& o) {
          return o.kind == OutputKind::UserOutput || o.kind == OutputKind::Loss;
        }));
    const std::string in =
        spec("builtins.tuple", "null",
             {spec("builtins.tuple", "null", leaves(names.size())), spec("builtins.dict", "[]", {})});
    const std::string out = results == 1 ? spec("", "", {}) : spec("builtins.tuple", "null", leaves(results));
    const std::string call = object({{"inputs", "[]"},
                                     {"outputs", "[]"},
                                     {"in_spec", written(in)},
                                     {"out_spec", written(out)},
                                     {"forward_arg_names", list(names)}});
    const std::string whole[] = {object({{"fqn", text("")}, {"signature", call}})};
    return list(whole);
  }

  // The next functions write symbols.

  std::string ranges() const {
    Members members;
    const auto add = [&](std::string_view key, std::optional<int64_t> min, std::optional<int64_t> max) {
      members.emplace_back(key, object({{"min_val", min ? std::to_string(*min) : "null"},
                                        {"max_val", max ? std::to_string(*max) : "null"}}));
    };
    std::vector<SymbolInfo> symbols = p_.env->symbols();
    for (const SymbolInfo& s : symbols) {
      add(s.name, s.min == INT64_MIN ? std::nullopt : std::optional(s.min),
          s.max == INT64_MAX ? std::nullopt : std::optional(s.max));
    }
    // All keys must differ, but two constraints may bound one expression. PyTorch takes a key that begins like a
    // symbol's name for a symbol. Brackets around the key solve both.
    std::set<std::string> keys;
    std::vector<std::string> spelled;
    spelled.reserve(p_.constraints.size());  // needed because `members` has views of these strings
    for (const RangeConstraint& c : p_.constraints) {
      std::string key = to_string(c.expression);
      if (is_symbol_name(key) || key[0] == 'u' || key[0] == 'z') key = "(" + key + ")";
      while (!keys.insert(key).second) key = "(" + key + ")";
      spelled.push_back(std::move(key));
      add(spelled.back(), c.min, c.max);
    }
    return object(members);
  }

  /// Returns properties that PyTorch's format cannot hold, as statements in text form around an empty graph; empty if
  /// there are none.
  std::string statements() const {
    Program stated;
    stated.plugins = p_.plugins;
    stated.foreign_schemas = p_.foreign_schemas;
    stated.weights.seed = p_.weights.seed;
    stated.function = p_.function;
    stated.steals = p_.steals;
    stated.untold = p_.untold;
    for (const ModuleFrame& m : p_.modules)
      stated.modules.push_back({stated.names.intern(p_.name(m.path)), stated.names.intern(p_.name(m.type)), m.outer});
    for (const SymbolInfo& s : p_.env->symbols()) {
      const bool hidden = s.hint && !graphs_.values().shown().contains(s.name);
      if (hidden || !p_.conditions.empty()) stated.env->symbol(s);
    }
    for (const RecordedCondition& c : p_.conditions) add_conditions(stated, c.kind, {&c.decision, 1});
    const bool any = stated.untold != Untold() || !stated.function.empty() || !stated.steals.empty() ||
                     !stated.modules.empty() || !stated.plugins.empty() || !stated.foreign_schemas.empty() ||
                     stated.weights.seed || !stated.env->symbols().empty() || !stated.conditions.empty();
    return any ? print_program(stated) : "";
  }

  const Program& p_;
  GraphWriter graphs_;
};

/// RAISES NotSupported if values are nested deeper than parsers accept.
void check_depth(std::string_view json) {
  int depth = 0, deepest = 0;
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      depth += (c == '{' || c == '[') - (c == '}' || c == ']');
      deepest = std::max(deepest, depth);
    }
  }
  if (deepest >= kJsonMaxDepth) fail_unwritable("graphs nest too deep: {} levels of JSON", deepest);
}

}  // namespace
}  // namespace pt2_text

std::string print_pt2_json(const Program& program) {
  std::string json = pt2_text::ProgramWriter(program).json();
  pt2_text::check_depth(json);
  return json;
}

}  // namespace ersatz
