// Compares the dtypes that entries declare (shown in docs/ops.md) with those that rules accept: each sample is tried on
// fakes of both devices.
#include <gtest/gtest.h>

#include <algorithm>

#include "fake/mode/fake_mode.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/literal.h"
#include "runtime/tensor/layout.h"
#include "tests/ops/op_test.h"

namespace ersatz {
namespace {

/// A change of a sample: its tensors with dtype `from` get dtype `to`. So operands that have one dtype in common still
/// do, and indices stay integers.
struct Retyped {
  DType from, to;
  Device device;
  bool first_only = false;  /// all tensors after the first stay on the CPU, where some ops accept them for any device
};

std::vector<Value> arguments(const FakeMode& mode, const OpEntry& op, const Sample& sample, const Retyped& as) {
  std::vector<Tensor> made;
  LiteralOptions literals;
  literals.tensor = [&](const MetaText& text) {
    TensorMeta meta = text.meta;
    meta.device = as.first_only && !made.empty() ? kCPU : as.device;
    if (meta.dtype == as.from) meta.dtype = as.to;
    Ref<Storage> storage;
    for (size_t i = 0; i < made.size(); ++i) {
      if (text.alias == fmt::format("in{}", i)) storage = made[i].storage();
    }
    const SymInt bytes = sym_max(text.storage_bytes.value_or(SymInt(0)), storage_bytes_needed(meta));
    if (!storage) storage = Storage::make_fake(bytes, meta.device);
    if (guard_gt(bytes, storage->nbytes())) storage->resize(bytes);
    made.push_back(mode.make_on(storage, std::move(meta)));
    return Value(made.back());
  };
  ParsedArguments parsed = parse_arguments(sample.arguments, literals);
  const auto move = [&](Value& v) {
    if (v.kind() == Value::Kind::Device) v = Value(as.device);
  };
  for (Value& v : parsed.positional) move(v);
  for (auto& [key, v] : parsed.keywords) move(v);
  return bind_arguments(op.schema, parsed.positional, parsed.keywords);
}

/// The dtypes of a sample's tensors in order; empty if it has an empty tensor, which any dtype may fit.
std::vector<DType> dtypes_of(const Sample& sample) {
  std::vector<DType> found;
  bool empty = false;
  LiteralOptions literals;
  literals.tensor = [&](const MetaText& text) {
    found.push_back(text.meta.dtype);
    empty |= guard_eq(text.meta.numel(), 0);
    return Value(Tensor(text.meta, Storage::make_fake(storage_bytes_needed(text.meta), kCPU)));
  };
  parse_arguments(sample.arguments, literals);
  if (empty) found.clear();
  return found;
}

bool takes(const OpEntry& op, const Sample& sample, const Retyped& as) {
  const FakeMode mode;
  const FakeScope scope(mode);
  try {
    Values results;
    dispatch(op, arguments(mode, op, sample, as), results);
  } catch (const Error& e) {
    // An error that depends on data does not refuse a dtype.
    return e.kind == ErrorKind::DataDependentOutput || e.kind == ErrorKind::DynamicOutputShape ||
           e.kind == ErrorKind::GuardOnDataDependent;
  }
  return true;
}

enum class InPlaceOf : uint8_t { FirstTensor, AnyTensor };

/// The dtypes for which a sample is accepted.
DTypeSet measured(const OpEntry& op, Device device, InPlaceOf which) {
  DTypeSet taken;
  for (const Sample& sample : op.samples) {
    const std::vector<DType> in_sample = dtypes_of(sample);
    for (size_t k = 0; k < in_sample.size() && (k == 0 || which == InPlaceOf::AnyTensor); ++k) {
      for (int i = 0; i < kCommonDTypeCount; ++i) {
        const auto dtype = static_cast<DType>(i);
        if (taken.has(dtype)) continue;
        if (takes(op, sample, {in_sample[k], dtype, device}) ||
            (device.is_cuda() && takes(op, sample, {in_sample[k], dtype, device, true}))) {
          taken = taken | DTypeSet{dtype};
        }
      }
    }
  }
  return taken;
}

std::string spell(DTypeSet set) {
  std::string out;
  for (int i = 0; i < kCommonDTypeCount; ++i) {
    if (set.has(static_cast<DType>(i))) out += fmt::format("{}{}", out.empty() ? "" : " ", name(static_cast<DType>(i)));
  }
  return out;
}

bool writes_out(const OpEntry& op) {
  return std::any_of(op.written.begin(), op.written.end(),
                     [&](uint16_t i) { return op.schema.arguments[i].keyword_only; });
}

/// Calls `see` for entries whose samples can test the dtypes that they declare. Not among them are derived forms, which
/// have the dtypes of their functional op, and `out=` forms, whose samples have one dtype for `out=`.
template <class F>
void for_each_declaring(F&& see) {
  for (const OpEntry* op : registry().all()) {
    if (!op->functional && !op->tags.has(Tag::Foreign) && !writes_out(*op)) see(*op);
  }
}

TEST(DTypes, CudaDtypesAreDeclaredIfTheRuleDiffers) {
  int others = 0;
  for_each_declaring([&](const OpEntry& op) {
    const DTypeSet cpu = measured(op, kCPU, InPlaceOf::FirstTensor);
    const DTypeSet gpu = measured(op, cuda(0), InPlaceOf::FirstTensor);
    if (gpu == DTypeSet()) return;  // the op has no sample, or no CUDA kernel
    const DTypeSet on_cpu = op.dtypes_on(DeviceType::CPU), on_gpu = op.dtypes_on(DeviceType::CUDA);
    // If other arguments of the sample fix the dtype, the rule accepts equal dtypes on both devices.
    for (int i = 0; i < kCommonDTypeCount; ++i) {
      const auto t = static_cast<DType>(i);
      const bool expected = cpu.has(t) == gpu.has(t) ? on_cpu.has(t) : gpu.has(t);
      EXPECT_EQ(on_gpu.has(t), expected) << op.name << " (" << op.source << "), " << name(t)
                                         << "\n  the rule takes on the cpu:  " << spell(cpu)
                                         << "\n  the rule takes on cuda:     " << spell(gpu)
                                         << "\n  the entry says of cuda:     " << spell(on_gpu);
    }
    others += cpu != gpu;
  });
  EXPECT_GT(others, 30);  // at least products, convolutions, pooling, resampling and padding
}

TEST(DTypes, ThatAreDeclaredAreTaken) {
  for_each_declaring([&](const OpEntry& op) {
    if (op.samples.empty() || op.name == "aten.where.Scalar") return;  // its dtypes are those of numbers
    const DTypeSet cpu = measured(op, kCPU, InPlaceOf::AnyTensor), declared = op.dtypes_on(DeviceType::CPU);
    if (cpu == DTypeSet()) return;  // the samples have no tensor whose dtype can change
    EXPECT_EQ(cpu | declared, cpu) << op.name << " (" << op.source << ") declares " << spell(declared)
                                   << ", its rule takes " << spell(cpu);
  });
}

/// The functional form of an overload like `aten.avg_pool1d.out`: with the same base and arguments, if there is one.
const OpEntry* without_out(const OpEntry& out) {
  const size_t outs = static_cast<size_t>(std::count_if(
      out.written.begin(), out.written.end(), [&](uint16_t i) { return out.schema.arguments[i].keyword_only; }));
  for (const OpEntry* op : registry().all()) {
    if (op == &out || op->schema.base != out.schema.base || op->schema.ns != out.schema.ns || writes_out(*op)) continue;
    if (op->schema.arguments.size() + outs != out.schema.arguments.size()) continue;
    bool same = true;
    for (size_t i = 0; i < op->schema.arguments.size(); ++i) {
      same &= op->schema.arguments[i].name == out.schema.arguments[i].name &&
              op->schema.arguments[i].type == out.schema.arguments[i].type;
    }
    if (same) return op;
  }
  return nullptr;
}

TEST(DTypes, OutFormHasThoseOfItsFunctionalForm) {
  int seen = 0;
  for (const OpEntry* op : registry().all()) {
    const OpEntry* functional = op->functional || !writes_out(*op) ? nullptr : without_out(*op);
    if (!functional) continue;
    ++seen;
    for (DeviceType d : {DeviceType::CPU, DeviceType::CUDA}) {
      EXPECT_EQ(spell(op->dtypes_on(d)), spell(functional->dtypes_on(d))) << op->name << " and " << functional->name;
    }
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace ersatz
