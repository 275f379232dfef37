#include "tools/size_coverage/size_witness_report.h"

#include <nlohmann/json.hpp>

#include "runtime/base/count_text.h"
#include "tools/output/finding_text.h"

namespace ersatz::tools {

namespace {

std::string outcome(const SizeBinding& b, const SizeCover& cover) {
  if (b.which < 0) {
    return fmt::format("{} guarded out: no case is for them{}", b.guarded_out,
                       b.needlessly ? ", although case 1 answers as the program does" : "");
  }
  std::string out = fmt::format("case {}: {} compared, {} mismatched", b.which + 1, b.compared, b.mismatched);
  if (b.undecided) out += fmt::format(", {} undecided", b.undecided);
  if (b.kernels && b.kernels->refused.empty())
    out += fmt::format("; kernels: {} compared, {} mismatched", b.kernels->compared, b.kernels->mismatched);
  if (b.kernels && !b.kernels->refused.empty()) out += fmt::format("; kernels: {}", b.kernels->refused);
  if (cover.cases[static_cast<size_t>(b.which)].summary.stopped && !b.refused.empty()) out += ", stops as predicted";
  return out;
}

nlohmann::ordered_json binding_row(const SizeBinding& b, const std::string& program) {
  using Json = nlohmann::ordered_json;
  Json row = {
      {"program", program},       {"sizes", b.sizes},           {"case", b.which < 0 ? Json() : Json(b.which + 1)},
      {"compared", b.compared},   {"mismatched", b.mismatched}, {"guarded_out", b.guarded_out},
      {"undecided", b.undecided}, {"needlessly", b.needlessly}, {"refused", b.refused}};
  Json& ran = row["kernels"];
  if (b.kernels)
    ran = {{"compared", b.kernels->compared}, {"mismatched", b.kernels->mismatched}, {"refused", b.kernels->refused}};
  return row;
}

/// Adds the counts of `witness` to the sums in `symbolic`.
void add_sums(const SizeWitness& witness, nlohmann::ordered_json& symbolic) {
  if (symbolic.is_null()) symbolic = nlohmann::ordered_json::object();
  const auto add = [&](const char* key, int64_t n) { symbolic[key] = symbolic.value(key, int64_t(0)) + n; };
  add("results", witness.results);
  add("sizes", static_cast<int64_t>(witness.bindings.size()));
  add("compared", witness.compared);
  add("mismatched", witness.mismatched);
  add("guarded_out", witness.guarded_out);
  add("undecided", witness.undecided);
  auto& kernels = symbolic["kernels"];
  if (kernels.is_null()) kernels = {{"bindings", 0}, {"compared", 0}, {"mismatched", 0}, {"refused", 0}};
  for (const auto& [key, n] : {std::pair("bindings", witness.kernels.bindings),
                               {"compared", witness.kernels.compared},
                               {"mismatched", witness.kernels.mismatched},
                               {"refused", witness.kernels.refused}})
    kernels[key] = kernels[key].get<int64_t>() + n;
}

}  // namespace

void add_witness(const SizeWitness& witness, const SizeCover& cover, const std::string& program, Document& to,
                 nlohmann::ordered_json& data) {
  using Json = nlohmann::ordered_json;
  add_sums(witness, data);
  Json& rows = data["bindings"];
  if (rows.is_null()) rows = Json::array();
  if (cover.declared.symbols.empty()) return to.add("sizes: this program has no symbols; --dynamic declares some\n");
  if (witness.bindings.empty())
    return to.add("sizes: none to choose, since no input's size is a symbol; --dynamic declares some\n");
  to.add(fmt::format("sizes: {} of {}\n", count_of(static_cast<int64_t>(witness.bindings.size()), "binding"),
                     count_of(static_cast<int64_t>(cover.cases.size()), "case")));
  for (const SizeBinding& b : witness.bindings) {
    to.add_term(sizes_text(b.sizes), outcome(b, cover));
    rows.push_back(binding_row(b, program));
  }
  if (const auto& stopped = cover.cases[0].summary.stopped) to.add_term("ended early", stopped->message);
  for (const Finding& f : witness.findings) to.add(finding_lines(head_of(f), sides_of(f), Document::Kind::Below));
  const SizeWitness::Kernels& k = witness.kernels;
  if (k.bindings > 0) {
    to.add(fmt::format("kernels at {}: {} compared, {} mismatched{}\n", count_of(k.bindings, "binding"), k.compared,
                       k.mismatched, k.refused ? fmt::format(", {} runs refused their data", k.refused) : ""));
  }
  to.add(fmt::format("symbolic: {} compared, {} mismatched, {} guarded out, {} undecided\n", witness.compared,
                     witness.mismatched, witness.guarded_out, witness.undecided));
}

}  // namespace ersatz::tools
