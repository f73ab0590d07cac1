package dev.fairlead.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tools.Tool;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.Arrays;

/** Servers of the configuration, each with a client as a bean. */
@Timeout(600)
final class ClientsTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class User {
        @Bean
        String greeting(@Qualifier("greeter") McpClient greeter) throws InterruptedException {
            return greeter.tool("greet", JsonObject.class, String.class)
                    .call(JsonObject.of("name", "Ada"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Empty {}

    private static ConfigurableApplicationContext server;

    @BeforeAll
    static void start() {
        server = Apps.web(ServerTest.Demo.class);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A variable FAIRLEAD of the environment is such a property. */
    @Test
    void aPropertyThatIsCalledFairleadChangesNothing() {
        Apps.plain(Empty.class, "fairlead=/opt/fairlead").close();
    }

    @Test
    void aServerAtAUrlHasAClient() {
        try (ConfigurableApplicationContext application =
                Apps.plain(
                        User.class, "fairlead.clients.greeter.url=" + Apps.url(server, "/mcp"))) {
            assertThat(application.getBean("greeting")).isEqualTo("Hello, Ada!");
        }
    }

    @Test
    void aProgramHasAClient() throws Exception {
        String java = ProcessHandle.current().info().command().orElseThrow();
        try (ConfigurableApplicationContext application =
                Apps.plain(
                        Empty.class,
                        "fairlead.clients.child.command[0]=" + java,
                        "fairlead.clients.child.command[1]=-cp",
                        "fairlead.clients.child.command[2]="
                                + System.getProperty("java.class.path"),
                        "fairlead.clients.child.command[3]=" + Child.class.getName())) {
            McpClient client = application.getBean("childMcpClient", McpClient.class);
            assertThat(client.tools()).extracting(Tool::name).containsExactly("greet");
        }
    }

    @Test
    void aServerThatIsNotThereEndsTheStartUnlessItIsLazy() {
        String url = "fairlead.clients.away.url=http://127.0.0.1:1/mcp";
        assertThatThrownBy(() -> Apps.plain(Empty.class, url))
                .hasMessageContaining("awayMcpClient");
        Apps.plain(Empty.class, url, "fairlead.clients.away.lazy=true").close();
    }

    @Test
    void aServerNeedsOneWayToIt() {
        assertThatThrownBy(() -> Apps.plain(Empty.class, "fairlead.clients.odd.lazy=true"))
                .rootCause()
                .hasMessage("fairlead.clients.odd needs either url or command");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "url=ftp://127.0.0.1/mcp | url cannot be used: an MCP endpoint must be an absolute"
                        + " http or https URL",
                "url=http://127.0.0.1:1/mcp headers.mcp-session-id=x | headers.mcp-session-id"
                        + " cannot be used: the header mcp-session-id is set by the protocol",
                "url=http://127.0.0.1:1/mcp headers.[A:B]=x | headers.A:B cannot be used: invalid"
                        + " header name: \"A:B\"",
                "command=true directory=/missing/folder | directory must be a directory but was"
                        + " /missing/folder",
                "url=http://127.0.0.1:1/mcp request-timeout=99999999h | request-timeout must be at"
                        + " most 876000 h but was 99999999 h"
            })
    void aPropertyThatCannotBeUsedIsNamed(String properties, String problem) {
        String[] all =
                Arrays.stream(properties.split(" "))
                        .map(property -> "fairlead.clients.odd." + property)
                        .toArray(String[]::new);
        assertThatThrownBy(() -> Apps.plain(Empty.class, all))
                .hasStackTraceContaining("fairlead.clients.odd." + problem);
    }
}
