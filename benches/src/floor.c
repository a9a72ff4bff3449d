// The floor: an epoll loop that answers every request head with the same bytes, or with one of several at random. What no server can be faster than on this kernel.
// floor PORT ANSWERS-FILE [LENGTH...]
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 65536, ROOM = 16384 };
// How many bytes of the answer are still to be sent on each connection, and where it ends.
static size_t left[MOST];
static char *end[MOST];
// Where each answer ends.
static char *ends[MOST];
static size_t lengths[MOST];

static unsigned long long next(void) {
    static unsigned long long number = 1;
    number ^= number << 13;
    number ^= number >> 7;
    number ^= number << 17;
    return number;
}

int main(int count, char **arguments) {
    if (count < 3 || count - 3 > MOST) return 2;
    signal(SIGPIPE, SIG_IGN);
    int file = open(arguments[2], O_RDONLY);
    struct stat stat;
    if (file < 0 || fstat(file, &stat) < 0) return 3;
    size_t length = stat.st_size, got = 0;
    char *answer = malloc(length);
    for (ssize_t part; got < length && (part = read(file, answer + got, length - got)) > 0;) got += part;
    int answers = count > 3 ? count - 3 : 1;
    char *last = answer;
    for (int at = 0; at < answers; at++) {
        lengths[at] = count > 3 ? strtoul(arguments[at + 3], NULL, 10) : length;
        last = ends[at] = last + lengths[at];
    }
    if (last != answer + length) return 3;
    int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(arguments[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 1024) < 0) return 3;
    int poll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    static char room[ROOM];
    for (;;) {
        int ready = epoll_wait(poll, events, 256, -1);
        for (int at = 0; at < ready; at++) {
            int socket = events[at].data.fd;
            if (socket == listener) {
                for (int next; (next = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0;) {
                    if (next >= MOST) { close(next); continue; }
                    setsockopt(next, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                    left[next] = 0;
                    event = (struct epoll_event){.events = EPOLLIN, .data.fd = next};
                    epoll_ctl(poll, EPOLL_CTL_ADD, next, &event);
                }
                continue;
            }
            if (left[socket] == 0) {
                ssize_t read_now = read(socket, room, ROOM);
                if (read_now <= 0) { close(socket); continue; }
                // One request at a time, in one piece: what the load generator sends.
                if (read_now < 4 || memcmp(room + read_now - 4, "\r\n\r\n", 4)) continue;
                int chosen = answers > 1 ? next() % answers : 0;
                left[socket] = lengths[chosen];
                end[socket] = ends[chosen];
            }
            ssize_t sent = write(socket, end[socket] - left[socket], left[socket]);
            if (sent < 0 && errno != EAGAIN) { close(socket); continue; }
            if (sent > 0) left[socket] -= sent;
            unsigned wanted = left[socket] ? EPOLLOUT : EPOLLIN;
            if (wanted != events[at].events) {
                event = (struct epoll_event){.events = wanted, .data.fd = socket};
                epoll_ctl(poll, EPOLL_CTL_MOD, socket, &event);
            }
        }
    }
}
