#include "tools/output/torch_snippet.h"

#include "runtime/tensor/layout.h"
#include "tracer/text/python_literal.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {

namespace {

struct CannotSay {};

/// Returns the text as one comment line of Python.
std::string comment(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return "# " + text + "\n";
}

class Snippet {
 public:
  explicit Snippet(const Program& program) : program_(program) {}

  std::string text() {
    if (program_.graphs.size() != 1) throw CannotSay();
    storages();
    for (const GraphInput& in : program_.main().inputs) input(in);
    for (const Node& n : program_.main().nodes) node(n);
    return out_;
  }

 private:
  void storages() {
    const auto& payloads = program_.weights.payloads();
    std::vector<const TensorMeta*> as(payloads.size());
    for (const StoredTensor& t : program_.weights.tensors()) {
      if (!as[t.payload]) as[t.payload] = &t.meta;
    }
    for (size_t i = 0; i < payloads.size(); ++i) {
      const Payload& p = payloads[i];
      const DType dtype = as[i] ? as[i]->dtype : DType::U8;
      const bool elsewhere = as[i] && !as[i]->device.is_cpu();
      const std::string device = elsewhere ? fmt::format("'{}', ", to_string(as[i]->device)) : "";
      const int64_t n = p.nbytes / item_size(dtype);
      if (p.kind == Payload::Kind::Inline || p.kind == Payload::Kind::Live) {
        out_ += fmt::format("s{} = torch.frombuffer(bytearray.fromhex('", i);
        for (unsigned char c : p.in_memory()) out_ += fmt::format("{:02x}", c);
        out_ += fmt::format("'), dtype={}){}\n", python_dtype(dtype),
                            elsewhere ? fmt::format(".to('{}')", to_string(as[i]->device)) : "");
      } else if (is_integral(dtype)) {
        out_ += fmt::format("s{} = torch.randint(0, 2, ({},)).to({}{})\n", i, n, device, python_dtype(dtype));
      } else {
        out_ += fmt::format("s{} = torch.rand({}).to({}{})\n", i, n, device, python_dtype(dtype));
      }
    }
  }

  void input(const GraphInput& in) {
    if (in.stored == kNone) throw CannotSay();
    const StoredTensor& t = program_.weights.tensors()[in.stored];
    if (t.meta.is_symbolic() || t.meta.conj || t.meta.neg) throw CannotSay();
    out_ += fmt::format("v{} = s{}.view({}).as_strided({}, {}, {})\n", in.value, t.payload, python_dtype(t.meta.dtype),
                        python_tuple(t.meta.sizes), python_tuple(t.meta.strides), t.meta.offset.as_int());
  }

  void node(const Node& n) {
    std::string results, call;
    for (const Arg& r : program_.view(n.results)) {
      results += (results.empty() ? "" : ", ") + (r.kind == Arg::Kind::None ? std::string("_") : this->result(r));
    }
    for (const Arg& a : program_.view(n.args)) {
      call += call.empty() ? "" : ", ";
      if (a.name) call += fmt::format("{}=", python_keyword(program_.name(a.name)));
      call += argument(a);
    }
    out_ += fmt::format("{}{}{}({})\n", results, results.empty() ? "" : " = ",
                        python_callee(program_.name(program_.op(n).name)), call);
    for (ValueId v : result_values(program_, n)) {
      if (v == kNone) continue;
      const bool tensor = program_.main().values[v].kind == ValueKind::Tensor;
      out_ += tensor ? fmt::format("print(v{0}.dtype, tuple(v{0}.shape), v{0}.stride(), v{0}.storage_offset())\n", v)
                     : fmt::format("print(v{})\n", v);
    }
  }

  std::string result(const Arg& r) {
    if (r.kind == Arg::Kind::Value) return fmt::format("v{}", r.index);
    std::string text;
    for (const Arg& item : program_.list(r)) text += result(item) + ", ";
    return "[" + text + "]";
  }

  std::string argument(const Arg& a) {
    switch (a.kind) {
      case Arg::Kind::None:
        return "None";
      case Arg::Kind::Value:
        return fmt::format("v{}", a.index);
      case Arg::Kind::Literal:
        return python_literal(program_.literals[a.index]);
      case Arg::Kind::List: {
        std::string text;
        for (const Arg& item : program_.list(a)) text += (text.empty() ? "" : ", ") + argument(item);
        return "[" + text + "]";
      }
      default:
        throw CannotSay();
    }
  }

  const Program& program_;
  std::string out_;
};

}  // namespace

std::string torch_snippet(const std::string& repro, const Finding& f) {
  if (repro.empty()) return "";
  try {
    const std::string lines = Snippet(parse_program_text(repro, "repro")).text();
    return comment(fmt::format("{} {}: ersatz predicted {}", f.op, name(f.field), f.predicted)) +
           comment(fmt::format("{} said {}", name(f.witness), f.observed)) + "import torch\n" + lines;
  } catch (const CannotSay&) {
    return "";
  } catch (const Error&) {
    return "";
  }
}

}  // namespace ersatz::tools
