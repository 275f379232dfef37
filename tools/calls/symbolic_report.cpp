#include "tools/calls/symbolic_report.h"

#include <nlohmann/json.hpp>

#include "tools/output/table.h"

namespace ersatz::tools {

namespace {

SymbolicCounts total(const CallsSummary& summary, SymbolKind kind) {
  SymbolicCounts sum;
  for (const auto& [op, answers] : summary.symbolic) sum.add(answers.kinds[static_cast<int>(kind)]);
  return sum;
}

nlohmann::ordered_json json_of(const SymbolicCounts& n) {
  return {{"calls", n.calls},         {"results", n.results},
          {"compared", n.compared},   {"mismatched", n.mismatched},
          {"sizes", n.sizes},         {"kept", n.kept},
          {"given", n.given},         {"symbols", n.symbols},
          {"pinned", n.pinned},       {"guards", n.guards},
          {"asserts", n.asserts},     {"assumptions", n.assumptions},
          {"undecided", n.undecided}, {"guarded_out", n.guarded_out}};
}

}  // namespace

void add_symbolic(const CallsSummary& summary, Document& to, nlohmann::ordered_json& data) {
  SymbolicCounts all;
  for (const SymbolKind kind : {SymbolKind::Backed, SymbolKind::Unbacked}) {
    const SymbolicCounts n = total(summary, kind);
    to.add(fmt::format(
        "with {} symbols: {} calls, {} of {} results compared, {} mismatched; {} of {} sizes that follow from "
        "the inputs' stay expressions ({:.1f} %), {} are given by arguments; {} of {} symbols pinned; {} guards, {} "
        "asserts, {} assumptions; {} calls "
        "undecided, {} guarded out\n",
        name(kind), n.calls, n.compared, n.results, n.mismatched, n.kept, n.sizes, percent(n.kept, n.sizes), n.given,
        n.pinned, n.symbols, n.guards, n.asserts, n.assumptions, n.undecided, n.guarded_out));
    data[std::string(name(kind))] = json_of(n);
    all.add(n);
  }
  const nlohmann::ordered_json sums = json_of(all);
  for (const auto& [key, value] : sums.items()) data[key] = data.value(key, int64_t(0)) + value.get<int64_t>();
  auto& ops = data["ops"] = nlohmann::ordered_json::object();
  for (const auto& [op, answers] : summary.symbolic) {
    ops[op] = {{"backed", json_of(answers.kinds[0])}, {"unbacked", json_of(answers.kinds[1])}};
    if (!answers.undecided.empty()) ops[op]["undecided"] = answers.undecided;
  }
}

std::string symbolic_csv(const CallsSummary& summary) {
  std::string out = "op,kind";
  const nlohmann::ordered_json columns = json_of(SymbolicCounts());
  for (const auto& [name, zero] : columns.items()) out += "," + name;
  for (const auto& [op, answers] : summary.symbolic) {
    for (const SymbolKind kind : {SymbolKind::Backed, SymbolKind::Unbacked}) {
      out += fmt::format("\n{},{}", op, name(kind));
      const nlohmann::ordered_json counts = json_of(answers.kinds[static_cast<int>(kind)]);
      for (const auto& [column, n] : counts.items()) out += fmt::format(",{}", n.get<int64_t>());
    }
  }
  return out + "\n";
}

}  // namespace ersatz::tools
