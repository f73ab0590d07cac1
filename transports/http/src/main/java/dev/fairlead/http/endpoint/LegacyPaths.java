package dev.fairlead.http.endpoint;

/**
 * The paths for old clients.
 *
 * @param events a GET here opens the stream of events
 * @param messages they are posted to here
 */
public record LegacyPaths(String events, String messages) {
    /** Relative to the path of the MCP endpoint. */
    public static final LegacyPaths DEFAULT = new LegacyPaths("sse", "messages");

    public LegacyPaths {
        checkDistinct(events, messages);
    }

    /**
     * These paths where they are absolute, else those next to the path of the MCP endpoint.
     *
     * @throws IllegalArgumentException if one of them is that path
     */
    public LegacyPaths nextTo(String path) {
        LegacyPaths resolved = new LegacyPaths(resolve(path, events), resolve(path, messages));
        checkDistinct(path, resolved.events);
        checkDistinct(path, resolved.messages);
        return resolved;
    }

    private static String resolve(String path, String reference) {
        return reference.startsWith("/")
                ? reference
                : path.substring(0, path.lastIndexOf('/') + 1) + reference;
    }

    private static void checkDistinct(String path, String other) {
        if (path.equals(other)) {
            throw new IllegalArgumentException(
                    "the paths of HTTP+SSE and of MCP must differ but one is there twice: " + path);
        }
    }
}
