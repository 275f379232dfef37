// OpEntry: all facts that the registry has about one operator overload.
//
// Registration fills an entry by chained setters. Afterwards it is read-only, except that a device module may attach
// kernels. All modes (real, fake, crosscheck, trace) use the same entry.
#pragma once

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "runtime/op/autocast_kind.h"
#include "runtime/op/kernel.h"
#include "runtime/op/rule.h"

namespace ersatz {

/// Properties of an op, as bits. Code that must not use op names tests these bits.
enum class Tag : uint64_t {
  Core = 1 << 0,             ///< core ATen
  Pointwise = 1 << 1,        ///< elementwise: in-place calls may share memory element by element
  View = 1 << 2,             ///< outputs alias the input
  InplaceView = 1 << 3,      ///< changes an argument's metadata (`t_`, `resize_`)
  Random = 1 << 4,           ///< draws from a generator: values are not compared
  DataDependent = 1 << 5,    ///< an output *size* depends on values
  ScalarRead = 1 << 6,       ///< returns a host number read from tensor data (`item`)
  FailsOnValues = 1 << 7,    ///< may refuse because of values
  LayoutByLibrary = 1 << 8,  ///< a library chooses the strides
  Lift = 1 << 9,             ///< literal tensors enter a program here
  HigherOrder = 1 << 10,     ///< takes graphs
  Factory = 1 << 11,         ///< makes tensors from no tensor
  Uninitialized = 1 << 12,   ///< leaves elements unwritten on purpose (`empty`)
  Nondeterministic = 1 << 13,
  AcceptsNumbers = 1 << 14,  ///< numbers may be passed in Tensor slots even when no tensor is among them
  Foreign = 1 << 15,         ///< from a plugin
  Collective = 1 << 16,      ///< its values come from all processes of a group
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

/// The part of a tensor's metadata that an op returns without reading anything else or allocating.
enum class MetadataQuery : uint8_t { None, Size, Stride, Offset, Count, Other };
inline constexpr int kMetadataQueryCount = 6;

/// The device that a tensor argument must be on, relative to the other arguments.
enum class DeviceRule : uint8_t {
  Same,         ///< the common device
  CpuScalarOk,  ///< ... or a 0-d CPU tensor
  Any           ///< not checked
};

/// The way in which fake mode computes the metadata of an op.
enum class FallbackPolicy : uint8_t { Rule, Zeros, Refuse };
/// The elements of the synthetic inputs of a fallback (fake/mode/fallback.h).
enum class Fill : uint8_t {
  Zeros,
  Ones,
  Ramp,  ///< 0, 1, 2, ... 6, 0, ...
  Random,
  Identity,  ///< ones where the last two indices are equal, zeros elsewhere: valid input for factorisations
  Sample     ///< tensors that the mode's user provides
};

/// An integer argument whose values are positions in a dim of another argument: 0 <= value < size(args[of], dim).
struct IndexDomain {
  uint16_t argument;             ///< schema position; a tensor list: each of its elements
  uint16_t of;                   ///< schema position of the tensor that is indexed
  int16_t dim = 0;               ///< negative: counted from the end; kPosition: the position in the list of indices
  bool dim_is_argument = false;  ///< `dim` is the schema position of the argument that has the dim
  static constexpr int16_t kPosition = INT16_MIN;
};

/// One valid call of the op, with arguments in the text form's spelling: `f32[2,3], f32[3], alpha=2`.
/// Tensors are filled from `low`..`high` (integers inclusive) with a fixed seed.
struct Sample {
  std::string arguments;
  double low = -2, high = 2;
};
/// One call that the op refuses, with the label (`C2`) of the violated constraint.
struct ErrorSample {
  std::string label;
  std::string arguments;
};

/// The dtypes that a written argument may have.
enum class WrittenCast : uint8_t {
  Own,         ///< the result's dtype
  OfElements,  ///< the result's dtype, or any dtype if the result is empty, because then no kernel reads it
  Any,         ///< any dtype that the result can be cast to
  OfReals,   ///< for a real result of complex inputs (`abs`): any that the result can be cast to, or the inputs' dtype
  SameKind,  ///< any that the result can be cast to, but complex only for complex inputs (NotSupported)
  Floating,  ///< any float or complex dtype
  Truth      ///< bool and u8, for boolean results
};
/// The checks that a derived form makes on the argument that it writes. ATen's forms differ mostly in these.
struct WrittenForm {
  static constexpr uint16_t kNone = UINT16_MAX;
  WrittenCast cast = WrittenCast::Own;
  bool row_major = false;     ///< an `out=` that must be resized becomes row-major
  bool apart = false;         ///< it may not share memory with an input
  bool may_overlap = false;   ///< its elements and inputs may share memory: not checked
  bool own_elements = false;  ///< if may_overlap: still check that no two of its own elements share memory
  ErrorFamily cast_family = ErrorFamily::Runtime;  ///< of the error for a dtype that `cast` forbids
  uint16_t dtype_argument = kNone;                 ///< schema position of a `dtype` whose default is the written one's
  const WrittenForm* of_complex = nullptr;         ///< the form for complex inputs, if it differs
  /// It gets the result's strides though its sizes fit, but for CUDA: for a first input of this rank, or where they are
  /// no row-major ones.
  uint16_t anew_of_rank = kNone;
};
/// ATen's generated `out=` forms (tag `generated` in their schemas) compute into a temporary, resize `out` row-major
/// and copy.
inline constexpr WrittenForm kGeneratedForm{.row_major = true};
/// The `out=` forms of ATen's reductions do not check for shared memory, not even if `out` is the input.
constexpr WrittenForm reduction_form(WrittenCast cast = WrittenCast::Own,
                                     uint16_t dtype_argument = WrittenForm::kNone) {
  return {.cast = cast, .row_major = true, .may_overlap = true, .dtype_argument = dtype_argument};
}

class CompositeCall;
using CompositeBody = void (*)(CompositeCall& call);
/// Returns the floating point operations of a call with this result, as an expression if sizes are symbolic. Empty if
/// no polynomial describes them.
using FlopCount = std::optional<SymInt> (*)(RuleCall& call, const RuleResult& result);

/// The derivative of an operator, from its family's `derivatives.def`.
struct DerivativeRow {
  enum class Kind : uint8_t {
    None,        ///< no derivative is declared
    Formula,     ///< `text`, in the language of runtime/autograd/formula.h
    Items,       ///< lists are differentiated element by element: `text` names the operator for one element
    NoGradient,  ///< results never require a gradient
    Refused      ///< a call whose arguments require gradients is refused
  };
  Kind kind = Kind::None;
  std::string_view node;  ///< PyTorch's name of the backward node, `MulBackward0`; empty: operator's name and 0
  std::string_view text;
};

struct OpEntry {
  std::string name;  ///< canonical, `aten.cat.default`
  uint32_t id = 0;   ///< dense, in order of registration: an index for tables by op
  FunctionSchema schema;
  Tags tags;
  Rule rule = nullptr;
  CompositeBody composite = nullptr;  ///< defined by other ops instead of rule and kernels
  /// The definition by other ops that a tracer uses; null: it uses `composite`.
  CompositeBody decomposition = nullptr;
  /// The op is CompositeImplicitAutograd in PyTorch, so a tracer records its parts.
  bool implicit = false;
  MetadataQuery query = MetadataQuery::None;
  Autocasts autocast;
  std::array<std::atomic<FillKernel>, kDeviceTypeCount> fill_kernels{};
  std::array<std::atomic<ReturnKernel>, kDeviceTypeCount> return_kernels{};
  void* plugin_op = nullptr;             ///< state of a foreign op
  std::vector<DeviceRule> device_rules;  ///< per schema argument; empty: all Same
  FallbackPolicy fallback = FallbackPolicy::Rule;
  Fill fill = Fill::Zeros;
  std::vector<IndexDomain> index_domains;
  bool costly_rule = false;  ///< the rule is slower than a cache lookup, so its results are cached
  FlopCount flops = nullptr;
  double tolerance = 0;                 ///< relative, added to the dtype's own
  const OpEntry* functional = nullptr;  ///< the op that this in-place or out= variant is derived from
  int out_arguments = 0;                ///< trailing `out=` arguments of a derived variant
  WrittenForm form;                     ///< if this is a derived variant
  bool returns_list = false;            ///< some return is a `Tensor[]`
  std::vector<uint16_t> written;        ///< schema positions of the arguments that the op writes
  std::vector<Sample> samples;
  std::vector<ErrorSample> error_samples;
  DerivativeRow derivative;
  bool real_derivative = false;  ///< a call with complex results is refused if a gradient is required
  mutable std::atomic<const void*> resolved_derivative{nullptr};  ///< a Derivative (runtime/autograd); null: not yet
  DTypeSet cpu_dtypes;   ///< dtypes of CPU kernels, also CUDA's if `cuda_dtypes` is empty; empty: the rule decides
  DTypeSet cuda_dtypes;  ///< dtypes of CUDA kernels if they differ; empty: `cpu_dtypes`
  DTypeSet limited_dtypes = kLimitedDTypes;  ///< those of kLimitedDTypes that the op takes
  std::string source;                        ///< `kernels/shape/view.cpp` or a plugin's path

  /// The definition by other ops for a tracer; null: there is none.
  CompositeBody parts() const { return decomposition ? decomposition : composite; }
  /// Base name for messages: `cat`.
  std::string_view base() const { return schema.base; }
  bool has_kernel(DeviceType d) const;
  /// Returns the dtypes of the device's kernels; empty: all that the rule takes.
  DTypeSet dtypes_on(DeviceType d) const {
    return d == DeviceType::CUDA && cuda_dtypes != DTypeSet() ? cuda_dtypes : cpu_dtypes;
  }

  // Registration chain.
  OpEntry& tag(Tags t) { return tags = tags | t, *this; }
  OpEntry& with_rule(Rule r) { return rule = r, *this; }
  /// For an op that is CompositeImplicitAutograd in PyTorch.
  OpEntry& with_composite(CompositeBody b) { return composite = b, implicit = true, *this; }
  /// For a composite op that has a kernel in PyTorch.
  OpEntry& made_of(CompositeBody b) { return composite = b, implicit = false, *this; }
  /// Adds a definition by other ops to an op that has a rule and kernels.
  OpEntry& decomposes(CompositeBody b) { return decomposition = b, *this; }
  /// Says whether the op is CompositeImplicitAutograd in PyTorch.
  OpEntry& implicit_composite(bool is = true) { return implicit = is, *this; }
  OpEntry& queries(MetadataQuery q) { return query = q, *this; }
  OpEntry& cpu(FillKernel k) { return fill_kernels[0] = k, *this; }
  /// One kernel for all devices, for ops whose kernel calls elementwise rows and copies of its tensors' device.
  OpEntry& every_device(FillKernel k) { return cpu(k).cuda(k); }
  OpEntry& cpu_returns(ReturnKernel k) { return return_kernels[0] = k, *this; }
  OpEntry& cuda_returns(ReturnKernel k) { return return_kernels[1] = k, *this; }
  /// `every_device` of a kernel that allocates its results itself.
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
