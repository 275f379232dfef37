// Loads plugins. An op whose functions do not fit its schema is refused. The library's other ops are registered, all of
// them or none.
#include "runtime/plugin/plugin.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <mutex>

#include "runtime/autograd/formula.h"
#include "runtime/base/log.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "runtime/plugin/plugin_call.h"
#include "runtime/plugin/plugin_signature.h"

namespace ersatz {

namespace {

constexpr size_t kMaxOps = 4096;
// A plugin's ErsatzOp may end at one of these sizes, because later members are optional.
constexpr uint32_t kMinOpSize = offsetof(ErsatzOp, cpu_signature);
constexpr uint32_t kSizeWithSignatures = offsetof(ErsatzOp, derivative);
constexpr uint32_t kSizeWithDerivative = sizeof(ErsatzOp);
constexpr std::string_view kNoDerivative = "none";
constexpr size_t kMaxDerivative = 65536;

struct PendingOp {
  std::string schema, name;
  uint32_t flags = 0;
  PluginOp op;
  std::vector<std::string> samples;
};

/// The ops that a plugin's entry function has added, and its refusals; ErsatzHost::internal points to it.
struct Loading {
  std::string path;
  uint32_t abi = ERSATZ_PLUGIN_ABI;  ///< version of the interface that the plugin's functions are called with
  std::vector<PendingOp> ops = {};
  std::vector<RefusedOp> refused = {};
  std::string refusal = {};  ///< the first reason why the load is refused; empty if none

  int refuse(std::string why) {
    if (refusal.empty()) refusal = std::move(why);
    return 1;
  }

  int add(const ErsatzOp& op) {
    if (op.size < kMinOpSize) return refuse(fmt::format("an ErsatzOp of {} bytes, {} are needed", op.size, kMinOpSize));
    if (!op.schema) return refuse("an op without a schema");
    if (ops.size() == kMaxOps) return refuse(fmt::format("more than {} ops", kMaxOps));
    PendingOp pending;
    pending.schema.assign(op.schema, strnlen(op.schema, 65537));
    const FunctionSchema schema = parse_schema(pending.schema);
    pending.name = schema.qualified_name();
    auto is_same = [&](const PendingOp& o) { return o.name == pending.name; };
    if (std::any_of(ops.begin(), ops.end(), is_same)) {
      return refuse(fmt::format("the operator {} is registered twice", pending.name));
    }
    if (const OpEntry* other = registry().find_mutable(pending.name); other && other->name == pending.name) {
      return refuse(fmt::format("the operator {} is already registered (from {})", pending.name, other->source));
    }
    if (!op.cpu && !op.cuda) return refuse(fmt::format("the operator {} has no kernel", pending.name));
    if (op.flags & ERSATZ_FALLBACK_ZEROS && op.flags & ERSATZ_FALLBACK_REFUSE) {
      return refuse(
          fmt::format("the operator {} declares both ERSATZ_FALLBACK_ZEROS and ERSATZ_FALLBACK_REFUSE", pending.name));
    }
    const bool has_signatures = op.size >= kSizeWithSignatures;
    if (std::string why = has_signatures ? misfit_of(schema, op) : ""; !why.empty()) {
      refused.push_back({pending.name, std::move(why)});
      return 0;
    }
    pending.flags = op.flags;
    pending.op = {path, op.state, op.cpu, op.cuda, op.rule, has_signatures, abi, {}, {}};
    if (op.size >= kSizeWithDerivative && op.derivative) {
      pending.op.derivative.assign(op.derivative, strnlen(op.derivative, kMaxDerivative));
    }
    for (const char* const* s = op.samples; s && *s; ++s) pending.samples.push_back(checked_sample(schema, *s));
    ops.push_back(std::move(pending));
    return 0;
  }

 private:
  /// Returns how the first function that does not fit the schema differs from it; empty if all fit.
  static std::string misfit_of(const FunctionSchema& schema, const ErsatzOp& op) {
    const std::pair<const char*, const char*> functions[] = {
        {"cpu kernel", op.cpu_signature}, {"cuda kernel", op.cuda_signature}, {"rule", op.rule_signature}};
    for (const auto& [function, signature] : functions) {
      std::string why = signature ? signature_misfit(schema, function, signature) : "";
      if (!why.empty()) return why;
    }
    return "";
  }

  /// Returns the sample. Raises an error if the schema does not accept it. Allocates no tensors.
  static std::string checked_sample(const FunctionSchema& schema, std::string sample) {
    try {
      bind_sample(schema, sample);
    } catch (const Error& e) {
      fail_argument("the sample '{}' of the operator {} cannot be used: {}", sample, schema.qualified_name(),
                    e.message);
    }
    return sample;
  }
};

Loading& loading_of(const ErsatzHost* host) { return *static_cast<Loading*>(host->internal); }

int add_op(const ErsatzHost* host, const ErsatzOp* op) {
  try {
    return loading_of(host).add(*op);
  } catch (const std::exception& e) {
    return loading_of(host).refuse(e.what());
  }
}

int refuse_load(const ErsatzHost* host, const char* why) {
  return loading_of(host).refuse(why ? why : "no reason given");
}

Tags tags_of(uint32_t flags) {
  Tags tags = Tag::Foreign;
  if (flags & ERSATZ_FAILS_ON_VALUES) tags = tags | Tag::FailsOnValues;
  if (flags & ERSATZ_RANDOM) tags = tags | Tag::Random;
  if (flags & ERSATZ_DATA_DEPENDENT) tags = tags | Tag::DataDependent;
  if (flags & ERSATZ_NONDETERMINISTIC) tags = tags | Tag::Nondeterministic;
  return tags;
}

/// Raises an error for the first derivative that cannot be parsed. Formulas may call any op of the plugin.
void require_readable_derivatives(const Loading& loading) {
  std::deque<OpEntry> drafts;
  for (const PendingOp& op : loading.ops) {
    OpEntry& draft = drafts.emplace_back();
    draft.schema = parse_schema(op.schema);
    draft.name = op.name;
  }
  const FindOp find = [&](std::string_view name) -> const OpEntry* {
    for (const OpEntry& draft : drafts) {
      if (draft.name == name) return &draft;
    }
    return registry().find(name);
  };
  for (size_t i = 0; i < drafts.size(); ++i) {
    const std::string& text = loading.ops[i].op.derivative;
    if (text.empty() || text == kNoDerivative) continue;
    try {
      parse_derivative(drafts[i], text, find);
    } catch (const Error& e) {
      fail_argument("plugin {}: {}", loading.path, e.message);
    }
  }
}

void register_op(PendingOp& pending) {
  OpEntry& entry = registry().add(pending.schema, pending.op.path);
  entry.tag(tags_of(pending.flags));
  if (pending.flags & ERSATZ_LASTING_ANSWERS) entry.with_costly_rule();
  if (pending.op.rule) entry.with_rule(plugin_rule);
  if (pending.flags & ERSATZ_FALLBACK_ZEROS) entry.with_fallback(FallbackPolicy::Zeros);
  if (pending.flags & ERSATZ_FALLBACK_REFUSE) entry.with_fallback(FallbackPolicy::Refuse);
  if (pending.op.cpu) entry.cpu_returns(plugin_cpu_kernel);
  if (pending.op.cuda) entry.cuda_returns(plugin_cuda_kernel);
  for (std::string& s : pending.samples) entry.sample(std::move(s));
  for (const Argument& a : entry.schema.arguments) pending.op.argument_names.push_back(a.name.c_str());
  auto* op = new PluginOp(std::move(pending.op));
  entry.plugin_op = op;
  if (op->derivative == kNoDerivative) {
    entry.derivative = {DerivativeRow::Kind::NoGradient, "", ""};
  } else if (!op->derivative.empty()) {
    entry.derivative = {DerivativeRow::Kind::Formula, "", op->derivative};
  }
}

struct LoadedLibrary {
  void* handle;
  LoadedPlugin plugin;
};

/// Calls the plugin's entry function and returns its status.
int ask_entry(ErsatzPluginFunction entry, Loading& loading) {
  ErsatzHost host{};
  host.size = sizeof(ErsatzHost);
  host.abi = loading.abi;
  host.internal = &loading;
  host.add_op = add_op;
  host.refuse_load = refuse_load;
  fill_call_functions(host);
  try {
    return entry(&host, loading.abi);
  } catch (...) {
    return loading.refuse("it threw an exception through its C interface");
  }
}

void run_entry(void* handle, Loading& loading) {
  auto entry = reinterpret_cast<ErsatzPluginFunction>(dlsym(handle, "ersatz_plugin"));
  if (!entry) fail_argument("plugin {}: it has no function ersatz_plugin", loading.path);
  int status = ask_entry(entry, loading);
  if (status != 0 && loading.ops.empty() && loading.refused.empty()) {  // P7 of plugin.h: tries version 1 of the
                                                                        // interface
    Loading older{loading.path, 1};
    if (ask_entry(entry, older) == 0 && older.refusal.empty()) {
      status = 0;
      loading = std::move(older);
    }
  }
  if (!loading.refusal.empty()) fail_argument("plugin {}: {}", loading.path, loading.refusal);
  if (status != 0) fail_argument("plugin {}: its entry function returned {}", loading.path, status);
  if (loading.ops.empty() && !loading.refused.empty()) {
    fail_argument("plugin {}: {}", loading.path, loading.refused.front().why);
  }
  require_readable_derivatives(loading);
}

}  // namespace

const LoadedPlugin& load_plugin(const std::string& path) {
  static std::mutex mutex;
  static auto* libraries = new std::deque<LoadedLibrary>;  // plugins are never unloaded
  std::lock_guard guard(mutex);
  // A name without a slash is a file in the current folder, not a library in the system's search path.
  std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* why = dlerror();
    fail_argument("plugin {}: {}", path, why ? why : "it cannot be loaded");
  }
  for (const LoadedLibrary& l : *libraries) {
    if (l.handle == handle) return l.plugin;
  }
  Loading loading{path};
  run_entry(handle, loading);
  LoadedLibrary& loaded = libraries->emplace_back(LoadedLibrary{handle, {path, {}, loading.refused}});
  for (PendingOp& op : loading.ops) {
    register_op(op);
    loaded.plugin.ops.push_back(op.name);
  }
  log().info("plugin {}: {} ops", path, loaded.plugin.ops.size());
  for (const RefusedOp& op : loading.refused) log().warn("plugin {}: left out: {}", path, op.why);
  return loaded.plugin;
}

}  // namespace ersatz
