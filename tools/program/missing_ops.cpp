#include "tools/program/missing_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "runtime/op/refused_names.h"
#include "runtime/op/value.h"

namespace ersatz::tools {

namespace {
constexpr size_t kMissingOpsShown = 8;
}

bool is_pytorchs(std::string_view name) {
  constexpr std::string_view kPyTorchs[] = {"aten",
                                            "prims",
                                            "prim",
                                            "higher_order",
                                            "quantized",
                                            "_quantized",
                                            "c10d",
                                            "onednn",
                                            "mkldnn",
                                            "_c10d_functional",
                                            "_dtensor",
                                            "inductor",
                                            "inductor_prims",
                                            "debugprims",
                                            "sparse",
                                            "symm_mem",
                                            "rngprims",
                                            "profiler",
                                            "xnnpack",
                                            "_c10d_functional_autograd",
                                            "mkldnn_prepacked",
                                            "static_runtime",
                                            "streams",
                                            "c10d_functional"};
  // Printed graphs contain functions of PyTorch's Python API (tracer/pasted/), which are PyTorch's too.
  if (name.ends_with("()") && (name.starts_with("torch.") || name.starts_with("Tensor."))) return true;
  if (name.ends_with("()") && (name.starts_with("operator ") || name.starts_with("x["))) return true;
  const std::string_view space = name.substr(0, name.find('.'));
  return std::find(std::begin(kPyTorchs), std::end(kPyTorchs), space) != std::end(kPyTorchs);
}

std::string missing_words(std::string_view op, std::string_view count) {
  const std::string refused = refusal_by_name(op);
  return fmt::format("{} ({}){}{}", op, count, refused.empty() ? "" : ", ", refused);
}

std::string missing_ops_advice(const std::map<std::string, int64_t>& operators,
                               const std::vector<std::string>& plugins) {
  const auto refused = std::count_if(operators.begin(), operators.end(),
                                     [](const auto& op) { return refused_name(op.first) != nullptr; });
  std::string out = fmt::format(
      "{} missing{}\n", operators.size() == 1 ? "1 operator is" : fmt::format("{} operators are", operators.size()),
      refused == 0 ? "" : fmt::format(", {} of them refused by name", refused));
  for (const auto& [op, times] : operators) {
    if (is_pytorchs(op)) continue;
    out += fmt::format(
        "{} is an operator of torch.library: in Python ersatz.torch.validate judges it by samples, "
        "ersatz.torch.crosscheck or record where the model calls it, and ersatz crosscheck by the facts of a real run "
        "(ersatz.torch.facts)\n",
        op);
    break;
  }
  out += "--keep-going takes their recorded metadata, --plugin loads a library that has them\n";
  const std::set<std::string> named(plugins.begin(), plugins.end());
  size_t shown = 0;
  for (const std::string& path : named) {
    if (shown++ == kMissingOpsShown)
      return out + fmt::format("... and {} more plugins\n", named.size() - kMissingOpsShown);
    // The path is printed as a string literal, so that it cannot send control characters to the terminal.
    out += fmt::format("the program names the plugin {}: only --plugin loads it, which is for those who trust it\n",
                       to_string(Value(path)));
  }
  return out;
}

}  // namespace ersatz::tools
