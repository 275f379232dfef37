// Ops that send SIGINT to their own process, as Ctrl-C does while they run.
#include <ersatz/plugin_op.h>
#include <signal.h>
#include <unistd.h>

using namespace ersatz::plugin;

namespace {

Meta same(const View& x) { return Meta(x.dtype(), x.sizes()); }

Result copy(Call& call, const View& x) {
  Result out = call.allocate(x.dtype(), x.sizes());
  for (int64_t i = 0; i < x.numel(); ++i) out.at<float>(i) = x.at<float>(i);
  return out;
}
Result once(Call& call, const View& x) {
  ::kill(::getpid(), SIGINT);
  return copy(call, x);
}
Result twice(Call& call, const View& x) {
  ::kill(::getpid(), SIGINT);
  ::kill(::getpid(), SIGINT);
  return copy(call, x);
}

}  // namespace

ERSATZ_PLUGIN(p) {
  p.op("interrupting::once(Tensor x) -> Tensor").kernel(once).rule(same);
  p.op("interrupting::twice(Tensor x) -> Tensor").kernel(twice).rule(same);
  p.op("interrupting::unruled(Tensor x) -> Tensor").kernel(once);  // it has no rule, so a fake run calls the kernel
}
