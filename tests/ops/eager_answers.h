// Calls as rows of text with the results of PyTorch eager.
#pragma once

#include "runtime/op/dispatch.h"
#include "runtime/op/sample.h"
#include "tests/ops/op_test.h"

namespace ersatz {

/// The metadata of a result, or the label of the call's error.
struct EagerAnswer {
  std::string_view op, arguments, answer;
  size_t result = 0;
};

inline Values results_of(const EagerAnswer& a) {
  const OpEntry& op = op_named(a.op);
  Values results;
  dispatch(op, sample_arguments(op, a.arguments, -2, 2), results);
  return results;
}

inline void expect_answers(std::initializer_list<EagerAnswer> answers) {
  for (const EagerAnswer& a : answers) {
    SCOPED_TRACE(fmt::format("{}({})", a.op, a.arguments));
    try {
      expect(results_of(a)[a.result].tensor()).meta(a.answer);
    } catch (const Error& e) {
      EXPECT_EQ(e.label, a.answer) << e.message;
    }
  }
}

}  // namespace ersatz
