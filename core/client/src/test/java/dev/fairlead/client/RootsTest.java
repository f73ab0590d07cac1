package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** The roots of a client. */
final class RootsTest {
    private final FakeServer server = new FakeServer();

    private JsonObject listRoots() throws InterruptedException {
        server.send("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"roots/list\"}");
        return server.response(1);
    }

    @Test
    @Requirement({"ROOT-001", "ROOT-002", "ROOT-003"})
    void rootsAreListed() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1")
                        .roots(new Root("file:///home/ada").withName("Home"))
                        .connect(server)) {
            assertThat(listRoots().get("result"))
                    .isEqualTo(
                            json(
                                    "{\"roots\": [{\"uri\": \"file:///home/ada\", \"name\":"
                                            + " \"Home\"}]}"));
            assertThat(client.revision()).isNotNull();
        }
    }

    @Test
    @Requirement({"ROOT-004", "ROOM-080"})
    void newRootsAreNotifiedAndListed() throws Exception {
        try (McpClient client = McpClient.named("desk", "1").roots().connect(server)) {
            client.replaceRoots(new Root("file:///b"));
            assertThat(server.next())
                    .isEqualTo(
                            json(
                                    "{\"jsonrpc\": \"2.0\", \"method\":"
                                            + " \"notifications/roots/list_changed\"}"));
            assertThat(listRoots().get("result"))
                    .isEqualTo(json("{\"roots\": [{\"uri\": \"file:///b\"}]}"));
        }
    }

    @Test
    @Requirement("N26-ROOT-001")
    void newRootsAreNotNotifiedWithoutAHandshake() throws Exception {
        server.on(
                "server/discover",
                """
                {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                 "capabilities": {"tools": {}}}\
                """);
        try (McpClient client = McpClient.named("desk", "1").roots().connect(server)) {
            assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
            client.replaceRoots(new Root("file:///b"));
            client.rootsChanged();
            server.expectNothing();

            server.on("tools/call", this::result);
            assertThat(client.callTool("where", JsonObject.EMPTY).text()).isEqualTo("file:///b");
        }
    }

    /** Asks for the roots, and names the first one. */
    private String result(JsonObject params) {
        if (!params.has("inputResponses")) {
            return """
            {"resultType": "input_required", "requestState": "s",
             "inputRequests": {"r": {"method": "roots/list"}}}\
            """;
        }
        JsonArray roots =
                (JsonArray) params.object("inputResponses").object("r").members().get("roots");
        return """
        {"resultType": "complete", "content": [{"type": "text", "text": "%s"}]}\
        """
                .formatted(((JsonObject) roots.elements().getFirst()).string("uri"));
    }

    @Test
    void aLazyClientSendsNoRootChangeBeforeItConnects() throws Exception {
        try (McpClient client = McpClient.named("desk", "1").roots().lazy().connect(server)) {
            client.replaceRoots(new Root("file:///b"));
            assertThat(server.connections).hasValue(0);
        }
    }

    @Test
    @Requirement("ROOT-004")
    void aHandlerSaysTheRootsOfTheMoment() throws Exception {
        List<Root> roots = new java.util.concurrent.CopyOnWriteArrayList<>();
        try (McpClient client = McpClient.named("desk", "1").onRoots(() -> roots).connect(server)) {
            assertThat(listRoots().get("result")).isEqualTo(json("{\"roots\": []}"));
            roots.add(new Root("file:///c"));
            client.rootsChanged();
            server.next("notifications/roots/list_changed");
            assertThat(listRoots().get("result"))
                    .isEqualTo(json("{\"roots\": [{\"uri\": \"file:///c\"}]}"));
            assertThatThrownBy(() -> client.replaceRoots())
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @Requirement({"ROOT-003", "ROOT-007", "N26-ROOT-002"})
    @ValueSource(
            strings = {
                "file:///home/../etc",
                "file:///home/%2e%2e/etc",
                "file:///home/%2E./etc",
                "file:///a%2f..%2fb"
            })
    void aRootThatClimbsIsRefused(String uri) {
        assertThatThrownBy(() -> McpClient.named("desk", "1").roots(new Root(uri)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a root must not climb up by .. but was " + uri);
    }

    @Test
    @Requirement({"ROOT-005", "ERR-005", "ERR-008"})
    void withoutRootsTheMethodIsUnknown() throws Exception {
        try (McpClient client = McpClient.connect(server)) {
            assertThat(listRoots().object("error").integer("code")).isEqualTo(-32601);
            assertThatThrownBy(client::rootsChanged).isInstanceOf(IllegalStateException.class);
            server.expectNothing();
        }
    }

    @Test
    @Requirement({"ROOT-005", "ERR-022"})
    void aHandlerThatFailsIsAnInternalError() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1")
                        .onRoots(
                                () -> {
                                    throw new java.io.IOException("disk");
                                })
                        .connect(server)) {
            assertThat(listRoots().object("error").integer("code")).isEqualTo(-32603);
            assertThat(client.revision()).isNotNull();
        }
    }
}
