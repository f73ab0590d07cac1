package dev.fairlead.cli.servers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.EraMemory;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Era;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the command line remembers of servers between two commands. */
class EraFileTest {
    private static final Instant NOW = Instant.parse("2026-11-26T08:00:00Z");

    @TempDir Path folder;

    private Path file() {
        return folder.resolve("state/fairlead/eras.json");
    }

    private EraFile at(Instant now) {
        return new EraFile(file(), Clock.fixed(now, ZoneOffset.UTC));
    }

    private EraMemory memory(String url) {
        return at(NOW).of(target(url));
    }

    private Target target(String url) {
        return new Targets(null, new Environment(Map.of(), folder)).named(url, null);
    }

    private Target command(Path directory, String... command) {
        return new Targets(null, new Environment(Map.of(), directory))
                .command(List.of(command), null);
    }

    private String text() throws IOException {
        return Files.readString(file());
    }

    @Test
    void aHandshakeIsKeptForAnHourAndTheOtherEraUntilItIsForgotten() {
        Target old = target("https://old.example/mcp");
        Target later = target("https://new.example/mcp");
        at(NOW).of(old).keep(Era.HANDSHAKE);
        at(NOW).of(later).keep(Era.PER_REQUEST);

        EraFile soon = at(NOW.plus(Duration.ofMinutes(59)));
        assertThat(soon.of(old).find()).contains(Era.HANDSHAKE);
        EraFile nextYear = at(NOW.plus(Duration.ofDays(365)));
        assertThat(at(NOW.plus(Duration.ofMinutes(60))).of(old).find()).isEmpty();
        assertThat(nextYear.of(later).find()).contains(Era.PER_REQUEST);
        nextYear.of(later).forget();
        assertThat(nextYear.of(later).find()).isEmpty();
    }

    @Test
    void onlyTheOwnerReadsItAndNothingIsLeftBesideIt() throws Exception {
        memory("https://a.example/mcp").keep(Era.HANDSHAKE);
        memory("https://b.example/mcp").keep(Era.PER_REQUEST);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file().getParent())))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(file().getParent())) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void noSecretOfAServerIsInIt() throws Exception {
        memory("https://a.example/s/SECRET/mcp?key=SECRET").keep(Era.HANDSHAKE);
        at(NOW).of(command(folder, "serve", "--token", "SECRET")).keep(Era.PER_REQUEST);
        assertThat(text())
                .doesNotContain("SECRET", "example", "--token", folder.toString())
                .matches(
                        "\\{\"version\":1,\"servers\":\\{"
                                + "(\"[0-9a-f]{64}\":\\{\"era\":\"(handshake|per-request)\","
                                + "\"since\":\"2026-11-26T08:00:00Z\"},?){2}}}");
    }

    @Test
    void aPlaceIsSchemeHostPortAndPathOrCommandAndDirectory() {
        String place = target("https://a.example/mcp").place();
        assertThat(target("HTTPS://A.example/mcp?key=1").place()).isEqualTo(place);
        assertThat(
                        Stream.of(
                                        "http://a.example/mcp",
                                        "https://b.example/mcp",
                                        "https://a.example:8443/mcp",
                                        "https://a.example/other")
                                .map(url -> target(url).place()))
                .doesNotContain(place)
                .doesNotHaveDuplicates();
        String program = command(folder, "serve", "a b").place();
        assertThat(command(folder, "serve", "a b").place()).isEqualTo(program);
        assertThat(command(folder, "serve", "a", "b").place()).isNotEqualTo(program);
        assertThat(command(folder.resolve("x"), "serve", "a b").place()).isNotEqualTo(program);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "{\"version\":2,\"servers\":{}}",
                "{\"version\":1}",
                "{\"version\":1,\"servers\":[]}",
                "{\"version\":1,\"servers\":{\"x\":\"handshake\"}}",
                "{\"version\":1,\"servers\":{\"x\":{\"era\":\"old\",\"since\":\"2026-11-26T08:00:00Z\"}}}",
                "{\"version\":1,\"servers\":{\"x\":{\"era\":\"handshake\",\"since\":\"today\"}}}"
            })
    void aBrokenFileIsIgnoredAndReplaced(String broken) throws Exception {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), broken);
        EraMemory memory = memory("https://a.example/mcp");
        assertThat(memory.find()).isEmpty();
        memory.keep(Era.PER_REQUEST);
        assertThat(memory.find()).contains(Era.PER_REQUEST);
    }

    @Test
    void aFileOfAnotherMakeIsIgnored() throws Exception {
        EraMemory memory = memory("https://a.example/mcp");
        memory.keep(Era.PER_REQUEST);
        String good = text();

        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw----"));
        assertThat(memory.find()).as("others may write it").isEmpty();

        Path elsewhere = Files.writeString(folder.resolve("elsewhere"), good);
        Files.delete(file());
        Files.createSymbolicLink(file(), elsewhere);
        assertThat(memory.find()).as("a link").isEmpty();
        memory.keep(Era.HANDSHAKE);
        assertThat(elsewhere).hasContent(good);

        Files.writeString(file(), good.replace("}}}", "}}" + " ".repeat(64 << 10) + "}"));
        assertThat(memory.find()).as("too long").isEmpty();
    }

    @Test
    void whereItCannotBeWrittenNothingFails() throws Exception {
        Files.createDirectories(file().resolve("a folder"));
        EraMemory memory = memory("https://a.example/mcp");
        memory.keep(Era.PER_REQUEST);
        assertThat(memory.find()).isEmpty();
        memory.forget();
        try (Stream<Path> files = Files.list(file().getParent())) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void theOldestOfTooManyIsForgotten() throws Exception {
        for (int i = 0; i < 260; i++) {
            at(NOW.plusSeconds(i)).of(target("https://a.example/" + i)).keep(Era.PER_REQUEST);
        }
        JsonObject servers = ((JsonObject) JsonValue.parse(text())).object("servers");
        assertThat(servers.members()).hasSize(256);
        EraFile later = at(NOW.plusSeconds(1000));
        assertThat(later.of(target("https://a.example/3")).find()).isEmpty();
        assertThat(later.of(target("https://a.example/4")).find()).isPresent();
        assertThat(Files.size(file())).isLessThan(64 << 10);
    }
}
