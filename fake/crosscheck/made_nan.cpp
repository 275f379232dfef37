#include "fake/crosscheck/made_nan.h"

#include <algorithm>
#include <cmath>

#include "fake/watch/poison.h"
#include "fake/watch/tensor_copies.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"
#include "runtime/op/dispatch.h"

namespace ersatz {
namespace {

bool holds_nan(const Tensor& t) {
  if (!t || is_integral(t.dtype()) || !t.storage()->has_bytes()) return false;
  const Tensor here = on_host(t);
  bool found = false;
  dispatch_dtype<kEveryDType>(here.dtype(), [&]<class T>() {
    if constexpr (!std::is_integral_v<T>) {
      for_each_element(here.meta(), [&](int64_t at) {
        const auto v = number_in(*reinterpret_cast<const T*>(here.storage()->data() + at));
        found |= std::isnan(v.real()) || std::isnan(v.imag());
      });
    }
  });
  return found;
}

}  // namespace

bool makes_its_nans(const CallCase& c) {
  for (size_t i = 0; i < c.real_args.size(); ++i) {
    if (std::ranges::count(c.op.written, i) > 0) {
      if (!c.op.schema.arguments[i].keyword_only) return false;  // the call has overwritten the input's values
      continue;
    }
    bool found = false;
    for_each_tensor(c.real_args.subspan(i, 1), [&](TensorImpl* t) { found |= holds_nan(Tensor(Ref<TensorImpl>(t))); });
    if (found) return false;
  }
  return true;
}

}  // namespace ersatz
