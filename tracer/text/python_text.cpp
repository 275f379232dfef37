#include "tracer/text/python_text.h"

#include <algorithm>
#include <unordered_set>

#include "runtime/tensor/layout.h"
#include "tracer/program/symbol_values.h"
#include "tracer/text/python_literal.h"

namespace ersatz {

namespace {

/// A stored tensor with more bytes is replaced by synthetic values.
constexpr int64_t kMostWrittenBytes = 1 << 16;

class PythonPrinter {
 public:
  PythonPrinter(const Program& program, const PythonOptions& options)
      : p_(program), options_(options), symbols_(program) {}

  std::string text() {
    require_ops();
    out_ = "# A program written by ersatz: run it with any PyTorch.\nimport math\nimport operator\n\nimport torch\n";
    for (const std::string& schema : p_.foreign_schemas) out_ += "# needs the operator " + one_line(schema) + "\n";
    for (const ProgramOp& op : p_.ops) {
      if (p_.foreign_schemas.empty() && is_own(op, p_.name(op.name)))
        out_ +=
            fmt::format("# needs the operator {}: import what registers it\n", one_line(std::string(p_.name(op.name))));
    }
    inputs();
    for (size_t i = 1; i < p_.graphs.size(); ++i) function(*p_.graphs[i], graph_name(*p_.graphs[i]));
    function(p_.main(), "forward");
    out_ += "\n\nif __name__ == \"__main__\":\n    for result in forward(*inputs()):\n        print(result)\n";
    return std::move(out_);
  }

 private:
  /// RAISES NotSupported if PyTorch lacks operators of the program. The error names all of them.
  void require_ops() const {
    std::vector<std::string_view> lacking;
    for (const ProgramOp& op : p_.ops) {
      if (!is_of_pytorch(op, p_.name(op.name))) lacking.push_back(p_.name(op.name));
    }
    if (lacking.empty()) return;
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
         "the program cannot be written in Python for PyTorch, which lacks {} of its operators: {}", lacking.size(),
         fmt::join(lacking, ", "));
  }

  static bool is_of_pytorch(const ProgramOp& op, std::string_view name) {
    if (op.kind == ProgramOp::Kind::Other) return false;
    if (op.kind != ProgramOp::Kind::Operator) return true;
    if (op.entry) return !op.entry->tags.has(Tag::Foreign);
    return is_in_pytorch(name) || is_own(op, name);
  }

  static bool is_in_pytorch(std::string_view name) {
    constexpr std::string_view namespaces[] = {"aten",     "prims",  "quantized", "c10d",   "_c10d_functional",
                                               "inductor", "mkldnn", "onednn",    "export", "rngprims"};
    const std::string_view of = name.substr(0, name.find('.'));
    return std::find(std::begin(namespaces), std::end(namespaces), of) != std::end(namespaces);
  }

  /// Returns whether the operator is a custom operator. The script calls it by its full name, and needs a process in
  /// which it is registered.
  static bool is_own(const ProgramOp& op, std::string_view name) {
    return op.kind == ProgramOp::Kind::Operator && !op.entry && std::count(name.begin(), name.end(), '.') == 2 &&
           !is_in_pytorch(name);
  }

  /// Python names for the values of one graph; no two are equal.
  struct Scope {
    const Graph& graph;
    std::vector<std::string> names;
  };

  static std::string one_line(std::string text) {
    for (char& c : text) {
      if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
    }
    return text;
  }

  std::string graph_name(const Graph& g) const { return python_identifier(p_.name(g.name)); }

  Scope scope_of(const Graph& g) const {
    Scope scope{g, {}};
    std::unordered_set<std::string> taken;
    for (size_t i = 1; i < p_.graphs.size(); ++i) taken.insert(graph_name(*p_.graphs[i]));
    for (const GraphValue& v : g.values) {
      std::string name = python_identifier(p_.name(v.name));
      while (!taken.insert(name).second) name += "_";
      scope.names.push_back(std::move(name));
    }
    return scope;
  }

  void inputs() {
    const Scope scope = scope_of(p_.main());
    out_ += "\n\ndef inputs():\n";
    std::vector<bool> made(p_.weights.payloads().size());
    std::string list;
    for (const GraphInput& in : p_.main().inputs) {
      const std::string& name = scope.names[in.value];
      list += (list.empty() ? "" : ", ") + name;
      if (in.stored != kNone) {
        const StoredTensor& t = p_.weights.tensors()[in.stored];
        if (!made[t.payload]) storage(t);
        made[t.payload] = true;
        out_ +=
            fmt::format("    {} = s{}.view({}).as_strided({}, {}, {})\n", name, t.payload, python_dtype(t.meta.dtype),
                        python_tuple(t.meta.sizes), python_tuple(t.meta.strides), t.meta.offset.as_int());
      } else {
        out_ += fmt::format("    {} = {}\n", name, given_input(in));
      }
    }
    out_ += fmt::format("    return [{}]\n", list);
  }

  void storage(const StoredTensor& t) {
    const Payload& p = p_.weights.payloads()[t.payload];
    const std::string dtype = python_dtype(t.meta.dtype);
    const bool wanted = options_.inline_values || (p.nbytes <= kMostWrittenBytes && p.kind != Payload::Kind::Made);
    if (p.nbytes > 0 && wanted) {
      const Ref<Storage> bytes = p_.weights.storage(t.payload);
      out_ += fmt::format("    s{} = torch.frombuffer(bytearray.fromhex('", t.payload);
      for (int64_t i = 0; i < p.nbytes; ++i)
        out_ += fmt::format("{:02x}", static_cast<unsigned char>(bytes->data()[i]));
      out_ += "'), dtype=torch.uint8)\n";
    } else {
      out_ += fmt::format(
          "    s{} = {}.view(torch.uint8)  # made up\n", t.payload,
          filled(fmt::format("torch.empty({}, dtype={})", p.nbytes / item_size(t.meta.dtype), dtype), t.meta.dtype));
    }
  }

  static std::string filled(const std::string& empty, DType dtype) {
    if (dtype == DType::Bool) return empty + ".fill_(True)";
    return is_float(dtype) || is_complex(dtype) ? empty + (is_complex(dtype) ? ".fill_(0.5)" : ".uniform_(-1, 1)")
                                                : empty + ".fill_(1)";
  }

  /// Returns code that makes an input with values. If elements share memory, or the storage offset is not 0, the code
  /// fills flat memory and takes a view of it.
  static std::string filled_input(const TensorMeta& meta) {
    const std::string made = fmt::format("dtype={}, device='{}'", python_dtype(meta.dtype), to_string(meta.device));
    const std::string sizes = python_tuple(meta.sizes), strides = python_tuple(meta.strides);
    bool alone = meta.offset.is_identical(0);
    for (size_t d = 0; d < meta.sizes.size(); ++d) {
      alone = alone && (meta.strides[d].as_int() != 0 || meta.sizes[d].as_int() <= 1);
    }
    if (alone) return filled(fmt::format("torch.empty_strided({}, {}, {})", sizes, strides, made), meta.dtype);
    const int64_t elements = storage_bytes_needed(meta).as_int() / item_size(meta.dtype);
    return fmt::format("{}.as_strided({}, {}, {})",
                       filled(fmt::format("torch.empty({}, {})", elements, made), meta.dtype), sizes, strides,
                       meta.offset.as_int());
  }

  std::string given_input(const GraphInput& in) const {
    const GraphValue& v = p_.main().values[in.value];
    if (const TensorMeta* recorded = p_.meta(v)) {
      const std::optional<TensorMeta> meta = symbols_.concrete(*recorded);
      if (!meta) refuse(p_.name(v.name), fmt::format("{} has a size without an example", *recorded));
      return filled_input(*meta);
    }
    const bool number = v.kind == ValueKind::Int || v.kind == ValueKind::Float || v.kind == ValueKind::Bool;
    if (v.record == kNone) {
      if (number || v.kind == ValueKind::Unknown) refuse(p_.name(v.name), "nothing is recorded of it");
      return "None";
    }
    const Value& record = p_.literals[v.record];
    if (!record.is_symbolic()) return python_literal(record);
    const std::optional<int64_t> example = symbols_.evaluate(record.as_int());
    if (!example) refuse(p_.name(v.name), "it is a symbol without an example");
    return fmt::format("{}", *example);
  }

  [[noreturn]] static void refuse(std::string_view name, std::string_view why) {
    fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{} cannot be written in Python: {}", name, why);
  }

  void function(const Graph& g, const std::string& name) {
    const Scope scope = scope_of(g);
    std::string parameters;
    for (const GraphInput& in : g.inputs) parameters += (parameters.empty() ? "" : ", ") + scope.names[in.value];
    out_ += fmt::format("\n\ndef {}({}):\n", name, parameters);
    for (const Node& n : g.nodes) node(scope, n);
    std::string results;
    for (const GraphOutput& o : g.outputs) {
      write_back(scope, o);
      results += (results.empty() ? "" : ", ") + argument(scope, o.value);
    }
    // Operators like torch.cond call the function of a nested graph, and expect a tuple.
    if (g.name && !g.single_result && !g.outputs.empty()) results += ",";
    out_ += g.single_result ? fmt::format("    return {}\n", results)
            : g.name        ? fmt::format("    return ({})\n", results)
                            : fmt::format("    return [{}]\n", results);
  }

  void write_back(const Scope& scope, const GraphOutput& o) {
    const bool by_name = o.kind == OutputKind::UserInputMutation;
    if (!by_name && o.kind != OutputKind::BufferMutation && o.kind != OutputKind::ParameterMutation) return;
    for (const GraphInput& in : scope.graph.inputs) {
      if ((by_name ? scope.graph.values[in.value].name : in.target) != o.target) continue;
      out_ += fmt::format("    {}.copy_({})\n", scope.names[in.value], argument(scope, o.value));
    }
  }

  void node(const Scope& scope, const Node& n) {
    const ProgramOp& op = p_.op(n);
    const std::string_view name = p_.name(op.name);
    std::string call, results;
    for (const Arg& a : p_.view(n.args)) {
      call += call.empty() ? "" : ", ";
      if (a.name) call += python_keyword(p_.name(a.name)) + "=";
      call += argument(scope, a);
    }
    const auto formal = p_.view(n.results);
    for (const Arg& r : formal) results += (results.empty() ? "" : ", ") + result(scope, r);
    if (n.one_tuple) results += ",";
    const std::string source = n.source ? "  # " + one_line(std::string(p_.name(n.source))) : "";
    out_ += fmt::format("    {}{}{}({}){}\n", results, results.empty() ? "" : " = ", python_callee(name), call, source);
  }

  std::string result(const Scope& scope, const Arg& r) const {
    if (r.kind == Arg::Kind::None) return "_";
    if (r.kind == Arg::Kind::Value) return scope.names[r.index];
    std::string text;
    for (const Arg& item : p_.list(r)) text += (text.empty() ? "" : ", ") + result(scope, item);
    return "[" + text + "]";
  }

  std::string argument(const Scope& scope, const Arg& a) const {
    switch (a.kind) {
      case Arg::Kind::None:
        return "None";
      case Arg::Kind::Value:
        return scope.names[a.index];
      case Arg::Kind::Literal:
        return python_literal(p_.literal(a));
      case Arg::Kind::Graph:
        return graph_name(*p_.graphs[a.index]);
      case Arg::Kind::Operator:
        return python_callee(p_.name(p_.ops[a.index].name));
      case Arg::Kind::List:
      case Arg::Kind::Dict: {
        std::string text;
        for (const Arg& item : p_.list(a)) {
          text += text.empty() ? "" : ", ";
          if (a.kind == Arg::Kind::Dict) text += python_literal(Value(p_.name(item.name))) + ": ";
          text += argument(scope, item);
        }
        return a.kind == Arg::Kind::Dict ? "{" + text + "}" : "[" + text + "]";
      }
    }
    return {};
  }

  const Program& p_;
  const PythonOptions& options_;
  const SymbolValues symbols_;
  std::string out_;
};

}  // namespace

std::string print_python(const Program& program, const PythonOptions& options) {
  return PythonPrinter(program, options).text();
}

}  // namespace ersatz
