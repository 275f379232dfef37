# ersatz, for people: each target does its own set-up.
#
#   make demo     install what is missing, build the program, run and crosscheck two real exported programs
#   make test     install what is missing, build the rest (CUDA where nvcc is), run the whole test suite
#   make build    what make test builds, into build/ (programs in build/bin)
#   make install  build the program and the library, and install them below PREFIX (/usr/local; DESTDIR too);
#                 CONFIGURE=-DERSATZ_CUDA=ON for the CUDA module too
#   make package  the same as a Debian package, build/ersatz_VERSION_ARCHITECTURE.deb
#   make wheel    the Python package, build/wheels/ersatz_tensors-*.whl, for each Python at hand (PYTHONS="python3.10 ..." for some)
#   make web      ersatz for a web page, by emscripten: build-web/ersatz.html, compared with the program of this machine
#   make docs     the documentation as a site, build/site/index.html
#   make bench    build and run the benchmarks (BENCH=bench_fake for one of them, ARGS=... passed on)
#   make behaviours  what was seen of each promised behaviour (MUTANTS=20: break 20 lines picked by hand, see their tests fail)
#   make check    what CI checks besides tests: format, layering, op names, headers, docs
#   make asan     every test program under the address and undefined-behaviour sanitizers, in build-asan (CI runs three of them);
#                 SANITIZER=tsan: the thread sanitizer, in build-tsan
#   make format   clang-format everything in place
#   make clean    remove every build tree
#   make help     print this
#
# CONFIGURE="..." is passed to CMake. make demo, install, package and wheel build neither tests nor CUDA, whatever is installed.
# CMake alone works too: cmake -S . -B build -G Ninja && ninja -C build

PREFIX ?= /usr/local
BENCH ?= bench_*
ARGS ?=
MUTANTS ?= 0
PYTHONS ?=
CONFIGURE ?=
SANITIZER ?= asan

# Quiet where it works: what is built and what is left out; all that CMake says where it fails.
configure = cmake --preset release $(1) $(CONFIGURE) >build-configure.log 2>&1 || { cat build-configure.log; exit 1; }; \
  sed -n 's/^-- ersatz: /configure: /p' build-configure.log; rm -f build-configure.log
only_the_program = -DERSATZ_BUILD_TESTS=OFF -DERSATZ_BUILD_BENCHMARKS=OFF -DERSATZ_CUDA=OFF -DERSATZ_PYTHON=OFF
tests_and_what_is_there = -DERSATZ_BUILD_TESTS=ON -DERSATZ_BUILD_BENCHMARKS=AUTO -DERSATZ_CUDA=AUTO -DERSATZ_PYTHON=AUTO

.PHONY: announcement build demo test install package wheel web docs bench behaviours check asan format clean help program product everything
build: everything
	cmake --build build

# Three sizes of one build tree: what a smaller one compiled, a larger one takes.
program:
	@scripts/setup program
	@$(call configure,$(only_the_program))
	cmake --build build --target ersatz_program

product: program
	cmake --build build --target ersatz_product

everything:
	@scripts/setup program tests python
	@scripts/python_setup build
	@$(call configure,$(tests_and_what_is_there))

demo: announcement program
	@scripts/demo build/bin/ersatz

announcement:
	@[ -x build/bin/ersatz ] || echo "make demo: installs missing Debian packages, builds the program (4 to 5 minutes on 2 cores), then checks two networks"

test: build
	@scripts/test build

install: product
	cmake --install build --prefix $(PREFIX)

package: product
	@scripts/setup package
	cd build && cpack -G DEB

wheel:
	@scripts/setup program python
	@scripts/python_setup build wheel
	@$(call configure,$(only_the_program))
	cmake --build build --target ersatz_product
	@scripts/wheel build $(PYTHONS)

web: program
	@scripts/setup program web
	cmake --preset web
	cmake --build build-web
	@python3 -B tests/web/web_test.py build/bin/ersatz build-web

docs:
	@scripts/setup program python
	@scripts/python_setup build docs
	@scripts/docs build

bench:
	@scripts/setup program tests benchmarks
	@$(call configure,$(tests_and_what_is_there) -DERSATZ_BUILD_BENCHMARKS=ON)
	cmake --build build --target benchmarks
	@for b in build/bin/$(BENCH); do echo "$$b $(ARGS)"; "$$b" $(ARGS) || exit 1; done

behaviours: build
	@scripts/behaviours build --mutants $(MUTANTS)

check: build
	@scripts/setup program tests python check
	@scripts/python_setup build check
	@scripts/check build

asan:
	@scripts/setup program tests
	cmake --preset $(SANITIZER) $(CONFIGURE)
	cmake --build build-$(SANITIZER)
	@scripts/test build-$(SANITIZER) -R '^(test|fuzz|change|infer)_'

format:
	@scripts/setup check
	scripts/format

clean:
	rm -rf build build-*

help:
	@sed -n 's/^# \{0,1\}//p' Makefile
