// The C interface to ask: what would this call of an operator return? For programs that have tensors of their own and
// no wish to include ours: a framework's dispatcher, a binding of another language.
//
//   const ErsatzAsk* ask = ersatz_ask(ERSATZ_ASK_ABI);         null: another interface
//   const ErsatzOpEntry* op = ask->find_op("aten.add.Tensor");  null: there is no such operator
//   ErsatzAsker* asker = ask->new_asker();                     one for each thread
//   ErsatzAnswer answer = {sizeof answer};
//   ask->ask(asker, op, NULL, arguments, count, &answer);
//
// A1  Tensors are told by their metadata and by names of their storages: nothing is read through a pointer but sizes,
//     strides and strings. No kernel runs, no data are looked at.
// A2  Arguments stand in the order of the schema. One that is ERSATZ_ABSENT gets the schema's default.
// A3  An answer, and all that it points to, lives until the asker is asked again or freed.
// A4  Nothing throws through this interface. An asker is used by one thread at a time; operators are shared by all
//     threads.
// A5  Composite operators are answered too: by their parts.
#pragma once

#include <stdint.h>

#include "runtime/plugin/c_value.h"

#define ERSATZ_ASK_ABI 1u

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ErsatzTensorFlag {
  ERSATZ_CONJ = 1,           /* the lazy conjugate bit */
  ERSATZ_NEG = 2,            /* the lazy negation bit */
  ERSATZ_WRAPPED_NUMBER = 4, /* a number that stands for a tensor: 0-d, and weak in type promotion */
  ERSATZ_REQUIRES_GRAD = 8,
  ERSATZ_INFERENCE = 16 /* made in inference mode */
} ErsatzTensorFlag;

typedef struct ErsatzTensorMeta {
  ErsatzDType dtype;
  ErsatzDevice device;
  int32_t ndim;
  uint32_t flags; /* ErsatzTensorFlag */
  const int64_t* sizes;
  const int64_t* strides; /* in elements */
  int64_t offset;         /* in elements */
  uint64_t storage;       /* a name: tensors of a call share a storage where it is the same. Not 0 */
  int64_t storage_bytes;
  uint64_t object; /* a name of the tensor itself; arguments that are one tensor have the same. Not 0 */
} ErsatzTensorMeta;

/* What may decide an answer beside the arguments. A null pointer: what is usual. */
typedef struct ErsatzAskContext {
  uint32_t size;             /* sizeof(ErsatzAskContext) */
  ErsatzDType default_dtype; /* of bits 0: f32 */
  int32_t grad_mode, inference_mode, deterministic, allow_tf32;
  uint32_t autocast; /* 1: on the CPU, 2: on CUDA */
  ErsatzDType autocast_dtype_cpu, autocast_dtype_cuda;
  const char* backend; /* the GPU and its libraries, as `--backend` spells them; null: unknown */
} ErsatzAskContext;

typedef enum ErsatzResultKind {
  ERSATZ_RESULT_NONE = 0,     /* an undefined tensor */
  ERSATZ_RESULT_FRESH = 1,    /* a tensor of a storage that no argument has; `tensor.storage` names it in the answer */
  ERSATZ_RESULT_VIEW = 2,     /* a new tensor on the storage of tensor argument `argument` */
  ERSATZ_RESULT_ARGUMENT = 3, /* tensor argument `argument` itself, with the metadata that it has afterwards */
  ERSATZ_RESULT_VALUE = 4     /* a number, or another value that is no tensor */
} ErsatzResultKind;

typedef struct ErsatzResult {
  int32_t kind;           /* ErsatzResultKind */
  int32_t argument;       /* number among the tensor arguments, lists flattened; -1: none */
  int32_t unknown_layout; /* only a library of the device can tell the strides; those given are a guess */
  ErsatzTensorMeta tensor;
  ErsatzValue value;
} ErsatzResult;

/* An argument that the call writes, or whose metadata it changes. */
typedef struct ErsatzWritten {
  int32_t argument;     /* number among the tensor arguments */
  int32_t meta_changed; /* `tensor` is what it is afterwards */
  ErsatzTensorMeta tensor;
} ErsatzWritten;

typedef enum ErsatzAnswerStatus {
  ERSATZ_ANSWER_GIVEN = 0,
  ERSATZ_ANSWER_REFUSED = 1,        /* the call is wrong: see the error */
  ERSATZ_ANSWER_DATA_DEPENDENT = 2, /* values decide what it returns */
  ERSATZ_ANSWER_UNSUPPORTED = 3     /* legal, and not known here: see the error */
} ErsatzAnswerStatus;

typedef struct ErsatzAnswer {
  uint32_t size;  /* sizeof(ErsatzAnswer) of the asker's header */
  int32_t status; /* ErsatzAnswerStatus; what `ask` returned */
  uint32_t count; /* results in schema order, elements of a `Tensor[]` one after the other */
  const ErsatzResult* results;
  uint32_t written_count;
  const ErsatzWritten* written;
  /* The error, where the status says that there is one. Strings are never null. */
  const char* error_kind;   /* `InvalidArgument`, ... */
  const char* error_family; /* `index`, `type`, `value`, `runtime`, `not_implemented` */
  const char* label;        /* of the constraint, `cat.C2`; may be empty */
  const char* message;      /* one line */
  const char* suggestion;   /* what would work; may be empty */
} ErsatzAnswer;

typedef struct ErsatzAsker ErsatzAsker;
typedef struct ErsatzOpEntry ErsatzOpEntry;

typedef struct ErsatzAsk {
  uint32_t size;
  uint32_t abi;
  const char* version; /* of the library */
  /* By any spelling: `aten.add.Tensor`, `aten::add.Tensor`. Null where there is none. The pointer holds for good. */
  const ErsatzOpEntry* (*find_op)(const char* name);
  /* The schema as ATen spells it. The string holds for good. */
  const char* (*schema_of)(const ErsatzOpEntry* op);
  /* Null where memory is exhausted. */
  ErsatzAsker* (*new_asker)(void);
  void (*free_asker)(ErsatzAsker* asker);
  /* Returns the answer's status. A malformed value (a null pointer, a kind that does not exist, a negative size) is
   * refused like any other wrong argument. */
  int (*ask)(ErsatzAsker* asker, const ErsatzOpEntry* op, const ErsatzAskContext* context, const ErsatzValue* arguments,
             uint32_t count, ErsatzAnswer* answer);
} ErsatzAsk;

/* The functions of that interface; null where the library has another one. */
__attribute__((visibility("default"))) const ErsatzAsk* ersatz_ask(uint32_t abi);

#ifdef __cplusplus
}
#endif
