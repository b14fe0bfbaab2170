// Directories of the tests' own, below the build directory.
#ifndef OD_TESTS_TEMP_DIR_H
#define OD_TESTS_TEMP_DIR_H

// A new directory, below TEST_DIR of the environment or the current one. To be freed.
char *temp_dir_create(void);
// With all that is in it.
void temp_dir_remove(const char *dir);

#endif
