// The dtypes that PyTorch has few kernels for (kLimitedDTypes), and which operators take them.
#pragma once

namespace ersatz {

class Registry;

/// Sets `OpEntry::limited_dtypes`: by limited_dtypes.def for ATen, to all of kLimitedDTypes for other namespaces.
void set_limited_dtypes(Registry& registry);

}  // namespace ersatz
