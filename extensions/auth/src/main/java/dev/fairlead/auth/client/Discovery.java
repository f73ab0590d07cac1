package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.Deadline;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.http.client.Challenge;

import org.jspecify.annotations.Nullable;

import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Determines the resource, the issuer and the scopes of a login. */
final class Discovery {
    /** How long one document may take, redirects included. */
    static final Duration DOCUMENT = Duration.ofSeconds(10);

    /** How long all documents of a server and its issuer may take together. */
    static final Duration ALL = Duration.ofSeconds(30);

    private final Fetch fetch;
    private final Choice choice;
    private final Supplier<Deadline> deadlines;

    /**
     * The choices of the application.
     *
     * @param issuer that alone is to be used
     * @param choose one of several issuers
     * @param scopes in the place of all that a server has
     * @param additionalScopes in any case
     * @param defaultPlaces whether a server without any metadata is taken for one of 2025-03-26
     */
    record Choice(
            @Nullable String issuer,
            Function<List<String>, String> choose,
            Scopes scopes,
            Scopes additionalScopes,
            boolean defaultPlaces) {}

    Discovery(Fetch fetch, Choice choice) {
        this(fetch, choice, () -> Deadline.of(DOCUMENT, ALL));
    }

    /** Creates a discovery with other deadlines, for tests. */
    Discovery(Fetch fetch, Choice choice, Supplier<Deadline> deadlines) {
        this.deadlines = deadlines;
        this.fetch = fetch;
        this.choice = choice;
    }

    /**
     * @param asked scopes of the challenge, which are authoritative
     * @param granted scopes of the login so far, which are asked for again
     */
    Terms terms(URI server, Optional<Challenge> challenge, Scopes asked, Scopes granted)
            throws InterruptedIOException {
        MetadataSearch search = new MetadataSearch(fetch, deadlines.get());
        Optional<ProtectedResource> resource =
                new ResourceDiscovery(search).find(server, challenge);
        List<String> issuers = resource.map(ProtectedResource::issuers).orElse(List.of());
        AuthorizationServer issuer =
                issuers.isEmpty() ? guessed(server, search) : named(issuers, search);
        return new Terms(
                resource.map(ProtectedResource::resource).orElseGet(() -> Urls.canonical(server)),
                issuer,
                granted.with(scopes(asked, resource)).with(choice.additionalScopes));
    }

    /** Returns the scopes of the challenge, else those configured, else those of the metadata. */
    private Scopes scopes(Scopes asked, Optional<ProtectedResource> resource) {
        if (!asked.isEmpty()) {
            return asked;
        }
        return choice.scopes.isEmpty()
                ? resource.map(ProtectedResource::scopes).orElse(Scopes.NONE)
                : choice.scopes;
    }

    private AuthorizationServer named(List<String> issuers, MetadataSearch search)
            throws InterruptedIOException {
        String wanted = choice.issuer;
        if (wanted != null && issuers.stream().noneMatch(name -> Urls.isIssuer(wanted, name))) {
            throw new AuthorizationException(
                    "the server does not name the issuer that was configured for it: it names "
                            + PlainText.of(String.join(", ", issuers))
                            + ", not "
                            + wanted);
        }
        String issuer = wanted == null ? choice.choose.apply(issuers) : wanted;
        return new ServerDiscovery(search)
                .find(issuer)
                .orElseThrow(
                        () ->
                                new AuthorizationException(
                                        "the metadata of the authorization server "
                                                + PlainText.of(issuer)
                                                + " was not found: "
                                                + search));
    }

    /** Returns the issuer of a server whose metadata names none. */
    private AuthorizationServer guessed(URI server, MetadataSearch search)
            throws InterruptedIOException {
        String wanted = choice.issuer;
        String issuer = wanted == null ? choice.choose.apply(List.of(Urls.origin(server))) : wanted;
        Optional<AuthorizationServer> found = new ServerDiscovery(search).find(issuer);
        if (found.isPresent()) {
            return found.get();
        }
        if (wanted == null && choice.defaultPlaces && !search.hasFailed()) {
            return AuthorizationServer.atDefaultPlaces(issuer);
        }
        throw new AuthorizationException(
                "the server requires authorization, but "
                        + (search.hasFailed()
                                ? "its metadata could not be fetched: "
                                : "neither it nor its origin names an authorization server: ")
                        + search);
    }
}
