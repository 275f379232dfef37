// A prepared oneDNN convolution: the primitive, the reorders around it, and what memory it needs.
//
// Prepared once per shape, layout and attribute set, and kept in a cache of the process. `run` may be called from
// several threads at once: a prepared convolution is read-only, its scratch memory belongs to the call.
#pragma once

#include <array>
#include <memory>

#include "kernels/conv/conv_problem.h"
#include "kernels/conv/onednn.h"

namespace ersatz::onednn {

/// All that decides a primitive; compared bytewise.
using ConvolutionKey = std::array<int64_t, 44>;
ConvolutionKey key_of(const ConvProblem& p, int threads);

class PreparedConvolution {
 public:
  /// Null where the library declines the problem.
  static std::shared_ptr<const PreparedConvolution> prepare(const Library& l, const ConvProblem& p);
  ~PreparedConvolution();
  PreparedConvolution(const PreparedConvolution&) = delete;
  PreparedConvolution& operator=(const PreparedConvolution&) = delete;

  bool run(const ConvProblem& p) const;

 private:
  /// One operand: the caller's memory, and what the primitive wants to read or write.
  struct Operand {
    dnnl_memory_desc_t outside{}, inside{};
    dnnl_primitive_t reorder = nullptr;  ///< null where both are the same
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
