package dev.fairlead.processor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;

/** Types and constants that another processor writes while this one runs. */
class LateTypesTest {
    /** Writes them in its first round. */
    private static final class Other extends AbstractProcessor {
        private boolean done;

        @Override
        public Set<String> getSupportedAnnotationTypes() {
            return Set.of("*");
        }

        @Override
        public SourceVersion getSupportedSourceVersion() {
            return SourceVersion.latestSupported();
        }

        @Override
        public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
            if (!done) {
                done = true;
                write("Late", "record Late(int number) {}");
                write("Names", "interface Names { String SELL = \"sell\"; }");
            }
            return false;
        }

        private void write(String name, String text) {
            try (Writer writer =
                    processingEnv.getFiler().createSourceFile("shop." + name).openWriter()) {
                writer.write("package shop; " + text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @TempDir Path directory;

    @Test
    void theyAreWaitedForWhereverTheyAreNamed() {
        Path shop = directory.resolve("src/shop/Shop.java");
        Compiled.write(
                shop,
                """
                package shop;
                import dev.fairlead.server.annotation.McpTool;
                import java.util.List;
                class Shop {
                    record Order(List<Late[]> lines) {}
                    /** Buys. */ @McpTool void buy(Order order) {}
                    /** Sells. */ @McpTool(name = Names.SELL) void sellAll() {}
                }
                """);

        Compiled compiled =
                Compiled.with(
                        List.of(new FeatureProcessor(), new Other()), directory, List.of(shop));

        assertThat(compiled.messages()).isEmpty();
        assertThat(compiled.generated("shop/ShopMcp.java"))
                .contains("Shop.Order order", "\"sell\"");
    }
}
