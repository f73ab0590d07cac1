package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.group.McpClients;
import dev.fairlead.client.group.ServerState;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.shared.Rebinding;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A group of servers over HTTP: one of requests without a session, and one of sessions. */
@Timeout(120)
class GroupOfErasTest {
    record Name(String name) {}

    private final McpServer fresh = server("fresh", Revision.V2026_07_28);
    private final McpServer older = server("older", Revision.V2025_11_25);
    private HttpServing freshPort;
    private HttpServing olderPort;
    private McpClients group;

    private static McpServer server(String name, Revision revision) {
        return McpServer.named(name, "1")
                .revisions(revision, revision)
                .tool(name + "_greet", "Asks for a name, and greets", NoInput.class, String.class)
                .handle(
                        (none, call) ->
                                name
                                        + " greets "
                                        + call.elicit("Your name?", Name.class)
                                                .orElseThrow()
                                                .name())
                .tool("plain", "Returns the name of its server", NoInput.class, String.class)
                .handle((none, call) -> name)
                .resource("state://" + name, "state", String.class)
                .handle((request, call) -> name)
                .build();
    }

    @BeforeEach
    void connect() throws InterruptedException {
        freshPort = Rebinding.serveOnOwnPort(fresh);
        olderPort = Rebinding.serveOnOwnPort(older);
        group =
                McpClients.named("group", "1")
                        .server("fresh", Http.to(freshPort.uri()))
                        .server("older", Http.to(olderPort.uri()))
                        .clientDefaults(
                                (server, client) ->
                                        client.onElicitForm(
                                                form ->
                                                        Answer.accept(
                                                                JsonObject.of("name", server))))
                        .connect();
        assertThat(group.awaitConnected("fresh", Duration.ofSeconds(60))).isTrue();
        assertThat(group.awaitConnected("older", Duration.ofSeconds(60))).isTrue();
    }

    @AfterEach
    void close() {
        group.close();
        fresh.close();
        older.close();
    }

    private static String text(CallToolResult result) {
        return result.content().get(0).toString();
    }

    private List<String> tools() {
        return group.tools().stream().map(tool -> tool.definition().name()).toList();
    }

    @Test
    void eachServerIsSpokenToInItsOwnRevision() throws Exception {
        assertThat(group.server("fresh").revision()).isEqualTo(Revision.V2026_07_28);
        assertThat(group.server("older").revision()).isEqualTo(Revision.V2025_11_25);
        assertThat(tools())
                .containsExactlyInAnyOrder(
                        "fresh_greet", "fresh.plain", "older_greet", "older.plain");
        assertThat(text(group.callTool("fresh.plain", JsonObject.EMPTY))).contains("fresh");
        assertThat(text(group.callTool("older.plain", JsonObject.EMPTY))).contains("older");
    }

    @Test
    void questionsReachTheHandlersOfTheGroup() throws Exception {
        assertThat(text(group.callTool("fresh_greet", JsonObject.EMPTY)))
                .contains("fresh greets fresh");
        assertThat(text(group.callTool("older_greet", JsonObject.EMPTY)))
                .contains("older greets older");
    }

    @Test
    void changesOfBothServersArrive() throws Exception {
        Set<String> updated = ConcurrentHashMap.newKeySet(); // one may be reported twice
        for (McpServer server : List.of(fresh, older)) {
            server.update(
                    changes ->
                            changes.tool(
                                            "added_by_" + name(server),
                                            "Is new",
                                            NoInput.class,
                                            String.class)
                                    .handle((none, call) -> ""));
        }
        await().untilAsserted(
                        () -> assertThat(tools()).contains("added_by_fresh", "added_by_older"));

        try (var ofFresh = group.watch("state://fresh", updated::add);
                var ofOlder = group.watch("state://older", updated::add)) {
            fresh.resourceUpdated("state://fresh");
            older.resourceUpdated("state://older");
            await().untilAsserted(
                            () ->
                                    assertThat(updated)
                                            .containsExactlyInAnyOrder(
                                                    "state://fresh", "state://older"));
            assertThat(List.of(ofFresh.uri(), ofOlder.uri())).doesNotHaveDuplicates();
        }
    }

    private String name(McpServer server) {
        return server == fresh ? "fresh" : "older";
    }

    @Test
    void aServerThatStartsAgainWithAnOlderRevisionIsFoundOutAgain() throws Exception {
        int port = freshPort.port();
        fresh.close();
        try (McpServer changed = server("fresh", Revision.V2025_11_25)) {
            Rebinding.serve(changed, Http.port(port));

            awaitRevision("fresh", Revision.V2025_11_25);
            assertThat(text(group.callTool("older.plain", JsonObject.EMPTY))).contains("older");
        }
    }

    @Test
    void aServerThatStartsAgainWithoutSessionsIsFoundOutByTheRequestThatItRefuses()
            throws Exception {
        int port = olderPort.port();
        older.close();
        try (McpServer changed = server("older", Revision.V2026_07_28)) {
            Rebinding.serve(changed, Http.port(port));

            awaitRevision("older", Revision.V2026_07_28);
            changed.update(
                    changes ->
                            changes.tool("added", "Is new", NoInput.class, String.class)
                                    .handle((none, call) -> ""));
            await().untilAsserted(() -> assertThat(tools()).contains("added"));
        }
    }

    /** Calls are refused until the group has found out. */
    private void awaitRevision(String server, Revision revision) {
        await().ignoreExceptions()
                .untilAsserted(
                        () -> {
                            assertThat(text(group.callTool(server + "_greet", JsonObject.EMPTY)))
                                    .contains(server + " greets " + server);
                            assertThat(group.server(server).revision()).isEqualTo(revision);
                        });
        assertThat(group.status(server).state()).isEqualTo(ServerState.CONNECTED);
    }
}
