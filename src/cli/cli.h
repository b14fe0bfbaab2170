// Commands of the `ordna` program. Each takes its own name and arguments, and returns the exit
// code: 0, 1 when it failed, 2 when it was called wrongly.
#ifndef OD_CLI_CLI_H
#define OD_CLI_CLI_H

int od_cli_serve(int argc, char **argv);
int od_cli_gen(int argc, char **argv);

#endif
