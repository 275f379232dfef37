#include "kernels/random/draw_ops.h"
#include "kernels/random/host_draw.h"

namespace ersatz {

const DrawTable& host_draws() {
  static const DrawTable draws = draw_ops::table<HostDraw>();
  return draws;
}

}  // namespace ersatz
