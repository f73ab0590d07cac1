package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;

import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.FetchLimits;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.http.client.Challenge;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

class DiscoveryTest {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Map<String, JsonObject> documents = new ConcurrentHashMap<>();
    private volatile int elsewhere = 404; // the status of what is not there
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    String path = exchange.getRequestURI().getPath();
                    asked.add(path);
                    JsonObject document = documents.get(path);
                    byte[] body = String.valueOf(document).getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(document == null ? elsewhere : 200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String origin() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    private URI mcp() {
        return URI.create(origin() + "/mcp");
    }

    private Discovery discovery(Scopes scopes, boolean defaultPlaces) {
        return new Discovery(
                new Fetch(UrlPolicy.loopbackAllowed(), FetchLimits.DEFAULT),
                new Discovery.Choice(null, List::getFirst, scopes, Scopes.NONE, defaultPlaces));
    }

    private Terms terms(Optional<Challenge> challenge) throws IOException {
        return discovery(Scopes.NONE, false)
                .terms(
                        mcp(),
                        challenge,
                        challenge.map(Scopes::asked).orElse(Scopes.NONE),
                        Scopes.NONE);
    }

    private void resourceAt(String path, String issuerPath, String... scopes) {
        documents.put(
                path,
                JsonObject.of(
                        "resource",
                        mcp().toString(),
                        "authorization_servers",
                        JsonArray.of(origin() + issuerPath),
                        "scopes_supported",
                        JsonArray.of((Object[]) scopes)));
    }

    private void issuerAt(String path, String issuerPath) {
        documents.put(
                path,
                JsonObject.of(
                        "issuer", origin() + issuerPath, "token_endpoint", origin() + "/token"));
    }

    @Test
    @Requirement({"AUTH-014", "AUTH-021", "AUTH-010", "ROOM-082", "N26-AUTH-003", "N26-AUTH-004"})
    void metadataIsLookedForInTheOrderThatIsPrescribed() throws IOException {
        resourceAt("/.well-known/oauth-protected-resource", "/tenant");
        issuerAt("/tenant/.well-known/openid-configuration", "/tenant");

        assertThat(terms(Optional.empty()).server().issuer()).isEqualTo(origin() + "/tenant");
        assertThat(asked)
                .containsExactly(
                        "/.well-known/oauth-protected-resource/mcp",
                        "/.well-known/oauth-protected-resource",
                        "/.well-known/oauth-authorization-server/tenant",
                        "/.well-known/openid-configuration/tenant",
                        "/tenant/.well-known/openid-configuration");
    }

    /** Some gateways answer with JSON and 200 whatever is asked for. */
    @Test
    void anotherDocumentInThePlaceOfMetadataIsPassedOver() throws IOException {
        JsonObject other = JsonObject.of("error", "not found");
        documents.put("/.well-known/oauth-protected-resource/mcp", other);
        resourceAt("/.well-known/oauth-protected-resource", "/tenant");
        documents.put("/.well-known/oauth-authorization-server/tenant", other);
        issuerAt("/.well-known/openid-configuration/tenant", "/other");
        issuerAt("/tenant/.well-known/openid-configuration", "/tenant");

        assertThat(terms(Optional.empty()).server().issuer()).isEqualTo(origin() + "/tenant");
    }

    @Test
    void aResourceThatNamesNoIssuerHasThatOfItsOrigin() throws IOException {
        documents.put(
                "/.well-known/oauth-protected-resource/mcp",
                JsonObject.of("resource", mcp().toString()));
        issuerAt("/.well-known/oauth-authorization-server", "");

        assertThat(terms(Optional.empty()).server().issuer()).isEqualTo(origin());
    }

    @ParameterizedTest
    @CsvSource({"429", "503"})
    void aServerThatAnswersNothingNowMayHaveMetadata(int status) {
        elsewhere = status;

        assertThatThrownBy(
                        () ->
                                discovery(Scopes.NONE, true)
                                        .terms(mcp(), Optional.empty(), Scopes.NONE, Scopes.NONE))
                .isInstanceOf(AuthorizationException.class)
                .hasMessageContaining("its metadata could not be fetched")
                .hasMessageContaining("status " + status);
    }

    @Test
    @Requirement({"AUTH-010", "AUTH-022", "N26-AUTH-004"})
    void anIssuerWithoutAPathIsLookedForAtTwoPlaces() throws IOException {
        resourceAt("/.well-known/oauth-protected-resource/mcp", "");
        issuerAt("/.well-known/openid-configuration", "");

        terms(Optional.empty());

        assertThat(asked)
                .containsExactly(
                        "/.well-known/oauth-protected-resource/mcp",
                        "/.well-known/oauth-authorization-server",
                        "/.well-known/openid-configuration");
    }

    /**
     * Returns the content of a document at this place that names the resource so; empty if it is
     * refused.
     */
    private Optional<String> resource(String place, String named, String server)
            throws IOException {
        documents.clear();
        issuerAt("/.well-known/oauth-authorization-server", "");
        resourceAt(place, "");
        documents.computeIfPresent(place, (same, document) -> document.with("resource", named));
        Optional<Challenge> challenge =
                Challenge.ofOAuth(List.of("Bearer resource_metadata=\"" + origin() + place + "\""));
        try {
            return Optional.of(
                    discovery(Scopes.NONE, false)
                            .terms(
                                    URI.create(origin() + server),
                                    challenge,
                                    Scopes.NONE,
                                    Scopes.NONE)
                            .resource());
        } catch (AuthorizationException e) {
            assertThat(e)
                    .hasMessageContaining(
                            " is about another resource: it names " + named + ", not ");
            return Optional.empty();
        }
    }

    @Test
    @Requirement({"AUTH-067", "ROOM-084"})
    void onlyTheWellKnownPlaceOfAnOriginSpeaksForTheOrigin() throws IOException {
        String root = "/.well-known/oauth-protected-resource";
        String own = root + "/mallory/mcp";

        assertThat(resource(root, origin(), "/mallory/mcp")).hasValue(origin());
        assertThat(resource(root, origin() + "/", "/mallory/mcp")).hasValue(origin() + "/");
        assertThat(resource(root, origin() + "/mallory/mcp", "/mallory/mcp")).isPresent();
        assertThat(resource(root, origin() + "/mallory", "/mallory/mcp")).isEmpty();
        for (String place : List.of(own, "/mallory/metadata")) {
            assertThat(resource(place, origin() + "/mallory/mcp", "/mallory/mcp")).isPresent();
            assertThat(resource(place, origin(), "/mallory/mcp")).isEmpty();
            assertThat(resource(place, origin() + "/", "/mallory/mcp")).isEmpty();
            assertThat(resource(place, origin() + "/mallory", "/mallory/mcp")).isEmpty();
        }
        String neighbour = root + "/ann/mcp";
        assertThat(resource(neighbour, origin() + "/ann/mcp", "/mallory/mcp")).isEmpty();
        assertThat(resource(neighbour, origin(), "/mallory/mcp")).isEmpty();
    }

    private void namesAt(String path, String resource, String issuerPath) {
        resourceAt(path, issuerPath);
        documents.computeIfPresent(path, (same, document) -> document.with("resource", resource));
    }

    /** Metadata of a path that names the origin counts as that of the origin, with its issuer. */
    @Test
    @Requirement("ROOM-084")
    void metadataMayNameTheOriginOrAPathAboveThatSaysTheSame() throws IOException {
        String root = "/.well-known/oauth-protected-resource";
        issuerAt("/.well-known/oauth-authorization-server", "");
        issuerAt("/.well-known/oauth-authorization-server/mallory", "/mallory");

        for (String above : List.of("", "/api")) {
            documents.keySet().removeIf(path -> path.startsWith(root));
            namesAt(root + "/api/mcp", origin() + above, "/mallory");
            namesAt(root + above, origin() + above, "");

            Terms terms =
                    discovery(Scopes.NONE, false)
                            .terms(
                                    URI.create(origin() + "/api/mcp"),
                                    Optional.empty(),
                                    Scopes.NONE,
                                    Scopes.NONE);

            assertThat(terms.resource()).isEqualTo(origin() + above);
            assertThat(terms.server().issuer()).isEqualTo(origin());
        }
    }

    /** One of several servers of an origin could get tokens for the others. */
    @Test
    @Requirement({"AUTH-067", "ROOM-084"})
    void metadataThatNamesTheOriginIsRefusedWhereTheOriginSaysSomethingElse() {
        String root = "/.well-known/oauth-protected-resource";
        issuerAt("/.well-known/oauth-authorization-server", "");
        namesAt(root + "/mcp", origin(), "");
        namesAt(root, origin() + "/ann/mcp", "");

        assertThatThrownBy(() -> terms(Optional.empty()))
                .hasMessageContaining("it names " + origin() + ", not " + mcp());
    }

    @Test
    @Requirement("ROOM-084")
    void theWellKnownPlaceOfAPathSpeaksForItWithoutItsQuery() throws IOException {
        String own = "/.well-known/oauth-protected-resource/mcp";

        assertThat(resource(own, origin() + "/mcp", "/mcp?project=1")).hasValue(origin() + "/mcp");
        assertThat(resource(own, origin() + "/mcp?project=1", "/mcp?project=1")).isPresent();
        assertThat(resource(own, origin() + "/mcp?project=2", "/mcp?project=1")).isEmpty();
        assertThat(resource("/custom", origin() + "/mcp", "/mcp?project=1")).isEmpty();
    }

    @Test
    @Requirement({"AUTH-014", "N26-AUTH-003"})
    void whereTheChallengeSaysComesFirst() throws IOException {
        resourceAt("/custom", "");
        issuerAt("/.well-known/oauth-authorization-server", "");

        terms(Challenge.ofOAuth(List.of("Bearer resource_metadata=\"" + origin() + "/custom\"")));

        assertThat(asked).startsWith("/custom").hasSize(2);
    }

    @Test
    @Requirement({
        "AUTH-016",
        "AUTH-017",
        "AUTH-020",
        "AUTH-033",
        "ROOM-089",
        "SEC-024",
        "N26-AUTH-014"
    })
    void scopesAreThoseOfTheChallengeElseAllElseNone() throws IOException {
        issuerAt("/.well-known/oauth-authorization-server", "");
        resourceAt("/.well-known/oauth-protected-resource/mcp", "", "read", "write");
        assertThat(terms(Challenge.ofOAuth(List.of("Bearer scope=\"other\""))).scopes())
                .hasToString("other");
        assertThat(terms(Optional.empty()).scopes()).hasToString("read write");

        assertThat(
                        discovery(Scopes.parse("read"), false)
                                .terms(mcp(), Optional.empty(), Scopes.NONE, Scopes.NONE)
                                .scopes())
                .hasToString("read");

        resourceAt("/.well-known/oauth-protected-resource/mcp", "");
        assertThat(terms(Optional.empty()).scopes()).isEqualTo(Scopes.NONE);
    }

    @Test
    @Requirement("ROOM-083")
    void aServerThatSaysNothingIsItsOwnIssuerIfItSaysSo() throws IOException {
        issuerAt("/.well-known/oauth-authorization-server", "");

        Terms terms = terms(Optional.empty());

        assertThat(terms.server().issuer()).isEqualTo(origin());
        assertThat(terms.resource()).isEqualTo(mcp().toString());
    }

    @Test
    @Requirement("ROOM-083")
    void defaultPlacesAreOnlyUsedWhereThatWasAskedFor() throws IOException {
        assertThatThrownBy(() -> terms(Optional.empty()))
                .isInstanceOf(AuthorizationException.class)
                .hasMessageContaining("neither it nor its origin names an authorization server");

        assertThat(
                        discovery(Scopes.NONE, true)
                                .terms(mcp(), Optional.empty(), Scopes.NONE, Scopes.NONE)
                                .server()
                                .tokenEndpoint())
                .isEqualTo(URI.create(origin() + "/token"));
    }

    @ParameterizedTest
    @Requirement({"AUTH-035", "AUTH-037", "N26-AUTH-009"})
    @CsvSource({
        "HTTPS://Reports.EXAMPLE/mcp, https://reports.example/mcp",
        "https://reports.example:443/mcp/, https://reports.example/mcp",
        "https://reports.example/, https://reports.example",
        "https://reports.example:8443/a/b?c=d, https://reports.example:8443/a/b?c=d"
    })
    void aServerHasOneCanonicalName(URI typed, String canonical) {
        assertThat(Urls.canonical(typed)).isEqualTo(canonical);
    }
}
