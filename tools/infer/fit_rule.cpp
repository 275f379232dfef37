// Fits a rule to examples: for each field, finds the forms that no example contradicts. If there are none, the examples
// are split by a condition and each part is fitted.
#include <algorithm>
#include <functional>

#include "tools/infer/candidates.h"

namespace ersatz::tools {

namespace {

constexpr size_t kFewest = 8;   ///< a case of a rule needs at least this many examples
constexpr int kConditions = 2;  ///< a case of a rule has at most this many conditions
constexpr size_t kMostRivals = 24;
constexpr size_t kMostParts = 12;

/// Fits one field of one result.
template <class Form>
class FieldFit {
 public:
  using Candidates = std::function<std::vector<Form>(const ExampleList&)>;
  using Agrees = std::function<bool(const Form&, const Observation&)>;
  FieldFit(Candidates candidates, Agrees agrees) : candidates_(std::move(candidates)), agrees_(std::move(agrees)) {}

  bool fit(const ExampleList& examples, Cases<Form>& cases, std::vector<Condition> when = {}) const {
    std::vector<Form> left;
    for (Form& form : candidates_(examples)) {
      if (left.size() < kMostRivals && agrees_everywhere(form, examples)) left.push_back(std::move(form));
    }
    if (left.empty()) return split(examples, cases, when);
    Case<Form> c{std::move(when), std::move(left[0]), {}, static_cast<int64_t>(examples.size())};
    c.rivals.assign(std::make_move_iterator(left.begin() + 1), std::make_move_iterator(left.end()));
    cases.push_back(std::move(c));
    return true;
  }

 private:
  bool agrees_everywhere(const Form& form, const ExampleList& examples) const {
    return std::all_of(examples.begin(), examples.end(), [&](const Observation* o) { return agrees_(form, *o); });
  }

  bool split(const ExampleList& examples, Cases<Form>& cases, const std::vector<Condition>& when) const {
    if (when.size() >= kConditions) return false;
    for (const std::vector<Condition>& parts : splits(examples)) {
      Cases<Form> found;
      size_t explained = 0;
      for (const Condition& part : parts) {
        ExampleList in;
        for (const Observation* o : examples) {
          if (holds(part, o->arguments)) in.push_back(o);
        }
        std::vector<Condition> inner = when;
        inner.push_back(part);
        if (in.size() >= kFewest && fit(in, found, inner)) explained += in.size();
      }
      if (explained * 10 < examples.size() * 6) continue;  // too many examples would be left without a form
      std::move(found.begin(), found.end(), std::back_inserter(cases));
      return true;
    }
    return false;
  }

  static std::vector<std::vector<Condition>> splits(const ExampleList& examples) {
    std::vector<std::vector<Condition>> all;
    const auto add = [&](std::vector<Condition> parts) {
      if (parts.size() > 1 && parts.size() <= kMostParts) all.push_back(std::move(parts));
    };
    const auto by = [&](const std::function<std::optional<Condition>(const Observation&)>& condition) {
      std::vector<Condition> parts;
      for (const Observation* o : examples) {
        const std::optional<Condition> c = condition(*o);
        if (c && std::find(parts.begin(), parts.end(), *c) == parts.end()) parts.push_back(*c);
      }
      add(std::move(parts));
    };
    by([](const Observation& o) { return Condition{Condition::Kind::Pattern, -1, 0, pattern_of(o.arguments)}; });
    for (size_t i = 0; i < examples[0]->arguments.size(); ++i) {
      const int at = static_cast<int>(i);
      by([&](const Observation& o) -> std::optional<Condition> {
        const SeenArgument& a = o.arguments[i];
        if (a.kind != SeenArgument::Kind::Bool && a.kind != SeenArgument::Kind::DType) return std::nullopt;
        return Condition{Condition::Kind::Number, at, a.number, ""};
      });
      by([&](const Observation& o) -> std::optional<Condition> {
        const SeenArgument& a = o.arguments[i];
        if (a.tensors.empty()) return std::nullopt;
        return Condition{Condition::Kind::Rank, at, a.tensors[0].rank(), ""};
      });
    }
    return all;
  }

  Candidates candidates_;
  Agrees agrees_;
};

class ResultFit {
 public:
  ResultFit(const ExampleList& examples, size_t result) : examples_(examples), k_(result) {}

  /// Fits all fields of one result. Returns the first field that no form explains; empty if all are explained.
  std::string run(ResultRule& rule) {
    if (!alias(rule)) return "alias";
    if (!shape(rule)) return "size";
    if (!dtype(rule)) return "dtype";
    keep_answered(rule);
    if (!strides(rule)) return "stride";
    if (!offset(rule)) return "offset";
    return "";
  }

 private:
  const SeenResult& seen(const Observation& o) const { return o.results[k_]; }

  bool alias(ResultRule& rule) {
    return FieldFit<AliasForm>(alias_candidates,
                               [this](const AliasForm& f, const Observation& o) {
                                 const int flat = f.of < 0 ? -1 : o.arguments[static_cast<size_t>(f.of)].first_flat;
                                 if (f.of >= 0 && flat < 0) return false;
                                 return seen(o).storage_of == flat && seen(o).is == (f.same ? flat : -1);
                               })
        .fit(examples_, rule.alias);
  }
  bool shape(ResultRule& rule) {
    return FieldFit<ShapeForm>([this](const ExampleList& e) { return shape_candidates(e, k_); },
                               [this](const ShapeForm& f, const Observation& o) {
                                 const auto s = answer_of(f, o.arguments);
                                 return s && s->sizes == seen(o).meta.sizes;
                               })
        .fit(examples_, rule.shape);
  }
  bool dtype(ResultRule& rule) {
    return FieldFit<DTypeForm>([this](const ExampleList& e) { return dtype_candidates(e, k_); },
                               [this](const DTypeForm& f, const Observation& o) {
                                 return answer_of(f, o.arguments) == seen(o).meta.dtype;
                               })
        .fit(examples_, rule.dtype);
  }
  /// Keeps the examples for which the rule predicts sizes and dtype, because forms of strides need both.
  void keep_answered(const ResultRule& rule) {
    rule_ = &rule;
    std::erase_if(examples_, [&](const Observation* o) {
      return !case_for(rule.shape, o->arguments) || !case_for(rule.dtype, o->arguments);
    });
  }
  bool strides(ResultRule& rule) {
    if (examples_.empty()) return false;
    const auto candidates = [this](const ExampleList& e) { return stride_candidates(e, k_); };
    const auto agrees = [this](const StrideForm& f, const Observation& o) {
      const auto shape = answer_of(case_for(rule_->shape, o.arguments)->form, o.arguments);
      const auto answer = answer_of(f, o.arguments, *shape, seen(o).meta.dtype);
      if (!answer) return false;
      PlainMeta mine = seen(o).meta;
      mine.strides = *answer;
      return !diff(tensor_meta(mine), tensor_meta(seen(o).meta)).is_significant();
    };
    return FieldFit<StrideForm>(candidates, agrees).fit(examples_, rule.strides);
  }
  bool offset(ResultRule& rule) {
    return FieldFit<OffsetForm>([this](const ExampleList& e) { return offset_candidates(e, k_); },
                                [this](const OffsetForm& f, const Observation& o) {
                                  return answer_of(f, o.arguments) == seen(o).meta.offset;
                                })
        .fit(examples_, rule.offset);
  }

  ExampleList examples_;
  const size_t k_;
  const ResultRule* rule_ = nullptr;
};

}  // namespace

void note_domain(InferredRule& rule, const ExampleList& examples) {
  std::map<std::string, size_t> signatures;
  rule.dtypes.resize(examples[0]->arguments.size());
  for (const Observation* o : examples) {
    ++signatures[signature_of(o->arguments)];
    for (size_t i = 0; i < o->arguments.size(); ++i) {
      for (const PlainMeta& t : o->arguments[i].tensors) rule.dtypes[i].insert(t.dtype);
    }
  }
  for (const auto& [signature, times] : signatures) {
    if (times >= kFewest) rule.signatures.insert(signature);
  }
}

std::optional<InferredRule> fit_rule(std::span<const Observation> all, std::string& why) {
  ExampleList examples;
  for (const Observation& o : all) examples.push_back(&o);
  if (examples.size() < kFewest) {
    why = fmt::format("{} examples are too few: {} are needed", examples.size(), kFewest);
    return std::nullopt;
  }
  for (const Observation* o : examples) {
    if (o->results.size() != examples[0]->results.size()) {
      why = fmt::format("the number of results varies: {} for ({}), {} for ({})", examples[0]->results.size(),
                        examples[0]->spelling, o->results.size(), o->spelling);
      return std::nullopt;
    }
    for (const SeenResult& r : o->results) {
      if (r.kind == SeenResult::Kind::Tensor) continue;
      why = "a result is no tensor: what it is cannot be told from metadata";
      return std::nullopt;
    }
  }
  InferredRule rule;
  for (size_t k = 0; k < examples[0]->results.size(); ++k) {
    const std::string field = ResultFit(examples, k).run(rule.results.emplace_back());
    if (field.empty()) continue;
    why = fmt::format("nothing explains the {} of result {}, for example of ({}): {}", field, k, examples[0]->spelling,
                      tensor_meta(examples[0]->results[k].meta));
    return std::nullopt;
  }
  return rule;
}

}  // namespace ersatz::tools
