package dev.fairlead.auth.fetch;

import java.time.Duration;

/**
 * How much a fetch may take.
 *
 * @param connectTimeout for a TCP connection and for TLS
 * @param totalTimeout for everything, from resolving the host to the last byte, redirects included
 * @param maxSize of an answer, in bytes
 * @param maxRedirects that a GET follows
 */
public record FetchLimits(
        Duration connectTimeout, Duration totalTimeout, int maxSize, int maxRedirects) {
    /** 10 and 30 seconds, 256 KiB, 3 redirects. */
    public static final FetchLimits DEFAULT =
            new FetchLimits(Duration.ofSeconds(10), Duration.ofSeconds(30), 256 * 1024, 3);
}
