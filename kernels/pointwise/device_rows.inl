// A struct for every row that ERSATZ_HERE_<kinds> lets through, and `fill_rows`, which puts their loops into the table of
// CUDA devices. Included in the unnamed namespace of a rows_*_cuda.cu, which is a unit of its own.
#include "kernels/pointwise/row_structs.inl"

void fill_rows(pointwise::DeviceRows& table) {
#define ERSATZ_FILL(name, inputs, kinds) \
  fill_row<Row_##name, inputs, kKinds_##kinds>(table.rows[static_cast<int>(pointwise::Row::name)]);
#include "kernels/pointwise/row_fill.inl"
}
