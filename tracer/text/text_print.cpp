// Prints programs in the text form. text_parse.cpp parses the text to an equal program.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <iterator>

#include "runtime/base/dtype_switch.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/text/text_form.h"
#include "tracer/text/text_payload.h"
#include "tracer/text/untold_words.h"

namespace ersatz {

namespace {

bool is_name_char(char c) {
  return c == '_' || c == '.' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_bare(std::string_view name) {
  for (char c : name) {
    if (!is_name_char(c)) return false;
  }
  return !name.empty();
}
std::string quoted(std::string_view text) { return to_string(Value(text)); }
std::string bare_or_quoted(std::string_view name) { return is_bare(name) ? std::string(name) : quoted(name); }
/// Returns the operator's name for the text. A name without a dot is quoted, because it could be taken for a word of
/// the grammar.
std::string op_text(std::string_view name) {
  const bool starts_well = !name.empty() && (name[0] < '0' || name[0] > '9');
  return is_bare(name) && starts_well && name.find('.') != name.npos ? std::string(name) : quoted(name);
}

class Printer {
 public:
  Printer(const Program& program, const TextOptions& options) : p_(program), options_(options) {}

  std::string untold_words() const {
    std::string words;
    for (const auto& [word, field] : kUntoldWords) {
      if (p_.untold.*field) words += fmt::format("{}{}", words.empty() ? "" : ", ", word);
    }
    return words;
  }

  std::string program() {
    put("ersatz program {}\n", kTextFormVersion);
    if (!p_.producer.empty()) put("producer {}\n", quoted(p_.producer));
    if (!p_.function.empty()) put("function {}\n", quoted(p_.function));
    for (const auto& argument : p_.steals) put("steals {}\n", quoted(argument));
    if (p_.untold != Untold()) put("untold {}\n", untold_words());
    for (const auto& path : p_.plugins) put("plugin {}\n", quoted(path));
    for (const auto& schema : p_.foreign_schemas) put("schema {}\n", quoted(schema));
    if (p_.weights.seed) put("seed {}\n", p_.weights.seed);
    for (const SymbolInfo& s : p_.env->symbols()) symbol(s);
    for (const RangeConstraint& c : p_.constraints) constraint(c);
    for (const RecordedCondition& c : p_.conditions) condition(c);
    for (size_t i = 0; i < p_.weights.payloads().size(); ++i) storage(i);
    for (size_t i = 0; i < p_.modules.size(); ++i) module(i);
    for (size_t i = 1; i < p_.graphs.size(); ++i) graph(*p_.graphs[i]);
    graph(p_.main());
    return take();
  }

  std::string node_line(const Graph& g, const Node& n) {
    node(g, n);
    return take();
  }

 private:
  template <class... A>
  void put(fmt::format_string<A...> format, const A&... values) {
    out_ += fmt::vformat(format, fmt::make_format_args(values...));
  }
  void put_text(std::string_view text) { out_ += text; }
  std::string take() { return std::move(out_); }

  static std::string range(const std::string& min, const std::string& max) { return "[" + min + ", " + max + "]"; }

  void symbol(const SymbolInfo& s) {
    const std::string min = s.min == INT64_MIN ? "-inf" : std::to_string(s.min);
    const std::string max = s.max == INT64_MAX ? "inf" : std::to_string(s.max);
    put("symbol {} in {}", s.name, range(min, max));
    if (s.hint) put(" hint {}", *s.hint);
    put_text("\n");
  }

  void constraint(const RangeConstraint& c) {
    const std::string min = c.min ? std::to_string(*c.min) : "-inf";
    const std::string max = c.max ? std::to_string(*c.max) : "inf";
    put("constraint {} in {}\n", quoted(to_string(c.expression)), range(min, max));
  }

  void condition(const RecordedCondition& c) {
    const Guard& d = c.decision;
    put("{} {}", name(c.kind), quoted(to_string(truth_of(d.condition))));
    std::string_view before = " {";
    const auto attribute = [&](std::string_view key, const std::string& text) {
      put("{}{}={}", before, key, text);
      before = ", ";
    };
    if (!d.site.op.empty()) attribute("op", quoted(d.site.op));
    if (!d.site.node.empty()) attribute("node", quoted(d.site.node));
    if (!d.site.line.empty() && options_.sources) attribute("at", quoted(d.site.line));
    if (!d.message.empty()) attribute("message", quoted(d.message));
    if (d.count != 1) attribute("count", std::to_string(d.count));
    put_text(before == ", " ? "}\n" : "\n");
  }

  void module(size_t index) {
    const ModuleFrame& m = p_.modules[index];
    put("module {} {} {}", index, quoted(p_.name(m.path)), quoted(p_.name(m.type)));
    if (m.outer != kNone) put(" in {}", m.outer);
    put_text("\n");
  }

  void storage(size_t index) {
    const Payload& payload = p_.weights.payloads()[index];
    put("storage ${} {}B ", index, payload.nbytes);
    const bool has_bytes = payload.kind == Payload::Kind::Archive || payload.kind == Payload::Kind::File;
    if (payload.kind == Payload::Kind::Inline) {
      inline_bytes(payload.bytes, payload.as);
    } else if (payload.kind == Payload::Kind::Live) {
      inline_bytes(payload.in_memory(), dtype_of_payload(index));
    } else if (options_.inline_values && (has_bytes || payload.kind == Payload::Kind::Made)) {
      const Ref<Storage> s = p_.weights.storage(static_cast<uint32_t>(index));
      inline_bytes({reinterpret_cast<const char*>(s->data()), static_cast<size_t>(payload.nbytes)},
                   dtype_of_payload(index));
    } else if (payload.kind == Payload::Kind::Archive) {
      put("archive {} {}", quoted(payload.path), quoted(payload.entry));
    } else if (payload.kind == Payload::Kind::File) {
      put("file {} {}", quoted(payload.path), payload.offset);
    } else {
      put_text("made");
    }
    put_text("\n");
  }

  std::optional<DType> dtype_of_payload(size_t index) const {
    for (const StoredTensor& t : p_.weights.tensors()) {
      if (t.payload == index) return t.meta.dtype;
    }
    return std::nullopt;
  }

  /// Prints elements as numbers if these are parsed to the same bits, else as hexadecimal digits.
  void inline_bytes(std::string_view bytes, std::optional<DType> as) {
    if (as && kInlineDTypes.has(*as) && bytes.size() % static_cast<size_t>(item_size(*as)) == 0) {
      const size_t start = out_.size();
      bool exact = true;
      dispatch_dtype<kInlineDTypes>(*as, [&]<class T>() { exact = elements<T>(bytes); });
      if (exact) return;
      out_.resize(start);
    }
    put_text("hex \"");
    for (unsigned char c : bytes) put("{:02x}", c);
    put_text("\"");
  }

  template <class T>
  bool elements(std::string_view bytes) {
    put("{} [", name(dtype_of<T>));
    for (size_t i = 0; i * sizeof(T) < bytes.size(); ++i) {
      if (i) put_text(", ");
      if constexpr (dtype_of<T> == DType::Bool) {
        const char c = bytes[i];
        if (c != 0 && c != 1) return false;
        put_text(c ? "True" : "False");
      } else {
        T v;
        std::memcpy(&v, bytes.data() + i * sizeof(T), sizeof(T));
        if constexpr (is_float(dtype_of<T>)) {
          if (static_cast<double>(v) == 0 && std::signbit(static_cast<double>(v))) {
            put_text("-0.0");  // `-0` would be parsed as the integer 0
            continue;
          }
          if (static_cast<double>(v) != static_cast<double>(v)) return false;  // a number cannot show the bits of a NaN
          if constexpr (dtype_of<T> == DType::F64) {
            put("{}", v);
          } else {
            put("{}", static_cast<float>(v));
          }
        } else {
          put("{}", static_cast<int64_t>(v));
        }
      }
    }
    put_text("]");
    return true;
  }

  void value_name(const Graph& g, ValueId id) {
    put_text("%");
    const std::string_view name = p_.name(g.values[id].name);
    if (is_bare(name)) {
      put_text(name);
    } else {
      put_text(quoted(name));
    }
  }

  void definition(const Graph& g, ValueId id) {
    const GraphValue& v = g.values[id];
    value_name(g, id);
    if (v.kind == ValueKind::Unknown) return;
    put_text(": ");
    if (v.kind == ValueKind::Tensor) {
      if (v.record == kNone) {
        put_text("tensor");
      } else {
        meta(v.record);
      }
      if (v.alias != kNone) {
        put_text(" ~");
        value_name(g, v.alias);
      }
      return;
    }
    put_text(name(v.kind));
    if (v.record != kNone) put("({})", to_string(p_.literals[v.record]));
  }

  /// Prints metadata. The text is made once for each different metadata, because most programs have few.
  void meta(uint32_t id) {
    if (spelled_.size() <= id) spelled_.resize(p_.metas.size());
    std::string& text = spelled_[id];
    if (text.empty()) text = to_string(p_.metas[id], MetaStyle::Full);
    put_text(text);
  }

  void argument(const Graph& g, const Arg& a) {
    switch (a.kind) {
      case Arg::Kind::None:
        return put_text("None");
      case Arg::Kind::Value:
        return value_name(g, a.index);
      case Arg::Kind::Literal:
        return put_text(to_string(p_.literal(a)));
      case Arg::Kind::List:
        return sequence(g, p_.list(a), "[", "]", [](const Arg&) { return std::string(); });
      case Arg::Kind::Dict:
        return sequence(g, p_.list(a), "{", "}", [this](const Arg& x) { return quoted(p_.name(x.name)) + ": "; });
      case Arg::Kind::Graph:
        return put("@{}", bare_or_quoted(p_.name(p_.graphs[a.index]->name)));
      case Arg::Kind::Operator:
        return put("&{}", op_text(p_.name(p_.ops[a.index].name)));
    }
  }

  template <class Prefix>
  void sequence(const Graph& g, std::span<const Arg> items, std::string_view open, std::string_view close,
                Prefix&& prefix) {
    put_text(open);
    for (size_t i = 0; i < items.size(); ++i) {
      if (i) put_text(", ");
      put_text(prefix(items[i]));
      argument(g, items[i]);
    }
    put_text(close);
  }

  void result(const Graph& g, const Arg& a) {
    if (a.kind == Arg::Kind::None) return put_text("None");
    if (a.kind == Arg::Kind::Value) return definition(g, a.index);
    ERSATZ_ASSERT(a.kind == Arg::Kind::List, "a result is a value, a list of values or None");
    put_text("[");
    bool first = true;
    for (const Arg& item : p_.list(a)) {
      if (!first) put_text(", ");
      first = false;
      definition(g, item.index);
    }
    put_text("]");
  }

  void node(const Graph& g, const Node& n) {
    const auto results = p_.view(n.results);
    if (n.one_tuple) put_text("(");
    for (size_t i = 0; i < results.size(); ++i) {
      if (i) put_text(", ");
      result(g, results[i]);
    }
    if (n.one_tuple) put_text(")");
    if (!results.empty()) put_text(" = ");
    put_text(op_text(p_.name(p_.op(n).name)));
    sequence(g, p_.view(n.args), "(", ")", [this](const Arg& a) {
      if (!a.name) return std::string();
      const std::string_view key = p_.name(a.name);
      const bool plain = is_bare(key) && key.find_first_of(".$") == key.npos;
      return (plain ? std::string(key) : quoted(key)) + "=";
    });
    // A node's name is left out if it is the name of its first result.
    const auto flat = result_values(p_, n);
    const NameId usual = flat.empty() || flat[0] == kNone ? 0 : g.values[flat[0]].name;
    std::string_view before = " {";
    const auto attribute = [&](std::string_view key, std::string_view text) {
      put("{}{}={}", before, key, text);
      before = ", ";
    };
    if (n.name != usual) attribute("name", quoted(p_.name(n.name)));
    if (n.source && options_.sources) attribute("at", quoted(p_.name(n.source)));
    if (n.module != kNone) attribute("in", std::to_string(n.module));
    if (n.original != kNone) attribute("of", op_text(p_.name(p_.ops[n.original].name)));
    if (n.call != kNone) {
      const UserCall& call = p_.calls[n.call];
      attribute("call", fmt::format("{} {}", op_text(p_.name(p_.ops[call.op].name)), call.number));
    }
    if (before == ", ") put_text("}");
  }

  void input(const Graph& g, const GraphInput& in) {
    definition(g, in.value);
    if (in.kind == InputKind::UserInput && in.stored == kNone && !in.target) return;
    put(" = {}", name(in.kind));
    if (in.target) put(" {}", quoted(p_.name(in.target)));
    if (in.stored == kNone) return;
    const StoredTensor& stored = p_.weights.tensors()[in.stored];
    put(" ${}", stored.payload);
    const TensorMeta* recorded = p_.meta(g.values[in.value]);
    TensorMeta usual = recorded ? *recorded : TensorMeta();
    usual.device = kCPU;
    if (!recorded || !(usual == stored.meta)) put(" as {}", to_string(stored.meta, MetaStyle::Full));
  }

  void graph(const Graph& g) {
    put_text("\ngraph");
    if (g.name) put(" @{}", bare_or_quoted(p_.name(g.name)));
    if (g.single_result) put_text(" single");
    put_text("(");
    for (size_t i = 0; i < g.inputs.size(); ++i) {
      if (i) put_text(",\n      ");
      input(g, g.inputs[i]);
    }
    put_text("):\n");
    for (const Node& n : g.nodes) {
      put_text("  ");
      node(g, n);
      put_text("\n");
    }
    put_text("  return");
    for (size_t i = 0; i < g.outputs.size(); ++i) {
      const GraphOutput& o = g.outputs[i];
      put_text(i ? ", " : " ");
      if (o.kind != OutputKind::UserOutput) put("{} ", name(o.kind));
      if (o.target) put("{} ", quoted(p_.name(o.target)));
      argument(g, o.value);
    }
    put_text("\n");
  }

  const Program& p_;
  const TextOptions& options_;
  std::string out_;
  std::vector<std::string> spelled_;
};

}  // namespace

std::string print_program(const Program& program, const TextOptions& options) {
  return Printer(program, options).program();
}

std::string print_node(const Program& program, const Graph& graph, NodeId node) {
  const TextOptions options;
  return Printer(program, options).node_line(graph, graph.nodes.at(node));
}

}  // namespace ersatz
