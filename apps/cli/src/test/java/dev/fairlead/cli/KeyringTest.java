package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;

/** Logins whose key is in a real keyring; each command is a process of its own. */
@Tag("keyring")
@Timeout(600)
class KeyringTest {
    @AutoClose private final ProtectedServer server = new ProtectedServer();
    @AutoClose private final Visitor visitor = new Visitor();
    @TempDir private Path folder;

    private Path logins() {
        return folder.resolve("config").resolve("fairlead").resolve("tokens.jwe");
    }

    private Ran run(SecretService keyring, String... typed) throws Exception {
        Map<String, String> environment = new HashMap<>(keyring.environment());
        environment.put("FAIRLEAD_LOGINS", "keyring");
        environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        return Cli.process(environment, visitor::read, typed);
    }

    private Ran logIn(SecretService keyring, ProtectedServer to) throws Exception {
        return run(keyring, "login", "--no-browser", to.url());
    }

    @Test
    @Requirement("AUTH-053")
    void aLoginIsKeptEncryptedAndAllCommandsUseIt() throws Exception {
        try (SecretService keyring = new SecretService(folder)) {
            assertThat(logIn(keyring, server).status()).isZero();

            assertThat(Files.readString(logins())).doesNotContain("access", "refresh", "localhost");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(logins())))
                    .isEqualTo("rw-------");
            assertThat(logins().resolveSibling("tokens.json")).doesNotExist();
            Ran called = run(keyring, "tools", "call", "who", server.url());
            assertThat(called.out()).contains("ada");
            assertThat(called.err()).isEmpty();
            assertThat(run(keyring, "auth", "status").out()).contains(server.url());
            assertThat(run(keyring, "logout", server.url()).out()).contains("revoked the tokens");
            assertThat(server.revocations).isNotEmpty();
            assertThat(run(keyring, "auth", "status").out()).doesNotContain(server.url());
        }
    }

    @Test
    void twoLoginsAtOnceAgreeOnTheKey() throws Exception {
        try (SecretService keyring = new SecretService(folder);
                ProtectedServer other = new ProtectedServer();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> logIn(keyring, server));
            assertThat(logIn(keyring, other).status()).isZero();
            assertThat(first.get().status()).isZero();

            assertThat(run(keyring, "auth", "status").out()).contains(server.url(), other.url());
        }
    }

    @Test
    void anotherKeyringHasNotTheKey() throws Exception {
        try (SecretService keyring = new SecretService(folder)) {
            assertThat(logIn(keyring, server).status()).isZero();
        }
        try (SecretService other = new SecretService(folder.resolve("other"))) {
            Ran status = run(other, "auth", "status");

            assertThat(status.status()).isEqualTo(ExitStatus.NO_ANSWER);
            assertThat(status.err())
                    .startsWith(
                            "fairlead: Cannot use " + logins() + ": the keyring refuses the key: ")
                    .hasLineCount(1);
        }
    }
}
