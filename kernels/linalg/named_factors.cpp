#include "kernels/linalg/named_factors.h"

#include "kernels/creation/empty.h"
#include "kernels/creation/full.h"
#include "kernels/linalg/column_major.h"
#include "kernels/pointwise/pointwise.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_named_factors {
namespace {

/// An argument of the inner op that is true if the outer op's first argument requires a gradient. The gradient is
/// computed from eigenvectors or singular vectors, so the inner op has to return them even if the caller did not ask
/// for them.
enum class Wanted { Gradient };
/// An argument of the inner op: the outer op's argument at a position, a constant, or Wanted::Gradient.
struct From {
  constexpr From(int position) : at(position) {}
  constexpr From(bool value) : at(-1), constant(value) {}
  constexpr From(Wanted) : at(-1), of_gradient(true) {}
  int at;
  bool constant = false, of_gradient = false;
};
struct Named {
  const Schema& schema;
  std::string_view inner, inner_out;
  std::vector<From> from;
  std::vector<size_t> kept;  ///< indices of the inner op's results that are returned
  /// the operator's name in the error that is raised if the inner op's last result, `info`, is not 0; empty: no check
  std::string_view check = {};
  std::initializer_list<std::string_view> written = {"out"};
  const char* sample;
  const char* out = "out";  ///< the overload name of the `out=` form; null if there is none
};

const Named kAll[] = {
    {kCholesky,
     "aten.linalg_cholesky_ex.default",
     "aten.linalg_cholesky_ex.L",
     {0, 1, false},
     {0},
     "linalg.cholesky",
     {"out"},
     "f32[2,1,1]"},
    {kLuFactor,
     "aten.linalg_lu_factor_ex.default",
     "aten.linalg_lu_factor_ex.out",
     {0, 1, false},
     {0, 1},
     "torch.linalg.lu_factor",
     {"LU", "pivots"},
     "f32[2,1,1]"},
    {kLdlFactor,
     "aten.linalg_ldl_factor_ex.default",
     "aten.linalg_ldl_factor_ex.out",
     {0, 1, false},
     {0, 1},
     "torch.linalg.ldl_factor",
     {"LD", "pivots"},
     "f32[2,1,1]"},
    {kLuWithInfo, "aten.linalg_lu_factor_ex.default", "", {0, 1, false}, {0, 1, 2}, {}, {}, "f32[2,1,1]", nullptr},
    {kDet, "aten._linalg_det.default", "aten._linalg_det.result", {0}, {0}, {}, {"out"}, "f32[2,3,3]"},
    {kSlogdet,
     "aten._linalg_slogdet.default",
     "aten._linalg_slogdet.sign",
     {0},
     {0, 1},
     {},
     {"sign", "logabsdet"},
     "f32[2,3,3]"},
    {kSolveEx,
     "aten._linalg_solve_ex.default",
     "aten._linalg_solve_ex.result",
     {0, 1, 2, 3},
     {0, 3},
     {},
     {"result", "info"},
     "f32[2,1,1], f32[2,1,3]"},
    {kSolve,
     "aten.linalg_solve_ex.default",
     "aten.linalg_solve_ex.out",
     {0, 1, 2, false},
     {0},
     "torch.linalg.solve",
     {"out"},
     "f32[2,1,1], f32[2,1,3]"},
    {kInv,
     "aten.linalg_inv_ex.default",
     "aten.linalg_inv_ex.inverse",
     {0, false},
     {0},
     "linalg.inv",
     {"out"},
     "f32[2,1,1]"},
    {kLuSolve,
     "aten.linalg_lu_solve.default",
     "aten.linalg_lu_solve.out",
     {1, 2, 0, true, false},
     {0},
     {},
     {"out"},
     "f32[1,2], f32[1,1], i32[1]"},
    {kEigh,
     "aten._linalg_eigh.default",
     "aten._linalg_eigh.eigenvalues",
     {0, 1, true},
     {0, 1},
     {},
     {"eigvals", "eigvecs"},
     "f32[2,1,1]",
     "eigvals"},
    {kEigvalsh,
     "aten._linalg_eigh.default",
     "aten._linalg_eigh.eigenvalues",
     {0, 1, Wanted::Gradient},
     {0},
     {},
     {"out"},
     "f32[2,3,3]"},
    {kSvd,
     "aten._linalg_svd.default",
     "aten._linalg_svd.U",
     {0, 1, true, 2},
     {0, 1, 2},
     {},
     {"U", "S", "Vh"},
     "f32[2,1,1]",
     "U"},
    {kSvdvals,
     "aten._linalg_svd.default",
     "aten._linalg_svd.U",
     {0, false, Wanted::Gradient, 1},
     {1},
     {},
     {"out"},
     "f32[2,3]"},
};

Values inner_arguments(const CompositeCall& call, const Named& n) {
  Values args;
  const bool gradient = rule_context().grad_mode && call.meta(size_t{0}).requires_grad;
  for (const From f : n.from) {
    args.push_back(f.of_gradient ? Value(gradient) : f.at < 0 ? Value(f.constant) : call[static_cast<size_t>(f.at)]);
  }
  return args;
}
void check(const CompositeCall& call, const Named& n, const Value& info) {
  if (n.check.empty()) return;
  call_op_all<"aten._linalg_check_errors.default">(info.tensor(), n.check, call.meta(size_t{0}).dim() == 2);
}

template <size_t i>
void run(CompositeCall& call) {
  const Named& n = kAll[i];
  Values results;
  dispatch(op_named(n.inner), inner_arguments(call, n), results);
  check(call, n, results.back());
  for (const size_t k : n.kept) call.returns(results[k]);
}
template <size_t i>
void run_out(CompositeCall& call) {
  const Named& n = kAll[i];
  const OpEntry& inner = op_named(n.inner_out);
  const size_t first_out = call.args.size() - n.kept.size(), inputs = n.from.size();
  const TensorMeta& self = call.meta(n.from[0].at < 0 ? 0 : static_cast<size_t>(n.from[0].at));
  Values args = inner_arguments(call, n);
  for (size_t k = 0; k + inputs < inner.schema.arguments.size(); ++k) {
    const auto at = std::find(n.kept.begin(), n.kept.end(), k);
    if (at != n.kept.end()) {
      args.push_back(call[first_out + static_cast<size_t>(at - n.kept.begin())]);
      continue;
    }
    const std::string_view name = inner.schema.arguments[k + inputs].name;
    const DType dtype = name == "info" || name == "pivots" ? DType::I32 : self.dtype;
    args.push_back(ops::empty(DimVec{SymInt(0)}, {.dtype = dtype, .device = self.device}));
  }
  Values results;
  dispatch(inner, args, results);
  check(call, n, results.back());
  for (size_t k = 0; k < n.kept.size(); ++k) call.returns(call[first_out + k]);
}

void logdet(CompositeCall& call) {
  const Tensor self = call.tensor(kLogdet["self"]);
  require_square(call, self.meta());
  call.require_dtype(self.dtype(), kLapackDTypes);
  const auto [sign, size] = ops::linalg_slogdet(self);
  if (is_complex(self.dtype())) return call.returns(ops::add(ops::log(sign), size));
  const Tensor none = ops::full(DimVec(), Scalar(std::numeric_limits<double>::quiet_NaN()),
                                {.dtype = size.dtype(), .device = size.device()});
  call.returns(call_op<"aten.where.self">(call_op<"aten.eq.Scalar">(sign, Scalar(-1.0)), none, size));
}

template <size_t i>
void add(Registry& r) {
  const Named& n = kAll[i];
  OpEntry& op = r.add(n.schema).tag(Tag::FailsOnValues).with_composite(run<i>).sample(n.sample, 1, 1);
  if (!n.out) return;
  std::string sample = n.sample;
  for (const std::string_view name : n.written)
    sample += fmt::format(", {}={}[0]", name, name == "pivots" || name == "info" ? "i32" : "f32");
  r.add_out_alike(op, n.out, n.written).with_composite(run_out<i>).sample(sample, 1, 1);
}

}  // namespace

void register_ops(Registry& r) {
  [&]<size_t... i>(std::index_sequence<i...>) { (add<i>(r), ...); }
  (std::make_index_sequence<std::size(kAll)>());
  r.add(kLogdet).with_composite(logdet).sample("f32[2,3,3]").refuses("C1", "f32[2]").refuses("C2", "f32[2,3]");
}

}  // namespace ersatz::op_named_factors
