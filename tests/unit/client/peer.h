// A server on 127.0.0.1 that plays a script: one connection after the other, and for each request
// that arrives on it one step.
#ifndef OD_TESTS_CLIENT_PEER_H
#define OD_TESTS_CLIENT_PEER_H

#include <stdbool.h>
#include <stddef.h>

enum peer_end {
    PEER_KEEP,  // the connection stays for the next request
    PEER_CLOSE, // it is closed
    PEER_HANG,  // nothing more comes until the client goes
};

struct peer_step {
    const char *answer; // NULL: none
    enum peer_end end;
    int repeat;        // the answer is written so many times more
    bool no_body_read; // the request's body is left unread
};

struct peer;

enum { PEER_MAX_STEPS = 8 };

// The last step is played for ever. `pem` is a file with a certificate and its key for TLS, or
// NULL.
struct peer *peer_start(const struct peer_step *steps, size_t count, const char *pem);
void peer_stop(struct peer *peer);

int peer_port(const struct peer *peer);
int peer_requests(struct peer *peer);    // that arrived whole, as far as they were read
int peer_connections(struct peer *peer); // that were accepted
// The head and the body of the last request. For as long as the peer is.
const char *peer_last_request(struct peer *peer);
void peer_await_request(struct peer *peer, int count); // until so many have arrived
void peer_await_close(struct peer *peer, int count);   // until so many connections are closed

// A port of 127.0.0.1 that nobody listens on.
int peer_free_port(void);

// Writes a new certificate for `name` ("IP:127.0.0.1", "DNS:example.com") and its key to `path`.
void peer_make_certificate(const char *name, const char *path);

#endif
