package dev.fairlead.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** Classes of a named module that opens nothing. */
class NamedModuleTest {
    private static final String MODULE_PATH =
            Arrays.stream(System.getProperty("java.class.path").split(":"))
                    .filter(entry -> !entry.contains("test-classes") && !entry.contains("junit"))
                    .collect(Collectors.joining(":"));

    @TempDir Path directory;

    @Test
    void packagePrivateRecordsWorkWithoutOpens() throws Exception {
        Compiled compiled =
                Compiled.of(
                        directory,
                        Map.of(
                                "module-info.java",
                                """
                                module app {
                                    requires dev.fairlead.server;
                                    requires dev.fairlead.client;
                                }
                                """,
                                "library/Library.java",
                                Samples.text("library/Library.java"),
                                "library/Main.java",
                                Samples.text("module/Main.java")),
                        "--module-path",
                        MODULE_PATH);

        assertThat(compiled.messages()).isEmpty();
        assertThat(run("app/library.Main"))
                .isEqualTo(
                        """
                        module app
                        [{"isbn":"200","title":"Knots at sea","tone":"STRICT"}]
                        {"isbn":"100","title":"Ropes & knots"}
                        """);
    }

    @Test
    void aPublicClassHasAPublicDeclarationThatCompilesWithoutWarnings() {
        Compiled compiled =
                Compiled.of(
                        directory,
                        Map.of(
                                "module-info.java",
                                "/** Greets. */ module app { exports app; requires transitive"
                                        + " dev.fairlead.server; }",
                                "app/Greeter.java",
                                """
                                package app;

                                import dev.fairlead.server.annotation.McpTool;

                                /** Greets. */
                                public interface Greeter {
                                    /** Greets. */
                                    @McpTool
                                    default String greet(String name) {
                                        return "Hello, " + name;
                                    }
                                }
                                """),
                        "--module-path",
                        MODULE_PATH);

        assertThat(compiled.messages()).isEmpty();
        assertThat(compiled.generated("app/GreeterMcp.java"))
                .contains("public final class GreeterMcp")
                .contains("public static Consumer<Features<?>> of(Greeter greeter)")
                .doesNotContain("Generated");
    }

    private String run(String main) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                ChildJvm.program("java"),
                                "--module-path",
                                directory.resolve("classes") + ":" + MODULE_PATH,
                                "-m",
                                main)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return out;
    }
}
