// The C interface of a live session. Through it the glue (python/glue/glue.cpp, inside PyTorch's dispatcher) has its
// calls compared. It belongs to one version of ersatz: every change here changes `ERSATZ_LIVE_ABI`.
#pragma once

#include "fake/ask/ask.h"

#define ERSATZ_LIVE_ABI 6u

#ifdef __cplusplus
extern "C" {
#endif

/* A flat result: `untouched` of its `of` elements still have the bytes with which the new memory was filled. */
typedef struct ErsatzUnwritten {
  int32_t result;
  int64_t untouched, of;
} ErsatzUnwritten;

/* A call that has ended. Arguments are described as before the call. All pointers are valid until `judge` returns. */
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
  const char* error; /* class of the exception, `RuntimeError`, ...; null: none */
  const char* message;
  const int32_t* rewritten; /* indices of the tensor arguments whose bytes changed, if they were checked */
  uint32_t rewritten_count;
  const ErsatzUnwritten* unwritten; /* if it was checked */
  uint32_t unwritten_count;
} ErsatzLiveCall;

typedef struct ErsatzLive {
  uint32_t size;
  uint32_t abi;
  const ErsatzAsk* ask;
  void* session;
  uint64_t watched_bytes; /* in calls of a user's operator, storages up to this size are checked; 0: none */
  uint32_t watched_calls; /* number of calls of each of the user's operators whose bytes are checked */
  /* Compares a call, from any thread, and never throws. Returns 1 if the session stops at its first finding and this
   * call has it. */
  int (*judge)(void* session, const ErsatzLiveCall* call);
  /* Returns an operator without a rule in ersatz, by its schema in PyTorch's syntax. Its calls are compared with the
   * prediction of its fake kernel. Null: they cannot be compared, and `why` has the reason, which is never freed. */
  const ErsatzOpEntry* (*own)(void* session, const char* name, const char* schema, const char** why);
  /* Enters (1) or leaves (0) the Python dispatch mode, which compares calls that have no description here. */
  void (*in_python)(void* session, int enter);
  /* Puts this thread's Python exception aside, so that other Python code can run. Returns null if there is none.
   * `error` receives its class as in ErsatzLiveCall, null for another class. `message` receives its first line, valid
   * until `raise_again`. */
  void* (*put_aside)(void* session, const char** error, const char** message);
  void (*raise_again)(void* session, void* exception);
  /* Counts a call that is not compared, with the reason. `op` may be null. `results`: number of results except None. */
  void (*skip)(void* session, const ErsatzOpEntry* op, const char* name, const char* why, uint32_t results);
  /* Handles a call that returned a tensor subclass. `object` is its Python object and may be null. Returns 1 if the call
   * is counted here and the calls made on that tensor are compared instead. Returns 0 for an ordinary call. */
  int (*subclass)(void* session, const char* name, void* object);
  /* Reads a device that is not cpu, cuda or meta from PyTorch's name and index. `free`: it is privateuseone under any
   * name. Returns 0 if ersatz does not have it; the answer never changes. */
  int (*device)(void* session, const char* name, int32_t number, int free, ErsatzDevice* to);
} ErsatzLive;

#ifdef __cplusplus
}
#endif
