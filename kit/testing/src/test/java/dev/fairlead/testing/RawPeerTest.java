package dev.fairlead.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

@Timeout(300)
class RawPeerTest {
    private final SilentHost host = new SilentHost();

    @Test
    void theOrderOfMembersDoesNotMatter() {
        try (RawPeer peer = RawPeer.client(host)) {
            host.context().send(new JsonRpcRequest(RequestId.of(1), "ask", null));
            peer.expect(
                    """
                    {"method": "ask", "id": 1, "jsonrpc": "2.0"}\
                    """);
        }
    }

    @Test
    void anotherMessageFailsTheTestWithBothTexts() {
        try (RawPeer peer = RawPeer.client(host)) {
            host.context().send(new JsonRpcNotification("two", null));
            assertThatThrownBy(() -> peer.expect("{\"jsonrpc\":\"2.0\",\"method\":\"one\"}"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessage(
                            "expected message\n  {\"jsonrpc\":\"2.0\",\"method\":\"one\"}\n"
                                    + "but came\n  {\"jsonrpc\":\"2.0\",\"method\":\"two\"}");
        }
    }

    @Test
    void somethingWhereNothingIsExpectedFails() {
        McpServer.Builder server = McpServer.named("any", "1");
        try (McpTest test = McpTest.of(server);
                RawPeer peer = test.rawClient()) {
            peer.expectNothing();
            peer.send("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"unknown\"}");
            assertThatThrownBy(peer::expectNothing)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageStartingWith("expected nothing but came\n  {")
                    .hasMessageContaining("\"id\":1");
        }
        try (RawPeer peer = RawPeer.client(host)) {
            host.context().send(new JsonRpcNotification("two", null));
            assertThatThrownBy(() -> peer.expectNothing(Duration.ofSeconds(30)))
                    .isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void aHandshakeThatIsRefusedFailsWithTheAnswer() {
        McpServer.Builder newest = McpServer.named("newest", "1").revisions(Revision.V2026_07_28);
        try (McpTest test = McpTest.of(newest)) {
            assertThatThrownBy(test::rawClient)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageStartingWith("expected the result of initialize but came\n  {")
                    .hasMessageContaining("-32022");
        }
    }

    @Test
    void anyTextIsSentAsItIs() {
        try (RawPeer peer = RawPeer.client(host)) {
            peer.send("no json");
            assertThat(peer.next().object("error").integer("code")).isEqualTo(-32700);
        }
    }

    @Test
    void aServerIsScriptedForAClient() throws Exception {
        RawPeer server = RawPeer.server();
        try (Link link = server.remote().connect(host)) {
            host.context().send(new JsonRpcRequest(RequestId.of("a"), "ask", null));
            server.respond(server.expectRequest("ask"), "{\"x\": 1}");
            assertThat(host.next().toJson())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{\"x\": 1}}");
        }
        server.expectEnd();
    }

    @Test
    void aRequestInAnEnvelopeStatesWhatAServerMustKnowOfItsClient() throws Exception {
        try (RawPeer peer =
                RawPeer.client(host).envelope(Revision.V2026_07_28, "{\"sampling\": {}}")) {
            peer.send(
                    """
                    {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                     "params": {"name": "a", "_meta": {"progressToken": 7,
                       "io.modelcontextprotocol/clientInfo": {"name": "own", "version": "2"}}}}
                    """);
            assertThat(host.next().toJson())
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                                + "{\"name\":\"a\",\"_meta\":{"
                                + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                                + "\"io.modelcontextprotocol/clientCapabilities\":{\"sampling\":{}},"
                                + "\"io.modelcontextprotocol/clientInfo\":"
                                + "{\"name\":\"own\",\"version\":\"2\"},\"progressToken\":7}}}");
        }
    }

    @Test
    void onlyRequestsGetAnEnvelope() throws Exception {
        String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"own/done\"}";
        String request = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"own/ask\"}";
        try (RawPeer peer = RawPeer.client(host).envelope(Revision.V2026_07_28, "{}")) {
            peer.send(notification);
            assertThat(host.next().toJson()).isEqualTo(notification);
            peer.send(request.getBytes(StandardCharsets.UTF_8));
            assertThat(host.next().toJson()).isEqualTo(request);
            peer.send(request);
            assertThat(host.next().toJson()).contains("protocolVersion");
            peer.withoutEnvelope().send(request);
            assertThat(host.next().toJson()).isEqualTo(request);
            peer.envelope(Revision.V2026_07_28, "{}").send("no json");
            assertThat(peer.next().object("error").integer("code")).isEqualTo(-32700);
        }
    }
}
