#include "tracer/records/facts.h"

#include <unordered_map>

#include "runtime/base/error.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/archive/json_stream.h"
#include "tracer/pt2/program_file.h"

namespace ersatz {

namespace {

std::string text_of(const JsonView& row, std::string_view key) {
  const auto found = row.find(key);
  return found ? std::string(found->string()) : std::string();
}

ResultFact read_result(const JsonView& row) {
  ResultFact fact;
  fact.value = row.at("value").string();
  fact.alias = text_of(row, "alias");
  fact.verdict = text_of(row, "verdict");
  const auto real = row.find("real");
  if (!real) return fact;
  if (real->is_string()) {
    try {
      fact.real = parse_meta(real->string());
    } catch (const Error& e) {
      real->refuse("{}", e.message);
    }
  } else if (real->json().is_boolean()) {
    fact.number = Value(real->boolean());
  } else if (real->json().is_number_integer()) {
    fact.number = Value(real->integer());
  } else {
    fact.number = Value(real->number());
  }
  return fact;
}

NodeFacts read_node(const JsonView& row) {
  NodeFacts node;
  node.node = row.at("node").string();
  node.target = text_of(row, "target");
  const JsonView outputs = row.at("outputs");
  for (size_t i = 0; i < outputs.size(); ++i) node.results.push_back(read_result(outputs.item(i)));
  return node;
}

}  // namespace

struct Facts::Index {
  void fill(const std::vector<NodeFacts>& nodes);
  std::unordered_map<std::string_view, const NodeFacts*> by_node;
  std::unordered_map<std::string_view, const ResultFact*> by_value;
};

Facts::Facts() : index_(std::make_unique<Index>()) {}
Facts::Facts(Facts&&) noexcept = default;
Facts& Facts::operator=(Facts&&) noexcept = default;
Facts::~Facts() = default;

Facts Facts::load(const std::string& path) { return parse(read_file(path), path); }

Facts Facts::parse(std::string_view text, const std::string& file) {
  Facts facts;
  JsonStream stream(file);
  stream.take("nodes", [&](const std::string& place, std::string_view, const Json& row) {
    const JsonView::Tree tree{file, place, &row};
    facts.nodes.push_back(read_node(JsonView(tree)));
  });
  const Json rest = stream.parse(text);
  const JsonView::Tree tree{file, "", &rest};
  const JsonView top(tree);
  if (!top.is_object() || !top.find("nodes")) fail_argument("{}: is JSON, but no facts: it has no 'nodes'", file);
  top.at("nodes").size();
  facts.program = text_of(top, "program");
  facts.stopped = top.find("error").has_value();
  if (const auto symbols = top.find("symbols")) {
    symbols->each_member(
        [&](const std::string& name, const JsonView& value) { facts.symbols.emplace_back(name, value.integer()); });
  }
  facts.index_->fill(facts.nodes);
  return facts;
}

void Facts::Index::fill(const std::vector<NodeFacts>& nodes) {
  for (const NodeFacts& n : nodes) {
    by_node.emplace(n.node, &n);
    for (const ResultFact& r : n.results) by_value.emplace(r.value, &r);
  }
}

const NodeFacts* Facts::find(std::string_view node) const {
  auto found = index_->by_node.find(node);
  return found == index_->by_node.end() ? nullptr : found->second;
}

const ResultFact* Facts::find_value(std::string_view value) const {
  auto found = index_->by_value.find(value);
  return found == index_->by_value.end() ? nullptr : found->second;
}

}  // namespace ersatz
