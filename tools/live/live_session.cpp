#include "tools/live/live_session.h"

#include <algorithm>

#include "fake/mode/data_dependent_symbols.h"
#include "fake/mode/real_symbols.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/op/dispatch.h"
#include "runtime/plugin/codes.h"
#include "runtime/sym/density.h"
#include "tools/calls/replay.h"
#include "tools/output/finding_cause.h"
#include "tracer/records/record_print.h"

namespace ersatz::tools {
namespace {

CrosscheckOptions without_kernels(CrosscheckOptions options) {
  options.run_real = false;
  options.stop_at_first = false;  // the session itself stops the run, after it has added the finding to the report
  return options;
}

}  // namespace

LiveSession::LiveSession(CrosscheckOptions options, const std::string& device)
    : devices(device),
      stops_(options.stop_at_first),
      engine_(without_kernels(std::move(options))),
      call_(engine_.fake_mode(), meta_of) {}

bool LiveSession::begin(const OpEntry& op, std::span<const ErsatzValue> arguments, DType default_dtype) {
  const LiveDevices::Scope scope(devices);
  prediction_ = nullptr;
  if (!excluded.empty() && is_excluded(op.name)) return false;  // `skip` will count it as excluded
  try {
    call_.set(op, arguments);
    if (own.has(&op)) prediction_ = &own.prediction(op, call_, arguments, default_dtype);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void LiveSession::skip(const OpEntry* op, std::string_view name, std::string_view why, size_t results) {
  if (name.starts_with("c10d.")) note_rank();
  const bool left_out = is_excluded(name);
  const SkipReason reason = left_out ? SkipReason::Excluded : SkipReason::Unsupported;
  ++skipped_[left_out ? "excluded by name" : std::string(why)][std::string(name)];
  engine_.skip(own.has(op) ? nullptr : op, reason, std::max<size_t>(results, 1));
  ++counted_.nodes;
  counted_.count_skipped(reason, static_cast<int64_t>(std::max<size_t>(results, 1)));
  if (!left_out) leave_unjudged(name, why);
}

namespace {
/// True if the call failed because the CPU or GPU had too little memory.
bool lacks_memory(const LiveOutcome& outcome) {
  return outcome.error && (std::string_view(outcome.error) == "OutOfMemoryError" ||
                           outcome.message.find("can't allocate memory") != std::string::npos);
}
}  // namespace

void LiveSession::note_rank() {
  if (rank_of_process) {
    if (const std::optional<Rank> known = rank_of_process()) rank_ = known;
  }
}

void LiveSession::count_subclass(std::string_view type, std::string_view op) {
  ++subclasses_[std::string(type)][std::string(op)];
}

std::optional<ProcessGroup> LiveSession::group_of(const OpEntry& op) {
  if (!op.tags.has(Tag::Collective) || !group) return std::nullopt;
  const Value& name = call_.arguments()[static_cast<size_t>(op.schema.find_argument("group_name"))];
  if (name.kind() != Value::Kind::String) return std::nullopt;
  note_rank();
  return group(std::string(name.as_string()));
}

size_t LiveSession::end(const OpEntry& op, const RuleContext& context, const LiveOutcome& outcome) {
  const SuspendModes alone;
  const LiveDevices::Scope scope(devices);
  const ExcludeAutograd below;
  group_ = group_of(op);
  const ContextGuard guard([&](RuleContext& c) {
    c = context;
    if (group_) c.groups = ProcessGroups::of({*group_});
  });
  if (lacks_memory(outcome)) return skip(&op, op.name, "there was not enough memory", 1), 0;
  ++calls_;
  settled_ = false;
  if (prediction_) {
    const size_t before = engine_.report().findings.size();
    const size_t made = judge_own(op, outcome);
    if (stops_ && made > 0) stop(engine_.report().findings[std::min(before, engine_.report().findings.size() - 1)]);
    return made;
  }
  if (!outcome.error && op.rule && agrees(op, outcome)) {
    engine_.report().coverage.answered(op, Source::Rule);
    ++counted_.nodes;
    counted_.count_compared(Witness::Eager, static_cast<int64_t>(results_that_count(outcome.results)));
    return 0;
  }
  const size_t before = engine_.report().findings.size();
  const size_t made = settled_ ? judge_data(op, outcome) : judge(op, outcome);
  if (stops_ && made > 0) stop(engine_.report().findings[std::min(before, engine_.report().findings.size() - 1)]);
  return made;
}

bool LiveSession::ask(const OpEntry& op, const LiveOutcome& outcome) {
  rule_ = RuleResult();
  settled_ = false;
  try {
    if (!tells_of_data(op)) return run_rule(op, call_.arguments(), rule_), true;
    FakeOptions options;
    options.shape_env = env_ = std::make_shared<ShapeEnv>();
    options.allow_scalar_outputs = true;
    const FakeMode symbolic(options);
    DataDependentSymbols symbols(symbolic.state(), op);
    rule_.symbols = &symbols;
    run_rule(op, call_.arguments(), rule_);
    rule_.symbols = nullptr;
    return settle_data(*options.shape_env, outcome);
  } catch (const Error&) {
    rule_.symbols = nullptr;
    return false;
  }
}

bool LiveSession::settle_data(ShapeEnv& env, const LiveOutcome& outcome) {
  if (rule_.outputs.size() != outcome.results.size()) return false;
  const auto out_of_bounds = [&](SymInt said, int64_t is) {
    if (!said.is_symbolic()) return false;
    const auto [low, high] = env.range(said);
    return is < low || high < is;
  };
  for (size_t i = 0; i < rule_.outputs.size(); ++i) {
    const OutputSpec& spec = rule_.outputs[i];
    const ErsatzValue& is = outcome.results[i];
    if (is.kind == ERSATZ_TENSOR) {
      const Tensor real = engine_.fake_mode().make(meta_of(*is.as.meta));
      if (spec.meta.sizes.size() != real.sizes().size()) return false;
      for (size_t d = 0; d < spec.meta.sizes.size(); ++d) {
        if (out_of_bounds(spec.meta.sizes[d], real.sizes()[d].as_int())) return settled_ = true;
      }
      learn_real_values(env, spec, Value(real));
    } else {
      learn_real_values(env, spec, value_from_c(is));
    }
  }
  for (size_t i = 0; i < rule_.outputs.size(); ++i) {
    OutputSpec& spec = rule_.outputs[i];
    if (spec.kind == OutputSpec::Kind::Number && spec.number.kind() == Value::Kind::Float &&
        spec.number.is_symbolic()) {
      if (outcome.results[i].kind != ERSATZ_FLOAT) return false;
      spec.number = value_from_c(outcome.results[i]);  // a predicted symbol takes the value of any actual float
      continue;
    }
    std::optional<OutputSpec> said = at_real_values(env, spec);
    if (!said) return false;
    spec = *std::move(said);
  }
  return settled_ = true;
}

Finding LiveSession::finding(const OpEntry& op, FindingField field) const {
  Finding f;
  f.op = op.name;
  f.field = field;
  f.witness = Witness::Eager;
  f.verdict = "significant";
  for (const Value& v : call_.arguments()) f.args.push_back(to_string(v));
  return f;
}

size_t LiveSession::judge_data(const OpEntry& op, const LiveOutcome& outcome) {
  const size_t before = engine_.report().findings.size();
  engine_.report().coverage.answered(op, Source::Rule);
  ++counted_.nodes;
  const OutcomeDiff differs = compare_with_rule(call_, rule_, outcome);
  for (size_t i = 0; i < rule_.outputs.size(); ++i) {
    const OutputSpec& spec = rule_.outputs[i];
    const ErsatzValue& is = outcome.results[i];
    const bool tensors = is.kind == ERSATZ_TENSOR && spec.kind < OutputSpec::Kind::Number;
    LeafDiff differ;
    for (const OutcomeDiff::Leaf& leaf : differs.results) {
      if (leaf.at == i) differ = leaf.diff;
    }
    MetaFields fields = differ.meta.significant & kStridedFields;
    if (tensors && spec.meta.is_symbolic()) fields = {MetaField::Size};
    const bool same_meta = tensors && fields.empty();
    const bool agreed = tensors ? same_meta && !differ.place : !differ.kind && !differ.number;
    if (agreed && is.kind == ERSATZ_NONE) continue;
    counted_.count_compared(Witness::Eager);
    if (agreed) continue;
    Finding f = finding(op, same_meta ? FindingField::Alias : tensors ? field_of(fields.first()) : FindingField::Value);
    f.result = static_cast<int>(i);
    if (same_meta) {
      const size_t n = call_.tensors().size();
      AliasPlace said, seen;
      said.same_storage = call_.number_of(spec.source);
      if (spec.kind == OutputSpec::Kind::Same) said.same_object = said.same_storage;
      seen.same_object = call_.with_object(is.as.meta->object);
      seen.same_storage = call_.with_storage(is.as.meta->storage);
      f.predicted = to_string(said, n), f.observed = to_string(seen, n);
    } else {
      f.predicted = tensors ? to_string(spec.meta) : to_string(spec.number);
      f.observed = is.kind == ERSATZ_TENSOR ? to_string(meta_of(*is.as.meta)) : to_string(value_from_c(is));
    }
    counted_.mismatched += engine_.add(std::move(f));
  }
  return fold(before, record(op, outcome));
}

bool LiveSession::agrees(const OpEntry& op, const LiveOutcome& outcome) {
  if (!ask(op, outcome)) return false;
  const auto is_unknown = [](const OutputSpec& o) { return o.unknown_layout; };
  if (std::any_of(rule_.outputs.begin(), rule_.outputs.end(), is_unknown)) return false;
  return compare_with_rule(call_, rule_, outcome).is_equal() && !undeclared_write(op, outcome) &&
         !written_as_a_row(op, outcome);
}

std::optional<size_t> LiveSession::undeclared_write(const OpEntry& op, const LiveOutcome& outcome) const {
  // PyTorch counts versions by storage, so a write to one argument counts for all arguments on its storage.
  const auto is_written = [&](const TensorImpl* argument) {
    const auto shares = [&](const TensorImpl* t) { return t->storage == argument->storage; };
    bool written = std::any_of(rule_.also_written.begin(), rule_.also_written.end(), shares);
    for (const OutputSpec& o : rule_.outputs) written |= o.kind == OutputSpec::Kind::Same && shares(o.source);
    for (const uint16_t at : op.written) {
      for_each_tensor(call_.arguments().subspan(at, 1), [&](const TensorImpl* t) { written |= shares(t); });
    }
    return written;
  };
  for (size_t i = 0; i < outcome.after.size(); ++i) {
    if (outcome.versions_before[i] != outcome.versions_after[i] && !is_written(call_.tensors()[i].impl())) return i;
  }
  return std::nullopt;
}

CallRecord LiveSession::record(const OpEntry& op, const LiveOutcome& outcome) const {
  CallRecord record = record_of_call(op, call_, outcome);
  record.id = fmt::format("call{}", calls_);
  record.schema = own.schema_of(op);
  record.group = group_;
  return record;
}

void LiveSession::stop(const Finding& found) const {
  Error e(ErrorKind::MetadataMismatch, ErrorFamily::Runtime, to_string(found));
  e.op = found.op;
  e.arguments = found.args;
  e.source = found.source;
  throw e;
}

size_t LiveSession::judge(const OpEntry& op, const LiveOutcome& outcome) {
  CallRecord record = this->record(op, outcome);
  RunOptions how;
  how.no_real = true;
  if (record.on_cuda) how.device = cuda();
  const size_t before = engine_.report().findings.size();
  const RecordAnswer answer = replay(engine_, op, record, how);
  count_results(answer, Witness::Eager, counted_);
  if (answer.verdict == Verdict::Skipped) ++skipped_[answer.why][op.name];
  if (answer.verdict == Verdict::Passed) {
    note_undeclared_write(op, outcome);
    if (const TensorImpl* t = written_as_a_row(op, outcome)) note_written_as_a_row(op, *t);
  }
  return fold(before, std::move(record));
}

void LiveSession::note_undeclared_write(const OpEntry& op, const LiveOutcome& outcome) {
  const bool by_rule = !outcome.error && op.rule && rule_.outputs.size() == outcome.results.size();
  const std::optional<size_t> written = by_rule ? undeclared_write(op, outcome) : std::nullopt;
  if (!written) return;
  Finding f = finding(op, FindingField::UndeclaredWrite);
  f.predicted = fmt::format("argument {} is not written", *written);
  f.observed = fmt::format("its version moves from {} to {}", outcome.versions_before[*written],
                           outcome.versions_after[*written]);
  counted_.mismatched += engine_.add(std::move(f));
}

const TensorImpl* LiveSession::written_as_a_row(const OpEntry& op, const LiveOutcome& outcome) const {
  if (!group_ || group_->backend != "gloo" || outcome.error) return nullptr;
  const Value& first = call_.arguments()[0];
  if (op.written.size() != 1 || op.written[0] != 0 || !first.is_tensor()) return nullptr;
  const TensorImpl* const t = first.tensor_impl();
  return is_non_overlapping_and_dense(t->meta.sizes, t->meta.strides) ? nullptr : t;
}

void LiveSession::note_written_as_a_row(const OpEntry& op, const TensorImpl& t) {
  Finding f = finding(op, FindingField::OutOfBounds);
  f.predicted = fmt::format("argument 0 is written: {}", t.meta);
  f.observed = fmt::format("gloo takes {} elements in a row from offset {} on", t.meta.numel(), t.meta.offset);
  f.cause =
      "gloo does not look at the strides of a tensor that is not dense: it reads and writes elements beside it. Call "
      "the "
      "operator on a contiguous tensor, or the one that returns a new tensor";
  counted_.mismatched += engine_.add(std::move(f));
}

size_t LiveSession::fold(size_t before, CallRecord record) {
  std::vector<Finding>& findings = engine_.report().findings;
  if (findings.size() == before) return 0;
  record.at = where ? where() : std::string();
  size_t made = 0;
  std::vector<Finding> found(std::make_move_iterator(findings.begin() + static_cast<ptrdiff_t>(before)),
                             std::make_move_iterator(findings.end()));
  findings.resize(before);
  for (Finding& f : found) {
    ++made;
    const std::string about = fmt::format("{}\n{}\n{}\n{}\n{}", f.op, f.result, name(f.field), record.at, cause_of(f));
    const auto [at, is_new] = causes_.try_emplace(about, findings.size());
    if (!is_new) {
      ++times_[at->second];
      continue;
    }
    f.source = record.at;
    f.repro = print_call_record(record);
    findings.push_back(std::move(f));
    times_.push_back(1);
  }
  return made;
}

std::string LiveSession::closing() const { return closing_line(report()); }

Report LiveSession::report(std::vector<int64_t>* times) const {
  if (times) *times = times_;
  Report report = without_results(engine_.report());
  report.add(counted_);
  Waivers waivers = engine_.options().waivers;
  for (const auto& [_, u] : unknown_) {
    if (!u.is_known()) continue;
    Finding f = u.size.finding();
    if (!u.to_change.empty()) f.cause += "; to change: " + u.to_change;
    const bool waived = waivers.waives(f);
    report.waived += waived, report.mismatched += !waived;
    if (waived) continue;
    report.findings.push_back(std::move(f));
    if (times) times->push_back(u.size.calls());
  }
  compiled.add_to(report, times, own_judged_, waivers);
  report.waivers = waivers.rows();
  report.coverage.add(engine_.fake_mode().coverage());
  return report;
}

LiveReport LiveSession::told(const std::string& input) const {
  LiveReport told;
  told.input = input;
  told.rank = rank_;
  told.report = report(&told.times);
  told.skipped = skipped_;
  told.subclasses = subclasses_;
  told.devices = devices.json();
  told.compiled = compiled.counts();
  told.gradients = gradients;
  return told;
}

}  // namespace ersatz::tools
