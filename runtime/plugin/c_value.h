// The C representation of values: arguments of a plugin's function (plugin.h), and of a call that is passed to
// fake/ask/ask.h. Plain C. Tensors of plugins have DLPack's field layout.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* DLDataType, DLDevice, DLTensor. */
typedef struct ErsatzDType {
  uint8_t code; /* 0 signed integer, 1 unsigned, 2 float, 4 bfloat, 5 complex, 6 bool */
  uint8_t bits;
  uint16_t lanes; /* 1 */
} ErsatzDType;
typedef struct ErsatzDevice {
  int32_t type;  /* 1 cpu, 2 cuda, 12 meta; a device of metadata (xpu, npu, ...) has the type whose rules it goes by */
  int32_t index; /* 64 and more: a device of metadata */
} ErsatzDevice;
typedef struct ErsatzTensor {
  void* data; /* start of the storage; the first element is byte_offset behind it */
  ErsatzDevice device;
  int32_t ndim;
  ErsatzDType dtype;
  int64_t* shape;
  int64_t* strides; /* in elements */
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
  ERSATZ_LAYOUT = 11,        /* strided, the only one */
  ERSATZ_MEMORY_FORMAT = 12, /* as `integer`: 0 contiguous, 1 preserve, 2 channels_last, 3 channels_last_3d */
  ERSATZ_GENERATOR = 13,     /* some generator */
  ERSATZ_ABSENT = 14         /* of a call that is asked about: the schema's default */
} ErsatzKind;

struct ErsatzTensorMeta; /* fake/ask/ask.h */

/* An argument or a result. */
typedef struct ErsatzValue {
  int32_t kind;    /* ErsatzKind */
  uint32_t length; /* of strings and lists */
  union {
    const ErsatzTensor* tensor;          /* of a plugin's call */
    const struct ErsatzTensorMeta* meta; /* the tensor of a call that is asked about */
    int64_t integer;                     /* bools and memory formats too */
    double number[2];
    const char* string; /* from ersatz: ends in a zero byte that `length` does not count */
    const int64_t* integers;
    const struct ErsatzValue* items;
    ErsatzDType dtype;
    ErsatzDevice device; /* of a call that is asked about: index -1 is the current one of its type */
  } as;
} ErsatzValue;

#ifdef __cplusplus
}
#endif
