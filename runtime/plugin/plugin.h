// The C interface of plugins, which are shared libraries that register their own ops.
//
// A plugin exports one function. It is called once, with a table of functions of ersatz, and registers its ops:
//
//   extern "C" int ersatz_plugin(const ErsatzHost* host, uint32_t abi);   // 0: fine
//
// Plain C: a plugin links to nothing of ersatz. C++ authors use runtime/plugin/plugin_op.h, a wrapper. docs/plugins.md
// has a worked example.
//
// P1  Tensors have DLPack's field layout (DLTensor, DLDataType, DLDevice, and its device and type codes), so a
//     `DLTensor*` may be passed where an `ErsatzTensor*` is asked for. Strides are never null in what ersatz passes; in
//     what a plugin passes, null means row-major.
// P2  A kernel makes its own results. ersatz compares them with the rule's prediction and never corrects them.
// P3  A rule sees the same arguments without data (`data` is null) and must not look for any.
// P4  What a call passes lives until the function returns. ErsatzCall is used by the calling thread only.
// P5  Every function that may fail returns 0 if it worked. Nothing throws through this interface.
// P6  A plugin is never unloaded. A failed load registers nothing.
// P7  A plugin that refuses the interface of today without having added an op is asked once more with interface 1. In
//     that one, the kinds from ERSATZ_LAYOUT on are 11, whatever they are.
#pragma once

#include <stdint.h>

#include "runtime/plugin/c_value.h"

#define ERSATZ_PLUGIN_ABI 2u

#ifdef __cplusplus
extern "C" {
#endif

struct ErsatzHost;

/* One call of a rule or kernel: complete arguments in schema order. */
typedef struct ErsatzCall {
  uint32_t size; /* bytes of this struct */
  uint32_t argument_count;
  const ErsatzValue* arguments;
  const struct ErsatzHost* host;
  void* internal;
  /* The members below came later: `size` says whether they are there. */
  const char* const* argument_names; /* as the schema has them */
} ErsatzCall;

/* 0, or what `refuse` returned. */
typedef int (*ErsatzFunction)(const ErsatzCall* call, void* state);

typedef enum ErsatzOpFlag {
  ERSATZ_FALLBACK_ZEROS = 1,  /* without a rule: fake mode may run the kernel on zeros */
  ERSATZ_FAILS_ON_VALUES = 2, /* the kernel may refuse because of values */
  ERSATZ_RANDOM = 4,          /* values are not compared */
  ERSATZ_DATA_DEPENDENT = 8,  /* result sizes depend on values */
  ERSATZ_NONDETERMINISTIC = 16,
  ERSATZ_LASTING_ANSWERS = 32, /* equal metadata of arguments, equal metadata of results: fake mode may remember it */
  ERSATZ_FALLBACK_REFUSE = 64  /* without a rule: the kernel never runs on synthetic inputs */
} ErsatzOpFlag;

typedef struct ErsatzOp {
  uint32_t size;      /* sizeof(ErsatzOp) of the plugin's header */
  uint32_t flags;     /* ErsatzOpFlag */
  const char* schema; /* "demo::mix(Tensor x, float slope=0.1) -> Tensor" */
  void* state;        /* passed to the functions below */
  ErsatzFunction cpu; /* kernels; null where there is none */
  ErsatzFunction cuda;
  ErsatzFunction rule;        /* predicts the results' metadata; null: the op has none */
  const char* const* samples; /* argument lists like "f32[2,3], 0.5", for validation; null-terminated, or null.
                                 They are read and compared with the schema when the op is added */
  /* The members below came later: `size` says whether they are there.
   * The types that the functions are known to take and return, in the schema language, like "(Tensor, float?, int[]) ->
   * (Tensor, Tensor[])" or "() -> ()". An op with a function that does not fit its schema is left out when the plugin
   * is loaded, which is said; the others are registered. Null: nothing is known. */
  const char* cpu_signature;
  const char* cuda_signature;
  const char* rule_signature;
  /* The gradients of the arguments, as docs/gradients.md spells formulas: "x = mul.Tensor(grad, y); y = ...". The text
   * `none`: results never require a gradient. Null: a gradient through the op is refused when one is asked for. A
   * formula that cannot be read, or that names no operator of ersatz or of this plugin, makes the load fail. */
  const char* derivative;
} ErsatzOp;

/* Functions of ersatz that a plugin may call. */
typedef struct ErsatzHost {
  uint32_t size;
  uint32_t abi;
  void* internal;

  /* While loading: queues an op. Its strings are copied. Refused (not 0): a schema or sample that cannot be read, a
   * name that is taken, text that is no signature. */
  int (*add_op)(const struct ErsatzHost* host, const ErsatzOp* op);
  /* While loading: says why the plugin cannot be used; returns 1. */
  int (*refuse_load)(const struct ErsatzHost* host, const char* why);

  /* Results, in schema order; elements of a `Tensor[]` follow each other.
   * A kernel gives `data`: memory from `allocate` (then without a deleter), memory of its own, or memory inside an
   * argument (a view of it). The deleter of its own memory is called with `context` when the tensor is gone. A rule
   * gives none. If the function does not return 0, the memory stays the plugin's. */
  int (*add_tensor)(const ErsatzCall* call, const ErsatzTensor* tensor, void (*deleter)(void*), void* context);
  /* Only in rules: a view of argument `index`; byte_offset counts from the start of its storage. */
  int (*add_view)(const ErsatzCall* call, uint32_t index, const ErsatzTensor* tensor);
  /* The argument itself, as in-place ops return it. */
  int (*add_argument)(const ErsatzCall* call, uint32_t index);
  /* A number (bool, int, float, complex) or none. A rule gives the value only if it is known without data. */
  int (*add_value)(const ErsatzCall* call, const ErsatzValue* value);
  /* Uninitialised memory for results, aligned to 64 bytes; memory that no result takes is freed after the call.
   * Null if no memory is left, or if the device does not exist. Crosscheck guards it on both sides and fills it, to
   * find writes beside it and bytes that are never written. */
  void* (*allocate)(const ErsatzCall* call, uint64_t bytes, ErsatzDevice device);
  /* Refuses the call: `label` is the constraint's (`C1`), may be null. Returns 1, for the function to return. */
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
  std::string op;   ///< its canonical name
  std::string why;  ///< `the rule of demo.mix.default gives 2 results, its schema has 1: ...`
};

struct LoadedPlugin {
  std::string path;                ///< as the caller passed it
  std::vector<std::string> ops;    ///< canonical names, in order of registration
  std::vector<RefusedOp> refused;  ///< ops that were not registered; if all are refused, loading raises
};

/// Loads a plugin and registers its ops whose functions fit their schemas. Loading the same library again returns the
/// first result. Raises InvalidArgument that names the path if the library is missing, or has no entry function or
/// another ABI. It raises one too if a schema cannot be parsed, an op is already registered (here or in another
/// plugin), or no op has fitting functions. Then no op is registered. Any thread; loads are serialised.
const LoadedPlugin& load_plugin(const std::string& path);

}  // namespace ersatz
#endif
