// Document paths: a.b[2].c
#ifndef OD_MODEL_PATH_H
#define OD_MODEL_PATH_H

#include "model/value.h"

struct od_path_step {
    bool is_index;
    uint32_t index; // of a list
    od_str name;    // of a map's member
};

struct od_path {
    const struct od_path_step *steps;
    size_t count; // at least 1; the first step is a name
};

// No value when any step leads nowhere, whatever the reason.
od_value od_path_get(od_value map, const struct od_path *path);

#endif
