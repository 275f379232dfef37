// Normalises rows on CUDA whose elements a team of threads keeps in registers. Each row is read from memory once, and a
// second pass over the registers computes the variance. *_cuda.cu files include this header.
#pragma once

#include <cmath>

#include "kernels/norm/device_parameter.h"
#include "kernels/reduction/device_row.h"

namespace ersatz {
namespace device_norm {

/// `affine.apply(values, cut, first, row)` multiplies a packet of the row by the weights and adds the biases.
template <class T, class Acc, class Affine>
struct NormaliseHeldRows {
  using Held = HeldRow<T, Acc>;
  const T* in;
  T* out;
  Affine affine;
  DeviceParameter mean, rstd;
  int64_t rows, width;
  double eps;
  RowTeam team;
  /// 1 / width, computed on the host because a division on the device would need more registers
  double share = 1 / double(width);

  ERSATZ_DEVICE void operator()(const cuda_module::Block& block) const {
    const int64_t row = team.row(block);
    const bool works = row < rows;
    const int64_t base = works ? row * width : 0;
    const int member = team.member(block), by = team.width();
    const typename Held::Cut cut(out + base, works ? width : 0, team.loose_ends);
    Held held;
    held.read(in + base, cut, member, by, T(0.0f));
    Acc sum = 0;
    held.each([&](Acc x) { sum += x; });
    const double total = block.reduce(double(sum), Plus(), by), center = width > 0 ? total * share : 0;
    held.fill_outside(cut, member, by, Acc(center));
    Acc squares = 0;
    held.each([&](Acc& x) {
      x -= Acc(center);
      squares += x * x;
    });
    const double variance = block.reduce(double(squares), Plus(), by) * share;
    const Acc scale = Acc(1 / std::sqrt(variance + eps));
    held.each([&](Acc& x) { x *= scale; });
    ERSATZ_UNROLL
    for (int p = 0; p < Held::kPackets; ++p) affine.apply(held.item[p], cut, cut.first(member + p * by), row);
    if (cut.loose(member) < cut.n) {
      const RowCut<1, int> whole(out + base, width);
      Acc loose[1] = {held.loose};
      affine.apply(loose, whole, cut.loose(member), row);
      held.loose = loose[0];
    }
    held.write(out + base, cut, member, by);
    if (works && member == 0) {
      mean.set(row, center);
      rstd.set(row, scale);
    }
  }
};

}  // namespace device_norm
}  // namespace ersatz
