package dev.fairlead.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.server.Features;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Sources that tests compile, from {@code src/test/resources/samples}. */
final class Samples {
    private Samples() {}

    static String text(String path) throws IOException {
        try (InputStream in = Samples.class.getResourceAsStream("/samples/" + path)) {
            return new String(
                    Objects.requireNonNull(in, path).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /**
     * Returns the features that the class written for another declares, for an object without
     * arguments.
     */
    @SuppressWarnings("unchecked")
    static Consumer<Features<?>> features(Compiled compiled, String className)
            throws ReflectiveOperationException {
        assertThat(compiled.messages()).isEmpty();
        ClassLoader loader = compiled.loader();
        Class<?> type = loader.loadClass(className);
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Method of = loader.loadClass(className + "Mcp").getDeclaredMethod("of", type);
        of.setAccessible(true);
        return (Consumer<Features<?>>) of.invoke(null, constructor.newInstance());
    }

    /** Compiles the class of a sample that is named like its package: {@code library.Library}. */
    static Compiled compile(String sample, Path directory) throws IOException {
        String path =
                sample
                        + "/"
                        + Character.toUpperCase(sample.charAt(0))
                        + sample.substring(1)
                        + ".java";
        return Compiled.of(directory, Map.of(path, text(path)));
    }
}
