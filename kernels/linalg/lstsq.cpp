#include "kernels/linalg/lstsq.h"

#include "kernels/linalg/column_major.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/resize.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_lstsq {

ReturningKernel run_cpu;

std::optional<LstsqDriver> lstsq_driver(const Value& name, DeviceType device) {
  if (name.is_none()) return device == DeviceType::CUDA ? LstsqDriver::Gels : LstsqDriver::Gelsy;
  std::string lower(name.as_string());
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::string_view kNames[] = {"gels", "gelsy", "gelsd", "gelss"};
  for (size_t i = 0; i < (device == DeviceType::CUDA ? 1 : std::size(kNames)); ++i) {
    if (lower == kNames[i]) return static_cast<LstsqDriver>(i);
  }
  return std::nullopt;
}

bool are_vectors(const TensorMeta& a, const TensorMeta& b) {
  return b.dim() == 1 || (a.dim() == b.dim() + 1 && same_sizes(leading_sizes(a.sizes, 1), b.sizes));
}

namespace {

void rule(RuleCall& call) {
  const TensorMeta &a = call.meta(kLstsq["self"]), &b = call.meta(kLstsq["b"]);
  call.require(a.dim() >= 2 && b.dim() >= 1, "C1", "expects matrices: A is {}, b is {}", a, b);
  call.require(a.dtype == b.dtype, "C2", "expects A and b of one dtype: they are {} and {}", a, b);
  const bool one_less = a.dim() == b.dim() + 1, vectors = are_vectors(a, b);
  call.require(one_less || a.dim() == b.dim(), "C3", "b must have the dims of A or one less: A is {}, b is {}", a, b);
  const SymInt rows = a.sizes[a.sizes.size() - 2], columns = a.sizes.back();
  DimVec sizes =
      broadcast_batches(call, "C4", a, leading_sizes(a.sizes, 2), b, leading_sizes(b.sizes, one_less ? 1 : 2));
  call.require(check_eq(b.sizes[b.sizes.size() - (vectors ? 1 : 2)], rows), "C4",
               "A and b must have as many rows: A is {}, b is {}", a, b);
  call.require(vectors || same_sizes(sizes, broadcast_batches(call, "C4", a, sizes, b, leading_sizes(b.sizes, 2))),
               "C4", "matrices b must broadcast to the batch {}: A is {}, b is {}", sizes, a, b);
  const std::optional<LstsqDriver> driver = lstsq_driver(call[kLstsq["driver"]], call.device.type);
  call.require(driver.has_value(), "C5", "there is no such driver on {}: it must be {}", name(call.device.type),
               call.device.is_cuda() ? "gels" : "gels, gelsy, gelsd or gelss");
  // If rcond is None, ATen computes it from the epsilon of the dtype, and only these dtypes have an epsilon.
  call.require(call.has(kLstsq["rcond"]) || kLapackDTypes.has(a.dtype), "C6",
               "expects f32, f64 or complex numbers: A is {}", a);
  call.require_dtype(a.dtype, kLapackDTypes);
  const SymInt right = vectors ? SymInt(1) : b.sizes.back();
  const bool by_values = driver == LstsqDriver::Gelsd || driver == LstsqDriver::Gelss;
  const auto nothing = [&] { return size_eq(a.numel(), 0) || size_eq(b.numel(), 0); };
  call.require(!by_values || !size_eq(right, 0) || size_eq(a.numel(), 0), "C7",
               "{} needs a column to solve for: b is {}", driver == LstsqDriver::Gelsd ? "gelsd" : "gelss", b);
  const DimVec batch = sizes;
  const DType real = real_dtype(a.dtype);
  const TensorMeta empty(real, DimVec{SymInt(0)}, call.device);

  TensorMeta residuals = empty;
  if (driver != LstsqDriver::Gelsy && guard_gt(rows, columns)) {
    residuals.sizes = batch;
    residuals.sizes.push_back(right);
    if (by_values && !nothing()) {  // gelsd and gelss return all residuals or none, depending on data
      const std::optional<SymInt> n = batch.empty() ? call.size_of_data({.max = right}) : std::nullopt;
      if (!n) return;
      residuals.sizes = DimVec{*n};
    }
    residuals = TensorMeta(real, residuals.sizes, call.device);
  }

  // The solution is a view: the first `columns` rows of a buffer with max(rows, columns) rows.
  sizes.push_back(sym_max(rows, columns));
  if (!vectors) sizes.push_back(right);
  TensorMeta solution =
      vectors ? TensorMeta(a.dtype, sizes, call.device) : column_major_meta(a.dtype, sizes, call.device);
  solution.sizes[batch.size()] = columns;
  call.out.fresh(std::move(solution));
  call.out.fresh(std::move(residuals));
  call.out.fresh(driver == LstsqDriver::Gels ? TensorMeta(DType::I64, empty.sizes, call.device)
                                             : TensorMeta(DType::I64, leading_sizes(a.sizes, 2), call.device));
  DimVec values = leading_sizes(a.sizes, 2);  // the batch of A itself, which may be smaller than the broadcast batch
  values.push_back(sym_min(rows, columns));
  call.out.fresh(by_values ? TensorMeta(real, values, call.device) : empty);
}

/// True if ATen copies the result to `out`: the dtypes differ, or `out` is not empty and has other sizes.
bool is_copied(const Tensor& out, const Tensor& result) {
  return out.dtype() != result.dtype() || (size_ne(out.numel(), 0) && !same_sizes(out.sizes(), result.sizes()));
}
/// Resizes `out` to the sizes of `result`. An empty `out` gets the strides of `result` too, unless ATen copies the
/// results (`copied`). Otherwise a resized `out` becomes row-major.
void lay_out(const Tensor& out, const Tensor& result, bool copied) {
  if (size_eq(out.numel(), 0) && !copied) {
    const auto width = static_cast<int64_t>(item_size(out.dtype()));
    const SymInt room[] = {floor_div(storage_bytes_needed(result.meta()), width)};
    ops::resize_(out, room);
    call_op<"aten.as_strided_.default">(out, result.sizes(), result.strides(), Value());
  } else if (!same_sizes(out.sizes(), result.sizes())) {
    ops::resize_(out, result.sizes());
  }
}

/// Raises [linalg_lstsq.out_dtype] unless each result for matrices of dtype `dtype` can be cast to its `out` argument.
void require_castable(const CompositeCall& call, DType dtype) {
  const DType results[] = {dtype, real_dtype(dtype), DType::I64, real_dtype(dtype)};
  for (size_t i = 0; i < std::size(results); ++i) {
    const TensorMeta& out = call.tensor(kLstsq.out() + i).meta();
    call.require(can_cast(results[i], out.dtype), "out_dtype", "the result of dtype {} does not fit {}",
                 name(results[i]), out);
  }
}

void write(CompositeCall& call) {
  const size_t inputs = kLstsq.out();
  const DType dtype = call.tensor(kLstsq["self"]).dtype();
  Values results;
  try {
    dispatch(op_entry<"aten.linalg_lstsq.default">(), call.args.first(inputs), results);
  } catch (const Error& e) {
    // ATen checks the dtypes of `out` before it looks for a kernel
    if (e.kind == ErrorKind::NotSupported) require_castable(call, dtype);
    throw;
  }
  require_castable(call, dtype);
  // Result 1, the residuals, never decides whether results are copied. Result 3, the singular values, decides only if
  // it has elements.
  bool copied = false;
  for (size_t i : {0, 2, 3}) {
    if (i < 3 || size_ne(results[i].tensor().numel(), 0))
      copied = copied || is_copied(call.tensor(inputs + i), results[i].tensor());
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const Tensor out = call.tensor(inputs + i), result = results[i].tensor();
    // if `written` is false, `out` stays unchanged
    const bool written = copied || size_ne(result.numel(), 0) || size_eq(out.numel(), 0);
    if (written) lay_out(out, result, copied);
    if (written) ops::copy_(out, result);
    call.returns(call.args[inputs + i]);
  }
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kLstsq)
                    .tag(Tag::DataDependent | Tag::FailsOnValues)
                    .with_rule(rule)
                    .cpu_returns(run_cpu)
                    .sample("f32[2,4,3], f32[2,4,2]")
                    .sample("f64[3,2], f64[3], driver=\"gelss\"")
                    .sample("f32[2,2,4], f32[2,2], 0.01, driver=\"gelsd\"")
                    .refuses("C1", "f32[3], f32[3]")
                    .refuses("C2", "f32[3,2], f64[3]")
                    .refuses("C3", "f32[3,2], f32[1,3,2]")
                    .refuses("C4", "f32[3,2], f32[2]")
                    .refuses("C5", "f32[3,2], f32[3], driver=\"gesv\"")
                    .refuses("C6", "f16[3,2], f16[3]")
                    .refuses("C7", "f32[3,2], f32[3,0], driver=\"gelsd\"");
  r.add_out_alike(op, "out", {"solution", "residuals", "rank", "singular_values"})
      .with_rule(nullptr)
      .tag(Tag::DataDependent | Tag::FailsOnValues)
      .with_composite(write)
      .sample("f32[4,3], f32[4,2], solution=f32[0], residuals=f32[0], rank=i64[0], singular_values=f32[0]")
      .refuses("out_dtype",
               "f32[4,3], f32[4,2], solution=i64[0], residuals=f32[0], rank=i64[0], singular_values=f32[0]");
}

}  // namespace ersatz::op_lstsq
