package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.Test;

/** The client with a server of three tools in the same process. */
class ClientTest {
    record Person(String name) {}

    record Numbers(int a, int b) {}

    private static McpServer server() {
        return McpServer.named("test", "1.0.0")
                .tool("greet", "Greets a person by name", Person.class, String.class)
                .handle((person, call) -> "Hello, " + person.name() + "!")
                .tool("add", "Adds two numbers", Numbers.class, Integer.class)
                .handle((numbers, call) -> numbers.a() + numbers.b())
                .tool("multiply", "Multiplies two numbers", Numbers.class, Integer.class)
                .handle((numbers, call) -> numbers.a() * numbers.b())
                .build();
    }

    @Test
    void eachToolHasALine() throws Exception {
        try (McpServer server = server();
                McpClient client = Client.client().connect(server.inProcess())) {
            assertThat(Client.list(client))
                    .hasLineCount(3)
                    .contains("greet: Greets a person by name", "add: ", "multiply: ");
        }
    }

    @Test
    void toolsAreCalled() throws Exception {
        try (McpServer server = server();
                McpClient client = Client.client().connect(server.inProcess())) {
            assertThat(Client.call(client, "greet", JsonObject.of("name", "Ada")))
                    .isEqualTo("Hello, Ada!");
            assertThat(Client.call(client, "add", JsonObject.of("a", 1, "b", 2))).isEqualTo("3");
            assertThat(Client.call(client, "multiply", JsonObject.of("a", 2, "b", 3)))
                    .isEqualTo("6");
        }
    }
}
