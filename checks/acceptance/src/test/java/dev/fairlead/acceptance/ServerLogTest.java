package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Log lines of the start and the end of a server. */
@Timeout(120)
class ServerLogTest {
    private final Logged logged = new Logged("dev.fairlead.server", Level.INFO);

    @AfterEach
    void close() {
        logged.close();
    }

    @Test
    void aServerLogsItsStartAndItsEndOnce() {
        String uri;
        try (McpServer server =
                McpServer.named("weather", "1.2.0")
                        .tool("forecast", "Forecasts", NoInput.class, String.class)
                        .handle((none, call) -> "rain")
                        .prompt("ask", "Asks", NoInput.class)
                        .handle((none, call) -> new GetPromptResult(List.of()))
                        .build()) {
            uri = server.serve(Http.port(0)).uri().toString();
        }

        assertThat(logged.lines())
                .satisfiesExactly(
                        line ->
                                assertThat(line)
                                        .isEqualTo(
                                                "INFO Server weather 1.2.0 started on "
                                                        + uri
                                                        + ": 1 tool, 0 resources, 0 resource"
                                                        + " templates, 1 prompt; no tasks; no"
                                                        + " authorization; sessions"),
                        line ->
                                assertThat(line)
                                        .startsWith(
                                                "INFO Server weather 1.2.0 stopped on "
                                                        + uri
                                                        + " after "));
    }

    @Test
    void aServerLogsItsPlanOfTheHeapAtDebug() {
        try (Logged all = new Logged("dev.fairlead.server", Level.FINE);
                McpServer server = McpServer.named("weather", "1.2.0").build()) {
            server.serve(Http.port(0));

            assertThat(all.lines())
                    .anySatisfy(
                            line ->
                                    assertThat(line)
                                            .contains("Default limits take at most ")
                                            .contains("tasks in memory ")
                                            .contains("bytes sent ahead "));
        }
    }

    /** The process may end as soon as the server is closed. */
    @Test
    void closingAServerWaitsUntilItsEndIsLogged() throws Exception {
        Semaphore logging = new Semaphore(0);
        Semaphore mayLog = new Semaphore(0);
        Handler slow =
                new Handler() {
                    @Override
                    public void publish(LogRecord entry) {
                        if (entry.getMessage().contains(" stopped on ")) {
                            logging.release();
                            mayLog.acquireUninterruptibly();
                        }
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        Logger logger = Logger.getLogger("dev.fairlead.server");
        logger.addHandler(slow);
        try {
            McpServer server =
                    McpServer.named("weather", "1")
                            .tool("forecast", "Forecasts", NoInput.class, String.class)
                            .handle((none, call) -> "rain")
                            .build();
            server.serve(Http.port(0)).close(); // a thread of the server logs that
            logging.acquire();
            Thread closing = Thread.ofPlatform().start(server::close);
            await("closing waits, or has ended")
                    .until(
                            () ->
                                    closing.getState() == Thread.State.WAITING
                                            || closing.getState() == Thread.State.TERMINATED);
            assertThat(closing.isAlive()).isTrue();
            mayLog.release(2);
            assertThat(closing.join(Duration.ofSeconds(30))).isTrue();
        } finally {
            mayLog.release(2);
            logger.removeHandler(slow);
        }
    }

    @Test
    void theStartNamesTheStoreAndEachLimitThatWasChanged() {
        try (McpServer server =
                        McpServer.named("weather", "1")
                                .callTimeout(Duration.ofMinutes(90))
                                .withoutRateLimit()
                                .maxSessions(12_500) // the default
                                .tasks(Tasks.inMemory().maxRunning(7))
                                .tool("forecast", "Forecasts", NoInput.class, String.class)
                                .task(TaskSupport.OPTIONAL)
                                .handle((none, call) -> "rain")
                                .build();
                HttpServing serving =
                        server.serve(
                                Http.port(0)
                                        .stateless()
                                        .maxConnections(12)
                                        .clientTimeout(Duration.ofSeconds(5)))) {
            assertThat(logged.lines())
                    .singleElement()
                    .asString()
                    .contains(serving.uri().toString())
                    .contains("; tasks in memory; no authorization; no sessions; changed limits: ")
                    .contains("callTimeout = 1 h 30 min")
                    .contains("rateLimit = off")
                    .contains("tasks.maxRunning = 7")
                    .contains("clientTimeout = 5 s")
                    .contains("maxConnections = 12")
                    .doesNotContain("maxSessions");
        }
    }

    @Test
    void theStartStatesThatServedRevisionsHaveNoSessions() {
        try (McpServer server =
                        McpServer.named("weather", "1").revisions(Revision.V2026_07_28).build();
                HttpServing serving = server.serve(Http.port(0))) {
            assertThat(logged.lines())
                    .anyMatch(
                            line ->
                                    line.contains(serving.uri().toString())
                                            && line.contains("; no authorization; no sessions"));
        }
    }

    @Test
    void aServerWithoutFeaturesIsWarnedOf() {
        try (McpServer server = McpServer.named("empty", "1").build();
                HttpServing serving = server.serve(Http.port(0))) {
            assertThat(logged.lines())
                    .hasSize(2)
                    .last()
                    .isEqualTo(
                            "WARNING Server empty 1 has no tools, resources, resource templates or"
                                + " prompts: clients find nothing to use; declare a feature before"
                                + " serve(…)");
            assertThat(serving.port()).isPositive();
        }
    }
}
