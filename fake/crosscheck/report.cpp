#include "fake/crosscheck/report.h"

#include <algorithm>
#include <numeric>

#include "fake/crosscheck/not_clean.h"

namespace ersatz {

int64_t Report::skipped_total() const { return std::accumulate(skipped.begin(), skipped.end(), int64_t(0)); }

void Report::count_compared(Witness witness, int64_t of_them, int64_t differ) {
  results += of_them;
  compared += of_them;
  mismatched += differ;
  witnesses[static_cast<size_t>(witness)] += of_them;
}

void Report::count_skipped(SkipReason reason, int64_t of_them) {
  results += of_them;
  skip(reason) += of_them;
}

void Report::count_mismatched(Counted& result, Witness witness) {
  if (result.as == Counted::As::Mismatched) return;
  ++mismatched;
  if (result.as != Counted::As::Agreed) {
    result.as == Counted::As::Skipped ? --skip(result.reason) : ++results;
    ++compared;
    ++witnesses[static_cast<size_t>(witness)];
  }
  result.as = Counted::As::Mismatched;
}

void Report::add_reference(std::string_view op, double device, double cpu, int64_t results) {
  auto row = std::lower_bound(reference.begin(), reference.end(), op,
                              [](const ReferenceError& r, std::string_view name) { return r.op < name; });
  if (row == reference.end() || row->op != op) row = reference.insert(row, {std::string(op)});
  row->results += results;
  row->device = std::max(row->device, device);
  row->cpu = std::max(row->cpu, cpu);
}

bool Report::clean() const { return findings.empty() && unjudged().empty(); }

std::string Report::unjudged() const {
  const bool broken = std::any_of(waivers.begin(), waivers.end(), [](const Waiver& w) { return w.broken(); });
  std::string why = why_not_clean(compared, own);
  return why.empty() && broken ? std::string(kBrokenWaiver) : why;
}

void Report::add(const Report& other) {
  nodes += other.nodes;
  results += other.results;
  compared += other.compared;
  mismatched += other.mismatched;
  cosmetic += other.cosmetic;
  size_one_only += other.size_one_only;
  empty_tensor += other.empty_tensor;
  memory_formats += other.memory_formats;
  ambiguous_layouts += other.ambiguous_layouts;
  for (const AmbiguousLayout& l : other.ambiguous) {
    if (ambiguous.size() < kMostAmbiguous) ambiguous.push_back(l);
  }
  coverage.add(other.coverage);
  for (const Waiver& w : other.waivers) {
    const auto same = std::find_if(waivers.begin(), waivers.end(), [&](const Waiver& mine) { return mine.same_as(w); });
    if (same == waivers.end()) {
      waivers.push_back(w);
    } else {
      same->used += w.used;
      same->passed += w.passed;
    }
  }
  layouts.insert(layouts.end(), other.layouts.begin(), other.layouts.end());
  for (const ReferenceError& r : other.reference) add_reference(r.op, r.device, r.cpu, r.results);
  records_of_cpu += other.records_of_cpu;
  follow_ups += other.follow_ups;
  values_compared += other.values_compared;
  value_failures += other.value_failures;
  waived += other.waived;
  for (size_t i = 0; i < skipped.size(); ++i) skipped[i] += other.skipped[i];
  for (size_t i = 0; i < values_skipped.size(); ++i) values_skipped[i] += other.values_skipped[i];
  for (size_t i = 0; i < witnesses.size(); ++i) witnesses[i] += other.witnesses[i];
  own.judged += other.own.judged;
  own.known += other.own.known;
  for (const auto& [op, u] : other.own.unjudged) {
    OwnCalls::Unjudged& mine = own.unjudged[op];
    mine.calls += u.calls;
    if (mine.why.empty()) mine.why = u.why;
  }
  record_wrong.insert(record_wrong.end(), other.record_wrong.begin(), other.record_wrong.end());
  findings.insert(findings.end(), other.findings.begin(), other.findings.end());
}

std::string closing_line(const Report& report) {
  return with_reason(counts_line(report), report.findings.empty() ? report.unjudged() : "");
}

}  // namespace ersatz
