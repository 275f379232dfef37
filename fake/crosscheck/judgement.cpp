#include "fake/crosscheck/judgement.h"

#include "fake/crosscheck/judge.h"

#include "fake/crosscheck/cause.h"
#include "runtime/base/source_line.h"

namespace ersatz {
namespace {

constexpr size_t kMostCauses = 1000;  // maximum number of findings of a run that get a cause, because finding a cause
                                      // runs rules again

/// Makes the texts of a call's arguments, with their metadata before the call. An argument that shares a storage has
/// the suffix ` ~argN`.
class Speller {
 public:
  explicit Speller(std::span<const TensorMeta> before) : before_(before) {}

  std::string operator()(const Value& v) {
    if (v.is_tensor()) return spell(v.tensor_impl());
    if (v.kind() != Value::Kind::List) return to_string(v);
    std::string text = "[";
    for (const Value& item : v.as_list()) text += (text.size() > 1 ? ", " : "") + (*this)(item);
    return text + "]";
  }

 private:
  std::string spell(TensorImpl* t) {
    MetaText text;
    const size_t number = seen_.size();
    text.meta = number < before_.size() ? before_[number] : t->meta;
    for (size_t i = 0; i < number && text.alias.empty(); ++i) {
      if (seen_[i]->storage == t->storage) text.alias = fmt::format("arg{}", i);
    }
    seen_.push_back(t);
    return to_string(text);
  }

  std::span<const TensorMeta> before_;
  InlineVec<TensorImpl*, 4> seen_;
};

}  // namespace

std::vector<std::string> Judgement::spell_arguments() const {
  if (!case_.spelled.empty()) return case_.spelled;
  Speller spell(case_.has_real() ? std::span<const TensorMeta>(case_.observed.metas)
                                 : std::span<const TensorMeta>(case_.predicted.metas));
  std::vector<std::string> args;
  for (const Value& v : case_.has_real() ? case_.real_args : case_.fake_args) args.push_back(spell(v));
  return args;
}

void Judgement::mark(size_t k, Witness witness) {
  if (states[k].witness == Witness::None) states[k].witness = witness;
  states[k].mismatched = true;
}

void Judgement::add(int result, FindingField field, std::string predicted, std::string observed, Witness witness,
                    std::string verdict, std::string words) {
  Finding f;
  f.node = case_.site.node;
  f.op = case_.op.name;
  f.result = result;
  f.field = field;
  f.predicted = std::move(predicted);
  f.observed = std::move(observed);
  f.witness = witness;
  f.verdict = std::move(verdict);
  f.words = std::move(words);
  f.source = case_.site.source.empty() ? current_source_line() : case_.site.source;
  f.args = spell_arguments();
  if (check_.waives(f)) {
    ++waived;
    if (result >= 0 && static_cast<size_t>(result) < states.size()) states[static_cast<size_t>(result)].waived = true;
    return;
  }
  ++findings;
  if (result >= 0 && static_cast<size_t>(result) < states.size()) {
    mark(static_cast<size_t>(result), witness);
  } else {
    call_witness_ = witness;
  }
  if (report.findings.size() < kMostCauses) f.cause = cause_in_words(case_, f);
  if (case_.options.repro && case_.fake_args.size() == case_.op.schema.arguments.size()) {
    const FindingCall call{case_.op,
                           case_.has_real() ? case_.real_args : case_.fake_args,
                           case_.has_real() ? std::span<const TensorMeta>(case_.observed.metas)
                                            : std::span<const TensorMeta>(case_.predicted.metas),
                           case_.all_facts(),
                           case_.predicted.flat,
                           case_.observed.flat,
                           f};
    f.repro = case_.options.repro(call);
  }
  report.findings.push_back(std::move(f));
}

void Judgement::count_failed(SkipReason reason) {
  report.count_skipped(reason, case_.expected_results());
  for (int64_t k = 0; k < case_.expected_results(); ++k) counted.push_back({Counted::As::Skipped, reason});
  report.coverage.unchecked(case_.op, Check::Metadata, not_checked(reason), case_.expected_results());
}

void Judgement::count_mismatched(Witness witness) {
  const int64_t n = std::max<int64_t>(1, case_.expected_results());
  report.count_compared(witness, n, n);
  for (int64_t k = 0; k < n; ++k) counted.push_back({Counted::As::Mismatched});
}

void Judgement::tally() {
  const auto counts = [&](size_t k) { return case_.flat()[k].is_tensor() || is_comparable_value(case_.flat()[k]); };
  if (call_witness_ != Witness::None) {
    size_t first = 0;
    while (first < states.size() && !counts(first)) ++first;
    if (first < states.size()) mark(first, call_witness_);
  }
  for (size_t k = 0; k < states.size(); ++k) {
    Counted& one = counted.emplace_back();
    if (counts(k)) one = count_result(states[k]);
  }
  if (!case_.has_real()) return;
  const WatchedCall& watched = case_.watched;
  if (!watched.unwritten_unchecked && !watched.bounds_unchecked && !watched.inputs_unchecked) return;
  OpCoverage& row = report.coverage.row(case_.op);
  if (const auto reason = watched.unwritten_unchecked) row.add_unchecked(Check::Unwritten, *reason);
  if (const auto reason = watched.bounds_unchecked) row.add_unchecked(Check::OutOfBounds, *reason);
  if (const auto reason = watched.inputs_unchecked) row.add_unchecked(Check::UndeclaredWrite, *reason);
}

Counted Judgement::count_result(Result& s) {
  Counted one{s.mismatched ? Counted::As::Mismatched : Counted::As::Agreed, s.skip};
  report.values_compared += s.values_compared;
  if (s.on_device) {
    if (s.witness == Witness::None) s.witness = Witness::Device;
    // A result can have two sources of evidence: the CPU run, and the source with which its metadata were compared.
    if (s.witness != Witness::Device) ++report.witnesses[static_cast<size_t>(Witness::Device)];
  }
  if (s.witness == Witness::None) {
    one.as = Counted::As::Skipped;
    report.count_skipped(s.skip);
    report.coverage.unchecked(case_.op, Check::Metadata, not_checked(s.skip));
  } else {
    report.count_compared(s.witness, 1, s.mismatched);
    report.memory_formats += s.mismatched && s.format_differs;
    if (s.cosmetic != Cosmetic::No && !s.mismatched) {
      ++report.cosmetic;
      ++(s.cosmetic == Cosmetic::SizeOne ? report.size_one_only : report.empty_tensor);
    }
  }
  if (case_.op.tags.has(Tag::Random) && !s.values_compared) skip_values(SkipReason::Random);
  if (case_.site.tainted) skip_values(SkipReason::Tainted);
  return one;
}

void Judgement::skip_values(SkipReason reason) {
  ++report.skip_values(reason);
  report.coverage.unchecked(case_.op, Check::Values, not_checked(reason));
}

/// Changes the count of the call's first counted result to mismatched. If the call has no counted result, counts one
/// more.
void Judgement::count_call_mismatched() {
  Counted alone;
  Counted* first = &alone;
  for (size_t k = counted.size(); k-- > 0;) {
    if (counted[k].as != Counted::As::Uncounted) first = &counted[k];
  }
  report.count_mismatched(*first, call_witness_);
}

}  // namespace ersatz
