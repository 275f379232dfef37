// A C interface that returns the metadata of an operator's results without running the operator. It is for programs
// with tensors of their own, for example a framework's dispatcher or a binding of another language.
//
//   const ErsatzAsk* ask = ersatz_ask(ERSATZ_ASK_ABI);         null: the library has another version of the interface
//   const ErsatzOpEntry* op = ask->find_op("aten.add.Tensor");  null: no operator has this name
//   ErsatzAsker* asker = ask->new_asker();                     one for each thread
//   ErsatzAnswer answer = {sizeof answer};
//   ask->ask(asker, op, NULL, arguments, count, &answer);
//
// A1  The caller passes a tensor as metadata, with numbers that identify the tensor and its storage. Tensor data are
//     never read.
// A2  Arguments are in schema order. An argument of kind ERSATZ_ABSENT gets the schema's default.
// A3  An answer, and all memory that it points to, is valid until the asker's next `ask` or `free_asker`.
// A4  No function throws an exception. One thread at a time may use an asker; all threads share operators.
// A5  A composite operator is answered by running its body on fakes.
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
  ERSATZ_WRAPPED_NUMBER = 4, /* a 0-d tensor made from a number: weak in type promotion */
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
  uint64_t storage;       /* the caller's number for the storage, not 0; equal for tensors on one storage */
  int64_t storage_bytes;
  uint64_t object; /* the caller's number for the tensor object, not 0; equal for arguments that are one object */
} ErsatzTensorMeta;

/* The settings that affect the metadata of results. A null pointer means the defaults. */
typedef struct ErsatzAskContext {
  uint32_t size;             /* sizeof(ErsatzAskContext) */
  ErsatzDType default_dtype; /* f32 if its `bits` are 0 */
  int32_t grad_mode, inference_mode, deterministic, allow_tf32;
  uint32_t autocast; /* bits: 1 for autocast on the CPU, 2 for autocast on CUDA */
  ErsatzDType autocast_dtype_cpu, autocast_dtype_cuda;
  const char* backend; /* the GPU and its libraries in the spelling of `--backend`; null: unknown */
} ErsatzAskContext;

typedef enum ErsatzResultKind {
  ERSATZ_RESULT_NONE = 0,     /* an undefined tensor */
  ERSATZ_RESULT_FRESH = 1,    /* a tensor on a new storage; results with the same `tensor.storage` share it */
  ERSATZ_RESULT_VIEW = 2,     /* a new tensor on the storage of tensor argument `argument` */
  ERSATZ_RESULT_ARGUMENT = 3, /* tensor argument `argument` itself; `tensor` is its metadata after the call */
  ERSATZ_RESULT_VALUE = 4     /* a number, or another value without a tensor */
} ErsatzResultKind;

typedef struct ErsatzResult {
  int32_t kind;           /* ErsatzResultKind */
  int32_t argument;       /* index among the tensor arguments, counting each element of a list; -1: none */
  int32_t unknown_layout; /* 1: a library of the device decides the strides, and the strides here are a guess */
  ErsatzTensorMeta tensor;
  ErsatzValue value;
} ErsatzResult;

/* A tensor argument that the call writes, or whose metadata the call changes. */
typedef struct ErsatzWritten {
  int32_t argument;     /* index among the tensor arguments, counting each element of a list */
  int32_t meta_changed; /* 1: `tensor` is the metadata after the call */
  ErsatzTensorMeta tensor;
} ErsatzWritten;

typedef enum ErsatzAnswerStatus {
  ERSATZ_ANSWER_GIVEN = 0,
  ERSATZ_ANSWER_REFUSED = 1,        /* the call is invalid; the error says why */
  ERSATZ_ANSWER_DATA_DEPENDENT = 2, /* the results depend on the values of tensors */
  ERSATZ_ANSWER_UNSUPPORTED = 3     /* ersatz cannot answer, although PyTorch may; the error says why */
} ErsatzAnswerStatus;

typedef struct ErsatzAnswer {
  uint32_t size;  /* sizeof(ErsatzAnswer) in the caller's header; the caller sets it */
  int32_t status; /* ErsatzAnswerStatus; `ask` returns it too */
  uint32_t count; /* number of `results`, in schema order; each element of a `Tensor[]` is one result */
  const ErsatzResult* results;
  uint32_t written_count;
  const ErsatzWritten* written;
  /* The error of a call that was not answered. The strings are never null. */
  const char* error_kind;   /* `InvalidArgument`, ... */
  const char* error_family; /* `index`, `type`, `value`, `runtime`, `not_implemented` */
  const char* label;        /* the constraint's label, `cat.C2`; may be empty */
  const char* message;      /* one line */
  const char* suggestion;   /* a change that makes the call work; may be empty */
} ErsatzAnswer;

typedef struct ErsatzAsker ErsatzAsker;
typedef struct ErsatzOpEntry ErsatzOpEntry;

typedef struct ErsatzAsk {
  uint32_t size;
  uint32_t abi;
  const char* version; /* version of the library */
  /* Returns the operator of this name in either spelling, `aten.add.Tensor` or `aten::add.Tensor`; null if there is
   * none. The pointer is valid until the process ends. */
  const ErsatzOpEntry* (*find_op)(const char* name);
  /* Returns the schema in ATen's spelling. The string is valid until the process ends. */
  const char* (*schema_of)(const ErsatzOpEntry* op);
  /* Returns null if memory is exhausted. */
  ErsatzAsker* (*new_asker)(void);
  void (*free_asker)(ErsatzAsker* asker);
  /* Fills `answer` and returns its status. A malformed value (a null pointer, an unknown kind, a negative size) has the
   * status ERSATZ_ANSWER_REFUSED. */
  int (*ask)(ErsatzAsker* asker, const ErsatzOpEntry* op, const ErsatzAskContext* context, const ErsatzValue* arguments,
             uint32_t count, ErsatzAnswer* answer);
} ErsatzAsk;

/* Returns the interface's functions, or null if the library does not have version `abi` of the interface. */
__attribute__((visibility("default"))) const ErsatzAsk* ersatz_ask(uint32_t abi);

#ifdef __cplusplus
}
#endif
