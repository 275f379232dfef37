// What op tests say: metadata, values, sharing, refusals.
//
//   expect(ops::t(ramp("f32[2,3]"))).meta("f32[3,2]{1,3}+0@cpu").values({0, 3, 1, 4, 2, 5});
//   expect_refused([&] { ops::t(cube); }, ErrorFamily::Runtime, "t.C1");
#pragma once

#include <gtest/gtest.h>

#include <numeric>

#include "runtime/dispatch.h"
#include "runtime/layout.h"
#include "runtime/meta_text.h"
#include "runtime/sym_expr.h"

namespace ersatz::test {

/// Metadata without a device is the CPU's.
inline TensorMeta geometry(std::string_view text, ShapeEnv* env = nullptr) {
  std::string full(text);
  if (full.find('@') == full.npos) full += "@cpu";
  return parse_meta(full, env);
}

/// A CPU tensor of that metadata whose elements count 0, 1, 2, ... in row-major order (their storage is 0 elsewhere).
inline Tensor ramp(std::string_view meta_text) {
  TensorMeta meta = geometry(meta_text);
  Tensor t = make_real_tensor(meta);
  if (t.storage()->nbytes().as_int() > 0) std::memset(t.storage()->data(), 0, t.storage()->nbytes().as_int());
  std::vector<double> values(meta.numel().as_int());
  std::iota(values.begin(), values.end(), 0.0);
  if (!values.empty()) {
    const Tensor dense = tensor_from_values(meta.dtype, values, meta.sizes);
    call("aten.copy_.default", {Value(t), Value(dense)});
  }
  return t;
}

/// A tensor of metadata only, for rules: sizes may be symbols of `env`.
inline Tensor shape_only(std::string_view meta_text, ShapeEnv* env = nullptr) {
  TensorMeta meta = geometry(meta_text, env);
  Ref<Storage> storage = Storage::make_fake(storage_bytes_needed(meta), meta.device);
  return Tensor(std::move(meta), std::move(storage));
}

/// What the rule of `op` answers for output `i`, in full spelling.
inline std::string rule_answer(std::string_view op, std::vector<Value> positional,
                               std::vector<std::pair<std::string, Value>> keywords = {}, size_t i = 0) {
  const OpEntry& entry = op_named(op);
  std::vector<Value> args = bind_arguments(entry.schema, positional, keywords);
  RuleResult result;
  run_rule(entry, args, result);
  return to_string(result.outputs[i].meta);
}

inline Value ints(std::initializer_list<int64_t> v) { return Value::int_list({v.begin(), v.size()}); }
/// Sizes as arguments of typed functions.
inline DimVec dims(std::initializer_list<int64_t> v) {
  DimVec d;
  for (int64_t x : v) d.push_back(x);
  return d;
}

inline std::vector<double> values_of(const Tensor& t) {
  Tensor flat = make_real_tensor(TensorMeta(DType::F64, t.sizes()));
  call("aten.copy_.default", {Value(flat), Value(t)});
  const int64_t n = flat.numel().as_int();
  return std::vector<double>(flat.data<double>(), flat.data<double>() + n);
}

class Expect {
 public:
  explicit Expect(Tensor t) : tensor_(std::move(t)) {}
  /// The full spelling: dtype[sizes]{strides}+offset@device.
  const Expect& meta(std::string_view full) const {
    EXPECT_EQ(to_string(tensor_.meta()), full);
    return *this;
  }
  /// Row-major, as double.
  const Expect& values(std::vector<double> expected) const {
    EXPECT_EQ(values_of(tensor_), expected);
    return *this;
  }
  const Expect& shares(const Tensor& other) const {
    EXPECT_TRUE(tensor_.shares_storage(other));
    EXPECT_FALSE(tensor_.is(other));
    return *this;
  }
  const Expect& is(const Tensor& other) const {
    EXPECT_TRUE(tensor_.is(other));
    return *this;
  }
  const Expect& fresh(const Tensor& other) const {
    EXPECT_FALSE(tensor_.shares_storage(other));
    return *this;
  }

 private:
  Tensor tensor_;
};
inline Expect expect(Tensor t) { return Expect(std::move(t)); }

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

}  // namespace ersatz::test
