// The words that PartiQL reserves: those of SQL-92, and its own. An attribute of such a name is
// written in double quotes.
#include "partiql/parse/syntax.h"

#include <stdlib.h>
#include <string.h>

// Sorted.
// clang-format off
static const char *const words[] = {
    "ABSOLUTE", "ACTION", "ADD", "ALL", "ALLOCATE", "ALTER", "AND", "ANY", "ARE", "AS", "ASC",
    "ASSERTION", "AT", "AUTHORIZATION", "AVG", "BAG", "BEGIN", "BETWEEN", "BIT", "BIT_LENGTH",
    "BLOB", "BOOL", "BOOLEAN", "BY", "CASCADE", "CASCADED", "CASE", "CAST", "CATALOG", "CHAR",
    "CHARACTER", "CHARACTER_LENGTH", "CHAR_LENGTH", "CHECK", "CLOB", "CLOSE", "COALESCE", "COLLATE",
    "COLLATION", "COLUMN", "COMMIT", "CONFLICT", "CONNECT", "CONNECTION", "CONSTRAINT",
    "CONSTRAINTS", "CONTINUE", "CONVERT", "CORRESPONDING", "COUNT", "CREATE", "CROSS", "CURRENT",
    "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_USER", "CURSOR", "DATE",
    "DATE_ADD", "DATE_DIFF", "DEALLOCATE", "DEC", "DECIMAL", "DECLARE", "DEFAULT", "DEFERRABLE",
    "DEFERRED", "DELETE", "DESC", "DESCRIBE", "DESCRIPTOR", "DIAGNOSTICS", "DISCONNECT", "DISTINCT",
    "DO", "DOMAIN", "DOUBLE", "DROP", "ELSE", "END", "ESCAPE", "EXCEPT", "EXCEPTION", "EXEC",
    "EXECUTE", "EXISTS", "EXTERNAL", "EXTRACT", "FALSE", "FETCH", "FIRST", "FLOAT", "FOR",
    "FOREIGN", "FOUND", "FROM", "FULL", "GET", "GLOBAL", "GO", "GOTO", "GRANT", "GROUP", "HAVING",
    "IDENTITY", "IMMEDIATE", "IN", "INDEX", "INDICATOR", "INITIALLY", "INNER", "INPUT",
    "INSENSITIVE", "INSERT", "INT", "INTEGER", "INTERSECT", "INTERVAL", "INTO", "IS", "ISOLATION",
    "JOIN", "KEY", "LANGUAGE", "LAST", "LEFT", "LET", "LEVEL", "LIKE", "LIMIT", "LIST", "LOCAL",
    "LOWER", "MATCH", "MAX", "MIN", "MISSING", "MODIFIED", "MODULE", "NAMES", "NATIONAL", "NATURAL",
    "NCHAR", "NEW", "NEXT", "NO", "NOT", "NOTHING", "NULL", "NULLIF", "NUMERIC", "OCTET_LENGTH",
    "OF", "OLD", "ON", "ONLY", "OPEN", "OPTION", "OR", "ORDER", "OUTER", "OUTPUT", "OVERLAPS",
    "PAD", "PARTIAL", "PIVOT", "POSITION", "PRECISION", "PREPARE", "PRESERVE", "PRIMARY", "PRIOR",
    "PRIVILEGES", "PROCEDURE", "PUBLIC", "READ", "REAL", "REFERENCES", "RELATIVE", "REMOVE",
    "RESTRICT", "RETURNING", "REVOKE", "RIGHT", "ROLLBACK", "ROWS", "SCHEMA", "SCROLL", "SECTION",
    "SELECT", "SESSION", "SESSION_USER", "SET", "SEXP", "SIZE", "SMALLINT", "SOME", "SPACE", "SQL",
    "SQLCODE", "SQLERROR", "SQLSTATE", "STRING", "STRUCT", "SUBSTRING", "SUM", "SYMBOL",
    "SYSTEM_USER", "TABLE", "TEMPORARY", "THEN", "TIME", "TIMESTAMP", "TO", "TRANSACTION",
    "TRANSLATE", "TRANSLATION", "TRIM", "TRUE", "TUPLE", "UNION", "UNIQUE", "UNKNOWN", "UNPIVOT",
    "UPDATE", "UPPER", "USAGE", "USER", "USING", "VALUE", "VALUES", "VARCHAR", "VARYING", "VIEW",
    "WHEN", "WHENEVER", "WHERE", "WITH", "WORK", "WRITE", "ZONE",
};
// clang-format on

static const struct {
    od_str text;
    enum od_ql_word word;
} meanings[] = {
    {OD_STR_INIT("ALL"), OD_QL_WORD_ALL},
    {OD_STR_INIT("AND"), OD_QL_WORD_AND},
    {OD_STR_INIT("AS"), OD_QL_WORD_AS},
    {OD_STR_INIT("ASC"), OD_QL_WORD_ASC},
    {OD_STR_INIT("AT"), OD_QL_WORD_AT},
    {OD_STR_INIT("BETWEEN"), OD_QL_WORD_BETWEEN},
    {OD_STR_INIT("BY"), OD_QL_WORD_BY},
    {OD_STR_INIT("CROSS"), OD_QL_WORD_JOIN},
    {OD_STR_INIT("DELETE"), OD_QL_WORD_DELETE},
    {OD_STR_INIT("DESC"), OD_QL_WORD_DESC},
    {OD_STR_INIT("DISTINCT"), OD_QL_WORD_DISTINCT},
    {OD_STR_INIT("EXISTS"), OD_QL_WORD_EXISTS},
    {OD_STR_INIT("FALSE"), OD_QL_WORD_FALSE},
    {OD_STR_INIT("FROM"), OD_QL_WORD_FROM},
    {OD_STR_INIT("FULL"), OD_QL_WORD_JOIN},
    {OD_STR_INIT("GROUP"), OD_QL_WORD_GROUP},
    {OD_STR_INIT("HAVING"), OD_QL_WORD_HAVING},
    {OD_STR_INIT("IN"), OD_QL_WORD_IN},
    {OD_STR_INIT("INNER"), OD_QL_WORD_JOIN},
    {OD_STR_INIT("INSERT"), OD_QL_WORD_INSERT},
    {OD_STR_INIT("INTO"), OD_QL_WORD_INTO},
    {OD_STR_INIT("IS"), OD_QL_WORD_IS},
    {OD_STR_INIT("JOIN"), OD_QL_WORD_JOIN},
    {OD_STR_INIT("LEFT"), OD_QL_WORD_JOIN},
    {OD_STR_INIT("LIKE"), OD_QL_WORD_LIKE},
    {OD_STR_INIT("LIMIT"), OD_QL_WORD_LIMIT},
    {OD_STR_INIT("MISSING"), OD_QL_WORD_MISSING},
    {OD_STR_INIT("MODIFIED"), OD_QL_WORD_MODIFIED},
    {OD_STR_INIT("NEW"), OD_QL_WORD_NEW},
    {OD_STR_INIT("NOT"), OD_QL_WORD_NOT},
    {OD_STR_INIT("NULL"), OD_QL_WORD_NULL},
    {OD_STR_INIT("OLD"), OD_QL_WORD_OLD},
    {OD_STR_INIT("OR"), OD_QL_WORD_OR},
    {OD_STR_INIT("ORDER"), OD_QL_WORD_ORDER},
    {OD_STR_INIT("OUTER"), OD_QL_WORD_JOIN},
    {OD_STR_INIT("REMOVE"), OD_QL_WORD_REMOVE},
    {OD_STR_INIT("RETURNING"), OD_QL_WORD_RETURNING},
    {OD_STR_INIT("RIGHT"), OD_QL_WORD_JOIN},
    {OD_STR_INIT("SELECT"), OD_QL_WORD_SELECT},
    {OD_STR_INIT("SET"), OD_QL_WORD_SET},
    {OD_STR_INIT("TRUE"), OD_QL_WORD_TRUE},
    {OD_STR_INIT("UPDATE"), OD_QL_WORD_UPDATE},
    {OD_STR_INIT("VALUE"), OD_QL_WORD_VALUE},
    {OD_STR_INIT("WHERE"), OD_QL_WORD_WHERE},
};

static const od_str function_words[] = {
    OD_STR_INIT("EXISTS"),       OD_STR_INIT("COUNT"),       OD_STR_INIT("AVG"),
    OD_STR_INIT("MAX"),          OD_STR_INIT("MIN"),         OD_STR_INIT("SUM"),
    OD_STR_INIT("SUBSTRING"),    OD_STR_INIT("CHAR_LENGTH"), OD_STR_INIT("CHARACTER_LENGTH"),
    OD_STR_INIT("OCTET_LENGTH"), OD_STR_INIT("BIT_LENGTH"),  OD_STR_INIT("UPPER"),
    OD_STR_INIT("LOWER"),        OD_STR_INIT("SIZE"),        OD_STR_INIT("NULLIF"),
    OD_STR_INIT("COALESCE"),     OD_STR_INIT("SEXP"),        OD_STR_INIT("LIST"),
    OD_STR_INIT("BAG"),
};

enum { LONGEST_WORD = 17 };

static char upper(char c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

static int compare_words(const void *key, const void *word)
{
    return strcmp(key, *(const char *const *)word);
}

static enum od_ql_word meaning_of(od_str text)
{
    for (size_t i = 0; i < OD_COUNT(meanings); i++) {
        if (od_str_eq_nocase(meanings[i].text, text)) {
            return meanings[i].word;
        }
    }
    return OD_QL_WORD_OTHER;
}

bool od_ql_is_reserved(od_str text, enum od_ql_word *word)
{
    if (text.len > LONGEST_WORD) {
        return false;
    }
    char key[LONGEST_WORD + 1] = {0};
    for (size_t i = 0; i < text.len; i++) {
        key[i] = upper(text.ptr[i]);
    }
    if (bsearch(key, words, OD_COUNT(words), sizeof(words[0]), compare_words) == NULL) {
        return false;
    }
    *word = meaning_of(text);
    return true;
}

bool od_ql_is_function_word(od_str text)
{
    for (size_t i = 0; i < OD_COUNT(function_words); i++) {
        if (od_str_eq_nocase(function_words[i], text)) {
            return true;
        }
    }
    return false;
}
