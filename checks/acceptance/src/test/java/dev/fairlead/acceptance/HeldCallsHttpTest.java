package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.shared.PerRequestFrames;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Which calls are held, and when they end. */
@Timeout(120)
class HeldCallsHttpTest extends HeldCalls {
    @Test
    @Requirement({"N26-MRTR-003", "N26-MRTR-016"})
    void theHandlerRunsOnceOverTwoRounds() throws Exception {
        try (McpServer server = server().build();
                HttpServing at = server.serve(PerRequestFrames.listener())) {
            JsonObject first = result(begin(here, at));
            JsonObject second = result(post(there, at, body("held", first, "Ada ")));
            JsonObject last = result(post(here, at, body("held", second, "Lovelace")));
            assertThat(text(last)).isEqualTo("Ada Lovelace");
            assertThat(bodies).hasValue(1);
        }
    }

    @Test
    @Requirement("N26-MRTR-015")
    void aCallerThatHoldsTooMuchIsRefusedAndAnotherIsServed() throws Exception {
        try (McpServer server = server().maxHeldCallsPerCaller(2).build();
                HttpServing at = server.serve(PerRequestFrames.listener())) {
            JsonObject first = result(begin(here, at));
            result(begin(here, at));
            HttpResponse<String> refused = begin(here, at);
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(json(refused).object("error").object("data").bool("retryable")).isTrue();
            result(begin(there, at));
            assertThat(bodies).hasValue(3);
            JsonObject second = result(post(here, at, body("held", first, "A")));
            assertThat(text(result(post(here, at, body("held", second, "B"))))).isEqualTo("AB");
            result(begin(here, at));
        }
    }

    @Test
    @Requirement({"N26-MRTR-014", "N26-MRTR-015"})
    void aRestartEndsTheCallAndNeverRunsItAgain() throws Exception {
        JsonObject asked;
        try (McpServer server = server().build();
                HttpServing at =
                        server.serve(
                                PerRequestFrames.listener().shutdownGrace(Duration.ofMillis(1)))) {
            asked = result(begin(here, at));
        }
        await().untilAsserted(() -> assertThat(ended).hasValue(1)); // closing interrupted it
        try (McpServer server = server().build();
                HttpServing at = server.serve(PerRequestFrames.listener())) {
            assertGone(post(here, at, body("held", asked, "Ada")));
            assertThat(bodies).hasValue(1);
        }
    }

    /** Checks both ways to close: the place alone, and the server with it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requirement({"N26-MRTR-003", "N26-MRTR-016"})
    void aCallThatIsHeldContinuesWhileTheServerCloses(boolean all) throws Exception {
        try (McpServer server = server().build();
                HttpServing at =
                        server.serve(
                                PerRequestFrames.listener().shutdownGrace(Duration.ofMinutes(2)))) {
            JsonObject first = result(begin(here, at));
            Thread closing = Thread.ofVirtual().start(all ? server::close : at::close);
            await().until(() -> at.metrics().draining());
            HttpResponse<String> refused = begin(there, at);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(json(refused).object("error").get("code")).isEqualTo(JsonValue.of(-32603));
            JsonObject second = result(post(there, at, body("held", first, "Ada ")));
            JsonObject last = result(post(here, at, body("held", second, "Lovelace")));
            assertThat(text(last)).isEqualTo("Ada Lovelace");
            closing.join();
            assertThat(bodies).hasValue(1);
        }
    }

    @Test
    @Requirement("N26-MRTR-014")
    void onlyOneOfConcurrentRetriesContinues() throws Exception {
        try (McpServer server = server().build();
                HttpServing at = server.serve(PerRequestFrames.listener())) {
            JsonObject asked = result(begin(here, at));
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                answers.add(
                        here.sendAsync(
                                request(at, "held", body("held", asked, "retry " + i)),
                                HttpResponse.BodyHandlers.ofString()));
            }
            int wentOn = 0;
            for (CompletableFuture<HttpResponse<String>> each : answers) {
                HttpResponse<String> answer = each.get(30, TimeUnit.SECONDS);
                if (json(answer).has("result")) {
                    wentOn++;
                } else {
                    assertGone(answer);
                }
            }
            assertThat(wentOn).isEqualTo(1);
            assertThat(bodies).hasValue(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "jetty"})
    @Requirement({"N26-HTTP-011", "N26-CANC-002"})
    void aClientThatLeavesInTheMiddleOfARoundInterruptsTheHandler(String engine) throws Exception {
        try (McpServer server = server().build();
                HttpServing at =
                        server.serve(
                                Http.port(0)
                                        .engine(engine)
                                        .streamAfter(Duration.ofMillis(50))
                                        .heartbeat(Duration.ofMillis(200)))) {
            JsonObject asked =
                    result(
                            here.send(
                                    request(at, "left", body("left", null, "")),
                                    HttpResponse.BodyHandlers.ofString()));
            byte[] retry = body("left", asked, "Ada").getBytes(StandardCharsets.UTF_8);
            try (Socket socket = new Socket(at.uri().getHost(), at.uri().getPort())) {
                StringBuilder head = new StringBuilder("POST /mcp HTTP/1.1\r\nHost: localhost\r\n");
                HEADERS.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
                head.append("Mcp-Name: left\r\nContent-Length: " + retry.length + "\r\n\r\n");
                socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.UTF_8));
                socket.getOutputStream().write(retry);
                InputStream in = socket.getInputStream();
                assertThat(in.read()).isEqualTo('H'); // the stream has begun
            }
            assertThat(events.poll(30, TimeUnit.SECONDS)).isEqualTo("interrupted");
            assertGone(
                    here.send(
                            request(at, "left", new String(retry, StandardCharsets.UTF_8)),
                            HttpResponse.BodyHandlers.ofString()));
        }
    }
}
