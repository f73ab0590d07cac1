package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** {@code fairlead login} as a process of its own. */
@Timeout(600)
@EnabledOnOs(OS.LINUX)
class LoginProcessTest {
    @AutoClose private final ProtectedServer server = new ProtectedServer();
    @AutoClose private final Visitor visitor = new Visitor();
    @TempDir private Path folder;
    private Process process;

    @AfterEach
    void end() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private BufferedReader start(String... typed) throws IOException {
        return start(Map.of(), typed);
    }

    private BufferedReader start(Map<String, String> variables, String... typed)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(ChildJvm.command(Main.class, typed));
        builder.environment().putAll(variables);
        builder.environment().put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        process = builder.start();
        return process.errorReader();
    }

    private Path tokens() {
        return folder.resolve("config").resolve("fairlead").resolve("tokens.json");
    }

    @Test
    @Requirement({"AUTH-053", "SEC-011"})
    void theBrowserIsOpenedWithTheUrlAloneAndTheLoginIsKeptForItsOwner() throws Exception {
        Path opened = folder.resolve("opened"); // a pipe, whose reader waits for its writer
        new ProcessBuilder("mkfifo", opened.toString()).start().waitFor();
        Path opener =
                Files.writeString(
                        folder.resolve("xdg-open"),
                        "#!/bin/sh\nprintf '%s\\n' \"$@\" > " + opened + "\n");
        Files.setPosixFilePermissions(opener, PosixFilePermissions.fromString("rwx------"));

        BufferedReader err = start("login", server.url());
        assertThat(err.readLine()).startsWith("To log in to ");
        String url = err.readLine();
        visitor.read(url);

        assertThat(process.waitFor()).isZero();
        assertThat(err.readLine()).isNull();
        assertThat(Files.readAllLines(opened)).containsExactly(url);
        assertThat(url).doesNotContain("code_verifier", "access-", "code-");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(tokens())))
                .isEqualTo("rw-------");
    }

    @Test
    void aClientWithASecretRenewsItsLoginInCommandsThatDoNotKnowTheVariable() throws Exception {
        BufferedReader err =
                start(
                        Map.of("DESK_SECRET", "s3cret"),
                        "login",
                        "--no-browser",
                        "--client-id",
                        "desk",
                        "--client-secret-env",
                        "DESK_SECRET",
                        "--issuer",
                        server.issuer(),
                        server.url());
        err.readLine();
        visitor.read(err.readLine());
        assertThat(process.waitFor()).isZero();
        server.valid.clear();
        start("ping", server.url());

        assertThat(process.waitFor()).isZero();
        assertThat(server.credentials)
                .hasSize(2)
                .containsOnly(
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString(
                                                "desk:s3cret".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void ctrlCGivesUpAndNothingIsKept() throws Exception {
        assumeFalse(SignalTest.isIgnored(), "SIGINT is ignored here");
        BufferedReader err = start("login", "--no-browser", "--json", server.url());
        err.readLine();
        assertThat(err.readLine()).startsWith(server.issuer() + "/authorize?");

        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

        assertThat(process.waitFor()).isEqualTo(130);
        assertThat(err.lines()).containsExactlyElementsOf(List.of("Cancelling…", "Cancelled"));
        assertThat(process.inputReader().lines())
                .containsExactly("{\"error\":{\"message\":\"Cancelled\"}}");
        assertThat(tokens()).doesNotExist();
    }

    @Test
    void onlyAFileOrTheKeyringKeepsLogins() {
        Cli.Ran status = Cli.runWith(Map.of("FAIRLEAD_LOGINS", "elsewhere"), "auth", "status");

        assertThat(status.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(status.err())
                .isEqualTo(
                        "fairlead: FAIRLEAD_LOGINS must be file or keyring but is 'elsewhere'\n");
        assertThat(Cli.runWith(Map.of("FAIRLEAD_LOGINS", "file"), "auth", "status").status())
                .isZero();
    }

    @Test
    void whereThereIsNoKeyringThatIsSaid() throws Exception {
        Path sealed = tokens().resolveSibling("tokens.jwe");
        Files.createDirectories(sealed.getParent());
        Files.writeString(sealed, "eyJlbmMiOiJBMjU2R0NNIiwiYWxnIjoiZGlyIn0..AAAA.AAAA.AAAA");
        Files.setPosixFilePermissions(sealed, PosixFilePermissions.fromString("rw-------"));

        Map<String, String> environment =
                Map.of(
                        "FAIRLEAD_LOGINS",
                        "keyring",
                        "XDG_CONFIG_HOME",
                        folder.resolve("config").toString(),
                        "DBUS_SESSION_BUS_ADDRESS",
                        "unix:path=" + folder.resolve("no-bus"));
        Cli.Ran status = Cli.process(environment, line -> {}, "auth", "status");

        assertThat(status.status()).isEqualTo(ExitStatus.NO_ANSWER);
        assertThat(status.err())
                .isEqualTo("fairlead: Cannot use " + sealed + ": no keyring can be reached here\n");
    }
}
