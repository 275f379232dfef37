// Helpers for tests of crosscheck: functions that crosscheck one call with real arguments and return the report.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/crosscheck/crosscheck.h"
#include "tests/fake/test_ops.h"

namespace ersatz {

struct Checked {
  Report report;
  CallOutcome outcome;
};

Checked check_call(const OpEntry& op, std::vector<Value> real, std::vector<ResultFacts> facts = {},
                   CrosscheckOptions options = {}, std::optional<ErrorFact> error = std::nullopt,
                   const std::function<void(CallSite&)>& change = {});

/// Returns the facts of an eager run of another system about one result.
std::vector<ResultFacts> eager(const char* meta, AliasFact alias = {});

/// Lets a test change the rule, CPU kernel or declarations of a registered op, and restores them at the end of the
/// scope.
class Planted {
 public:
  explicit Planted(std::string_view op);
  ~Planted();
  Planted(const Planted&) = delete;
  Planted& operator=(const Planted&) = delete;

  OpEntry& entry;
  const Rule rule;
  const FillKernel kernel;

 private:
  std::vector<uint16_t> written_;
};

/// Succeeds if results were compared and there is no finding. A report without compared results fails.
testing::AssertionResult passes(const Report& report);

/// Succeeds if there is exactly one finding, with this op and field.
testing::AssertionResult one_finding(const Report& report, std::string_view op, FindingField field);

}  // namespace ersatz
