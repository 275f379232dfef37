# Python, the CPU version of PyTorch, and ersatz from a wheel. docs/ci.md says how it is built and used; scripts/docker_steps runs its steps without Docker.
FROM debian:bookworm-slim
# A wheel of `make wheel` for Python 3.11, by its path below the folder that `docker build` is given (build/wheels).
ARG WHEEL
# PyTorch's version; empty: none. Its CPU builds are on an index of their own.
ARG TORCH=2.15.0
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
# The libraries are opened where they are: matrix products and convolutions are slow without them.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates python3 python3-venv libopenblas0-pthread libdnnl2 && rm -rf /var/lib/apt/lists/*
RUN python3 -m venv /opt/ersatz
ENV PATH=/opt/ersatz/bin:/usr/local/bin:/usr/bin:/bin
RUN if [ -n "$TORCH" ]; then pip install --no-cache-dir --index-url "$TORCH_INDEX" "torch==$TORCH"; fi
COPY ${WHEEL} /tmp/wheel/
RUN pip install --no-cache-dir pytest /tmp/wheel/*.whl && rm -r /tmp/wheel
RUN ersatz --version && ersatz explain aten.mm.default "f32[2,3], f32[3,4]" && if [ -n "$TORCH" ]; then python -c "import ersatz.torch"; fi
WORKDIR /work
ENTRYPOINT ["ersatz"]
CMD ["--help"]
