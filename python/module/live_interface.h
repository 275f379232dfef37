// The C interface of a live session: how calls that were made elsewhere (python/glue/glue.cpp, inside of PyTorch's
// dispatcher) come to be judged. Built for one version of ersatz: `ERSATZ_LIVE_ABI` changes with every change here.
#pragma once

#include "fake/ask/ask.h"

#define ERSATZ_LIVE_ABI 6u

#ifdef __cplusplus
extern "C" {
#endif

/* A flat result of which `untouched` of `of` elements hold what was put into fresh memory before the kernel got it. */
typedef struct ErsatzUnwritten {
  int32_t result;
  int64_t untouched, of;
} ErsatzUnwritten;

/* A call that has ended. Arguments are told as they were before it, and live until the function returns. */
typedef struct ErsatzLiveCall {
  const ErsatzOpEntry* op;
  ErsatzDType default_dtype;
  const ErsatzValue* arguments;
  uint32_t argument_count;
  const ErsatzValue* results; /* flat */
  uint32_t result_count;
  const ErsatzTensorMeta* const* after; /* the tensor arguments, lists flattened, in order */
  const int64_t* versions_before;       /* of the tensor arguments; -1: not known */
  const int64_t* versions_after;
  uint32_t tensor_count;
  const char* error; /* the class of the exception: `RuntimeError`, ...; null: none */
  const char* message;
  const int32_t* rewritten; /* numbers of the tensor arguments whose bytes have changed, where that was looked at */
  uint32_t rewritten_count;
  const ErsatzUnwritten* unwritten; /* where that was looked at */
  uint32_t unwritten_count;
} ErsatzLiveCall;

typedef struct ErsatzLive {
  uint32_t size;
  uint32_t abi;
  const ErsatzAsk* ask;
  void* session;
  uint64_t watched_bytes; /* of a storage: larger ones are not looked at in calls of a user's operator; 0: none are */
  uint32_t watched_calls; /* of each of the user's operators, the first ones, bytes are looked at */
  /* Any thread. Nothing throws: 1 where the session stops at its first finding, and this call made it. */
  int (*judge)(void* session, const ErsatzLiveCall* call);
  /* An operator that ersatz has no rule of, by its schema in PyTorch's language: its calls are judged by what its fake kernel
   * predicts. Null: they cannot be, and `why` says why not; it holds for good. */
  const ErsatzOpEntry* (*own)(void* session, const char* name, const char* schema, const char** why);
  /* Enters (1) or leaves (0) the dispatch mode of Python that judges calls which cannot be told here. */
  void (*in_python)(void* session, int enter);
  /* Puts the exception of Python that is set on this thread aside, so that other Python can run: null where there is none. `error`
   * is its class, as in ErsatzLiveCall, null for one of no such class; `message` its first line, until it is raised again. */
  void* (*put_aside)(void* session, const char** error, const char** message);
  void (*raise_again)(void* session, void* exception);
  /* Counts a call that is not judged, and why. `op` may be null; `results`: those that are not None. */
  void (*skip)(void* session, const ErsatzOpEntry* op, const char* name, const char* why, uint32_t results);
  /* A call that has returned a tensor subclass; `object`: its Python object, which may be null. 1: it is counted, and calls on that
   * tensor are judged by the calls that they make; 0: it is a call as any other. */
  int (*subclass)(void* session, const char* name, void* object);
  /* A device that is none of cpu, cuda and meta, by PyTorch's name and number of it; `free`: it is privateuseone, whatever its name.
   * 0: ersatz has none such; it holds for good. */
  int (*device)(void* session, const char* name, int32_t number, int free, ErsatzDevice* to);
} ErsatzLive;

#ifdef __cplusplus
}
#endif
