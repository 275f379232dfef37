#include "tools/infer/probe.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "runtime/op/dispatch.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/layout.h"

namespace ersatz::tools {

using ArgKind = SeenArgument::Kind;

namespace {

constexpr int64_t kMostRank = 6, kMostElements = 1 << 14;

/// Guesses arguments from the schema, for an op without samples.
std::string guessed_sample(const FunctionSchema& schema) {
  std::string text;
  for (const Argument& a : schema.arguments) {
    if (a.default_value) continue;
    std::string one = "1";
    if (a.type.base == BaseType::Tensor) one = "f32[3,4]";
    if (a.type.base == BaseType::Float) one = "0.5";
    if (a.type.base == BaseType::Bool) one = "True";
    if (a.type.base == BaseType::String) one = "\"none\"";
    if (a.type.base == BaseType::ScalarType) one = "f32";
    if (a.type.is_list()) one = "[" + one + ", " + one + "]";
    if (a.type.is_optional()) one = "None";
    if (a.keyword_only) one = a.name + "=" + one;
    text += (text.empty() ? "" : ", ") + one;
  }
  return text;
}

bool is_own(const SeenArgument& a) {
  return a.kind == ArgKind::None || a.kind == ArgKind::Float || a.kind == ArgKind::Complex || a.kind == ArgKind::Other;
}

Extents row_major(const Extents& sizes) {
  Extents strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 1;) strides[d - 1] = strides[d] * std::max<int64_t>(sizes[d], 1);
  return strides;
}

int64_t elements(const PlainMeta& t) {
  int64_t n = 1;
  for (int64_t s : t.sizes) n *= std::max<int64_t>(s, 1);
  return n;
}

}  // namespace

Prober::Prober(const OpEntry& op, uint64_t seed) : op_(op), random_(seed) {
  std::vector<Sample> samples = op.samples;
  if (samples.empty()) samples.push_back({guessed_sample(op.schema), -2, 2});
  for (const Sample& s : samples) {
    try {
      ProbeCall call;
      call.others = bind_sample(op.schema, s.arguments);
      const auto seen = seen_arguments(call.others);
      if (!seen) continue;
      call.arguments = *seen;
      call.low = s.low, call.high = s.high;
      const bool here = std::all_of(seen->begin(), seen->end(), [](const SeenArgument& a) {
        return std::all_of(a.tensors.begin(), a.tensors.end(), [](const PlainMeta& t) { return t.device.is_cpu(); });
      });
      if (here) samples_.push_back(std::move(call));
    } catch (const Error&) {  // the guessed arguments do not fit the op, so it has no sample
    }
  }
}

int64_t Prober::some_size() {
  const int64_t roll = below(100);
  if (roll < 4) return 0;
  if (roll < 16) return 1;
  return 2 + below(8);
}

int64_t Prober::highest_rank(const ProbeCall& call) const {
  int64_t rank = 0;
  for (const SeenArgument& a : call.arguments) {
    for (const PlainMeta& t : a.tensors) rank = std::max(rank, t.rank());
  }
  return rank;
}

PlainMeta* Prober::any_tensor(ProbeCall& call) {
  std::vector<PlainMeta*> all;
  for (SeenArgument& a : call.arguments) {
    for (PlainMeta& t : a.tensors) all.push_back(&t);
  }
  return all.empty() ? nullptr : all[static_cast<size_t>(below(static_cast<int64_t>(all.size())))];
}

void Prober::rename_sizes(ProbeCall& call) {
  std::map<int64_t, int64_t> names;
  const auto renamed = [&](int64_t n) {
    const auto [at, fresh] = names.try_emplace(n, n);
    if (fresh && !chance(20)) at->second = some_size();
    return at->second;
  };
  for (SeenArgument& a : call.arguments) {
    for (PlainMeta& t : a.tensors) {
      for (int64_t& n : t.sizes) n = n == 1 && chance(60) ? 1 : renamed(n);
    }
  }
  const bool attributes = chance(40);
  for (SeenArgument& a : call.arguments) {
    if (!attributes) break;
    if (a.kind == ArgKind::Int && names.contains(a.number)) a.number = names[a.number];
    for (int64_t& i : a.ints) {
      if (names.contains(i)) i = names[i];
    }
  }
}

void Prober::change_rank(ProbeCall& call) {
  const int64_t highest = highest_rank(call), extra = some_size();
  const bool grow = chance(50), all = chance(60);
  const int64_t place = chance(70) ? 0 : below(highest + 1);
  PlainMeta* one = all ? nullptr : any_tensor(call);
  for (SeenArgument& a : call.arguments) {
    for (PlainMeta& t : a.tensors) {
      if (all ? t.rank() != highest : &t != one) continue;
      const int64_t at = std::min(place, grow ? t.rank() : t.rank() - 1);
      if (grow && t.rank() < kMostRank) t.sizes.insert(t.sizes.begin() + at, extra);
      if (!grow && t.rank() > 0) t.sizes.erase(t.sizes.begin() + at);
    }
  }
}

void Prober::change_size(ProbeCall& call) {
  PlainMeta* t = any_tensor(call);
  if (!t || t->sizes.empty()) return;
  t->sizes[static_cast<size_t>(below(t->rank()))] = chance(50) ? 1 : some_size();
}

void Prober::change_dtype(ProbeCall& call) {
  PlainMeta* t = any_tensor(call);
  if (!t) return;
  const DType from = t->dtype, to = static_cast<DType>(below(kCommonDTypeCount));
  if (chance(35)) {
    t->dtype = to;
    return;
  }
  for (SeenArgument& a : call.arguments) {
    for (PlainMeta& other : a.tensors) {
      if (other.dtype == from) other.dtype = to;
    }
  }
}

void Prober::change_number(Shown& a, const Argument& declared, int64_t rank) {
  if (declared.type.base == BaseType::Scalar && chance(40)) {
    constexpr ArgKind kinds[] = {ArgKind::Bool, ArgKind::Int, ArgKind::Float};
    a.kind = kinds[below(3)];
    a.number = a.kind == ArgKind::Bool ? below(2) : below(5);
  } else if (a.kind == ArgKind::Bool) {
    a.number = !a.number;
  } else if (a.kind == ArgKind::Int) {
    if (chance(50)) {
      a.number += below(5) - 2;
    } else if (chance(70)) {
      a.number = below(2 * std::max<int64_t>(rank, 1)) - std::max<int64_t>(rank, 1);
    } else {
      a.number = below(12) - 3;
    }
  } else if (a.kind == ArgKind::DType) {
    a.number = below(kCommonDTypeCount);
  }
}

void Prober::change_list(Shown& a, int64_t rank) {
  if (chance(40)) {  // make all dims distinct
    std::vector<int64_t> dims(static_cast<size_t>(rank));
    std::iota(dims.begin(), dims.end(), 0);
    std::shuffle(dims.begin(), dims.end(), random_);
    if (chance(50)) dims.resize(static_cast<size_t>(below(rank + 1)));
    for (int64_t& d : dims) d -= chance(30) ? rank : 0;
    a.ints = dims;
  } else if (chance(40) && !a.ints.empty()) {
    a.ints[static_cast<size_t>(below(static_cast<int64_t>(a.ints.size())))] = below(8) - 1;
  } else if (chance(50) && !a.ints.empty()) {
    a.ints.pop_back();
  } else if (a.ints.size() < kMostRank) {
    a.ints.insert(a.ints.begin() + below(static_cast<int64_t>(a.ints.size()) + 1), some_size());
  }
}

void Prober::change_optional(ProbeCall& call, size_t i) {
  SeenArgument& a = call.arguments[i];
  const SchemaType& type = op_.schema.arguments[i].type;
  const int64_t rank = highest_rank(call);
  if (a.kind != ArgKind::None) {
    a = SeenArgument();
    call.others[i] = Value();
    return;
  }
  if (type.is_list() && type.base != BaseType::Tensor) {
    if (type.base != BaseType::Int && type.base != BaseType::SymInt) return;
    a.kind = ArgKind::Ints;
    return change_list(a, rank);
  }
  switch (type.base) {
    case BaseType::Int:
    case BaseType::SymInt:
      a.kind = ArgKind::Int;
      a.number = below(2 * rank + 1) - rank;
      break;
    case BaseType::Bool:
      a.kind = ArgKind::Bool;
      a.number = below(2);
      break;
    case BaseType::ScalarType:
      a.kind = ArgKind::DType;
      a.number = below(kCommonDTypeCount);
      break;
    case BaseType::Scalar:
    case BaseType::Float:
      a.kind = ArgKind::Float;
      call.others[i] = Value(0.5);
      break;
    case BaseType::Tensor:
      if (type.is_list()) return;
      if (const PlainMeta* like = any_tensor(call)) {
        a.kind = ArgKind::Tensor;
        a.tensors = {*like};
        if (chance(50) && like->rank() > 1) a.tensors[0].sizes.erase(a.tensors[0].sizes.begin());
      }
      break;
    default:
      break;
  }
}

void Prober::change_attribute(ProbeCall& call) {
  const auto i = static_cast<size_t>(below(static_cast<int64_t>(call.arguments.size())));
  SeenArgument& a = call.arguments[i];
  const Argument& declared = op_.schema.arguments[i];
  const int64_t rank = highest_rank(call);
  if (declared.type.is_optional() && chance(50)) return change_optional(call, i);
  if (a.kind == ArgKind::Ints) return change_list(a, rank);
  if (a.kind == ArgKind::Tensors) {
    if (chance(50) && a.tensors.size() > 1) {
      a.tensors.pop_back();
    } else if (a.tensors.size() < 5) {
      a.tensors.push_back(a.tensors[0]);
    }
    return;
  }
  change_number(a, declared, rank);
}

void Prober::lay_out(PlainMeta& t, bool written) {
  t.strides = row_major(t.sizes);
  t.offset = 0;
  TensorMeta meta = tensor_meta(t);
  const int64_t kind = below(10);
  const auto n = t.sizes.size();
  // Choose a layout: a random order of dims, the last two dims swapped, or dim 1 innermost.
  if (kind >= 4 && kind <= 6 && n > 1) {
    std::vector<size_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    if (kind == 4) std::shuffle(order.begin(), order.end(), random_);
    if (kind == 5) std::swap(order[n - 1], order[n - 2]);
    if (kind == 6) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    meta.strides = strides_in_order(meta.sizes, order);
  } else if (kind == 7) {
    ersatz::lay_out(meta, SampleLayout::Spread, written);
  } else if (kind == 8 && !written && n > 0) {
    meta.strides[static_cast<size_t>(below(static_cast<int64_t>(n)))] = 0;
  } else if (kind == 9) {
    meta.offset = 1 + below(5);
  }
  t = plain_meta(meta);
}

ProbeCall Prober::next() {
  if (samples_.empty()) return {};
  ProbeCall call = samples_[static_cast<size_t>(below(static_cast<int64_t>(samples_.size())))];
  if (chance(85)) rename_sizes(call);
  if (chance(30)) change_rank(call);
  if (chance(20)) change_rank(call);
  if (chance(25)) change_size(call);
  if (chance(40)) change_dtype(call);
  for (int64_t times = chance(70) ? below(4) : 0; times > 0 && !call.arguments.empty(); --times) change_attribute(call);
  int64_t all = 1;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    for (PlainMeta& t : call.arguments[i].tensors) {
      lay_out(t, op_.schema.arguments[i].is_write());
      all = std::max(all, elements(t));
    }
  }
  int flat = 0;
  for (SeenArgument& a : call.arguments) {
    a.first_flat = a.tensors.empty() ? -1 : flat;
    flat += static_cast<int>(a.tensors.size());
  }
  return all > kMostElements ? next() : call;
}

Value Prober::made(const ProbeCall& call, size_t i, uint64_t seed) const {
  const SeenArgument& a = call.arguments[i];
  const auto tensor = [&](const PlainMeta& t, uint64_t of) {
    const bool index = std::any_of(op_.index_domains.begin(), op_.index_domains.end(),
                                   [&](const IndexDomain& d) { return d.argument == i; });
    Tensor made = make_sample_tensor(tensor_meta(t));
    fill_random(made, index ? 0 : call.low, index ? 0 : call.high, of);
    return Value(made);
  };
  if (a.kind == ArgKind::Tensor) return tensor(a.tensors[0], seed * 31 + i);
  if (a.kind == ArgKind::Tensors) {
    std::vector<Value> items;
    for (size_t k = 0; k < a.tensors.size(); ++k) items.push_back(tensor(a.tensors[k], seed * 31 + i + 1000 * k));
    return Value::list(items);
  }
  if (a.kind == ArgKind::Float && call.others[i].kind() != Value::Kind::Float) return Value(0.5);
  if (is_own(a)) return call.others[i];
  if (a.kind == ArgKind::Bool) return Value(a.number != 0);
  if (a.kind == ArgKind::Int) return Value(a.number);
  if (a.kind == ArgKind::DType) return Value(static_cast<DType>(a.number));
  return Value::int_list(a.ints);
}

std::optional<Observation> Prober::run(const ProbeCall& call, uint64_t seed) const {
  if (samples_.empty()) return std::nullopt;
  try {
    std::vector<Value> args;
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      args.push_back(made(call, i, seed));
      check_argument(op_.schema, i, args.back());
    }
    std::optional<std::vector<SeenArgument>> before = seen_arguments(args);
    if (!before) return std::nullopt;
    Values results;
    dispatch(op_, args, results);
    return observe(std::move(*before), args, results);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace ersatz::tools
