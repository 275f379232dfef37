// Plugins in C++: typed kernels and rules on top of the C interface runtime/plugin/plugin.h. Header-only; a plugin
// links to no library of ersatz.
//
//   #include <ersatz/plugin_op.h>
//   using namespace ersatz::plugin;
//
//   Result twice(Call& call, const View& x) {
//     Result y = call.allocate(x.dtype(), x.sizes());
//     for (int64_t i = 0; i < x.numel(); ++i) y.data<float>()[i] = 2 * x.at<float>(i);
//     return y;
//   }
//   Meta twice_rule(const View& x) { return Meta(x.dtype(), x.sizes()); }
//
//   ERSATZ_PLUGIN(p) { p.op("demo::twice(Tensor x) -> Tensor").kernel(twice).rule(twice_rule); }
//
// The parameters of a kernel are `Call&` (optional, first) and the schema's arguments. They have the types View,
// std::optional<View>, std::vector<View>, int64_t, double, bool, std::string, std::vector<int64_t>,
// std::vector<double>, and std::optional of numbers and lists. A kernel returns a Result, std::vector<Result>, a
// number, a std::tuple of these, or void if the schema returns `()`.
// A rule has the same parameters, returns Meta in place of Result, and reads no data. A Meta or Result without a device
// is on the device of the first tensor argument. Rules and kernels refuse a call with `require(ok, "C1", "what is
// wrong")`. An exception becomes an error of the call. A function that does not fit its schema is refused when the
// plugin is loaded.
#pragma once

#include <deque>

#include "runtime/plugin/plugin_function.h"

namespace ersatz::plugin {

/// One op of a plugin. Each function returns the Op, so that calls can be chained.
class Op {
 public:
  explicit Op(std::string schema) : schema_(std::move(schema)) {}
  template <class F>
  Op& kernel(F* f) {
    return cpu_ = detail::function_of(f), *this;
  }
  template <class F>
  Op& cuda_kernel(F* f) {
    return cuda_ = detail::function_of(f), *this;
  }
  template <class F>
  Op& rule(F* f) {
    return rule_ = detail::function_of(f), *this;
  }
  /// Sets the gradients of the arguments as text: `x = mul.Tensor(grad, y); y = mul.Tensor(grad, x)`
  /// (docs/gradients.md). `none`: results never require a gradient. The text is parsed when the plugin is loaded.
  Op& derivative(std::string formulas) { return derivative_ = std::move(formulas), *this; }
  Op& flag(ErsatzOpFlag f) { return flags_ |= static_cast<uint32_t>(f), *this; }
  /// Adds the arguments of a call for `ersatz validate`: `f32[2,3], f32[2,3], slope=0.5`. They are checked with the
  /// schema when the plugin is loaded.
  Op& sample(std::string arguments) { return samples_.push_back(std::move(arguments)), *this; }
  int add_to(const ErsatzHost* host);

 private:
  std::string schema_, derivative_;
  uint32_t flags_ = 0;
  detail::Function cpu_, cuda_, rule_;
  std::vector<std::string> samples_;
};

class Plugin {
 public:
  Op& op(std::string schema) { return ops_.emplace_back(std::move(schema)); }

  template <class Body>
  static int run(const ErsatzHost* host, uint32_t abi, Body body);

 private:
  std::deque<Op> ops_;  // a deque, because the plugin may keep a reference to one op while it adds another
};

inline int Op::add_to(const ErsatzHost* host) {
  std::vector<const char*> samples;
  for (const std::string& s : samples_) samples.push_back(s.c_str());
  samples.push_back(nullptr);
  auto* all = new detail::OpFunctions{cpu_, cuda_, rule_};
  ErsatzOp op{};
  op.size = sizeof op, op.flags = flags_, op.schema = schema_.c_str(), op.state = all, op.samples = samples.data();
  if (cpu_) op.cpu = [](const ErsatzCall* c, void* s) { return static_cast<detail::OpFunctions*>(s)->cpu.run(c); };
  if (cuda_) op.cuda = [](const ErsatzCall* c, void* s) { return static_cast<detail::OpFunctions*>(s)->cuda.run(c); };
  if (rule_) op.rule = [](const ErsatzCall* c, void* s) { return static_cast<detail::OpFunctions*>(s)->rule.run(c); };
  if (cpu_) op.cpu_signature = cpu_.signature.c_str();
  if (cuda_) op.cuda_signature = cuda_.signature.c_str();
  if (rule_) op.rule_signature = rule_.signature.c_str();
  if (!derivative_.empty()) op.derivative = derivative_.c_str();
  return host->add_op(host, &op);
}

template <class Body>
int Plugin::run(const ErsatzHost* host, uint32_t abi, Body body) {
  if (abi != ERSATZ_PLUGIN_ABI) {
    std::string why =
        "it was built for plugin interface " + std::to_string(ERSATZ_PLUGIN_ABI) + ", this is " + std::to_string(abi);
    return host->refuse_load(host, why.c_str());
  }
  try {
    Plugin plugin;
    body(plugin);
    for (Op& op : plugin.ops_) {
      if (int status = op.add_to(host)) return status;
    }
    return 0;
  } catch (const std::exception& e) {
    return host->refuse_load(host, e.what());
  }
}

}  // namespace ersatz::plugin

/// Defines the entry function of a plugin: `ERSATZ_PLUGIN(p) { p.op("ns::name(Tensor x) -> Tensor").kernel(f); }`.
#define ERSATZ_PLUGIN(p)                                                                                      \
  static void ersatz_plugin_body(::ersatz::plugin::Plugin& p);                                                \
  extern "C" __attribute__((visibility("default"))) int ersatz_plugin(const ErsatzHost* host, uint32_t abi) { \
    return ::ersatz::plugin::Plugin::run(host, abi, ersatz_plugin_body);                                      \
  }                                                                                                           \
  static void ersatz_plugin_body(::ersatz::plugin::Plugin& p)
