#include "tools/infer/recorded_prediction.h"

#include <algorithm>

#include "fake/outcome/compare.h"
#include "tools/infer/advice.h"
#include "tools/infer/alias_cause.h"
#include "tools/infer/prediction_cause.h"
#include "tracer/records/record_outcome.h"

namespace ersatz::tools {

namespace {

std::string tensor_words(const CallRecord& record, const RecordedTensor& t) {
  MetaText text;
  text.meta = t.meta;
  for (size_t k = 0; k < record.tensors.size() && text.alias.empty(); ++k) {
    if (record.tensors[k].storage == t.storage) text.alias = fmt::format("arg{}", k);
  }
  return to_string(text);
}

std::string argument_words(const CallRecord& record, const RecordedArgument& a) {
  const std::string name = a.name.empty() ? "" : a.name + "=";
  if (a.kind == RecordedArgument::Kind::Literal) return name + to_string(a.literal);
  if (a.kind == RecordedArgument::Kind::Tensor)
    return name + to_string(record.tensors[static_cast<size_t>(a.tensor)].meta);
  std::string items;
  for (const RecordedArgument& item : a.items) items += (items.empty() ? "" : ", ") + argument_words(record, item);
  return name + "[" + items + "]";
}

/// Compares the predicted and the observed outcome of a record.
class OutcomeComparison {
 public:
  OutcomeComparison(const CallRecord& record, const RecordedOutcome& predicted, bool any_device)
      : record_(record), schema_(record), predicted_(predicted), observed_(record.outcome), any_device_(any_device) {}

  std::vector<Finding> run() {
    Outcome mine = outcome_of(record_, predicted_);
    const Outcome theirs = outcome_of(record_, observed_);
    if (any_device_) {
      for (OutcomeLeaf& leaf : mine.results) leaf.open.add(MetaField::Device);
    }
    for (OutcomeLeaf& leaf : mine.after) leaf.open = kLazyBits;
    const OutcomeDiff differs = compare(mine, theirs, {.fields = kAllButRequiresGrad, .numbers = same_number});
    if (differs.error) {
      add(-1, FindingField::Error, outcome_words(predicted_.error), outcome_words(observed_.error), "significant");
      findings_.back().cause = error_cause();
      return std::move(findings_);
    }
    if (!predicted_.error.empty()) return {};
    if (differs.count) {
      add(-1, FindingField::Size, fmt::format("{} results", predicted_.results.size()),
          fmt::format("{} results", observed_.results.size()), "significant");
      return std::move(findings_);
    }
    std::vector<LeafDiff> results(theirs.results.size()), arguments(theirs.after.size());
    for (const OutcomeDiff::Leaf& leaf : differs.results) results[leaf.at] = leaf.diff;
    for (const OutcomeDiff::Leaf& leaf : differs.arguments) arguments[leaf.at] = leaf.diff;
    for (size_t k = 0; k < results.size(); ++k) result(static_cast<int>(k), results[k]);
    for (size_t i = 0; i < arguments.size(); ++i) write(i, arguments[i]);
    watched_memory();
    absorb();
    return std::move(findings_);
  }

  std::vector<std::pair<int, FindingField>> absorbed;

 private:
  static std::string outcome_words(const std::string& error) { return error.empty() ? "returns" : "raises " + error; }

  std::string error_cause() const {
    if (predicted_.error.empty()) {
      return with_sentence(fmt::format("the kernel refuses the call ({}), its fake takes it",
                                       observed_.message.empty() ? observed_.error : observed_.message),
                           "Let the fake kernel check the same, with torch._check(...)");
    }
    const std::string said = predicted_.message.empty() ? predicted_.error : predicted_.message;
    return observed_.error.empty()
               ? fmt::format("the fake refuses the call ({}), the kernel takes it", said)
               : fmt::format("both refuse the call, with errors of other classes: the fake {}", said);
  }

  void add(int result, FindingField field, std::string predicted, std::string observed, std::string verdict) {
    Finding f;
    f.node = record_.id, f.op = record_.op, f.result = result, f.field = field;
    f.predicted = std::move(predicted), f.observed = std::move(observed), f.verdict = std::move(verdict);
    f.witness = Witness::Eager;
    for (const RecordedArgument& a : record_.args) f.args.push_back(argument_words(record_, a));
    findings_.push_back(std::move(f));
  }

  void metadata(int result, const RecordedTensor& predicted, const RecordedTensor& observed, MetaFields differ) {
    TensorMeta mine = predicted.meta;
    if (any_device_) mine.device = observed.meta.device;
    const std::string said = to_string(mine), is = to_string(observed.meta);
    // Several differences in layout give only one finding. A difference in dtype is a finding of its own, so that it
    // does not hide a difference in size.
    bool laid_out = false;
    for (const MetaField f : differ) {
      const bool lazy_bit = kLazyBits.has(f), layout = !lazy_bit && f != MetaField::DType;
      if (layout && laid_out) continue;
      laid_out |= layout;
      add(result, field_of(f), said, is, "significant");
      if (lazy_bit) continue;
      const ResultPair pair{&record_, &predicted, &observed};
      findings_.back().cause = cause_of_difference(field_of(f), {&pair, 1}, {&pair, 1});
    }
  }

  /// A finding about a result's memory explains findings about that result's layout, and about a write to the argument
  /// that it shares memory with. These findings are moved to `absorbed`, so that the cause is reported once.
  void absorb() {
    const auto is_alias = [](const Finding& f) { return f.field == FindingField::Alias; };
    const std::vector<Finding> aliases = [&] {
      std::vector<Finding> found;
      std::copy_if(findings_.begin(), findings_.end(), std::back_inserter(found), is_alias);
      return found;
    }();
    std::erase_if(findings_, [&](const Finding& f) {
      const bool layout =
          f.field == FindingField::Stride || f.field == FindingField::Offset || f.field == FindingField::Size;
      for (const Finding& a : aliases) {
        const auto [argument, earlier, is] = memory_of(record_, observed_, static_cast<size_t>(a.result));
        const bool written = f.field == FindingField::UndeclaredWrite && argument >= 0 &&
                             f.predicted.starts_with(fmt::format("argument {} ", argument));
        const bool shares = argument < 0 && f.result == earlier;  // both results are views of one storage
        if (!written && !(layout && (f.result == a.result || shares))) continue;
        absorbed.emplace_back(a.result, f.field);
        return true;
      }
      return false;
    });
  }

  /// Compares two numbers if both are known. If the number depends on data, the prediction is a symbol and is not
  /// compared. Returns true if the numbers are equal or not compared.
  static std::optional<bool> same_number(const Value& predicted, const Value& observed) {
    const bool known = predicted.is_number() && !predicted.is_symbolic() && observed.is_number();
    return !known || to_string(predicted) == to_string(observed);
  }

  void result(int k, const LeafDiff& differs) {
    const auto at = static_cast<size_t>(k);
    const RecordedResult &p = predicted_.results[at], &o = observed_.results[at];
    const auto words = [](RecordedResult::Kind kind) {
      return kind == RecordedResult::Kind::Tensor ? "a tensor"
             : kind == RecordedResult::Kind::None ? "None"
                                                  : "a number";
    };
    if (differs.kind) {
      add(k, FindingField::DType, words(p.kind), words(o.kind), "significant");
      findings_.back().cause =
          fmt::format("the kernel returns {}, where the prediction is {}", words(o.kind), words(p.kind));
      return;
    }
    if (differs.number) add(k, FindingField::Value, to_string(p.number), to_string(o.number), "significant");
    if (o.kind != RecordedResult::Kind::Tensor) return;
    if (differs.meta.is_significant()) metadata(k, p.tensor, o.tensor, differs.meta.significant);
    const CallRecord* const call = &record_;
    const std::string mine = memory_words(memory_of(record_, predicted_, at)),
                      theirs = memory_words(memory_of(record_, observed_, at));
    if (differs.place) {
      add(k, FindingField::Alias, mine, theirs, "significant");
      findings_.back().cause = alias_cause({&call, 1}, {&call, 1}, at);
    } else if (memory_of(record_, observed_, at).argument >= 0 && !schema_.may_alias(at)) {
      // The kernel and the fake kernel agree, but both contradict the schema, which callers rely on.
      add(k, FindingField::Alias, "has storage of its own, as the schema says", theirs, "significant");
      findings_.back().witness = Witness::Declaration;
      findings_.back().cause = alias_cause({&call, 1}, {&call, 1}, at);
    }
  }

  const RecordedTensor* after(const RecordedOutcome& outcome, int argument) const {
    for (const auto& [k, t] : outcome.after) {
      if (k == argument) return &t;
    }
    return nullptr;
  }

  void write(size_t i, const LeafDiff& differs) {
    const int k = static_cast<int>(i);
    const RecordedTensor *p = after(predicted_, k), *o = after(observed_, k);
    const std::string of = fmt::format("argument {} ", k);
    const TensorMeta& before = record_.tensors[i].meta;
    const TensorMeta &mine = p ? p->meta : before, &theirs = o ? o->meta : before;
    if (differs.meta.is_significant()) {
      add(-1, FindingField::Mutation, of + "afterwards " + to_string(mine), of + "afterwards " + to_string(theirs),
          "significant");
    } else if (o && (schema_.known() ? !may_be_written(i) : !p)) {
      // If the argument shared its storage with an argument that the schema declares as written, the write would be
      // declared, because PyTorch counts versions by storage.
      add(-1, FindingField::UndeclaredWrite, of + "is left as it was", of + "is written: " + tensor_words(record_, *o),
          "significant");
      const std::string x = schema_.name(i);
      findings_.back().cause = with_sentence(
          fmt::format("the kernel writes {}, and the schema does not say so", x),
          fmt::format("Declare it, by mutates_args=(\"{0}\",) or Tensor(a!) {0}, or let the kernel work on "
                      "{0}.clone()",
                      x));
    }
  }

  bool may_be_written(size_t argument) const {
    for (size_t i = 0; i < record_.tensors.size(); ++i) {
      if (record_.tensors[i].storage == record_.tensors[argument].storage && schema_.is_written(i)) return true;
    }
    return false;
  }

  /// Reports elements of a written argument that still have the recorder's fill pattern, and writes outside of an
  /// argument's memory.
  void watched_memory() {
    for (const RecordedBytes& b : record_.unwritten) {
      if (b.untouched == 0) continue;
      add(b.argument, FindingField::Unwritten, "every element is written",
          fmt::format("{} of {} elements are not", b.untouched, b.of), "significant");
      findings_.back().cause = "they hold what memory was filled with before the call: the kernel leaves them out";
    }
    for (const RecordedBytes& b : record_.bytes) {
      const std::string of = fmt::format("argument {}: ", b.argument);
      if (b.filled && b.untouched > 0) {
        add(-1, FindingField::Unwritten, of + "every element is written",
            of + fmt::format("{} of {} elements are not", b.untouched, b.of), "significant");
      }
      if (b.beside > 0) {
        add(-1, FindingField::OutOfBounds, of + "no byte beside its elements changes",
            of + fmt::format("{} bytes of its storage do", b.beside), "significant");
      }
    }
  }

  const CallRecord& record_;
  const RecordedSchema schema_;
  const RecordedOutcome &predicted_, &observed_;
  const bool any_device_;
  std::vector<Finding> findings_;
};

}  // namespace

RecordJudgement judge_by_own_record(const CallRecord& record, bool cuda) {
  RecordJudgement judged;
  const std::optional<RecordedOutcome>& predicted = cuda ? record.cuda_fake : record.fake;
  if (!record.died.empty()) {
    Finding f;
    f.node = record.id, f.op = record.op, f.field = FindingField::Error;
    f.predicted = "ends", f.observed = "died of " + record.died, f.verdict = "crash";
    f.witness = Witness::Eager;
    for (const RecordedArgument& a : record.args) f.args.push_back(argument_words(record, a));
    judged.findings.push_back(std::move(f));
    judged.verdict = RecordJudgement::Verdict::Differs;
  } else if (!record.unusable.empty()) {
    judged.verdict = RecordJudgement::Verdict::Unusable;
    judged.why = fmt::format("{} of {}", record.unusable, record.unusable_of);
  } else if (!record.predicted) {
    judged.verdict = RecordJudgement::Verdict::NoPrediction;
    judged.why = "no prediction was recorded";
  } else if (predicted && predicted->refused) {
    judged.verdict = RecordJudgement::Verdict::NoPrediction;
    judged.why = predicted->message.empty() ? "the fake gives no answer" : "the fake raises " + predicted->message;
  } else {
    // A record without a separate prediction says that prediction and run are equal. The watched memory is still
    // checked.
    OutcomeComparison comparison(record, predicted ? *predicted : record.outcome, cuda);
    judged.findings = comparison.run();
    judged.absorbed = std::move(comparison.absorbed);
    if (!judged.findings.empty()) judged.verdict = RecordJudgement::Verdict::Differs;
  }
  return judged;
}

}  // namespace ersatz::tools
