#include "tools/infer/unknown_size.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/infer/advice.h"
#include "tools/infer/prediction_cause.h"

namespace ersatz::tools {

std::string arguments_text(const CallRecord& record) {
  std::string text;
  for (const RecordedTensor& t : record.tensors) text += to_string(t.meta, MetaStyle::Full) + ";";
  const auto literals = [&](const auto& self, const RecordedArgument& a) -> void {
    if (a.kind == RecordedArgument::Kind::Literal) text += a.name + "=" + to_string(a.literal) + ";";
    text += a.kind == RecordedArgument::Kind::Tensor ? "t" : "";
    for (const RecordedArgument& item : a.items) self(self, item);
  };
  for (const RecordedArgument& a : record.args) literals(literals, a);
  return text;
}

void UnknownSize::see(const CallRecord& record) {
  const auto at = static_cast<size_t>(result_);
  const std::vector<RecordedResult>& results = record.outcome.results;
  const bool has = record.outcome.error.empty() && at < results.size() &&
                   results[at].kind == RecordedResult::Kind::Tensor && dim_ < results[at].tensor.meta.sizes.size();
  if (!has) has_other_results_ = true;
  if (!has) return;
  const int64_t size = results[at].tensor.meta.sizes[dim_].as_int();
  const auto is_size_of = [&](size_t k, size_t d) {
    return k < record.tensors.size() && d < record.tensors[k].meta.sizes.size() &&
           record.tensors[k].meta.sizes[d].as_int() == size;
  };
  if (++calls_ == 1) {
    first_ = record;
    for (size_t k = 0; k < record.tensors.size(); ++k) {
      for (size_t d = 0; d < record.tensors[k].meta.sizes.size(); ++d) is_.emplace_back(k, d);
    }
  }
  std::erase_if(is_, [&](const auto& place) { return !is_size_of(place.first, place.second); });
  if (sizes_.size() < kFewest) sizes_.insert(size);
  if (asked_.size() < kFewest) asked_.insert(arguments_text(record));
}

std::string UnknownSize::known() const {
  if (calls_ < static_cast<int64_t>(kFewest) || has_other_results_) return {};
  if (sizes_.size() == 1) return asked_.size() < kFewest ? "" : std::to_string(*sizes_.begin());
  return is_.empty() ? "" : fmt::format("{}.shape[{}]", RecordedSchema(first_).python(is_[0].first), is_[0].second);
}

Finding UnknownSize::finding() const {
  const std::string is = known();
  Finding f;
  f.op = first_.op, f.node = first_.id, f.result = result_, f.field = FindingField::DynamicSize;
  f.predicted = fmt::format("dim {} not known", dim_);
  f.observed = fmt::format("{} in all calls", is);
  f.witness = Witness::Eager, f.verdict = "significant";
  f.cause = with_sentence(
      fmt::format("the fake says that values decide the size of dim {} (new_dynamic_size()), and in {} of {} calls it "
                  "was {}",
                  dim_, calls_, calls_, is),
      "Let the fake kernel make that size: then programs that call the op keep their shapes");
  f.source = first_.at;
  return f;
}

}  // namespace ersatz::tools
