// The data of one checked call that the functions of judge.h read: the prediction, the observation and the evidence.
//
// Tensor arguments and results are flat lists: each element of a list argument or list result is an item of its own.
#pragma once

#include "fake/crosscheck/cpu_run.h"
#include "fake/crosscheck/watched_call.h"
#include "fake/mode/answer.h"
#include "fake/watch/alias_map.h"

namespace ersatz {

/// The fake run or the real run of a call.
struct CallSide {
  explicit CallSide(Values& r) : results(r) {}

  Values& results;                    ///< one per schema return; empty if the run raised an error
  InlineVec<TensorImpl*, 4> tensors;  ///< the tensor arguments, including elements of lists
  InlineVec<TensorMeta, 3> metas;     ///< metadata of `tensors` before the call; empty if the call cannot change them
  std::optional<Error> error;         ///< the error that the run raised
  std::exception_ptr exception;       ///< the exception that the run threw, of which `error` is a copy
  std::span<const Value> flat;        ///< the results, including elements of lists; empty until both runs have ended
  AliasMap places;                    ///< for each result, the earlier tensor that it is or shares storage with
                                      ///< (alias_map.h)
  Values leaves;                      ///< owns the elements of `flat` if results are lists
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
        watched(options, buffers, op, real, site.evidence.results) {}

  struct Argument {
    TensorImpl* fake = nullptr;
    TensorImpl* real = nullptr;
    uint32_t fake_version = 0, real_version = 0;
    const Storage *fake_storage = nullptr, *real_storage = nullptr;
    int64_t real_nbytes = 0;  ///< bytes of the real argument's storage before the call
  };

  const OpEntry& op;
  const CallSite& site;
  const Evidence& evidence = site.evidence;
  const CrosscheckOptions& options;
  const FakeMode& mode;
  std::span<const Value> fake_args, real_args;
  InlineVec<Argument, 4> arguments;
  CallSide predicted, observed;
  Answer answer;                       ///< the fake mode's answer, whose results are the prediction
  WatchedCall watched;                 ///< the real run, and the memory faults that it found
  std::optional<CpuRun> cpu_run;       ///< the CPU run of a call on a GPU
  Values cpu_flat, reference_flat;     ///< results of `cpu_run` and of its run in f64, including elements of lists
  std::vector<ResultFacts> own_facts;  ///< a copy of the ResultFacts of `site.evidence`, changed for this call; empty:
                                       ///< those of `site.evidence` are used unchanged
  bool no_kernel = false;              ///< the real run found no kernel, so its results are not compared
  std::vector<std::string> spelled;    ///< texts of the arguments, set by `CheckedCall::refuse`

  /// Returns whether there is a real run to compare. If its kernel is missing, the prediction is compared only with the
  /// evidence of `site`.
  bool has_real() const { return options.run_real && !no_kernel; }
  /// Returns whether the values of results are meaningless, because they were computed from a placeholder or the kernel
  /// did not run.
  bool tainted() const { return site.tainted || watched.tainted; }
  std::span<const Value> flat() const { return has_real() ? observed.flat : predicted.flat; }
  const AliasMap& places() const { return has_real() ? observed.places : predicted.places; }
  std::span<const ResultFacts> all_facts() const {
    return own_facts.empty() ? evidence.results : std::span<const ResultFacts>(own_facts);
  }
  const ResultFacts& facts(size_t k) const {
    static const ResultFacts none;
    const std::span<const ResultFacts> all = all_facts();
    return k < all.size() ? all[k] : none;
  }
  /// Returns a copy of the ResultFacts of `site`, which may be changed for this call. REQUIRES: `site` has some.
  std::vector<ResultFacts>& change_facts() {
    if (own_facts.empty()) own_facts.assign(evidence.results.begin(), evidence.results.end());
    return own_facts;
  }
  bool may_change_metas() const {
    return !op.written.empty() || op.schema.is_mutable() || op.tags.has(Tag::InplaceView) || !op.rule;
  }
  /// Returns the number of results that the call would have returned if it had not failed.
  int64_t expected_results() const {
    return static_cast<int64_t>(std::max(evidence.results.size(), op.schema.returns.size()));
  }
};

}  // namespace ersatz
