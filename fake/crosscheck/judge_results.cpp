// The results of a checked call against their witnesses: metadata, numbers, flags.
#include <algorithm>
#include <cmath>

#include "fake/crosscheck/checked_call.h"

namespace ersatz {

void CheckedCall::judge_counts() {
  if (!has_real() || fake_error_ || fake_flat_.size() == real_flat_.size()) return;
  add_finding(-1, FindingField::Size, fmt::format("{} results", fake_flat_.size()),
              fmt::format("{} results", real_flat_.size()), Witness::Kernel, "mismatch in number of returns",
              fmt::format("mismatch in number of returns: {} and {}", fake_flat_.size(), real_flat_.size()));
}

std::string CheckedCall::spell(size_t k, const TensorMeta& meta) const {
  const auto mine = [&](std::span<const Value> flat, const AliasMap& places) {
    return k < flat.size() && k < places.size() && flat[k].is_tensor() && &flat[k].tensor_impl()->meta == &meta;
  };
  if (mine(fake_flat_, fake_places_)) return spell_with_alias(fake_places_[k], arguments_.size(), meta);
  if (mine(real_flat_, real_places_)) return spell_with_alias(real_places_[k], arguments_.size(), meta);
  return to_string(meta);
}

TensorMeta CheckedCall::compared_part(size_t k, const TensorMeta& predicted, const TensorMeta& truth, Witness witness) {
  TensorMeta part = predicted;
  if (!sym_eq(predicted.sizes, truth.sizes)) return part;
  if (states_[k].unknown_layout) {
    states_[k].takes_real = witness == Witness::Kernel;  // the kernel's answer stands
    part.strides = truth.strides;
    part.offset = truth.offset;
  } else if (!check_.options_.strides) {
    if (same_metadata(predicted, truth).field == MetaField::Stride)
      check_.report_.coverage.unchecked(op_, Check::Strides, NotChecked::SwitchedOff);
    part.strides = truth.strides;
  }
  return part;
}

namespace {
/// Sizes that differ make strides and offset meaningless.
void take_field(TensorMeta& to, MetaField field, const TensorMeta& truth) {
  const bool size = field == MetaField::Size;
  if (field == MetaField::DType) to.dtype = truth.dtype;
  if (field == MetaField::Device) to.device = truth.device;
  if (size) to.sizes = truth.sizes;
  if (size || field == MetaField::Stride) to.strides = truth.strides;
  if (size || field == MetaField::Offset) to.offset = truth.offset;
}
}  // namespace

void CheckedCall::note_cosmetic(size_t k, const TensorMeta& predicted, const TensorMeta& truth, Witness witness,
                                const FormatVerdict& format, std::string words) {
  Report& report = check_.report_;
  states_[k].cosmetic = cosmetic_kind(truth);
  if (format.ambiguous) {
    ++report.ambiguous_layouts;
    if (report.ambiguous.size() < Report::kMostAmbiguous) {
      report.ambiguous.push_back({std::string(site_.node), op_.name, static_cast<int>(k), to_string(predicted),
                                  to_string(truth), why_ambiguous(format, truth)});
    }
  }
  if (!check_.options_.cosmetic_fails) return;
  add_finding(static_cast<int>(k), FindingField::Stride, spell(k, predicted), spell(k, truth), witness,
              std::string(name(states_[k].cosmetic)), std::move(words));
}

void CheckedCall::compare_meta(size_t k, const TensorMeta& predicted, const TensorMeta& truth, Witness witness) {
  states_[k].witness = witness;
  if (same_metadata(predicted, truth).verdict == MetaVerdict::Equal) [[likely]]
    return;
  TensorMeta rest = compared_part(k, predicted, truth, witness);
  const FormatVerdict format = sym_eq(predicted.sizes, truth.sizes) ? compare_formats(rest, truth) : FormatVerdict();
  // Each field that differs is a finding of its own.
  for (MetaDifference d = same_metadata(rest, truth); d.verdict != MetaVerdict::Equal; d = same_metadata(rest, truth)) {
    std::string words = words_for(d.field, rest, truth);
    if (d.verdict == MetaVerdict::Cosmetic)
      return note_cosmetic(k, predicted, truth, witness, format, std::move(words));
    if (d.field == MetaField::Stride && format.differ()) {
      states_[k].format_differs = true;
      words += fmt::format(" Memory formats are {} and {}.", name(format.predicted), name(format.truth));
    }
    add_finding(static_cast<int>(k), field_of(d.field), spell(k, predicted), spell(k, truth), witness, "significant",
                std::move(words));
    take_field(rest, d.field, truth);
  }
}

void CheckedCall::judge_tensor(size_t k) {
  const ResultFacts& f = facts(k);
  const Value* real = has_real() ? &real_flat_[k] : nullptr;
  const bool predicted = !fake_error_ && k < fake_flat_.size();
  Witness witness = Witness::None;
  const TensorMeta* truth = outside_truth(f, witness);
  const TensorMeta* kernel = real && real_run_.own_results ? &real->tensor_impl()->meta : nullptr;
  if (kernel && witness != Witness::Eager) {
    truth = kernel;
    witness = Witness::Kernel;
  }
  if (!predicted) {
    // The fake side could not tell. Only what the kernel itself made can be held against an eager fact.
    states_[k].skip = unpredicted_;
    if (kernel && witness == Witness::Eager) compare_meta(k, *kernel, *truth, witness);
    return;
  }
  if (!fake_flat_[k].is_tensor()) {
    add_finding(static_cast<int>(k), FindingField::Size, to_string(fake_flat_[k]), to_string(*real), Witness::Kernel,
                "mismatched number of tensor outputs", "mismatched number of tensor outputs");
    return;
  }
  if (!truth) return;
  if (k < follows_.size() && follows_[k]) {
    states_[k].witness = witness;
    states_[k].takes_real = true;
    return;
  }
  const TensorMeta& prediction = fake_flat_[k].tensor_impl()->meta;
  compare_meta(k, prediction, *truth, witness);
  if (witness != Witness::Eager) return;
  if (kernel && same_metadata(*kernel, *truth).verdict == MetaVerdict::Significant && !states_[k].mismatched) {
    compare_meta(k, *kernel, *truth, witness);
  }
  const MetaDifference record = f.record ? same_metadata(*f.record, *truth) : MetaDifference();
  if (record.verdict == MetaVerdict::Significant && !states_[k].mismatched && !f.record->is_symbolic()) {
    check_.report_.record_wrong.push_back({std::string(site_.node), op_.name, static_cast<int>(k),
                                           field_of(record.field), to_string(*f.record), to_string(*truth)});
  }
}

bool CheckedCall::equal_numbers(const Value& a, const Value& b) {
  if (a.kind() != Value::Kind::Float || b.kind() != Value::Kind::Float) return a == b;
  const double x = a.as_double(), y = b.as_double();
  return a == b || std::abs(x - y) <= 1e-4 * std::max(std::abs(x), std::abs(y));  // f32 sums in another order
}

void CheckedCall::judge_number(size_t k) {
  const bool in_fake = !fake_error_ && k < fake_flat_.size();
  if (in_fake && fake_flat_[k].is_tensor()) {
    add_finding(static_cast<int>(k), FindingField::Size, to_string(fake_flat_[k]), to_string(flat()[k]),
                Witness::Kernel, "mismatched number of tensor outputs", "mismatched number of tensor outputs");
    return;
  }
  const bool predicted = in_fake && !answer_.fell_back;
  const Value mine = flat()[k];
  if (!predicted) states_[k].skip = answer_.fell_back ? SkipReason::DataDependent : unpredicted_;
  const auto compare = [&](const Value& prediction, const Value& truth, Witness witness) {
    states_[k].witness = witness;
    if (equal_numbers(prediction, truth)) return;
    const FindingField field = prediction.kind() == truth.kind() ? FindingField::Value : FindingField::DType;
    add_finding(static_cast<int>(k), field, to_string(prediction), to_string(truth), witness);
  };
  if (facts(k).number) {
    compare(mine, *facts(k).number, Witness::Eager);
  } else if (predicted && has_real() && real_run_.own_results) {
    compare(fake_flat_[k], real_flat_[k], Witness::Kernel);
  } else if (facts(k).recorded_number) {
    compare(mine, *facts(k).recorded_number, Witness::Record);
  }
}

/// Bits that no layout shows. Made-up inputs need no gradient, so a fallback's results say nothing of it.
void CheckedCall::judge_flags(size_t k) {
  if (!has_real() || fake_error_ || answer_.fell_back || k >= fake_flat_.size() || !fake_flat_[k].is_tensor()) return;
  const TensorMeta &p = fake_flat_[k].tensor_impl()->meta, &r = real_flat_[k].tensor_impl()->meta;
  const auto compare = [&](bool mine, bool real, FindingField field, const char* words) {
    if (mine == real) [[likely]]
      return;
    add_finding(static_cast<int>(k), field, to_string(p), to_string(r), Witness::Kernel, "significant",
                fmt::format(fmt::runtime(words), mine, real));
  };
  compare(p.conj, r.conj, FindingField::Conj, "Conj mismatch! is_conj is set to {} and {}");
  compare(p.neg, r.neg, FindingField::Neg, "Neg mismatch! is_neg is set to {} and {}");
  compare(
      p.requires_grad, r.requires_grad, FindingField::RequiresGrad,
      "mismatched requires_grad-ness of outputs: {} and {}: this usually means that autograd was added at the wrong "
      "level: below the mode, or in the kernel");
}

void CheckedCall::note_unknown_layouts() {
  if (fake_error_) return;
  const auto& outputs = answer_.rule.outputs;
  for (size_t k = 0; k < states_.size(); ++k) {
    states_[k].unknown_layout = answer_.layouts_untold > 0 || (k < outputs.size() && outputs[k].unknown_layout);
  }
}

void CheckedCall::learn_layouts() {
  if (!real_run_.own_results) return;
  for (size_t k = 0; k < states_.size(); ++k) {
    if (!states_[k].unknown_layout || !real_flat_[k].is_tensor()) continue;
    const TensorMeta& meta = real_flat_[k].tensor_impl()->meta;
    if (!meta.device.is_cuda() || may_change_metas()) continue;
    check_.report_.layouts.push_back(
        {op_.name, static_cast<int>(k), rule_context().backend, meta.strides, layout_situation(real_args_)});
  }
}

}  // namespace ersatz
