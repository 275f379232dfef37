// One checked call as the input of its judges: the prediction, the observed results, and the outside evidence.
//
// Flat indices: tensor arguments in order, lists flattened; results in the same way.
#pragma once

#include "fake/crosscheck/cpu_run.h"
#include "fake/crosscheck/watched_call.h"
#include "fake/mode/answer.h"
#include "fake/watch/alias_map.h"

namespace ersatz {

/// The fake or the real run of the call.
struct CallSide {
  explicit CallSide(Values& r) : results(r) {}

  Values& results;                    ///< one per schema return; empty if it raised
  InlineVec<TensorImpl*, 4> tensors;  ///< among the arguments, flat
  InlineVec<TensorMeta, 3> metas;     ///< of `tensors` before the call; empty where they have not changed
  std::optional<Error> error;         ///< what it raised
  std::exception_ptr exception;       ///< the same, as it was thrown
  std::span<const Value> flat;        ///< the results; empty before both sides have run
  AliasMap places;                    ///< the storages of the results
  Values leaves;                      ///< `flat` views these where results are lists
};

struct CallCase {
  CallCase(Crosscheck& check, const FakeMode& mode, CopyBuffers& buffers, const OpEntry& op, const CallSite& site,
           std::span<const Value> fake, std::span<const Value> real, CallOutcome& outcome)
      : op(op),
        site(site),
        options(check.options()),
        mode(mode),
        fake_args(fake),
        real_args(real),
        predicted(outcome.fake),
        observed(outcome.real),
        watched(options, buffers, op, real, site.testimony.results) {}

  struct Argument {
    TensorImpl* fake = nullptr;
    TensorImpl* real = nullptr;
    uint32_t fake_version = 0, real_version = 0;
    const Storage *fake_storage = nullptr, *real_storage = nullptr;
    int64_t real_nbytes = 0;  ///< of the storage, before the call
  };

  const OpEntry& op;
  const CallSite& site;
  const Testimony& testimony = site.testimony;
  const CrosscheckOptions& options;
  const FakeMode& mode;
  std::span<const Value> fake_args, real_args;
  InlineVec<Argument, 4> arguments;
  CallSide predicted, observed;
  Answer answer;                       ///< of the fake mode; its results are the predicted ones
  WatchedCall watched;                 ///< the real run, and the faults that its memory showed
  std::optional<CpuRun> cpu_run;       ///< of a call on another device
  Values cpu_flat, reference_flat;     ///< its results
  std::vector<ResultFacts> own_facts;  ///< the site's without those that do not hold for this call; empty: they all do
  bool no_kernel = false;              ///< the real side has no kernel and is not compared
  std::vector<std::string> spelled;    ///< arguments of a call that was refused without complete ones

  /// Is there a real side to compare? If its kernel is missing, only the prediction is compared with the outside
  /// evidence.
  bool has_real() const { return options.run_real && !no_kernel; }
  /// Are the values of results meaningless?
  bool tainted() const { return site.tainted || watched.tainted; }
  std::span<const Value> flat() const { return has_real() ? observed.flat : predicted.flat; }
  const AliasMap& places() const { return has_real() ? observed.places : predicted.places; }
  std::span<const ResultFacts> all_facts() const {
    return own_facts.empty() ? testimony.results : std::span<const ResultFacts>(own_facts);
  }
  const ResultFacts& facts(size_t k) const {
    static const ResultFacts none;
    const std::span<const ResultFacts> all = all_facts();
    return k < all.size() ? all[k] : none;
  }
  /// Returns the facts for changes that apply to this call only. REQUIRES: the site has facts.
  std::vector<ResultFacts>& change_facts() {
    if (own_facts.empty()) own_facts.assign(testimony.results.begin(), testimony.results.end());
    return own_facts;
  }
  bool may_change_metas() const {
    return !op.written.empty() || op.schema.is_mutable() || op.tags.has(Tag::InplaceView) || !op.rule;
  }
  /// For a call that failed: returns the number of results that it would have had.
  int64_t expected_results() const {
    return static_cast<int64_t>(std::max(testimony.results.size(), op.schema.returns.size()));
  }
};

}  // namespace ersatz
