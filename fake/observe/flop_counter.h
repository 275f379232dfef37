// How much work calls are: floating point operations, by the formulas of the ops' entries.
//
//   FlopCounter counter;
//   {
//     ModeGuard guard(counter);
//     FakeScope scope(mode);      // or none: real calls count the same
//     model(x);
//   }
//   counter.total(); counter.by_op(); counter.unknown();
//
// A multiplication and an addition are two operations: `mm` of [m,k] and [k,n] is 2*m*k*n. Views, copies and factories
// are 0, elementwise ops one per element. An op without a formula is listed, never counted as 0.
// One thread at a time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "fake/observe/call_observer.h"

namespace ersatz {

/// Operations of a call that was answered, an expression where its sizes are; empty where there is no formula or the
/// count does not fit 63 bits.
std::optional<SymInt> flops_of(const OpEntry& op, std::span<const Value> args);

class FlopCounter final : public CallObserver {
 public:
  FlopCounter();
  ~FlopCounter() override;
  std::string_view mode_name() const override { return "flop counter"; }

  /// Under the hints of the symbols.
  double total() const;
  /// Operations by op; an op that needs none is listed with 0.
  const std::map<std::string, double>& by_op() const;
  /// Calls by op for which there is no formula, or sizes without a hint.
  const std::map<std::string, int64_t>& unknown() const;

 private:
  void answered(const OpEntry& op, std::span<const Value> args, std::span<const Value> results) override;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
