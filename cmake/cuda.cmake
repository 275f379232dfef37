# libersatz_cuda.so: the one place that needs a CUDA toolkit. libersatz.so loads it on the first real CUDA tensor.
