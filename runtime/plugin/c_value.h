// The C representation of values: arguments of a plugin's function (plugin.h), and arguments of a call that a program
// passes to fake/ask/ask.h. Plain C. Tensors of plugins have DLPack's field layout.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The next three structs have the fields of DLDataType, DLDevice and DLTensor. */
typedef struct ErsatzDType {
  uint8_t code; /* 0 signed integer, 1 unsigned, 2 float, 4 bfloat, 5 complex, 6 bool */
  uint8_t bits;
  uint16_t lanes; /* always 1 */
} ErsatzDType;
typedef struct ErsatzDevice {
  int32_t type;  /* 1 cpu, 2 cuda, 12 meta; a metadata-only device (xpu, npu, ...) has the type whose rules it uses */
  int32_t index; /* 64 and more: a metadata-only device */
} ErsatzDevice;
typedef struct ErsatzTensor {
  void* data; /* start of the storage; the first element is byte_offset bytes after it */
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
  ERSATZ_LAYOUT = 11,        /* strided, which is the only layout */
  ERSATZ_MEMORY_FORMAT = 12, /* as `integer`: 0 contiguous, 1 preserve, 2 channels_last, 3 channels_last_3d */
  ERSATZ_GENERATOR = 13,     /* a generator without its state */
  ERSATZ_ABSENT = 14         /* only in calls of fake/ask/ask.h: the schema's default is used */
} ErsatzKind;

struct ErsatzTensorMeta; /* fake/ask/ask.h */

/* An argument or a result. */
typedef struct ErsatzValue {
  int32_t kind;    /* ErsatzKind */
  uint32_t length; /* of strings and lists */
  union {
    const ErsatzTensor* tensor;          /* a tensor in a plugin's call */
    const struct ErsatzTensorMeta* meta; /* a tensor in a call of fake/ask/ask.h */
    int64_t integer;                     /* an int, bool or memory format */
    double number[2];
    const char* string; /* strings from ersatz end in a zero byte, which `length` excludes */
    const int64_t* integers;
    const struct ErsatzValue* items;
    ErsatzDType dtype;
    ErsatzDevice device; /* in calls of fake/ask/ask.h, index -1 is the type's current device */
  } as;
} ErsatzValue;

#ifdef __cplusplus
}
#endif
