// The build's own program that writes the typed functions: `ops::flip(self, dims)` of every TypedSchema in kernels/.
//
//   typed_functions SOURCE OUT    reads SOURCE/kernels/**/*.h
//     OUT/typed/shape/flip.h      declarations of the schemas in kernels/shape/flip.h, which includes it
//     OUT/typed/functions.cpp     all definitions
//
// A parameter's type, name and default follow from its argument. Left out are a Generator, and a Layout beside dtype
// and device, which make one `FactoryOptions`. A file whose text is what it was keeps its time.
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

/// The schemas that a header declares as typed, in its order.
std::vector<FunctionSchema> typed_schemas(const std::string& header) {
  std::vector<FunctionSchema> found;
  for (size_t at = 0; (at = header.find("inline constexpr TypedSchema ", at)) != header.npos;) {
    const size_t end = header.find("};", at);
    std::string literal;
    for (bool inside = false; at < end; ++at) {
      if (header[at] == '"') {
        inside = !inside;
      } else if (inside) {
        if (header[at] == '\\') ++at;
        literal += header[at];
      }
    }
    found.push_back(parse_schema(literal));
  }
  return found;
}

/// What the C++ function of a schema consists of.
struct Function {
  std::string returns, name, op;
  std::vector<std::string> types, names, defaults;  ///< of the parameters; an empty default: none
  std::vector<std::string> values;                  ///< what is handed to the op, one per argument of the schema
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
  if (type.is_list()) return "std::span<const SymInt>";
  const std::string element = element_type(type.base);
  if (type.is_optional()) return "std::optional<" + element + ">";
  return type.base == BaseType::Scalar ? "const Scalar&" : element;
}

std::string default_of(const Argument& a) {
  if (!a.default_value) return "";
  const std::string& text = a.default_text;
  if (text == "None") return a.type.base == BaseType::Tensor || a.type.is_list() ? "{}" : "std::nullopt";
  if (text == "[]") return "{}";
  if (text == "True" || text == "False") return text == "True" ? "true" : "false";
  if (a.type.is_list()) fail_argument("{}={} has no C++ form: write the function by hand", a.name, text);
  return a.type.base == BaseType::Scalar && a.default_value->kind() == Value::Kind::Int ? "int64_t(" + text + ")"
                                                                                        : text;
}

/// dtype, layout, device and pin_memory, as ATen's factories have them.
bool are_options(const std::vector<Argument>& arguments, size_t i) {
  return i + 4 <= arguments.size() && arguments[i].name == "dtype" && arguments[i + 1].name == "layout" &&
         arguments[i + 2].name == "device" && arguments[i + 3].name == "pin_memory";
}

Function function_of(const FunctionSchema& schema) {
  Function f;
  f.name = schema.base;
  f.op = schema.qualified_name();
  const size_t results = schema.returns.size();
  f.returns = results == 0                       ? "void"
              : results > 1                      ? "std::tuple<Tensor"
              : schema.returns[0].type.is_list() ? "std::vector<Tensor>"
                                                 : "Tensor";
  for (size_t i = 1; i < results; ++i) f.returns += ", Tensor";
  if (results > 1) f.returns += ">";
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    const Argument& a = schema.arguments[i];
    if (are_options(schema.arguments, i)) {
      f.factory = true;
      f.types.push_back("const FactoryOptions&"), f.names.push_back("options"), f.defaults.push_back("{}");
      f.values.insert(f.values.end(), {"options.dtype", "std::nullopt", "options.device", "std::nullopt"});
      i += 3;
    } else if (a.type.base == BaseType::Generator) {
      f.values.push_back("std::nullopt");
    } else {
      f.types.push_back(parameter_type(a.type)), f.names.push_back(a.name), f.defaults.push_back(default_of(a));
      const bool tensors = a.type.base == BaseType::Tensor && a.type.is_list();
      f.values.push_back(tensors ? "std::span<const Value>(boxed(" + a.name + "))" : a.name);
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
  std::string text = "// Written by cmake/typed_functions.cpp: the typed functions of " + header +
                     ".\n#pragma once\n\n#include <optional>\n#include <tuple>\n#include <vector>\n\n";
  if (factory) text += "#include \"kernels/creation/factory_options.h\"\n";
  text += "#include \"runtime/tensor/tensor.h\"\n\nnamespace ersatz::ops {\n\n";
  for (const Function& f : functions) text += signature(f, true) + ";\n";
  return text + "\n}  // namespace ersatz::ops\n";
}

std::string definition(const Function& f) {
  std::string call = "<\"" + f.op + "\">(";
  for (size_t i = 0; i < f.values.size(); ++i) call += (i ? ", " : "") + f.values[i];
  call += ")";
  std::string body;
  if (f.returns == "Tensor") {
    body = "return call_op" + call + ";";
  } else if (f.returns == "void") {
    body = "call_op_all" + call + ";";
  } else {
    body = "return " + std::string(f.returns.starts_with("std::tuple") ? "tuple_of" : "list_of") + "<" + f.returns +
           ">(call_op_all" + call + ");";
  }
  return signature(f, false) + " { " + body + " }\n";
}

constexpr std::string_view kHelpers = R"(namespace ersatz::ops {
namespace {

InlineVec<Value, 4> boxed(std::span<const Tensor> tensors) {
  InlineVec<Value, 4> values;
  for (const Tensor& t : tensors) values.push_back(Value::borrow(t));
  return values;
}
template <class Tuple>
Tuple tuple_of(Values results) {
  return [&]<size_t... i>(std::index_sequence<i...>) {
    return Tuple{results[i].take_tensor()...};
  }(std::make_index_sequence<std::tuple_size_v<Tuple>>());
}
template <class List>
List list_of(const Values& results) {
  List tensors;
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
