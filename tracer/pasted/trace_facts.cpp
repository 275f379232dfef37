#include "tracer/pasted/trace_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tracer/pasted/torch_trace.h"
#include "tracer/pasted/words.h"

namespace ersatz::pasted {

namespace {

using Json = nlohmann::json;

constexpr size_t kMostFacts = 100000;
constexpr size_t kLongest = 400;         // most characters of a fact's text
constexpr size_t kMostPayload = 100000;  // most lines of a payload that are read

std::string field_text(const Json& record, const char* key) {
  const auto at = record.find(key);
  if (at == record.end() || at->is_null()) return {};
  return at->is_string() ? at->get<std::string>() : at->is_primitive() ? at->dump() : std::string();
}

/// Returns whether a record with this key becomes a fact. Most records of a log have a graph or a time and are not
/// parsed.
bool tells(std::string_view key, std::string_view record) {
  constexpr std::string_view kKeys[] = {"str",
                                        "create_symbol",
                                        "create_unbacked_symbol",
                                        "guard_added",
                                        "guard_added_fast",
                                        "missing_fake_kernel",
                                        "mismatched_fake_kernel",
                                        "inductor_output_code",
                                        "dynamo_cpp_guards_str",
                                        "compilation_metrics"};
  if (key == "compilation_metrics") return record.find("\"fail_type\": null") == record.npos;
  if (key == "artifact")
    return record.find("dynamo_graph_break_reason") != record.npos || record.find("recompile_reasons") != record.npos;
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

/// Returns the lines of a record's payload.
std::vector<std::string_view> payload_of(const CleanText& text, size_t record) {
  std::vector<std::string_view> lines;
  for (size_t i = record + 1; i < text.lines.size() && lines.size() < kMostPayload; ++i) {
    if (text.lines[i].record) break;
    lines.push_back(text.lines[i].text);
  }
  return lines;
}

std::string first_line(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) {
    if (!trimmed(line).empty()) return std::string(trimmed(line));
  }
  return {};
}

/// Returns the list after a key in a guard on a tensor: `[5, 24]` in `size=[5, 24]`.
std::string_view list_behind(std::string_view line, std::string_view key) {
  const size_t at = line.find(key);
  if (at == line.npos) return {};
  const std::string_view rest = line.substr(at + key.size());
  return rest.substr(0, std::min(rest.find(']'), rest.size() - 1) + 1);
}

/// Returns a guard on a tensor or on sizes, from a line of `dynamo_cpp_guards_str`. Empty for other lines.
std::string guard_of(std::string_view line) {
  constexpr std::string_view kTensor = "TENSOR_MATCH: check_tensor(", kLambda = "LAMBDA_GUARD: ";
  if (const size_t at = line.find(kTensor); at != line.npos) {
    const std::string_view rest = line.substr(at + kTensor.size());
    const size_t dtype = rest.find("torch.", rest.find("DispatchKeySet"));
    if (dtype == rest.npos) return {};
    const std::string_view type = rest.substr(dtype, rest.find(',', dtype) - dtype);
    return fmt::format("{} is {} of size {}, stride {}", rest.substr(0, rest.find(", ")), type,
                       list_behind(rest, "size="), list_behind(rest, "stride="));
  }
  if (const size_t at = line.find(kLambda); at != line.npos) {
    const std::string_view rest = line.substr(at + kLambda.size());
    if (rest.find("L['") == rest.npos) return {};
    return std::string(trimmed(rest.substr(0, rest.find("  # "))));
  }
  return {};
}

}  // namespace

void TraceFacts::add(TraceFact fact) {
  if (fact.text.empty()) return;
  if (rows_.size() == kMostFacts) {
    ++left_;
    return;
  }
  if (fact.text.size() > kLongest) fact.text = fact.text.substr(0, kLongest) + " ...";
  if (known_.insert(fmt::format("{} {} {}", fact.compile_id, fact.kind, fact.text)).second)
    rows_.push_back(std::move(fact));
}

void TraceFacts::read(const CleanText& text) {
  for (size_t i = 0; i < text.lines.size(); ++i) {
    const CleanLine& line = text.lines[i];
    if (!line.record || line.text.size() > kMaxLine) continue;
    const std::string_view key = line.text.substr(2, std::min(line.text.find('"', 2), line.text.size()) - 2);
    if (!tells(key, line.text)) continue;
    const Json record = parse_trace_record(line.text);
    if (record.is_null()) continue;
    const auto of = record.find(std::string(key));
    if (of == record.end()) continue;
    const std::string id = trace_compile_id(record);
    const auto fact = [&](const char* kind, std::string what) { add({id, kind, std::move(what), line.number}); };
    if (key == "str" && of->is_array() && of->size() == 2 && (*of)[0].is_string() && (*of)[1].is_number_integer()) {
      files_[{line.stream, (*of)[1].get<int64_t>()}] = (*of)[0].get<std::string>();
    } else if (key == "create_symbol" || key == "create_unbacked_symbol") {
      const std::string value = field_text(*of, "val"), range = field_text(*of, "vr"),
                        source = field_text(*of, "source");
      fact("symbol", fmt::format("{}{}{}{}", field_text(*of, "symbol"), value.empty() ? "" : " = " + value,
                                 range.empty() ? "" : " in " + range, source.empty() ? "" : ": " + source));
    } else if (key == "guard_added" || key == "guard_added_fast") {
      std::string at;
      if (const auto stack = of->find("user_stack"); stack != of->end() && stack->is_array() && !stack->empty()) {
        const Json& frame = stack->back();
        if (frame.is_object()) {
          const auto number = frame.find("filename");
          const bool interned = number != frame.end() && number->is_number_integer();
          const auto file = interned ? files_.find({line.stream, number->get<int64_t>()}) : files_.end();
          at = fmt::format(" at {}:{}: {}", file == files_.end() ? field_text(frame, "name") : file->second,
                           field_text(frame, "line"), field_text(frame, "loc"));
        }
      }
      fact("guard", field_text(*of, "expr") + at);
    } else if (key == "missing_fake_kernel") {
      fact("fake kernel", fmt::format("{} has none: {}", field_text(*of, "op"), field_text(*of, "reason")));
    } else if (key == "mismatched_fake_kernel") {
      fact("fake kernel",
           fmt::format("{} differs from the kernel: {}", field_text(*of, "op"), field_text(*of, "reason")));
    } else if (key == "inductor_output_code") {
      fact("code",
           fmt::format("generated code, lines {} to {}", line.number + 1, line.number + payload_of(text, i).size()));
    } else if (key == "dynamo_cpp_guards_str") {
      for (const std::string_view guard : payload_of(text, i)) fact("guard", guard_of(guard));
    } else if (key == "compilation_metrics") {
      const std::string type = field_text(*of, "fail_type");
      if (!type.empty()) fact("failed", fmt::format("{}: {}", type, field_text(*of, "fail_reason")));
    } else if (key == "artifact" && of->is_object()) {
      const std::string name = field_text(*of, "name");
      if (name == "dynamo_graph_break_reason") {
        const std::vector<std::string_view> lines = payload_of(text, i);
        std::string what = first_line(lines);
        for (const std::string_view reason : lines) {
          constexpr std::string_view kReason = "Graph Break Reason: ";
          if (reason.starts_with(kReason)) what += fmt::format(": {}", reason.substr(kReason.size()));
        }
        fact("graph break", std::move(what));
      } else if (name == "recompile_reasons") {
        fact("recompiled", first_line(payload_of(text, i)));
      }
    }
  }
}

}  // namespace ersatz::pasted
