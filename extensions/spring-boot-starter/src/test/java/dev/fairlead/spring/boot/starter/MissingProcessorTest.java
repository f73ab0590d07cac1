package dev.fairlead.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.tools.ToolProvider;

/** An application with annotations whose build lacks the annotation processor. */
@Timeout(600)
@ExtendWith(OutputCaptureExtension.class)
final class MissingProcessorTest {
    @TempDir Path folder;

    /** An application as a build without the processor compiles it. */
    private Class<?> application(URLClassLoader loader, String feature) throws Exception {
        Path source = Files.createDirectories(folder.resolve("shop")).resolve("Shop.java");
        Files.writeString(
                source,
                """
                package shop;

                import dev.fairlead.server.McpServer;
                import dev.fairlead.server.annotation.*;
                import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
                import org.springframework.context.annotation.*;

                @Configuration(proxyBeanMethods = false)
                @EnableAutoConfiguration
                public class Shop {
                    static class Till {
                        /** Adds. */
                        %s
                    }

                    @Bean
                    Till till() {
                        return new Till();
                    }
                }
                """
                        .formatted(feature));
        String classPath =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-cp",
                                classPath,
                                "-d",
                                folder.toString(),
                                source.toString());
        assertThat(status).isZero();
        return loader.loadClass("shop.Shop");
    }

    private URLClassLoader loader() throws Exception {
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader());
    }

    @Test
    void theStartFailsAndNamesTheMethodAndWhatTheBuildLacks(CapturedOutput output)
            throws Exception {
        for (String feature :
                List.of(
                        "@McpTool int add(int left, int right) { return left + right; }",
                        "@McpResource(\"shop://till\") String add() { return \"\"; }",
                        "@McpPrompt String add() { return \"\"; }")) {
            try (URLClassLoader loader = loader()) {
                Class<?> shop = application(loader, feature);

                assertThatThrownBy(() -> Apps.web(shop).close())
                        .hasRootCauseInstanceOf(MissingProcessorException.class)
                        .rootCause()
                        .hasMessage(
                                "The method shop.Shop$Till.add has "
                                        + feature.split("[ (]")[0]
                                        + ", but the annotation processor fairlead-processor did"
                                        + " not run when Till was compiled, so its features are not"
                                        + " declared");
            }
        }
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("The method shop.Shop$Till.add has @McpTool")
                .contains(
                        "<annotationProcessorPaths>",
                        "<artifactId>fairlead-processor</artifactId>");
    }

    @Test
    void anApplicationThatServesNothingStarts() throws Exception {
        try (URLClassLoader loader = loader()) {
            Class<?> shop =
                    application(loader, "@McpTool int add(int left, int right) { return 0; }");
            try (ConfigurableApplicationContext started =
                    Apps.web(shop, "fairlead.server.enabled=false")) {
                assertThat(started.isActive()).isTrue();
            }
        }
    }
}
