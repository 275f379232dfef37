#include "tools/infer/inferred_rule.h"

#include "fake/outcome/compare.h"

namespace ersatz::tools {

namespace {

std::optional<SeenResult> predict_result(const ResultRule& rule, std::span<const SeenArgument> arguments) {
  const auto* shape = case_for(rule.shape, arguments);
  const auto* dtype = case_for(rule.dtype, arguments);
  const auto* strides = case_for(rule.strides, arguments);
  const auto* offset = case_for(rule.offset, arguments);
  const auto* alias = case_for(rule.alias, arguments);
  if (!shape || !dtype || !strides || !offset || !alias) return std::nullopt;
  const std::optional<ShapeAnswer> sizes = answer_of(shape->form, arguments);
  const std::optional<DType> type = answer_of(dtype->form, arguments);
  if (!sizes || !type) return std::nullopt;
  const std::optional<Extents> laid_out = answer_of(strides->form, arguments, *sizes, *type);
  const std::optional<int64_t> first = answer_of(offset->form, arguments);
  if (!laid_out || !first) return std::nullopt;
  SeenResult r;
  r.kind = SeenResult::Kind::Tensor;
  r.meta = {*type, kCPU, sizes->sizes, *laid_out, *first};
  for (const SeenArgument& a : arguments) {
    if (a.tensors.empty()) continue;
    r.meta.device = a.tensors[0].device;
    break;
  }
  if (alias->form.of >= 0) {
    r.storage_of = arguments[static_cast<size_t>(alias->form.of)].first_flat;
    if (r.storage_of < 0) return std::nullopt;
    if (alias->form.same) r.is = r.storage_of;
  }
  return r;
}

}  // namespace

bool covers(const InferredRule& rule, std::span<const SeenArgument> arguments) {
  if (arguments.size() != rule.dtypes.size() || !rule.signatures.contains(signature_of(arguments))) return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    for (const PlainMeta& t : arguments[i].tensors) {
      if (!rule.dtypes[i].contains(t.dtype)) return false;
    }
  }
  return true;
}

std::optional<std::vector<SeenResult>> predict(const InferredRule& rule, std::span<const SeenArgument> arguments) {
  if (!covers(rule, arguments)) return std::nullopt;
  return predict_anyway(rule, arguments);
}

std::optional<std::vector<SeenResult>> predict_anyway(const InferredRule& rule,
                                                      std::span<const SeenArgument> arguments) {
  std::vector<SeenResult> results;
  for (const ResultRule& r : rule.results) {
    std::optional<SeenResult> one = predict_result(r, arguments);
    if (!one) return std::nullopt;
    results.push_back(std::move(*one));
  }
  return results;
}

std::string difference(std::span<const SeenResult> predicted, std::span<const SeenResult> observed) {
  if (predicted.size() != observed.size())
    return fmt::format("results: predicted {}, observed {}", predicted.size(), observed.size());
  for (size_t i = 0; i < predicted.size(); ++i) {
    const SeenResult &p = predicted[i], &o = observed[i];
    if (p.kind != o.kind) return fmt::format("result {}: one is a tensor, the other not", i);
    if (p.kind != SeenResult::Kind::Tensor) continue;
    const TensorMeta mine = tensor_meta(p.meta), theirs = tensor_meta(o.meta);
    OutcomeLeaf said = leaf_of(mine), is = leaf_of(theirs);
    said.place = AliasPlace{.same_object = p.is, .same_storage = p.storage_of};
    is.place = AliasPlace{.same_object = o.is, .same_storage = o.storage_of};
    const LeafDiff differs = compare(said, is);
    if (const MetaFields fields = differs.meta.significant; !fields.empty())
      return fmt::format("result {}: {}: predicted {}, observed {}", i, name(fields.first()), mine, theirs);
    if (differs.place)
      return fmt::format("result {}: alias: predicted storage of {} (is {}), observed {} (is {})", i, p.storage_of,
                         p.is, o.storage_of, o.is);
  }
  return "";
}

namespace {

template <class Form, class Answer>
bool rivals_differ(const Cases<Form>& cases, std::span<const SeenArgument> arguments, const Answer& answer) {
  const Case<Form>* c = case_for(cases, arguments);
  if (!c) return false;
  const auto mine = answer(c->form);
  if (!mine) return false;
  for (const Form& rival : c->rivals) {
    const auto theirs = answer(rival);
    if (theirs && *theirs != *mine) return true;
  }
  return false;
}

bool undecided(const ResultRule& r, std::span<const SeenArgument> a) {
  if (rivals_differ(r.shape, a, [&](const ShapeForm& f) -> std::optional<Extents> {
        const auto s = answer_of(f, a);
        return s ? std::optional(s->sizes) : std::nullopt;
      }))
    return true;
  if (rivals_differ(r.dtype, a, [&](const DTypeForm& f) { return answer_of(f, a); })) return true;
  if (rivals_differ(r.offset, a, [&](const OffsetForm& f) { return answer_of(f, a); })) return true;
  const auto* shape = case_for(r.shape, a);
  const auto* dtype = case_for(r.dtype, a);
  if (!shape || !dtype) return false;
  const auto sizes = answer_of(shape->form, a);
  const auto type = answer_of(dtype->form, a);
  if (!sizes || !type) return false;
  return rivals_differ(r.strides, a, [&](const StrideForm& f) -> std::optional<Extents> {
    auto s = answer_of(f, a, *sizes, *type);
    for (size_t d = 0; s && d < s->size(); ++d) {
      if (sizes->sizes[d] == 0) return Extents();
      if (sizes->sizes[d] == 1) (*s)[d] = 0;
    }
    return s;
  });
}

}  // namespace

std::vector<size_t> deciding_calls(const InferredRule& rule, std::span<const std::vector<SeenArgument>> calls) {
  std::vector<size_t> found;
  for (size_t i = 0; i < calls.size(); ++i) {
    for (const ResultRule& r : rule.results) {
      if (!undecided(r, calls[i])) continue;
      found.push_back(i);
      break;
    }
  }
  return found;
}

}  // namespace ersatz::tools
