#include "tracer/pasted/torch_trace.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tracer/pasted/words.h"

namespace ersatz::pasted {

namespace {

using Json = nlohmann::json;

constexpr int kMaxJsonDepth = 64;

std::string text_of(const Json& record, const char* key) {
  const auto at = record.find(key);
  return at != record.end() && at->is_string() ? at->get<std::string>() : std::string();
}

/// Returns whether the payload of a record with this key may be a graph or code.
bool has_graph(std::string_view key) {
  return key.find("graph") != key.npos || key == "exported_program" || key == "inductor_output_code";
}

/// Returns the stage that an artifact's name gives; the artifact's payload may be a graph. Empty if the record is no
/// artifact.
std::string stage_of(const Json& record) {
  const auto artifact = record.find("artifact");
  return artifact != record.end() && artifact->is_object() ? stage_called(text_of(*artifact, "name")) : std::string();
}

void read_symbol(const Json& made, SymbolHints& symbols) {
  const std::string name = text_of(made, "symbol");
  if (name.empty()) return;
  SymbolHint& hint = symbols[name];
  std::string value = text_of(made, "val");
  if (const auto at = made.find("val"); at != made.end() && at->is_number()) value = at->dump();
  hint.value = whole_number(value);
  if (!hint.value) hint.real = real_number(value);
  read_range(text_of(made, "vr"), hint);
}

/// Reads the symbols in a record of kind `create_symbol` or `create_unbacked_symbol`.
void read_symbols(const Json& record, SymbolHints& symbols) {
  for (const auto& [key, value] : record.items()) {
    if (key.ends_with("_symbol") && value.is_object()) read_symbol(value, symbols);
  }
}

/// Returns the integer that follows a key of the record; nullopt if the record does not have the key. A key inside a
/// string does not match, because its quotes are escaped there (`\"`).
std::optional<int64_t> number_behind(std::string_view record, std::string_view key) {
  const size_t at = record.rfind(key);
  if (at == record.npos) return std::nullopt;
  const std::string_view rest = record.substr(at + key.size());
  return whole_number(rest.substr(0, std::min(rest.find_first_not_of("-0123456789"), rest.size())));
}

std::string compile_id_of(std::optional<int64_t> frame, std::optional<int64_t> compile,
                          std::optional<int64_t> attempt) {
  if (!frame || !compile) return {};
  std::string id = fmt::format("{}_{}", *frame, *compile);
  if (attempt.value_or(0) > 0) id += fmt::format("_{}", *attempt);
  return id;
}

/// Returns the place of a record from its first key, without parsing the JSON. That saves time, because most records
/// have a payload and some list thousands of sizes. nullopt for an artifact, whose name is not in the first key.
std::optional<TraceRecords::Place> place_by_key(std::string_view record) {
  if (!record.starts_with("{\"")) return std::nullopt;
  const std::string_view key = record.substr(2, std::min(record.find('"', 2), record.size()) - 2);
  if (key == "artifact") return std::nullopt;
  return TraceRecords::Place{
      compile_id_of(number_behind(record, ", \"frame_id\": "), number_behind(record, ", \"frame_compile_id\": "),
                    number_behind(record, ", \"attempt\": ")),
      has_graph(key) ? stage_called(key) : std::string()};
}

}  // namespace

Json parse_trace_record(std::string_view text) {
  int deepest = 0;
  const auto bounded = [&deepest](int depth, Json::parse_event_t, Json&) {
    deepest = std::max(deepest, depth);
    return depth <= kMaxJsonDepth;
  };
  Json record = Json::parse(text.begin(), text.end(), bounded, /*allow_exceptions=*/false);
  return record.is_object() && deepest <= kMaxJsonDepth ? std::move(record) : Json();
}

std::string trace_compile_id(const Json& record) {
  const auto number = [&](const char* key) -> std::optional<int64_t> {
    const auto at = record.find(key);
    return at != record.end() && at->is_number_integer() ? std::optional(at->get<int64_t>()) : std::nullopt;
  };
  return compile_id_of(number("frame_id"), number("frame_compile_id"), number("attempt"));
}

std::string stage_called(std::string_view artifact) {
  constexpr std::pair<std::string_view, std::string_view> kStages[] = {{"dynamo_output_graph", "dynamo"},
                                                                       {"graph_code", "dynamo"},
                                                                       {"aot_joint_graph", "joint"},
                                                                       {"aot_forward_graph", "forward"},
                                                                       {"aot_backward_graph", "backward"},
                                                                       {"aot_inference_graph", "inference"},
                                                                       {"before_pre_grad_graph", "before_pre_grad"},
                                                                       {"after_pre_grad_graph", "pre_grad"},
                                                                       {"before_post_grad_graph", "before_post_grad"},
                                                                       {"before_joint_graph", "before_joint"},
                                                                       {"after_joint_graph", "after_joint"},
                                                                       {"inductor_post_grad_graph", "post_grad"},
                                                                       {"after_post_grad_graph", "post_grad"},
                                                                       {"post_grad_graphs", "post_grad"},
                                                                       {"inductor_pre_grad_graph", "pre_grad"},
                                                                       {"inductor_output_code", "output_code"}};
  for (const auto& [name, stage] : kStages) {
    if (name == artifact) return std::string(stage);
  }
  return std::string(artifact);
}

void read_range(std::string_view text, SymbolHint& hint) {
  if (text.size() < 5 || text.front() != '[' || text.back() != ']') return;
  text = text.substr(1, text.size() - 2);
  const size_t comma = text.find(", ");
  if (comma == text.npos) return;
  hint.min = whole_number(text.substr(0, comma));
  hint.max = whole_number(text.substr(comma + 2));
}

void TraceRecords::read(const CleanText& text) {
  records_.assign(text.streams, {});
  for (size_t i = 0; i < text.lines.size(); ++i) {
    const CleanLine& line = text.lines[i];
    if (!line.record || line.text.size() > kMaxLine) continue;
    const bool symbol =
        line.text.starts_with("{\"create_symbol\"") || line.text.starts_with("{\"create_unbacked_symbol\"");
    const bool payload = i + 1 < text.lines.size() && !text.lines[i + 1].record;
    if (!symbol && !payload) continue;
    if (auto place = symbol ? std::nullopt : place_by_key(line.text)) {
      records_[line.stream].push_back({line.number, std::move(*place)});
      continue;
    }
    const Json record = parse_trace_record(line.text);
    if (record.is_null()) continue;
    if (symbol) {
      SymbolHints made;
      read_symbols(record, made);
      process_[line.stream].insert(made.begin(), made.end());
      for (auto& [name, hint] : made)
        symbols_[{line.stream, trace_compile_id(record)}].insert_or_assign(name, std::move(hint));
      continue;
    }
    records_[line.stream].push_back({line.number, {trace_compile_id(record), stage_of(record)}});
  }
}

TraceRecords::Place TraceRecords::place(uint32_t stream, uint32_t line) const {
  if (stream >= records_.size()) return {};
  const auto& rows = records_[stream];
  const auto after =
      std::upper_bound(rows.begin(), rows.end(), line, [](uint32_t l, const Record& r) { return l < r.line; });
  return after == rows.begin() ? Place() : std::prev(after)->place;
}

SymbolHints TraceRecords::symbols(uint32_t stream, const std::string& compile_id) const {
  SymbolHints all;
  if (const auto own = symbols_.find({stream, compile_id}); own != symbols_.end()) all = own->second;
  if (const auto others = process_.find(stream); others != process_.end())
    all.insert(others->second.begin(), others->second.end());
  return all;
}

std::map<std::string, SymbolHints> symbols_of_tlparse(std::string_view raw_jsonl) {
  std::map<std::string, SymbolHints> symbols;
  while (!raw_jsonl.empty()) {
    const size_t end = std::min(raw_jsonl.find('\n'), raw_jsonl.size());
    const std::string_view line = raw_jsonl.substr(0, end);
    raw_jsonl.remove_prefix(std::min(end + 1, raw_jsonl.size()));
    const bool makes =
        line.find("\"create_symbol\"") != line.npos || line.find("\"create_unbacked_symbol\"") != line.npos;
    if (!makes || line.size() > kMaxLine) continue;
    const Json record = parse_trace_record(line);
    if (!record.is_null()) read_symbols(record, symbols[trace_compile_id(record)]);
  }
  return symbols;
}

}  // namespace ersatz::pasted
