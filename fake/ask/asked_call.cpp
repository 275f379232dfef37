#include "fake/ask/asked_call.h"

#include "runtime/op/recorded_layout.h"
#include "runtime/plugin/codes.h"

namespace ersatz {
namespace {

constexpr uint32_t kMaxRank = 256;
constexpr uint32_t kMostNested = 8;

Device unresolved_device(ErsatzDevice d) {
  if (d.type == 2 && d.index == -1) return {DeviceType::CUDA, -1};
  const std::optional<Device> device = device_from_c(d);
  if (!device) fail_argument("there is no device of type {} and index {}", d.type, d.index);
  return *device;
}

DType known_dtype(ErsatzDType t) {
  const std::optional<DType> dtype = dtype_from_c(t);
  if (!dtype) fail_argument("there is no dtype of code {} and {} bits", int(t.code), int(t.bits));
  return *dtype;
}

void fill(DimVec& to, const int64_t* from, uint32_t n, const char* what) {
  to.reserve(n);
  for (uint32_t i = 0; i < n; ++i) {
    if (from[i] < 0 || !SymInt::holds(from[i])) [[unlikely]]
      fail_argument("a tensor has no {} {}", what, from[i]);
    to.push_back(SymInt(from[i]));
  }
}

void require_elements(const ErsatzValue& list, const void* elements) {
  if (list.length > 0 && !elements) fail_argument("a list of {} elements that is a null pointer", list.length);
}

/// Returns the items as a list of integers if each item is an integer that a SymInt can hold; else nullopt.
std::optional<DimVec> plain_ints(std::span<const ErsatzValue> items) {
  DimVec ints;
  for (const ErsatzValue& item : items) {
    if (item.kind != ERSATZ_INT || !SymInt::holds(item.as.integer)) return std::nullopt;
    ints.push_back(SymInt(item.as.integer));
  }
  return ints;
}

template <class F>
Value list_value(const ErsatzValue& v, F&& item) {
  require_elements(v, v.as.items);
  if (std::optional<DimVec> ints = plain_ints({v.as.items, v.length})) return Value(*ints);
  InlineVec<Value, 8> items;
  for (uint32_t i = 0; i < v.length; ++i) items.push_back(item(v.as.items[i]));
  return Value::packed(std::span<const Value>(items.begin(), items.size()));
}

[[noreturn]] void refuse_depth(uint32_t depth) { fail_argument("a list of lists, {} deep", depth); }

Value plain_value(const ErsatzValue& v, uint32_t depth) {
  if (depth > kMostNested) refuse_depth(depth);
  if (std::optional<Value> number = number_from_c(v)) return *std::move(number);
  switch (v.kind) {
    case ERSATZ_TENSOR:
      fail_argument("a tensor where none may be");
    case ERSATZ_STRING:
      return Value(std::string_view(v.as.string ? v.as.string : "", v.as.string ? v.length : 0));
    case ERSATZ_INT_LIST:
      require_elements(v, v.as.integers);
      return Value::int_list({v.as.integers, v.length});
    case ERSATZ_LIST:
      return list_value(v, [&](const ErsatzValue& item) { return plain_value(item, depth + 1); });
    case ERSATZ_DTYPE:
      return Value(known_dtype(v.as.dtype));
    case ERSATZ_DEVICE:
      return Value(unresolved_device(v.as.device));
    case ERSATZ_LAYOUT:
      return Value(Layout::Strided);
    case ERSATZ_MEMORY_FORMAT:
      if (v.as.integer < 0 || v.as.integer > static_cast<int64_t>(MemoryFormat::ChannelsLast3d)) {
        fail_argument("there is no memory format {}", v.as.integer);
      }
      return Value(static_cast<MemoryFormat>(v.as.integer));
    case ERSATZ_GENERATOR:
      return {};
    default:
      fail_argument("there is no kind of value {}", v.kind);
  }
}

}  // namespace

Value value_from_c(const ErsatzValue& v) { return plain_value(v, 0); }

TensorMeta meta_of(const ErsatzTensorMeta& t) {
  if (t.ndim < 0 || t.ndim > static_cast<int32_t>(kMaxRank)) fail_argument("a tensor has no rank {}", t.ndim);
  const auto rank = static_cast<uint32_t>(t.ndim);
  if (rank > 0 && (!t.sizes || !t.strides)) fail_argument("a tensor of rank {} without sizes or strides", rank);
  TensorMeta meta;
  meta.dtype = known_dtype(t.dtype);
  meta.device = resolve(unresolved_device(t.device));
  meta.conj = t.flags & ERSATZ_CONJ;
  meta.neg = t.flags & ERSATZ_NEG;
  meta.requires_grad = t.flags & ERSATZ_REQUIRES_GRAD;
  meta.inference = t.flags & ERSATZ_INFERENCE;
  meta.wrapped_number = t.flags & ERSATZ_WRAPPED_NUMBER;
  if (!SymInt::holds(t.offset) || t.offset < 0) fail_argument("a tensor has no offset {}", t.offset);
  meta.offset = SymInt(t.offset);
  fill(meta.sizes, t.sizes, rank, "size");
  fill(meta.strides, t.strides, rank, "stride");
  return meta;
}

RuleContext context_of(const ErsatzAskContext* context) {
  RuleContext c;
  c.torch = rule_context().torch;
  if (!context) return c;
  if (context->default_dtype.bits) c.default_dtype = known_dtype(context->default_dtype);
  c.grad_mode = context->grad_mode;
  c.inference_mode = context->inference_mode;
  c.deterministic = context->deterministic;
  c.allow_tf32 = context->allow_tf32;
  c.autocast = static_cast<uint8_t>(context->autocast);
  if (context->autocast_dtype_cpu.bits) c.autocast_dtype_cpu = known_dtype(context->autocast_dtype_cpu);
  if (context->autocast_dtype_cuda.bits) c.autocast_dtype_cuda = known_dtype(context->autocast_dtype_cuda);
  if (context->backend && *context->backend) c.backend = parse_backend(context->backend);
  return c;
}

void AskedCall::set(const OpEntry& op, std::span<const ErsatzValue> arguments) {
  values_.clear();
  tensors_.clear();
  tensor_metas_.clear();
  const std::vector<Argument>& schema = op.schema.arguments;
  if (arguments.size() > schema.size()) {
    fail_argument("{}: takes {} arguments, not {}", op.base(), schema.size(), arguments.size());
  }
  for (size_t i = 0; i < schema.size(); ++i) {
    if (i >= arguments.size() || arguments[i].kind == ERSATZ_ABSENT) {
      if (!schema[i].default_value) {
        fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "{}: argument '{}' is missing", op.base(), schema[i].name);
      }
      values_.push_back(schema[i].default_value->borrowed());
      continue;
    }
    values_.push_back(value(arguments[i], 0));
    if (!schema[i].is_ready(values_.back().kind())) check_argument(op.schema, i, values_.back());
  }
}

Value AskedCall::value(const ErsatzValue& v, uint32_t depth) {
  if (depth > kMostNested) refuse_depth(depth);
  if (v.kind == ERSATZ_TENSOR) {
    if (!v.as.meta) fail_argument("a tensor that is a null pointer");
    return Value(tensor(*v.as.meta));
  }
  if (v.kind != ERSATZ_LIST) return value_from_c(v);
  return list_value(v, [&](const ErsatzValue& item) { return value(item, depth + 1); });
}

Tensor AskedCall::tensor(const ErsatzTensorMeta& t) {
  const int same = t.object ? with_object(t.object) : -1;
  if (same >= 0) {
    tensors_.push_back(tensors_[static_cast<size_t>(same)]);
  } else {
    TensorMeta meta = meta_of_(t);
    if (t.storage_bytes < 0) fail_argument("a storage has no {} bytes", t.storage_bytes);
    const int beside = t.storage ? with_storage(t.storage) : -1;
    const Ref<Storage> storage = beside >= 0 ? tensors_[static_cast<size_t>(beside)].storage()
                                             : Storage::make_fake(SymInt(t.storage_bytes), meta.device);
    tensors_.push_back(mode_.make_on(storage, std::move(meta)));
  }
  tensor_metas_.push_back(&t);
  return tensors_.back();
}

int AskedCall::with_storage(uint64_t storage) const {
  for (size_t i = 0; i < tensor_metas_.size(); ++i) {
    if (tensor_metas_[i]->storage == storage) return static_cast<int>(i);
  }
  return -1;
}

int AskedCall::with_object(uint64_t object) const {
  for (size_t i = 0; i < tensor_metas_.size(); ++i) {
    if (tensor_metas_[i]->object == object) return static_cast<int>(i);
  }
  return -1;
}

int AskedCall::number_of(const TensorImpl* tensor) const {
  for (size_t i = 0; i < tensors_.size(); ++i) {
    if (tensors_[i].impl() == tensor) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace ersatz
