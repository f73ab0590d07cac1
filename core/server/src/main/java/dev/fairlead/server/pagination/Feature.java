package dev.fairlead.server.pagination;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.engine.Pace;
import dev.fairlead.server.call.Access;

import org.jspecify.annotations.Nullable;

/** A declared feature as it stands in the catalog of its kind. */
public interface Feature {
    /** Returns the name or URI under which clients use the feature. */
    String name();

    /** Returns which callers may see and use the feature: all of them by default. */
    default Access access() {
        return Access.ALL;
    }

    /**
     * Returns the pace that decides whether the reading thread may run the feature; null if it may
     * not.
     */
    default @Nullable Pace pace() {
        return null;
    }

    default boolean isVisibleTo(Caller caller) {
        return access().isVisibleTo(caller);
    }
}
