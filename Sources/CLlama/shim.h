#include <llama.h>
#include <gguf.h>
