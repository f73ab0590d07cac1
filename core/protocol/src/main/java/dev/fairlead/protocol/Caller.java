package dev.fairlead.protocol;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The caller of a request: a principal that an authorization server vouched for, or an anonymous
 * peer. Two callers are equal if all their properties but {@link #validUntil} are.
 */
public final class Caller {
    private static final Caller ANONYMOUS = new Caller(null, null, null, Set.of(), null);

    private final @Nullable String issuer;
    private final @Nullable String subject;
    private final @Nullable String client;
    private final Set<String> scopes;
    private final @Nullable Instant validUntil;

    private Caller(
            @Nullable String issuer,
            @Nullable String subject,
            @Nullable String client,
            Set<String> scopes,
            @Nullable Instant validUntil) {
        this.issuer = issuer;
        this.subject = subject;
        this.client = client;
        this.scopes = Set.copyOf(scopes);
        this.validUntil = validUntil;
    }

    /** Returns the unknown caller: over stdio, in memory, and over HTTP without authorization. */
    public static Caller anonymous() {
        return ANONYMOUS;
    }

    /** Returns a caller whose token was accepted. */
    public static Caller of(
            String issuer, String subject, @Nullable String client, Set<String> scopes) {
        return new Caller(
                Objects.requireNonNull(issuer, "issuer"),
                Objects.requireNonNull(subject, "subject"),
                client,
                scopes,
                null);
    }

    /**
     * Returns a copy whose token is valid until a moment. A stream of {@code subscriptions/listen}
     * that this caller opens ends then.
     */
    public Caller withValidUntil(Instant moment) {
        return new Caller(
                issuer, subject, client, scopes, Objects.requireNonNull(moment, "moment"));
    }

    /**
     * Returns whether this is the same principal, with the same client: a new token of theirs may
     * have other scopes. All anonymous callers are the same.
     */
    public boolean isSame(Caller other) {
        return Objects.equals(issuer, other.issuer)
                && Objects.equals(subject, other.subject)
                && Objects.equals(client, other.client);
    }

    public boolean isAnonymous() {
        return subject == null;
    }

    /**
     * Returns the subject, unique at its {@link #issuer}.
     *
     * @throws IllegalStateException if the caller is anonymous
     */
    public String subject() {
        return known(subject);
    }

    /**
     * Returns the authorization server of the subject.
     *
     * @throws IllegalStateException if the caller is anonymous
     */
    public String issuer() {
        return known(issuer);
    }

    private static String known(@Nullable String value) {
        if (value == null) {
            throw new IllegalStateException("the caller is anonymous");
        }
        return value;
    }

    /** Returns the client that acts for the subject; empty if the token does not name it. */
    public Optional<String> client() {
        return Optional.ofNullable(client);
    }

    /** Returns until when the token of this caller is valid; empty if that is unknown. */
    public Optional<Instant> validUntil() {
        return Optional.ofNullable(validUntil);
    }

    public Set<String> scopes() {
        return scopes;
    }

    public boolean hasScope(String scope) {
        return scopes.contains(scope);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Caller caller
                && Objects.equals(issuer, caller.issuer)
                && Objects.equals(subject, caller.subject)
                && Objects.equals(client, caller.client)
                && scopes.equals(caller.scopes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(issuer, subject, client, scopes);
    }

    @Override
    public String toString() {
        return isAnonymous() ? "anonymous" : subject + "@" + issuer;
    }
}
