// A prepared oneDNN convolution: the primitive, the reorders before and after it, and descriptors of its memory.
//
// A convolution is prepared once for each shape, layout and attribute set, and kept in a cache of the process. Several
// threads may call `run` at once, because a prepared convolution is read-only and each call has its own scratch memory.
#pragma once

#include <array>
#include <memory>

#include "kernels/conv/conv_problem.h"
#include "kernels/conv/onednn.h"

namespace ersatz::onednn {

/// All numbers that determine a primitive. Keys are compared bytewise.
using ConvolutionKey = std::array<int64_t, 44>;
ConvolutionKey key_of(const ConvProblem& p, int threads);

class PreparedConvolution {
 public:
  /// RETURNS: null if oneDNN does not support the problem.
  static std::shared_ptr<const PreparedConvolution> prepare(const Library& l, const ConvProblem& p);
  ~PreparedConvolution();
  PreparedConvolution(const PreparedConvolution&) = delete;
  PreparedConvolution& operator=(const PreparedConvolution&) = delete;

  bool run(const ConvProblem& p) const;

 private:
  /// One operand: the layout of the caller's memory (`outside`) and the layout that the primitive reads or writes
  /// (`inside`).
  struct Operand {
    dnnl_memory_desc_t outside{}, inside{};
    dnnl_primitive_t reorder = nullptr;  ///< null if both layouts are equal
  };
  explicit PreparedConvolution(const Library& l) : l_(l) {}
  bool describe(const ConvProblem& p);
  bool create(const ConvProblem& p);
  bool make_reorder(Operand& o, bool into);

  const Library& l_;
  Operand input_, weight_, output_;
  dnnl_memory_desc_t bias_{}, scratchpad_{};
  dnnl_primitive_t primitive_ = nullptr;
};

}  // namespace ersatz::onednn
