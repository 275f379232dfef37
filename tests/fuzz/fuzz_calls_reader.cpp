// libFuzzer: lines of recorded calls. Each line is parsed, or refused with an error of one line. The arguments of a
// parsed record can be made.
#include <cstdlib>

#include "runtime/tensor/allocator.h"
#include "tracer/records/call_record.h"
#include "tracer/records/recorded_values.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ersatz;
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  (void)looks_like_call_records(line);
  const AllocationLimit limit(1 << 20);
  try {
    const CallRecord record = parse_call_record(line, "fuzz:1");
    const std::vector<Tensor> tensors = make_recorded_tensors(record);
    for (const RecordedArgument& a : record.args) (void)to_string(argument_value(a, tensors));
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (record.tensors[i].has_values) (void)recorded_values(record.tensors[i], tensors[i].meta());
    }
  } catch (const Error& e) {
    if (e.kind != ErrorKind::InvalidArgument) std::abort();
  }
  return 0;
}
