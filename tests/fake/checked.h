// One call under crosscheck, for tests: real arguments in, the report out.
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

/// What an eager run of another system says of one result.
std::vector<ResultFacts> eager(const char* meta, AliasFact alias = {});

/// Replaces rule, CPU kernel or declarations of a registered op until the end of the scope.
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

/// Something was compared, and nothing was found. A crosscheck that compares nothing has passed nothing.
testing::AssertionResult passes(const Report& report);

/// Exactly one finding, of this op and field.
testing::AssertionResult one_finding(const Report& report, std::string_view op, FindingField field);

}  // namespace ersatz
