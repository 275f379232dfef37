#include "tools/calls/replay_files.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "runtime/autograd/grad_mode.h"
#include "runtime/base/count_text.h"
#include "runtime/op/device_layouts.h"
#include "runtime/op/op_name.h"
#include "runtime/op/value_checks.h"
#include "runtime/tensor/allocator.h"
#include "tools/calls/contradicted_prediction.h"
#include "tools/output/crash_note.h"
#include "tools/output/finding_cause.h"
#include "tools/output/interrupt.h"
#include "tools/output/progress.h"
#include "tools/output/repro.h"
#include "tools/program/repro_check.h"
#include "tools/program/smallest_repro.h"
#include "tools/session/session.h"
#include "tracer/records/record_chunks.h"

namespace ersatz::tools {

namespace {

constexpr size_t kLongestKeptLine = size_t(1) << 20;

using CauseKey = std::tuple<std::string, FindingField, std::string>;

/// Counts and causes of one chunk of a file. The tallies of all chunks are added up in file order.
struct Tally {
  CallsSummary sums;
  std::map<CauseKey, CallCause> causes;

  void add(Tally&& other) {
    sums.report.add(other.sums.report);
    sums.records.add(other.sums.records);
    for (const auto& [op, counts] : other.sums.ops) sums.ops[op].add(counts);
    for (const auto& [why, n] : other.sums.unusable) sums.unusable[why] += n;
    sums.fakes.add(other.sums.fakes);
    sums.wrong_fakes.add(other.sums.wrong_fakes);
    for (const auto& [op, answers] : other.sums.symbolic) sums.symbolic[op].add(answers);
    sums.prediction_refused += other.sums.prediction_refused;
    sums.prediction_accepts.add(other.sums.prediction_accepts);
    sums.prediction_contradicted += other.sums.prediction_contradicted;
    sums.synthetic += other.sums.synthetic;
    sums.bugs += other.sums.bugs;
    sums.more_causes += other.sums.more_causes;
    std::move(other.sums.findings.begin(), other.sums.findings.end(), std::back_inserter(sums.findings));
    for (auto& [key, cause] : other.causes) {
      const auto found = causes.find(key);
      if (found != causes.end()) {
        found->second.count += cause.count;
        for (std::string& id : cause.ids) add_id(found->second, std::move(id));
      } else if (causes.size() < kMostCauses) {
        causes.emplace(key, std::move(cause));
      } else {
        sums.more_causes += cause.count;
      }
    }
  }

  static void add_id(CallCause& cause, std::string id) {
    if (cause.ids.size() < kIdsOfCause && (cause.ids.empty() || cause.ids.back() != id)) {
      cause.ids.push_back(std::move(id));
    }
  }
};

/// Decides which records are replayed (`--only`, `--id`).
class Selection {
 public:
  explicit Selection(const CallsOptions& options) : ids_(options.ids) {
    for (const std::string& text : options.only) {
      if (text.empty()) fail_argument("--only: names no operator");
      only_.push_back(text);
    }
  }
  /// A fast test of a record's text, before it is parsed: false if the record is surely not selected.
  bool may_have(std::string_view line) const {
    const auto holds = [&](const std::string& text) { return line.find(text) != line.npos; };
    return ids_.empty() || std::any_of(ids_.begin(), ids_.end(), holds);
  }
  bool has(const CallRecord& record) const {
    const auto named = [&](const std::string& name) { return op_name_means(name, record.op); };
    const bool op = only_.empty() || std::any_of(only_.begin(), only_.end(), named);
    return op && (ids_.empty() || std::find(ids_.begin(), ids_.end(), record.id) != ids_.end());
  }

 private:
  std::vector<std::string> only_, ids_;
};

/// Replays chunks of files, one after another. Each thread has its own Worker.
class Worker {
 public:
  Worker(const CallsOptions& options, const Selection& selection, int64_t limit)
      : options_(options), selection_(selection), left_(limit) {}

  Tally work(const RecordChunk& chunk) {
    tally_ = Tally();
    const AllocationLimit limit(kMostCallBytes);
    // Each chunk has its own engine, because an engine's memory grows with the calls that it sees.
    Crosscheck engine(engine_options(options_.run, options_.waivers)), rules(rule_options());
    record_waivers_ = options_.waivers;
    chunk.each_line([&](std::string_view line, int64_t number) {
      if (done() || !selection_.may_have(line)) return;
      const CallRecord record = parse_call_record(line, fmt::format("{}:{}", chunk.file, number));
      if (!selection_.has(record)) return;
      --left_;
      RecordAnswer answer;
      const CrashNote note_of_crash(fmt::format("{} ({}), {}:{}", record.id, record.op, chunk.file, number));
      if (const OpEntry* op = find_op(record.op)) {
        // If the record was made on CUDA and this run has no CUDA device, only the rules are compared. A run on the CPU
        // would return other strides.
        const TimedOperator timed(record.op);
        const bool elsewhere = record.on_cuda && options_.run.device_or_cpu().is_cpu();
        const bool of_others = op->tags.has(Tag::Collective) && record.group && record.group->size > 1;
        answer = elsewhere   ? replay(rules, *op, record, rules_on(cuda()))
                 : of_others ? replay(rules, *op, record, rules_on(options_.run.device))
                             : replay(engine, *op, record, options_.run);
        // If unrecorded values decide the outcome, kernels cannot be compared. The rules can still be compared.
        if (answer.values_decide) answer = replay(rules, *op, record, rules_on(kCPU));
        compare_fakes(record, answer);
        waive(record, line, answer);
        excuse(*op, record, answer);
      } else {
        answer = judge_missing(engine, record, options_.run.device_or_cpu().is_cuda());
        waive(record, line, answer);
      }
      // If a call of an unregistered operator failed, judge_missing has reported the wrong prediction already.
      const bool is_own = answer.verdict == Verdict::Failed && !find_op(record.op);
      if (options_.run.device_or_cpu().is_cpu() && !is_own) tally_.sums.wrong_fakes.add(record);
      count(record, answer);
      if (options_.symbolic && answer.verdict == Verdict::Passed && !answer.extension) {
        // Symbolic runs have no values. If values decide the outcome of the eager run, there is nothing to compare.
        const bool of_metadata =
            options_.run.no_real ||
            replay(rules, *find_op(record.op), record, rules_on(options_.run.device)).verdict == Verdict::Passed;
        if (of_metadata) ask_symbols(record, answer);
      }
      for (Finding& f : answer.findings) note(std::move(f), chunk.file, number, line);
    });
    take_report(engine);
    take_report(rules);
    Report waived;
    waived.waivers = record_waivers_.rows();
    tally_.sums.report.add(waived);
    return std::move(tally_);
  }

  bool done() const { return left_ == 0 || interrupted(); }

 private:
  RunOptions rules_on(std::optional<Device> device) const {
    RunOptions options = options_.run;
    options.device = device;
    options.no_real = true;
    return options;
  }
  CrosscheckOptions rule_options() const { return engine_options(rules_on(kCPU), options_.waivers); }

  /// Runs the call with symbolic sizes. Adds findings to `answer`, and counts results in CallsSummary::symbolic.
  void ask_symbols(const CallRecord& record, RecordAnswer& answer) {
    SymbolicOp& sums = tally_.sums.symbolic[record.op];
    for (const SymbolKind kind : {SymbolKind::Backed, SymbolKind::Unbacked}) {
      SymbolicAnswer asked = ask_with_symbols(*find_op(record.op), record, kind);
      sums.kinds[static_cast<int>(kind)].add(asked.counts);
      if (sums.undecided.empty()) sums.undecided = std::move(asked.undecided);
      if (!asked.finding) continue;
      answer.findings.push_back(std::move(*asked.finding));
      tally_.sums.report.results += asked.counts.mismatched;
      tally_.sums.report.compared += asked.counts.mismatched;
      tally_.sums.report.mismatched += asked.counts.mismatched;
    }
  }

  const OpEntry* find_op(const std::string& name) {
    const auto [it, fresh] = ops_.emplace(name, nullptr);
    if (fresh) {
      it->second = registry().find(name);
      // The registry also finds operators by other spellings of their names; here only the exact name counts.
      if (it->second && it->second->name != name) it->second = nullptr;
    }
    if (ops_.size() > kMostCauses) ops_.clear();
    return it->second;
  }

  /// Skips a failed record if the prediction contradicts the recorder's CPU run and ersatz agrees with that run.
  void excuse(const OpEntry& op, const CallRecord& record, RecordAnswer& answer) {
    if (answer.verdict != Verdict::Failed || answer.bug || !options_.run.device_or_cpu().is_cuda() ||
        !options_.run.no_real)
      return;
    const std::optional<CallRecord> settled = without_contradicted(record);
    if (!settled) return;
    Crosscheck engine(rule_options());  // its report is dropped, because the call has been counted already
    const Verdict verdict = replay(engine, op, *settled, options_.run).verdict;
    if (verdict != Verdict::Passed && verdict != Verdict::Waived) return;
    const int64_t results = answer.results;
    answer = RecordAnswer();
    answer.results = results;
    answer.verdict = Verdict::Skipped;
    answer.reason = SkipReason::Unwitnessed;
    answer.why = "the recorder's own CPU run contradicts the prediction";
    answer.prediction_contradicted = true;
  }

  /// Applies waivers for single records. They match by the checksum of the line, which the engine does not know.
  void waive(const CallRecord& record, std::string_view line, RecordAnswer& answer) {
    if (answer.bug || !record_waivers_.has_record(record.id)) return;
    const uint64_t checksum = record_checksum(line);
    if (answer.verdict == Verdict::Passed) {
      return record_waivers_.record_passed(record.id, checksum, !options_.run.no_real);
    }
    if (answer.verdict != Verdict::Failed) return;
    const auto waived = static_cast<int64_t>(
        std::erase_if(answer.findings, [&](const Finding& f) { return record_waivers_.waives_record(f, checksum); }));
    tally_.sums.report.waived += waived;
    if (waived == 0 || !answer.findings.empty()) return;
    answer.verdict = Verdict::Waived;
    answer.mismatched = 0;
  }

  void count(const CallRecord& record, const RecordAnswer& answer) {
    RecordCounts one;
    one.records = 1;
    one.extensions = answer.extension;
    one.with_values = answer.verdict == Verdict::Passed && answer.values_compared > 0;
    (answer.verdict == Verdict::Passed    ? one.passed
     : answer.verdict == Verdict::Failed  ? one.failed
     : answer.verdict == Verdict::Waived  ? one.waived
     : answer.verdict == Verdict::Missing ? one.missing
                                          : one.skipped) = 1;
    tally_.sums.records.add(one);
    tally_.sums.ops[record.op].add(one);
    tally_.sums.prediction_refused += answer.prediction_refused;
    if (answer.prediction_accepts) {
      tally_.sums.prediction_accepts.add({record.op, answer.refusal, record.outcome.error.empty()}, record.id,
                                         answer.refusal_words);
    }
    tally_.sums.prediction_contradicted += answer.prediction_contradicted;
    tally_.sums.synthetic += answer.synthetic;
    tally_.sums.bugs += answer.bug;
    if (answer.verdict == Verdict::Skipped) ++tally_.sums.unusable[answer.why];
    const Witness witness = options_.run.device_or_cpu().is_cpu() ? Witness::Eager
                            : options_.run.no_real                ? Witness::Record
                                                                  : Witness::Device;
    count_results(answer, witness, tally_.sums.report);
  }

  void compare_fakes(const CallRecord& record, const RecordAnswer& answer) {
    if (!options_.run.no_real || !options_.run.device_or_cpu().is_cpu()) return;
    if (record.outcome.error == "NotImplementedError" || !record.unusable.empty() || !record.predicted) return;
    FakeComparison& f = tally_.sums.fakes;
    const bool differs = answer.verdict == Verdict::Failed;
    if (record.fake && record.fake->refused) {
      ++f.refused;
      f.refused_ours_differ += differs;
    } else if (answer.verdict == Verdict::Skipped) {
      ++f.undecided;
      f.undecided_theirs_differ += record.fake.has_value();
    } else {
      ++f.records;
      f.theirs_differ += record.fake.has_value();
      f.ours_differ += differs;
      f.ours_differ_marked += differs && record.fake;
    }
  }

  void note(Finding f, const std::string& file, int64_t number, std::string_view line) {
    if (options_.every_finding) tally_.sums.findings.push_back(f);
    std::string text = cause_of(f);
    CallCause& cause = tally_.causes[{f.op, f.field, text}];
    ++cause.count;
    Tally::add_id(cause, f.node);
    if (cause.count > 1) return;
    cause.text = std::move(text);
    cause.finding = std::move(f);
    cause.file = file;
    cause.line = number;
    if (line.size() <= kLongestKeptLine) cause.record = line;
  }

  /// Adds the engine's coverage and other counts, except counts of results, because these are counted by record.
  void take_report(Crosscheck& engine) {
    Report counted = without_results(engine.take_report());
    counted.findings.clear();  // findings are kept by cause instead
    tally_.sums.report.add(counted);
  }

  const CallsOptions& options_;
  const Selection& selection_;
  int64_t left_;  // number of records still to be replayed; negative: unlimited
  std::unordered_map<std::string, const OpEntry*> ops_;
  Tally tally_;
  Waivers record_waivers_;  // counts how often each waiver for a single record was used in this chunk
};

/// Worker threads take chunks and return tallies, which the pool adds up in file order.
class Pool {
 public:
  Pool(const std::vector<std::string>& files, const CallsOptions& options)
      : chunks_(files),
        options_(options),
        selection_(options),
        // Random draws on a device are compared with the CPU's. A device has one generator for the whole process, so
        // only one thread may run.
        jobs_(options.limit >= 0 || (options.run.device_or_cpu().is_cuda() && !options.run.no_real) ? 1
              : options.jobs > 0 ? std::min(options.jobs, 256)
                                 : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))),
        progress_("crosscheck", chunks_.bytes_total() >> 10) {}

  Tally run() {
    registry();  // the registry is filled before threads start
    std::vector<std::thread> threads;
    for (int i = 1; i < jobs_; ++i) {
      threads.emplace_back([this, session = Session::current()] {
        const SessionScope scope(session);
        work();
      });
    }
    work();
    for (std::thread& t : threads) t.join();
    if (error_) std::rethrow_exception(error_);
    return std::move(total_);
  }

 private:
  void work() {
    const WithoutAutograd ungraded;
    const ContextGuard guard([&](RuleContext& c) { c.backend = options_.run.backend; });
    const DeviceLayoutsGuard as_recorded(layouts_);
    const ChecksAtOnce judged;
    Worker worker(options_, selection_, options_.limit);
    RecordChunk chunk;
    int64_t number = 0;
    try {
      while (!worker.done() && take(chunk)) {
        number = chunk.number;
        give(number, worker.work(chunk));
      }
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!error_ || number < error_at_) {
        error_ = std::current_exception();
        error_at_ = number;
      }
      changed_.notify_all();
    }
  }

  bool take(RecordChunk& chunk) {
    std::unique_lock lock(mutex_);
    // A thread waits if it is far ahead of the slowest chunk, so that few tallies have to be stored.
    changed_.wait(lock, [&] { return error_ || taken_ < next_ + 8 * jobs_; });
    if (error_) return false;
    if (!chunks_.next(chunk)) return false;
    ++taken_;
    return true;
  }

  void give(int64_t number, Tally&& tally) {
    std::lock_guard lock(mutex_);
    waiting_.emplace(number, std::move(tally));
    for (auto it = waiting_.begin(); it != waiting_.end() && it->first == next_; it = waiting_.erase(it)) {
      total_.add(std::move(it->second));
      ++next_;
    }
    progress_.at(chunks_.bytes_read() >> 10, "KiB");
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  RecordChunks chunks_;
  const CallsOptions& options_;
  const Selection selection_;
  const int jobs_;
  const DeviceLayouts* const layouts_ = device_layouts();  // device layouts of the thread that constructs the pool
  Progress progress_;
  int64_t taken_ = 0, next_ = 0;
  std::map<int64_t, Tally> waiting_;
  Tally total_;
  std::exception_ptr error_;
  int64_t error_at_ = 0;
};

}  // namespace

void RecordCounts::add(const RecordCounts& o) {
  records += o.records;
  passed += o.passed;
  failed += o.failed;
  waived += o.waived;
  missing += o.missing;
  skipped += o.skipped;
  extensions += o.extensions;
  with_values += o.with_values;
}

void SymbolicOp::add(const SymbolicOp& o) {
  for (int k = 0; k < 2; ++k) kinds[k].add(o.kinds[k]);
  if (undecided.empty()) undecided = o.undecided;
}

void FakeComparison::add(const FakeComparison& o) {
  records += o.records;
  theirs_differ += o.theirs_differ;
  ours_differ += o.ours_differ;
  ours_differ_marked += o.ours_differ_marked;
  undecided += o.undecided;
  undecided_theirs_differ += o.undecided_theirs_differ;
  refused += o.refused;
  refused_ours_differ += o.refused_ours_differ;
}

CallsSummary run_calls(const std::vector<std::string>& files, const CallsOptions& options) {
  if (Session* session = Session::current()) session->begin_frame(count_of(std::ssize(files), "file") + " of calls");
  const TimedCall timed("ersatz::tools::run_calls", "run");
  Tally total = Pool(files, options).run();
  CallsSummary summary = std::move(total.sums);
  summary.seed = options.run.seed;
  const bool all_read = options.ids.empty() && options.limit < 0 && !interrupted();
  for (const std::string& name : all_read ? options.only : std::vector<std::string>()) {
    const bool recorded = std::any_of(summary.ops.begin(), summary.ops.end(),
                                      [&](const auto& row) { return op_name_means(name, row.first); });
    if (!recorded && ops_meant(name).empty()) fail_argument("--only: {}", no_operator_named(name));
  }
  for (auto& [key, cause] : total.causes) summary.causes.push_back(std::move(cause));
  std::stable_sort(summary.causes.begin(), summary.causes.end(), [](const CallCause& a, const CallCause& b) {
    return a.finding.op != b.finding.op ? a.finding.op < b.finding.op : a.count > b.count;
  });
  return summary;
}

namespace {

/// Returns a program of one call that shows the first finding of `cause`. Empty if the call cannot be printed.
std::string repro_of(const CallCause& cause, const CallsOptions& options) {
  const OpEntry* op = registry().find(cause.finding.op);
  if (cause.record.empty() || !op) return "";
  CrosscheckOptions o = engine_options(options.run);
  o.repro = print_repro;
  Crosscheck engine(std::move(o));
  const CallRecord record = parse_call_record(cause.record, cause.file);
  for (const Finding& f : replay(engine, *op, record, options.run).findings) {
    if (f.field == cause.finding.field && cause_of(f) == cause.text) return f.repro;
  }
  return "";
}

}  // namespace

void add_repros(CallsSummary& summary, const CallsOptions& options) {
  const AllocationLimit limit(kMostCallBytes);
  size_t kept = 0;
  Progress progress("repros of findings", static_cast<int64_t>(summary.causes.size()));
  for (CallCause& cause : summary.causes) {
    progress.at(&cause - summary.causes.data());
    if (kept == kMostRepros || interrupted()) return;
    const CrashNote note_of_crash(
        fmt::format("the repro of {} ({}), {}:{}", cause.finding.node, cause.finding.op, cause.file, cause.line));
    std::string repro = repro_of(cause, options);
    if (!repro.empty()) repro = smallest_repro(repro, cause.finding, options.run);
    if (repro.empty()) continue;
    cause.finding.repro = std::move(repro);
    ++kept;
  }
}

}  // namespace ersatz::tools
