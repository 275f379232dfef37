#include "tracer/pt2/pt2_json.h"

#include "runtime/base/error.h"
#include "runtime/sym/sym_number.h"
#include "tracer/program/program_facts.h"
#include "tracer/pt2/pt2_json_graph.h"
#include "tracer/pt2/pt2_signature.h"
#include "tracer/text/text_form.h"

namespace ersatz {

namespace {

using namespace pt2_json;

constexpr std::string_view kGraphPlace = "graph_module.graph";

void require_same_name(const Program& p, const JsonView& spec, ValueId value, std::string_view name) {
  const std::string_view in_graph = p.name(p.main().values[value].name);
  if (in_graph != name) spec.refuse("names '{}' where the graph has '{}'", name, in_graph);
}

void bind_input_spec(Program& p, const JsonView& spec, GraphInput& input) {
  const auto [tag, s] = spec.tagged();
  if (const auto target = s.find("ersatz_target")) input.target = p.names.intern(target->string());
  if (tag == "constant_input") {
    if (input.kind != InputKind::ConstantInput) spec.refuse("the graph input is no constant");
    return;
  }
  if (tag == "user_input") return;  // a constant input keeps its kind
  require_same_name(p, spec, input.value, s.at("arg").at("name").string());
  for (const InputTag& row : kInputTags) {
    if (row.tag != tag) continue;
    input.kind = row.kind;
    if (!row.target.empty()) input.target = p.names.intern(s.at(row.target).string());
    const auto persistent = s.find("persistent");
    if (row.kind == InputKind::Buffer && persistent && !persistent->boolean()) input.kind = InputKind::LooseBuffer;
    return;
  }
  spec.refuse("unknown kind of input '{}'", tag);
}

void bind_output_spec(Program& p, const JsonView& spec, GraphOutput& output) {
  const auto [tag, s] = spec.tagged();
  if (const auto target = s.find("ersatz_target")) output.target = p.names.intern(target->string());
  for (const OutputTag& row : kOutputTags) {
    if (row.tag != tag) continue;
    output.kind = row.kind;
    if (!row.target.empty()) output.target = p.names.intern(s.at(row.target).string());
    if (row.kind == OutputKind::UserOutput) return;
    const std::string_view name = s.at("arg").at("name").string();
    if (output.value.kind != Arg::Kind::Value) spec.refuse("the graph output is no value");
    require_same_name(p, spec, output.value.index, name);
    return;
  }
  spec.refuse("unknown kind of output '{}'", tag);
}

/// RAISES InvalidArgument if the target of a mutation or gradient is missing, because a run could not write it.
void check_targets(const Program& p, const JsonView& specs) {
  for (size_t i = 0; i < p.main().outputs.size(); ++i) {
    const GraphOutput& output = p.main().outputs[i];
    bool found = output.target == 0;
    for (const GraphInput& input : p.main().inputs) {
      const bool by_name =
          output.kind == OutputKind::UserInputMutation || output.kind == OutputKind::GradientToUserInput;
      found = found || (by_name ? p.main().values[input.value].name : input.target) == output.target;
    }
    if (!found) specs.item(i).refuse("no input is called '{}'", p.name(output.target));
  }
}

void bind_signature(Program& p, const JsonView& signature) {
  const JsonView inputs = signature.at("input_specs");
  const JsonView outputs = signature.at("output_specs");
  Graph& g = p.main();
  if (inputs.size() != g.inputs.size()) inputs.refuse("{} for {} graph inputs", inputs.size(), g.inputs.size());
  if (outputs.size() != g.outputs.size()) outputs.refuse("{} for {} graph outputs", outputs.size(), g.outputs.size());
  for (size_t i = 0; i < g.inputs.size(); ++i) bind_input_spec(p, inputs.item(i), g.inputs[i]);
  for (size_t i = 0; i < g.outputs.size(); ++i) bind_output_spec(p, outputs.item(i), g.outputs[i]);
  check_targets(p, outputs);
}

void read_ranges(Program& p, const JsonView& ranges) {
  ranges.each_member([&](const std::string& text, const JsonView& range) {
    RangeConstraint c;
    const bool symbol = is_symbol_name(text);
    try {
      if (!symbol) c.expression = p.env->parse(text);
    } catch (const Error& e) {
      range.refuse("'{}' is no expression: {}", text, e.message);
    }
    if (const auto min = range.find("min_val")) c.min = min->integer();
    if (const auto max = range.find("max_val")) c.max = max->integer();
    if (c.min && c.max && *c.min > *c.max) range.refuse("the range [{}, {}] is empty", *c.min, *c.max);
    if (symbol) {
      // A symbol without bounds may be negative, because it may be a number that the model reads instead of a size.
      p.env->symbol({text, std::nullopt, c.min.value_or(INT64_MIN), c.max.value_or(INT64_MAX)});
    } else {
      p.constraints.push_back(c);
    }
  });
}

/// Returns the names of constant inputs. Only the signature has these names, and nodes may use them.
std::vector<std::string> constant_names(const JsonView& input_specs) {
  std::vector<std::string> names;
  for (size_t i = 0; i < input_specs.size(); ++i) {
    const auto constant = input_specs.item(i).find("constant_input");
    const auto name = constant ? constant->find("name") : std::nullopt;
    names.emplace_back(name ? name->string() : "");
  }
  return names;
}

/// Reads properties that PyTorch's format cannot hold (print_pt2_json): statements in text form, around a graph without
/// nodes.
void read_statements(Program& p, const JsonView& text) {
  Program stated = parse_program_text(text.string(), text.where());
  p.plugins = std::move(stated.plugins);
  p.foreign_schemas = std::move(stated.foreign_schemas);
  p.weights.seed = stated.weights.seed;
  p.function = std::move(stated.function);
  p.steals = std::move(stated.steals);
  p.untold = stated.untold;
  for (const ModuleFrame& m : stated.modules)
    p.modules.push_back({p.names.intern(stated.name(m.path)), p.names.intern(stated.name(m.type)), m.outer});
  try {
    for (const SymbolInfo& s : stated.env->symbols()) p.env->symbol(s);
    for (const RecordedCondition& c : stated.conditions) add_conditions(p, c.kind, {&c.decision, 1});
  } catch (const Error& e) {
    text.refuse("{}", e.message);
  }
}

std::string read_version(const JsonView& top) {
  const JsonView version = top.at("schema_version");
  const int64_t major = version.at("major").integer();
  const int64_t minor = version.at("minor").integer();
  if (major != 8) {
    version.refuse("schema version {}.{} is not read here (8.x is: torch 2.6 and later)", major, minor);
  }
  std::string text;
  if (const auto torch = top.find("torch_version")) text = fmt::format("torch {}, ", torch->string());
  text += fmt::format("schema {}.{}", major, minor);
  if (const auto verifiers = top.find("verifiers")) {
    for (size_t i = 0; i < verifiers->size(); ++i) text += fmt::format(", {}", verifiers->item(i).string());
  }
  return text;
}

/// RAISES InvalidArgument for another major version of the schema. The version is at the end of the file and is read
/// first, before other parts can fail.
void refuse_other_major(std::string_view text, const std::string& file) {
  const size_t at = text.rfind("\"schema_version\"");
  if (at == text.npos) return;
  const size_t key = text.find("\"major\"", at);
  if (key == text.npos) return;
  const size_t digits = text.find_first_not_of(" :\t\r\n", key + 7);
  if (digits == text.npos || text[digits] < '0' || text[digits] > '9') return;
  const size_t end = std::min(text.find_first_not_of("0123456789", digits), text.size());
  const std::string_view major = text.substr(digits, std::min<size_t>(end - digits, 20));
  if (major == "8") return;
  fail_argument("{}: schema_version: major version {} is not read here (8 is: torch 2.6 and later)", file, major);
}

/// Returns the text of the object that the last member `key` has as value; empty if there is none.
std::string_view last_object(std::string_view text, std::string_view key) {
  size_t at = text.rfind(key);
  if (at == text.npos) return {};
  at = text.find_first_not_of(" :\t\r\n", at + key.size());
  if (at == text.npos || text[at] != '{') return {};
  int depth = 0;
  bool in_string = false;
  for (size_t i = at; i < text.size(); ++i) {
    if (text[i] == '"' && text[i - 1] != '\\') in_string = !in_string;
    if (in_string) continue;
    depth += (text[i] == '{') - (text[i] == '}');
    if (depth == 0) return text.substr(at, i + 1 - at);
  }
  return {};
}

}  // namespace

Program parse_pt2_json(std::string_view text, const std::string& file) {
  refuse_other_major(text, file);
  Program p;
  // Ranges are after the graph in the file, but they are needed first to simplify expressions: `Max(1, u0)` is u0 if u0
  // >= 1.
  if (const auto ranges = last_object(text, "\"range_constraints\""); !ranges.empty()) {
    const Json json = JsonStream(file).parse(ranges);
    const JsonView::Tree tree{file, "range_constraints", &json};
    read_ranges(p, JsonView(tree));
  }
  GraphReader reader(p, p.main(), file + ": " + std::string(kGraphPlace));
  JsonStream stream(file);
  stream.take(std::string(kGraphPlace) + ".nodes", [&](const std::string& place, std::string_view, const Json& node) {
    const JsonView::Tree tree{file, place, &node};
    reader.node(JsonView(tree));
  });
  stream.take(std::string(kGraphPlace) + ".tensor_values",
              [&](const std::string& place, std::string_view name, const Json& meta) {
                const JsonView::Tree tree{file, place, &meta};
                reader.tensor_value(name, JsonView(tree));
              });
  const Json rest = stream.parse(text);
  const JsonView::Tree tree{file, "", &rest};
  const JsonView top(tree);
  if (!top.is_object() || !top.find("graph_module")) {
    fail_argument("{}: is JSON, but no exported program: it has no 'graph_module'", file);
  }
  p.producer = read_version(top);
  const JsonView module = top.at("graph_module");
  const JsonView graph = module.at("graph");
  graph.at("nodes");
  graph.at("tensor_values");
  reader.finish(graph, constant_names(module.at("signature").at("input_specs")));
  bind_signature(p, module.at("signature"));
  if (const auto producer = top.find("ersatz_producer")) p.producer = producer->string();
  if (const auto statements = top.find("ersatz")) read_statements(p, *statements);
  return p;
}

std::vector<PayloadConfig> parse_payload_config(std::string_view text, const std::string& file) {
  const Json json = JsonStream(file).parse(text);
  const JsonView::Tree tree{file, "", &json};
  std::vector<PayloadConfig> rows;
  JsonView(tree).at("config").each_member([&](const std::string& name, const JsonView& row) {
    PayloadConfig c;
    c.name = name;
    const JsonView path = row.at("path_name");
    c.path = path.string();
    if (c.path.empty() || c.path == "." || c.path == ".." || c.path.find_first_of("/\\") != c.path.npos) {
      path.refuse("'{}' is no plain file name", c.path);
    }
    c.is_param = row.at("is_param").boolean();
    if (const auto pickle = row.find("use_pickle"); pickle && pickle->boolean()) {
      row.refuse("'{}' is stored as a Python pickle, which is not read here", name);
    }
    const auto meta = row.find("tensor_meta");
    if (!meta) return;  // a custom object has no tensor metadata
    c.meta = tensor_meta(*meta, nullptr);
    if (const auto storage = row.find("ersatz_storage")) c.storage = storage->integer();
    if (const auto bytes = row.find("ersatz_bytes")) {
      c.made_bytes = bytes->integer();
      if (c.made_bytes < 0) bytes->refuse("{} bytes", c.made_bytes);
    }
    rows.push_back(std::move(c));
  });
  if (const auto given = JsonView(tree).find("ersatz_given")) {
    for (size_t i = 0; i < given->size(); ++i) {
      PayloadConfig& c = rows.emplace_back();
      c.name = given->item(i).string();
      c.given = true;
    }
  }
  return rows;
}

}  // namespace ersatz
