package dev.fairlead.server;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.protocol.base.Icon;
import dev.fairlead.protocol.engine.Pace;
import dev.fairlead.server.call.Access;
import dev.fairlead.server.features.FeatureChange;
import dev.fairlead.server.features.FeatureKind;
import dev.fairlead.server.pagination.Feature;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The common part of all declarations of features: the chain that they belong to, the callers that
 * may see and use the feature, its icons. Not thread-safe.
 *
 * @param <F> the features on which the chain continues after the declaration
 * @param <T> the feature
 * @param <D> the declaration itself
 */
abstract class Declaration<F, T extends Feature, D extends Declaration<F, T, D>> {
    private final Chain<F> chain;
    private final FeatureKind<T> kind;
    private final String subject;
    private final List<Icon> icons = new ArrayList<>();
    private final Set<String> requiredScopes = new LinkedHashSet<>();
    private Predicate<Caller> visibleTo = Access.ALL_CALLERS;
    private boolean ownThread;

    Declaration(Chain<F> chain, FeatureKind<T> kind, String name) {
        this.chain = chain;
        this.kind = kind;
        this.subject = kind.subject(name);
        chain.begin(subject);
    }

    /** Returns the feature for messages, such as {@code the tool greet}. */
    final String subject() {
        return subject;
    }

    /**
     * Returns a description that a model reads.
     *
     * @throws IllegalArgumentException if it is empty
     */
    static String requireDescription(String subject, String description, String instead) {
        if (Objects.requireNonNull(description, "description").isBlank()) {
            throw new IllegalArgumentException(subject + " has an empty description: " + instead);
        }
        return description;
    }

    /** Returns the description by which a model or person chooses a feature. */
    static String requireDescription(String subject, String description) {
        return requireDescription(
                subject, description, "say in a sentence what it does, since models choose by it");
    }

    /** Returns a description that may be left out. */
    final String descriptionIfAny(String description) {
        return requireDescription(subject, description, "leave description(…) out, or write one");
    }

    @SuppressWarnings("unchecked")
    final D self() {
        return (D) this;
    }

    /**
     * Adds an icon.
     *
     * @param src an {@code https} or {@code data} URI
     * @param mimeType the type of the image
     * @param sizes such as {@code 48x48}, or {@code any}; none for any size
     */
    public D icon(String src, String mimeType, String... sizes) {
        Icon icon = new Icon(src).withMimeType(mimeType);
        return icon(sizes.length == 0 ? icon : icon.withSizes(List.of(sizes)));
    }

    /**
     * Adds an icon.
     *
     * @throws IllegalArgumentException if its source is no {@code https} or {@code data} URI
     */
    public D icon(Icon icon) {
        if (!icon.src().startsWith("https://") && !icon.src().startsWith("data:")) {
            throw new IllegalArgumentException(
                    "the source of an icon must be an https or data URI but was " + icon.src());
        }
        icons.add(icon);
        return self();
    }

    /**
     * Hides the feature from callers that do not pass this test: it is not listed for them, and
     * using it answers as if it did not exist. Several tests must all pass. A test must be quick.
     */
    public D visibleTo(Predicate<Caller> test) {
        visibleTo = visibleTo.and(Objects.requireNonNull(test, "test"));
        return self();
    }

    /**
     * Admits only callers that have all of these scopes, and perhaps others. Others see the feature
     * in lists; when they use it, {@link InsufficientScopeException} names the scopes that it
     * requires, over HTTP in a challenge, so that their client can ask for them. That holds for
     * every use: also as a task, which then is not created, for subscriptions, and for completion.
     * Anonymous callers have no scopes. Requests that were accepted continue when a token with
     * other scopes comes. Several calls add up.
     *
     * @throws IllegalArgumentException if one is not a scope (RFC 6749, 3.3)
     * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
     *     Authorization
     */
    public D requireScopes(String... scopes) {
        for (String scope : scopes) {
            requiredScopes.add(InsufficientScopeException.requireScope(scope));
        }
        return self();
    }

    /**
     * Runs each use of the feature on a thread of its own. Unless set, the thread that reads
     * requests may run a handler whose latest runs were quick, and is replaced if the handler takes
     * longer than expected. Set it if the handler leaves values in thread-locals that a later call
     * must not see. {@link McpServer.Builder#ownThread} sets it for all features.
     */
    public D ownThread() {
        ownThread = true;
        return self();
    }

    /** Returns the pace of a feature that has not run yet; null if it gets threads of its own. */
    final @Nullable Pace pace() {
        return ownThread ? null : new Pace(subject);
    }

    final Access access() {
        return new Access(
                visibleTo, Collections.unmodifiableSet(new LinkedHashSet<>(requiredScopes)));
    }

    final @Nullable List<Icon> icons(@Nullable List<Icon> before) {
        if (icons.isEmpty()) {
            return before;
        }
        List<Icon> all = new ArrayList<>(before == null ? List.of() : before);
        all.addAll(icons);
        return all;
    }

    /** Ends the declaration. */
    final F add(T feature) {
        return chain.end(FeatureChange.add(kind, feature));
    }
}
