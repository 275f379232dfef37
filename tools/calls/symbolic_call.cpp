#include "tools/calls/symbolic_call.h"

#include <algorithm>
#include <map>

#include "fake/mode/fake_mode.h"
#include "fake/outcome/compare.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/sym/sym_value.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/symbolic_layout.h"

namespace ersatz::tools {

namespace {

class SymbolicCall {
 public:
  SymbolicCall(const OpEntry& op, const CallRecord& record, SymbolKind kind)
      : op_(op), record_(record), kind_(kind), mode_(options()) {}

  SymbolicAnswer run() {
    answer_.counts.calls = 1;
    std::vector<Value> args;
    Values results;
    std::optional<Error> error;
    try {
      make_tensors();
      args = bind_recorded(op_.schema, record_, tensors_);
      const FakeScope scope(mode_);
      dispatch(op_, args, results);
    } catch (const Error& e) {
      error = e;
    }
    if (!error) learn(results);
    count_symbols();
    conclude(error, results);
    return std::move(answer_);
  }

 private:
  FakeOptions options() {
    env_ = std::make_shared<ShapeEnv>();
    FakeOptions o;
    o.shape_env = env_;
    o.cache = CachePolicy::Never;
    return o;
  }

  SymInt symbol_of(int64_t size) {
    const std::string name = fmt::format("{}{}", kind_ == SymbolKind::Backed ? "s" : "u", symbols_.size());
    SymInt made;
    if (kind_ == SymbolKind::Backed) {
      made = env_->symbol({name, size, 2, INT64_MAX});
    } else {
      made = env_->fresh();
      env_->note_value(name, size);
    }
    symbols_.push_back(made);
    values_[to_string(made)] = size;
    return made;
  }

  /// The recorded metadata with symbols for sizes and strides.
  TensorMeta symbolic(const TensorMeta& recorded) {
    TensorMeta meta = recorded;
    for (SymInt& size : meta.sizes)
      if (size.as_int() > 1) size = symbol_of(size.as_int());
    meta.strides = strides_over(meta.sizes, recorded);
    return meta;
  }

  void make_tensors() {
    std::map<int64_t, int> users;
    for (const RecordedTensor& t : record_.tensors) ++users[t.storage];
    std::map<int64_t, Ref<Storage>> storages;
    for (const RecordedTensor& t : record_.tensors) {
      TensorMeta meta = symbolic(t.meta);
      Ref<Storage>& storage = storages[t.storage];
      if (!storage) {
        const SymInt needed = storage_bytes_needed(meta);
        const bool own = users[t.storage] == 1 && storage_bytes_needed(t.meta).as_int() == t.nbytes;
        storage = Storage::make_fake(own ? needed : SymInt(t.nbytes), t.meta.device);
      }
      storages_.push_back(storage);
      tensors_.push_back(mode_.make_on(storage, std::move(meta)));
    }
  }

  std::optional<int64_t> value(SymInt v) const {
    if (v.is_int()) return v.as_int();
    return evaluate(v, [this](std::string_view name) {
      const auto at = values_.find(name);
      return at == values_.end() ? std::nullopt : std::optional(at->second);
    });
  }

  /// Gives each symbol that the call created (for a size that depends on data) the recorded size or number.
  void learn(const Values& results) {
    Values flat;
    flatten(results, flat);
    for (size_t k = 0; k < std::min(flat.size(), record_.outcome.results.size()); ++k) {
      const RecordedResult& r = record_.outcome.results[k];
      if (flat[k].is_tensor() && r.kind == RecordedResult::Kind::Tensor) {
        const TensorMeta &made = flat[k].tensor_impl()->meta, &real = r.tensor.meta;
        for (size_t d = 0; made.sizes.size() == real.sizes.size() && d < real.sizes.size(); ++d)
          if (is_bare_symbol(made.sizes[d])) values_.try_emplace(to_string(made.sizes[d]), real.sizes[d].as_int());
      } else if (flat[k].is_symbolic() && r.kind == RecordedResult::Kind::Number) {
        const bool integer = r.number.kind() == Value::Kind::Int && flat[k].kind() == Value::Kind::Int;
        if (integer && is_bare_symbol(flat[k].as_int()))
          values_.try_emplace(to_string(flat[k].as_int()), r.number.as_int64());
      }
    }
  }

  /// True if the guards of the call reduced a symbol of the inputs to this number.
  bool is_pinned(SymInt number) const {
    return std::any_of(symbols_.begin(), symbols_.end(),
                       [&](SymInt s) { return env_->reduced(s).is_identical(number); });
  }

  void count_symbols() {
    SymbolicCounts& n = answer_.counts;
    n.symbols = static_cast<int64_t>(symbols_.size());
    for (SymInt s : symbols_) n.pinned += env_->reduced(s).is_int();
    n.guards = static_cast<int64_t>(env_->guards().size());
    n.asserts = static_cast<int64_t>(env_->asserts().size());
    n.assumptions = static_cast<int64_t>(env_->assumptions().size());
  }

  /// Returns the text of the first guard that is false at the recorded sizes; empty if all guards are true there.
  std::string broken(const std::vector<Guard>& decisions) const {
    for (const Guard& g : decisions) {
      const std::optional<int64_t> is = value(truth_of(g.condition));
      if (is && *is == 0) return g.text;
    }
    return "";
  }

  void conclude(const std::optional<Error>& error, const Values& results) {
    SymbolicCounts& n = answer_.counts;
    const bool raises = !record_.outcome.error.empty();
    if (error && (error->kind == ErrorKind::GuardOnDataDependent || error->kind == ErrorKind::DynamicOutputShape ||
                  error->kind == ErrorKind::DataDependentOutput)) {
      ++n.undecided;
      answer_.undecided = error->message;
      return;
    }
    if (const std::string guard = broken(env_->guards()); !guard.empty())
      return differ(-1, FindingField::Error, "guard " + guard, "sizes at which it does not hold");
    const std::string asserted = broken(env_->asserts()), assumed = broken(env_->assumptions());
    if (!assumed.empty()) {
      ++n.guarded_out;
      return;
    }
    if (raises || error) {
      ++n.results;
      ++n.compared;
      if (raises && !error && asserted.empty()) differ(-1, FindingField::Error, "results", record_.outcome.message);
      if (!raises && error) differ(-1, FindingField::Error, error->message, "results");
      return;
    }
    if (!asserted.empty()) {
      ++n.results;
      ++n.compared;
      return differ(-1, FindingField::Error, "assert " + asserted, "results");
    }
    compare(results);
  }

  void compare(const Values& results) {
    Values flat;
    flatten(results, flat);
    const std::vector<RecordedResult>& recorded = record_.outcome.results;
    if (flat.size() != recorded.size()) {
      return differ(-1, FindingField::Error, fmt::format("{} results", flat.size()),
                    fmt::format("{} results", recorded.size()));
    }
    for (size_t k = 0; k < flat.size(); ++k) {
      if (recorded[k].kind == RecordedResult::Kind::None) continue;
      ++answer_.counts.results;
      compare_result(static_cast<int>(k), flat[k], recorded[k]);
    }
    for (const auto& [i, after] : record_.outcome.after) {
      ++answer_.counts.results;
      compare_tensor(-1, tensors_[static_cast<size_t>(i)], after);
    }
  }

  void compare_result(int k, const Value& v, const RecordedResult& recorded) {
    if (recorded.kind == RecordedResult::Kind::Tensor) {
      if (!v.is_tensor()) return differ(k, FindingField::Error, to_string(v), "a tensor");
      return compare_tensor(k, v.tensor(), recorded.tensor);
    }
    if (!v.is_symbolic()) return;  // a plain number is a value, and values are not compared here
    const std::optional<int64_t> n = v.kind() == Value::Kind::Float ? std::nullopt : value(v.as_int());
    if (!n) return;
    ++answer_.counts.compared;
    const bool same = recorded.number.kind() == Value::Kind::Bool ? recorded.number.as_bool() == (*n != 0)
                                                                  : recorded.number.as_int64() == *n;
    if (!same) differ(k, FindingField::Value, to_string(v), to_string(recorded.number));
  }

  void compare_tensor(int k, const Tensor& t, const RecordedTensor& recorded) {
    TensorMeta meta = t.meta();
    for (DimVec* list : {&meta.sizes, &meta.strides}) {
      for (SymInt& s : *list) {
        const std::optional<int64_t> n = value(s);
        if (!n) return;  // the record gives no value for a symbol in the expression
        s = *n;
      }
    }
    const std::optional<int64_t> offset = value(meta.offset);
    if (!offset) return;
    meta.offset = *offset;
    SymbolicCounts& n = answer_.counts;
    ++n.compared;
    for (size_t d = 0; d < meta.sizes.size(); ++d) {
      if (meta.sizes[d].as_int() <= 1) continue;
      const SymInt said = t.sizes()[d];
      const bool given = said.is_int() && !is_pinned(said);
      n.given += given;
      n.sizes += !given;
      n.kept += !given && env_->reduced(said).is_symbolic();
    }
    OutcomeLeaf mine = leaf_of(meta), theirs = leaf_of(recorded.meta);
    mine.place = first_argument([&](size_t i) { return storages_[i] == t.storage(); });
    theirs.place = first_argument([&](size_t i) { return record_.tensors[i].storage == recorded.storage; });
    const LeafDiff differs = ersatz::compare(mine, theirs);
    if (const MetaFields fields = differs.meta.significant; !fields.empty()) {
      differ(k, field_of(fields.first()), fmt::format("{} ({})", meta, t.meta()), to_string(recorded.meta));
    } else if (differs.place) {
      // If one of the two results shares storage with an argument and the other does not, `at` is that argument. If
      // both do, `at` is the smaller argument number.
      const auto first = [](int a, int b) { return a < 0 ? b : b < 0 ? a : std::min(a, b); };
      const int at = first(mine.place->same_storage, theirs.place->same_storage);
      const auto words = [at](const OutcomeLeaf& leaf) {
        return leaf.place->same_storage == at ? fmt::format("on the storage of tensor {}", at) : "its own storage";
      };
      differ(k, FindingField::Alias, words(mine), words(theirs));
    }
  }

  /// The first tensor argument that the result shares storage with, as AliasPlace.
  template <class Shares>
  AliasPlace first_argument(const Shares& shares) const {
    AliasPlace place;
    for (size_t i = tensors_.size(); i-- > 0;) {
      if (shares(i)) place.same_storage = static_cast<int>(i);
    }
    return place;
  }

  void differ(int k, FindingField field, std::string predicted, std::string observed) {
    if (answer_.counts.compared == 0) answer_.counts.compared = answer_.counts.results = 1;
    ++answer_.counts.mismatched;
    if (answer_.finding) return;
    Finding f;
    f.node = record_.id;
    f.op = op_.name;
    f.result = k;
    f.field = field;
    f.predicted = std::move(predicted);
    f.observed = std::move(observed);
    f.witness = Witness::Eager;
    f.verdict = fmt::format("with {} symbols", name(kind_));
    for (const Tensor& t : tensors_) f.args.push_back(to_string(t.meta()));
    answer_.finding = std::move(f);
  }

  const OpEntry& op_;
  const CallRecord& record_;
  const SymbolKind kind_;
  std::shared_ptr<ShapeEnv> env_;
  FakeMode mode_;
  std::vector<Tensor> tensors_;
  std::vector<Ref<Storage>> storages_;  // storages of `tensors_`, taken before the call
  std::vector<SymInt> symbols_;
  std::map<std::string, int64_t, std::less<>> values_;
  SymbolicAnswer answer_;
};

}  // namespace

std::string_view name(SymbolKind k) { return k == SymbolKind::Backed ? "backed" : "unbacked"; }

void SymbolicCounts::add(const SymbolicCounts& o) {
  calls += o.calls;
  results += o.results;
  compared += o.compared;
  mismatched += o.mismatched;
  sizes += o.sizes;
  given += o.given;
  kept += o.kept;
  symbols += o.symbols;
  pinned += o.pinned;
  guards += o.guards;
  asserts += o.asserts;
  assumptions += o.assumptions;
  undecided += o.undecided;
  guarded_out += o.guarded_out;
}

SymbolicAnswer ask_with_symbols(const OpEntry& op, const CallRecord& record, SymbolKind kind) {
  return SymbolicCall(op, record, kind).run();
}

}  // namespace ersatz::tools
