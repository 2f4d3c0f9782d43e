#ifndef PULSE_CURL_SHIM_H
#define PULSE_CURL_SHIM_H

#include <curl/curl.h>

/* curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call: one function for each type of
   argument that the project passes. */

static inline CURLcode pulse_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/* "Strings passed to libcurl as char * arguments, are copied by the library" (curl_easy_setopt.3). */
static inline CURLcode pulse_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/* CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_ERRORBUFFER: not copied, they must outlive the transfer. */
static inline CURLcode pulse_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

/* CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION, which share one signature. */
static inline CURLcode pulse_curl_set_callback(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}

/* Only what the web speaks; libcurl would also read file:, ftp: and a dozen more. */
static inline CURLcode pulse_curl_set_web_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
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

/* "" when the last response was no redirect. The string lives until the handle's next use. */
static inline const char *pulse_curl_redirect_url(CURL *easy) {
    char *url = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &url) != CURLE_OK || url == NULL) return "";
    return url;
}

#endif
