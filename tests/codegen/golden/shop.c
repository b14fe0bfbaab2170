/* The table shop, made by `ordna gen` from shop.entities: change that file, not this one. */
#include "shop.h"

/* --- Employee --- */

static const ordna_field shop_employee_fields[] = {
    {"Org", ORDNA_STRING, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_employee, org), 0},
    {"Country", ORDNA_STRING, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_employee, country), 0},
    {"City", ORDNA_STRING, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_employee, city), 0},
    {"Number", ORDNA_INT32, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_employee, number), 0},
    {"Hired", ORDNA_TIME, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_employee, hired), 0},
    {"Nick", ORDNA_STRING, ORDNA_ONE, ORDNA_PLAIN, true,
     offsetof(shop_employee, nick), 0},
    {"Tags", ORDNA_STRING, ORDNA_SET, ORDNA_PLAIN, false,
     offsetof(shop_employee, tags), 0},
    {"Scores", ORDNA_INT32, ORDNA_MAP, ORDNA_PLAIN, false,
     offsetof(shop_employee, scores), 0},
    {"Version", ORDNA_INT64, ORDNA_ONE, ORDNA_VERSION, false,
     offsetof(shop_employee, version), 0},
    {"Expires", ORDNA_TIME, ORDNA_ONE, ORDNA_TTL, true,
     offsetof(shop_employee, expires), offsetof(shop_employee, has_expires)},
};

static const ordna_segment shop_employee_segments[] = {
    {"ORG#", 0, 0, 0},
    {"SITE#", 1, 0, 0},
    {"#", 2, 0, 0},
    {"#EMP#", 3, 'd', 6},
    {"CITY#", 2, 0, 0},
    {"", 4, 0, 0},
    {"#", 3, 'd', 6},
    {"ORG#", 0, 0, 0},
    {"HIRED#", 4, 0, 0},
};

static const ordna_template shop_employee_templates[] = {
    {"PK", ORDNA_STRING, shop_employee_segments + 0, 1},
    {"SK", ORDNA_STRING, shop_employee_segments + 1, 3},
    {"GSI1PK", ORDNA_STRING, shop_employee_segments + 4, 1},
    {"GSI1SK", ORDNA_STRING, shop_employee_segments + 5, 2},
    {"PK", ORDNA_STRING, shop_employee_segments + 7, 1},
    {"LSI1SK", ORDNA_STRING, shop_employee_segments + 8, 1},
};

static const ordna_index shop_employee_keys[] = {
    {NULL, shop_employee_templates + 0, shop_employee_templates + 1},
    {"GSI1", shop_employee_templates + 2, shop_employee_templates + 3},
    {"ByDate", shop_employee_templates + 4, shop_employee_templates + 5},
};

const ordna_entity shop_employee_entity = {
    &shop_table, "Employee", "EMPLOYEE", sizeof(shop_employee),
    shop_employee_fields, 10, shop_employee_keys, 3};

/* --- Player --- */

static const ordna_field shop_player_fields[] = {
    {"Id", ORDNA_UUID, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_player, id), 0},
    {"Board", ORDNA_STRING, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_player, board), 0},
    {"Score", ORDNA_DOUBLE, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_player, score), 0},
    {"Delta", ORDNA_INT64, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_player, delta), 0},
    {"Active", ORDNA_BOOL, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_player, active), 0},
    {"Level", ORDNA_INT32, ORDNA_ONE, ORDNA_PLAIN, true,
     offsetof(shop_player, level), offsetof(shop_player, has_level)},
    {"Balance", ORDNA_DECIMAL, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_player, balance), 0},
    {"Photo", ORDNA_BYTES, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_player, photo), 0},
    {"Thumb", ORDNA_BYTES, ORDNA_ONE, ORDNA_PLAIN, true,
     offsetof(shop_player, thumb), 0},
    {"Visits", ORDNA_TIME, ORDNA_LIST, ORDNA_PLAIN, false,
     offsetof(shop_player, visits), 0},
    {"Prices", ORDNA_DECIMAL, ORDNA_MAP, ORDNA_PLAIN, false,
     offsetof(shop_player, prices), 0},
    {"Friends", ORDNA_UUID, ORDNA_SET, ORDNA_PLAIN, false,
     offsetof(shop_player, friends), 0},
    {"Flags", ORDNA_BOOL, ORDNA_LIST, ORDNA_PLAIN, false,
     offsetof(shop_player, flags), 0},
    {"Marks", ORDNA_DOUBLE, ORDNA_LIST, ORDNA_PLAIN, true,
     offsetof(shop_player, marks), 0},
};

static const ordna_segment shop_player_segments[] = {
    {"PLAYER#", 0, 0, 0},
    {"PLAYER", -1, 0, 0},
    {"", 1, 0, 0},
    {"", 2, 0, 0},
};

static const ordna_template shop_player_templates[] = {
    {"PK", ORDNA_STRING, shop_player_segments + 0, 1},
    {"SK", ORDNA_STRING, shop_player_segments + 1, 1},
    {"Board", ORDNA_STRING, shop_player_segments + 2, 1},
    {"Score", ORDNA_DECIMAL, shop_player_segments + 3, 1},
};

static const ordna_index shop_player_keys[] = {
    {NULL, shop_player_templates + 0, shop_player_templates + 1},
    {"ByScore", shop_player_templates + 2, shop_player_templates + 3},
};

const ordna_entity shop_player_entity = {
    &shop_table, "Player", "PLAYER", sizeof(shop_player),
    shop_player_fields, 14, shop_player_keys, 2};

/* --- ChatMessage --- */

static const ordna_field shop_chat_message_fields[] = {
    {"Room", ORDNA_STRING, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_chat_message, room), 0},
    {"Id", ORDNA_UUID, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_chat_message, id), 0},
    {"Text", ORDNA_STRING, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_chat_message, text), 0},
    {"class", ORDNA_STRING, ORDNA_ONE, ORDNA_PLAIN, false,
     offsetof(shop_chat_message, class_), 0},
    {"first-name", ORDNA_INT64, ORDNA_ONE, ORDNA_PLAIN, true,
     offsetof(shop_chat_message, first_name), offsetof(shop_chat_message, has_first_name)},
};

static const ordna_segment shop_chat_message_segments[] = {
    {"ROOM#", 0, 0, 0},
    {"", 1, 0, 0},
};

static const ordna_template shop_chat_message_templates[] = {
    {"PK", ORDNA_STRING, shop_chat_message_segments + 0, 1},
    {"SK", ORDNA_STRING, shop_chat_message_segments + 1, 1},
};

static const ordna_index shop_chat_message_keys[] = {
    {NULL, shop_chat_message_templates + 0, shop_chat_message_templates + 1},
};

const ordna_entity shop_chat_message_entity = {
    &shop_table, "ChatMessage", "CHAT", sizeof(shop_chat_message),
    shop_chat_message_fields, 5, shop_chat_message_keys, 1};

/* --- The table --- */

static const ordna_table_key shop_keys[] = {
    {NULL, "PK", ORDNA_STRING, "SK", ORDNA_STRING, false, false},
    {"GSI1", "GSI1PK", ORDNA_STRING, "GSI1SK", ORDNA_STRING, false, false},
    {"ByScore", "Board", ORDNA_STRING, "Score", ORDNA_DECIMAL, false, true},
    {"ByDate", "PK", ORDNA_STRING, "LSI1SK", ORDNA_STRING, true, false},
};

static const ordna_entity *const shop_entities[] = {
    &shop_employee_entity,
    &shop_player_entity,
    &shop_chat_message_entity,
};

const ordna_table shop_table = {
    "shop", "Kind", shop_keys, 4, shop_entities, 3,
    sizeof(shop_item), offsetof(shop_item, as)};
