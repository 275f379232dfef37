#include "tools/validate/record_validation.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/infer/recorded_prediction.h"
#include "tools/validate/record_review.h"
#include "tools/validate/shrink.h"
#include "tools/validate/unit_run.h"
#include "tracer/records/record_chunks.h"
#include "tracer/records/record_print.h"

namespace ersatz::tools {

namespace {

/// Fills `op` with the record's schema. The op is not registered and has no kernel.
void describe(OpEntry& op, const CallRecord& record) {
  op.name = record.op;
  op.schema = parse_schema(record.schema);
  op.tags = Tag::Foreign;
}

/// Returns the call of a record as a spec, with placeholders for its tensors.
CallSpec spec_of_record(const OpEntry& op, const CallRecord& record) {
  std::map<int64_t, Ref<Storage>> storages;
  std::vector<Tensor> tensors;
  for (const RecordedTensor& t : record.tensors) {
    Ref<Storage>& storage = storages[t.storage];
    if (!storage) storage = Storage::make_fake(t.nbytes, t.meta.device);
    tensors.push_back(t.is >= 0 ? tensors[static_cast<size_t>(t.is)] : Tensor(t.meta, storage));
  }
  CallSpec spec;
  spec.op = &op;
  spec.args = bind_recorded(op.schema, record, tensors);
  spec.fill = FillKind::Recorded;
  return spec;
}

}  // namespace

void add_records(const std::string& file, std::map<std::string, std::vector<RecordLine>>& records) {
  RecordChunks chunks({file});
  RecordChunk chunk;
  while (chunks.next(chunk)) {
    chunk.each_line([&](std::string_view line, int64_t number) {
      std::string at = fmt::format("{}:{}", file, number);
      CallRecord record = parse_call_record(line, at);
      const std::string op = record.op;
      records[op].push_back({std::move(record), std::string(line), std::move(at)});
    });
  }
}

RecordValidation::RecordValidation(const std::string& file) {
  add_records(file, records_);
  report.run = {{"ops", records_.size()}, {"units", records_.size()}, {"device", "cpu"}};
  // At least 1 unit, so that a run without calls counts as not compared.
  report.units = std::max<int64_t>(1, static_cast<int64_t>(records_.size()));
  for (const auto& [op, records] : records_) {
    OpVerdict& verdict = report.ops[op];
    verdict = judge_here(*foreign_records_of(op, records));
    verdict.gaps.clear();  // the op exists in the process that made the records, so missing calls are no gap
  }
}

std::vector<RecordValidation::Found> RecordValidation::found() {
  std::vector<Found> all;
  for (auto& [op, verdict] : report.ops) {
    for (ValidateFinding& f : verdict.found) {
      all.push_back({op, f.at, &f});
    }
  }
  return all;
}

void RecordValidation::make_small(const Found& found, const CallMaker& make, int most) {
  const RecordLine& first = records_.at(found.op).at(static_cast<size_t>(found.record));
  ValidateFinding& f = *found.finding;
  f.finding.repro = first.text;
  const bool usable = first.record.unusable.empty();
  if (first.record.schema.empty() || !usable || f.of_many) return;
  OpEntry op;
  try {
    describe(op, first.record);
  } catch (const Error&) {
    return;  // the schema has a type that ersatz cannot parse, so the call is not shrunk
  }
  std::string shown;               // record of the last call that was tried
  std::optional<Finding> differs;  // finding in the last call that was tried
  const auto fails = [&](const CallSpec& spec) {
    const std::optional<std::string> line =
        make(print_call_record(record_arguments(op, spec.args, 0)), name(spec.fill));
    if (!line) return false;
    for (const Finding& g : judge_by_own_record(parse_call_record(*line, "the call made small")).findings) {
      if (recorded_finding_key(first.record, g) != f.key) continue;
      shown = *line, differs = g;
      return true;
    }
    return false;
  };
  const CallSpec spec = spec_of_record(op, first.record);
  if (!fails(spec)) return;  // not reproducible alone: the call failed only once, or only after other calls
  const Shrunk small = shrink(spec, fails, most);
  if (!fails(small.smallest)) return;
  // The cause that fits all calls replaces the cause of the shrunk call.
  if (!f.finding.cause.empty()) differs->cause = f.finding.cause;
  differs->repro = shown;
  f.call = small.smallest.spelled();
  f.why.insert(f.why.end(), small.why.begin(), small.why.end());
  f.finding = std::move(*differs);
}

}  // namespace ersatz::tools
