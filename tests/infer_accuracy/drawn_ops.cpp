#include "tests/infer_accuracy/drawn_ops.h"

#include <algorithm>
#include <random>

#include "runtime/op/registry.h"
#include "tools/infer/probe.h"
#include "tracer/records/record_chunks.h"

namespace ersatz::tests {

std::vector<const OpEntry*> drawn_ops(size_t count, uint64_t seed) {
  std::vector<const OpEntry*> all;
  for (const OpEntry* op : registry().all()) {
    if (!op->samples.empty() && !op->tags.has(Tag::Foreign)) all.push_back(op);
  }
  std::mt19937_64 random(seed);
  for (size_t i = all.size(); i-- > 1;) std::swap(all[i], all[random() % (i + 1)]);
  all.resize(std::min(all.size(), count));
  return all;
}

OtherCalls hold_against(const OpEntry& op, const tools::InferredRule& rule, int64_t calls) {
  constexpr uint64_t kOtherSeed = 0x5eed;
  tools::Prober prober(op, kOtherSeed);
  OtherCalls held;
  for (int64_t tries = 0; tries < 11 * calls && held.calls < calls; ++tries) {
    const std::optional<tools::Observation> seen = prober.run(prober.next(), static_cast<uint64_t>(tries) + 77);
    if (!seen) continue;
    ++held.calls;
    const auto predicted = tools::predict(rule, seen->arguments);
    if (!predicted) {
      ++held.not_covered;
      continue;
    }
    const std::string d = tools::difference(*predicted, seen->results);
    ++(d.empty() ? held.agree : held.differ);
    if (!d.empty() && held.first.empty()) held.first = "(" + seen->spelling + ") " + d;
  }
  return held;
}

OtherCalls hold_against_records(const OpEntry& op, const tools::InferredRule& rule, const std::string& file) {
  OtherCalls held;
  RecordChunks chunks({file});
  for (RecordChunk chunk; chunks.next(chunk);) {
    chunk.each_line([&](std::string_view line, int64_t number) {
      const CallRecord record = parse_call_record(line, fmt::format("{}:{}", file, number));
      if (record.op != op.name) return;
      std::vector<std::string> names;
      for (const Argument& a : op.schema.arguments) names.push_back(a.name);
      std::optional<tools::Observation> seen = tools::observe(record, nullptr, names);
      if (!seen || names.size() != op.schema.arguments.size()) return;
      for (size_t i = 0; i < names.size(); ++i) {
        const std::optional<Value>& left_out = op.schema.arguments[i].default_value;
        if (seen->arguments[i].kind != tools::SeenArgument::Kind::None || !left_out) continue;
        seen->arguments[i] = (*tools::seen_arguments({&*left_out, 1}))[0];
      }
      ++held.calls;
      const auto predicted = tools::predict(rule, seen->arguments);
      if (!predicted) {
        ++held.not_covered;
        return;
      }
      const std::string d = tools::difference(*predicted, seen->results);
      ++(d.empty() ? held.agree : held.differ);
      if (!d.empty() && held.first.empty()) held.first = record.id + " (" + seen->spelling + ") " + d;
    });
  }
  return held;
}

}  // namespace ersatz::tests
