// Helpers for tests of views, copies and factories, in addition to op_test.h: counting tensors, size lists, errors with
// family, and rules without a run.
#pragma once

#include <numeric>

#include "runtime/op/dispatch.h"
#include "runtime/sym/sym_expr.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"
#include "tests/ops/op_test.h"

namespace ersatz {

/// A tensor with this metadata whose elements are 0, 1, 2, ... in row-major order.
inline Tensor ramp(std::string_view meta) {
  std::vector<double> values(parse_meta(meta).numel().as_int());
  std::iota(values.begin(), values.end(), 0.0);
  return make(meta, std::move(values));
}

/// A tensor with metadata only; its sizes may be symbols of `env`.
inline Tensor shape_only(std::string_view text, ShapeEnv* env = nullptr) {
  TensorMeta meta = parse_meta(text, env);
  Ref<Storage> storage = Storage::make_fake(storage_bytes_needed(meta), meta.device);
  return Tensor(std::move(meta), std::move(storage));
}

/// The metadata that the rule of `op` predicts for its first output, in full spelling.
inline std::string rule_answer(std::string_view op, std::vector<Value> positional,
                               std::vector<std::pair<std::string, Value>> keywords = {}) {
  const OpEntry& entry = op_named(op);
  std::vector<Value> args = bind_arguments(entry.schema, positional, keywords);
  RuleResult result;
  run_rule(entry, args, result);
  return to_string(result.outputs[0].meta);
}

inline Value ints(std::initializer_list<int64_t> v) { return Value::int_list({v.begin(), v.size()}); }
/// Sizes as an argument of typed functions.
inline DimVec dims(std::initializer_list<int64_t> v) {
  DimVec d;
  for (int64_t x : v) d.push_back(x);
  return d;
}

/// Expects that `f` raises an error with this family and label.
template <class F>
void expect_refused(F&& f, ErrorFamily family, std::string_view label) {
  try {
    f();
    ADD_FAILURE() << "nothing was refused, expected [" << label << "]";
  } catch (const Error& e) {
    EXPECT_EQ(e.label, label) << e.message;
    EXPECT_EQ(name(e.family), name(family)) << e.message;
  }
}

}  // namespace ersatz
