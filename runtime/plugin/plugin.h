// The C interface of plugins, which are shared libraries that register their own ops.
//
// A plugin exports one function. load_plugin calls the function once, with a table of functions of ersatz, and the
// function registers the plugin's ops:
//
//   extern "C" int ersatz_plugin(const ErsatzHost* host, uint32_t abi);   // 0: fine
//
// The interface is plain C, and a plugin links to no library of ersatz. C++ authors use the wrapper
// runtime/plugin/plugin_op.h. docs/plugins.md has a worked example.
//
// P1  Tensors have DLPack's field layout (DLTensor, DLDataType, DLDevice, and their codes), so a `DLTensor*` may be
//     passed as an `ErsatzTensor*`. In tensors from ersatz, strides are never null. In tensors from a plugin, null
//     strides mean row-major.
// P2  A kernel allocates its results itself. ersatz compares them with the rule's prediction and never changes them.
// P3  A rule gets the kernel's arguments without data: `data` is null.
// P4  All memory that a call passes to a function is valid until the function returns. Only the calling thread may use
//     the ErsatzCall.
// P5  Every function that may fail returns 0 on success. No exception may leave a function of this interface.
// P6  A plugin is never unloaded. If loading fails, no op is registered.
// P7  If a plugin refuses version 2 of the interface and has added no op, its entry function is called again with
//     version 1. Version 1 has one kind, 11, for all kinds from ERSATZ_LAYOUT on.
#pragma once

#include <stdint.h>

#include "runtime/plugin/c_value.h"

#define ERSATZ_PLUGIN_ABI 2u

#ifdef __cplusplus
extern "C" {
#endif

struct ErsatzHost;

/* One call of a rule or kernel. It has all arguments, defaults included, in schema order. */
typedef struct ErsatzCall {
  uint32_t size; /* bytes of this struct */
  uint32_t argument_count;
  const ErsatzValue* arguments;
  const struct ErsatzHost* host;
  void* internal;
  /* Older versions of ersatz lack the members below: read them only if `size` includes them. */
  const char* const* argument_names; /* the names in the schema */
} ErsatzCall;

/* Returns 0 on success, or the result of `refuse`. */
typedef int (*ErsatzFunction)(const ErsatzCall* call, void* state);

typedef enum ErsatzOpFlag {
  ERSATZ_FALLBACK_ZEROS = 1,  /* if there is no rule, fake mode may run the kernel on zeros */
  ERSATZ_FAILS_ON_VALUES = 2, /* the kernel may refuse a call because of values */
  ERSATZ_RANDOM = 4,          /* the values of results are random and not compared */
  ERSATZ_DATA_DEPENDENT = 8,  /* result sizes depend on the values of arguments */
  ERSATZ_NONDETERMINISTIC = 16,
  ERSATZ_LASTING_ANSWERS = 32, /* arguments alone determine the results' metadata: fake mode may cache them */
  ERSATZ_FALLBACK_REFUSE = 64  /* if there is no rule, the kernel never runs on synthetic inputs */
} ErsatzOpFlag;

typedef struct ErsatzOp {
  uint32_t size;      /* sizeof(ErsatzOp) of the plugin's header */
  uint32_t flags;     /* ErsatzOpFlag */
  const char* schema; /* "demo::mix(Tensor x, float slope=0.1) -> Tensor" */
  void* state;        /* passed to the functions below */
  ErsatzFunction cpu; /* kernels; null: the op has none */
  ErsatzFunction cuda;
  ErsatzFunction rule;        /* predicts the results' metadata; null: the op has none */
  const char* const* samples; /* argument lists like "f32[2,3], 0.5", for validation; null-terminated, or null.
                                 They are compared with the schema when the op is added */
  /* Plugins that were built with older headers lack the members below: `size` does not include them.
   * The parameter and result types of the functions in the schema language, like "(Tensor, float?, int[]) ->
   * (Tensor, Tensor[])" or "() -> ()". Null: unknown. If a function does not fit its op's schema, the op is refused
   * when the plugin is loaded (LoadedPlugin::refused); the other ops are registered. */
  const char* cpu_signature;
  const char* cuda_signature;
  const char* rule_signature;
  /* The gradients of the arguments as formulas (docs/gradients.md): "x = mul.Tensor(grad, y); y = ...". The text
   * `none`: results never require a gradient. Null: backward through the op raises an error. Loading fails if a formula
   * cannot be parsed, or names an operator that neither ersatz nor this plugin has. */
  const char* derivative;
} ErsatzOp;

/* Functions of ersatz that a plugin may call. */
typedef struct ErsatzHost {
  uint32_t size;
  uint32_t abi;
  void* internal;

  /* For the entry function: adds an op, whose strings are copied. Does not return 0 if a schema, sample or signature
   * cannot be parsed, or if the op's name is taken. */
  int (*add_op)(const struct ErsatzHost* host, const ErsatzOp* op);
  /* For the entry function: refuses to be loaded, with the reason. Returns 1. */
  int (*refuse_load)(const struct ErsatzHost* host, const char* why);

  /* Adds a result. Results are added in schema order; elements of a `Tensor[]` are added one after another.
   * In a kernel, `data` is memory from `allocate` (with a null deleter), the plugin's own memory, or memory of an
   * argument (the result is then a view). When the tensor is freed, the deleter of the plugin's own memory is called
   * with `context`. In a rule, `data` is null. If add_tensor does not return 0, the plugin still owns the memory. */
  int (*add_tensor)(const ErsatzCall* call, const ErsatzTensor* tensor, void (*deleter)(void*), void* context);
  /* For rules: adds a view of argument `index`. byte_offset counts from the start of the argument's storage. */
  int (*add_view)(const ErsatzCall* call, uint32_t index, const ErsatzTensor* tensor);
  /* Adds argument `index` itself as a result, for in-place ops. */
  int (*add_argument)(const ErsatzCall* call, uint32_t index);
  /* Adds a number (bool, int, float, complex) or none. A rule passes a number only if it is known without data. */
  int (*add_value)(const ErsatzCall* call, const ErsatzValue* value);
  /* Returns uninitialised memory for results, aligned to 64 bytes. Memory that no result uses is freed after the call.
   * Returns null if memory is exhausted or the device does not exist. Under crosscheck the memory has guard zones and a
   * fill, to find writes outside of it and bytes that are never written. */
  void* (*allocate)(const ErsatzCall* call, uint64_t bytes, ErsatzDevice device);
  /* Refuses the call and returns 1, which the function should return. `label` is the constraint's (`C1`) or null. */
  int (*refuse)(const ErsatzCall* call, const char* label, const char* message);
} ErsatzHost;

typedef int (*ErsatzPluginFunction)(const ErsatzHost* host, uint32_t abi);

#ifdef __cplusplus
}

#include <string>
#include <vector>

namespace ersatz {

/// An op that was not registered because its functions do not fit its schema.
struct RefusedOp {
  std::string op;   ///< the op's full name, `demo.mix.default`
  std::string why;  ///< `the rule of demo.mix.default gives 2 results, its schema has 1: ...`
};

struct LoadedPlugin {
  std::string path;                ///< the path that the caller passed
  std::vector<std::string> ops;    ///< full names of the registered ops, in order of registration
  std::vector<RefusedOp> refused;  ///< ops that were not registered; if no op is registered, load_plugin raises an
                                   ///< error
};

/// Loads a plugin and registers its ops whose functions fit their schemas. Loading a library again returns the first
/// result. Loads on several threads run one after another.
/// Raises InvalidArgument with the path, and registers no op, if the library is missing, has no entry function or
/// refuses the interface. Also raises it if a schema cannot be parsed, if an op is already registered (by ersatz or
/// another plugin), or if no op has fitting functions.
const LoadedPlugin& load_plugin(const std::string& path);

}  // namespace ersatz
#endif
