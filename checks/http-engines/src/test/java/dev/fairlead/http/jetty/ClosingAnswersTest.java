package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.notification;
import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpMount;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.HttpEngine.Listening;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;

/** Clients that have yet to read when a server is closed. */
@Timeout(120)
class ClosingAnswersTest extends HttpTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int LARGE = 16 << 20;

    private static boolean isRefused(HttpServing serving) {
        try {
            Wire.to(serving).close();
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void aLargeAnswerReachesAClientThatReadsItLate() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) ->
                        exchange.send(result(request, "{\"x\":\"" + "x".repeat(LARGE) + "\"}")));
        HttpServing serving = serve(listener -> listener.stateless().shutdownGrace(LONG));
        try (Wire wire = new Wire(serving.port(), 64 << 10)) {
            wire.post(request(1, "tools/call"));
            host.session().received.take();
            await().until(() -> serving.metrics().requests() == 0);
            Thread closing = Thread.ofVirtual().start(serving::close);
            await().until(() -> isRefused(serving));

            assertThat(wire.answer().body()).hasSizeGreaterThan(LARGE).endsWith("\"}}");
            closing.join();
        }
    }

    @Test
    void aMountedEndpointLeavesNoUnreadStreamOpen() throws Exception {
        HttpMount mount = Http.endpoint().shutdownGrace(Duration.ofMillis(100)).serve(host);
        EngineSettings settings = new EngineSettings("127.0.0.1", 0, LONG, null, 100, Http2.OFF, 0);
        try (Listening listening = Engines.tested().listen(settings, mount.routes());
                Wire wire = new Wire(listening.port(), 64 << 10);
                Wire stalled = new Wire(listening.port(), 4096)) {
            String id = wire.post(initialize("2025-11-25")).answer().header(SESSION);
            stalled.get(SESSION, id).head();
            await().until(() -> host.sessions.peek().context.isReachable());
            host.session().context.send(notification("x", "{\"x\":\"" + "x".repeat(LARGE) + "\"}"));

            mount.close();

            assertThat(mount.metrics().streams()).isZero();
            stalled.awaitEnd();
        }
    }
}
