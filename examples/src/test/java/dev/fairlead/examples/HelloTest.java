package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.examples.Hello.Person;

import org.junit.jupiter.api.Test;

class HelloTest {
    @Test
    void greets() throws Exception {
        try (McpClient client = McpClient.connect(Hello.server().build().inProcess())) {
            assertThat(client.tool("greet", Person.class, String.class).call(new Person("Ada")))
                    .isEqualTo("Hello, Ada!");
        }
    }
}
