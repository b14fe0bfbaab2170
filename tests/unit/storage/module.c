// Modules for find_test: MODULE_ABI says which version of the seam they claim to be of.
#include "storage/store.h"

#ifdef MODULE_SYMBOL
__attribute__((visibility("default"))) extern const struct od_store_ops MODULE_SYMBOL;

const struct od_store_ops MODULE_SYMBOL = {.abi = MODULE_ABI, .name = "whole"};
#endif
