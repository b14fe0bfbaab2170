#include "http/http_internal.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct {
    int err;
    const char *advice;
} advices[] = {
    {EADDRINUSE, "another program listens there; stop it, or choose another port"},
    {EACCES, "not permitted; choose a port above 1023"},
    {EPERM, "not permitted; choose a port above 1023"},
    {EADDRNOTAVAIL, "no such address on this machine; choose one of its own, 127.0.0.1 or 0.0.0.0"},
    {EMFILE, "too many open files; raise the limit (ulimit -n)"},
    {EAFNOSUPPORT, "this machine has no such kind of address; try 127.0.0.1 or 0.0.0.0"},
};

static const char *advice_for(int err)
{
    for (size_t i = 0; i < OD_COUNT(advices); i++) {
        if (advices[i].err == err) {
            return advices[i].advice;
        }
    }
    return strerror(err); // NOLINT(concurrency-mt-unsafe): at start, before there are threads
}

static bool parse_address(const char *host, uint16_t port, struct sockaddr_storage *out)
{
    return uv_ip4_addr(host, port, (struct sockaddr_in *)out) == 0 ||
           uv_ip6_addr(host, port, (struct sockaddr_in6 *)out) == 0;
}

static bool set_option(int fd, int level, int name)
{
    int on = 1;
    return setsockopt(fd, level, name, &on, sizeof(on)) == 0;
}

// The first socket is bound without SO_REUSEPORT, which fails when anyone else is there, and only
// then made to share. Had it that from the beginning, a second server of the same user would
// quietly take half of the first one's connections.
static bool bind_and_listen(int fd, const struct sockaddr_storage *address, bool shared)
{
    socklen_t size = address->ss_family == AF_INET ? (socklen_t)sizeof(struct sockaddr_in)
                                                   : (socklen_t)sizeof(struct sockaddr_in6);
    if (!set_option(fd, SOL_SOCKET, SO_REUSEADDR) ||
        (shared && !set_option(fd, SOL_SOCKET, SO_REUSEPORT))) {
        return false;
    }
    if (bind(fd, (const struct sockaddr *)address, size) != 0) {
        return false;
    }
    // Connections inherit TCP_NODELAY from here, which saves a call for each.
    return set_option(fd, SOL_SOCKET, SO_REUSEPORT) && set_option(fd, IPPROTO_TCP, TCP_NODELAY) &&
           listen(fd, SOMAXCONN) == 0;
}

od_status od_http_listen(od_ctx *cx, const char *host, uint16_t port, bool shared, int *out)
{
    struct sockaddr_storage address = {0};
    if (!parse_address(host, port, &address)) {
        return OD_FAIL(cx, OD_INTERNAL,
                       "cannot listen on %s: it is no IPv4 or IPv6 address; use 127.0.0.1 for this "
                       "machine alone, or 0.0.0.0 for all networks",
                       host);
    }
    int fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || !bind_and_listen(fd, &address, shared)) {
        int err = errno;
        if (fd >= 0) {
            close(fd);
        }
        return OD_FAIL(cx, OD_INTERNAL, "cannot listen on %s port %u: %s", host, (unsigned)port,
                       advice_for(err));
    }
    *out = fd;
    return OD_OK;
}
