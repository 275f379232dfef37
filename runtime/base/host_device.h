// ERSATZ_HD marks functions that both the host and a GPU run.
#pragma once

#if defined(__CUDACC__)
#define ERSATZ_HD __host__ __device__
#else
#define ERSATZ_HD
#endif
