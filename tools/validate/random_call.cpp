// Random calls are samples with random changes. If a change makes no sense for the op, rule and kernel must both refuse
// the call.
#include <random>

#include "runtime/op/map_tensors.h"
#include "tools/validate/call_change.h"
#include "tools/validate/call_list.h"

namespace ersatz::tools {

namespace {

/// The FNV-1a hash, which is the same on every machine.
uint64_t hash(std::string_view text) {
  uint64_t h = 14695981039346656037u;
  for (char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return h;
}

class Changes {
 public:
  explicit Changes(uint64_t seed) : generator_(seed) {}
  /// Returns a random number from 0 to bound - 1. std::uniform_int_distribution is not used, because its numbers depend
  /// on the standard library.
  int64_t below(int64_t bound) { return static_cast<int64_t>(generator_() % static_cast<uint64_t>(bound)); }
  bool one_in(int64_t n) { return below(n) == 0; }

  void resize(CallSpec& spec) {
    constexpr int64_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17};
    std::vector<int64_t> present;
    for (const Tensor& t : spec.tensors()) {
      for (const SymInt& s : t.sizes()) present.push_back(s.as_int());
    }
    if (present.empty()) return;
    const int64_t from = present[static_cast<size_t>(below(static_cast<int64_t>(present.size())))];
    const int64_t to = sizes[below(std::size(sizes))];
    const bool everywhere = !one_in(8);
    take(spec, with_size(spec, from, to, NewStrides::RowMajor,
                         [&](size_t k) { return !shares_[k] && (everywhere || one_in(2)); }));
  }

  void cast(CallSpec& spec) {
    const auto to = static_cast<DType>(below(kCommonDTypeCount));
    const bool everywhere = one_in(2);
    const std::vector<Tensor> tensors = spec.tensors();
    if (tensors.empty()) return;
    const DType from = tensors[static_cast<size_t>(below(static_cast<int64_t>(tensors.size())))].dtype();
    take(spec, with_dtype(spec, from, to, [&](size_t) { return everywhere || one_in(2); }));
  }

  void lay_out(CallSpec& spec) {
    const SampleLayout all = kCallLayouts[1 + below(5)];
    const bool each = one_in(2);
    take(spec, with_layout(spec, [&](size_t) { return each ? kCallLayouts[below(6)] : all; }));
  }

  Value number(const Value& v) {
    if (v.is_symbolic()) return v;
    switch (v.kind()) {
      case Value::Kind::Int:
        return !one_in(6) ? v : Value(below(7) - 3);
      case Value::Kind::Bool:
        return one_in(6) ? Value(!v.as_bool()) : v;
      case Value::Kind::Float:
        return one_in(8) ? Value(static_cast<double>(below(9) - 4) / 2) : v;
      case Value::Kind::IntList: {
        DimVec items;
        for (const SymInt& s : v.as_ints()) items.push_back(one_in(10) ? SymInt(below(5) - 1) : s);
        return Value(items);
      }
      default:
        return v;
    }
  }

  void note_sharing(const CallSpec& spec) { shares_ = shares_storage(spec); }

 private:
  static void take(CallSpec& spec, std::optional<CallSpec> changed) {
    if (changed) spec = std::move(*changed);
  }
  std::mt19937_64 generator_;
  std::vector<bool> shares_;
};

}  // namespace

CallSpec random_call(const OpEntry& op, uint64_t seed, int64_t number) {
  Changes random(hash(op.name) ^ (seed * 0x9E3779B97F4A7C15u) ^ (static_cast<uint64_t>(number) * 0xD1B54A32D192ED03u));
  const std::vector<Sample>& samples = samples_of(op);
  const auto chosen = static_cast<size_t>(random.below(static_cast<int64_t>(samples.size())));
  CallSpec spec = spec_of(op, samples[chosen]);
  spec.seed = seed * 1000003 + static_cast<uint64_t>(number);
  random.note_sharing(spec);
  if (random.one_in(3)) random.resize(spec);
  if (random.one_in(3)) random.cast(spec);
  if (!random.one_in(3)) random.lay_out(spec);
  const size_t outs = op.samples.empty() ? static_cast<size_t>(op.out_arguments) : 0;
  for (size_t i = 0; i + outs < spec.args.size(); ++i) {
    spec.args[i] = map_leaves(spec.args[i], [&](const Value& v) { return random.number(v); });
  }
  spec.fill = kFillKinds[random.one_in(3) ? random.below(2) : 2 + random.below(2)];
  renew_outs(spec);
  return spec;
}

}  // namespace ersatz::tools
