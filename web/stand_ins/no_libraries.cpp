// <dlfcn.h> where no library can be loaded: BLAS, oneDNN, CUDA and plugins are all found absent, and dlerror says why.
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
void __dl_seterr(const char*, ...) {}  // emscripten's start-up code takes all of libc's <dlfcn.h> where this is missing
}
