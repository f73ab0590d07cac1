package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code fairlead server-json} with the showcase server. */
@Timeout(600)
class ServerJsonTest {
    private static final String NAME = "io.github.ada/hello";
    private static final String RELEASE = "https://github.com/ada/hello/releases/download/v1/";

    private static LocalShowcase server;

    @TempDir Path folder;

    @BeforeAll
    static void start() throws IOException {
        server = new LocalShowcase();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Ran describe(String... options) {
        List<String> typed = new ArrayList<>(List.of("server-json", "--json"));
        typed.addAll(List.of(options));
        typed.add(server.url());
        return Cli.run(typed.toArray(String[]::new));
    }

    private static JsonObject document(String... options) {
        Ran ran = describe(options);
        assertThat(ran.status()).as(ran.err()).isZero();
        return (JsonObject) JsonValue.parse(ran.out());
    }

    @Test
    void aServerInAnImageIsDescribedByItself() {
        JsonObject json =
                document(
                        "--name",
                        NAME,
                        "--description",
                        "Says hello",
                        "--repository",
                        "https://github.com/ada/hello",
                        "--image",
                        "docker.io/ada/hello:1.0.0");
        assertThat(json.string("name")).isEqualTo(NAME);
        assertThat(json.string("description")).isEqualTo("Says hello");
        assertThat(json.object("repository").toJson())
                .isEqualTo("{\"url\":\"https://github.com/ada/hello\",\"source\":\"github\"}");
        assertThat(json.array("packages").toJson())
                .isEqualTo(
                        "[{\"registryType\":\"oci\",\"identifier\":\"docker.io/ada/hello:1.0.0\","
                                + "\"transport\":{\"type\":\"stdio\"}}]");
        assertThat(json.has("remotes")).as("a URL of this machine is none").isFalse();
        assertThat(json.string("version")).isNotEmpty();
    }

    @Test
    void aBundleHasTheDigestOfItsFile() throws IOException {
        Path file = Files.writeString(folder.resolve("hello.mcpb"), "abc");
        JsonObject json =
                document(
                        "--name",
                        NAME,
                        "--description",
                        "Says hello",
                        "--mcpb",
                        RELEASE + "hello.mcpb",
                        "--file",
                        file.toString());
        assertThat(json.array("packages").toJson())
                .contains("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void membersThatTheRegistryRefusesAreNamed() {
        assertThat(describe("--description", "d", "--image", "i").err())
                .contains("the registry needs a name such as io.github.USER/");
        assertThat(describe("--name", NAME, "--description", "d").err())
                .contains("server.json names no way to get the server; give --image REFERENCE");
        assertThat(describe("--name", "a/b/c", "--description", "d", "--image", "i").err())
                .contains("server.json would not be accepted: ", "name");
        assertThat(describe("--name", NAME, "--description", "d".repeat(101), "--image", "i").err())
                .contains("server.json would not be accepted: ", "description");
        assertThat(describe("--name", NAME, "--mcpb", "https://h/x").err())
                .contains("--mcpb URL and --file FILE belong together");
        assertThat(
                        describe(
                                        "--name",
                                        NAME,
                                        "--description",
                                        "d",
                                        "--image",
                                        "i",
                                        "--repository",
                                        "https://github.com/ada")
                                .err())
                .contains(
                        "the registry takes repositories at github.com", "https://github.com/ada;");
    }

    /** The schema of the registry requires URIs. */
    @Test
    void textsThatAreNoUrlsAreNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("hello.mcpb"), "abc");
        Ran repository =
                describe(
                        "--name",
                        NAME,
                        "--description",
                        "d",
                        "--image",
                        "i",
                        "--repository",
                        "https://github.com/ada lovelace");
        assertThat(repository.status()).isEqualTo(64);
        assertThat(repository.err())
                .contains("the registry takes repositories at github.com", "ada lovelace");
        assertThat(
                        describe(
                                        "--name",
                                        NAME,
                                        "--description",
                                        "d",
                                        "--mcpb",
                                        RELEASE + "my hello.mcpb",
                                        "--file",
                                        file.toString())
                                .err())
                .contains("the registry takes bundles from releases", "my hello.mcpb");
    }
}
