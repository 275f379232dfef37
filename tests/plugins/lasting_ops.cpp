// Two ops without a rule. One declares ERSATZ_LASTING_ANSWERS, so its results may be cached.
#include "runtime/plugin/plugin_op.h"

using namespace ersatz::plugin;

namespace {

Result doubled(Call& call, const View& x) {
  Result out = call.allocate(x.dtype(), x.sizes(), column_major(x.sizes()));
  for (int64_t i = 0; i < x.numel(); ++i) out.at<float>(i) = 2 * x.at<float>(i);
  return out;
}

}  // namespace

ERSATZ_PLUGIN(p) {
  p.op("lasting::doubled(Tensor x) -> Tensor").kernel(doubled).flag(ERSATZ_FALLBACK_ZEROS).flag(ERSATZ_LASTING_ANSWERS);
  p.op("lasting::passing(Tensor x) -> Tensor").kernel(doubled).flag(ERSATZ_FALLBACK_ZEROS);
}
