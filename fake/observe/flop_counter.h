// Counts the floating point operations of calls, with the formulas OpEntry::flops.
//
//   FlopCounter counter;
//   {
//     ModeGuard guard(counter);
//     FakeScope scope(mode);      // optional: real calls give the same counts
//     model(x);
//   }
//   counter.total(); counter.by_op(); counter.unknown();
//
// A multiplication and an addition are two operations: `mm` of [m,k] and [k,n] is 2*m*k*n. Views, copies and factories
// count 0; elementwise ops count one operation per element of the result. An op without a formula is listed in
// `unknown` and not counted. One thread at a time may use a counter.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "fake/observe/call_observer.h"

namespace ersatz {

/// Returns the number of operations of a call that succeeded. It is symbolic if the sizes are. Nullopt: the op has no
/// formula, or the number does not fit into 63 bits.
std::optional<SymInt> flops_of(const OpEntry& op, std::span<const Value> args);

class FlopCounter final : public CallObserver {
 public:
  FlopCounter();
  ~FlopCounter() override;
  std::string_view mode_name() const override { return "flop counter"; }

  /// Returns the number of operations of all calls. Symbolic numbers are evaluated at the hints of their symbols.
  double total() const;
  /// Returns the number of operations by op name.
  const std::map<std::string, double>& by_op() const;
  /// Returns, by op name, the number of calls that were not counted: calls of ops without a formula, and calls with
  /// symbolic sizes without a hint.
  const std::map<std::string, int64_t>& unknown() const;

 private:
  void answered(const OpEntry& op, std::span<const Value> args, std::span<const Value> results) override;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ersatz
