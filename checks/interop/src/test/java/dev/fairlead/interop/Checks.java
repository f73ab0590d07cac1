package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.DynamicTest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs scripts that check a server, and print one JSON line for each check. */
final class Checks {
    private Checks() {}

    /** Runs a script with the server as its last arguments; each of its lines becomes a test. */
    static Stream<DynamicTest> run(List<String> script, List<String> target) throws Exception {
        List<String> command = new ArrayList<>(script);
        command.addAll(target);
        List<JsonObject> checks =
                Programs.run(Path.of("").toAbsolutePath(), command)
                        .lines()
                        .map(line -> (JsonObject) JsonValue.parse(line))
                        .toList();
        assertThat(checks).hasSizeGreaterThan(7);
        return checks.stream()
                .map(
                        check ->
                                DynamicTest.dynamicTest(
                                        check.string("check"),
                                        () ->
                                                assertThat(check.has("error"))
                                                        .as(check.toJson())
                                                        .isFalse()));
    }
}
