#include "kernels/shape/pad.h"

#include "kernels/creation/empty.h"
#include "kernels/no_flops.h"
#include "kernels/shape/border_pad.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/copy_block.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/scalar_fit.h"
#include "kernels/shape/slice.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_pad {
namespace {

void constant_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kConstantPadNd["self"]);
  const auto pad = call.ints(kConstantPadNd["pad"]);
  call.require(pad.size() % 2 == 0 && pad.size() / 2 <= size_t(self.dim()), "C1",
               "pad must be pairs, one per dim at most: pad is {}, self is {}", pad, self);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = self.device;
  out.sizes = self.sizes;
  bool grows = false;
  for (size_t i = 0; i < pad.size(); i += 2) {
    const size_t dim = self.sizes.size() - 1 - i / 2;
    SymInt kept = self.sizes[dim];
    for (SymInt p : pad.subspan(i, 2)) {
      if (size_lt(p, 0)) {
        kept += p;
      } else if (size_ne(p, 0)) {
        grows = true;
      }
    }
    call.require(check_ge(kept, 0), "C2", "dim {} would lose more than it has: pad is {}, self is {}", dim, pad, self);
    out.sizes[dim] = self.sizes[dim] + pad[i] + pad[i + 1];
  }
  if (!grows) {
    out.strides = preserved_strides(out.sizes, self.strides);
    return call.require_dtype(self.dtype, kEveryDType);  // nothing is added: self is copied, which any dtype allows
  }
  out.strides = strides_for(out.sizes, suggest_memory_format(self));
  require_fill_number(call, call.scalar(kConstantPadNd["value"]), out, "C3");
}

enum class Mode { Constant, Reflect, Replicate, Circular };

Mode mode_of(const CompositeCall& call, std::string_view name) {
  constexpr std::string_view names[] = {"constant", "reflect", "replicate", "circular"};
  for (size_t i = 0; i < std::size(names); ++i) {
    if (name == names[i]) return Mode(i);
  }
  call.refuse(ErrorFamily::NotImplemented, "C1", "there is no mode \"{}\"", name);
}

/// Returns a view of the indices [begin, end) of dim `dim`.
Tensor range(const Tensor& t, int64_t dim, SymInt begin, SymInt end) { return ops::slice(t, dim, begin, end); }

/// Pads in circular mode and returns a row-major tensor. Self is copied to the middle. Then the ends of each dim are
/// copied from the middle, the last dim first.
Tensor circular(const CompositeCall& call, const Tensor& self, std::span<const SymInt> pad) {
  const size_t pairs = pad.size() / 2;
  DimVec sizes(self.sizes());
  for (size_t i = 0; i < pairs; ++i) {
    SymInt& size = sizes[sizes.size() - 1 - i];
    call.require(check_le(pad[2 * i], size) && check_le(pad[2 * i + 1], size), "C4",
                 "padding must not wrap around more than once: pad is {}, self is {}", pad, self.meta());
    size = size + pad[2 * i] + pad[2 * i + 1];
    call.require(check_ge(size, 0), "C4", "no dim may become smaller than empty: pad is {}, self is {}", pad,
                 self.meta());
  }
  const Tensor out =
      call_op<"aten.new_empty.default">(self, sizes, self.dtype(), Layout::Strided, self.device(), std::nullopt);
  Tensor middle = out, kept = self;
  for (size_t i = 0; i < pairs; ++i) {
    const int64_t dim = self.dim() - 1 - int64_t(i);
    const SymInt before = pad[2 * i], after = pad[2 * i + 1];
    middle = range(middle, dim, sym_max(before, 0), middle.size(dim) - sym_max(after, 0));
    kept = range(kept, dim, sym_max(-before, 0), kept.size(dim) - sym_max(-after, 0));
  }
  ops::copy_(middle, kept);
  for (size_t i = 0; i < pairs; ++i) {
    const int64_t dim = self.dim() - 1 - int64_t(i);
    const SymInt size = out.size(dim), before = sym_max(pad[2 * i], 0), after = sym_max(pad[2 * i + 1], 0);
    if (size_gt(before, 0)) {
      const Tensor front = range(out, dim, 0, before);
      ops::copy_(front, range(out, dim, size - before - after, size - after));
    }
    if (size_gt(after, 0)) {
      const Tensor back = range(out, dim, size - after, size);
      ops::copy_(back, range(out, dim, before, before + after));
    }
  }
  return out;
}

void pad(CompositeCall& call) {
  static constexpr Schemas kArgs{kConstantPadNd, kPad};
  const Tensor self = call.tensor(kArgs["self"]);
  const auto pad = call.ints(kArgs["pad"]);
  const Mode mode = mode_of(call, call[kPad["mode"]].as_string());
  call.require(pad.size() % 2 == 0 && pad.size() / 2 <= size_t(self.dim()), "C2",
               "pad must be pairs, one per dim at most: pad is {}, self is {}", pad, self.meta());
  if (mode == Mode::Constant) {
    call.returns(ops::constant_pad_nd(self, pad, call.has(kPad["value"]) ? call.real(kPad["value"]) : 0.0));
    return;
  }
  call.require(!call.has(kPad["value"]) || call.real(kPad["value"]) == 0, "C3", "only constant mode takes a value");
  const int64_t pairs = int64_t(pad.size() / 2);
  if (pairs < 1 || pairs > 3 || (self.dim() != pairs + 1 && self.dim() != pairs + 2)) {
    call.refuse(ErrorFamily::NotImplemented, "C1",
                "one to three pairs for an image of as many dims or a batch of them: pad is {}, self is {}", pad,
                self.meta());
  }
  call.returns(mode == Mode::Reflect     ? ops::reflection_pad(self, pad)
               : mode == Mode::Replicate ? ops::replication_pad(self, pad)
                                         : circular(call, self, pad));
}

void run(KernelCall& call) {
  const Tensor self = call.tensor(kConstantPadNd["self"]);
  const Tensor& out = call.outputs[0];
  if (out.numel().as_int() == 0) return;
  const auto pad = call.ints(kConstantPadNd["pad"]);
  const auto from_strides = as_ints(self.strides()), to_strides = as_ints(out.strides());
  const int64_t item = int64_t(item_size(self.dtype()));
  InlineVec<int64_t, 8> sizes(as_ints(self.sizes()));
  const std::byte* from = self.raw_data();
  std::byte* to = out.raw_data();
  bool grows = false;
  for (size_t i = 0; i < pad.size(); i += 2) {
    const size_t dim = sizes.size() - 1 - i / 2;
    const int64_t before = pad[i], after = pad[i + 1];
    grows = grows || before > 0 || after > 0;
    sizes[dim] += std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0);
    from += std::max<int64_t>(-before, 0) * from_strides[dim] * item;
    to += std::max<int64_t>(before, 0) * to_strides[dim] * item;
  }
  if (grows) fill_elements(out, call.scalar(kConstantPadNd["value"]));
  for (int64_t s : sizes) {
    if (s == 0) return;
  }
  copy_block(out.device(), sizes, to, out.dtype(), to_strides, from, self.dtype(), from_strides);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& constant = r.add(kConstantPadNd)
                          .tag(Tag::Core)
                          .with_rule(constant_rule)
                          .every_device(run)
                          .count_flops(no_flops)
                          .sample("f32[2,3], [1, 2]")
                          .sample("i64[2,3,4,5]{60,1,15,3}, [1, -1, 0, 2], 7")
                          .sample("c64[3,4], [-1, -1, 0, -2], 1.5")
                          .sample("bool[2,0], [1, 0], True")
                          .refuses("C1", "f32[2,3], [1]")
                          .refuses("C2", "f32[2,3], [-2, -2]")
                          .refuses("C3", "u8[2,3], [1, 0], 300");
  r.add_out(constant, "out", kGeneratedForm);
  r.add(kPad)
      .with_composite(pad)
      .sample("f32[2,3], [1, 2], \"constant\", 2.5")
      .sample("f32[2,3,4], [1, 2], \"reflect\"")
      .sample("f64[3,4,5], [1, 2, 0, 1], \"replicate\"")
      .sample("i64[2,3,4,5], [1, 2, -1, 3], \"circular\"")
      .refuses("C1", "f32[2,3], [1, 1], \"mirror\"")
      .refuses("C2", "f32[2,3], [1]")
      .refuses("C3", "f32[2,3], [1, 1], \"reflect\", 1.0")
      .refuses("C4", "f32[2,3], [4, 1], \"circular\"");
}

}  // namespace ersatz::op_pad
