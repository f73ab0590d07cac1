package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.engine.Incident;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The texts of a server that people and models read, and that must not be empty. */
class DescriptionsTest {
    private static McpServer.Builder server() {
        return McpServer.named("s", "1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\t"})
    void anEmptyDescriptionIsRefused(String empty) {
        String chosen =
                " has an empty description: say in a sentence what it does, since models choose"
                        + " by it";
        String optional = " has an empty description: leave description(…) out, or write one";
        assertThatThrownBy(() -> server().tool("t", empty, NoInput.class, String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the tool t" + chosen);
        assertThatThrownBy(() -> server().prompt("p", empty, NoInput.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the prompt p" + chosen);
        var resource = server().resource("a://b", "b", String.class);
        assertThatThrownBy(() -> resource.description(empty))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(optional);
    }

    @Test
    void theTitleOfAServerReachesItsClients() throws Exception {
        try (McpServer server = server().title("A server").build();
                Peer peer = Peer.raw(server)) {
            JsonObject result =
                    peer.call(
                            "initialize",
                            "{\"protocolVersion\": \"2025-11-25\", \"capabilities\": {},"
                                    + " \"clientInfo\": {\"name\": \"c\", \"version\": \"1\"}}");
            assertThat(result.object("serverInfo").string("title")).isEqualTo("A server");
        }
    }

    @Test
    void aHandlerThatReturnsNullIsShownTheWayOut() throws Exception {
        McpServer.Builder builder =
                server().tool("t", "Returns null", NoInput.class, String.class)
                        .handle((none, call) -> null);
        List<String> causes = new CopyOnWriteArrayList<>();
        Handler handler = collecting(causes);
        Logger logger = Logger.getLogger(Incident.class.getName());
        logger.addHandler(handler);
        try (McpServer server = builder.build();
                Peer peer = Peer.of(server)) {
            assertThat(peer.callTool("t", "{}").bool("isError")).isTrue();
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(causes)
                .containsExactly(
                        "the handler returned null: return a value, or declare the output"
                                + " Void.class for a tool that has none");
    }

    private static Handler collecting(List<String> causes) {
        return new Handler() {
            @Override
            public void publish(LogRecord entry) {
                if (entry.getThrown() != null) {
                    causes.add(entry.getThrown().getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }
}
