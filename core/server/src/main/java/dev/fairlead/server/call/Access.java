package dev.fairlead.server.call;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.InsufficientScopeException;

import java.util.Set;
import java.util.function.Predicate;

/**
 * Which callers may see a feature, and which may use it.
 *
 * @param visibleTo from whom it is not hidden
 * @param requiredScopes all that its use requires, in the order of the author
 */
public record Access(Predicate<Caller> visibleTo, Set<String> requiredScopes) {
    /** The predicate of a feature that is hidden from no caller. */
    public static final Predicate<Caller> ALL_CALLERS = caller -> true;

    public static final Access ALL = new Access(ALL_CALLERS, Set.of());

    /** Returns whether the feature may be hidden from some callers. */
    public boolean isFiltered() {
        return visibleTo != ALL_CALLERS;
    }

    public boolean isVisibleTo(Caller caller) {
        return visibleTo.test(caller);
    }

    /** Returns whether a caller has the required scopes. */
    public boolean admits(Caller caller) {
        return caller.scopes().containsAll(requiredScopes);
    }

    /**
     * Admits a caller to whom the feature is visible.
     *
     * @throws InsufficientScopeException if it lacks a scope
     */
    public void admit(Caller caller) {
        if (!admits(caller)) {
            throw new InsufficientScopeException(requiredScopes);
        }
    }
}
