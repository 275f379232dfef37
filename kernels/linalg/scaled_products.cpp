#include "kernels/linalg/scaled_products.h"

#include <algorithm>

#include "kernels/linalg/matrix_layout.h"
#include "kernels/linalg/mm.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/fill_elements.h"
#include "kernels/shape/reshape.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_scaled_products {
namespace {

using namespace arithmetic;

/// Determines which elements of a matrix share a scale. The values are those of PyTorch's enum ScalingType.
enum class Recipe : int64_t { Whole, Row, Row16, Row32, Row128, Square128 };

/// One operand, viewed so that scales belong to its rows. Its rows are the rows of self, or the columns of mat2.
struct Side {
  const TensorMeta& matrix;
  bool turned;  ///< true for mat2: its rows are the columns of the tensor, and its scales are transposed too

  SymInt rows() const { return matrix.sizes[turned ? 1 : 0]; }
  SymInt inner() const { return matrix.sizes[turned ? 0 : 1]; }
  /// The number of elements in a row. It differs from inner() if a byte has two 4-bit floats.
  SymInt elements() const { return is_packed(matrix.dtype) ? inner() * 2 : inner(); }
};

SymInt round_up(const SymInt& n, int64_t unit) { return floor_div(n + (unit - 1), unit) * unit; }
SymInt pieces(const SymInt& n, int64_t unit) { return floor_div(n + (unit - 1), unit); }

/// The number of scales, one for each block of `block` elements of a row. It is padded to tiles of 128 rows and 4
/// scales.
SymInt tiled_scales(const Side& side, int64_t block) {
  return round_up(side.rows(), 128) * round_up(pieces(side.elements(), block), 4);
}
/// True if `scale` has sizes [rows, columns], or for mat2 [columns, rows].
bool has_sizes(const Side& side, const TensorMeta& scale, const SymInt& rows, const SymInt& columns) {
  return scale.dim() == 2 && check_eq(scale.sizes[side.turned ? 1 : 0], rows) &&
         check_eq(scale.sizes[side.turned ? 0 : 1], columns);
}

/// True if the dtype and the sizes of `scale` are those that `recipe` requires for `side`.
bool describes(Recipe recipe, const Side& side, const TensorMeta& scale) {
  const bool eight = kFloat8s.has(side.matrix.dtype), four = kFloat4s.has(side.matrix.dtype);
  const bool numbers = eight && scale.dtype == DType::F32;
  if (recipe == Recipe::Whole) return numbers && size_eq(scale.numel(), 1);
  if (side.matrix.dim() != 2) return false;
  switch (recipe) {
    case Recipe::Row:
      return numbers && scale.dim() == 2 && size_eq(scale.sizes[side.turned ? 0 : 1], 1) &&
             has_sizes(side, scale, side.rows(), 1);
    case Recipe::Row128:
      return numbers && has_sizes(side, scale, side.rows(), pieces(side.inner(), 128));
    case Recipe::Square128:
      return numbers && has_sizes(side, scale, pieces(side.rows(), 128), pieces(side.inner(), 128));
    case Recipe::Row32:
      return (eight || four) && scale.dtype == DType::F8E8M0FNU && check_eq(scale.numel(), tiled_scales(side, 32));
    default:
      return four && scale.dtype == DType::F8E4M3FN && check_eq(scale.numel(), tiled_scales(side, 16));
  }
}

/// The pairs of recipes for self and mat2 that are supported. They are tried in this order.
constexpr Recipe kPairs[][2] = {{Recipe::Whole, Recipe::Whole},      {Recipe::Row, Recipe::Row},
                                {Recipe::Square128, Recipe::Row128}, {Recipe::Row128, Recipe::Square128},
                                {Recipe::Row128, Recipe::Row128},    {Recipe::Row32, Recipe::Row32},
                                {Recipe::Row16, Recipe::Row16}};

bool is_on_cpu(Recipe recipe) { return recipe == Recipe::Whole || recipe == Recipe::Row; }

/// Checks and metadata that `_scaled_mm` shares with `_scaled_mm_v2` and the other operators of this file. `family` is
/// the error family of the operator: all but `_scaled_mm` raise ValueError.
struct Product {
  const RuleCall& call;
  Position self, mat2;
  ErrorFamily family;

  Side left() const { return {call.meta(self), false}; }
  Side right() const { return {call.meta(mat2), true}; }

  template <class... A>
  void require(bool ok, std::string_view label, fmt::format_string<A...> format, const A&... values) const {
    if (!ok) call.refuse(family, label, format, values...);
  }
  /// Raises [op.C1] unless both operands are matrices whose inner sizes agree.
  void require_fit() const {
    const TensorMeta &a = call.meta(self), &b = call.meta(mat2);
    require(a.dim() == 2 && b.dim() == 2, "C1", "operands must be matrices: they are {} and {}", a, b);
    require(check_eq(a.sizes[1], b.sizes[0]), "C1", "operands must be matrices that fit: they are {} and {}", a, b);
  }
  /// Raises [op.C2] and [op.C4], on CUDA only.
  void require_layout() const {
    if (!call.device.is_cuda()) return;
    const TensorMeta &a = call.meta(self), &b = call.meta(mat2);
    constexpr DTypeSet kNarrow = kFloat8s.without({DType::F8E8M0FNU}) | kFloat4s;
    require(kNarrow.has(a.dtype) && kNarrow.has(b.dtype), "C2",
            "operands must be floats of 8 or 4 bits with mantissas: they are {} and {}", a, b);
    require_row_major(call, "C4", self);
    require_column_major(call, "C4", mat2);
    for (const SymInt& n : {b.sizes[0], b.sizes[1]}) {
      require(check_eq(n, floor_div(n, 16) * 16), "C4",
              "16 must divide the inner size and the columns of mat2: operands are {} and {}; pad them", a, b);
    }
  }
  /// True if the product is empty and the operator takes lists of scales. Then only the counts and dtypes of the scales
  /// are checked.
  bool is_done() const {
    const auto none = [](const SymInt& n) { return size_eq(n, 0); };
    return family == ErrorFamily::Value && (none(left().rows()) || none(right().rows()) || none(left().inner()));
  }
  /// Raises [op.C5] unless the sizes of the bias fit. The dtype of the bias is checked elsewhere.
  void require_bias(Position bias) const {
    if (!call.has(bias)) return;
    const TensorMeta& t = call.meta(bias);
    const SymInt columns = right().rows();
    require(check_eq(t.numel(), columns), "C5", "bias must have {} numbers, one for each column of mat2: it is {}",
            columns, t);
    if (is_done()) return;
    const size_t rank = t.sizes.size();
    const bool is_row = rank > 0 && rank <= 2 && check_eq(t.sizes[rank - 1], columns);
    call.require(is_row || (rank == 2 && check_eq(left().rows(), columns) && check_eq(t.sizes[1], 1)), "C5",
                 "bias must be a row of {} numbers: it is {}", columns, t);
  }
  /// Adds the result's metadata to the call: row-major, with dtype `dtype`.
  void answer(DType dtype) const {
    const SymInt sizes[] = {left().rows(), right().rows()};
    const bool is_written = !is_done() && size_ne(sizes[0] * sizes[1], 0);
    call.require_dtype(is_written ? dtype : DType::F32, kEveryDType.without(kFloat4s));
    call.out.fresh(TensorMeta(dtype, sizes, call.device));
  }
};

DType out_dtype(const RuleCall& call, Position argument, Position self) {
  return call.has(argument) ? call[argument].as_dtype() : call.meta(self).dtype;
}

/// True if the machine decides whether scales with one element are accepted. On machines where oneDNN multiplies 8-bit
/// floats, PyTorch's CPU kernel has a separate path for operands of one dtype. That path accepts scales of any dtype.
bool is_of_machine(const RuleCall& call) {
  constexpr Schema k = kScaledMm;
  return call.device.is_cpu() && call.meta(k["self"]).dtype == call.meta(k["mat2"]).dtype &&
         size_eq(call.meta(k["scale_a"]).numel(), 1) && size_eq(call.meta(k["scale_b"]).numel(), 1);
}

/// Returns the recipe's name in PyTorch's enum ScalingType.
std::string_view name_of(Recipe recipe) {
  constexpr std::string_view kNames[] = {"TensorWise",    "RowWise",        "BlockWise1x16",
                                         "BlockWise1x32", "BlockWise1x128", "BlockWise128x128"};
  return kNames[static_cast<size_t>(recipe)];
}

/// Returns a part of an error message: which scales of this dtype CUDA accepts for the matrix.
std::string wanted_scales(const Side& side, DType dtype) {
  const std::string_view rows = side.turned ? "columns" : "rows";
  const auto tiled = [&](int64_t block, std::string_view scheme) {
    return fmt::format("{} {} numbers, one for {} elements of a {}, in tiles of 128 {} and 4 numbers ({})",
                       tiled_scales(side, block), name(dtype), block, side.turned ? "column" : "row", rows, scheme);
  };
  const auto sizes = [&](const SymInt& m, const SymInt& n) {
    return side.turned ? fmt::format("f32[{}, {}]", n, m) : fmt::format("f32[{}, {}]", m, n);
  };
  if (dtype == DType::F8E8M0FNU) return tiled(32, "MX");
  if (dtype == DType::F8E4M3FN && kFloat4s.has(side.matrix.dtype)) return tiled(16, "NVFP4");
  const SymInt blocks = pieces(side.inner(), 128);
  return fmt::format("one f32 number, {} for {}, {} for blocks of 128 elements or {} for squares of 128",
                     sizes(side.rows(), 1), rows, sizes(side.rows(), blocks), sizes(pieces(side.rows(), 128), blocks));
}

/// Returns the advice in the error message for scales that match no pair of recipes.
std::string advice_on_cuda(const Product& product, const TensorMeta& scale_a, const TensorMeta& scale_b) {
  const auto recipe_of = [](const Side& side, const TensorMeta& scale) -> std::optional<Recipe> {
    for (const auto& pair : kPairs) {
      if (describes(pair[0], side, scale)) return pair[0];
    }
    return std::nullopt;
  };
  const auto of_a = recipe_of(product.left(), scale_a), of_b = recipe_of(product.right(), scale_b);
  if (of_a && of_b)
    return fmt::format("scale_a is {} and scale_b is {}, which do not go together", name_of(*of_a), name_of(*of_b));
  std::string advice;
  if (!of_a) advice += "scale_a must be " + wanted_scales(product.left(), scale_a.dtype);
  if (!of_b)
    advice += (of_a ? "scale_b must be " : "; scale_b must be ") + wanted_scales(product.right(), scale_b.dtype);
  return advice;
}

/// Returns the pair of recipes that fits the scales. Raises [_scaled_mm.C3] if no pair fits.
const Recipe* recipes_of(const Product& product, const TensorMeta& scale_a, const TensorMeta& scale_b) {
  const RuleCall& call = product.call;
  for (const auto& pair : kPairs) {
    if (!describes(pair[0], product.left(), scale_a)) continue;
    call.require(scale_b.dim() <= 2, "C3", "scale_b must have at most 2 dims: it is {}", scale_b);
    if (describes(pair[1], product.right(), scale_b)) return pair;
  }
  const TensorMeta &a = call.meta(product.self), &b = call.meta(product.mat2);
  call.require_index(b.dim() >= 2 && a.dim() >= 1, "C1", "operands must be matrices: they are {} and {}", a, b);
  if (call.device.is_cuda())
    call.refuse(ErrorFamily::Runtime, "C3", "no recipe describes the scales {} and {} of {} and {}: {}", scale_a,
                scale_b, a, b, advice_on_cuda(product, scale_a, scale_b));
  call.refuse(ErrorFamily::Value, is_of_machine(call) ? "C3.or_any" : "C3",
              "no recipe describes the scales {} and {} of {} and {}: pass one f32 number for each, or f32[{}, 1] and "
              "f32[1, {}] for rows of self and columns of mat2",
              scale_a, scale_b, a, b, a.sizes[0], b.sizes[1]);
}

void scaled_mm_rule(RuleCall& call) {
  constexpr Schema k = kScaledMm;
  const Product product{call, k["self"], k["mat2"], ErrorFamily::Runtime};
  const TensorMeta &scale_a = call.meta(k["scale_a"]), &scale_b = call.meta(k["scale_b"]);
  const bool cuda = call.device.is_cuda();
  if (cuda) {  // on CUDA, PyTorch checks the operands before the scales
    product.require_fit();
    product.require_layout();
  }
  const Recipe* recipes = recipes_of(product, scale_a, scale_b);
  product.require_fit();
  if (recipes[0] == Recipe::Row) {
    for (const TensorMeta* scale : {&scale_a, &scale_b}) {
      if (!is_contiguous(*scale) || !(cuda || check_eq(scale->strides[1], 1)))
        call.refuse(cuda ? ErrorFamily::Runtime : ErrorFamily::Value, "C3", "scales of rows must be dense: one is {}",
                    *scale);
    }
  }
  if (call.device.is_cpu() && !(is_on_cpu(recipes[0]) && is_on_cpu(recipes[1])))
    call.refuse(ErrorFamily::Value, "C3", "the CPU multiplies by scales of whole matrices or rows: they are {} and {}",
                scale_a, scale_b);
  if (call.has(k["scale_result"])) {
    const TensorMeta& t = call.meta(k["scale_result"]);
    call.require(t.dtype == DType::F32 && check_eq(t.numel(), 1), "C6", "scale_result must be one f32 number: it is {}",
                 t);
  }
  product.require_bias(k["bias"]);
  if (call.has(k["bias"])) {
    const DType bias = call.meta(k["bias"]).dtype;
    call.require(!kFloat8s.has(bias) && !kFloat4s.has(bias) && !is_complex(bias), "C5",
                 "bias must have a dtype that can be added in f32: it is {}", call.meta(k["bias"]));
  }
  product.answer(out_dtype(call, k["out_dtype"], k["self"]));
}

/// Computes the result metadata of _scaled_mm.out. If out_dtype is None, `out` may have any dtype.
void scaled_mm_out_rule(RuleCall& call) {
  constexpr Schema k = kScaledMm;
  const TensorMeta& out = call.meta(k.out());
  const DType dtype = out_dtype(call, k["out_dtype"], k.out());
  if (dtype != out.dtype)
    call.refuse(ErrorFamily::Value, "C7", "out must have the dtype of out_dtype, {}: it is {}", name(dtype), out);
  Values arguments;
  for (const Value& v : call.args.first(k.out())) arguments.push_back(v.borrowed());
  arguments[k["out_dtype"]] = Value(dtype);
  RuleResult result;
  RuleCall typed = call.with(arguments, result);
  scaled_mm_rule(typed);
  call.out.dtype_asked = true;
  answer_out(call, result.outputs[0].meta, k.out(), {.may_overlap = true, .own_elements = true});
}

/// Writes the product. The operands are first multiplied by their scales in f32.
void multiply(KernelCall& call, const Tensor& a, const Tensor& scale_a, const Tensor& b, const Tensor& scale_b,
              const Tensor& bias, const Tensor& scale_result) {
  const auto scaled = [](const Tensor& matrix, const Tensor& scale) {
    const bool one = scale.numel().as_int() == 1;
    return ops::to(matrix, DType::F32) * (one ? ops::reshape(scale, {}) : scale);
  };
  Tensor product = ops::mm(scaled(a, scale_a), scaled(b, scale_b));
  if (bias) product = ops::to(product + bias, DType::F32);
  if (scale_result) product = product / ops::reshape(scale_result, {});
  ops::copy_(call.outputs[0], product);
}

void run_scaled_mm(KernelCall& call) {
  constexpr Schema k = kScaledMm;
  constexpr DTypeSet kResultsWithScale{DType::F8E4M3FN, DType::F8E5M2};
  const Value& asked = call[k["out_dtype"]];
  const bool counts = !asked.is_none() && kResultsWithScale.has(asked.as_dtype());
  multiply(call, call.tensor(k["self"]), call.tensor(k["scale_a"]), call.tensor(k["mat2"]), call.tensor(k["scale_b"]),
           call.tensor(k["bias"]), counts ? call.tensor(k["scale_result"]) : Tensor());
}

/// Positions of three list arguments of one matrix: scales, recipes and swizzles.
struct Lists {
  Position scales, recipes, swizzles;
};

/// Returns the names of the recipes in the list, from PyTorch's enum ScalingType.
std::string recipe_names(std::span<const SymInt> recipes) {
  std::string names;
  for (const SymInt& r : recipes) {
    const bool known = r.is_int() && r.as_int() >= 0 && r.as_int() <= static_cast<int64_t>(Recipe::Square128);
    names += names.empty() ? "" : ", ";
    names += known ? std::string(name_of(static_cast<Recipe>(r.as_int()))) : to_string(r);
  }
  return "[" + names + "]";
}

/// Returns the first recipe of the list, or nullopt if the list is not supported. A second recipe is supported only
/// after Row16 (NVFP4), and has to be Whole.
std::optional<Recipe> first_recipe(std::span<const SymInt> recipes) {
  if (recipes.empty() || !recipes[0].is_int() || recipes[0].as_int() < 0 || recipes[0].as_int() > 5)
    return std::nullopt;
  const auto first = static_cast<Recipe>(recipes[0].as_int());
  const bool with_whole = first == Recipe::Row16 && recipes.size() == 2 && check_eq(recipes[1], 0);
  return recipes.size() == 1 || with_whole ? std::optional(first) : std::nullopt;
}

/// Raises [op.C3] unless the scales of one matrix fit `recipe`. REQUIRES: the device supports `recipe`.
void require_scales(const Product& product, const Side& side, const Lists& lists, Recipe recipe) {
  const RuleCall& call = product.call;
  const std::span<const Value> scales = call.list(lists.scales);
  const std::string& name = call.op.schema.arguments[lists.scales].name;
  const size_t wanted = call.ints(lists.recipes).size();
  product.require(scales.size() == wanted, "C3", "{} must have a scale for each recipe, {}: it has {}", name, wanted,
                  scales.size());
  const TensorMeta& scale = scales[0].tensor_impl()->meta;
  if (recipe == Recipe::Row) {
    product.require(scale.dtype == DType::F32 && check_eq(scale.numel(), side.rows()), "C3",
                    "{} must have {} f32 numbers: it is {}", name, side.rows(), scale);
    if (product.is_done()) return;
    const bool first = side.turned || (scale.dim() >= 1 && check_eq(scale.sizes[0], side.rows()));
    product.require(first, "C3", "{} must be f32[{}, 1]: it is {}", name, side.rows(), scale);
    call.require_index(scale.dim() >= 2, "C3", "{} must have two dims: it is {}", name, scale);
    product.require((side.turned || check_eq(scale.sizes[1], 1)) && check_eq(scale.strides[1], 1), "C3",
                    "{} must have two dims, the last one dense: it is {}", name, scale);
    call.require(
        scale.dim() == 2 && (!side.turned || check_eq(scale.sizes[0], 1) || check_eq(scale.sizes[0], side.inner())),
        "C3", "{} must broadcast to its matrix: it is {}", name, scale);
    return;
  }
  product.require(describes(recipe, side, scale), "C3", "{} is not the scale of {} by {}: it is {}", name, side.matrix,
                  recipe_names(call.ints(lists.recipes)), scale);
  if (recipe != Recipe::Row16 && recipe != Recipe::Row32) return;
  const std::span<const SymInt> swizzles = call.ints(lists.swizzles);
  product.require(swizzles.size() == wanted && check_eq(swizzles[0], 1), "C3",
                  "{} must be swizzled in tiles of 32, 4 and 4, swizzle 1: swizzles are {}", name, swizzles);
}

/// Checks both matrices and their scales, for the operators that take lists of scales.
void require_scaled_operands(const Product& product, const Lists& left, const Lists& right, Position contraction) {
  const RuleCall& call = product.call;
  const auto is_dim = [](const SymInt& d, int64_t at) { return check_eq(d, at) || check_eq(d, at - 2); };
  const std::span<const SymInt> dims = call.ints(contraction);
  product.require(dims.empty() || (dims.size() == 2 && is_dim(dims[0], 1) && is_dim(dims[1], 0)), "C6",
                  "contraction_dim must be [1, 0]: it is {}", dims);
  product.require_fit();
  const TensorMeta &a = call.meta(product.self), &b = call.meta(product.mat2);
  const auto narrow = [](const TensorMeta& t) { return kFloat8s.has(t.dtype) || kFloat4s.has(t.dtype); };
  product.require(narrow(a) && narrow(b), "C2", "operands must be floats of 8 or 4 bits: they are {} and {}", a, b);
  const auto of_a = first_recipe(call.ints(left.recipes)), of_b = first_recipe(call.ints(right.recipes));
  const bool paired = of_a && of_b && std::any_of(std::begin(kPairs), std::end(kPairs), [&](const auto& pair) {
                        return pair[0] == *of_a && pair[1] == *of_b;
                      });
  product.require(paired, "C3", "there is no product by the recipes {} and {}", recipe_names(call.ints(left.recipes)),
                  recipe_names(call.ints(right.recipes)));
  if (call.device.is_cpu()) {
    product.require(is_on_cpu(*of_a), "C3",
                    "the CPU multiplies by TensorWise and RowWise scales: recipes are {} and {}",
                    recipe_names(call.ints(left.recipes)), recipe_names(call.ints(right.recipes)));
    for (const Lists& lists : {left, right}) {
      if (product.is_done()) break;
      for (const SymInt& s : call.ints(lists.swizzles))
        product.require(check_eq(s, 0), "C3", "the CPU takes no swizzled scales: swizzles are {}",
                        call.ints(lists.swizzles));
    }
  }
  require_scales(product, product.left(), left, *of_a);
  require_scales(product, product.right(), right, *of_b);
  product.require_layout();
}

constexpr Lists kLeft{kScaledMmV2["scale_a"], kScaledMmV2["recipe_a"], kScaledMmV2["swizzle_a"]},
    kRight{kScaledMmV2["scale_b"], kScaledMmV2["recipe_b"], kScaledMmV2["swizzle_b"]};

void scaled_mm_v2_rule(RuleCall& call) {
  constexpr Schema k = kScaledMmV2;
  const Product product{call, k["self"], k["mat2"], ErrorFamily::Value};
  require_scaled_operands(product, kLeft, kRight, k["contraction_dim"]);
  if (call.has(k["bias"])) {
    constexpr DTypeSet kBiases{DType::F32, DType::F16, DType::BF16};
    product.require_bias(k["bias"]);
    product.require(kBiases.has(call.meta(k["bias"]).dtype) || product.is_done(), "C5",
                    "bias must be f32, f16 or bf16: it is {}", call.meta(k["bias"]));
  }
  product.answer(out_dtype(call, k["out_dtype"], k["self"]));
}

void run_scaled_mm_v2(KernelCall& call) {
  constexpr Schema k = kScaledMmV2;
  const Tensor a = call.tensor(k["self"]), b = call.tensor(k["mat2"]);
  // an empty operand: the result is zeros, without the bias
  if (a.numel().as_int() == 0 || b.numel().as_int() == 0) return fill_elements(call.outputs[0], 0);
  multiply(call, a, call.list(k["scale_a"])[0].tensor(), b, call.list(k["scale_b"])[0].tensor(), call.tensor(k["bias"]),
           Tensor());
}

void require_cuda(const RuleCall& call) {
  if (call.device.is_cpu()) call.not_supported("not implemented for cpu: _scaled_mm_v2 is, and add sums up{}", "");
}

void scaled_addmm_rule(RuleCall& call) {
  constexpr Schema k = kScaledAddmm;
  require_cuda(call);
  const Product product{call, k["mat1"], k["mat2"], ErrorFamily::Value};
  require_scaled_operands(product, {k["scale_a"], k["recipe_a"], k["swizzle_a"]},
                          {k["scale_b"], k["recipe_b"], k["swizzle_b"]}, k["contraction_dim"]);
  const TensorMeta& self = call.meta(k["self"]);
  const SymInt sizes[] = {product.left().rows(), product.right().rows()};
  call.require(check_eq(self.sizes, std::span<const SymInt>(sizes)) && is_contiguous(self), "C7",
               "self must be row-major with the sizes {}: it is {}", std::span<const SymInt>(sizes), self);
  product.answer(self.dtype);
}
void scaled_addmm_inplace_rule(RuleCall& call) {
  require_cuda(call);
  derived_inplace_rule(call);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& scaled = r.add(kScaledMm)
                        .with_tolerance(1e-5)
                        .with_rule(scaled_mm_rule)
                        .every_device(run_scaled_mm)
                        .sample("f8e4m3fn[3,16], f8e4m3fn[16,32]{1,16}, f32[], f32[], out_dtype=bf16")
                        .sample("f8e5m2[3,16], f8e4m3fn[16,32]{1,16}, f32[3,1], f32[1,32], bf16[32], out_dtype=f32")
                        .sample("f8e4m3fn[3,16], f8e4m3fn[16,32]{1,16}, f32[1], f32[1], None, f32[], f8e5m2")
                        .refuses("C1", "f8e4m3fn[3,16], f8e4m3fn[8,4]{1,8}, f32[], f32[]")
                        .refuses("C3", "f8e4m3fn[3,16], f8e4m3fn[16,32]{1,16}, f32[3,1], f32[]")
                        .refuses("C5", "f8e4m3fn[3,16], f8e4m3fn[16,32]{1,16}, f32[], f32[], f32[3]")
                        .refuses("C6", "f8e4m3fn[3,16], f8e4m3fn[16,32]{1,16}, f32[], f32[], None, f32[2]");
  r.add_out_alike(scaled, "out")
      .with_tolerance(1e-5)
      .with_rule(scaled_mm_out_rule)
      .sample("f8e4m3fn[3,16], f8e4m3fn[16,32]{1,16}, f32[], f32[], out=f16[0]", 0, 2)
      .refuses("C7", "f8e4m3fn[3,16], f8e5m2[16,32]{1,16}, f32[], f32[], None, None, bf16, out=f32[3,32]");
  const std::string operands = "f8e4m3fn[3,16], f8e4m3fn[16,32]{1,16}, ", one = "[f32[]], [0], [], [f32[]], [0], []";
  OpEntry& listed = r.add(kScaledMmV2)
                        .with_rule(scaled_mm_v2_rule)
                        .every_device(run_scaled_mm_v2)
                        .sample(operands + one + ", None, bf16")
                        .sample(operands + "[f32[3,1]], [1], [0], [f32[1,32]], [1], [0], f16[32], f32, [1, 0]")
                        .refuses("C1", "f8e4m3fn[3,16], f8e4m3fn[8,4]{1,8}, " + one + ", None, bf16")
                        .refuses("C2", "bf16[3,16], bf16[16,32]{1,16}, " + one + ", None, bf16")
                        .refuses("C3", operands + "[f32[]], [0], [], [f32[1,32]], [1], [], None, bf16")
                        .refuses("C3", operands + "[f32[3]], [1], [], [f32[1,32]], [1], [], None, bf16")
                        .refuses("C5", operands + one + ", f64[32], bf16")
                        .refuses("C6", operands + one + ", None, bf16, [1, 1]");
  const WrittenForm form{.may_overlap = true, .own_elements = true};
  r.add_out(listed, "out", form).sample(operands + one + ", None, bf16, out=bf16[0]");
  OpEntry& sum = r.add(kScaledAddmm).with_rule(scaled_addmm_rule).refuses("", "bf16[3,32], " + operands + one);
  r.add_inplace(sum).with_rule(scaled_addmm_inplace_rule).refuses("", "bf16[3,32], " + operands + one);
  r.add_out(sum, "out").refuses("", "bf16[3,32], " + operands + one + ", out=bf16[3,32]");
}

}  // namespace ersatz::op_scaled_products
