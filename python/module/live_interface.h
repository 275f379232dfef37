// The C interface of a live session: how calls that were made elsewhere (python/glue/glue.cpp, inside of PyTorch's
// dispatcher) come to be judged. Built for one version of ersatz: `ERSATZ_LIVE_ABI` changes with every change here.
#pragma once

#include "fake/ask/ask.h"

#define ERSATZ_LIVE_ABI 2u

#ifdef __cplusplus
extern "C" {
#endif

/* A call that has ended. Arguments are told as they were before it, and live until the function returns. */
typedef struct ErsatzLiveCall {
  const ErsatzOpEntry* op;
  ErsatzDType default_dtype;
  const ErsatzAskedValue* arguments;
  uint32_t argument_count;
  const ErsatzAskedValue* results; /* flat */
  uint32_t result_count;
  const ErsatzTensorMeta* const* after; /* the tensor arguments, lists flattened, in order */
  const int64_t* versions_before;       /* of the tensor arguments; -1: not known */
  const int64_t* versions_after;
  uint32_t tensor_count;
  const char* error; /* the class of the exception: `RuntimeError`, ...; null: none */
  const char* message;
  const int32_t* rewritten; /* numbers of the tensor arguments whose bytes have changed, where that was looked at */
  uint32_t rewritten_count;
} ErsatzLiveCall;

typedef struct ErsatzLive {
  uint32_t size;
  uint32_t abi;
  const ErsatzAsk* ask;
  void* session;
  uint64_t watched_bytes; /* of a storage: larger ones are not compared before and after a call of a user's operator */
  /* Any thread. Nothing throws: 1 where the session stops at its first finding, and this call made it. */
  int (*judge)(void* session, const ErsatzLiveCall* call);
  /* An operator that ersatz has no rule of, by its schema in PyTorch's language: its calls are judged by what its fake kernel
   * predicts. Null: they cannot be, and `why` says why not; it holds for good. */
  const ErsatzOpEntry* (*own)(void* session, const char* name, const char* schema, const char** why);
  /* Counts a call that is not judged, and why. `op` may be null; `results`: those that are not None. */
  void (*skip)(void* session, const ErsatzOpEntry* op, const char* name, const char* why, uint32_t results);
} ErsatzLive;

#ifdef __cplusplus
}
#endif
