// The dtypes that PyTorch has few kernels for (kLimitedDTypes): which operator takes which of them.
#pragma once

namespace ersatz {

class Registry;

/// Sets `OpEntry::limited_dtypes` of all operators of ATen by limited_dtypes.def. Those of other namespaces take all.
void set_limited_dtypes(Registry& registry);

}  // namespace ersatz
