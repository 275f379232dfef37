// OpEntry: all facts of the registry about one operator overload.
//
// Registration fills an entry by chained setters. Afterwards the entry is read-only, except that a device module may
// attach kernels. All modes (real, fake, crosscheck, trace) use the same entry.
#pragma once

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "runtime/op/autocast_kind.h"
#include "runtime/op/kernel.h"
#include "runtime/op/rule.h"

namespace ersatz {

/// Properties of an op, as bits. Code that may not depend on op names tests these bits.
enum class Tag : uint64_t {
  Core = 1 << 0,             ///< core ATen
  Pointwise = 1 << 1,        ///< elementwise: an in-place call may read and write the same element
  View = 1 << 2,             ///< outputs alias the input
  InplaceView = 1 << 3,      ///< changes an argument's metadata (`t_`, `resize_`)
  Random = 1 << 4,           ///< draws from a generator: values are not compared
  DataDependent = 1 << 5,    ///< an output *size* depends on values
  ScalarRead = 1 << 6,       ///< returns a host number read from tensor data (`item`)
  FailsOnValues = 1 << 7,    ///< may raise an error because of values
  LayoutByLibrary = 1 << 8,  ///< a library chooses the strides
  Lift = 1 << 9,             ///< a literal tensor becomes part of a traced program through this op
  HigherOrder = 1 << 10,     ///< has graphs as arguments
  Factory = 1 << 11,         ///< makes tensors without tensor arguments
  Uninitialized = 1 << 12,   ///< leaves elements unwritten intentionally (`empty`)
  Nondeterministic = 1 << 13,
  AcceptsNumbers = 1 << 14,  ///< numbers may be passed in Tensor slots even if no argument is a tensor
  Foreign = 1 << 15,         ///< a plugin defines the op
  Collective = 1 << 16,      ///< its result's values depend on all processes of a group
};
class Tags {
 public:
  constexpr Tags() = default;
  constexpr Tags(Tag t) : bits_(static_cast<uint64_t>(t)) {}
  constexpr Tags operator|(Tags o) const { return Tags(bits_ | o.bits_); }
  constexpr bool has(Tag t) const { return bits_ & static_cast<uint64_t>(t); }
  constexpr Tags without(Tag t) const { return Tags(bits_ & ~static_cast<uint64_t>(t)); }

 private:
  constexpr explicit Tags(uint64_t b) : bits_(b) {}
  uint64_t bits_ = 0;
};
constexpr Tags operator|(Tag a, Tag b) { return Tags(a) | Tags(b); }

/// The number that an op returns from a tensor's metadata. The op reads nothing else and allocates nothing.
enum class MetadataQuery : uint8_t { None, Size, Stride, Offset, Count, Other };
inline constexpr int kMetadataQueryCount = 6;

/// The device that a tensor argument must be on, relative to the other arguments.
enum class DeviceRule : uint8_t {
  Same,         ///< the device that the call's other tensors are on
  CpuScalarOk,  ///< the common device, or the argument is a 0-d CPU tensor
  Any           ///< any device
};

/// The way in which fake mode computes the metadata of an op's results.
enum class FallbackPolicy : uint8_t { Rule, Zeros, Refuse };
/// The elements of the synthetic inputs for FallbackPolicy::Zeros (fake/mode/fallback.h).
enum class Fill : uint8_t {
  Zeros,
  Ones,
  Ramp,  ///< 0, 1, 2, ... 6, 0, ...
  Random,
  Identity,  ///< ones where the last two indices are equal, zeros elsewhere: valid input for factorisations
  Sample     ///< tensors that the user of the fake mode provides
};

/// An integer argument whose values are positions in a dim of another argument: 0 <= value < size of that dim.
struct IndexDomain {
  uint16_t argument;  ///< schema position; if the argument is a tensor list, the range applies to each of its tensors
  uint16_t of;        ///< schema position of the tensor that is indexed
  /// a negative dim is counted from the end; kPosition: the dim is the position of the index tensor in its list
  int16_t dim = 0;
  bool dim_is_argument = false;  ///< the argument at schema position `dim` has the dim as its value
  static constexpr int16_t kPosition = INT16_MIN;
};

/// One valid call of the op, with arguments in the text form's spelling: `f32[2,3], f32[3], alpha=2`.
/// Tensors are filled from `low`..`high` (integers inclusive) with a fixed seed.
struct Sample {
  std::string arguments;
  double low = -2, high = 2;
};
/// One call that the op refuses, with the label (`C2`) of the constraint that the call violates.
struct ErrorSample {
  std::string label;
  std::string arguments;
};

/// The dtypes that a written argument (in place or `out=`) may have.
enum class WrittenCast : uint8_t {
  Own,         ///< the result's dtype
  OfElements,  ///< the result's dtype, or any dtype if the result is empty, because then no kernel reads it
  Any,         ///< any dtype that the result can be cast to
  OfReals,     ///< like Any; also the inputs' dtype if the inputs are complex and the result is real (`abs`)
  SameKind,    ///< like Any, but complex only for complex inputs (else NotSupported)
  Floating,    ///< any float or complex dtype
  Truth        ///< bool and u8, for boolean results
};
/// The checks that an in-place or `out=` variant makes on the argument that it writes. ATen's variants differ mainly in
/// these checks.
struct WrittenForm {
  static constexpr uint16_t kNone = UINT16_MAX;
  WrittenCast cast = WrittenCast::Own;
  bool row_major = false;  ///< an `out=` argument that must be resized becomes row-major
  /// the written argument may not share memory with an input, not even if both have the same elements
  bool apart = false;
  bool may_overlap = false;  ///< no check whether the written argument shares memory with itself or with inputs
  /// only if may_overlap: do check that no two elements of the written argument share memory
  bool own_elements = false;
  ErrorFamily cast_family = ErrorFamily::Runtime;  ///< the class of the error for a dtype that `cast` forbids
  /// schema position of a `dtype` argument whose default is the written argument's dtype
  uint16_t dtype_argument = kNone;
  const WrittenForm* of_complex = nullptr;  ///< the form for complex inputs, if it differs
  /// If the first input has this rank, the written argument gets the result's strides even if its sizes fit. If the
  /// result is not row-major, that happens for every rank. It never happens on CUDA, or for kNone.
  uint16_t anew_of_rank = kNone;
};
/// The form of ATen's generated `out=` overloads (tag `generated` in ATen's schemas), which compute into a temporary,
/// resize `out` row-major, and copy.
inline constexpr WrittenForm kGeneratedForm{.row_major = true};
/// The form of `out=` overloads of ATen's reductions, which do not check for shared memory, not even if `out` is the
/// input.
constexpr WrittenForm reduction_form(WrittenCast cast = WrittenCast::Own,
                                     uint16_t dtype_argument = WrittenForm::kNone) {
  return {.cast = cast, .row_major = true, .may_overlap = true, .dtype_argument = dtype_argument};
}

class CompositeCall;
using CompositeBody = void (*)(CompositeCall& call);
/// Returns the number of floating point operations of a call with this result, as an expression if sizes are symbolic.
/// Returns nullopt if the number is no polynomial in the sizes.
using FlopCount = std::optional<SymInt> (*)(RuleCall& call, const RuleResult& result);

/// The derivative of an operator, as declared in its family's `derivatives.def`.
struct DerivativeRow {
  enum class Kind : uint8_t {
    None,        ///< no derivative is declared
    Formula,     ///< `text` is a formula in the language of runtime/autograd/formula.h
    Items,       ///< tensor lists are differentiated element by element: `text` is the operator for one element
    NoGradient,  ///< results never require a gradient
    Refused      ///< raises an error if an argument requires a gradient
  };
  Kind kind = Kind::None;
  std::string_view node;  ///< PyTorch's name of the backward node, `MulBackward0`; empty: the operator's name and 0
  std::string_view text;
};

struct OpEntry {
  std::string name;  ///< canonical, `aten.cat.default`
  uint32_t id = 0;   ///< number in order of registration: an index for tables of ops
  FunctionSchema schema;
  Tags tags;
  Rule rule = nullptr;
  /// the definition by calls of other ops, instead of a rule and kernels; null if there is none
  CompositeBody composite = nullptr;
  /// The definition by calls of other ops that only a tracer uses. Null: the tracer uses `composite`.
  CompositeBody decomposition = nullptr;
  /// The op is CompositeImplicitAutograd in PyTorch, so a tracer records the calls that the op makes instead of the op.
  bool implicit = false;
  MetadataQuery query = MetadataQuery::None;
  Autocasts autocast;
  std::array<std::atomic<FillKernel>, kDeviceTypeCount> fill_kernels{};
  std::array<std::atomic<ReturnKernel>, kDeviceTypeCount> return_kernels{};
  void* plugin_op = nullptr;             ///< state of a plugin's op
  std::vector<DeviceRule> device_rules;  ///< one per schema argument; empty: Same for all
  FallbackPolicy fallback = FallbackPolicy::Rule;
  Fill fill = Fill::Zeros;
  std::vector<IndexDomain> index_domains;
  bool costly_rule = false;  ///< the rule is slower than a cache lookup, so its results are cached
  FlopCount flops = nullptr;
  double tolerance = 0;                 ///< relative tolerance, added to the tolerance of the dtype
  const OpEntry* functional = nullptr;  ///< the op that this in-place or out= variant is derived from
  int out_arguments = 0;                ///< number of trailing `out=` arguments of a derived variant
  WrittenForm form;                     ///< only for derived variants
  bool returns_list = false;            ///< a return of the schema is a `Tensor[]`
  std::vector<uint16_t> written;        ///< schema positions of the arguments that the op writes
  std::vector<Sample> samples;
  std::vector<ErrorSample> error_samples;
  DerivativeRow derivative;
  /// the derivative is only for real results: a call with complex results raises an error if a gradient is required
  bool real_derivative = false;
  /// a Derivative (runtime/autograd); null: not resolved yet
  mutable std::atomic<const void*> resolved_derivative{nullptr};
  /// dtypes of the CPU kernels, and of the CUDA kernels if `cuda_dtypes` is empty; if empty, only the rule checks
  /// dtypes
  DTypeSet cpu_dtypes;
  DTypeSet cuda_dtypes;                      ///< dtypes of the CUDA kernels if they differ from the CPU's
  DTypeSet limited_dtypes = kLimitedDTypes;  ///< the dtypes of kLimitedDTypes for which the op has a kernel
  std::string source;                        ///< source file, `kernels/shape/view.cpp`, or a plugin's path

  /// Returns the definition by calls of other ops that a tracer uses; null if there is none.
  CompositeBody parts() const { return decomposition ? decomposition : composite; }
  /// Base name for messages: `cat`.
  std::string_view base() const { return schema.base; }
  bool has_kernel(DeviceType d) const;
  /// Returns the dtypes for which the device has kernels; empty if only the rule checks dtypes.
  DTypeSet dtypes_on(DeviceType d) const {
    return d == DeviceType::CUDA && cuda_dtypes != DTypeSet() ? cuda_dtypes : cpu_dtypes;
  }

  // Setters for registration; they can be chained.
  OpEntry& tag(Tags t) { return tags = tags | t, *this; }
  OpEntry& with_rule(Rule r) { return rule = r, *this; }
  /// Sets the definition by calls of other ops, for an op that is CompositeImplicitAutograd in PyTorch.
  OpEntry& with_composite(CompositeBody b) { return composite = b, implicit = true, *this; }
  /// Sets the definition by calls of other ops, for an op that has a kernel in PyTorch.
  OpEntry& made_of(CompositeBody b) { return composite = b, implicit = false, *this; }
  /// Sets the definition by calls of other ops that only a tracer uses. For ops that have a rule and kernels.
  OpEntry& decomposes(CompositeBody b) { return decomposition = b, *this; }
  /// Says whether the op is CompositeImplicitAutograd in PyTorch.
  OpEntry& implicit_composite(bool is = true) { return implicit = is, *this; }
  OpEntry& queries(MetadataQuery q) { return query = q, *this; }
  OpEntry& cpu(FillKernel k) { return fill_kernels[0] = k, *this; }
  /// Sets one kernel for all devices, for ops whose kernel only calls functions that dispatch by device.
  OpEntry& every_device(FillKernel k) { return cpu(k).cuda(k); }
  OpEntry& cpu_returns(ReturnKernel k) { return return_kernels[0] = k, *this; }
  OpEntry& cuda_returns(ReturnKernel k) { return return_kernels[1] = k, *this; }
  /// Sets one ReturnKernel for all devices.
  OpEntry& every_device_returns(ReturnKernel k) { return cpu_returns(k).cuda_returns(k); }
  OpEntry& cuda(FillKernel k) { return fill_kernels[1] = k, *this; }
  OpEntry& dtypes(DTypeSet s) { return cpu_dtypes = s, *this; }
  /// Sets the dtypes of CUDA kernels that differ from `dtypes`.
  OpEntry& dtypes_on_cuda(DTypeSet s) { return cuda_dtypes = s, *this; }
  OpEntry& devices(std::vector<DeviceRule> r);
  OpEntry& with_fallback(FallbackPolicy p, Fill f = Fill::Zeros) { return fallback = p, fill = f, *this; }
  OpEntry& with_index_domain(IndexDomain d);
  OpEntry& with_costly_rule() { return costly_rule = true, *this; }
  OpEntry& count_flops(FlopCount f) { return flops = f, *this; }
  OpEntry& with_tolerance(double t) { return tolerance = t, *this; }
  OpEntry& sample(std::string_view arguments, double low = -2, double high = 2);
  OpEntry& refuses(std::string_view label, std::string_view arguments);
};

}  // namespace ersatz
