// contract_test STORE [faults]: the suite on one store, or on it through the store that can fail.
#include "contract.h"

#include <stdio.h>
#include <string.h>

// Not cmocka_run_group_tests: that takes an array of this function alone.
static int run(const char *name, const struct CMUnitTest *tests, size_t count)
{
    return _cmocka_run_group_tests(name, tests, count, NULL, NULL);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: contract_test STORE [faults]\n", stderr);
        return 2;
    }
    contract_choose(argv[1], argc > 2 && strcmp(argv[2], "faults") == 0);
    int failed = run("reads", contract_read_tests, contract_read_test_count);
    failed += run("commits", contract_commit_tests, contract_commit_test_count);
    failed += run("model", contract_model_tests, contract_model_test_count);
    failed += run("threads", contract_thread_tests, contract_thread_test_count);
    return failed > 0;
}
