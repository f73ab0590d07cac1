package dev.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.servlet.Container.Running;
import dev.fairlead.servlet.Wire.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The endpoint in a container, seen by a client. */
@ParameterizedClass
@EnumSource(Container.class)
@Timeout(60)
class McpServletTest extends ServletTest {
    @Test
    void aCallIsAnsweredWithJson() throws Exception {
        Running running = serve(ENDPOINT);
        String id = session(running, "/mcp");

        Answer answer = post(running, "/mcp", call(1, "echo", "{\"a\":1}"), SESSION, id);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.body()).contains("\"structuredContent\":{\"a\":1}");
    }

    @Test
    void aConnectionIsUsedAgain() throws Exception {
        Running running = serve(ENDPOINT);
        String id = session(running, "/mcp");
        Wire wire = wire(running);

        for (int i = 0; i < 80; i++) {
            String body = call(i, "echo", "{\"i\":" + i + "}");
            assertThat(wire.send("POST", "/mcp", body, SESSION, id).answer().body())
                    .contains("\"structuredContent\":{\"i\":" + i + "}");
        }
    }

    @Test
    void largeMessagesGoThroughBothWays() throws Exception {
        Running running = serve(ENDPOINT);
        String id = session(running, "/mcp");
        String text = "x".repeat(4 << 20);

        Answer answer =
                post(running, "/mcp", call(1, "echo", "{\"t\":\"" + text + "\"}"), SESSION, id);

        assertThat(answer.body()).contains(text);
    }

    @Test
    void streamsReachTheirClientAtOnce() throws Exception {
        Running running = serve(ENDPOINT);
        String id = session(running, "/mcp");
        Wire wire = wire(running).send("GET", "/mcp", "", SESSION, id);

        Answer head = wire.head();

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Type")).isEqualTo("text/event-stream");
        assertThat(wire.event().id()).isNotEmpty();
    }
}
