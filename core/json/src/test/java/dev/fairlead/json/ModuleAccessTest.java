package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import javax.tools.ToolProvider;

/** Records in named modules, compiled and loaded here. */
class ModuleAccessTest {
    private static final Map<String, String> SOURCES =
            Map.of(
                    "module-info.java",
                    "module app { exports app.api; opens app.open; }",
                    "app/api/Point.java",
                    "package app.api; public record Point(int x, int y) {}",
                    "app/api/Hidden.java",
                    "package app.api; record Hidden(int x) {}",
                    "app/api/Door.java",
                    """
                    package app.api;

                    import java.lang.invoke.MethodHandles;

                    public class Door {
                        public static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

                        private record Own(app.closed.Closed closed, Hidden hidden, Side side) {}

                        protected enum Side { LEFT }

                        static class Other {
                            private record Foreign(int x) {}
                        }
                    }

                    class Neighbour {
                        private record Foreign(int x) {}
                    }
                    """,
                    "app/open/Inside.java",
                    "package app.open; record Inside(int x) {}",
                    "app/closed/Closed.java",
                    "package app.closed; public record Closed(int x) {}",
                    "app/closed/Inner.java",
                    "package app.closed; record Inner(int x) {}");

    @TempDir static Path directory;
    private static ClassLoader loader;

    @BeforeAll
    static void compileAndLoadTheModule() throws IOException {
        Path classes = directory.resolve("classes");
        String[] arguments = {"-d", classes.toString()};
        for (Map.Entry<String, String> source : SOURCES.entrySet()) {
            Path file = directory.resolve(source.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
            arguments = java.util.Arrays.copyOf(arguments, arguments.length + 1);
            arguments[arguments.length - 1] = file.toString();
        }
        int result =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                OutputStream.nullOutputStream(),
                                OutputStream.nullOutputStream(),
                                arguments);
        assertThat(result).isZero();
        Configuration configuration =
                ModuleLayer.boot()
                        .configuration()
                        .resolve(ModuleFinder.of(classes), ModuleFinder.of(), Set.of("app"));
        loader =
                ModuleLayer.boot()
                        .defineModulesWithOneLoader(
                                configuration, ClassLoader.getSystemClassLoader())
                        .findLoader("app");
    }

    private static Class<?> load(String name) throws ClassNotFoundException {
        return loader.loadClass(name);
    }

    @Test
    void aPublicRecordInAnExportedPackageNeedsNothing() throws ClassNotFoundException {
        assertThat(JsonCodec.of(load("app.api.Point")).read(JsonObject.of("x", 1, "y", 2)))
                .hasToString("Point[x=1, y=2]");
    }

    @Test
    void anyRecordInAnOpenPackageIsReached() throws ClassNotFoundException {
        assertThat(JsonCodec.of(load("app.open.Inside")).read(JsonObject.of("x", 1)))
                .hasToString("Inside[x=1]");
    }

    @Test
    void anyOtherRecordIsRefusedWithTheLineToAdd() throws ClassNotFoundException {
        for (String name : List.of("app.api.Hidden", "app.closed.Closed")) {
            Class<?> type = load(name);
            assertThatThrownBy(() -> JsonCodec.of(type))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            name
                                    + " cannot be reached: module app must say \"opens "
                                    + type.getPackageName()
                                    + " to dev.fairlead.json;\"");
        }
    }

    private static JsonCodec<?> reachedByTheDoor(String name) throws ReflectiveOperationException {
        var lookup = (MethodHandles.Lookup) load("app.api.Door").getField("LOOKUP").get(null);
        return JsonCodec.of(JsonTypes.of(lookup).type(load(name)));
    }

    @Test
    void aLookupReachesWhatItsClassReaches() throws ReflectiveOperationException {
        JsonObject own =
                JsonObject.of(
                        "closed",
                        JsonObject.of("x", 1),
                        "hidden",
                        JsonObject.of("x", 2),
                        "side",
                        "LEFT");

        assertThat(reachedByTheDoor("app.api.Door$Own").read(own))
                .hasToString("Own[closed=Closed[x=1], hidden=Hidden[x=2], side=LEFT]");
        assertThat(reachedByTheDoor("app.api.Door$Other$Foreign").read(JsonObject.of("x", 1)))
                .hasToString("Foreign[x=1]");
        assertThat(reachedByTheDoor("app.open.Inside").read(JsonObject.of("x", 1)))
                .hasToString("Inside[x=1]");
    }

    @Test
    void aLookupReachesNothingMore() throws ReflectiveOperationException {
        assertThatThrownBy(() -> reachedByTheDoor("app.closed.Inner"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("app.closed.Inner cannot be reached: module app must say");
        assertThatThrownBy(() -> reachedByTheDoor("app.api.Neighbour$Foreign"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("app.api.Neighbour$Foreign cannot be reached");
        // Classes that the lookup reached are not reached without it.
        Class<?> hidden = load("app.api.Hidden");
        reachedByTheDoor("app.api.Hidden");
        assertThatThrownBy(() -> JsonCodec.of(hidden)).isInstanceOf(IllegalArgumentException.class);
    }
}
