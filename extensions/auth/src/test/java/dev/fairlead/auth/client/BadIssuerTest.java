package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.FetchLimits;
import dev.fairlead.auth.fetch.RefusedException;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Servers that answer with too much, too slowly, or from elsewhere. */
@Timeout(300)
@Requirement("SEC-013")
class BadIssuerTest {
    private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

    @AutoClose private final Desk desk = new Desk();
    private final ScriptedIssuer issuer = desk.issuer;
    private final OAuth oauth = desk.oauth;

    @Test
    void metadataThatIsTooLargeCountsAsNotThere() {
        String much = "x".repeat(FetchLimits.DEFAULT.maxSize());
        issuer.metadata = document -> document.with("service_documentation", much);

        desk.assertRefusedNaming(
                oauth,
                "the metadata of the authorization server " + issuer.issuer() + " was not found: ",
                "an answer of more than 262144 bytes is not taken");
        assertThat(desk.visited).isEmpty();
    }

    /**
     * A server that sends without end, in chunks or with an announced length, until it is cut off.
     */
    @ParameterizedTest
    @ValueSource(strings = {"chunked", "announced"})
    void whatIsTooLargeIsNotReadToItsEnd(String form) throws Exception {
        AtomicLong sent = new AtomicLong();
        byte[] piece = new byte[64 * 1024];
        try (ServerSocket endless = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Thread sending =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try (Socket socket = endless.accept()) {
                                            OutputStream out = socket.getOutputStream();
                                            out.write(
                                                    ("HTTP/1.1 200 OK\r\n"
                                                                    + (form.equals("chunked")
                                                                            ? "Transfer-Encoding:"
                                                                                    + " chunked"
                                                                            : "Content-Length:"
                                                                                    + " 9999999999")
                                                                    + "\r\n\r\n"
                                                                    + (form.equals("chunked")
                                                                            ? "FFFFFFF\r\n"
                                                                            : ""))
                                                            .getBytes(StandardCharsets.US_ASCII));
                                            while (sent.addAndGet(piece.length) < 256 << 20) {
                                                out.write(piece);
                                            }
                                        } catch (IOException e) {
                                            return; // cut off
                                        }
                                    });

            assertThatThrownBy(
                            () ->
                                    new Fetch(UrlPolicy.loopbackAllowed(), FetchLimits.DEFAULT)
                                            .get(
                                                    URI.create(
                                                            "http://localhost:"
                                                                    + endless.getLocalPort()
                                                                    + "/")))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("262144 bytes");
            assertThat(sending.join(Duration.ofSeconds(60))).isTrue();
            assertThat(sent).as("bytes sent").hasValueLessThan(64 << 20); // buffers are in it
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x: y\r\n", "long", "HTTP/1.1 100 Continue\r\n\r\n"})
    void aHeadThatNeverEndsIsNotTaken(String piece) throws Exception {
        byte[] bytes =
                (piece.equals("long") ? "z" : piece) // in bulk: more always waits to be read
                        .repeat(4096)
                        .getBytes(StandardCharsets.US_ASCII);
        FetchLimits limits =
                new FetchLimits(Duration.ofMinutes(5), Duration.ofSeconds(1), 10_000, 3);
        try (ServerSocket endless = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Thread sending =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try (Socket socket = endless.accept()) {
                                            OutputStream out = socket.getOutputStream();
                                            if (!piece.startsWith("HTTP")) {
                                                out.write(
                                                        "HTTP/1.1 200 OK\r\n"
                                                                .getBytes(
                                                                        StandardCharsets.US_ASCII));
                                            }
                                            while (true) {
                                                out.write(bytes);
                                            }
                                        } catch (IOException e) {
                                            return; // cut off
                                        }
                                    });

            assertThatThrownBy(
                            () ->
                                    new Fetch(UrlPolicy.loopbackAllowed(), limits)
                                            .get(
                                                    URI.create(
                                                            "http://localhost:"
                                                                    + endless.getLocalPort()
                                                                    + "/")))
                    .isInstanceOf(IOException.class)
                    .satisfies(BadIssuerTest::assertPlain);
            assertThat(sending.join(Duration.ofSeconds(60))).as("cut off").isTrue();
        }
    }

    /**
     * Characters that a terminal or a log would act on: escape sequences, C1, bidi, lines, markup.
     */
    private static final String HOSTILE =
            "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u2066\u2028\r\nWARN forged\u0000\u007f"
                    + "\ud800\ue000";

    private static void assertPlain(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            assertThat(message).doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}]");
            assertThat(message.length()).isLessThan(600);
        }
    }

    @Test
    void theErrorOfAnIssuerIsPlainTextInAMessage() {
        issuer.tokens =
                answer ->
                        JsonObject.of(
                                "error",
                                "<b>invalid</b>" + HOSTILE,
                                "error_description",
                                HOSTILE + "x".repeat(10_000));

        assertThatThrownBy(() -> desk.call(oauth))
                .isInstanceOf(AuthorizationException.class)
                .satisfies(BadIssuerTest::assertPlain)
                .message()
                .startsWith(
                        "the authorization server refused the token request: an error whose code is"
                                + " not well-formed (")
                .doesNotContain("<b>")
                .hasSizeLessThan(400);
    }

    @Test
    void theErrorOfARedirectIsPlainTextInAMessage() {
        issuer.redirect =
                answer ->
                        Map.of(
                                "error",
                                HOSTILE,
                                "error_description",
                                HOSTILE,
                                "state",
                                answer.get("state"),
                                "iss",
                                answer.get("iss"));

        assertThatThrownBy(() -> desk.call(oauth))
                .isInstanceOf(AuthorizationException.class)
                .satisfies(BadIssuerTest::assertPlain);
    }

    @Test
    void whatIsNoHttpIsPlainTextInAMessage() throws Exception {
        try (ServerSocket odd = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                while (!odd.isClosed()) {
                                    try (Socket socket = odd.accept()) {
                                        socket.getOutputStream()
                                                .write(
                                                        ("HTTP/1.1 200 OK\r\n\u001b[2J\u0007 bad "
                                                                        + "y".repeat(1000)
                                                                        + "\r\n\r\n")
                                                                .getBytes(
                                                                        StandardCharsets
                                                                                .ISO_8859_1));
                                    } catch (IOException e) {
                                        return;
                                    }
                                }
                            });
            issuer.metadata =
                    document ->
                            document.with(
                                    "token_endpoint",
                                    "http://localhost:" + odd.getLocalPort() + "/token");

            assertThatThrownBy(() -> desk.call(oauth))
                    .isInstanceOf(AuthorizationException.class)
                    .satisfies(BadIssuerTest::assertPlain);
        }
    }

    @Test
    void whatIsNoScopeIsNotAskedForAndNotStored() throws Exception {
        issuer.resource =
                document ->
                        document.with(
                                "scopes_supported", List.of("read", HOSTILE, "", "a b", "x\"y"));

        desk.call(oauth);

        assertThat(issuer.authorizations.getFirst()).containsEntry("scope", "read");
        assertThat(oauth.login(issuer.mcp()).orElseThrow().scopes()).containsExactly("read");
    }

    @Test
    void moreScopesThanFitIntoAUrlAreRefused() {
        issuer.resource =
                document ->
                        document.with(
                                "scopes_supported",
                                IntStream.range(0, 2_000).mapToObj(i -> "scope" + i).toList());

        desk.assertRefused(
                oauth,
                "the server names scopes of more than 8000 characters; name those that you need"
                        + " with OAuth.scopes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u001b[2J", "a b", "", "\u202e"})
    void anIdOfAClientThatIsNotPrintableIsRefused(String id) {
        issuer.registered = answer -> answer.with("client_id", id);

        desk.assertRefused(
                oauth,
                "the registration of the client has no id of at most 2000 printable ASCII"
                        + " characters");
    }

    @Test
    void anIssuerWhoseNameIsNotPrintableIsRefused() {
        issuer.resource =
                document ->
                        document.with(
                                "authorization_servers",
                                List.of("https://login.example/\u202egpj"));

        desk.assertRefused(
                oauth, "an issuer must be an https URL of at most 2000 ASCII characters");
    }

    @Test
    void tokensThatAreTooLargeAreNotTaken() {
        String much = "x".repeat(FetchLimits.DEFAULT.maxSize());
        issuer.tokens = answer -> answer.with("id_token", much);

        assertThatThrownBy(() -> desk.call(oauth))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage(
                        "the login failed: an answer of more than "
                                + FetchLimits.DEFAULT.maxSize()
                                + " bytes is not taken");
        assertThat(desk.store.servers()).isEmpty();
    }

    @Test
    void anAnswerOfATokenEndpointThatSendsElsewhereIsNotFollowed() {
        String place = issuer.issuer() + "/provider";
        issuer.tokenRedirect = place + "?secret=s3cret#s3cret";

        assertThatThrownBy(() -> desk.call(oauth))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage(
                        "the authorization server refused the token request: status 307 (a redirect"
                                + " to "
                                + place
                                + ", which is not followed)");
        assertThat(issuer.providerRequests).isEmpty();
    }

    /** A client that finds everything in its time, and waits for tokens as long as this allows. */
    private GuardedServer hasty(Fetch tokens) {
        Fetch fetch = new Fetch(UrlPolicy.loopbackAllowed(), FetchLimits.DEFAULT);
        Client client = new Client.Confidential("nightly", Secret.from(() -> "x")::value, null);
        Discovery.Choice choice =
                new Discovery.Choice(null, List::getFirst, Scopes.NONE, Scopes.NONE, false);
        return new GuardedServer(
                issuer.mcp(),
                new KeptLogin(issuer.mcp(), desk.store, client, false, false, made -> true),
                new MachineGrants.ClientCredentials(client),
                new Discovery(fetch, choice),
                new TokenEndpoint(tokens, new Nonces(), CLOCK),
                false,
                CLOCK);
    }

    @Test
    void tokensThatComeTooSlowlyAreNotWaitedFor() throws Exception {
        Duration total = Duration.ofMillis(500);
        FetchLimits limits = new FetchLimits(Duration.ofMinutes(5), total, 10_000, 3);
        CountDownLatch over = new CountDownLatch(1);
        issuer.beforeTokens = over::await;

        try {
            assertThatThrownBy(
                            () ->
                                    hasty(new Fetch(UrlPolicy.loopbackAllowed(), limits))
                                            .renew(null, Optional.empty()))
                    .isInstanceOf(AuthorizationException.class)
                    .hasMessageStartingWith("the login failed: no answer ");
        } finally {
            over.countDown();
        }
    }
}
