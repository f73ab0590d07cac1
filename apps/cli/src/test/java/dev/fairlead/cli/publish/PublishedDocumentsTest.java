package dev.fairlead.cli.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.tools.Tool;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** Rules of the registry and of hosts that go beyond the published schemas. */
class PublishedDocumentsTest {
    private static final Implementation HELLO = new Implementation("hello", "1.0.0");

    private static PublishedServer server(Implementation info, Tool... tools) {
        return new PublishedServer(info, "Says hello", List.of(tools), false);
    }

    private static ServerJson serverJson(PublishedServer server) {
        return new ServerJson(server).name("io.github.ada/hello").image("ghcr.io/ada/hello:1.0.0");
    }

    private static JsonObject manifest(Implementation info) {
        return new BundleManifest("Ada", null, "linux", List.of(), List.of()).json(server(info));
    }

    @ParameterizedTest
    @CsvSource({
        "https://github.com/ada/hello, github",
        "https://www.github.com/ada/hello.git, github",
        "https://gitlab.com/group/team/hello/, gitlab"
    })
    void theSourceIsTheHostOfTheRepository(String url, String source) {
        JsonObject json = serverJson(server(HELLO)).repository(url).json();
        assertThat(json.object("repository").string("source")).isEqualTo(source);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://git.example.co.uk/ada/hello",
                "https://github.com/ada",
                "https://github.com/ada/hello/tree/main"
            })
    void otherRepositoriesAreRefused(String url) {
        assertThatThrownBy(() -> serverJson(server(HELLO)).repository(url).json())
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        "the registry takes repositories at github.com and gitlab.com only, such as"
                            + " https://github.com/USER/SERVER, but --repository is %s; leave it"
                            + " out",
                        url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.github.ada/-hello", "io.github.ada/h", ".ada/hello", "ada/hello."})
    void namesBeginAndEndWithLettersOrDigits(String name) {
        assertThatThrownBy(() -> serverJson(server(HELLO)).name(name).json())
                .hasMessageContaining("name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"latest", "1.x", "^1.0.0", "1.2.3 - 2.0.0", "1.2 || 1.3"})
    void rangesOfVersionsAreRefused(String version) {
        assertThatThrownBy(() -> serverJson(server(new Implementation("h", version))).json())
                .hasMessageContaining("version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0.0", "1.0.0-SNAPSHOT", "2026.11.29", "v7"})
    void otherVersionsAreTaken(String version) {
        assertThat(serverJson(server(new Implementation("h", version))).json().string("version"))
                .isEqualTo(version);
    }

    @Test
    void aBlankTitleAndAnOpenWebsiteAreRefused() {
        assertThatThrownBy(() -> serverJson(server(HELLO.withTitle(" "))).json())
                .hasMessageContaining("title");
        assertThatThrownBy(() -> serverJson(server(HELLO.withWebsiteUrl("http://h.dev"))).json())
                .hasMessageContaining("websiteUrl");
    }

    @ParameterizedTest
    @CsvSource({
        "https://hello.example.com/mcp, true",
        "https://8.8.8.8/mcp, true",
        "https://localhost/mcp, false",
        "https://api.LOCALHOST/mcp, false",
        "https://127.0.0.2/mcp, false",
        "https://[::1]/mcp, false",
        "https://192.168.1.2/mcp, false",
        "https://100.64.0.1/mcp, false"
    })
    void remotesHaveAPublicHost(String url, boolean remote) {
        assertThat(serverJson(server(HELLO)).remote(url).json().has("remotes")).isEqualTo(remote);
    }

    @Test
    void remotesNeedHttps() {
        assertThatThrownBy(() -> serverJson(server(HELLO)).remote("http://hello.dev/mcp").json())
                .hasMessageContaining("remotes[0].url");
    }

    @Test
    void bundlesAreFilesOfAReleaseOfGitHubOrGitLab() {
        String sha256 = "0".repeat(64);
        for (String url :
                List.of(
                        "https://github.com/ada/hello/releases/download/v1.0.0/hello.mcpb",
                        "https://gitlab.com/ada/hello/-/releases/v1/downloads/hello.mcpb")) {
            assertThat(
                            new ServerJson(server(HELLO))
                                    .name("io.ada/hello")
                                    .bundle(url, sha256)
                                    .json())
                    .isNotNull();
        }
        assertThatThrownBy(
                        () ->
                                serverJson(server(HELLO))
                                        .bundle("https://example.com/hello.mcpb", sha256)
                                        .json())
                .hasMessageEndingWith("but --mcpb is https://example.com/hello.mcpb");
    }

    /** The registry counts bytes, and six for a character that it escapes. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "ö", "<"})
    void namesOfToolsThatAreTooLongTogetherAreLeftOut(String letter) {
        int cost = letter.equals("a") ? 1 : letter.equals("<") ? 6 : 2;
        int fitting = (4_096 - "{\"tools\":[\"\"]}".length()) / cost;
        assertThat(withTool(letter.repeat(fitting)).has("_meta")).isTrue();
        assertThat(withTool(letter.repeat(fitting + 1)).has("_meta")).isFalse();
    }

    private static JsonObject withTool(String name) {
        return serverJson(server(HELLO, new Tool(name, JsonObject.of("type", "object")))).json();
    }

    @Test
    void aManifestIsOfTheVersionThatHostsInstall() {
        assertThat(manifest(HELLO).string("manifest_version")).isEqualTo("0.2");
    }

    /** Claude Desktop no longer starts with a bundle of another version. */
    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1", "2026.11.29.1", "01.0.0", "v1.0.0", "1.0-SNAPSHOT"})
    void aManifestNeedsASemanticVersion(String version) {
        assertThatThrownBy(() -> manifest(new Implementation("hello", version)))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0.0", "0.1.0-SNAPSHOT", "1.0.0-rc.1+build.5"})
    void semanticVersionsAreTaken(String version) {
        assertThat(manifest(new Implementation("hello", version)).string("version"))
                .isEqualTo(version);
    }

    @Test
    void aDescriptionOfAHundredCharactersIsTaken() {
        String emoji = "\ud83d\ude00";
        PublishedServer server = server(HELLO);
        assertThat(serverJson(server).description(emoji.repeat(100)).json()).isNotNull();
        assertThatThrownBy(() -> serverJson(server).description(emoji.repeat(101)).json())
                .hasMessageContaining("description");
    }
}
