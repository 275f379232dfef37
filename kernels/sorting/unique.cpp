#include "kernels/sorting/unique.h"

#include "kernels/indexing/found_output.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_unique {

ReturningKernel elements_cpu, slices_cpu, runs_cpu, values_and_inverse_cpu;

namespace {

// Returns the number of unique elements, which depends on data. It is at least 1 if there are elements.
std::optional<SymInt> count_of(const RuleCall& call, SymInt among, MemoSlot memo) {
  static constexpr Schemas kArgs{kUnique2, kUnique, kUniqueConsecutive, kUniqueDim};
  const int64_t least = among.is_int() && among.as_int() > 0 ? 1 : 0;
  return call.size_of_data({.min = least, .max = among, .memo = memo, .of = call.tensor(kArgs["self"])});
}

TensorMeta vector_of(const RuleCall& call, DType dtype, SymInt size) {
  return TensorMeta(dtype, std::span(&size, 1), call.device);
}

/// Adds the outputs values and inverse for unique elements. An inverse that is not requested is empty. Returns false if
/// the number of unique elements is unknown, because it depends on data.
bool find_elements(RuleCall& call, MemoSlot memo, bool inverse, SymInt& count) {
  static constexpr Schemas kArgs{kUnique2, kUnique, kUniqueConsecutive};
  const TensorMeta& self = call.meta(kArgs["self"]);
  call.require_dtype(self.dtype, kReals | kBool);
  const std::optional<SymInt> n = count_of(call, self.numel(), memo);
  if (!n) return false;
  count = *n;
  call.out.fresh(vector_of(call, self.dtype, count));
  call.out.fresh(inverse ? TensorMeta(DType::I64, self.sizes, call.device) : vector_of(call, DType::I64, 0));
  return true;
}

void elements_rule(RuleCall& call) {
  SymInt n;
  if (find_elements(call, MemoSlot::Unique, call.boolean(kUnique2["return_inverse"]), n))
    call.out.fresh(vector_of(call, DType::I64, call.boolean(kUnique2["return_counts"]) ? n : SymInt(0)));
}

void values_and_inverse_rule(RuleCall& call) {
  SymInt n;
  find_elements(call, MemoSlot::Unique, call.boolean(kUnique["return_inverse"]), n);
}

/// Adds the outputs for unique slices. In memory, the slices of values follow each other. Inverse and counts are
/// computed even if they are not requested.
void name_slices(RuleCall& call, int64_t dim) {
  static constexpr Schemas kArgs{kUniqueDim, kUniqueConsecutive};
  const TensorMeta& self = call.meta(kArgs["self"]);
  const auto at = static_cast<size_t>(call.wrap_dim(dim, self.dim()));
  const std::optional<SymInt> n = count_of(call, self.sizes[at], MemoSlot::None);
  if (!n) return;
  TensorMeta& values = call.out.fresh(TensorMeta(self.dtype, self.sizes, call.device));
  values.sizes[at] = *n;
  SymInt step = 1;
  for (size_t d = values.sizes.size(); d-- > 0;) {
    if (d == at) continue;
    values.strides[d] = step;
    step *= sym_max(values.sizes[d], 1);
  }
  values.strides[at] = step;
  call.out.fresh(vector_of(call, DType::I64, self.sizes[at]));
  call.out.fresh(vector_of(call, DType::I64, *n));
}

void require_slices(const RuleCall& call, int64_t given) {
  static constexpr Schemas kArgs{kUniqueDim, kUniqueConsecutive};
  const TensorMeta& self = call.meta(kArgs["self"]);
  call.require_dtype(self.dtype, kReals | kBool);
  const int64_t dim = call.wrap_dim(given, self.dim());
  call.require_index(self.dim() > 0, "C1", "expects a tensor with dims: self is {}", self);
  for (int64_t d = 0; d < self.dim(); ++d) {
    call.require(d == dim || check_ne(self.sizes[static_cast<size_t>(d)], 0), "C2",
                 "no dim but {} may have size 0: self is {}", dim, self);
  }
}

void slices_rule(RuleCall& call) {
  require_slices(call, call.integer(kUniqueDim["dim"]));
  name_slices(call, call.integer(kUniqueDim["dim"]));
}

// Arguments of the operator: (self, return_inverse, return_counts, dim).
void runs_rule(RuleCall& call) {
  const bool inverse = call.boolean(kUniqueConsecutive["return_inverse"]);
  const bool counts = call.boolean(kUniqueConsecutive["return_counts"]);
  if (!call.has(kUniqueConsecutive["dim"])) {
    SymInt n;
    if (find_elements(call, MemoSlot::UniqueConsecutive, inverse, n))
      call.out.fresh(vector_of(call, DType::I64, counts ? n : SymInt(0)));
    return;
  }
  const int64_t dim = call.integer(kUniqueConsecutive["dim"]);
  require_slices(call, dim);
  const TensorMeta& self = call.meta(kUniqueConsecutive["self"]);
  if (dim != 0 || self.dim() != 1) return name_slices(call, dim);
  SymInt n;  // the slices of a vector are its elements
  if (find_elements(call, MemoSlot::None, inverse, n))
    call.out.fresh(vector_of(call, DType::I64, counts ? n : SymInt(0)));
}

/// The body of an `out=` overload. The output `values` has the input's dtype; other outputs are i64.
void write_results(CompositeCall& call) {
  static constexpr Schemas kArgs{kUnique, kUnique2, kUniqueDim, kUniqueConsecutive};
  const size_t inputs = op_named(fmt::format("aten.{}.default", call.op.base())).schema.arguments.size();
  std::vector<DType> dtypes(call.args.size() - inputs, DType::I64);
  dtypes[0] = call.meta(kArgs["self"]).dtype;
  write_found(call, dtypes);
}

void add_out(Registry& r, const OpEntry& op, std::string sample, double low, double high, std::string refused) {
  r.add_out_alike(op, "out")
      .with_rule(nullptr)
      .with_composite(write_results)
      .sample(std::move(sample), low, high)
      .refuses("out_dtype", std::move(refused));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& elements = r.add(kUnique2)
                          .tag(Tag::DataDependent)
                          .with_rule(elements_rule)
                          .cpu_returns(elements_cpu)
                          .sample("i64[4,5], True, True, True", 0, 4)
                          .sample("f32[6]", 0, 3)
                          .refuses("", "c64[2]");
  OpEntry& slices = r.add(kUniqueDim)
                        .tag(Tag::DataDependent)
                        .with_rule(slices_rule)
                        .cpu_returns(slices_cpu)
                        .sample("i64[6,2], 0", 0, 1)
                        .sample("f32[2,6], 1", 0, 1)
                        .refuses("C1", "f32[], 0")
                        .refuses("C2", "f32[2,0], 0");
  OpEntry& with_inverse = r.add(kUnique)
                              .tag(Tag::DataDependent)
                              .with_rule(values_and_inverse_rule)
                              .cpu_returns(values_and_inverse_cpu)
                              .sample("i64[4,5], True, True", 0, 4)
                              .refuses("", "c64[2]");
  OpEntry& runs = r.add(kUniqueConsecutive)
                      .tag(Tag::DataDependent)
                      .with_rule(runs_rule)
                      .cpu_returns(runs_cpu)
                      .sample("i64[4,5], True, True", 0, 1)
                      .sample("f32[6,2]{1,6}, False, False, 0", 0, 0)
                      .refuses("C1", "f32[], dim=0")
                      .refuses("C2", "f32[2,0], dim=0");
  add_out(r, with_inverse, "f32[2,3], out0=f32[0], out1=i64[0]", -2, 2, "f32[2], out0=f64[2], out1=i64[0]");
  add_out(r, elements, "f32[6], out0=f32[0], out1=i64[0], out2=i64[0]", 0, 0,
          "f32[2], out0=f32[2], out1=i32[0], out2=i64[0]");
  add_out(r, slices, "f32[6,2], 0, out0=f32[0], out1=i64[0], out2=i64[0]", 0, 0,
          "f32[2], 0, out0=f32[2], out1=i32[0], out2=i64[0]");
  add_out(r, runs, "f32[6], out0=f32[0], out1=i64[0], out2=i64[0]", 0, 0,
          "f32[2], out0=f32[2], out1=i32[0], out2=i64[0]");
}

}  // namespace ersatz::op_unique

namespace ersatz::ops {

UniqueResult unique(const Tensor& self, bool return_inverse, bool return_counts) {
  Values r = call_op_all<"aten._unique2.default">(self, true, return_inverse, return_counts);
  return {r[0].take_tensor(), r[1].take_tensor(), r[2].take_tensor()};
}
UniqueResult unique_dim(const Tensor& self, int64_t dim) {
  Values r = call_op_all<"aten.unique_dim.default">(self, dim, true, true, true);
  return {r[0].take_tensor(), r[1].take_tensor(), r[2].take_tensor()};
}
UniqueResult unique_consecutive(const Tensor& self, bool return_inverse, bool return_counts,
                                std::optional<int64_t> dim) {
  Values r = call_op_all<"aten.unique_consecutive.default">(self, return_inverse, return_counts, dim);
  return {r[0].take_tensor(), r[1].take_tensor(), r[2].take_tensor()};
}

}  // namespace ersatz::ops
