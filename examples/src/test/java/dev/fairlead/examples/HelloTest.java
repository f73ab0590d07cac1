package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.examples.Hello.Person;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

class HelloTest {
    private static String[] program(Class<?> main, String... arguments) {
        return ChildJvm.command(main, arguments).toArray(String[]::new);
    }

    @Test
    void greets() throws Exception {
        try (McpClient client = McpClient.connect(Hello.server().build().inProcess())) {
            assertThat(client.tool("greet", Person.class, String.class).call(new Person("Ada")))
                    .isEqualTo("Hello, Ada!");
        }
    }

    @Test
    void theProgramServesOverStdio() throws Exception {
        try (McpClient client = McpClient.connect(Stdio.command(program(Hello.class)))) {
            assertThat(client.tool("greet", Person.class, String.class).call(new Person("Ada")))
                    .isEqualTo("Hello, Ada!");
        }
    }

    @Test
    void theClientListsTheToolsAndIsGreeted() throws Exception {
        try (McpServer server = Hello.server().build();
                HttpServing serving = server.serve(Http.port(0))) {
            Process client =
                    new ProcessBuilder(program(HelloClient.class, serving.uri().toString()))
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            String output =
                    new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(output)
                    .isEqualToNormalizingNewlines("greet: Greets a person by name\nHello, Ada!\n");
            assertThat(client.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(client.exitValue()).isZero();
        }
    }
}
