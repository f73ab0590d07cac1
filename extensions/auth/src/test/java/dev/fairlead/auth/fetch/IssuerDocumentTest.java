package dev.fairlead.auth.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;

import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.json.JsonObject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class IssuerDocumentTest {
    private static final String OAUTH = "/.well-known/oauth-authorization-server/tenant";
    private static final String OPENID = "/.well-known/openid-configuration/tenant";
    private static final String BELOW = "/tenant/.well-known/openid-configuration";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Map<String, String> published = new ConcurrentHashMap<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    String path = exchange.getRequestURI().getPath();
                    asked.add(path);
                    String text = published.getOrDefault(path, "nothing is here");
                    byte[] body = text.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(
                            published.containsKey(path) ? 200 : 404, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String issuer() {
        return "http://localhost:" + server.getAddress().getPort() + "/tenant";
    }

    private IssuerDocument document() {
        return new IssuerDocument(
                issuer(), new Fetch(UrlPolicy.loopbackAllowed(), FetchLimits.DEFAULT));
    }

    private String metadata(String issuer, String member) {
        return JsonObject.of("issuer", issuer, member, "https://login.example/x").toString();
    }

    @Test
    void metadataIsWhatIsAtTheFirstPlaceThatHasAnything() throws IOException {
        published.put(BELOW, metadata(issuer(), "jwks_uri"));

        assertThat(document().metadata().string("issuer")).isEqualTo(issuer());
        assertThat(asked).containsExactly(OAUTH, OPENID, BELOW);
    }

    @Test
    void aPageForWhateverIsNotKnownIsNoMetadata() throws IOException {
        published.put(OAUTH, "<!doctype html>");
        published.put(OPENID, metadata(issuer(), "jwks_uri"));

        assertThat(document().metadata().string("issuer")).isEqualTo(issuer());
    }

    @Test
    void metadataOfAnotherIssuerEndsTheSearchForMetadata() {
        published.put(OAUTH, metadata(issuer() + "/", "jwks_uri"));
        published.put(OPENID, metadata(issuer(), "jwks_uri"));

        assertThatThrownBy(document()::metadata)
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "the metadata is that of another issuer: it names "
                                + issuer()
                                + "/, not "
                                + issuer());
    }

    @Test
    void thereMayBeNoMetadata() {
        assertThatThrownBy(document()::metadata)
                .isInstanceOf(IOException.class)
                .hasMessage(
                        issuer()
                                + " publishes no metadata: "
                                + Stream.of(OAUTH, OPENID, BELOW)
                                        .map(
                                                place ->
                                                        URI.create(issuer()).resolve(place)
                                                                + ": status 404")
                                        .collect(Collectors.joining("; ")));
    }

    @Test
    void aPlaceIsFoundWhereverItIsNamed() throws IOException {
        published.put(OAUTH, metadata(issuer(), "token_endpoint"));
        published.put(OPENID, metadata("https://other.example", "jwks_uri"));
        published.put(BELOW, metadata(issuer(), "jwks_uri"));

        assertThat(document().place("jwks_uri")).isEqualTo(URI.create("https://login.example/x"));
    }

    @Test
    void theErrorContainsTheFailuresOfAllLocations() {
        published.put(OAUTH, "<html>");
        published.put(OPENID, metadata(issuer(), "token_endpoint"));

        assertThatThrownBy(() -> document().place("jwks_uri"))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith(OAUTH)
                .satisfies(
                        failure ->
                                assertThat(failure.getSuppressed())
                                        .extracting(other -> other.getCause().getMessage())
                                        .containsExactly(
                                                "the metadata names no jwks_uri",
                                                "the answer has the status 404"));
    }
}
