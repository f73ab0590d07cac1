package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;

import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.auth.fetch.Deadline;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.FetchLimits;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.test.support.ScriptedHttp;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Servers that answer byte by byte. */
@Tag("proof")
class BadIssuerProofTest {
    /** The places where metadata is looked for send one byte now and then. */
    @Test
    void metadataThatTricklesHasOneTimeForAllPlaces() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer slow = ScriptedHttp.create();
        CountDownLatch over = new CountDownLatch(1);
        slow.createContext(
                "/",
                exchange -> {
                    asked.add(exchange.getRequestURI().getPath());
                    exchange.sendResponseHeaders(200, 100_000);
                    try {
                        while (!over.await(20, TimeUnit.MILLISECONDS)) {
                            exchange.getResponseBody().write(' ');
                            exchange.getResponseBody().flush();
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        slow.start();
        Duration all = Duration.ofMillis(500);
        Discovery discovery =
                new Discovery(
                        new Fetch(UrlPolicy.loopbackAllowed(), FetchLimits.DEFAULT),
                        new Discovery.Choice(null, List::getFirst, Scopes.NONE, Scopes.NONE, false),
                        () -> Deadline.of(Duration.ofMillis(200), all));

        try {
            assertThatThrownBy(
                            () ->
                                    discovery.terms(
                                            URI.create(
                                                    "http://localhost:"
                                                            + slow.getAddress().getPort()
                                                            + "/mcp"),
                                            Optional.empty(),
                                            Scopes.NONE,
                                            Scopes.NONE))
                    .isInstanceOf(AuthorizationException.class)
                    .hasMessage("Timed out: the metadata did not arrive within 500 ms");
        } finally {
            over.countDown();
            slow.stop(0);
        }
        assertThat(asked).hasSizeLessThanOrEqualTo(3);
    }
}
