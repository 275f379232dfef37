# ersatz, for people: each target does its own set-up.
#
#   make demo     install what is missing, build, run and crosscheck two real exported programs
#   make test     install what is missing, build, run the whole test suite
#   make build    install what is missing, build into build/ (programs in build/bin)
#   make bench    build and run the benchmarks (BENCH=bench_fake for one of them, ARGS=... passed on)
#   make behaviours  what was seen of each promised behaviour (MUTANTS=20: break 20 lines picked by hand, see their tests fail)
#   make check    what CI checks besides tests: format, layering, op names, headers, docs
#   make format   clang-format everything in place
#   make clean    remove every build tree
#   make help     print this
#
# CMake alone works too: cmake -S . -B build -G Ninja && ninja -C build

BENCH ?= bench_*
ARGS ?=
MUTANTS ?= 0

.PHONY: build demo test bench behaviours check format clean help setup configure
build: configure
	cmake --build build

setup:
	@tools/setup build

configure: setup
	@cmake --preset release >build-configure.log 2>&1 || { cat build-configure.log; exit 1; }
	@rm -f build-configure.log

demo: build
	@tools/demo build/bin/ersatz

test: build
	@tools/test build

bench: configure
	cmake --build build --target benchmarks
	@for b in build/bin/$(BENCH); do echo "$$b $(ARGS)"; "$$b" $(ARGS) || exit 1; done

behaviours: build
	@tools/behaviours build --mutants $(MUTANTS)

check: build
	@tools/setup check
	@tools/check build

format:
	@tools/setup check
	tools/format

clean:
	rm -rf build build-*

help:
	@sed -n 's/^# \{0,1\}//p' Makefile
