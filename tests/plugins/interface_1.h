// The C interface of plugins as its first release declared it (interface 1), to compile a plugin as it was compiled
// with that release. It includes nothing of ersatz.
#pragma once

#include <stdint.h>

#define ERSATZ_PLUGIN_ABI 1u

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ErsatzDType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} ErsatzDType;
typedef struct ErsatzDevice {
  int32_t type;
  int32_t index;
} ErsatzDevice;
typedef struct ErsatzTensor {
  void* data;
  ErsatzDevice device;
  int32_t ndim;
  ErsatzDType dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
} ErsatzTensor;

typedef enum ErsatzKind {
  ERSATZ_NONE = 0,
  ERSATZ_TENSOR = 1,
  ERSATZ_BOOL = 2,
  ERSATZ_INT = 3,
  ERSATZ_FLOAT = 4,
  ERSATZ_COMPLEX = 5,
  ERSATZ_STRING = 6,
  ERSATZ_INT_LIST = 7,
  ERSATZ_LIST = 8,
  ERSATZ_DTYPE = 9,
  ERSATZ_DEVICE = 10,
  ERSATZ_OTHER = 11
} ErsatzKind;

typedef struct ErsatzValue {
  int32_t kind;
  uint32_t length;
  union {
    const ErsatzTensor* tensor;
    int64_t integer;
    double number[2];
    const char* string;
    const int64_t* integers;
    const struct ErsatzValue* items;
    ErsatzDType dtype;
    ErsatzDevice device;
  } as;
} ErsatzValue;

struct ErsatzHost;

typedef struct ErsatzCall {
  uint32_t size;
  uint32_t argument_count;
  const ErsatzValue* arguments;
  const struct ErsatzHost* host;
  void* internal;
} ErsatzCall;

typedef int (*ErsatzFunction)(const ErsatzCall* call, void* state);

typedef enum ErsatzOpFlag {
  ERSATZ_FALLBACK_ZEROS = 1,
  ERSATZ_FAILS_ON_VALUES = 2,
  ERSATZ_RANDOM = 4,
  ERSATZ_DATA_DEPENDENT = 8,
  ERSATZ_NONDETERMINISTIC = 16,
  ERSATZ_LASTING_ANSWERS = 32,
  ERSATZ_FALLBACK_REFUSE = 64
} ErsatzOpFlag;

typedef struct ErsatzOp {
  uint32_t size;
  uint32_t flags;
  const char* schema;
  void* state;
  ErsatzFunction cpu;
  ErsatzFunction cuda;
  ErsatzFunction rule;
  const char* const* samples;
} ErsatzOp;

typedef struct ErsatzHost {
  uint32_t size;
  uint32_t abi;
  void* internal;

  int (*add_op)(const struct ErsatzHost* host, const ErsatzOp* op);

  int (*refuse_load)(const struct ErsatzHost* host, const char* why);

  int (*add_tensor)(const ErsatzCall* call, const ErsatzTensor* tensor, void (*deleter)(void*), void* context);

  int (*add_view)(const ErsatzCall* call, uint32_t index, const ErsatzTensor* tensor);

  int (*add_argument)(const ErsatzCall* call, uint32_t index);

  int (*add_value)(const ErsatzCall* call, const ErsatzValue* value);

  void* (*allocate)(const ErsatzCall* call, uint64_t bytes, ErsatzDevice device);

  int (*refuse)(const ErsatzCall* call, const char* label, const char* message);
} ErsatzHost;

typedef int (*ErsatzPluginFunction)(const ErsatzHost* host, uint32_t abi);

#ifdef __cplusplus
}
#endif
