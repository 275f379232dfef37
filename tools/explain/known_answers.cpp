#include "tools/explain/known_answers.h"

#include <algorithm>

#include "fake/mode/fake_mode.h"
#include "runtime/tensor/meta_text.h"
#include "tools/output/interrupt.h"
#include "tracer/records/call_record.h"
#include "tracer/records/record_chunks.h"

namespace ersatz::tools {

namespace {

/// Returns the recorded call in the spelling of render_call; empty if ersatz cannot make the call.
std::string recorded_words(const OpEntry& op, const CallRecord& record) {
  if (!record.unusable.empty()) return "";
  const FakeMode mode;
  std::vector<Tensor> tensors;
  for (const RecordedTensor& t : record.tensors) tensors.push_back(mode.make(t.meta));
  try {
    return render_call(op, bind_recorded(op.schema, record, tensors));
  } catch (const Error&) {  // the recorded arguments do not fit the schema
    return "";
  }
}

std::string recorded_words(const RecordedOutcome& outcome) {
  if (outcome.refused) return "no prediction" + (outcome.error.empty() ? "" : ": " + outcome.error);
  if (!outcome.error.empty()) return outcome.error;
  std::string text;
  for (const RecordedResult& r : outcome.results) {
    text += text.empty() ? "" : ", ";
    if (r.kind == RecordedResult::Kind::Tensor) {
      text += to_string(r.tensor.meta);
    } else {
      text += r.kind == RecordedResult::Kind::Number ? to_string(r.number) : "None";
    }
  }
  return text.empty() ? "no result" : text;
}

}  // namespace

std::vector<KnownAnswer> known_answers(const std::vector<std::string>& files, const OpEntry& op,
                                       const std::string& call) {
  std::vector<KnownAnswer> known;
  RecordChunks chunks(files);
  RecordChunk chunk;
  const std::string wanted = "\"" + op.name + "\"";
  while (!interrupted() && chunks.next(chunk)) {
    chunk.each_line([&](std::string_view line, int64_t number) {
      if (line.find(wanted) == line.npos) return;
      const CallRecord record = parse_call_record(line, fmt::format("{}:{}", chunk.file, number));
      if (record.op != op.name || recorded_words(op, record) != call) return;
      KnownAnswer answer{record.id, chunk.file, recorded_words(record.outcome), "", ""};
      answer.fake = record.fake ? recorded_words(*record.fake) : answer.eager;
      answer.cuda_fake = record.cuda_fake ? recorded_words(*record.cuda_fake) : "";
      const bool fresh = std::none_of(known.begin(), known.end(), [&](const KnownAnswer& k) {
        return k.eager == answer.eager && k.fake == answer.fake && k.cuda_fake == answer.cuda_fake;
      });
      if (fresh) known.push_back(std::move(answer));
    });
  }
  return known;
}

}  // namespace ersatz::tools
