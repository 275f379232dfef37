#include "tools/report/node_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/base/error.h"
#include "runtime/tensor/meta_text.h"
#include "tools/output/short_paths.h"

namespace ersatz::tools {

namespace {

struct Row {
  std::string_view graph;
  std::string name, op, meta;
  std::optional<SymInt> bytes;
  std::string source;
};

class RowMaker {
 public:
  explicit RowMaker(const Program& program) : p_(program) {}

  std::vector<Row> rows() {
    for (const auto& g : p_.graphs) graph(*g);
    return std::move(rows_);
  }

 private:
  Row& add(const Graph& g, std::string name, std::string op) {
    return rows_.emplace_back(Row{p_.name(g.name), std::move(name), std::move(op), "", std::nullopt, ""});
  }

  Row& add_value(const Graph& g, ValueId id, std::string op) {
    const GraphValue& v = g.values[id];
    Row& row = add(g, std::string(p_.name(v.name)), std::move(op));
    if (const TensorMeta* meta = p_.meta(v)) {
      row.meta = to_string(*meta, MetaStyle::People);
      if (v.alias != kNone) row.meta += fmt::format(" ~{}", p_.name(g.values[v.alias].name));
      try {
        row.bytes = meta->numel() * SymInt(item_size(meta->dtype));
      } catch (const Error&) {  // the size overflows int64
      }
    } else if (v.kind != ValueKind::Tensor && v.record != kNone) {
      const Value& record = p_.literals[v.record];
      const bool text = record.kind() == Value::Kind::String;
      row.meta =
          fmt::format("{}({})", ersatz::name(v.kind), text ? std::string(record.as_string()) : to_string(record));
    } else if (v.kind != ValueKind::Unknown) {
      row.meta = ersatz::name(v.kind);
    }
    return row;
  }

  void graph(const Graph& g) {
    for (const GraphInput& in : g.inputs) {
      std::string kind(ersatz::name(in.kind));
      if (in.target) kind += fmt::format(" {}", p_.name(in.target));
      add_value(g, in.value, std::move(kind));
    }
    for (const Node& n : g.nodes) node(g, n);
    for (const GraphOutput& o : g.outputs) {
      std::string kind = o.kind == OutputKind::UserOutput ? "output" : fmt::format("output: {}", ersatz::name(o.kind));
      if (o.target) kind += fmt::format(" {}", p_.name(o.target));
      if (o.value.kind == Arg::Kind::Value) {
        add_value(g, o.value.index, std::move(kind));
      } else {
        add(g, o.value.kind == Arg::Kind::Literal ? to_string(p_.literal(o.value)) : "None", std::move(kind));
      }
    }
  }

  /// Adds the rows of a node, one for each result. Only the first row has the operator.
  void node(const Graph& g, const Node& n) {
    std::string op(p_.name(p_.op(n).name));
    const std::string_view source = p_.name(n.source);
    bool first = true;
    for (const ValueId id : result_values(p_, n)) {
      Row& row = id == kNone ? add(g, "None", std::exchange(op, "")) : add_value(g, id, std::exchange(op, ""));
      if (std::exchange(first, false)) row.source = source;
    }
    if (first) add(g, std::string(p_.name(n.name)), std::move(op)).source = source;
  }

  const Program& p_;
  std::vector<Row> rows_;
};

std::string bytes_text(const Row& row) { return row.bytes ? fmt::format("{}", *row.bytes) : ""; }

nlohmann::ordered_json table_row(const Row& r) {
  nlohmann::ordered_json row{{"graph", r.graph}, {"name", r.name}, {"op", r.op}, {"meta", r.meta}};
  row["bytes"] = nullptr;
  if (r.bytes && r.bytes->is_int()) row["bytes"] = r.bytes->as_int();
  if (r.bytes && r.bytes->is_symbolic()) row["bytes"] = to_string(*r.bytes);
  row["source"] = r.source;
  return row;
}

/// Replaces control characters, which would break the table's columns.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return text;
}

}  // namespace

Document node_table(const Program& program) {
  std::vector<Row> rows = RowMaker(program).rows();
  std::vector<std::string> sources;
  for (const Row& r : rows) sources.push_back(r.source);
  const ShortPaths shorten(sources);
  Document out;
  nlohmann::ordered_json& list = out.data["rows"] = nlohmann::ordered_json::array();
  Row head{"", "name", "operator", "result", std::nullopt, "line"};
  size_t name = head.name.size(), op = head.op.size(), meta = head.meta.size(), bytes = 5;
  for (Row& r : rows) {
    list.push_back(table_row(r));
    for (std::string* text : {&r.name, &r.op, &r.meta}) *text = one_line(std::move(*text));
    r.source = one_line(shorten(r.source));
    name = std::max(name, r.name.size());
    op = std::max(op, r.op.size());
    meta = std::max(meta, r.meta.size());
    bytes = std::max(bytes, bytes_text(r).size());
  }
  const auto line = [&](const Row& r, const std::string& size) {
    std::string text =
        fmt::format("{:<{}}  {:<{}}  {:<{}}  {:>{}}  {}", r.name, name, r.op, op, r.meta, meta, size, bytes, r.source);
    text.resize(text.find_last_not_of(' ') + 1);
    out.add_code(text + "\n", Document::Kind::Program);
  };
  line(head, "bytes");
  std::string_view graph;
  for (const Row& r : rows) {
    if (r.graph != graph) out.add_code(fmt::format("\ngraph @{}\n", graph = r.graph), Document::Kind::Program);
    line(r, bytes_text(r));
  }
  return out;
}

}  // namespace ersatz::tools
