/* A program in C, compiled with the installed headers. It asks ersatz what add.Tensor would return. */
#include <ersatz/ask.h>
#include <stdio.h>

static const ErsatzDType f32 = {2, 32, 1};
static const ErsatzDevice cuda = {2, 0};

static ErsatzTensorMeta matrix(const int64_t sizes[2], const int64_t strides[2], uint64_t storage) {
  ErsatzTensorMeta t = {0};
  t.dtype = f32;
  t.device = cuda;
  t.ndim = 2;
  t.sizes = sizes;
  t.strides = strides;
  t.storage = t.object = storage;
  t.storage_bytes = 4 * sizes[0] * sizes[1];
  return t;
}

int main(void) {
  const int64_t column[] = {2, 1}, row[] = {1, 3}, column_strides[] = {1, 1}, row_strides[] = {3, 1};
  const ErsatzTensorMeta a = matrix(column, column_strides, 1), b = matrix(row, row_strides, 2);
  ErsatzValue arguments[2] = {{0}};
  ErsatzAnswer answer = {0};
  const ErsatzAsk* const ask = ersatz_ask(ERSATZ_ASK_ABI);
  ErsatzAsker* const asker = ask ? ask->new_asker() : NULL;
  if (!asker || ersatz_ask(ERSATZ_ASK_ABI + 1)) return 1;
  arguments[0].kind = arguments[1].kind = ERSATZ_TENSOR;
  arguments[0].as.meta = &a;
  arguments[1].as.meta = &b;
  answer.size = sizeof answer;
  if (ask->ask(asker, ask->find_op("aten.add.Tensor"), NULL, arguments, 2, &answer) != ERSATZ_ANSWER_GIVEN) return 2;
  printf("ersatz %s, add.Tensor of [2,1] and [1,3]: [%d,%d]\n", ask->version, (int)answer.results[0].tensor.sizes[0],
         (int)answer.results[0].tensor.sizes[1]);
  return answer.results[0].tensor.sizes[0] == 2 && answer.results[0].tensor.sizes[1] == 3 ? 0 : 3;
}
