// Sets which operators take the dtypes for which PyTorch has few kernels (kLimitedDTypes).
#pragma once

namespace ersatz {

class Registry;

/// Sets `OpEntry::limited_dtypes`: from limited_dtypes.def for aten operators, and to all of kLimitedDTypes for others.
void set_limited_dtypes(Registry& registry);

}  // namespace ersatz
