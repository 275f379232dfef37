// A kernel that returns the kinds of the arguments that it received. The plugin must include the header of its
// interface version before this one.
#pragma once

/// The kernel of `(Tensor x, Layout l, MemoryFormat f, Generator? g) -> (int, int, int, int)`. It returns the kinds of
/// the last three arguments, and the number of the memory format.
inline int told_kinds(const ErsatzCall* call, void*) {
  const ErsatzValue* a = call->arguments;
  const int64_t told[] = {a[1].kind, a[2].kind, a[3].kind, a[2].as.integer};
  for (const int64_t number : told) {
    ErsatzValue v{};
    v.kind = ERSATZ_INT;
    v.as.integer = number;
    if (const int status = call->host->add_value(call, &v)) return status;
  }
  return 0;
}
