// The outcome of a replayed call, against its record: results, values, arguments afterwards.
#include <algorithm>

#include "runtime/op/dispatch.h"
#include "tools/calls/replayed_call.h"
#include "tracer/records/recorded_values.h"

namespace ersatz::tools {

using Kind = RecordedResult::Kind;

bool ReplayedCall::judged_by_engine(int result) const {
  const auto& findings = answer_.findings;
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& f) { return f.result == result || f.result < 0; });
}

void ReplayedCall::judge_results(bool tainted) {
  const auto& recorded = expected_->results;
  if (results_.size() != recorded.size()) {
    add_finding(-1, FindingField::Size, fmt::format("{} results", results_.size()),
                fmt::format("{} results", recorded.size()));
    return;
  }
  for (size_t k = 0; k < recorded.size(); ++k) {
    const auto number = static_cast<int>(k);
    const RecordedResult& r = recorded[k];
    const Value& v = results_[k];
    const bool same_kind = r.kind == Kind::Tensor   ? v.is_tensor()
                           : r.kind == Kind::Number ? v.is_number()
                                                    : v.is_none();
    if (!same_kind) {
      if (!judged_by_engine(number)) add_finding(number, FindingField::Size, to_string(v), text_of(r));
    } else if (r.kind == Kind::Tensor) {
      judge_tensor(number, r.tensor, tainted);
    } else if (r.kind == Kind::Number && op_.schema.returns.size() == 1 &&
               op_.schema.returns[0].type.base == BaseType::ScalarType && !(v == r.number)) {
      add_finding(number, FindingField::DType, to_string(v), to_string(r.number));
    }
  }
  judge_sharing();
}

std::string ReplayedCall::text_of(const RecordedResult& r) {
  return r.kind == Kind::Tensor ? to_string(r.tensor.meta) : r.kind == Kind::Number ? to_string(r.number) : "None";
}

void ReplayedCall::judge_tensor(int k, const RecordedTensor& recorded, bool tainted) {
  const Tensor actual = results_[static_cast<size_t>(k)].tensor();
  const TensorMeta expected = expected_meta(recorded);
  const bool known = judged_by_engine(k);
  bool same = !known;
  if (!known) {
    same = judge_meta(k, FindingField::Size, actual.meta(), expected, "");
    judge_identity(k, recorded, actual);
  }
  if (recorded.has_values && same) judge_values(k, recorded, actual, tainted, "values");
}

bool ReplayedCall::judge_meta(int k, FindingField field, const TensorMeta& actual, const TensorMeta& expected,
                              const std::string& words) {
  const MetaDifference d = same_metadata(actual, expected);
  const bool own = field == FindingField::Size;
  if (d.verdict == MetaVerdict::Significant) {
    add_finding(k, own ? field_of(d.field) : field, words + to_string(actual), words + to_string(expected));
    return false;
  }
  for (const auto& [mine, theirs, bit] : {std::tuple(actual.conj, expected.conj, FindingField::Conj),
                                          std::tuple(actual.neg, expected.neg, FindingField::Neg)}) {
    if (mine == theirs) continue;
    add_finding(k, own ? bit : field, fmt::format("{}{} {}", words, name(bit), mine),
                fmt::format("{}{} {}", words, name(bit), theirs));
    return false;
  }
  return true;
}

int ReplayedCall::argument_that_is(const Tensor& t) const {
  const auto& args = arguments();
  for (size_t k = 0; k < args.size(); ++k) {
    if (args[k].is(t)) return static_cast<int>(k);
  }
  return -1;
}

void ReplayedCall::judge_identity(int k, const RecordedTensor& recorded, const Tensor& actual) {
  const int mine = argument_that_is(actual);
  if (mine == recorded.is) return;
  const auto words = [](int argument) {
    return argument < 0 ? std::string("is no argument") : fmt::format("is argument {}", argument);
  };
  add_finding(k, FindingField::Alias, words(mine), words(recorded.is));
}

void ReplayedCall::judge_sharing() {
  const auto& recorded = expected_->results;
  for (size_t k = 1; k < recorded.size(); ++k) {
    if (recorded[k].kind != Kind::Tensor || judged_by_engine(static_cast<int>(k))) continue;
    for (size_t j = 0; j < k; ++j) {
      if (recorded[j].kind != Kind::Tensor) continue;
      const bool theirs = recorded[j].tensor.storage == recorded[k].tensor.storage;
      const bool mine = results_[j].tensor().shares_storage(results_[k].tensor());
      if (mine == theirs) continue;
      const auto words = [&](bool shares) {
        return fmt::format("{} the storage of result {}", shares ? "shares" : "does not share", j);
      };
      add_finding(static_cast<int>(k), FindingField::Alias, words(mine), words(theirs));
      break;
    }
  }
}

void ReplayedCall::judge_values(int k, const RecordedTensor& recorded, const Tensor& actual, bool tainted,
                                const std::string& what) {
  if (options_.no_real || recorded.values.empty()) return;
  if (record_.random || record_.uninit || tainted) {
    ++answer_.values_skipped;
    return;
  }
  ++answer_.values_compared;
  Tolerance tolerance = record_tolerance_of(computed_in(actual.dtype()));
  tolerance.relative = std::max(tolerance.relative, op_.tolerance);
  const auto difference = compare_values(actual, recorded_values(recorded, actual.meta()), tolerance);
  if (!difference) return;
  add_finding(k, FindingField::Value, to_string(*difference), difference->expected,
              fmt::format("{} of {} differ", what, name(actual.dtype())));
}

DType ReplayedCall::computed_in(DType result) const {
  if (!is_float(result) && !is_complex(result)) return result;
  DType coarsest = real_dtype(result);
  const auto take = [&](DType t) {
    if (record_tolerance_of(t).relative > record_tolerance_of(coarsest).relative) coarsest = real_dtype(t);
  };
  bool has_input = false, has_float = false;
  size_t position = 0;
  for (const Value& v : fake_args_) {
    const auto written = std::find(op_.written.begin(), op_.written.end(), position++) != op_.written.end();
    for_each_tensor(std::span(&v, 1), [&](const TensorImpl* t) {
      has_input |= !written;
      has_float |= !written && !is_integral(t->meta.dtype);
      take(t->meta.dtype);
    });
  }
  if (has_input && !has_float) take(DType::F32);
  return coarsest;
}

const RecordedTensor* ReplayedCall::after(size_t argument) const {
  for (const auto& [k, t] : expected_->after) {
    if (static_cast<size_t>(k) == argument) return &t;
  }
  return nullptr;
}

const RecordedTensor* ReplayedCall::returned(size_t argument) const {
  for (const RecordedResult& r : expected_->results) {
    if (r.kind == Kind::Tensor && r.tensor.is == static_cast<int>(argument)) return &r.tensor;
  }
  return nullptr;
}

namespace {

bool says_the_same(const RecordedTensor& a, const RecordedTensor& b) {
  return a.meta == b.meta && a.storage == b.storage && a.has_values == b.has_values && a.values == b.values;
}

}  // namespace

void ReplayedCall::judge_arguments(bool tainted) {
  const auto& args = arguments();
  const bool engine_spoke = judged_by_engine(-1);
  for (size_t k = 0; k < args.size(); ++k) {
    if (flat_of_[k] < 0) continue;
    const RecordedTensor* changed = after(k);
    // What was judged as a result is judged again only where the record says something else of the argument.
    const RecordedTensor* result = returned(k);
    if (result && (!changed || says_the_same(*changed, *result))) continue;
    const RecordedTensor& recorded = changed ? *changed : record_.tensors[k];
    const std::string words = fmt::format("argument {} becomes ", k);
    if (engine_spoke || !judge_meta(-1, FindingField::Mutation, args[k].meta(), expected_meta(recorded), words))
      continue;
    judge_argument_storage(k, recorded);
    if (!recorded.has_values) continue;
    if (changed) {
      judge_values(-1, recorded, args[k], tainted, "values of a written argument");
    } else {
      judge_untouched(k, tainted);
    }
  }
}

/// Absent from `after`: neither written nor changed. Where the record has no values, the run here had others.
void ReplayedCall::judge_untouched(size_t k, bool tainted) {
  if (options_.no_real || record_.random || record_.uninit || tainted) return;
  const Tensor& t = reals_[k];
  const auto difference = compare_values(t, recorded_values(record_.tensors[k], t.meta()), {});
  if (!difference) return;
  add_finding(-1, FindingField::Mutation, fmt::format("argument {} changes: {}", k, to_string(*difference)),
              fmt::format("argument {} keeps its values", k));
}

void ReplayedCall::judge_argument_storage(size_t k, const RecordedTensor& recorded) {
  const auto& args = arguments();
  for (size_t j = 0; j < args.size(); ++j) {
    if (j == k || flat_of_[j] < 0) continue;
    const bool theirs = recorded.storage == storage_after(j);
    const bool mine = args[k].shares_storage(args[j]);
    if (mine == theirs) continue;
    const auto words = [&](bool shares) {
      return fmt::format("argument {} {} the storage of argument {}", k, shares ? "shares" : "does not share", j);
    };
    add_finding(-1, FindingField::Mutation, words(mine), words(theirs));
    return;
  }
}

}  // namespace ersatz::tools
