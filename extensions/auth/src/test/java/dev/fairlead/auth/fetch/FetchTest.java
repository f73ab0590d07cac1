package dev.fairlead.auth.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.http.client.Proxies;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ScriptedHttp;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

@Requirement({"SEC-007", "SEC-008", "SEC-013"})
class FetchTest {
    private static final FetchLimits LIMITS =
            new FetchLimits(Duration.ofMinutes(5), Duration.ofMinutes(5), 1000, 3);

    private final Map<String, List<String>> names = new ConcurrentHashMap<>();
    private final Map<String, Optional<String>> authorization = new ConcurrentHashMap<>();
    private final AtomicInteger lookups = new AtomicInteger();
    private final AtomicInteger connects = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = ScriptedHttp.create();
        server.start();
        names.put("localhost", List.of("127.0.0.1"));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private Fetch fetch(UrlPolicy policy, FetchLimits limits) {
        return fetch(policy, limits, Proxies.none());
    }

    private Fetch fetch(UrlPolicy policy, FetchLimits limits, Proxies proxies) {
        return new Fetch(policy, limits, this::resolve, connects::incrementAndGet, proxies);
    }

    private Fetch fetch() {
        return fetch(UrlPolicy.loopbackAllowed(), LIMITS);
    }

    private List<InetAddress> resolve(String host) throws UnknownHostException {
        lookups.incrementAndGet();
        if (host.matches("[0-9a-f.:]+")) {
            return List.of(InetAddress.getByName(host));
        }
        if (!names.containsKey(host)) {
            throw new UnknownHostException(host);
        }
        List<InetAddress> addresses = new ArrayList<>();
        for (String literal : names.get(host)) {
            addresses.add(InetAddress.getByName(literal));
        }
        return addresses;
    }

    private URI url(String path) {
        return URI.create("http://localhost:" + server.getAddress().getPort() + path);
    }

    private void serve(String path, int status, Map<String, String> headers, String body) {
        server.createContext(
                path,
                exchange -> {
                    seen(exchange);
                    headers.forEach(exchange.getResponseHeaders()::set);
                    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
    }

    private void seen(HttpExchange exchange) {
        authorization.put(
                exchange.getRequestURI().getPath(),
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")));
    }

    private void redirect(String path, String location) {
        serve(path, 302, Map.of("Location", location), "");
    }

    @Test
    void aDocumentOfTheOwnMachineIsFetched() throws IOException {
        serve("/metadata", 200, Map.of("Content-Type", "application/json"), "{}");

        Fetched fetched = fetch().get(url("/metadata"));

        assertThat(fetched.status()).isEqualTo(200);
        assertThat(fetched.text()).isEqualTo("{}");
        assertThat(fetched.header("Content-Type")).contains("application/json");
        assertThat(connects).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://evil.example/",
                "javascript:alert(1)",
                "file:///etc/passwd",
                "data:text/plain,x",
                "ftp://login.example/x",
                "https:///nowhere",
                "https://user:secret@login.example/",
                "/metadata"
            })
    void whatIsNoUrlToFetchIsNotEvenLookedUp(URI url) {
        assertThatThrownBy(() -> fetch().get(url)).isInstanceOf(RefusedException.class);
        assertThat(lookups).hasValue(0);
        assertThat(connects).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "10.0.0.1",
                "192.168.1.1",
                "127.0.0.1",
                "::1",
                "fd00::1",
                "64:ff9b::a9fe:a9fe",
                "::ffff:169.254.169.254",
                "0.0.0.0"
            })
    void nothingIsConnectedToAnAddressThatIsRefused(String address) {
        names.put("login.example", List.of(address));

        for (UrlPolicy policy : List.of(UrlPolicy.publicOnly(), UrlPolicy.loopbackAllowed())) {
            assertThatThrownBy(
                            () -> fetch(policy, LIMITS).get(URI.create("https://login.example/x")))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageStartingWith("https://login.example is not fetched: the address ");
        }
        assertThat(connects).hasValue(0);
    }

    @Test
    void oneRefusedAddressAmongManyIsEnough() {
        names.put("login.example", List.of("8.8.8.8", "10.0.0.1"));

        assertThatThrownBy(
                        () ->
                                fetch(UrlPolicy.publicOnly(), LIMITS)
                                        .get(URI.create("https://login.example/x")))
                .isInstanceOf(RefusedException.class);
        assertThat(connects).hasValue(0);
    }

    @Test
    void theHostIsResolvedOnce() throws IOException {
        serve("/metadata", 200, Map.of(), "{}");

        fetch().get(url("/metadata"));

        assertThat(lookups).hasValue(1);
    }

    @Test
    void aRedirectIsFollowedToWhatIsAllowed() throws IOException {
        redirect("/old", "/new");
        serve("/new", 200, Map.of(), "{}");

        assertThat(fetch().get(url("/old")).status()).isEqualTo(200);
        assertThat(connects).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://169.254.169.254/latest/meta-data/",
                "https://169.254.169.254/latest/meta-data/",
                "https://inside.example/",
                "file:///etc/passwd",
                "javascript:alert(1)",
                "http://evil.example/",
                "::no url"
            })
    void aRedirectElsewhereIsCheckedLikewise(String location) {
        names.put("inside.example", List.of("10.0.0.1"));
        redirect("/old", location);

        assertThatThrownBy(() -> fetch().get(url("/old"))).isInstanceOf(RefusedException.class);
        assertThat(connects).hasValue(1);
    }

    @Test
    void redirectsComeToAnEnd() {
        redirect("/round", "/round");

        assertThatThrownBy(() -> fetch().get(url("/round")))
                .isInstanceOf(RefusedException.class)
                .hasMessageEndingWith("redirects more than 3 times");
        assertThat(connects).hasValue(4);
    }

    @Test
    void headersStayAtTheOriginTheyAreFor() throws IOException {
        redirect("/old", url("/new").toString().replace("localhost", "127.0.0.1"));
        serve("/new", 200, Map.of(), "{}");

        fetch().get(url("/old"), Map.of("Authorization", "Bearer token"));

        assertThat(authorization)
                .containsEntry("/old", Optional.of("Bearer token"))
                .containsEntry("/new", Optional.empty());
    }

    @Test
    void aPostIsNotRedirected() throws IOException {
        redirect("/token", "/elsewhere");

        Fetched answer =
                fetch().post(
                                url("/token"),
                                Map.of(),
                                "application/x-www-form-urlencoded",
                                "code=1");

        assertThat(answer.status()).isEqualTo(302);
        assertThat(connects).hasValue(1);
    }

    @Test
    void anOversizedAnswerIsRefused() {
        serve("/large", 200, Map.of(), "x".repeat(1001));
        serve("/full", 200, Map.of(), "x".repeat(1000));

        assertThatThrownBy(() -> fetch().get(url("/large")))
                .isInstanceOf(RefusedException.class)
                .hasMessage("an answer of more than 1000 bytes is not taken");
        assertThat(fetchQuietly("/full").body()).hasSize(1000);
    }

    private Fetched fetchQuietly(String path) {
        try {
            return fetch().get(url(path));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The address that is not served is the first, as 127.0.0.1 is for a server on ::1. */
    @Test
    void allAddressesOfANameAreTried() throws IOException {
        names.put("localhost", List.of("127.0.0.2", "127.0.0.1"));
        serve("/document", 200, Map.of(), "{}");

        assertThat(fetch().get(url("/document")).status()).isEqualTo(200);
        assertThat(connects).hasValue(2);
    }

    @Test
    void aCompressedAnswerIsRefused() {
        serve("/packed", 200, Map.of("Content-Encoding", "gzip"), "x");

        assertThatThrownBy(() -> fetch().get(url("/packed")))
                .isInstanceOf(RefusedException.class)
                .hasMessage(
                        "an answer with the content encoding gzip is not taken: none was asked"
                                + " for");
    }

    @Test
    void anAnswerWithoutACodingIsRead() throws Exception {
        serve("/plain", 200, Map.of("Content-Encoding", "identity"), "x");

        assertThat(fetch().get(url("/plain")).text()).isEqualTo("x");
    }

    @Test
    void anAnswerThatTricklesHasNoMoreTimeThanTheLimit() {
        CountDownLatch over = new CountDownLatch(1);
        server.createContext("/slow", exchange -> trickle(exchange, over));
        FetchLimits short1 =
                new FetchLimits(Duration.ofMinutes(5), Duration.ofMillis(300), 1000, 3);

        try {
            assertThatThrownBy(() -> fetch(UrlPolicy.loopbackAllowed(), short1).get(url("/slow")))
                    .isInstanceOf(IOException.class);
        } finally {
            over.countDown();
        }
    }

    private static void trickle(HttpExchange exchange, CountDownLatch over) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write('{');
            body.flush();
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anInterruptEndsAFetch() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        server.createContext(
                "/slow",
                exchange -> {
                    asked.countDown();
                    trickle(exchange, over);
                });
        AtomicReference<Throwable> end = new AtomicReference<>();
        Thread fetching =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        fetch().get(url("/slow"));
                                    } catch (IOException e) {
                                        end.set(e);
                                    }
                                });
        asked.await();
        fetching.interrupt();
        fetching.join();
        over.countDown();

        assertThat(end.get()).isInstanceOf(InterruptedIOException.class);
    }

    @Test
    void theDescriptionOfAnAnswerDoesNotHoldItsBody() {
        serve("/token", 200, Map.of(), "s3cret");

        assertThat(fetchQuietly("/token")).hasToString("an answer with status 200 and 6 bytes");
    }
}
