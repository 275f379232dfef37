#include "fake/mode/cached_answer.h"

#include <algorithm>

#include "fake/mode/constants.h"
#include "fake/mode/fake_mode_state.h"
#include "runtime/op/map_tensors.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

using Kind = OutputSpec::Kind;

InlineVec<TensorImpl*, 8> tensors_of(std::span<const Value> args) {
  InlineVec<TensorImpl*, 8> tensors;
  for_each_tensor(args, [&](TensorImpl* t) { tensors.push_back(t); });
  return tensors;
}

int number_of(std::span<TensorImpl* const> tensors, const TensorImpl* t) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i] == t) return static_cast<int>(i);
  }
  raise_internal_error(__FILE__, __LINE__, "source", "a rule named a tensor that is no argument: {}", t->meta);
}

}  // namespace

ArgumentsBefore::ArgumentsBefore(std::span<const Value> args) {
  for_each_tensor(args, [&](TensorImpl* t) {
    states_.push_back({t, t->meta, t->storage, t->storage->nbytes(), t->storage->version()});
  });
}

Ref<const CachedAnswer> CachedAnswer::of_rule(std::span<const Value> args, const RuleResult& rule,
                                              std::string_view& reason) {
  auto answer = make_ref<CachedAnswer>();
  const auto tensors = tensors_of(args);
  for (const OutputSpec& o : rule.outputs) {
    const int argument = o.source ? number_of(tensors, o.source) : -1;
    if (o.meta.is_symbolic()) reason = "symbolic shape";
    answer->outputs_.push_back(
        {o.kind, o.metadata_changed, o.unknown_layout, argument, -1, 0, o.meta, Value(o.number)});
  }
  for (const TensorImpl* t : rule.also_written) answer->written_.push_back(number_of(tensors, t));
  if (!reason.empty()) return {};
  return answer;
}

void CachedAnswer::say(std::span<const Value> args, RuleResult& rule) const {
  const auto tensors = tensors_of(args);
  for (const Output& from : outputs_) {
    OutputSpec& o = rule.outputs.emplace_back();
    o.kind = from.kind;
    o.metadata_changed = from.metadata_changed;
    o.unknown_layout = from.unknown_layout;
    if (from.argument >= 0) o.source = tensors[static_cast<size_t>(from.argument)];
    if (from.kind == Kind::Number) {
      o.number = from.number;
    } else {
      o.meta = from.meta;
    }
  }
  for (int i : written_) rule.also_written.push_back(tensors[static_cast<size_t>(i)]);
}

CachedAnswer::Output CachedAnswer::of_tensor(const ArgumentsBefore& before, TensorImpl* result,
                                             std::span<TensorImpl* const> earlier) const {
  Output o;
  const auto& args = before.states_;
  for (size_t i = 0; i < args.size() && o.kind != Kind::Same; ++i) {
    if (args[i].tensor == result) {
      o.kind = Kind::Same, o.argument = static_cast<int>(i);
    } else if (o.argument < 0 && args[i].storage == result->storage) {
      o.kind = Kind::View, o.argument = static_cast<int>(i);
    }
  }
  o.meta = result->meta;
  if (o.kind != Kind::Fresh) return o;
  o.bytes = result->storage->nbytes().as_int();
  for (size_t k = earlier.size(); k-- > 0;) {
    if (earlier[k] && earlier[k]->storage == result->storage) o.shares_result = static_cast<int>(k);
  }
  return o;
}

Ref<const CachedAnswer> CachedAnswer::of_results(const ArgumentsBefore& before, std::span<const Value> results,
                                                 std::string_view& reason) {
  auto answer = make_ref<CachedAnswer>();
  answer->from_rule_ = false;
  for (size_t i = 0; i < before.states_.size(); ++i) {
    const auto& was = before.states_[i];
    const TensorImpl* t = was.tensor;
    if (!(t->meta == was.meta) || t->storage != was.storage || !was.storage->nbytes().is_identical(was.bytes)) {
      reason = "inplace view";
      return {};
    }
    if (was.storage->version() != was.version) answer->written_.push_back(static_cast<int>(i));
  }
  std::vector<TensorImpl*> flat;
  const auto add = [&](const Value& v) {
    TensorImpl* t = v.is_tensor() ? v.tensor_impl() : nullptr;
    Output o;
    if (t) {
      if (t->meta.is_symbolic() || t->storage->nbytes().is_symbolic()) {
        reason = "symbolic shape";
        return;
      }
      o = answer->of_tensor(before, t, flat);
      if (std::count(flat.begin(), flat.end(), t)) reason = "one tensor returned twice";
    } else {
      o.kind = v.is_none() ? Kind::None : Kind::Number;
      o.number = v;
    }
    answer->outputs_.push_back(std::move(o));
    flat.push_back(t);
  };
  answer->shape_ = map_leaves(results, [&](const Value& v) {
    add(v);
    return Value();
  });
  if (!reason.empty()) return {};
  return answer;
}

void CachedAnswer::make_results(FakeModeState& mode, std::span<const Value> args, Values& results) const {
  const auto tensors = tensors_of(args);
  InlineVec<const Storage*, 4> moved;  // storages whose version this call has increased already, so that each version
                                       // increases once
  for (int i : written_) {
    Storage& storage = *tensors[static_cast<size_t>(i)]->storage;
    if (std::count(moved.begin(), moved.end(), &storage)) continue;
    moved.push_back(&storage);
    storage.bump_version();
    mode.constants.forget(storage);
  }
  std::vector<Value> flat;
  for (const Output& o : outputs_) {
    if (o.kind == Kind::Number || o.kind == Kind::None) {
      flat.push_back(o.number);
    } else if (o.kind == Kind::Same) {
      flat.emplace_back(Tensor(Ref<TensorImpl>(tensors[static_cast<size_t>(o.argument)])));
    } else {
      Ref<Storage> storage = o.kind == Kind::View   ? tensors[static_cast<size_t>(o.argument)]->storage
                             : o.shares_result >= 0 ? flat[static_cast<size_t>(o.shares_result)].tensor_impl()->storage
                                                    : Storage::make_fake(o.bytes, o.meta.device);
      flat.emplace_back(Tensor(make_ref<TensorImpl>(TensorMeta(o.meta), std::move(storage), Ref<FakeOwner>(&mode))));
    }
  }
  for (Value& v : repack(flat, shape_)) results.push_back(std::move(v));
}

bool CachedAnswer::operator==(const CachedAnswer& o) const {
  return from_rule_ == o.from_rule_ && outputs_ == o.outputs_ && written_ == o.written_ && shape_ == o.shape_;
}

std::string CachedAnswer::text() const {
  std::string text = "[";
  for (const Output& o : outputs_) {
    if (text.size() > 1) text += ", ";
    const bool tensor = o.kind != Kind::Number && o.kind != Kind::None;
    if (!tensor) {
      text += to_string(o.number);
      continue;
    }
    if (o.kind == Kind::Same) text += fmt::format("in{} ", o.argument);
    text += to_string(o.meta, MetaStyle::Full);
    if (o.kind == Kind::View) text += fmt::format(" ~in{}", o.argument);
    if (o.shares_result >= 0) text += fmt::format(" ~out{}", o.shares_result);
    if (o.unknown_layout) text += " layout unknown";
  }
  return text + "]";
}

}  // namespace ersatz
