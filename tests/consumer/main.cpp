// Somebody else's program: compiled against the installed headers and library only.
#include <ersatz/runtime/version.h>

#include <iostream>

int main() { std::cout << "consumer: linked to ersatz " << ersatz::version() << "\n"; }
