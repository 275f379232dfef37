// For a call with complete evidence, compares everything that the other judge_* functions do not compare.
//
// A result that already has a finding is skipped here, because with a different layout its values would differ too.
#include "fake/crosscheck/judge.h"
#include "fake/crosscheck/made_nan.h"
#include "fake/crosscheck/value_compare.h"
#include "fake/outcome/compare.h"
#include "runtime/op/library_choice.h"

namespace ersatz {
namespace {

/// Returns the least precise dtype among the result and the inputs, because an f64 result of f32 inputs is only as
/// accurate as the inputs. If all inputs are integers, f32 counts as an input too.
DType computed_in(const CallCase& c, DType result) {
  if (!is_float(result) && !is_complex(result)) return result;
  DType coarsest = real_dtype(result);
  const auto take = [&](DType t) {
    if (tolerance_of(t, ComparedWith::Record).relative > tolerance_of(coarsest, ComparedWith::Record).relative)
      coarsest = real_dtype(t);
  };
  bool has_input = false, has_float = false;
  for (size_t i = 0; i < c.fake_args.size(); ++i) {
    const bool written = std::find(c.op.written.begin(), c.op.written.end(), i) != c.op.written.end();
    for_each_tensor(c.fake_args.subspan(i, 1), [&](const TensorImpl* t) {
      has_input |= !written;
      has_float |= !written && !is_integral(t->meta.dtype);
      take(t->meta.dtype);
    });
  }
  if (has_input && !has_float) take(DType::F32);
  return coarsest;
}

/// Returns whether a library may choose result number `result` among several right ones, and all results satisfy the
/// op's equation.
bool is_lawful_choice(const CallCase& c, int result, Tolerance tolerance) {
  const LibraryChoice* choice = result < 0 ? nullptr : library_choice(c.op.name);
  if (!choice || !(choice->free >> result & 1)) return false;
  return is_satisfied(*choice, c.real_args, c.flat(), tolerance.relative);
}

void judge_values(const CallCase& c, Judgement& j, int result, const Tensor& recorded, const Tensor& mine,
                  std::string_view what) {
  if (!c.has_real() || !recorded) return;
  if (c.evidence.random || c.evidence.uninitialized || c.tainted()) {
    ++j.values_skipped;
    return;
  }
  ++j.values_compared;
  if (result >= 0) j.states[static_cast<size_t>(result)].values_compared = true;
  Tolerance tolerance = tolerance_of(computed_in(c, mine.dtype()), ComparedWith::Record);
  tolerance.relative = std::max(tolerance.relative, c.op.tolerance);
  tolerance.any_nan = kFloat8s.has(mine.dtype()) && makes_its_nans(c);
  const auto difference = compare_values(mine, recorded, tolerance);
  if (!difference || is_lawful_choice(c, result, tolerance)) return;
  j.add(result, FindingField::Value, to_string(*difference), difference->expected, c.evidence.witness(), "significant",
        fmt::format("{} of {} differ", what, name(mine.dtype())));
}

/// Compares metadata and lazy bits. Returns true if they agree; otherwise adds a finding.
bool judge_recorded_meta(const CallCase& c, Judgement& j, int result, const TensorMeta& mine,
                         const TensorMeta& recorded, MetaFields open, std::optional<FindingField> field,
                         const std::string& words) {
  const auto found = [&](FindingField own, const std::string& predicted, const std::string& observed) {
    j.add(result, field.value_or(own), words + predicted, words + observed, c.evidence.witness());
    return false;
  };
  const CompareOptions options{.fields = kAllButRequiresGrad};
  const MetaFields differ = compare(leaf_of(mine, open), leaf_of(recorded), options).meta.significant;
  if (differ.empty()) return true;
  const MetaField f = differ.first();
  if (kStridedFields.has(f)) return found(field_of(f), to_string(mine), to_string(recorded));
  const auto bit = [f](const TensorMeta& m) { return fmt::format("{} {}", name(f), field_text(m, f)); };
  return found(field_of(f), bit(mine), bit(recorded));
}

void judge_identity(const CallCase& c, Judgement& j, size_t k) {
  const int same = c.places()[k].same_object;
  const int mine = same < static_cast<int>(c.arguments.size()) ? same : -1, recorded = c.facts(k).is;
  if (mine == recorded) return;
  const auto words = [](int argument) {
    return argument < 0 ? std::string("is no argument") : fmt::format("is argument {}", argument);
  };
  j.add(static_cast<int>(k), FindingField::Alias, words(mine), words(recorded), c.evidence.witness());
}

const TensorMeta* recorded_meta(const ResultFacts& f) { return f.eager ? &*f.eager : f.record ? &*f.record : nullptr; }

void judge_result(const CallCase& c, Judgement& j, size_t k) {
  const ResultFacts& f = c.facts(k);
  const Value& mine = c.flat()[k];
  const auto result = static_cast<int>(k);
  const Value* number = f.number ? &*f.number : f.recorded_number ? &*f.recorded_number : nullptr;
  const TensorMeta* recorded = recorded_meta(f);
  if (mine.is_tensor() != (recorded != nullptr) || mine.is_none() != (!recorded && !number)) {
    if (j.spoke_of(k)) return;
    j.add(result, FindingField::Size, to_string(mine),
          recorded ? to_string(*recorded)
          : number ? to_string(*number)
                   : "None",
          c.evidence.witness());
    return;
  }
  if (!recorded || j.spoke_of(k)) return;
  const TensorMeta& meta = mine.tensor_impl()->meta;
  const MetaFields open = j.states[k].unknown_layout ? MetaFields{MetaField::Stride, MetaField::Offset} : MetaFields();
  const bool same = judge_recorded_meta(c, j, result, meta, *recorded, open, std::nullopt, "");
  judge_identity(c, j, k);
  if (same) judge_values(c, j, result, f.values, mine.tensor(), "values");
}

/// Compares which results share a storage with each other. judge_aliases compares sharing with arguments.
void judge_sharing(const CallCase& c, Judgement& j) {
  const auto is_tensor = [&](size_t k) { return c.flat()[k].is_tensor() && recorded_meta(c.facts(k)); };
  for (size_t k = 1; k < c.flat().size(); ++k) {
    if (!is_tensor(k) || j.spoke_of(k)) continue;
    for (size_t i = 0; i < k; ++i) {
      if (!is_tensor(i)) continue;
      const bool recorded = c.facts(i).storage == c.facts(k).storage;
      const bool mine = c.flat()[i].tensor_impl()->storage == c.flat()[k].tensor_impl()->storage;
      if (mine == recorded) continue;
      const auto words = [&](bool shares) {
        return fmt::format("{} the storage of result {}", shares ? "shares" : "does not share", i);
      };
      j.add(static_cast<int>(k), FindingField::Alias, words(mine), words(recorded), c.evidence.witness());
      break;
    }
  }
}

TensorImpl* argument(const CallCase& c, size_t i) { return c.has_real() ? c.arguments[i].real : c.arguments[i].fake; }

void judge_argument_storage(const CallCase& c, Judgement& j, size_t k) {
  for (size_t i = 0; i < c.arguments.size(); ++i) {
    if (i == k) continue;
    const bool recorded = c.evidence.arguments[k].storage == c.evidence.arguments[i].storage;
    const bool mine = argument(c, k)->storage == argument(c, i)->storage;
    if (mine == recorded) continue;
    const auto words = [&](bool shares) {
      return fmt::format("argument {} {} the storage of argument {}", k, shares ? "shares" : "does not share", i);
    };
    j.add(-1, FindingField::Mutation, words(mine), words(recorded), c.evidence.witness());
    return;
  }
}

/// Adds a finding if an argument's values changed in the call, but not in the recorded run.
void judge_untouched(const CallCase& c, Judgement& j, size_t k, const Tensor& recorded, const Tensor& mine) {
  if (!c.has_real() || !recorded || c.evidence.random || c.evidence.uninitialized || c.tainted()) return;
  const auto difference = compare_values(mine, recorded, {});
  if (!difference) return;
  j.add(-1, FindingField::Mutation, fmt::format("argument {} changes: {}", k, to_string(*difference)),
        fmt::format("argument {} keeps its values", k), c.evidence.witness());
}

}  // namespace

void judge_evidence(const CallCase& c, Judgement& j) {
  const Evidence& t = c.evidence;
  if (t.error || c.no_kernel) return;  // judge_errors has judged the call
  if (c.flat().size() != t.results.size()) {
    j.add(-1, FindingField::Size, fmt::format("{} results", c.flat().size()),
          fmt::format("{} results", t.results.size()), t.witness());
  } else {
    for (size_t k = 0; k < t.results.size(); ++k) judge_result(c, j, k);
    judge_sharing(c, j);
  }
  if (j.spoke_of_call()) return;
  for (size_t k = 0; k < std::min(t.arguments.size(), c.arguments.size()); ++k) {
    const ArgumentFacts& f = t.arguments[k];
    if (f.is_result) continue;
    const Tensor mine{Ref<TensorImpl>(argument(c, k))};
    const std::string words = fmt::format("argument {} becomes ", k);
    if (!judge_recorded_meta(c, j, -1, mine.meta(), f.meta, {}, FindingField::Mutation, words)) continue;
    judge_argument_storage(c, j, k);
    if (f.changed) {
      judge_values(c, j, -1, f.values, mine, "values of a written argument");
    } else {
      judge_untouched(c, j, k, f.values, mine);
    }
  }
}

}  // namespace ersatz
