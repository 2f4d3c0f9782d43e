#include <llama.h>
#include <gguf.h>
#ifdef __linux__
#include <malloc.h>
#endif
