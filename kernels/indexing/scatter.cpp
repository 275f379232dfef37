#include "kernels/indexing/scatter.h"

#include "kernels/shape/scalar_fit.h"
#include "runtime/dispatch.h"
#include "runtime/layout.h"
#include "runtime/meta_text.h"

namespace ersatz::op_scatter {

void scatter_cpu(KernelCall& call);
void scatter_add_cpu(KernelCall& call);
void index_add_cpu(KernelCall& call);

namespace {

bool is_index_dtype(DType t) { return t == DType::I32 || t == DType::I64; }
int64_t rank_of(const TensorMeta& t) { return std::max<int64_t>(t.dim(), 1); }
bool holds_nothing(const TensorMeta& t) {
  for (SymInt s : t.sizes) {
    if (s.is_int() && s.as_int() == 0) return true;
  }
  return false;
}

void check_scatter(const RuleCall& call) {
  const TensorMeta &self = call.meta(0), &index = call.meta(2);
  const int64_t dim = call.wrap_dim(call.integer(1), self.dim());
  const bool from_tensor = call.is_tensor(3);
  if (from_tensor) {
    call.require(call.meta(3).dtype == self.dtype, "C4", "src must have the dtype of self: {} and {}", call.meta(3),
                 self);
  }
  if (holds_nothing(index)) return;
  call.require(is_index_dtype(index.dtype), "C1", "expects an i64 or i32 index: index is {}", index);
  call.require(rank_of(self) == rank_of(index) && (!from_tensor || rank_of(call.meta(3)) == rank_of(index)), "C2",
               "index, src and self must have equal ranks: self is {}, index is {}", self, index);
  for (int64_t d = 0; d < index.dim(); ++d) {
    const size_t at = static_cast<size_t>(d);
    const SymInt of_self = self.dim() > 0 ? self.sizes[at] : SymInt(1);
    call.require(d == dim || sym_eq(index.sizes[at], of_self) || guard_le(index.sizes[at], of_self), "C3",
                 "index must not be larger than self except in dim {}: self is {}, index is {}", dim, self, index);
    if (!from_tensor) continue;
    const SymInt of_src = call.meta(3).dim() > 0 ? call.meta(3).sizes[at] : SymInt(1);
    call.require(sym_eq(index.sizes[at], of_src) || guard_le(index.sizes[at], of_src), "C3",
                 "index must not be larger than src: src is {}, index is {}", call.meta(3), index);
  }
  if (!from_tensor) require_fits(call, call.scalar(3), self.dtype, "C5");
}

void check_index_add(const RuleCall& call) {
  const TensorMeta &self = call.meta(0), &index = call.meta(2), &source = call.meta(3);
  const int64_t dim = call.wrap_dim(call.integer(1), self.dim());
  const size_t at = static_cast<size_t>(dim);
  call.require_index(index.dim() <= 1, "C1", "expects an index of at most one dim: index is {}", index);
  call.require(is_index_dtype(index.dtype), "C1", "expects an i64 or i32 index: index is {}", index);
  call.require(source.dtype == self.dtype, "C2", "source must have the dtype of self: {} and {}", source, self);
  call.require(dim == 0 || dim < source.dim(), "C4", "source has no dim {}: source is {}, self is {}", dim, source,
               self);
  const SymInt slices = source.dim() == 0 ? SymInt(1) : source.sizes[at];
  call.require(guard_eq(index.numel(), slices), "C3", "as many indices as source has slices: index is {}, source is {}",
               index, source);
  DimVec a = self.sizes, b = source.sizes;
  if (!a.empty() && !b.empty()) a.erase(at), b.erase(at);
  call.require(sym_eq(a, b), "C4", "source must have the sizes of self except in dim {}: {} and {}", dim, source, self);
}

template <void (*check)(const RuleCall&)>
void rule(RuleCall& call) {
  check(call);
  const TensorMeta& self = call.meta(0);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = call.device;
  out.sizes = self.sizes;
  out.strides = contiguous_strides(self.sizes);
}

template <void (*check)(const RuleCall&)>
void inplace_rule(RuleCall& call) {
  check(call);
  TensorImpl* self = call.tensor(0);
  if (!self->meta.is_symbolic()) {
    call.require(internal_overlap(self->meta) != Overlap::Yes, "C6",
                 "elements of self share memory, clone it before writing: self is {}", self->meta);
  }
  for (size_t i : {2, 3}) {
    const TensorImpl* t = call.is_tensor(i) ? call.tensor(i) : nullptr;
    if (!t || t->storage != self->storage || t->meta.is_symbolic()) continue;
    const SharedMemory shared = t == self ? SharedMemory::Full : shared_memory(t->meta, self->meta, true);
    call.require(shared != SharedMemory::Full && shared != SharedMemory::Partial, "C6",
                 "self shares memory with what is read, clone it first: {} and {}", t->meta, self->meta);
  }
  call.out.same(self);
}

}  // namespace

void register_ops(Registry& r) {
  struct Family {
    const char *schema, *out;
    Rule rule, inplace;
    FillKernel kernel;
    const char* sample;
    double high;
  };
  for (const Family& f :
       {Family{"scatter.src(Tensor self, int dim, Tensor index, Tensor src)", "src_out", rule<check_scatter>,
               inplace_rule<check_scatter>, scatter_cpu, "f32[1,3], 0, i64[1,2], f32[1,3]", 0},
        Family{"scatter.value(Tensor self, int dim, Tensor index, Scalar value)", "value_out", rule<check_scatter>,
               inplace_rule<check_scatter>, scatter_cpu, "f32[4,3], 0, i64[2,3], 1.5", 3},
        Family{"scatter_add(Tensor self, int dim, Tensor index, Tensor src)", "out", rule<check_scatter>,
               inplace_rule<check_scatter>, scatter_add_cpu, "f32[4,3], 0, i64[6,2], f32[6,3]", 3},
        Family{"index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1)", "out",
               rule<check_index_add>, inplace_rule<check_index_add>, index_add_cpu,
               "f32[4,3], 0, i64[5], f32[5,3], alpha=2", 3}}) {
    OpEntry& op = r.add(fmt::format("aten::{} -> Tensor", f.schema), __FILE__)
                      .tag(Tag::FailsOnValues)
                      .with_rule(f.rule)
                      .cpu(f.kernel)
                      .with_index_domain({2, 0, 1, true})
                      .sample(f.sample, 0, f.high);
    // Straight into self, which the rule keeps apart from what is read.
    r.add_inplace(op).with_rule(f.inplace).cpu(f.kernel).sample(f.sample, 0, f.high);
    r.add_out(op, f.out).sample(fmt::format("{}, out=f32[0]", f.sample), 0, f.high);
  }
  for (const char* name : {"aten.scatter.src", "aten.scatter.value", "aten.scatter_add.default"}) {
    r.find_mutable(name)->tag(Tag::Core);
  }
  for (const char* name : {"aten.scatter.src", "aten.scatter_.src", "aten.scatter_add.default"}) {
    r.find_mutable(name)
        ->refuses("C1", "f32[4], 0, f32[2], f32[2]")
        .refuses("C2", "f32[4,3], 0, i64[2], f32[2]")
        .refuses("C3", "f32[4,3], 0, i64[2,4], f32[2,4]")
        .refuses("C4", "f32[4], 0, i64[2], f64[2]");
  }
  r.find_mutable("aten.scatter.value")->refuses("C5", "u8[4], 0, i64[2], 300");
  r.find_mutable("aten.scatter_.src")->refuses("C6", "f32[4], 0, i64[4], f32[4] ~in0");
  r.find_mutable("aten.index_add.default")
      ->refuses("C1", "f32[4], 0, f32[2], f32[2]")
      .refuses("C2", "f32[4], 0, i64[2], f64[2]")
      .refuses("C3", "f32[4], 0, i64[2], f32[3]")
      .refuses("C4", "f32[4,3], 0, i64[2], f32[2,2]");
}

}  // namespace ersatz::op_scatter

namespace ersatz::ops {

Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return call_op<"aten.scatter.src">(self, dim, index, src);
}
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return call_op<"aten.scatter.value">(self, dim, index, value);
}
Tensor scatter_(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return call_op<"aten.scatter_.src">(self, dim, index, src);
}
Tensor scatter_(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return call_op<"aten.scatter_.value">(self, dim, index, value);
}
Tensor scatter_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return call_op<"aten.scatter_add.default">(self, dim, index, src);
}
Tensor scatter_add_(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return call_op<"aten.scatter_add_.default">(self, dim, index, src);
}
Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) {
  return call_op<"aten.index_add.default">(self, dim, index, source, alpha);
}
Tensor index_add_(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) {
  return call_op<"aten.index_add_.default">(self, dim, index, source, alpha);
}

}  // namespace ersatz::ops
