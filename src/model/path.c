#include "model/path.h"

static od_value take_step(od_value at, const struct od_path_step *step)
{
    enum od_type type = od_value_type(at);
    if (step->is_index) {
        return type == OD_TYPE_L ? od_list_get(at, step->index) : (od_value){0};
    }
    return type == OD_TYPE_M ? od_map_get(at, step->name) : (od_value){0};
}

od_value od_path_get(od_value map, const struct od_path *path)
{
    od_value at = map;
    for (size_t i = 0; i < path->count && od_value_exists(at); i++) {
        at = take_step(at, &path->steps[i]);
    }
    return at;
}
