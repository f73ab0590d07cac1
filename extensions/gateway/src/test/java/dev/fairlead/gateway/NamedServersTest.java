package dev.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.SourcePage;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.testing.RawPeer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A request that a server cannot answer fails for the client with an error that names the server.
 */
@Timeout(300)
final class NamedServersTest extends ClosingTest {
    private static final RequestState KEY = RequestState.keys(List.of(new byte[32]));
    private static final JsonObject YES =
            JsonObject.of("action", "accept", "content", JsonObject.of("ok", true));

    private final AtomicInteger asked = new AtomicInteger();

    record Sure(boolean ok) {}

    /** A server that asks without end, in any revision, and keeps on where it is refused. */
    private McpServer shop(int key) {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) key;
        return closedLater(
                McpServer.named("shop", "1")
                        .requestState(RequestState.keys(List.of(bytes)))
                        .tool("endless", "Asks without end", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    for (int i = 0; i < 30; i++) {
                                        call.elicit("Question " + i + "?", Sure.class);
                                    }
                                    return "never";
                                })
                        .tool(
                                "stubborn",
                                "Asks although it is refused",
                                NoInput.class,
                                String.class)
                        .handle(
                                (none, call) -> {
                                    for (int i = 0; i < 17; i++) {
                                        try {
                                            call.elicit("Question " + i + "?", Sure.class);
                                        } catch (JsonRpcException refused) {
                                            return "gave up";
                                        }
                                    }
                                    return "never";
                                })
                        .resource("shop://known", "known", String.class)
                        .handle((request, call) -> "known")
                        .build());
    }

    private Gateway gateway(McpServer server, Revision newest) {
        return closedLater(
                Gateways.patient()
                        .server(
                                "shop",
                                server.inProcess(),
                                client -> client.revisions(Revision.V2024_11_05, newest))
                        .front(front -> front.requestState(KEY))
                        .build());
    }

    private McpClient client(Remote remote, Revision revision) throws InterruptedException {
        return closedLater(
                McpClient.named("desk", "1")
                        .revisions(revision, revision)
                        .maxRounds(50)
                        .onElicitForm(
                                form -> {
                                    asked.incrementAndGet();
                                    return Answer.accept(JsonObject.of("ok", true));
                                })
                        .connect(remote));
    }

    private static void assertNamesServer(JsonRpcException failure, int code) {
        assertThat(failure).isNotNull();
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure.getMessage()).contains("server shop");
        assertThat(failure.data())
                .isInstanceOfSatisfying(
                        JsonObject.class,
                        data -> assertThat(data.get("server")).isEqualTo(JsonValue.of("shop")));
    }

    private static JsonRpcException failure(ThrowingCall call) {
        return catchThrowableOfType(JsonRpcException.class, call::run);
    }

    private interface ThrowingCall {
        void run() throws Throwable;
    }

    private static InputRequiredResult input(Outcome<?> outcome) {
        return ((Outcome.InputRequired<?>) outcome).input();
    }

    private static Map<String, JsonObject> yes(InputRequiredResult input) {
        return Map.of(input.inputRequests().keySet().iterator().next(), YES);
    }

    @Test
    @Requirement("N26-MRTR-012")
    void aServerThatDoesNotHaveTheStateOfARetryIsNamed() throws Exception {
        CallToolRequest request = new CallToolRequest("endless", JsonObject.EMPTY);
        McpClient before = client(gateway(shop(1), Revision.V2026_07_28).inProcess(), newest());
        InputRequiredResult input = input(before.firstRound(request));
        McpClient after = client(gateway(shop(2), Revision.V2026_07_28).inProcess(), newest());

        JsonRpcException failure =
                failure(() -> after.nextRound(request, yes(input), input.requestState()));

        assertNamesServer(failure, -32602);
        assertThat(failure.getMessage()).contains("Invalid or expired requestState");
        assertThat(((JsonObject) failure.data()).get("reason"))
                .isEqualTo(JsonValue.of("invalid_request_state"));
        assertThat(after.firstRound(request)).isInstanceOf(Outcome.InputRequired.class);
    }

    @Test
    void aServerThatHasChangedItsEraBetweenTwoRoundsIsNamed() throws Exception {
        CallToolRequest request = new CallToolRequest("endless", JsonObject.EMPTY);
        McpClient before = client(gateway(shop(1), Revision.V2026_07_28).inProcess(), newest());
        InputRequiredResult input = input(before.firstRound(request));
        McpClient after = client(gateway(shop(1), Revision.V2025_11_25).inProcess(), newest());

        assertNamesServer(
                failure(() -> after.nextRound(request, yes(input), input.requestState())), -32603);
        assertThat(after.readResource("shop://known").contents()).hasSize(1);
    }

    @Test
    void aServerThatDoesNotStopAskingIsNamed() throws Exception {
        for (Revision server : List.of(Revision.V2025_11_25, Revision.V2026_07_28)) {
            McpClient newest = client(gateway(shop(1), server).inProcess(), newest());
            for (String tool : List.of("endless", "stubborn")) {
                asked.set(0);
                assertNamesServer(failure(() -> newest.callTool(tool, JsonObject.EMPTY)), -32603);
                assertThat(asked).hasValue(16);
            }
            assertThat(newest.readResource("shop://known").contents()).hasSize(1);
        }
        McpClient older =
                client(gateway(shop(1), Revision.V2026_07_28).inProcess(), Revision.V2025_11_25);
        asked.set(0);
        assertNamesServer(failure(() -> older.callTool("endless", JsonObject.EMPTY)), -32603);
        assertThat(asked).hasValue(16);
    }

    /** A server of another make, with a client before the gateway that calls its only tool. */
    @CheckReturnValue
    private CompletableFuture<JsonRpcException> failureOfCall(RawPeer shop) throws Exception {
        Gateway gateway =
                closedLater(
                        Gateways.patient()
                                .server(
                                        "shop",
                                        shop.remote(),
                                        client -> client.revisions(newest(), newest()))
                                .front(front -> front.requestState(KEY))
                                .build());
        McpClient client = client(gateway.inProcess(), newest());
        CompletableFuture<JsonRpcException> failure =
                CompletableFuture.supplyAsync(
                        () -> failure(() -> client.callTool("buy", JsonObject.EMPTY)));
        shop.respond(
                shop.expectRequest("server/discover"),
                """
                {"resultType": "complete", "supportedVersions": ["2026-07-28"], "ttlMs": 0,
                 "cacheScope": "private", "capabilities": {"tools": {}}}\
                """);
        shop.respond(
                shop.expectRequest("tools/list"),
                """
                {"resultType": "complete", "ttlMs": 0, "cacheScope": "private",
                 "tools": [{"name": "buy", "inputSchema": {"type": "object"}}]}\
                """);
        return failure;
    }

    /** Some clients refuse a whole list for one tool that is not valid. */
    @Test
    void aBadToolCostsNoOtherAndWhatIsSentOnIsValid() throws Exception {
        RawPeer shop = closedLater(RawPeer.server());
        Gateway gateway =
                closedLater(
                        Gateways.patient()
                                .server(
                                        "shop",
                                        shop.remote(),
                                        client -> client.revisions(newest(), newest()))
                                .build());
        McpClient client = client(gateway.inProcess(), newest());
        FutureTask<List<Tool>> listed = new FutureTask<>(client::tools);
        Thread.ofVirtual().start(listed);
        shop.respond(
                shop.expectRequest("server/discover"),
                """
                {"resultType": "complete", "supportedVersions": ["2026-07-28"], "ttlMs": 0,
                 "cacheScope": "private", "capabilities": {"tools": []}}\
                """);
        shop.respond(
                shop.expectRequest("tools/list"),
                """
                {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "nextCursor": 7,
                 "tools": [{"name": "bad"}, {"name": "good", "outputSchema": {"type": "list"}, "inputSchema": [], "title": 7},
                  {"name": "php", "inputSchema": {"type": "object", "properties": []}}]}\
                """);

        assertThat(listed.get(60, TimeUnit.SECONDS))
                .containsExactly(
                        new Tool("good", JsonObject.of("type", "object")),
                        new Tool("php", JsonObject.of("type", "object")));
    }

    @Test
    void aServerWithoutABoundOfItsOwnIsNamed() throws Exception {
        RawPeer shop = closedLater(RawPeer.server());
        CompletableFuture<JsonRpcException> failure = failureOfCall(shop);
        for (int i = 0; i < 17; i++) {
            shop.respond(
                    shop.expectRequest("tools/call"),
                    """
                    {"resultType": "input_required", "requestState": "%s", "inputRequests": {"a": {
                     "method": "elicitation/create", "params": {"message": "More?", "requestedSchema":
                     {"type": "object", "properties": {"ok": {"type": "boolean"}}}}}}}\
                    """
                            .formatted(i));
        }

        assertNamesServer(failure.get(60, TimeUnit.SECONDS), -32603);
        assertThat(asked).hasValue(16);
    }

    @Test
    void aServerWhoseAnswerCannotBeReadIsNamed() throws Exception {
        RawPeer shop = closedLater(RawPeer.server());
        CompletableFuture<JsonRpcException> failure = failureOfCall(shop);
        shop.respond(shop.expectRequest("tools/call"), "{\"resultType\": \"unheard-of\"}");

        assertNamesServer(failure.get(60, TimeUnit.SECONDS), -32603);
    }

    @Test
    void aServerWhoseAnswerIsNoMessageIsNamedWithTheReason() throws Exception {
        RawPeer shop = closedLater(RawPeer.server());
        CompletableFuture<JsonRpcException> failure = failureOfCall(shop);
        shop.send(
                "{\"jsonrpc\": \"2.0\", \"id\": %s, \"result\": 7}"
                        .formatted(shop.expectRequest("tools/call").id()));

        JsonRpcException refused = failure.get(60, TimeUnit.SECONDS);
        assertNamesServer(refused, -32603);
        assertThat(refused)
                .hasMessage(
                        "The server shop failed: the answer cannot be read: Invalid"
                                + " request: result must be an object but was a number");
    }

    @Test
    @Requirement("N26-MRTR-009")
    void theStateOfAServerNeverReachesAnotherOne() throws Exception {
        McpServer first =
                closedLater(
                        McpServer.named("first", "1")
                                .resource("first://known", "known", String.class)
                                .handle((request, call) -> "first")
                                .build());
        McpServer shop =
                closedLater(
                        McpServer.named("shop", "1")
                                .requestState(KEY)
                                .resourceSource("x://")
                                .list((cursor, call) -> SourcePage.last(List.of()))
                                .handle(
                                        (request, call) -> {
                                            call.elicit("Sure?", Sure.class).orElseThrow();
                                            return ReadResourceResult.of(
                                                    ResourceContents.text(
                                                            request.uri(), null, "answered"));
                                        })
                                .build());
        Gateway gateway =
                closedLater(
                        Gateways.patient()
                                .server("first", first.inProcess())
                                .server("shop", shop.inProcess())
                                .build());
        McpClient client = client(gateway.inProcess(), newest());
        ReadResourceRequest request = new ReadResourceRequest("x://1");
        InputRequiredResult input = input(client.firstRound(request));

        Outcome<ReadResourceResult> outcome =
                client.nextRound(request, yes(input), input.requestState());

        assertThat(outcome).isInstanceOf(Outcome.Complete.class);
        assertThat(first.refusedRequestStates()).isZero();
        assertThatThrownBy(
                        () ->
                                client.nextRound(
                                        new ReadResourceRequest("x://2"),
                                        yes(input),
                                        input.requestState()))
                .isInstanceOf(JsonRpcException.class);
        assertThat(first.refusedRequestStates()).isZero();
    }

    private static Revision newest() {
        return Revision.V2026_07_28;
    }
}
