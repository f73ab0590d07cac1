package dev.fairlead.http.blocking;

import org.jspecify.annotations.Nullable;

/**
 * A proxy on the way to a server.
 *
 * @param host name or address, without brackets
 * @param authorization value of {@code Proxy-Authorization}; null for none
 */
public record Via(String host, int port, @Nullable String authorization) {}
