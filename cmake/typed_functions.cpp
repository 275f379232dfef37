// The build's own program that writes the typed functions: `ops::flip(self, dims)` of every TypedSchema in kernels/.
//
//   typed_functions SOURCE OUT    reads SOURCE/kernels/**/*.h
//     OUT/typed/shape/flip.h      declarations of the schemas in kernels/shape/flip.h, which includes it
//     OUT/typed/functions.cpp     all definitions
//
// A parameter's type, name and default follow from the schema's argument. A Generator has no parameter. Dtype, layout,
// device and pin_memory become one `FactoryOptions`, which has only dtype and device. An empty list means the default
// of its argument. Several results are a tuple, or, where the schema names them, a struct with these names:
// `ops::TopkResult` has `values` and `indices`. A file is written only if its text changes, so that its time stays.
#include <fmt/args.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "runtime/op/registry.h"
#include "runtime/op/schema.h"

namespace ersatz {
void register_all_ops(Registry&) {}  // this program calls none

namespace {
namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void write(const fs::path& path, const std::string& text) {
  if (fs::exists(path) && read(path) == text) return;
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

/// Splits the text between the braces of a TypedSchema's definition at its commas. The first part is the schema.
std::vector<std::string> operands(std::string_view text) {
  std::vector<std::string> found(1);
  for (bool inside = false; !text.empty(); text.remove_prefix(1)) {
    if (text[0] == '"') {
      inside = !inside;
    } else if (!inside && text[0] == ',') {
      found.emplace_back();
    } else if (inside || !std::isspace(static_cast<unsigned char>(text[0]))) {
      if (inside && text[0] == '\\') text.remove_prefix(1);
      found.back() += text[0];
    }
  }
  return found;
}

/// The schema of a family's op. `parts` are the texts for its placeholders, with `|` between them.
std::string member(const std::string& family, std::string_view parts) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (size_t bar; (bar = parts.find('|')) != parts.npos; parts.remove_prefix(bar + 1))
    store.push_back(std::string(parts.substr(0, bar)));
  store.push_back(std::string(parts));
  return fmt::vformat(family, store);
}

/// The schemas that a header declares as typed, in its order.
std::vector<FunctionSchema> typed_schemas(const std::string& header) {
  std::vector<FunctionSchema> found;
  for (size_t at = 0; (at = header.find("inline constexpr TypedSchema ", at)) != header.npos;) {
    const size_t open = header.find('{', at) + 1;
    at = header.find("};", at);
    std::vector<std::string> forms = operands(std::string_view(header).substr(open, at - open));
    const std::string schema = std::move(forms[0]);
    forms.erase(forms.begin());
    const bool in_place = std::erase(forms, "kAndInplace") > 0;
    const size_t first = found.size();
    if (forms.empty()) found.push_back(parse_schema(schema));
    for (const std::string& parts : forms) found.push_back(parse_schema(member(schema, parts)));
    for (size_t i = first, end = found.size(); in_place && i < end; ++i) {
      found.push_back(found[i]);
      found.back().base += '_';
    }
  }
  return found;
}

/// The C++ function of a schema, as texts.
struct Function {
  std::string returns, name, op;
  std::string result;               ///< expression that converts the op's results; `{}` is the op's call
  std::vector<std::string> fields;  ///< fields of the struct that is returned; empty: no struct
  std::vector<std::string> types, names, defaults;  ///< one of each for a parameter; an empty default: none
  std::vector<std::string> values;                  ///< the value that the op gets for each argument of the schema
  bool factory = false;
};

std::string element_type(BaseType base) {
  switch (base) {
    case BaseType::Int:
      return "int64_t";
    case BaseType::SymInt:
      return "SymInt";
    case BaseType::Float:
      return "double";
    case BaseType::Bool:
      return "bool";
    case BaseType::Scalar:
      return "Scalar";
    case BaseType::String:
      return "std::string_view";
    case BaseType::ScalarType:
      return "DType";
    case BaseType::MemoryFormat:
      return "MemoryFormat";
    case BaseType::Device:
      return "Device";
    default:
      fail_argument("a typed function takes no such argument: write it by hand");
  }
}

std::string parameter_type(const SchemaType& type) {
  if (type.base == BaseType::Tensor) return type.is_list() ? "std::span<const Tensor>" : "const Tensor&";
  if (type.is_list() && type.base == BaseType::Bool && type.fixed_size() > 0)
    return "const std::array<bool, " + std::to_string(type.fixed_size()) + ">&";
  if (type.is_list() && type.base != BaseType::Int && type.base != BaseType::SymInt) element_type(BaseType::Any);
  if (type.is_list()) return "std::span<const SymInt>";
  const std::string element = element_type(type.base);
  if (type.is_optional()) return "std::optional<" + element + ">";
  return type.base == BaseType::Scalar ? "const Scalar&" : element;
}

std::string default_of(const Argument& a) {
  if (!a.default_value) return "";
  const std::string& text = a.default_text;
  if (a.type.is_list()) return "{}";
  if (text == "None") return a.type.base == BaseType::Tensor ? "{}" : "std::nullopt";
  if (text == "True" || text == "False") return text == "True" ? "true" : "false";
  if (a.type.base == BaseType::MemoryFormat && text == "0") return "MemoryFormat::Contiguous";
  return a.type.base == BaseType::Scalar && a.default_value->kind() == Value::Kind::Int ? "int64_t(" + text + ")"
                                                                                        : text;
}

/// Returns whether the arguments from `i` on are dtype, layout, device and pin_memory, as in ATen's factories.
bool are_options(const std::vector<Argument>& arguments, size_t i) {
  return i + 4 <= arguments.size() && arguments[i].name == "dtype" && arguments[i + 1].name == "layout" &&
         arguments[i + 2].name == "device" && arguments[i + 3].name == "pin_memory";
}

/// Returns the expression that the op gets for a list parameter. An empty list means the default.
std::string list_value(const Argument& a) {
  if (a.type.base == BaseType::Tensor || a.type.base == BaseType::Bool)
    return "std::span<const Value>(boxed(" + a.name + "))";
  std::string numbers = a.default_value ? a.default_text : "";
  std::erase_if(numbers, [](char c) { return c == '[' || c == ']'; });
  if (numbers == "None") return "none_if_empty(" + a.name + ")";
  return numbers.empty() ? a.name : "or_default<" + numbers + ">(" + a.name + ")";
}

/// `TopkResult` of `topk`, `InnerLinalgDetResult` of `_linalg_det`.
std::string result_type(std::string_view op) {
  std::string name = op.starts_with('_') ? "Inner" : "";
  bool capital = true;
  for (char c : op) {
    if (c != '_') name += static_cast<char>(capital ? std::toupper(c) : c);
    capital = c == '_';
  }
  return name + "Result";
}

void set_result(Function& f, const FunctionSchema& schema) {
  const std::vector<Argument>& returns = schema.returns;
  if (returns.empty()) {
    f.returns = "void", f.result = "{}";
  } else if (returns.size() > 1) {
    for (const Argument& r : returns) {
      if (!r.name.empty()) f.fields.push_back(r.name);
      f.returns += f.returns.empty() ? "std::tuple<Tensor" : ", Tensor";
    }
    f.returns = f.fields.empty() ? f.returns + ">" : result_type(schema.base);
    f.result = "return all_of<" + f.returns + ", " + std::to_string(returns.size()) + ">({})";
  } else if (returns[0].type.base == BaseType::Tensor) {
    f.returns = returns[0].type.is_list() ? "std::vector<Tensor>" : "Tensor";
    f.result = returns[0].type.is_list() ? "return list_of({})" : "return {}";
  } else {
    f.returns = element_type(returns[0].type.base);
    f.result = "return {}[0].as_" +
               std::string(f.returns == "bool"     ? "bool"
                           : f.returns == "Scalar" ? "scalar"
                                                   : "int") +
               "()";
  }
}

Function function_of(const FunctionSchema& schema) {
  Function f;
  f.name = schema.base;
  f.op = schema.qualified_name();
  set_result(f, schema);
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    const Argument& a = schema.arguments[i];
    if (are_options(schema.arguments, i)) {
      f.factory = true;
      f.types.push_back("const FactoryOptions&"), f.names.push_back("options"), f.defaults.push_back("{}");
      std::string dtype = "options.dtype";
      if (a.default_value && !a.default_value->is_none()) {
        std::string t(name(a.default_value->as_dtype()));
        for (char& c : t) c = static_cast<char>(std::toupper(c));
        dtype += ".value_or(DType::" + t + ")";
      }
      f.values.insert(f.values.end(), {dtype, "std::nullopt", "options.device", "std::nullopt"});
      i += 3;
    } else if (a.type.base == BaseType::Generator) {
      f.values.push_back("std::nullopt");
    } else {
      f.types.push_back(parameter_type(a.type)), f.names.push_back(a.name), f.defaults.push_back(default_of(a));
      f.values.push_back(a.type.is_list() ? list_value(a) : a.name);
    }
  }
  return f;
}

std::string signature(const Function& f, bool defaults) {
  std::string text = f.returns + " " + f.name + "(";
  for (size_t i = 0; i < f.names.size(); ++i) {
    text += (i ? ", " : "") + f.types[i] + " " + f.names[i];
    if (defaults && !f.defaults[i].empty()) text += " = " + f.defaults[i];
  }
  return text + ")";
}

std::string declarations(const std::string& header, const std::vector<Function>& functions) {
  bool factory = false;
  for (const Function& f : functions) factory |= f.factory;
  std::string text =
      "// Written by cmake/typed_functions.cpp: the typed functions of " + header +
      ".\n#pragma once\n\n#include <array>\n#include <optional>\n#include <tuple>\n#include <vector>\n\n";
  if (factory) text += "#include \"kernels/creation/factory_options.h\"\n";
  text += "#include \"runtime/tensor/tensor.h\"\n\nnamespace ersatz::ops {\n\n";
  std::string structs;
  for (const Function& f : functions) {
    const std::string head = "struct " + f.returns + " {\n";
    if (f.fields.empty() || structs.find(head) != structs.npos) continue;
    structs += head;
    for (const std::string& field : f.fields) structs += "  Tensor " + field + ";\n";
    structs += "};\n";
  }
  text += structs;
  for (const Function& f : functions) text += signature(f, true) + ";\n";
  return text + "\n}  // namespace ersatz::ops\n";
}

std::string definition(const Function& f) {
  std::string call = "<\"" + f.op + "\">(";
  for (size_t i = 0; i < f.values.size(); ++i) call += (i ? ", " : "") + f.values[i];
  call = (f.returns == "Tensor" ? "call_op" : "call_op_all") + call + ")";
  return signature(f, false) + " { " + fmt::format(fmt::runtime(f.result), call) + "; }\n";
}

constexpr std::string_view kHelpers = R"(namespace ersatz::ops {
namespace {

InlineVec<Value, 4> boxed(std::span<const Tensor> tensors) {
  InlineVec<Value, 4> values;
  for (const Tensor& t : tensors) values.push_back(Value::borrow(t));
  return values;
}
InlineVec<Value, 4> boxed(std::span<const bool> flags) {
  InlineVec<Value, 4> values;
  for (const bool flag : flags) values.push_back(flag);
  return values;
}
template <int64_t... numbers>
std::span<const SymInt> or_default(std::span<const SymInt> list) {
  static constexpr SymInt defaults[] = {SymInt(numbers)...};
  return list.empty() ? std::span<const SymInt>(defaults) : list;
}
Value none_if_empty(std::span<const SymInt> list) { return list.empty() ? Value() : Value::borrow(list); }
template <class Results, size_t n>
Results all_of(Values results) {
  return [&]<size_t... i>(std::index_sequence<i...>) {
    return Results{results[i].take_tensor()...};
  }(std::make_index_sequence<n>());
}
std::vector<Tensor> list_of(const Values& results) {
  std::vector<Tensor> tensors;
  for (const Value& v : results[0].as_list()) tensors.push_back(v.tensor());
  return tensors;
}

}  // namespace

)";

void run(const fs::path& source, const fs::path& out) {
  std::map<std::string, std::vector<Function>> by_header;
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(source / "kernels")) {
    if (file.path().extension() != ".h") continue;
    const std::string header = fs::relative(file.path(), source / "kernels").generic_string();
    for (const FunctionSchema& schema : typed_schemas(read(file.path())))
      by_header[header].push_back(function_of(schema));
  }
  std::string includes, definitions;
  for (const auto& [header, functions] : by_header) {
    write(out / "typed" / header, declarations("kernels/" + header, functions));
    includes += "#include \"kernels/" + header + "\"\n";
    for (const Function& f : functions) definitions += definition(f);
  }
  write(out / "typed" / "functions.cpp", "// Written by cmake/typed_functions.cpp: what the typed functions do.\n" +
                                             includes + "#include \"runtime/op/dispatch.h\"\n\n" +
                                             std::string(kHelpers) + definitions + "\n}  // namespace ersatz::ops\n");
}

}  // namespace
}  // namespace ersatz

int main(int count, char** arguments) {
  try {
    if (count != 3) ersatz::fail_argument("usage: typed_functions SOURCE OUT");
    ersatz::run(arguments[1], arguments[2]);
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "typed_functions: " << e.what() << "\n";
    return 1;
  }
}
