#ifndef PULSE_CURL_SHIM_H
#define PULSE_CURL_SHIM_H

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

/* curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call: one function for each type of
   argument that the project passes. */

static inline CURLcode pulse_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode pulse_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

/* "Strings passed to libcurl as char * arguments, are copied by the library" (curl_easy_setopt.3). */
static inline CURLcode pulse_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/* CURLOPT_WRITEDATA, CURLOPT_ERRORBUFFER: not copied, they must outlive the transfer. */
static inline CURLcode pulse_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode pulse_curl_set_callback(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}

/* Asked before each connection, with the address that a name was resolved to; CURL_SOCKET_BAD refuses it. */
static inline CURLcode pulse_curl_set_socket_opener(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

/* What libcurl does by itself, and closed in the programs that are started meanwhile. */
static inline curl_socket_t pulse_curl_open_socket(const struct curl_sockaddr *address) {
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    int descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

static inline curl_socket_t pulse_curl_no_socket(void) { return CURL_SOCKET_BAD; }

/* The bytes of an IP address and their number, 4 or 16; 0 for other families. `addr` is longer than its type says:
   libcurl has room for the largest behind it. */
static inline int pulse_curl_address_bytes(const struct curl_sockaddr *address, const void **bytes) {
    switch (address->family) {
    case AF_INET: *bytes = &((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr; return 4;
    case AF_INET6: *bytes = &((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr; return 16;
    default: return 0;
    }
}

/* Whether there is a way out of this machine, for the routes of an address of documentation (RFC 5737, RFC 3849) are
   those of every other one. Connecting sends nothing here. */
static inline bool pulse_has_route(void) {
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(443)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(443)};
    inet_pton(AF_INET, "192.0.2.1", &four.sin_addr);
    inet_pton(AF_INET6, "2001:db8::1", &six.sin6_addr);
    const struct sockaddr *addresses[] = {(const struct sockaddr *)&four, (const struct sockaddr *)&six};
    const socklen_t sizes[] = {sizeof four, sizeof six};
    for (int index = 0; index < 2; index++) {
        int descriptor = socket(addresses[index]->sa_family, SOCK_DGRAM, 0);
        if (descriptor < 0) continue;
        bool has_route = connect(descriptor, addresses[index], sizes[index]) == 0;
        close(descriptor);
        if (has_route) return true;
    }
    return false;
}

/* Redirects may hold spaces and letters that should have been escaped (CURLU_ALLOW_SPACE since 7.78.0). */
static inline unsigned int pulse_curl_lenient_url(void) {
#ifdef CURLU_ALLOW_SPACE
    return CURLU_URLENCODE | CURLU_ALLOW_SPACE;
#else
    return CURLU_URLENCODE;
#endif
}

/* Only what the web speaks; libcurl would also read file:, ftp: and a dozen more. */
static inline void pulse_curl_set_protocols(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/* Lets a cancelled transfer leave a host name that is still being looked up to its own thread, instead of waiting
   for the answer (CURLOPT_QUICK_EXIT.3, since 7.87.0; older libraries wait). */
static inline void pulse_curl_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
#endif
}

/* -1 where libcurl does not know. */
static inline curl_off_t pulse_curl_get_offset(CURL *easy, CURLINFO info) {
    curl_off_t value = -1;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : -1;
}

#endif
