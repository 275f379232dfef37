#include "kernels/shape/infer_size.h"

#include "runtime/tensor/meta_text.h"

namespace ersatz {

void infer_size(const RuleCall& call, std::span<const SymInt> asked, SymInt numel, const TensorMeta& self,
                DimVec& sizes) {
  SymInt product = 1;
  int inferred = -1;
  for (size_t d = 0; d < asked.size(); ++d) {
    const SymInt s = asked[d];
    if (s.is_int() && s.as_int() < 0) {
      call.require(s.as_int() == -1, "C1", "sizes must be at least -1: size {} in {}", s, asked);
      call.require(inferred < 0, "C1", "only one size can be inferred, got {}", asked);
      inferred = static_cast<int>(d);
    } else {
      product *= s;
    }
    sizes.push_back(s);
  }
  if (inferred < 0) {
    call.require(sym_eq(numel, product) || check_eq(numel, product), "C2",
                 "sizes {} must hold the input's elements: self is {} ({} vs {})", asked, self, product, numel);
    return;
  }
  call.require(check_ne(product, 0), "C2",
               "the size -1 in {} is ambiguous: the other sizes hold 0 elements, self is {}", asked, self);
  // Often a symbolic numel is provably a multiple of `product`; then sym_eq decides this without a guard.
  const SymInt rest = floor_mod(numel, product);
  call.require(sym_eq(rest, 0) || check_eq(rest, 0), "C2",
               "sizes {} must divide the input's elements: self is {} ({} vs {})", asked, self, product, numel);
  sizes[static_cast<size_t>(inferred)] = floor_div(numel, product);
}

}  // namespace ersatz
