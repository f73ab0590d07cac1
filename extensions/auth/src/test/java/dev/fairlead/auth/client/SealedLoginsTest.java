package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ChildJvm;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** Logins in a file that is encrypted. The command line's tests do this with a real keyring. */
@Requirement("AUTH-053")
@Timeout(60)
class SealedLoginsTest {
    private static final URI REPORTS = URI.create("https://reports.example/mcp");
    private static final URI WEATHER = URI.create("https://weather.example/mcp");

    @TempDir private Path folder;
    private final HeldKey keyring = new HeldKey();

    /** A keyring for one key. */
    private static final class HeldKey implements Keyring {
        private byte @Nullable [] key;
        private int reads;

        @Override
        public synchronized byte[] read() throws IOException {
            reads++;
            if (key == null) {
                throw new IOException("there is none");
            }
            return key;
        }

        @Override
        public synchronized void write(byte[] given) {
            key = given;
        }
    }

    private Path file() {
        return folder.resolve("tokens.jwe");
    }

    private TokenStore store() {
        return new FileTokenStore(file(), new SealedEnvelope(keyring));
    }

    @Test
    void whatIsWrittenIsReadByAnotherThatHasTheKey() {
        store().write(REPORTS, "first");
        store().write(WEATHER, "second");
        TokenStore store = store();

        assertThat(store.read(REPORTS)).contains("first");
        assertThat(store.servers()).containsExactlyInAnyOrder(REPORTS, WEATHER);
        assertThat(store.remove(REPORTS)).isTrue();
        assertThat(store.read(REPORTS)).isEmpty();
        assertThat(store.read(WEATHER)).contains("second");
    }

    @Test
    void theFileIsEncryptedAndReadableOnlyByItsOwner() throws Exception {
        store().write(REPORTS, "a-secret-token");

        assertThat(Files.readString(file()))
                .matches("[A-Za-z0-9_-]+\\.\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+")
                .doesNotContain("secret", "reports");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    @Test
    void theKeyIsAskedForOnce() {
        store().write(REPORTS, "login");
        TokenStore store = store();
        store.read(REPORTS);
        store.write(REPORTS, "another");
        store.read(REPORTS);

        assertThat(keyring.reads).isEqualTo(1);
    }

    @Test
    void withoutItsKeyAFileIsOfNoUseAndStays() throws Exception {
        store().write(REPORTS, "login");
        String sealed = Files.readString(file());
        keyring.key = null;

        assertThatThrownBy(() -> store().read(REPORTS))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("Cannot use " + file() + ": there is none");
        assertThatThrownBy(() -> store().write(REPORTS, "new"))
                .isInstanceOf(UncheckedIOException.class);
        assertThat(Files.readString(file())).isEqualTo(sealed);
    }

    @Test
    void anotherKeyOpensNothing() {
        store().write(REPORTS, "login");
        keyring.key = new byte[32];

        assertThatThrownBy(() -> store().read(REPORTS))
                .hasMessage(
                        "Cannot use "
                                + file()
                                + ": the key in the keyring is not the one that it is sealed by");

        keyring.key = new byte[5];
        assertThatThrownBy(() -> store().read(REPORTS))
                .hasMessage(
                        "Cannot use "
                                + file()
                                + ": the entry in the keyring is not a 256-bit key; delete it to"
                                + " create a new one");
    }

    @Test
    void whatWasNotSealedIsNotRead() {
        TokenStore.file(file()).write(REPORTS, "login");

        assertThatThrownBy(() -> store().read(REPORTS))
                .hasMessage("Cannot use " + file() + ": it is not sealed, or it is damaged");
    }

    @Test
    void aDeletedFileIsRecreatedWithAnotherKey() throws Exception {
        TokenStore early = store();
        early.write(REPORTS, "login");
        byte[] first = keyring.key;
        Files.delete(file());

        assertThat(early.read(REPORTS)).isEmpty();
        store().write(WEATHER, "other");
        assertThat(keyring.key).isNotEqualTo(first);
        early.write(REPORTS, "again");

        assertThat(store().servers()).containsExactlyInAnyOrder(REPORTS, WEATHER);
    }

    @Test
    void writersAtTheSameTimeLoseNothing() {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                URI server = URI.create("https://server" + i + ".example/mcp");
                threads.submit(() -> store().write(server, "login"));
            }
        }

        assertThat(store().servers()).hasSize(20);
    }

    /** The main class of a process whose class path lacks the library. */
    static final class WithoutLibrary {
        private WithoutLibrary() {}

        public static void main(String[] arguments) {
            try {
                TokenStore.keyring(Path.of(arguments[0]));
            } catch (IllegalStateException e) {
                System.out.print(e.getMessage());
            }
        }
    }

    @Test
    void withoutTheLibraryAStoreIsRefusedAtOnce() throws Exception {
        String classPath = ChildJvm.classPath();
        String others =
                Arrays.stream(classPath.split(File.pathSeparator))
                        .filter(entry -> !entry.contains("java-keyring"))
                        .collect(Collectors.joining(File.pathSeparator));
        assertThat(others).isNotEqualTo(classPath);

        Process process =
                new ProcessBuilder(
                                ChildJvm.program("java"),
                                "-cp",
                                others,
                                WithoutLibrary.class.getName(),
                                file().toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();

        assertThat(process.inputReader().lines())
                .containsExactly(
                        "Keyrings need the library com.github.javakeyring:java-keyring, which is"
                                + " not there");
        assertThat(process.waitFor()).isZero();
    }
}
