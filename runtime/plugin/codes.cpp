#include "runtime/plugin/codes.h"

#include "runtime/base/other_devices.h"

namespace ersatz {

ErsatzDType to_c(DType t) {
  const DTypeRow& row = row_of(t);
  return {row.code, row.bits, row.lanes};
}
ErsatzDevice to_c(Device d) { return {d.is_cpu() ? 1 : d.is_cuda() ? 2 : 12, d.index}; }

std::optional<DType> dtype_from_c(ErsatzDType t) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const DTypeRow& row = kDTypeRows[i];
    if (t.code == row.code && t.bits == row.bits && t.lanes == row.lanes) return static_cast<DType>(i);
  }
  return std::nullopt;
}
std::optional<Device> device_from_c(ErsatzDevice d) {
  const bool is_other = kFirstOtherIndex <= d.index && d.index < kEndOfOtherIndices;
  if (d.type == 1) return is_other ? Device{DeviceType::CPU, static_cast<int8_t>(d.index)} : kCPU;
  if (d.type == 12) return kMeta;
  if (d.type == 2 && ((d.index >= 0 && d.index < kFirstOtherIndex) || is_other)) return cuda(d.index);
  return std::nullopt;
}

bool plain_to_c(const Value& v, ErsatzValue& c) {
  switch (v.kind()) {
    case Value::Kind::None:
      c.kind = ERSATZ_NONE;
      return true;
    case Value::Kind::Bool:
      c.kind = ERSATZ_BOOL, c.as.integer = v.as_bool();
      return true;
    case Value::Kind::Int:
      c.kind = ERSATZ_INT, c.as.integer = v.as_int64();
      return true;
    case Value::Kind::Float:
      c.kind = ERSATZ_FLOAT, c.as.number[0] = v.as_double();
      return true;
    case Value::Kind::Complex:
      c.kind = ERSATZ_COMPLEX;
      c.as.number[0] = v.as_complex().real(), c.as.number[1] = v.as_complex().imag();
      return true;
    case Value::Kind::DType:
      c.kind = ERSATZ_DTYPE, c.as.dtype = to_c(v.as_dtype());
      return true;
    case Value::Kind::Device:
      c.kind = ERSATZ_DEVICE, c.as.device = to_c(v.as_device());
      return true;
    case Value::Kind::Layout:
      c.kind = ERSATZ_LAYOUT;
      return true;
    case Value::Kind::MemoryFormat:
      c.kind = ERSATZ_MEMORY_FORMAT, c.as.integer = static_cast<int64_t>(v.as_memory_format());
      return true;
    case Value::Kind::Generator:
      c.kind = ERSATZ_GENERATOR;
      return true;
    case Value::Kind::Tensor:
    case Value::Kind::String:
    case Value::Kind::IntList:
    case Value::Kind::List:
      break;
  }
  return false;
}

std::optional<Value> number_from_c(const ErsatzValue& c) {
  switch (c.kind) {
    case ERSATZ_NONE:
      return Value();
    case ERSATZ_BOOL:
      return Value(c.as.integer != 0);
    case ERSATZ_INT:
      return Value(c.as.integer);
    case ERSATZ_FLOAT:
      return Value(c.as.number[0]);
    case ERSATZ_COMPLEX:
      return Value(std::complex<double>(c.as.number[0], c.as.number[1]));
    default:
      return std::nullopt;
  }
}

}  // namespace ersatz
