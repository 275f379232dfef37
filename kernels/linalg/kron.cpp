#include "kernels/linalg/kron.h"

#include "kernels/pointwise/pointwise.h"
#include "kernels/shape/resize.h"
#include "kernels/shape/view.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_kron {
namespace {

/// Views of both operands with twice the dims. They have dims of size 1 in alternate positions, so that their
/// elementwise product has the elements of the Kronecker product. The result is a view of that product with the sizes
/// `joined`.
struct Interleaved {
  Tensor self, other;
  DimVec joined;
};

Interleaved interleaved(const Tensor& self, const Tensor& other) {
  const size_t a = self.sizes().size(), b = other.sizes().size(), rank = std::max(a, b);
  DimVec of_self, of_other, joined;
  for (size_t d = 0; d < rank; ++d) {
    const SymInt m = d + a < rank ? SymInt(1) : self.sizes()[d + a - rank];
    const SymInt n = d + b < rank ? SymInt(1) : other.sizes()[d + b - rank];
    of_self.push_back(m);
    of_self.push_back(1);
    of_other.push_back(1);
    of_other.push_back(n);
    joined.push_back(m * n);
  }
  return {ops::unsafe_view(self, of_self), ops::unsafe_view(other, of_other), joined};
}

void kron(CompositeCall& call) {
  const Interleaved x = interleaved(call.tensor(kKron["self"]), call.tensor(kKron["other"]));
  call.returns(ops::unsafe_view(ops::mul(x.self, x.other), x.joined));
}

void kron_out(CompositeCall& call) {
  const Interleaved x = interleaved(call.tensor(kKron["self"]), call.tensor(kKron["other"]));
  const Tensor out = call.tensor(kKron.out());
  if (!same_sizes(out.sizes(), x.joined)) ops::resize_(out, x.joined);
  DimVec product;
  for (size_t d = 0; d < x.joined.size(); ++d) {
    product.push_back(x.self.sizes()[2 * d]);
    product.push_back(x.other.sizes()[2 * d + 1]);
  }
  call_op_all<"aten.mul.out">(x.self, x.other, ops::unsafe_view(out, product));
  call.returns(call[kKron.out()]);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& op = r.add(kKron).with_composite(kron).sample("f32[2,3], f32[3,2]").sample("f32[2], i64[3]");
  r.add_out_alike(op, "out").with_composite(kron_out).sample("f32[2,3], f32[3,2], out=f32[0]");
}

}  // namespace ersatz::op_kron
