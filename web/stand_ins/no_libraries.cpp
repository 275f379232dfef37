// Implements <dlfcn.h> for the web page. WebAssembly cannot load BLAS, oneDNN, CUDA or plugins, so dlopen always fails,
// and dlerror gives this reason.
#include <dlfcn.h>

extern "C" {

void* dlopen(const char*, int) { return nullptr; }
void* dlsym(void*, const char*) { return nullptr; }
int dlclose(void*) { return 0; }
int dladdr(const void*, Dl_info*) { return 0; }
char* dlerror() {
  static char text[] = "a web page loads no libraries";
  return text;
}
// Without this function, emscripten's start-up code links all of libc's <dlfcn.h>.
void __dl_seterr(const char*, ...) {}
}
