// Memory that was freed, and that the allocator keeps for the next requests.
#ifndef OD_SERVER_TRIM_H
#define OD_SERVER_TRIM_H

// Gives it back to the system when it is much: after a burst of large answers it may be a GB. To be
// called by one thread, now and then. (An allocator that gives all back at once costs a large
// answer thrice its time: each page of it is a fault.)
void od_server_trim(void);

#endif
