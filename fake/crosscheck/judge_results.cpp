// Compares the metadata, numbers and flags of a call's results with their evidence.
#include <algorithm>
#include <cmath>

#include "fake/crosscheck/judge.h"
#include "fake/outcome/compare.h"

namespace ersatz {

bool is_comparable_value(const Value& v) { return v.is_number() || v.kind() == Value::Kind::DType; }

bool equal_numbers(const Value& a, const Value& b) {
  if (a.kind() == Value::Kind::DType && b.kind() == Value::Kind::Int) {  // a record stores a dtype as ATen's number
    Value dtype = b;
    return convert_value(SchemaType{BaseType::ScalarType, {}}, dtype) && a == dtype;
  }
  if (a.kind() != Value::Kind::Float || b.kind() != Value::Kind::Float) return a == b;
  const double x = a.as_double(), y = b.as_double();
  return a == b || std::abs(x - y) <= 1e-4 * std::max(std::abs(x), std::abs(y));  // allows for f32 sums in another
                                                                                  // order
}

namespace {

std::string spell(const CallCase& c, size_t k, const TensorMeta& meta) {
  const auto mine = [&](std::span<const Value> flat, const AliasMap& places) {
    return k < flat.size() && k < places.size() && flat[k].is_tensor() && &flat[k].tensor_impl()->meta == &meta;
  };
  if (mine(c.predicted.flat, c.predicted.places))
    return spell_with_alias(c.predicted.places[k], c.arguments.size(), meta);
  if (mine(c.observed.flat, c.observed.places)) return spell_with_alias(c.observed.places[k], c.arguments.size(), meta);
  return to_string(meta);
}

/// Returns the fields of result k that are not compared with the evidence. They are stride and offset if only a library
/// decides the layout, and stride if the options switch strides off.
MetaFields open_fields(const CallCase& c, Judgement& j, size_t k, const MetaDiff& differs, Witness witness) {
  if (differs.significant.has(MetaField::Size)) return {};
  if (j.states[k].unknown_layout) {
    j.states[k].adopts_observed = witness == Witness::Kernel;  // the fake takes over the kernel's layout
    return {MetaField::Stride, MetaField::Offset};
  }
  if (c.options.strides) return {};
  if (differs.all().has(MetaField::Stride)) {
    j.report.coverage.unchecked(c.op, Check::Strides, NotChecked::SwitchedOff);
  }
  return {MetaField::Stride};
}

void note_cosmetic(const CallCase& c, Judgement& j, size_t k, const TensorMeta& predicted, const TensorMeta& truth,
                   Witness witness, const FormatVerdict& format, std::string words) {
  Report& report = j.report;
  j.states[k].cosmetic = cosmetic_kind(truth);
  if (format.ambiguous) {
    ++report.ambiguous_layouts;
    if (report.ambiguous.size() < Report::kMostAmbiguous) {
      report.ambiguous.push_back({std::string(c.site.node), c.op.name, static_cast<int>(k), to_string(predicted),
                                  to_string(truth), why_ambiguous(format, truth)});
    }
  }
  if (!c.options.cosmetic_fails) return;
  j.add(static_cast<int>(k), FindingField::Stride, spell(c, k, predicted), spell(c, k, truth), witness,
        std::string(name(j.states[k].cosmetic)), std::move(words));
}

void judge_meta(const CallCase& c, Judgement& j, size_t k, const TensorMeta& predicted, const TensorMeta& truth,
                Witness witness) {
  j.states[k].witness = witness;
  const MetaDiff all = compare(leaf_of(predicted), leaf_of(truth)).meta;
  if (all.is_equal()) [[likely]]
    return;
  const MetaDiff differs = all.without(open_fields(c, j, k, all, witness));
  const FormatVerdict format =
      differs.all().has(MetaField::Stride) ? compare_formats(predicted, truth) : FormatVerdict();
  // Each field that differs is a separate finding.
  for (const MetaField f : differs.significant) {
    std::string words = words_for(f, predicted, truth);
    if (f == MetaField::Stride && format.differ()) {
      j.states[k].format_differs = true;
      words += fmt::format(" Memory formats are {} and {}.", name(format.predicted), name(format.truth));
    }
    j.add(static_cast<int>(k), field_of(f), spell(c, k, predicted), spell(c, k, truth), witness, "significant",
          std::move(words));
  }
  if (!differs.cosmetic.empty())
    note_cosmetic(c, j, k, predicted, truth, witness, format, words_for(MetaField::Stride, predicted, truth));
}

void judge_tensor(const CallCase& c, Judgement& j, size_t k) {
  const ResultFacts& f = c.facts(k);
  const Value* real = c.has_real() ? &c.observed.flat[k] : nullptr;
  const bool predicted = !c.predicted.error && k < c.predicted.flat.size();
  Witness witness = Witness::None;
  const TensorMeta* truth = outside_truth(f, witness);
  const TensorMeta* kernel = real && c.watched.own_results ? &real->tensor_impl()->meta : nullptr;
  if (kernel && witness != Witness::Eager) {
    truth = kernel;
    witness = Witness::Kernel;
  }
  if (!predicted) {
    // Without a prediction, only a result that the kernel allocated can be compared with the metadata of an eager run.
    j.states[k].skip = j.unpredicted;
    if (kernel && witness == Witness::Eager) judge_meta(c, j, k, *kernel, *truth, witness);
    return;
  }
  if (!c.predicted.flat[k].is_tensor()) {
    j.add(static_cast<int>(k), FindingField::Size, to_string(c.predicted.flat[k]), to_string(*real), Witness::Kernel,
          "mismatched number of tensor outputs", "mismatched number of tensor outputs");
    return;
  }
  if (!truth) return;
  if (k < j.follows.size() && j.follows[k]) {
    j.states[k].witness = witness;
    j.states[k].adopts_observed = true;
    return;
  }
  const TensorMeta& prediction = c.predicted.flat[k].tensor_impl()->meta;
  judge_meta(c, j, k, prediction, *truth, witness);
  if (witness != Witness::Eager) return;
  if (kernel && compare(leaf_of(*kernel), leaf_of(*truth)).is_significant() && !j.states[k].mismatched)
    judge_meta(c, j, k, *kernel, *truth, witness);
  const MetaDiff record = f.record ? compare(leaf_of(*f.record), leaf_of(*truth)).meta : MetaDiff();
  if (record.is_significant() && !j.states[k].mismatched && !f.record->is_symbolic()) {
    j.report.record_wrong.push_back({std::string(c.site.node), c.op.name, static_cast<int>(k),
                                     field_of(record.significant.first()), to_string(*f.record), to_string(*truth)});
  }
}

void judge_number(const CallCase& c, Judgement& j, size_t k) {
  const bool in_fake = !c.predicted.error && k < c.predicted.flat.size();
  if (in_fake && c.predicted.flat[k].is_tensor()) {
    j.add(static_cast<int>(k), FindingField::Size, to_string(c.predicted.flat[k]), to_string(c.flat()[k]),
          Witness::Kernel, "mismatched number of tensor outputs", "mismatched number of tensor outputs");
    return;
  }
  const bool predicted = in_fake && !c.answer.fell_back;
  const Value mine = c.flat()[k];
  if (!predicted) j.states[k].skip = c.answer.fell_back ? SkipReason::DataDependent : j.unpredicted;
  const auto judge = [&](const Value& prediction, const Value& truth, Witness witness) {
    j.states[k].witness = witness;
    if (!compare(leaf_of(prediction), leaf_of(truth), {.numbers = equal_numbers}).number) return;
    const FindingField field = prediction.kind() == truth.kind() ? FindingField::Value : FindingField::DType;
    j.add(static_cast<int>(k), field, to_string(prediction), to_string(truth), witness);
  };
  if (c.facts(k).number) {
    judge(mine, *c.facts(k).number, Witness::Eager);
  } else if (predicted && c.has_real() && c.watched.own_results) {
    judge(c.predicted.flat[k], c.observed.flat[k], Witness::Kernel);
  } else if (c.facts(k).recorded_number) {
    judge(mine, *c.facts(k).recorded_number, Witness::Record);
  }
}

/// Compares the conj and neg bits and requires_grad. Skips results of a fallback, because its synthetic inputs do not
/// require gradients.
void judge_flags(const CallCase& c, Judgement& j, size_t k) {
  if (!c.has_real() || c.predicted.error || c.answer.fell_back || k >= c.predicted.flat.size() ||
      !c.predicted.flat[k].is_tensor())
    return;
  const OutcomeLeaf predicted = leaf_of(c.predicted.flat[k]), observed = leaf_of(c.observed.flat[k]);
  const TensorMeta &p = *predicted.meta, &r = *observed.meta;
  const MetaFields bits = kLazyBits | MetaFields{MetaField::RequiresGrad};
  for (const MetaField f : compare(predicted, observed, {.fields = bits}).meta.significant)
    j.add(static_cast<int>(k), field_of(f), to_string(p), to_string(r), Witness::Kernel, "significant",
          words_for(f, p, r));
}

void judge_counts(const CallCase& c, Judgement& j) {
  if (!c.has_real() || c.predicted.error || c.predicted.flat.size() == c.observed.flat.size()) return;
  j.add(-1, FindingField::Size, fmt::format("{} results", c.predicted.flat.size()),
        fmt::format("{} results", c.observed.flat.size()), Witness::Kernel, "mismatch in number of returns",
        fmt::format("mismatch in number of returns: {} and {}", c.predicted.flat.size(), c.observed.flat.size()));
}

void note_unknown_layouts(const CallCase& c, Judgement& j) {
  if (c.predicted.error) return;
  const auto& outputs = c.answer.rule.outputs;
  for (size_t k = 0; k < j.states.size(); ++k) {
    j.states[k].unknown_layout = c.answer.unknown_body_layouts > 0 || (k < outputs.size() && outputs[k].unknown_layout);
  }
}

}  // namespace

void judge_results(const CallCase& c, Judgement& j) {
  judge_counts(c, j);
  if (c.op.tags.has(Tag::LayoutByLibrary)) note_unknown_layouts(c, j);
  for (size_t k = 0; k < j.states.size(); ++k) {
    const Value& v = c.flat()[k];
    if (v.is_tensor()) {
      judge_tensor(c, j, k);
      judge_flags(c, j, k);
    }
    if (is_comparable_value(v)) judge_number(c, j, k);
  }
}

void learn_layouts(const CallCase& c, Judgement& j) {
  if (!c.watched.own_results) return;
  for (size_t k = 0; k < j.states.size(); ++k) {
    if (!j.states[k].unknown_layout || !c.observed.flat[k].is_tensor()) continue;
    const TensorMeta& meta = c.observed.flat[k].tensor_impl()->meta;
    if (!meta.device.is_cuda() || c.may_change_metas()) continue;
    j.report.layouts.push_back(
        {c.op.name, static_cast<int>(k), rule_context().backend, meta.strides, layout_situation(c.real_args)});
  }
}

}  // namespace ersatz
