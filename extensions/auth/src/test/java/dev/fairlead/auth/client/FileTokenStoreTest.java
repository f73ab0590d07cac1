package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.Executors;

@Requirement("AUTH-053")
class FileTokenStoreTest {
    private static final URI REPORTS = URI.create("https://reports.example/mcp");
    private static final URI WEATHER = URI.create("https://weather.example/mcp");

    @TempDir Path folder;

    private Path file() {
        return folder.resolve("fairlead").resolve("tokens.json");
    }

    @Test
    void theFileIsInTheFolderOfSettingsThatTheEnvironmentNames() {
        assertThat(FileTokenStore.ofUser("t", Map.of("XDG_CONFIG_HOME", "/x", "HOME", "/h")))
                .isEqualTo(Path.of("/x/fairlead/t"));
        assertThat(FileTokenStore.ofUser("t", Map.of("XDG_CONFIG_HOME", "x", "HOME", "/h")))
                .isEqualTo(Path.of("/h/.config/fairlead/t"));
        assertThat(FileTokenStore.ofUser("t", Map.of("HOME", "")))
                .isEqualTo(Path.of(System.getProperty("user.home"), ".config/fairlead/t"));
    }

    @Test
    void whatIsWrittenIsReadByAnother() {
        TokenStore.file(file()).write(REPORTS, "first");
        TokenStore.file(file()).write(WEATHER, "second");
        TokenStore store = TokenStore.file(file());

        assertThat(store.read(REPORTS)).contains("first");
        assertThat(store.servers()).containsExactlyInAnyOrder(REPORTS, WEATHER);
        assertThat(store.remove(REPORTS)).isTrue();
        assertThat(store.remove(REPORTS)).isFalse();
        assertThat(store.read(REPORTS)).isEmpty();
        assertThat(store.read(WEATHER)).contains("second");
    }

    @Test
    void onlyTheOwnerCanReadTheFile() throws Exception {
        TokenStore.file(file()).write(REPORTS, "login");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file().getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void aFileThatOthersCanReadIsRefused() throws Exception {
        TokenStore store = TokenStore.file(file());
        store.write(REPORTS, "login");
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));

        assertThatThrownBy(() -> store.read(REPORTS))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage(
                        "Cannot use "
                                + file()
                                + ": others than its owner can read it; take that from them (chmod"
                                + " 600), or delete it and log in again");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{              | it is no JSON",
                "[]             | it must be a JSON object of logins by the URLs of servers",
                "{\"logins\": {}} | it must be a JSON object of logins by the URLs of servers"
            })
    void aFileOfAnotherShapeIsRefusedAndStays(String text, String problem) throws Exception {
        TokenStore store = TokenStore.file(file());
        store.write(REPORTS, "login");
        Files.writeString(file(), text);

        assertThatThrownBy(store::servers)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage(
                        "Cannot use " + file() + ": " + problem + "; delete it and log in again");
        assertThatThrownBy(() -> store.write(WEATHER, "login"))
                .isInstanceOf(UncheckedIOException.class);
        assertThat(file()).hasContent(text);
    }

    @Test
    void anEntryThatCannotBeReadCostsNoOther() throws Exception {
        TokenStore store = TokenStore.file(file());
        store.write(REPORTS, "login");
        Files.writeString(
                file(),
                "{\"a b\":\"x\",\"//host/\":\"y\",\""
                        + WEATHER
                        + "\":{},\""
                        + REPORTS
                        + "\":\"login\"}");

        assertThat(store.servers()).containsExactlyInAnyOrder(REPORTS, WEATHER);
        assertThat(store.read(REPORTS)).contains("login");
        assertThat(store.read(WEATHER)).isEmpty();
        store.write(WEATHER, "second");
        assertThat(file()).content().contains("\"a b\":\"x\"").contains("second");
    }

    @Test
    void aFolderThatCannotBeMadeIsNamed() throws Exception {
        Path folder = file().getParent();
        Files.createDirectories(folder.getParent());
        Files.createSymbolicLink(folder, folder.resolveSibling("nowhere"));

        assertThatThrownBy(() -> TokenStore.file(file()).write(REPORTS, "login"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("Cannot write " + file() + ": " + folder + " is not a folder");
    }

    @Test
    void aFileThatIsNoTextIsRefused() throws Exception {
        TokenStore store = TokenStore.file(file());
        store.write(REPORTS, "login");
        Files.write(file(), new byte[] {-1, -2, 0});

        assertThatThrownBy(store::servers)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("Cannot use " + file() + ": it is no JSON; delete it and log in again");
    }

    @Test
    void writersAtTheSameTimeLoseNothing() {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                URI server = URI.create("https://server" + i + ".example/mcp");
                threads.submit(() -> TokenStore.file(file()).write(server, "login"));
            }
        }

        assertThat(TokenStore.file(file()).servers()).hasSize(20);
    }
}
