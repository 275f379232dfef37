// What the registry knows of one operator overload.
//
// An entry is filled in once at registration by chaining setters and is read-only afterwards (kernels of a device
// module and nothing else are attached later). One entry serves every mode: real, fake, crosscheck, trace.
#pragma once

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "runtime/op/autocast_kind.h"
#include "runtime/op/kernel.h"
#include "runtime/op/rule.h"

namespace ersatz {

/// Properties of an op, as bits. Rooms that may not know op names ask for these.
enum class Tag : uint64_t {
  Core = 1 << 0,             ///< core ATen
  Pointwise = 1 << 1,        ///< elementwise: in-place calls may share memory element by element
  View = 1 << 2,             ///< outputs alias the input
  InplaceView = 1 << 3,      ///< changes an argument's metadata (`t_`, `resize_`)
  Random = 1 << 4,           ///< draws from a generator: values are not compared
  DataDependent = 1 << 5,    ///< an output *size* depends on values
  ScalarRead = 1 << 6,       ///< returns a host number read from tensor data (`item`)
  FailsOnValues = 1 << 7,    ///< may refuse because of values
  LayoutByLibrary = 1 << 8,  ///< a planner decides strides
  Lift = 1 << 9,             ///< literal tensors enter a program here
  HigherOrder = 1 << 10,     ///< takes graphs
  Factory = 1 << 11,         ///< makes tensors from no tensor
  Uninitialized = 1 << 12,   ///< leaves elements unwritten on purpose (`empty`)
  Nondeterministic = 1 << 13,
  AcceptsNumbers = 1 << 14,  ///< numbers may be passed in Tensor slots even when no tensor is among them
  Foreign = 1 << 15,         ///< from a plugin
  Collective = 1 << 16,      ///< its values are those of a group's processes
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

/// What of a tensor's metadata an op answers, reading nothing else and making nothing.
enum class MetadataQuery : uint8_t { None, Size, Stride, Offset, Count, Other };
inline constexpr int kMetadataQueryCount = 6;

/// Where a tensor argument may live relative to the others.
enum class DeviceRule : uint8_t {
  Same,         ///< the common device
  CpuScalarOk,  ///< ... or a 0-d CPU tensor
  Any           ///< not looked at
};

/// What fake mode does for an op.
enum class FallbackPolicy : uint8_t { Rule, Zeros, Refuse };
/// What the made-up inputs of a fallback (fake/mode/fallback.h) hold.
enum class Fill : uint8_t {
  Zeros,
  Ones,
  Ramp,  ///< 0, 1, 2, ... 6, 0, ...
  Random,
  Identity,  ///< ones where the last two indices are equal, zeros elsewhere: what factorisations take
  Sample     ///< what the mode's user hands out, tensor by tensor
};

/// Values of an integer argument that mean positions in a dim of another one: 0 <= value < size(args[of], dim).
struct IndexDomain {
  uint16_t argument;             ///< schema position; of a tensor list every element
  uint16_t of;                   ///< schema position of the tensor that is indexed
  int16_t dim = 0;               ///< from the end where negative; kPosition: the place in the list of indices
  bool dim_is_argument = false;  ///< `dim` is the schema position of the argument that says it
  static constexpr int16_t kPosition = INT16_MIN;
};

/// One call that the op takes, in the text form's argument spelling: `f32[2,3], f32[3], alpha=2`.
/// Tensors are filled from `low`..`high` (integers inclusive) with a fixed seed.
struct Sample {
  std::string arguments;
  double low = -2, high = 2;
};
/// One call that the op refuses, with the label of the constraint (`C2`) that says so.
struct ErrorSample {
  std::string label;
  std::string arguments;
};

/// Which dtypes a written argument may have.
enum class WrittenCast : uint8_t {
  Own,         ///< that of the result
  OfElements,  ///< that of the result; any where it has no elements, whose dtype no kernel looks at
  Any,         ///< what the result can be cast to
  OfReals,     ///< what the result, a real one of complex inputs, can be cast to, or the inputs' own
  SameKind,    ///< what the result can be cast to, but complex only for complex inputs (NotSupported)
  Floating,    ///< any float or complex one
  Truth        ///< bool and u8, for truth values
};
/// How a derived form takes the argument that it writes. Forms of ATen differ in these and in little else.
struct WrittenForm {
  static constexpr uint16_t kNone = UINT16_MAX;
  WrittenCast cast = WrittenCast::Own;
  bool row_major = false;                          ///< an `out=` that must be resized becomes row-major
  bool apart = false;                              ///< it may not be the memory of an input
  bool may_overlap = false;                        ///< elements of it and inputs may share memory: not checked
  bool own_elements = false;                       ///< ... but that no two of its own elements share it
  ErrorFamily cast_family = ErrorFamily::Runtime;  ///< of the refusal of a dtype
  uint16_t dtype_argument = kNone;          ///< schema position of a `dtype` that, left out, is the written one's
  const WrittenForm* of_complex = nullptr;  ///< the form for complex inputs, where it is another
  /// It gets the result's strides though its sizes fit, but for CUDA: for a first input of this rank, or where they are
  /// no row-major ones.
  uint16_t anew_of_rank = kNone;
};
/// ATen's generated `out=` forms (tag `generated` of their schemas): computed apart, resized row-major, copied.
inline constexpr WrittenForm kGeneratedForm{.row_major = true};
/// The `out=` forms of ATen's reductions: shared memory is not checked, not even where the argument is the input.
constexpr WrittenForm reduction_form(WrittenCast cast = WrittenCast::Own,
                                     uint16_t dtype_argument = WrittenForm::kNone) {
  return {.cast = cast, .row_major = true, .may_overlap = true, .dtype_argument = dtype_argument};
}

class CompositeCall;
using CompositeBody = void (*)(CompositeCall& call);
/// Floating point operations of a call with these arguments and this answer, an expression where sizes are; empty where
/// there is no polynomial that says it.
using FlopCount = std::optional<SymInt> (*)(RuleCall& call, const RuleResult& result);

/// How calls of an operator are differentiated, as its family's `derivatives.def` says it.
struct DerivativeRow {
  enum class Kind : uint8_t {
    None,        ///< nothing is said
    Formula,     ///< `text`, in the language of runtime/autograd/formula.h
    Items,       ///< lists are differentiated item by item: `text` names the operator of one item
    NoGradient,  ///< results never require a gradient
    Refused      ///< a call whose arguments require gradients is refused
  };
  Kind kind = Kind::None;
  std::string_view node;  ///< `MulBackward0`, as PyTorch names what a result keeps; empty: the operator's name and 0
  std::string_view text;
};

struct OpEntry {
  std::string name;  ///< canonical, `aten.cat.default`
  uint32_t id = 0;   ///< dense, in order of registration: for tables by op
  FunctionSchema schema;
  Tags tags;
  Rule rule = nullptr;
  CompositeBody composite = nullptr;  ///< defined by other ops instead of rule and kernels
  /// How it is said by other ops where somebody wants it so (a tracer); null: as `composite` says.
  CompositeBody decomposition = nullptr;
  /// PyTorch has nothing of it but its parts (CompositeImplicitAutograd), so a tracer records those.
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
  bool costly_rule = false;  ///< its answer is worth remembering: looking it up is cheaper than the rule
  FlopCount flops = nullptr;
  double tolerance = 0;                 ///< relative, on top of the dtype's own
  const OpEntry* functional = nullptr;  ///< the op that this in-place or out= variant is derived from
  int out_arguments = 0;                ///< trailing `out=` arguments of a derived variant
  WrittenForm form;                     ///< of a derived variant
  bool returns_list = false;            ///< some return is a `Tensor[]`
  std::vector<uint16_t> written;        ///< schema positions of the arguments that the op writes
  std::vector<Sample> samples;
  std::vector<ErrorSample> error_samples;
  DerivativeRow derivative;
  bool real_derivative = false;  ///< a call with complex results is refused where a gradient is wanted
  mutable std::atomic<const void*> resolved_derivative{nullptr};  ///< a Derivative (runtime/autograd); null: not yet
  DTypeSet cpu_dtypes;   ///< what kernels take, CUDA's too without `cuda_dtypes`; empty: what the rule takes
  DTypeSet cuda_dtypes;  ///< what CUDA's kernels take, where that differs; empty: `cpu_dtypes`
  DTypeSet limited_dtypes = kLimitedDTypes;  ///< of kLimitedDTypes: what the op takes
  std::string source;                        ///< `kernels/shape/view.cpp` or a plugin's path

  /// The parts that it may be recorded as; null: there are none.
  CompositeBody parts() const { return decomposition ? decomposition : composite; }
  /// Base name for messages: `cat`.
  std::string_view base() const { return schema.base; }
  bool has_kernel(DeviceType d) const;
  /// What the kernels of a device take; empty: whatever the rule takes.
  DTypeSet dtypes_on(DeviceType d) const {
    return d == DeviceType::CUDA && cuda_dtypes != DTypeSet() ? cuda_dtypes : cpu_dtypes;
  }

  // Registration chain.
  OpEntry& tag(Tags t) { return tags = tags | t, *this; }
  OpEntry& with_rule(Rule r) { return rule = r, *this; }
  /// Of an op of which PyTorch, too, has nothing but its parts.
  OpEntry& with_composite(CompositeBody b) { return composite = b, implicit = true, *this; }
  /// Of an op that PyTorch has a kernel of.
  OpEntry& made_of(CompositeBody b) { return composite = b, implicit = false, *this; }
  /// A way to say it by other ops, beside rule and kernels.
  OpEntry& decomposes(CompositeBody b) { return decomposition = b, *this; }
  /// PyTorch has nothing of it but its parts.
  OpEntry& implicit_composite(bool is = true) { return implicit = is, *this; }
  OpEntry& queries(MetadataQuery q) { return query = q, *this; }
  OpEntry& cpu(FillKernel k) { return fill_kernels[0] = k, *this; }
  /// One kernel that goes by its tensors' devices: what is made of elementwise rows and copies.
  OpEntry& every_device(FillKernel k) { return cpu(k).cuda(k); }
  OpEntry& cpu_returns(ReturnKernel k) { return return_kernels[0] = k, *this; }
  OpEntry& cuda_returns(ReturnKernel k) { return return_kernels[1] = k, *this; }
  /// `every_device` of a kernel that allocates its results itself.
  OpEntry& every_device_returns(ReturnKernel k) { return cpu_returns(k).cuda_returns(k); }
  OpEntry& cuda(FillKernel k) { return fill_kernels[1] = k, *this; }
  OpEntry& dtypes(DTypeSet s) { return cpu_dtypes = s, *this; }
  /// Where the rule takes others on CUDA.
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
