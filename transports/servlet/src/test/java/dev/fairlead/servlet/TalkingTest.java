package dev.fairlead.servlet;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpEndpoint;
import dev.fairlead.http.options.HttpMetrics;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.server.McpServer;
import dev.fairlead.servlet.Container.Application;
import dev.fairlead.servlet.Container.Running;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A server in each container whose tools send messages before they answer. */
abstract class TalkingTest extends ServletTest {
    final CountDownLatch began = new CountDownLatch(1);
    final CountDownLatch mayEnd = new CountDownLatch(1);
    McpServlet servlet;

    private McpServer talkative() {
        return server().tool("talk", "Says something and waits", JsonObject.class, String.class)
                .handle(
                        (arguments, call) -> {
                            call.log(LoggingLevel.WARNING, "before");
                            began.countDown();
                            mayEnd.await(60, TimeUnit.SECONDS);
                            call.log(LoggingLevel.WARNING, "after");
                            return "end";
                        })
                .tool("flood", "Says very much", JsonObject.class, String.class)
                .handle(
                        (arguments, call) -> {
                            for (int i = 0; i < 200; i++) {
                                call.log(LoggingLevel.WARNING, "x".repeat(64 << 10));
                            }
                            return "end";
                        })
                .build();
    }

    @Override
    Running serve(HttpEndpoint endpoint) throws Exception {
        return serve(endpoint, Duration.ofMinutes(2));
    }

    /**
     * @param writeLimit how long the container lets a write make no progress
     */
    Running serve(HttpEndpoint endpoint, Duration writeLimit) throws Exception {
        servlet = new McpServlet(closedLater(talkative()), endpoint);
        return start(Application.of("", Map.of("/mcp", servlet)).writeLimit(writeLimit));
    }

    void awaitMetrics(Predicate<HttpMetrics> condition) {
        await().until(() -> condition.test(servlet.metrics().orElseThrow()));
    }

    Wire listen(Running running, String id) throws IOException {
        Wire wire = wire(running).send("GET", "/mcp", "", SESSION, id);
        assertThat(wire.head().status()).isEqualTo(200);
        return wire;
    }
}
