package dev.fairlead.protocol.changes;

import java.util.Locale;
import java.util.Objects;

/** A change that clients are notified of if they subscribed to it. */
public sealed interface Change {
    /** A list has changed. */
    record OfList(ListKind kind) implements Change {
        public OfList {
            Objects.requireNonNull(kind, "kind");
        }
    }

    /** The contents of a resource have changed. */
    record OfResource(String uri) implements Change {
        public OfResource {
            Objects.requireNonNull(uri, "uri");
        }
    }

    /** Returns the change as a text to send to other nodes, which {@link #parse} reads. */
    default String text() {
        return switch (this) {
            case OfList list -> "list " + list.kind().name().toLowerCase(Locale.ROOT);
            case OfResource resource -> "resource " + resource.uri();
        };
    }

    /**
     * Reads a change written by {@link #text}.
     *
     * @throws IllegalArgumentException if it is something else, such as a change that only a newer
     *     version of this library knows
     */
    static Change parse(String text) {
        int space = text.indexOf(' ');
        String what = text.substring(space + 1);
        return switch (text.substring(0, Math.max(0, space))) {
            case "list" -> new OfList(ListKind.valueOf(what.toUpperCase(Locale.ROOT)));
            case "resource" -> new OfResource(what);
            default -> throw new IllegalArgumentException("not a change: " + text);
        };
    }
}
