package dev.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpEndpoint;
import dev.fairlead.server.McpServer;
import dev.fairlead.servlet.Container.Application;
import dev.fairlead.servlet.Container.Running;
import dev.fairlead.servlet.Wire.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Map;

/** The URL of the endpoint, by the mapping of the servlet. */
@ParameterizedClass
@EnumSource(Container.class)
@Timeout(60)
class MappingTest extends ServletTest {
    private McpServlet servlet(String name, HttpEndpoint endpoint) {
        return new McpServlet(closedLater(McpServer.named(name, "1").build()), endpoint);
    }

    private String nameAt(Running running, String path) throws Exception {
        Answer answer = post(running, path, initialize());
        if (answer.status() != 200) {
            return "status " + answer.status();
        }
        return answer.body().replaceAll(".*\"serverInfo\":\\{\"name\":\"([^\"]*)\".*", "$1");
    }

    @Test
    void eachServletOfAnApplicationHasItsOwnEndpoint() throws Exception {
        Running running =
                start(
                        Application.of(
                                "/app",
                                Map.of(
                                        "/one", servlet("one", ENDPOINT),
                                        "/two/*", servlet("two", ENDPOINT))));

        assertThat(nameAt(running, "/app/one")).isEqualTo("one");
        assertThat(nameAt(running, "/app/two")).isEqualTo("two");
        assertThat(nameAt(running, "/app/two/mcp")).isEqualTo("two");
        assertThat(nameAt(running, "/app/two/other")).isEqualTo("status 404");
    }

    @Test
    void theServletOfAWholeApplicationAnswersOnlyAtThePathsOfItsEndpoint() throws Exception {
        Running running =
                start(Application.of("", Map.of("/", servlet("whole", ENDPOINT.path("/ai/mcp")))));

        assertThat(nameAt(running, "/ai/mcp")).isEqualTo("whole");
        assertThat(nameAt(running, "/mcp")).isEqualTo("status 404");
        assertThat(nameAt(running, "/")).isEqualTo("status 404");
    }

    @Test
    void legacyClientsReceiveAPostUrlWithinTheApplication() throws Exception {
        Running running =
                start(
                        Application.of(
                                "/app", Map.of("/ai/*", servlet("old", ENDPOINT.legacySse()))));
        Wire wire = wire(running).send("GET", "/app/ai/sse", "");
        wire.head();

        String endpoint = wire.event().data();
        assertThat(endpoint).startsWith("/app/ai/messages?sessionId=");
        assertThat(post(running, endpoint, initialize()).status()).isEqualTo(202);
        assertThat(wire.event().data()).contains("\"serverInfo\"");
    }

    @Test
    void aServletWithoutAsynchronousProcessingSaysWhatItNeeds() throws Exception {
        Running running =
                start(Application.of("", Map.of("/mcp", servlet("sync", ENDPOINT))).notAsync());

        assertThat(post(running, "/mcp", initialize()).status()).isEqualTo(500);
    }

    @Test
    void aSlashAfterTheMappingIsAnsweredWithTheEndpoint() throws Exception {
        Running running =
                start(
                        Application.of(
                                "/app",
                                Map.of(
                                        "/mcp/*", servlet("one", ENDPOINT),
                                        "/two/*", servlet("two", ENDPOINT))));

        assertThat(post(running, "/app/mcp/", initialize()).body())
                .contains("did you mean /app/mcp\"");
        Answer other = post(running, "/app/two/", initialize());
        assertThat(other.status()).isEqualTo(404);
        assertThat(other.body()).contains("did you mean /app/two/mcp\"");
    }
}
