package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.FreePort;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** The place that the browser comes back to. */
@Timeout(60)
class LoopbackRedirectTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final HttpClient browser = HttpClient.newHttpClient();
    private LoopbackRedirect redirect;

    @BeforeEach
    void open() throws IOException {
        redirect = new LoopbackRedirect(0, "the-state");
    }

    @AfterEach
    void close() {
        redirect.close();
        browser.shutdownNow();
    }

    private HttpResponse<String> get(String rest) throws Exception {
        return browser.send(
                HttpRequest.newBuilder(URI.create(redirect.uri() + rest)).build(),
                BodyHandlers.ofString());
    }

    @Test
    @Requirement("AUTH-058")
    void itIsOnAFreePortOfThisMachineAlone() throws Exception {
        try (LoopbackRedirect other = new LoopbackRedirect(0, "x")) {
            assertThat(redirect.uri().toString()).matches("http://127\\.0\\.0\\.1:\\d+/callback");
            assertThat(other.port()).isNotEqualTo(redirect.port());
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        assertThatThrownBy(() -> new LoopbackRedirect(redirect.port(), "x"))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage("port " + redirect.port() + " for the redirect is taken");
    }

    @Test
    void thePageSaysWhatBecameOfItAndNothingThatCameWithTheRequest() throws Exception {
        HttpResponse<String> page = get("?code=c0de%3Cscript%3E&state=the-state&iss=https://i");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body())
                .contains(
                        "Your login has arrived. You can close this window and return to the"
                                + " program.")
                .doesNotContain("c0de", "the-state", "https://i");
        assertThat(redirect.await(LONG))
                .containsEntry("code", "c0de<script>")
                .containsEntry("iss", "https://i");
    }

    @Test
    void aLoginThatWasRefusedHasAPageToo() throws Exception {
        assertThat(get("?error=access_denied&state=the-state").body())
                .contains("You are not logged in.");
    }

    @Test
    void thePageLoadsNothingRunsNoScriptAndSendsNoReferrer() throws Exception {
        HttpResponse<String> page = get("?code=c&state=the-state");

        assertThat(page.body()).doesNotContainIgnoringCase("http:", "https:", "src", "script");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'; style-src 'sha256-")
                .endsWith("; frame-ancestors 'none'")
                .doesNotContain("script");
        assertThat(page.headers().firstValue("Referrer-Policy")).contains("no-referrer");
        assertThat(page.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.headers().map()).doesNotContainKeys("location", "set-cookie");
    }

    @ParameterizedTest
    @Requirement({"AUTH-063", "ROOM-086"})
    @ValueSource(
            strings = {
                "",
                "?",
                "?code=x",
                "?code=x&state=",
                "?code=x&state=other",
                "?code=x&state=the-state2",
                "?code=x&state=the-state&state=the-state",
                "?code=x&code=y&state=the-state",
                "/deeper?code=x&state=the-state"
            })
    void whatIsNotTheRedirectOfThisLoginChangesNothing(String rest) throws Exception {
        assertThat(get(rest).statusCode()).isEqualTo(404);

        assertThat(get("?code=mine&state=the-state").statusCode()).isEqualTo(200);
        assertThat(redirect.await(LONG)).containsEntry("code", "mine");
    }

    @Test
    void aLongQueryIsNotRead() throws Exception {
        assertThat(get("?state=the-state&code=" + "x".repeat(17_000)).statusCode()).isEqualTo(404);
    }

    @Test
    void nothingIsTakenByPost() throws Exception {
        HttpResponse<String> page =
                browser.send(
                        HttpRequest.newBuilder(
                                        URI.create(redirect.uri() + "?code=x&state=the-state"))
                                .POST(HttpRequest.BodyPublishers.ofString("code=x"))
                                .build(),
                        BodyHandlers.ofString());

        assertThat(page.statusCode()).isEqualTo(404);
    }

    @Test
    @Requirement("AUTH-063")
    void aStateIsGoodForOneRedirect() throws Exception {
        assertThat(get("?code=first&state=the-state").statusCode()).isEqualTo(200);
        assertThat(get("?code=second&state=the-state").statusCode()).isEqualTo(404);

        assertThat(redirect.await(LONG)).containsEntry("code", "first");
        assertThat(get("?code=third&state=the-state").statusCode()).isEqualTo(404);
    }

    @Test
    void theWaitEndsAtTheLimit() {
        assertThatThrownBy(() -> redirect.await(Duration.ofMillis(50)))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage("no login within 50 ms");
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread waiting =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    begun.countDown();
                                    try {
                                        redirect.await(LONG);
                                    } catch (InterruptedException e) {
                                        end.complete(e);
                                    }
                                });
        begun.await();
        waiting.interrupt();

        assertThat(end.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void thePlaceIsGoneWhenItIsClosed() throws Exception {
        int port = FreePort.find();
        new LoopbackRedirect(port, "x").close();

        assertThatThrownBy(() -> new Socket("127.0.0.1", port).close())
                .isInstanceOf(ConnectException.class);
    }
}
