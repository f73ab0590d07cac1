package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.examples.Hello.Person;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

class HelloTest {
    /** The revisions of a server of each era. */
    static Stream<Arguments> eras() {
        return Stream.of(
                        new Revision[] {Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE},
                        new Revision[] {Revision.V2026_07_28})
                .map(revisions -> Arguments.of((Object) revisions));
    }

    private static String[] program(Class<?> main, String... arguments) {
        return ChildJvm.command(main, arguments).toArray(String[]::new);
    }

    @ParameterizedTest
    @MethodSource("eras")
    void greets(Revision... revisions) throws Exception {
        try (McpServer server = Hello.server().revisions(revisions).build();
                McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(client.revision()).isEqualTo(revisions[revisions.length - 1]);
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

    @ParameterizedTest
    @MethodSource("eras")
    void theClientListsTheToolsAndIsGreeted(Revision... revisions) throws Exception {
        try (McpServer server = Hello.server().revisions(revisions).build();
                HttpServing serving = server.serve(Http.port(0))) {
            String[] url = {serving.uri().toString()};
            Captured<Integer> client =
                    Captured.of(
                            "",
                            () -> {
                                HelloClient.main(url);
                                return 0;
                            });

            assertThat(client.out())
                    .isEqualToNormalizingNewlines("greet: Greets a person by name\nHello, Ada!\n");
        }
    }
}
