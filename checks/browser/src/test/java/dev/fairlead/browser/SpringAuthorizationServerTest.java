package dev.fairlead.browser;

import static dev.fairlead.browser.Reports.call;
import static dev.fairlead.browser.Reports.login;
import static dev.fairlead.browser.SpringIssuer.BRIEF;
import static dev.fairlead.browser.SpringIssuer.DESK;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.client.TokenStore;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * People log in at a real authorization server, with a real browser, to use an MCP server: from the
 * first request without a token to the end of the login.
 */
@Timeout(120)
class SpringAuthorizationServerTest extends BrowserTest {
    private static SpringIssuer issuer;

    private final TokenStore tokens = TokenStore.memory();
    private Person ann;
    private Reports reports;

    @BeforeAll
    static void startIssuer() {
        issuer = new SpringIssuer();
    }

    @AfterAll
    static void stopIssuer() {
        issuer.close();
    }

    @BeforeEach
    void serve() throws Exception {
        ann = new Person(chromium, "ann");
        reports = new Reports(issuer.url());
    }

    @AfterEach
    void stop() {
        issuer.controls().ahead = Duration.ZERO;
        reports.close();
        ann.close();
    }

    @Test
    @Requirement({"AUTH-008", "AUTH-014", "AUTH-042", "AUTH-058"})
    void aPersonLogsInAndAgreesAndIsKnownToTheServer() throws Exception {
        try (Person cleo = new Person(chromium, "cleo");
                McpClient client = reports.connect(login(DESK, cleo, tokens))) {
            assertThat(call(client, "who")).isEqualTo("cleo");
            assertThat(call(client, "who")).isEqualTo("cleo");

            assertThat(cleo.logins).hasSize(1);
            assertThat(cleo.consents).containsExactly("reports:read");
        }

        assertThat(reports.kept(tokens, "scope")).isEqualTo("reports:read");
        assertThat(reports.kept(tokens, "issuer")).isEqualTo(issuer.url());
    }

    @Test
    @Requirement({"AUTH-055", "AUTH-066"})
    void tokensThatEndSoonAreRefreshedAndTheRefreshTokenChanges() throws Exception {
        try (McpClient client = reports.connect(login(BRIEF, ann, tokens))) {
            String first = reports.kept(tokens, "refresh_token");
            String access = reports.kept(tokens, "access_token");
            int issued = issuer.controls().issued.get();
            for (int i = 0; i < 5; i++) {
                assertThat(call(client, "who")).isEqualTo("ann");
            }

            assertThat(issuer.controls().issued.get()).isGreaterThanOrEqualTo(issued + 5);
            assertThat(reports.kept(tokens, "refresh_token")).isNotEqualTo(first);
            assertThat(reports.kept(tokens, "access_token")).isNotEqualTo(access);
            assertThat(ann.logins).hasSize(1);
        }
    }

    @Test
    @Requirement({"AUTH-047", "AUTH-051"})
    void aToolThatRequiresMoreHasThePersonAskedForMore() throws Exception {
        try (Person dora = new Person(chromium, "dora");
                McpClient client = reports.connect(login(DESK, dora, tokens))) {
            assertThat(call(client, "who")).isEqualTo("dora");
            assertThat(dora.consents).containsExactly("reports:read");

            assertThat(call(client, "purge")).isEqualTo("purged by dora");
            assertThat(call(client, "who")).isEqualTo("dora");
            assertThat(dora.consents).containsExactly("reports:read", "reports:purge");
            assertThat(dora.logins).hasSize(1); // the issuer still knew her
        }

        assertThat(reports.kept(tokens, "scope").split(" "))
                .containsExactlyInAnyOrder("reports:read", "reports:purge");
    }

    @Test
    @Requirement("AUTH-066")
    void aRevokedLoginEndsWithItsAccessTokenAndThePersonLogsInAgain() throws Exception {
        try (McpClient client = reports.connect(login(BRIEF, ann, tokens))) {
            assertThat(call(client, "who")).isEqualTo("ann");
            String access = reports.kept(tokens, "access_token");
            issuer.revoke(BRIEF, reports.kept(tokens, "refresh_token"));

            assertThat(status(access)).isEqualTo(200); // a JWT is not introspected
            call(client, "who"); // with that, since it cannot be refreshed
            assertThat(call(client, "who")).isEqualTo("ann");

            assertThat(reports.kept(tokens, "access_token")).isNotEqualTo(access);
        }
    }

    @Test
    void aMissingLoginAfterARevocationIsReported() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        try (McpClient first = reports.connect(login(BRIEF, ann, tokens))) {
            assertThat(call(first, "who")).isEqualTo("ann");
        }
        issuer.revoke(BRIEF, reports.kept(tokens, "refresh_token"));
        var absent =
                login(BRIEF, ann, tokens)
                        .browser(url -> asked.add(url.toString()))
                        .loginTimeout(Duration.ofMillis(100));

        assertThatThrownBy(
                        () -> { // the first requests may still have time left from the login
                            try (McpClient client = reports.connect(absent)) {
                                call(client, "who");
                                call(client, "who");
                            }
                        })
                .isInstanceOf(AuthorizationException.class)
                .hasMessageContaining("no login within");
        assertThat(asked).isNotEmpty();
    }

    @Test
    void keysThatRotateUnderLoadHaveNoCallRefused() throws Exception {
        int callers = 8;
        int calls = 12;
        AtomicInteger done = new AtomicInteger();
        List<Future<String>> all = new ArrayList<>();
        try (McpClient client = reports.connect(login(BRIEF, ann, tokens));
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < callers * calls; i++) {
                all.add(
                        executor.submit(
                                () -> {
                                    String who = call(client, "who");
                                    if (done.incrementAndGet() == callers * calls / 2) {
                                        issuer.controls().keys.rotate();
                                    }
                                    return who;
                                }));
            }
            for (Future<String> each : all) {
                assertThat(each.get()).isEqualTo("ann");
            }
            assertThat(call(client, "who")).isEqualTo("ann");
        }
        assertThat(ann.logins).hasSize(1);
    }

    @Test
    @Requirement("AUTH-042")
    void anIssuerWhoseClockIsAheadIsTakenWithinReason() throws Exception {
        issuer.controls().ahead = Duration.ofSeconds(30);
        try (McpClient client = reports.connect(login(DESK, ann, tokens))) {
            assertThat(call(client, "who")).isEqualTo("ann");
        }
        tokens.remove(reports.url());
        issuer.controls().ahead = Duration.ofMinutes(3);

        assertThatThrownBy(() -> reports.connect(login(DESK, ann, tokens)).close())
                .hasMessageContaining("refuses the token (status 401, invalid_token)");
    }

    @Test
    @Requirement({"SEC-001", "SEC-002", "TASK-094", "TASK-095", "TASK-096"})
    void twoPeopleSeeNothingOfEachOther() throws Exception {
        TokenStore bobs = TokenStore.memory();
        try (Person bob = new Person(chromium, "bob");
                McpClient hers = reports.connectWithSession(login(DESK, ann, tokens));
                McpClient his = reports.connectWithSession(login(DESK, bob, bobs))) {
            assertThat(call(his, "who")).isEqualTo("bob");
            assertThat(names(hers)).contains("diary");
            assertThat(names(his)).contains("print").doesNotContain("diary");
            assertThatThrownBy(() -> call(his, "diary")).isInstanceOf(JsonRpcException.class);

            TaskHandle<CallToolResult> task =
                    hers.startTool(new CallToolRequest("print", JsonObject.EMPTY));
            TaskId id = task.id().orElseThrow();
            task.await();
            assertThat(his.tasks()).isEmpty();
            assertThat(hers.tasks()).hasSize(1);
            assertThatThrownBy(() -> his.getTask(id)).isInstanceOf(JsonRpcException.class);
            assertThatThrownBy(() -> his.taskResult(id)).isInstanceOf(JsonRpcException.class);
            assertThatThrownBy(() -> his.cancelTask(id)).isInstanceOf(JsonRpcException.class);

            String session = session(reports.kept(tokens, "access_token"));
            assertThat(ping(session, reports.kept(tokens, "access_token"))).isEqualTo(200);
            assertThat(ping(session, reports.kept(bobs, "access_token"))).isEqualTo(404);
        }
    }

    private static List<String> names(McpClient client) throws InterruptedException {
        return client.tools().stream().map(Tool::name).toList();
    }

    private HttpResponse<String> post(String token, String body, String... headers)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(reports.url())
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("Authorization", "Bearer " + token)
                        .POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request.build(), BodyHandlers.ofString());
        }
    }

    private HttpResponse<String> initialize(String token) throws Exception {
        return post(
                token,
                """
                {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":\
                "2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}\
                """);
    }

    private int status(String token) throws Exception {
        return initialize(token).statusCode();
    }

    private String session(String token) throws Exception {
        return initialize(token).headers().firstValue("MCP-Session-Id").orElseThrow();
    }

    private int ping(String session, String token) throws Exception {
        String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        return post(token, ping, "MCP-Session-Id", session).statusCode();
    }
}
