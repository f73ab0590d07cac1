package dev.fairlead.server;

import static dev.fairlead.server.Peer.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Handler;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Notifications that a handler sends while it runs. */
class CallNotificationsTest {
    private static McpServer server(Handler<NoInput, String> handler) {
        return McpServer.named("s", "1")
                .tool("run", "Tested", NoInput.class, String.class)
                .handle(handler)
                .build();
    }

    @Nested
    class Progress {
        private List<JsonObject> reports(Peer peer) throws Exception {
            peer.startTool("run", "{}").response();
            return peer.rest().stream().map(message -> message.object("params")).toList();
        }

        @Test
        @Requirement({"PROG-001", "PROG-005", "PROG-008"})
        void reportsComeUnderTheTokenOfTheRequest() throws Exception {
            try (McpServer server =
                            server(
                                    (none, call) -> {
                                        call.progress(0.5);
                                        call.progress(1, 2);
                                        call.progress(2, 2, "done");
                                        return "";
                                    });
                    Peer peer = Peer.of(server)) {
                assertThat(reports(peer))
                        .containsExactly(
                                json("{\"progressToken\": 77, \"progress\": 0.5}"),
                                json("{\"progressToken\": 77, \"progress\": 1, \"total\": 2}"),
                                json(
                                        "{\"progressToken\": 77, \"progress\": 2, \"total\": 2,"
                                                + " \"message\": \"done\"}"));
            }
        }

        @Test
        @Requirement({"PROG-002", "PROG-001"})
        void aTokenKeepsItsType() throws Exception {
            try (McpServer server =
                            server(
                                    (none, call) -> {
                                        call.progress(1);
                                        return "";
                                    });
                    Peer peer = Peer.of(server)) {
                peer.call(
                        "tools/call",
                        "{\"name\": \"run\", \"_meta\": {\"progressToken\": \"77\"}}");

                assertThat(
                                peer.next("notifications/progress")
                                        .object("params")
                                        .string("progressToken"))
                        .isEqualTo("77");
            }
        }

        @Test
        @Requirement({"PROG-004"})
        void aReportThatDoesNotRiseIsDropped() throws Exception {
            try (McpServer server =
                            server(
                                    (none, call) -> {
                                        for (double progress :
                                                new double[] {1, 1, 0.5, Double.NaN, 2, 2}) {
                                            call.progress(progress);
                                        }
                                        return "";
                                    });
                    Peer peer = Peer.of(server)) {
                assertThat(reports(peer))
                        .extracting(report -> report.number("progress"))
                        .containsExactly(1.0, 2.0);
            }
        }

        @Test
        @Requirement({"PROG-007", "PROG-008"})
        void withoutATokenNothingIsSent() throws Exception {
            try (McpServer server =
                            server(
                                    (none, call) -> {
                                        call.progress(1);
                                        return "";
                                    });
                    Peer peer = Peer.of(server)) {
                peer.callTool("run", "{}");

                assertThat(peer.rest()).isEmpty();
            }
        }

        @Test
        @Requirement({"PROG-011", "PROG-007"})
        void nothingIsSentAfterTheCallHasEnded() throws Exception {
            AtomicReference<Call> kept = new AtomicReference<>();
            try (McpServer server =
                            server(
                                    (none, call) -> {
                                        kept.set(call);
                                        return "";
                                    });
                    Peer peer = Peer.of(server)) {
                peer.startTool("run", "{}").response();

                kept.get().progress(1);
                kept.get().log(LoggingLevel.ERROR, "late");
                kept.get().notify("x/y", null);

                assertThat(peer.rest()).isEmpty();
            }
        }

        @Test
        @Requirement("PROG-012")
        void aFloodIsCutButNeverItsEnd() throws Exception {
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .maxNotificationsPerSecond(5)
                                    .tool("run", "Tested", NoInput.class, String.class)
                                    .handle(
                                            (none, call) -> {
                                                for (int i = 1; i <= 10_000; i++) {
                                                    call.progress(i, 10_000);
                                                }
                                                return "";
                                            })
                                    .build(new ManualTimers());
                    Peer peer = Peer.of(server)) {
                List<JsonObject> reports = reports(peer);

                assertThat(reports).hasSize(6);
                assertThat(reports.get(reports.size() - 1).number("progress")).isEqualTo(10_000);
            }
        }

        @Test
        @Requirement("VERS-010")
        void theOldestRevisionGetsNoMessage() throws Exception {
            try (McpServer server =
                            server(
                                    (none, call) -> {
                                        call.progress(1, 2, "half");
                                        return "";
                                    });
                    Peer peer = Peer.of(server, Revision.V2024_11_05, "{}")) {
                assertThat(reports(peer))
                        .containsExactly(
                                json("{\"progressToken\": 77, \"progress\": 1, \"total\": 2}"));
            }
        }
    }

    @Nested
    class Logging {
        private McpServer logging(McpServer.Builder builder) {
            return builder.tool("run", "Tested", NoInput.class, String.class)
                    .handle(
                            (none, call) -> {
                                for (LoggingLevel level : LoggingLevel.values()) {
                                    call.log(level, "x");
                                }
                                return "";
                            })
                    .build();
        }

        private List<String> levels(Peer peer) throws Exception {
            peer.callTool("run", "{}");
            return peer.rest().stream()
                    .map(message -> message.object("params").string("level"))
                    .toList();
        }

        @Test
        @Requirement({"LOG-006", "ROOM-077", "LOG-002"})
        void beforeTheClientChoosesInfoIsTheLeast() throws Exception {
            try (McpServer server = logging(McpServer.named("s", "1"));
                    Peer peer = Peer.of(server)) {
                assertThat(levels(peer))
                        .containsExactly(
                                "info",
                                "notice",
                                "warning",
                                "error",
                                "critical",
                                "alert",
                                "emergency");
            }
        }

        @Test
        @Requirement("LOG-006")
        void theServerMayChooseAnotherDefault() throws Exception {
            try (McpServer server =
                            logging(McpServer.named("s", "1").loggingLevel(LoggingLevel.ALERT));
                    Peer peer = Peer.of(server)) {
                assertThat(levels(peer)).containsExactly("alert", "emergency");
            }
        }

        @Test
        @Requirement({"LOG-003", "LOG-005"})
        void theLevelHoldsForItsSessionAlone() throws Exception {
            try (McpServer server = logging(McpServer.named("s", "1"));
                    Peer one = Peer.of(server);
                    Peer other = Peer.of(server)) {
                assertThat(one.call("logging/setLevel", "{\"level\": \"critical\"}"))
                        .isEqualTo(JsonObject.EMPTY);
                assertThat(other.call("logging/setLevel", "{\"level\": \"debug\"}"))
                        .isEqualTo(JsonObject.EMPTY);

                assertThat(levels(one)).containsExactly("critical", "alert", "emergency");
                assertThat(levels(other)).hasSize(8);
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"level\": \"loud\"}",
                    "{\"level\": \"INFO\"}",
                    "{\"level\": 1}",
                    "{}"
                })
        @Requirement({"LOG-007", "ERR-013"})
        void aLevelThatDoesNotExistIsAnInvalidParameter(String params) throws Exception {
            try (McpServer server = logging(McpServer.named("s", "1"));
                    Peer peer = Peer.of(server)) {
                assertThat(Peer.code(peer.error("logging/setLevel", params))).isEqualTo(-32602);
            }
        }

        @Test
        @Requirement({"LOG-004", "LOG-011"})
        void anyJsonCanBeLogged() throws Exception {
            try (McpServer server =
                            server(
                                    (none, call) -> {
                                        call.log(
                                                LoggingLevel.ERROR,
                                                "db",
                                                JsonObject.of("port", 5432));
                                        return "";
                                    });
                    Peer peer = Peer.of(server)) {
                peer.callTool("run", "{}");

                assertThat(peer.next("notifications/message").object("params"))
                        .isEqualTo(
                                json(
                                        "{\"level\": \"error\", \"logger\": \"db\", \"data\":"
                                                + " {\"port\": 5432}}"));
            }
        }

        @Test
        @Requirement("LOG-008")
        void aFloodIsCut() throws Exception {
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .maxNotificationsPerSecond(5)
                                    .tool("run", "Tested", NoInput.class, String.class)
                                    .handle(
                                            (none, call) -> {
                                                for (int i = 0; i < 10_000; i++) {
                                                    call.log(LoggingLevel.INFO, "x");
                                                }
                                                return "";
                                            })
                                    .build(new ManualTimers());
                    Peer peer = Peer.of(server)) {
                peer.callTool("run", "{}");

                assertThat(peer.rest()).hasSize(5);
            }
        }
    }

    @Test
    void aNotificationOfOnesOwnReachesTheSessionOfTheCall() throws Exception {
        try (McpServer server =
                        server(
                                (none, call) -> {
                                    call.notify("notifications/tools/list_changed", null);
                                    call.notify("x/y", JsonObject.of("a", 1));
                                    return "";
                                });
                Peer peer = Peer.of(server)) {
            peer.callTool("run", "{}");

            assertThat(peer.next("notifications/tools/list_changed").has("params")).isFalse();
            assertThat(peer.next("x/y").object("params")).isEqualTo(json("{\"a\": 1}"));
        }
    }

    @Test
    void aHandlerSeesTheDetailsOfItsCall() throws Exception {
        AtomicReference<String> seen = new AtomicReference<>("");
        try (McpServer server =
                        server(
                                (none, call) -> {
                                    seen.set(
                                            call.method()
                                                    + " "
                                                    + call.client().orElseThrow().name()
                                                    + " "
                                                    + call.revision()
                                                    + " "
                                                    + call.meta()
                                                    + " "
                                                    + call.caller()
                                                    + " "
                                                    + call.headers("Host")
                                                    + " "
                                                    + call.isCancelled());
                                    return "";
                                });
                Peer peer = Peer.of(server)) {
            peer.call(
                    "tools/call",
                    "{\"name\": \"run\", \"_meta\": {\"progressToken\": 1, \"a/b\": 2}}");

            assertThat(seen.get())
                    .isEqualTo("tools/call peer 2025-11-25 {\"a/b\":2} anonymous [] false");
        }
    }

    @Test
    @Requirement({"CANC-007", "CANC-012", "ROOM-041"})
    void aCancelledHandlerLearnsWhy() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicReference<String> reason = new AtomicReference<>();
        try (McpServer server =
                        server(
                                (none, call) -> {
                                    started.countDown();
                                    try {
                                        new CountDownLatch(1).await();
                                    } finally {
                                        reason.set(
                                                call.isCancelled()
                                                        + " "
                                                        + call.cancellationReason().orElse("?"));
                                        stopped.countDown();
                                    }
                                    return "";
                                });
                Peer peer = Peer.of(server)) {
            Pending call = peer.startTool("run", "{}");
            started.await();

            peer.notify(
                    "notifications/cancelled",
                    "{\"requestId\": %s, \"reason\": \"enough\"}".formatted(call.id()));

            stopped.await();
            assertThat(reason.get()).isEqualTo("true enough");
            assertThat(peer.rest()).isEmpty();
        }
    }

    @Test
    void whatMustNotBeInterruptedIsInterruptedAfterwards() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicReference<String> seen = new AtomicReference<>("");
        CountDownLatch done = new CountDownLatch(1);
        try (McpServer server =
                        server(
                                (none, call) -> {
                                    int value =
                                            call.uncancellable(
                                                    () -> {
                                                        started.countDown();
                                                        mayEnd.await();
                                                        return 7;
                                                    });
                                    seen.set(value + " " + Thread.currentThread().isInterrupted());
                                    done.countDown();
                                    return "";
                                });
                Peer peer = Peer.of(server)) {
            Pending call = peer.startTool("run", "{}");
            started.await();
            call.cancel();
            peer.rest(); // the cancellation has been taken
            mayEnd.countDown();

            done.await();
            assertThat(seen.get()).isEqualTo("7 true");
        }
    }
}
