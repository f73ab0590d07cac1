package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * {@code fairlead login}, {@code logout} and {@code auth status}, and other commands with their
 * logins.
 */
@Timeout(600)
class LoginTest {
    @AutoClose private final ProtectedServer server = new ProtectedServer();
    @AutoClose private final Visitor visitor = new Visitor();
    @TempDir private Path folder;

    /** A test before may have had the same port. */
    @BeforeEach
    void logOut() {
        Cli.run("logout", server.url());
    }

    private Ran login(String... flags) {
        String[] typed = new String[flags.length + 3];
        typed[0] = "login";
        typed[1] = "--no-browser";
        typed[2] = server.url();
        System.arraycopy(flags, 0, typed, 3, flags.length);
        return Cli.runObserved(visitor::read, typed);
    }

    private String serversFile(JsonObject definition) throws IOException {
        JsonObject json = JsonObject.of("mcpServers", JsonObject.of("reports", definition));
        return Files.writeString(folder.resolve("servers.json"), json.toJson()).toString();
    }

    private static JsonObject document(Ran ran) {
        assertThat(ran.out()).endsWith("}\n").doesNotContain("\n{");
        return (JsonObject) JsonValue.parse(ran.out());
    }

    private String notLoggedIn() {
        return "not logged in to " + server.url() + "; run: fairlead login " + server.url();
    }

    @Test
    void aPersonLogsInAndAllCommandsUseThat() {
        Ran ran = login();

        assertThat(ran.out())
                .isEqualTo(
                        "You are logged in to " + server.url() + " by " + server.issuer() + "\n");
        assertThat(ran.err().lines().toList())
                .hasSize(2)
                .first()
                .isEqualTo("To log in to " + server.url() + " open this page:");
        assertThat(ran.status()).isZero();
        assertThat(Cli.run("ping", server.url()).status()).isZero();
        assertThat(Cli.run("tools", "call", "who", server.url()).out()).contains("ada");
        assertThat(server.asked).filteredOn("/token"::equals).hasSize(1);
    }

    @Test
    @Requirement("AUTH-065")
    void withoutALoginACommandNamesTheLoginCommandAndStartsNoLogin() {
        Ran ran = Cli.run("tools", "list", server.url());
        assertThat(ran).isEqualTo(new Ran(3, "", "fairlead: " + notLoggedIn() + "\n"));

        Ran json = Cli.run("tools", "list", "--json", server.url());
        assertThat(json.status()).isEqualTo(3);
        assertThat(document(json))
                .isEqualTo(JsonObject.of("error", JsonObject.of("message", notLoggedIn())));
        assertThat(server.asked).isEmpty();
    }

    @Test
    void aCheckOfServersSaysTheSame() throws IOException {
        String file = serversFile(JsonObject.of("url", server.url()));

        Ran ran = Cli.run("servers", "--check", "--servers", file);
        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.out()).contains(notLoggedIn());

        login();
        assertThat(Cli.run("servers", "--check", "--servers", file).status()).isZero();
        assertThat(Cli.run("ping", "reports", "--servers", file).status()).isZero();
    }

    @Test
    void aHeaderOfTheServersFileIsUsedInThePlaceOfALogin() throws IOException {
        server.valid.put("own", java.util.Set.of());
        JsonObject definition = JsonObject.of("url", server.url());
        String file =
                serversFile(
                        definition.with("headers", JsonObject.of("authorization", "Bearer own")));
        login();
        server.valid.keySet().removeIf(token -> !token.equals("own"));

        assertThat(Cli.run("ping", "reports", "--servers", file).status()).isZero();
        assertThat(server.asked).filteredOn("/token"::equals).hasSize(1);
    }

    @Test
    @Requirement("AUTH-066")
    void aTokenThatHasEndedIsRenewed() {
        login();
        server.valid.clear();

        assertThat(Cli.run("ping", server.url()).status()).isZero();
        assertThat(server.asked).filteredOn("/token"::equals).hasSize(2);
        assertThat(server.asked).filteredOn("/authorize"::equals).hasSize(1);
    }

    @Test
    @Requirement("AUTH-051")
    void scopesThatAreMissingAreNamedAndCanBeHad() {
        login();
        Ran ran = Cli.run("tools", "call", "purge", server.url());
        String more = " --scope reports:read --scope reports:purge";
        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.err()).endsWith("; run: fairlead login " + server.url() + more + "\n");

        login(more.strip().split(" "));
        assertThat(Cli.run("tools", "call", "purge", server.url()).out()).contains("purged");
    }

    @Test
    @Requirement("AUTH-053")
    void theStatusNamesEachLoginAndNoToken() {
        login();

        Ran ran = Cli.run("auth", "status", "--json");
        JsonObject mine =
                document(ran).array("logins").elements().stream()
                        .map(JsonObject.class::cast)
                        .filter(login -> login.string("server").equals(server.url()))
                        .findFirst()
                        .orElseThrow();
        assertThat(mine.without("expiresAt"))
                .isEqualTo(
                        JsonObject.of(
                                "server",
                                server.url(),
                                "issuer",
                                server.issuer(),
                                "clientId",
                                "client",
                                "scopes",
                                JsonArray.of("reports:read"),
                                "refreshable",
                                true));
        assertThat(Instant.parse(mine.string("expiresAt"))) // ten years from now, at the longest
                .isAfter(Instant.parse("2036-01-01T00:00:00Z"));
        assertThat(ran.out() + ran.err()).doesNotContain("access-", "refresh-");
        assertThat(Cli.run("auth", "status").out().lines())
                .anyMatch(
                        line ->
                                line.startsWith(
                                                server.url()
                                                        + "\t"
                                                        + server.issuer()
                                                        + "\tclient\treports:read\t")
                                        && line.endsWith("\tyes"));
    }

    @Test
    void aLoginForAProgramIsOneDocument() throws Exception {
        Ran ran = login("--json");

        assertThat(document(ran).object("login").string("server")).isEqualTo(server.url());
        assertThat(ran.out()).doesNotContain("access-", "refresh-");
    }

    @Test
    void aServerThatAsksForNoLoginIsSaidToDoSo() throws Exception {
        try (LocalShowcase open = new LocalShowcase()) {
            assertThat(Cli.run("login", "--no-browser", open.url()))
                    .isEqualTo(new Ran(0, open.url() + " requires no login\n", ""));
            assertThat(document(Cli.run("login", "--json", open.url())))
                    .isEqualTo(JsonObject.of("login", JsonNull.NULL));
        }
    }

    @Test
    void aLoginThatIsRefusedLeavesTheOneBefore() {
        login();
        server.agrees = false;
        Ran ran = login();

        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.err())
                .endsWith("fairlead: the authorization server refuses the login: access_denied\n");
        assertThat(Cli.run("ping", server.url()).status()).isZero();
    }

    @Test
    void theLoginWaitEndsAtTheGivenTimeout() {
        Ran ran = Cli.run("login", "--no-browser", "--timeout", "100", server.url());

        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.err()).endsWith("fairlead: no login within 100 ms\n");
    }

    @Test
    void anIssuerThatTheServerDoesNotNameIsNotAsked() {
        Ran ran = login("--issuer", "https://other.example");

        assertThat(ran.err())
                .endsWith(
                        "fairlead: the server does not name the issuer that was configured for it:"
                                + " it names "
                                + server.issuer()
                                + ", not https://other.example\n");
        assertThat(server.asked).containsExactly("/resource");
    }

    @Test
    void aClientThatIsNamedIsNotRegistered() {
        assertThat(login("--client-id", "desk").status()).isZero();
        assertThat(server.asked).doesNotContain("/register");
        assertThat(Cli.run("auth", "status").out()).contains("\tdesk\t");
    }

    @Test
    void whatDoesNotFitTogetherIsSaidBeforeAnythingIsAsked() {
        assertUsage("--client-secret-env needs --client-id", "--client-secret-env", "PATH");
        assertUsage(
                "--client-secret-env needs --issuer; the secret is sent to no other",
                "--client-id",
                "desk",
                "--client-secret-env",
                "PATH");
        assertUsage(
                "--client-secret-env: the variable FAIRLEAD_NO_SUCH is not set",
                "--client-id",
                "desk",
                "--issuer",
                server.issuer(),
                "--client-secret-env",
                "FAIRLEAD_NO_SUCH");
        assertUsage("--redirect-port must be 0 to 65535 but was 65536", "--redirect-port", "65536");
        assertThat(server.asked).isEmpty();
    }

    @Test
    void thePortToComeBackToCanBeNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Ran ran = login("--redirect-port", Integer.toString(taken.getLocalPort()));

            assertThat(ran.status()).isEqualTo(ExitStatus.NO_ANSWER);
            assertThat(ran.err()).contains("port " + taken.getLocalPort());
        }
    }

    private void assertUsage(String message, String... options) {
        Ran ran = login(options);
        assertThat(ran.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(ran.err()).contains(message);
    }

    @Test
    void aLogoutRevokesAndForgets() {
        login();

        assertThat(Cli.run("logout", server.url()))
                .isEqualTo(
                        new Ran(
                                0,
                                "Logged out of "
                                        + server.url()
                                        + ": "
                                        + server.issuer()
                                        + " revoked the tokens\n",
                                ""));
        assertThat(server.revocations)
                .extracting(form -> form.get("token_type_hint"))
                .containsExactly("refresh_token", "access_token");
        assertThat(Cli.run("auth", "status").out()).doesNotContain(server.url());
        assertThat(Cli.run("ping", server.url()).status()).isEqualTo(3);
        assertThat(Cli.run("logout", server.url()).out())
                .isEqualTo("Not logged in to " + server.url() + "\n");
    }

    @Test
    void aLogoutSaysWhereTokensAreNotRevoked() {
        login();
        server.canRevoke = false;

        assertThat(document(Cli.run("logout", "--json", server.url())))
                .isEqualTo(
                        JsonObject.of(
                                "server",
                                server.url(),
                                "revoked",
                                false,
                                "issuer",
                                server.issuer(),
                                "reason",
                                "it revokes no tokens"));
        assertThat(Cli.run("auth", "status").out()).doesNotContain(server.url());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "login",
                "login --timeout 0 http://localhost/mcp",
                "login --client-metadata http://desk.example/c http://localhost/mcp",
                "login ftp://localhost/mcp",
                "logout",
                "logout nowhere --servers /no/such/file",
                "auth",
                "auth state"
            })
    void whatCannotBeRunIsWrongUsage(String typed) {
        assertThat(Cli.run(typed.split(" ")).status()).isEqualTo(64);
    }

    @Test
    void aServerStartedAsAProgramNeedsNoLogin() throws IOException {
        String file = serversFile(JsonObject.of("command", "program", "args", List.of("--quiet")));

        assertThat(Cli.run("login", "reports", "--servers", file).err())
                .isEqualTo("fairlead: reports is started as a program and needs no login\n");
    }
}
