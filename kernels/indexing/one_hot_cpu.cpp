#include <algorithm>

#include "kernels/indexing/index_values.h"
#include "kernels/indexing/one_hot.h"
#include "kernels/shape/fill_elements.h"

namespace ersatz::op_one_hot {

void run_cpu(KernelCall& call, Values& results) {
  const Tensor self = call.tensor(kOneHot["self"]);
  int64_t classes = call.integer(kOneHot["num_classes"]);
  const IndexValues values = checked_indices(call, self, classes == -1 ? INT64_MAX : classes, ErrorFamily::Runtime);
  if (classes == -1) classes = *std::max_element(values.begin(), values.end()) + 1;
  DimVec sizes(self.sizes());
  sizes.push_back(classes);
  const Tensor out = make_real_tensor(TensorMeta(DType::I64, sizes));
  if (!values.empty()) {
    fill_elements(out, 0);
    int64_t* rows = out.data<int64_t>();
    for (size_t i = 0; i < values.size(); ++i) rows[static_cast<int64_t>(i) * classes + values[i]] = 1;
  }
  results.push_back(out);
}

}  // namespace ersatz::op_one_hot
