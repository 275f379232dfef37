#include "fake/object/wrapper.h"

#include <algorithm>
#include <unordered_set>

#include "runtime/op/dispatch.h"

namespace ersatz {

std::vector<Tensor> flatten_tensors(const Value& wrapper) {
  if (wrapper.kind() != Value::Kind::List) {
    fail_argument("flatten_tensors: a wrapper is a list of tensors or of such lists, not {}", to_string(wrapper));
  }
  std::vector<Tensor> found;
  std::unordered_set<const TensorImpl*> seen;
  for_each_tensor(wrapper.as_list(), [&](TensorImpl* t) {
    if (seen.insert(t).second) found.emplace_back(Ref<TensorImpl>(t));
  });
  return found;
}

namespace {

std::vector<Tensor> tensors_of(const Value& v) {
  if (v.is_tensor()) return {v.tensor()};
  return v.kind() == Value::Kind::List ? flatten_tensors(v) : std::vector<Tensor>();
}

bool all_fake(std::span<const Tensor> tensors) {
  const auto fakes = std::count_if(tensors.begin(), tensors.end(), [](const Tensor& t) { return t.is_fake(); });
  if (fakes == 0) return false;
  if (fakes == std::ssize(tensors)) return true;
  std::string each;
  for (const Tensor& t : tensors) {
    each += fmt::format("{}{} {}", each.empty() ? "" : ", ", t.is_fake() ? "fake" : "real", t.meta());
  }
  fail_argument("is_fake: got mixed fake and real tensors!: {}", each);
}

}  // namespace

bool is_fake(const Value& v) { return all_fake(tensors_of(v)); }

std::optional<FakeMode> mode_of(const Value& v) {
  const std::vector<Tensor> tensors = tensors_of(v);
  if (!all_fake(tensors)) return std::nullopt;
  for (size_t i = 1; i < tensors.size(); ++i) {
    if (tensors[i].impl()->fake_mode != tensors[0].impl()->fake_mode) {
      fail_argument("mode_of: the parts belong to different fake modes: {} of one, {} of another", tensors[0].meta(),
                    tensors[i].meta());
    }
  }
  return mode_of(tensors[0]);
}

bool owns(const FakeMode& mode, const Value& v) { return mode_of(v) == mode; }

}  // namespace ersatz
