package dev.fairlead.client;

import dev.fairlead.client.internal.Given;
import dev.fairlead.protocol.roots.Root;

import java.net.URI;
import java.util.Arrays;
import java.util.List;

/** The rules for roots. */
final class Roots {
    private Roots() {}

    /** The roots that a handler returns, checked. */
    static List<Root> of(RootsHandler handler) throws Exception {
        return checked(Given.by("the roots handler", handler.roots()));
    }

    /**
     * Returns these roots, after a check that all are {@code file} URIs whose paths do not climb
     * up.
     *
     * @throws IllegalArgumentException if one has another scheme, or a path that climbs up
     */
    static List<Root> checked(List<Root> roots) {
        roots.forEach(root -> check(root.uri()));
        return List.copyOf(roots);
    }

    private static void check(String text) {
        URI uri = URI.create(text);
        if (!"file".equalsIgnoreCase(uri.getScheme()) || uri.getPath() == null) {
            throw new IllegalArgumentException(
                    "a root must be a file:// URI with a path but was " + text);
        }
        // getPath() has decoded %2e and %2f
        if (Arrays.asList(uri.getPath().split("/")).contains("..")) {
            throw new IllegalArgumentException("a root must not climb up by .. but was " + text);
        }
    }
}
