// What the files of codegen share: the tables and entities of a file, and findings about them.
#ifndef OD_CODEGEN_INTERNAL_H
#define OD_CODEGEN_INTERNAL_H

#include "base/attr.h"
#include "base/buf.h"
#include "codegen/codegen.h"

enum {
    OD_CODEGEN_MAX_TABLES = 64,
    OD_CODEGEN_MAX_ENTITIES = 128, // of a table
    OD_CODEGEN_MAX_FIELDS = 256,   // of an entity
    OD_CODEGEN_MAX_KEYS = 26,      // of a table: its own, 20 indexes, 5 local ones
    OD_CODEGEN_MAX_KEY_FIELDS = 8,
    OD_CODEGEN_MAX_NAME = 255,      // bytes
    OD_CODEGEN_MAX_IDENTIFIER = 64, // bytes of a name that becomes one of C's
    OD_CODEGEN_MAX_TEMPLATE = 256,  // bytes
    OD_CODEGEN_MAX_FINDINGS = 1000,
};

enum od_codegen_diagnostic {
#define OD_DIAGNOSTIC(number, severity, name, message) OD_CODEGEN_##name,
#include "codegen/diagnostics.def"
#undef OD_DIAGNOSTIC
    OD_CODEGEN_DIAGNOSTICS
};

struct od_codegen_place {
    uint32_t line;
    uint32_t column;
};

struct od_codegen_word {
    od_str text; // without its quotes; ptr NULL: there is none
    struct od_codegen_place at;
    bool quoted;
};

// In the order of ordna/values.h.
enum od_codegen_type {
    OD_CODEGEN_STRING,
    OD_CODEGEN_INT32,
    OD_CODEGEN_INT64,
    OD_CODEGEN_DECIMAL,
    OD_CODEGEN_DOUBLE,
    OD_CODEGEN_BOOL,
    OD_CODEGEN_BYTES,
    OD_CODEGEN_TIME,
    OD_CODEGEN_UUID,
    OD_CODEGEN_TYPES
};
enum od_codegen_shape { OD_CODEGEN_ONE, OD_CODEGEN_LIST, OD_CODEGEN_SET, OD_CODEGEN_MAP };
enum od_codegen_role { OD_CODEGEN_PLAIN, OD_CODEGEN_VERSION, OD_CODEGEN_TTL };

struct od_codegen_type_row {
    const char *word;     // in the file
    const char *constant; // of ordna/values.h
    const char *c;        // its type in C
    const char *many;     // the stem of its lists and maps, ordna_..._list
    const char *value;    // makes an ordna_value
    bool counts;          // absent by a flag, not by a NULL
};
extern const struct od_codegen_type_row od_codegen_types[OD_CODEGEN_TYPES];

struct od_codegen_field {
    struct od_codegen_field *next;
    struct od_codegen_word name;
    od_str stem;   // of names in C: "home_city"
    od_str member; // the same, but for keywords: "class_"
    size_t position;
    enum od_codegen_type type;
    enum od_codegen_shape shape;
    enum od_codegen_role role;
    bool optional;
};

struct od_codegen_segment {
    od_str text;                          // in front of the field
    od_str inside;                        // the braces' content, "Number:d6"; ptr NULL: no field
    od_str name;                          // the field's
    od_str format;                        // "d6"; ptr NULL: none
    struct od_codegen_place at;           // of the content
    const struct od_codegen_field *field; // NULL until it is found
    char kind;                            // 'd', 'n'; 0: none
    int width;
};

struct od_codegen_template {
    struct od_codegen_word text; // ptr NULL: there is none
    struct od_codegen_segment segments[OD_CODEGEN_MAX_KEY_FIELDS + 1];
    size_t count;
    size_t field_count;
};

struct od_codegen_table_key {
    struct od_codegen_table_key *next;
    struct od_codegen_word index; // ptr NULL: the table's own
    od_str stem;                  // of generated names, "gsi1_"; "" for the table's own
    struct od_codegen_word partition;
    enum od_codegen_type partition_type; // STRING, DECIMAL, BYTES
    struct od_codegen_word sort;         // ptr NULL: there is none
    enum od_codegen_type sort_type;
    bool local;
    bool keys_only;
};

// What an entity says of a key.
struct od_codegen_key {
    struct od_codegen_key *next;
    struct od_codegen_word index;          // ptr NULL: the table's own
    const struct od_codegen_table_key *of; // NULL until it is found
    struct od_codegen_template partition;
    struct od_codegen_template sort;
};

// Warnings that are not told.
struct od_codegen_allowed {
    bool these[OD_CODEGEN_DIAGNOSTICS];
};

struct od_codegen_entity {
    struct od_codegen_entity *next;
    struct od_codegen_table *table;
    struct od_codegen_word name;
    struct od_codegen_word discriminator;
    od_str member; // of the union in shop_item: "employee"
    od_str prefix; // "shop_employee"
    struct od_codegen_field *fields;
    struct od_codegen_field **fields_end;
    size_t field_count;
    struct od_codegen_key *keys; // the table's own first
    struct od_codegen_key **keys_end;
    size_t key_count;
    struct od_codegen_word peak; // the number's, ptr NULL: there is none
    uint64_t peak_writes;
    struct od_codegen_allowed allowed;
};

struct od_codegen_table {
    struct od_codegen_table *next;
    struct od_codegen_file *file;
    struct od_codegen_word name;
    struct od_codegen_word real_name; // DynamoDB's
    od_str prefix;                    // "shop"
    struct od_codegen_word discriminator;
    struct od_codegen_table_key *keys; // its own first
    struct od_codegen_table_key **keys_end;
    size_t key_count;
    struct od_codegen_entity *entities;
    struct od_codegen_entity **entities_end;
    size_t entity_count;
    struct od_codegen_allowed allowed;
};

struct od_codegen_file {
    od_arena *arena;
    od_str name;
    od_str text;
    struct od_codegen_table *tables;
    struct od_codegen_table **tables_end;
    size_t table_count;
    struct od_codegen_finding *findings;
    size_t finding_count;
    size_t left_out;
    size_t error_count;
};

// --- Findings -----------------------------------------------------------------------------------

// %1 to %3 of the message become `a` to `c`.
void od_codegen_report(struct od_codegen_file *file, struct od_codegen_place at,
                       enum od_codegen_diagnostic what, od_str a, od_str b, od_str c);
// A warning, unless the entity or its table allows it.
void od_codegen_warn(const struct od_codegen_entity *entity, struct od_codegen_place at,
                     enum od_codegen_diagnostic what, od_str a, od_str b, od_str c);
// "ORD070" of a warning.
bool od_codegen_find_warning(od_str text, enum od_codegen_diagnostic *out);
void od_codegen_sort_findings(struct od_codegen_file *file);

// A word as messages show it: in quotes, printable, not too long. "the end of the line" for none.
od_str od_codegen_show(struct od_codegen_file *file, od_str word);
od_str od_codegen_number(struct od_codegen_file *file, uint64_t n);

// --- Reading ------------------------------------------------------------------------------------

// A line, word by word.
struct od_codegen_line {
    struct od_codegen_file *file;
    od_str text;
    size_t at;
    uint32_t number;
    bool broken; // a finding was told, and the rest is not looked at
};

struct od_codegen_place od_codegen_line_place(const struct od_codegen_line *line);
// False at the line's end. A quote that is not closed is reported.
bool od_codegen_next_word(struct od_codegen_line *line, struct od_codegen_word *out);
// Takes the next word if it is this one, not in quotes.
bool od_codegen_accept(struct od_codegen_line *line, const char *word);
// The next word; at the line's end says what was expected.
bool od_codegen_expect(struct od_codegen_line *line, const char *what, struct od_codegen_word *out);
// Takes the next word, which must be this one.
bool od_codegen_expect_word(struct od_codegen_line *line, const char *word);
// Reports what is left of the line.
void od_codegen_expect_end(struct od_codegen_line *line);
bool od_codegen_expect_name(struct od_codegen_line *line, const char *of,
                            struct od_codegen_word *out);
// A name that becomes a part of C names.
bool od_codegen_expect_identifier(struct od_codegen_line *line, const char *of,
                                  struct od_codegen_word *out);
void od_codegen_read_allow(struct od_codegen_line *line, struct od_codegen_allowed *allowed);

void od_codegen_read(struct od_codegen_file *file);
// Lines of an entity, without their first word.
void od_codegen_read_entity_partition(struct od_codegen_line *line,
                                      struct od_codegen_entity *entity);
void od_codegen_read_entity_sort(struct od_codegen_line *line, struct od_codegen_entity *entity);
void od_codegen_read_entity_index(struct od_codegen_line *line, struct od_codegen_entity *entity);
void od_codegen_read_peak(struct od_codegen_line *line, struct od_codegen_entity *entity);
void od_codegen_read_field(struct od_codegen_line *line, struct od_codegen_entity *entity,
                           struct od_codegen_word name);
void od_codegen_add_key(struct od_codegen_file *file, struct od_codegen_entity *entity,
                        struct od_codegen_word index);

// Cuts the template's text into segments. False when it cannot be read.
bool od_codegen_read_template(struct od_codegen_file *file, struct od_codegen_template *template);

// --- Names --------------------------------------------------------------------------------------

// "HomeCity" becomes "home_city"; nothing but a-z, 0-9 and single _, and a letter first.
od_str od_codegen_snake(od_arena *arena, od_str name);
// The same as a name of a member or parameter: keywords of C and C++ get a _ behind.
od_str od_codegen_member(od_arena *arena, od_str name);

// Names of an entity's functions for a key: "shop_employee_gsi1_pk", and
// "shop_employee_gsi1_sk_hired" with the leading `fields` of the sort key.
od_str od_codegen_partition_name(od_arena *arena, const struct od_codegen_entity *entity,
                                 const struct od_codegen_key *key);
od_str od_codegen_sort_name(od_arena *arena, const struct od_codegen_entity *entity,
                            const struct od_codegen_key *key, size_t fields);

// --- Checks -------------------------------------------------------------------------------------

void od_codegen_check_tables(struct od_codegen_file *file);
void od_codegen_check_entities(struct od_codegen_file *file);
// Names that would be generated twice.
void od_codegen_check_names(struct od_codegen_file *file);
void od_codegen_check_keys(struct od_codegen_entity *entity);
void od_codegen_advise(const struct od_codegen_entity *entity);
void od_codegen_advise_on_shared_keys(const struct od_codegen_table *table);
// All texts that a template can make, and whether two have one in common.
struct od_codegen_texts;
const struct od_codegen_texts *od_codegen_texts_of(od_arena *arena,
                                                   const struct od_codegen_template *template);
bool od_codegen_overlaps(const struct od_codegen_texts *a, const struct od_codegen_texts *b);

// Whether the field is one that tells by a `bool has_...` whether it is there.
static inline bool od_codegen_has_flag(const struct od_codegen_field *field)
{
    return field->optional && field->shape == OD_CODEGEN_ONE &&
           od_codegen_types[field->type].counts;
}

// --- Writing ------------------------------------------------------------------------------------

// Appends `pattern` with $T for the table's prefix, $E for the entity's, $N for its name.
void od_codegen_put(struct od_buf *out, const char *pattern, const struct od_codegen_table *table,
                    const struct od_codegen_entity *entity);
void od_codegen_put_literal(struct od_buf *out, od_str text); // in quotes, for C
void od_codegen_put_comment(struct od_buf *out, od_str text); // what a comment can hold of it
// The comment that a generated file begins with.
void od_codegen_put_origin(struct od_buf *out, const struct od_codegen_table *table);

// What is generated for each entity, and for the table: the ends of names.
struct od_codegen_function {
    const char *suffix; // "_put"
    const char *text;   // a pattern; NULL: it is written elsewhere
};
struct od_codegen_functions {
    const struct od_codegen_function *rows;
    size_t count;
};
extern const struct od_codegen_functions od_codegen_entity_functions;
extern const struct od_codegen_functions od_codegen_table_functions;

// Keys of text have leading fields and can be parsed; keys of numbers and bytes are one field.
static inline bool od_codegen_is_text(enum od_codegen_type key)
{
    return key == OD_CODEGEN_STRING;
}

od_str od_codegen_write_header(const struct od_codegen_table *table);
od_str od_codegen_write_source(const struct od_codegen_table *table);

#endif
