package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/** An answer, a notification and a log message of each era reach their own client alone. */
class ErasApartTest {
    private static final String META =
            """
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                      "io.modelcontextprotocol/clientCapabilities": {},
                      "io.modelcontextprotocol/clientInfo": {"name": "peer", "version": "1"}%s}\
            """;

    private static final List<String> OF_THE_LIBRARY =
            List.of("notifications/cancelled", "notifications/progress", "notifications/message");

    record Nothing() {}

    private final ManualTimers timers = new ManualTimers();

    /** A server whose tool sends everything that a handler can send. */
    private McpServer noisy() {
        McpServer[] server = new McpServer[1];
        server[0] =
                McpServer.named("s", "1")
                        .resource("a://one", "one", String.class)
                        .handle((uri, call) -> "1")
                        .tool("noisy", "Sends all there is", Nothing.class, String.class)
                        .handle(
                                (nothing, call) -> {
                                    call.log(LoggingLevel.ERROR, "log");
                                    call.progress(1, 1);
                                    Notifications.ALL.stream()
                                            .map(known -> known.name())
                                            .filter(name -> !OF_THE_LIBRARY.contains(name))
                                            .forEach(name -> call.notify(name, JsonObject.EMPTY));
                                    call.notify("x/own", null);
                                    server[0].resourceUpdated("a://one");
                                    server[0].update(
                                            features ->
                                                    features.tool(
                                                                    "other",
                                                                    "Another",
                                                                    Nothing.class,
                                                                    String.class)
                                                            .handle((none, other) -> ""));
                                    return "done";
                                })
                        .build(timers);
        return server[0];
    }

    private static String call(String more) {
        return "{\"name\": \"noisy\", \"arguments\": {}, " + META.formatted(more) + "}";
    }

    /** Returns the received messages, with a change of a list that was still to be announced. */
    private List<String> rest(Peer peer) throws Exception {
        timers.advance(Duration.ofSeconds(1));
        return peer.rest().stream().map(message -> message.string("method")).toList();
    }

    @Test
    @Requirement("N26-SUB-012")
    void aClientWithoutHandshakeAndSubscriptionGetsNothingButWhatItsRequestSends()
            throws Exception {
        try (McpServer server = noisy();
                Peer peer = Peer.raw(server);
                Peer other = Peer.raw(server)) {
            peer.call("server/discover", "{" + META.formatted("") + "}");
            assertThat(Peer.text(peer.call("tools/call", call("")))).isEqualTo("done");

            assertThat(rest(peer)).containsExactly("x/own");
            assertThat(rest(other)).isEmpty();
        }
    }

    @Test
    void aLogMessageAndProgressComeOnlyWhereTheRequestAsksForThem() throws Exception {
        try (McpServer server = noisy();
                Peer peer = Peer.raw(server)) {
            peer.call("tools/call", call(", \"io.modelcontextprotocol/logLevel\": \"error\""));
            assertThat(rest(peer)).containsExactly("notifications/message", "x/own");

            peer.call("tools/call", call(", \"progressToken\": 7"));
            assertThat(rest(peer)).containsExactly("notifications/progress", "x/own");
        }
    }

    @Test
    void aSubscriptionGetsItsKindsAndARequestBesideItNone() throws Exception {
        try (McpServer server = noisy();
                Peer peer = Peer.raw(server)) {
            peer.sendUnanswered(
                    "subscriptions/listen",
                    "{\"notifications\": {\"toolsListChanged\": true}, "
                            + META.formatted("")
                            + "}");
            peer.next("notifications/subscriptions/acknowledged");
            peer.call("tools/call", call(""));

            timers.advance(Duration.ofSeconds(1));
            assertThat(
                            peer.next("notifications/tools/list_changed")
                                    .object("params")
                                    .object("_meta")
                                    .has("io.modelcontextprotocol/subscriptionId"))
                    .isTrue();
            assertThat(rest(peer)).containsExactly("x/own");
        }
    }

    @Test
    void aSessionBesideRequestsOfTheOtherEraGetsItsOwnAlone() throws Exception {
        try (McpServer server = noisy();
                Peer peer = Peer.of(server);
                Peer session = Peer.of(server)) {
            session.call("logging/setLevel", "{\"level\": \"debug\"}");
            session.call("resources/subscribe", "{\"uri\": \"a://one\"}");
            peer.call("logging/setLevel", "{\"level\": \"debug\"}");

            peer.call("tools/call", call(""));

            timers.advance(Duration.ofSeconds(1));
            for (Peer with : List.of(peer, session)) {
                with.next("notifications/tools/list_changed");
            }
            session.next("notifications/resources/updated");
            assertThat(rest(peer)).containsExactly("x/own");
            assertThat(rest(session)).isEmpty();
        }
    }
}
