#include "peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_REQUEST = 256 * 1024 };

struct peer {
    int listener;
    int port;
    SSL_CTX *tls;
    struct peer_step steps[PEER_MAX_STEPS];
    size_t step_count;
    pthread_t thread;

    pthread_mutex_t lock; // of what follows
    pthread_cond_t changed;
    int current; // the connection's socket; -1
    bool stopping;
    int requests;
    int connections;
    int closed;
    char last[MAX_REQUEST + 1];
};

struct connection {
    int fd;
    SSL *tls; // NULL: plain
};

static void must(bool done, const char *what)
{
    if (!done) {
        perror(what);
        abort();
    }
}

// --- Bytes --------------------------------------------------------------------------------------

static ssize_t receive(const struct connection *c, char *out, size_t room)
{
    return c->tls == NULL ? recv(c->fd, out, room, 0) : SSL_read(c->tls, out, (int)room);
}

static bool transmit(const struct connection *c, const char *bytes, size_t len)
{
    while (len > 0) {
        const ssize_t sent = c->tls == NULL ? send(c->fd, bytes, len, MSG_NOSIGNAL)
                                            : SSL_write(c->tls, bytes, (int)len);
        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        len -= (size_t)sent;
    }
    return true;
}

static size_t body_len(const char *head)
{
    const char *field = strcasestr(head, "\r\nContent-Length:");
    return field == NULL ? 0 : strtoul(strchr(field, ':') + 1, NULL, 10);
}

// Reads a request and drops what does not fit. False when the client is gone.
static bool read_request(const struct connection *c, bool no_body, char *text)
{
    size_t len = 0;
    size_t want = 0; // of the body, once the head is there
    size_t dropped = 0;
    for (;;) {
        char spill[65536];
        const bool full = len == MAX_REQUEST;
        const ssize_t got =
            full ? receive(c, spill, sizeof(spill)) : receive(c, text + len, MAX_REQUEST - len);
        if (got <= 0) {
            return false;
        }
        len += full ? 0 : (size_t)got;
        dropped += full ? (size_t)got : 0;
        text[len] = '\0';
        const char *end = strstr(text, "\r\n\r\n");
        if (end != NULL) {
            want = (size_t)(end - text) + 4 + (no_body ? 0 : body_len(text));
        }
        if (end != NULL && len + dropped >= want) {
            return true;
        }
    }
}

// --- Connections --------------------------------------------------------------------------------

static struct peer_step note_request(struct peer *peer, const char *text)
{
    pthread_mutex_lock(&peer->lock);
    memcpy(peer->last, text, strlen(text) + 1);
    const size_t at = (size_t)peer->requests++;
    pthread_cond_broadcast(&peer->changed);
    pthread_mutex_unlock(&peer->lock);
    return peer->steps[at < peer->step_count ? at : peer->step_count - 1];
}

static bool answer(const struct connection *c, const struct peer_step *step)
{
    const size_t len = step->answer == NULL ? 0 : strlen(step->answer);
    for (int i = 0; i <= step->repeat; i++) {
        if (!transmit(c, step->answer, len)) {
            return false;
        }
    }
    return true;
}

static void drain(const struct connection *c)
{
    char bytes[4096];
    while (receive(c, bytes, sizeof(bytes)) > 0) {
    }
}

static void serve(struct peer *peer, const struct connection *c, char *text)
{
    bool no_body = peer->steps[0].no_body_read;
    while (read_request(c, no_body, text)) {
        const struct peer_step step = note_request(peer, text);
        if (!answer(c, &step) || step.end == PEER_CLOSE) {
            return;
        }
        if (step.end == PEER_HANG) {
            drain(c);
            return;
        }
    }
}

static void open_connection(struct peer *peer, int fd)
{
    pthread_mutex_lock(&peer->lock);
    peer->current = fd;
    peer->connections++;
    pthread_mutex_unlock(&peer->lock);
}

static void close_connection(struct peer *peer, int fd)
{
    pthread_mutex_lock(&peer->lock);
    peer->current = -1;
    close(fd);
    peer->closed++;
    pthread_cond_broadcast(&peer->changed);
    pthread_mutex_unlock(&peer->lock);
}

static void handle(struct peer *peer, int fd, char *text)
{
    struct connection c = {.fd = fd};
    if (peer->tls != NULL) {
        c.tls = SSL_new(peer->tls);
        must(c.tls != NULL && SSL_set_fd(c.tls, fd) == 1, "SSL_new");
    }
    if (c.tls == NULL || SSL_accept(c.tls) == 1) {
        serve(peer, &c, text);
    }
    SSL_free(c.tls);
}

static bool is_stopping(struct peer *peer)
{
    pthread_mutex_lock(&peer->lock);
    const bool stopping = peer->stopping;
    pthread_mutex_unlock(&peer->lock);
    return stopping;
}

static void *run(void *arg)
{
    struct peer *peer = arg;
    // OpenSSL writes to connections that are gone. The client's threads have no such mask.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, NULL);
    char *text = malloc(MAX_REQUEST + 1);
    must(text != NULL, "malloc");
    while (!is_stopping(peer)) {
        const int fd = accept(peer->listener, NULL, NULL);
        if (fd < 0) {
            break;
        }
        open_connection(peer, fd);
        handle(peer, fd, text);
        close_connection(peer, fd);
    }
    free(text);
    return NULL;
}

// --- Life ---------------------------------------------------------------------------------------

static int listen_anywhere(int *port)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    must(fd >= 0 && bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, 8) == 0 &&
             getsockname(fd, (struct sockaddr *)&address, &size) == 0,
         "listen");
    *port = ntohs(address.sin_port);
    return fd;
}

static SSL_CTX *load_tls(const char *pem)
{
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());
    must(tls != NULL && SSL_CTX_use_certificate_file(tls, pem, SSL_FILETYPE_PEM) == 1 &&
             SSL_CTX_use_PrivateKey_file(tls, pem, SSL_FILETYPE_PEM) == 1,
         "certificate");
    return tls;
}

struct peer *peer_start(const struct peer_step *steps, size_t count, const char *pem)
{
    struct peer *peer = calloc(1, sizeof(*peer));
    must(peer != NULL && count > 0 && count <= PEER_MAX_STEPS, "peer_start");
    memcpy(peer->steps, steps, count * sizeof(*steps));
    peer->step_count = count;
    peer->current = -1;
    peer->tls = pem == NULL ? NULL : load_tls(pem);
    pthread_mutex_init(&peer->lock, NULL);
    pthread_cond_init(&peer->changed, NULL);
    peer->listener = listen_anywhere(&peer->port);
    must(pthread_create(&peer->thread, NULL, run, peer) == 0, "pthread_create");
    return peer;
}

void peer_stop(struct peer *peer)
{
    pthread_mutex_lock(&peer->lock);
    peer->stopping = true;
    if (peer->current >= 0) {
        shutdown(peer->current, SHUT_RDWR);
    }
    pthread_mutex_unlock(&peer->lock);
    shutdown(peer->listener, SHUT_RDWR);
    pthread_join(peer->thread, NULL);
    close(peer->listener);
    SSL_CTX_free(peer->tls);
    pthread_cond_destroy(&peer->changed);
    pthread_mutex_destroy(&peer->lock);
    free(peer);
}

int peer_port(const struct peer *peer)
{
    return peer->port;
}

static int read_count(struct peer *peer, const int *count)
{
    pthread_mutex_lock(&peer->lock);
    const int now = *count;
    pthread_mutex_unlock(&peer->lock);
    return now;
}

int peer_requests(struct peer *peer)
{
    return read_count(peer, &peer->requests);
}

int peer_connections(struct peer *peer)
{
    return read_count(peer, &peer->connections);
}

const char *peer_last_request(struct peer *peer)
{
    (void)read_count(peer, &peer->requests);
    return peer->last;
}

static void await(struct peer *peer, const int *count, int least)
{
    pthread_mutex_lock(&peer->lock);
    while (*count < least) {
        pthread_cond_wait(&peer->changed, &peer->lock);
    }
    pthread_mutex_unlock(&peer->lock);
}

void peer_await_request(struct peer *peer, int count)
{
    await(peer, &peer->requests, count);
}

void peer_await_close(struct peer *peer, int count)
{
    await(peer, &peer->closed, count);
}

int peer_free_port(void)
{
    int port = 0;
    close(listen_anywhere(&port));
    return port;
}
