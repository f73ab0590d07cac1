package dev.fairlead.auth.proxy;

import static dev.fairlead.auth.proxy.ProxiedServer.authorize;
import static dev.fairlead.auth.proxy.ProxiedServer.json;
import static dev.fairlead.auth.proxy.ProxiedServer.redemption;
import static dev.fairlead.auth.proxy.ProxiedServer.refreshing;
import static dev.fairlead.auth.proxy.TestBrowser.location;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.auth.wire.FormEncoding;
import dev.fairlead.jdbc.Database;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Seven nodes with one database: each step of a login reaches another one. */
@Timeout(120)
class ProxyNodesTest {
    private static final int NODES = 7;
    private static final int CONTENDERS = 32;

    @TempDir Path folder;

    private final List<ProxiedServer> nodes = new ArrayList<>();
    private final List<Database> databases = new ArrayList<>();
    TestUpstream upstream;
    private TestBrowser person;

    /** The database of one more node; here all nodes are in the process that has the file. */
    Database open() {
        return databases.isEmpty()
                ? Database.sqlite(folder.resolve("logins.db"))
                : databases.getFirst();
    }

    @BeforeEach
    void start() throws IOException {
        upstream = new TestUpstream();
        person = new TestBrowser(this::real);
        startNodes();
    }

    private void startNodes() throws IOException {
        for (int i = 0; i < NODES; i++) {
            databases.add(open());
            nodes.add(ProxiedServer.node(upstream, databases.getLast()));
        }
    }

    @AfterEach
    void close() {
        closeNodes();
        person.close();
        upstream.close();
    }

    private void closeNodes() {
        nodes.forEach(ProxiedServer::close);
        nodes.clear();
        databases.forEach(Database::close);
        databases.clear();
    }

    /** Sends each step of the browser to a node of its own. */
    private String real(String url) {
        String path = url;
        for (ProxiedServer node : nodes) {
            path = path.replace(node.real(ProxiedServer.ORIGIN + "/"), ProxiedServer.ORIGIN + "/");
        }
        int node = path.contains("/authorize") ? 1 : path.contains("/consent") ? 2 : 3;
        return nodes.get(node).real(path);
    }

    private String code(String client) throws Exception {
        person.cookies.clear(); // the person has to agree again
        return nodes.getFirst().login(person, authorize(client)).get("code");
    }

    private HttpResponse<String> revoke(ProxiedServer node, String client, String token)
            throws Exception {
        return node.send(
                "POST",
                "/revoke",
                FormEncoding.TYPE,
                FormEncoding.body(Map.of("client_id", client, "token", token)));
    }

    @Test
    @Requirement({"AUTH-064", "AUTH-055"})
    void eachStepReachesAnotherNode() throws Exception {
        String client = nodes.get(0).client("Desk");
        String code = code(client);
        JsonObject first = json(nodes.get(4).token(redemption(client, code)));
        assertThat(nodes.get(3).who(first.string("access_token"))).contains("4711@", client);
        JsonObject second =
                json(nodes.get(5).token(refreshing(client, first.string("refresh_token"))));
        assertThat(nodes.get(1).mcp(second.string("access_token")).statusCode()).isEqualTo(200);

        assertThat(revoke(nodes.get(6), client, second.string("access_token")).statusCode())
                .isEqualTo(200);
        for (ProxiedServer node : nodes) {
            assertThat(node.mcp(second.string("access_token")).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void anApprovalCountsOnAllNodes() throws Exception {
        String client = nodes.getFirst().client("Desk");
        code(client);

        assertThat(location(person.open(authorize(client)))).startsWith(upstream.url());
    }

    /** Has all contenders do the same at once, each at a node; returns their answers. */
    private List<HttpResponse<String>> race(At same) throws Exception {
        List<Callable<HttpResponse<String>>> contenders = new ArrayList<>();
        for (int i = 0; i < CONTENDERS; i++) {
            ProxiedServer node = nodes.get(i % NODES);
            contenders.add(() -> same.of(node));
        }
        List<HttpResponse<String>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CONTENDERS)) {
            for (Future<HttpResponse<String>> answer : threads.invokeAll(contenders)) {
                answers.add(answer.get());
            }
        }
        return answers;
    }

    /** A request to a node. */
    @FunctionalInterface
    private interface At {
        HttpResponse<String> of(ProxiedServer node) throws Exception;
    }

    /** Returns the tokens of the one that got some; all others were refused. */
    private static JsonObject theOnlyTokens(List<HttpResponse<String>> answers) {
        assertThat(answers).extracting(HttpResponse::statusCode).containsOnlyOnce(200);
        assertThat(answers)
                .filteredOn(answer -> answer.statusCode() != 200)
                .allMatch(answer -> answer.statusCode() == 400)
                .allMatch(answer -> json(answer).string("error").equals("invalid_grant"));
        return json(
                answers.stream().filter(answer -> answer.statusCode() == 200).findFirst().get());
    }

    private void assertEnded(String client, JsonObject tokens) throws Exception {
        assertThat(nodes.get(1).mcp(tokens.string("access_token")).statusCode()).isEqualTo(401);
        assertThat(
                        nodes.get(2)
                                .token(refreshing(client, tokens.string("refresh_token")))
                                .statusCode())
                .isEqualTo(400);
    }

    @Test
    @Requirement({"AUTH-003", "AUTH-058"})
    void ofManyThatRedeemACodeOneGetsTokensAndTheLoginEnds() throws Exception {
        String client = nodes.getFirst().client("Desk");
        Map<String, String> form = redemption(client, code(client));

        assertEnded(client, theOnlyTokens(race(node -> node.token(form))));
    }

    @Test
    @Requirement("AUTH-055")
    void ofManyThatRefreshOneGetsTokensAndTheLoginEnds() throws Exception {
        String client = nodes.getFirst().client("Desk");
        JsonObject tokens = json(nodes.get(1).token(redemption(client, code(client))));
        Map<String, String> form = refreshing(client, tokens.string("refresh_token"));

        assertEnded(client, theOnlyTokens(race(node -> node.token(form))));
    }

    @Test
    @Requirement("SEC-023")
    void ofManyReturnsFromTheUpstreamOneIsTaken() throws Exception {
        String client = nodes.getFirst().client("Desk");
        HttpResponse<String> page = person.open(authorize(client));
        String callback = location(person.open(location(person.submit(page, "allow"))));
        String query = callback.substring(ProxiedServer.ORIGIN.length());
        String cookie = "__Host-fairlead=" + person.cookies.get("__Host-fairlead");

        List<HttpResponse<String>> answers = race(node -> node.get(query, "Cookie", cookie));

        assertThat(answers)
                .filteredOn(answer -> location(answer).contains("?code="))
                .hasSize(1)
                .allMatch(answer -> answer.statusCode() == 303);
        assertThat(answers)
                .filteredOn(answer -> location(answer).isEmpty())
                .hasSize(CONTENDERS - 1)
                .allMatch(answer -> answer.statusCode() == 400);
        assertThat(upstream.redemptions).hasSize(1);
    }

    @Test
    void codesAndTokensEndOnAllNodes() throws Exception {
        String client = nodes.getFirst().client("Desk");
        String late = code(client);
        JsonObject tokens = json(nodes.get(4).token(redemption(client, code(client))));
        nodes.forEach(node -> node.pass(Logins.CODE));
        assertThat(nodes.get(5).token(redemption(client, late)).statusCode()).isEqualTo(400);
        nodes.forEach(node -> node.pass(Duration.ofMinutes(15)));

        assertThat(nodes.get(6).mcp(tokens.string("access_token")).statusCode()).isEqualTo(401);
        assertThat(
                        nodes.get(0)
                                .token(refreshing(client, tokens.string("refresh_token")))
                                .statusCode())
                .isEqualTo(200);
    }

    @Test
    void loginsOutliveARestartOfAllNodes() throws Exception {
        String client = nodes.getFirst().client("Desk");
        String open = nodes.getFirst().client("Second");
        JsonObject tokens = json(nodes.get(4).token(redemption(client, code(client))));
        HttpResponse<String> page = person.open(authorize(open));
        String callback = location(person.open(location(person.submit(page, "allow"))));
        closeNodes();
        startNodes();

        assertThat(nodes.get(0).mcp(tokens.string("access_token")).statusCode()).isEqualTo(200);
        String back = location(person.open(callback));
        String code = Form.parse(URI.create(back).getRawQuery()).get("code");
        assertThat(nodes.get(1).token(redemption(open, code)).statusCode()).isEqualTo(200);
        assertThat(
                        nodes.get(2)
                                .token(refreshing(client, tokens.string("refresh_token")))
                                .statusCode())
                .isEqualTo(200);
    }

    @Test
    void unknownAndForeignValuesLookTheSame() throws Exception {
        String client = nodes.getFirst().client("Desk");
        String other = nodes.get(1).client("Other");
        JsonObject tokens = json(nodes.get(4).token(redemption(client, code(client))));
        String unknown = OpaqueToken.random() + "." + OpaqueToken.random();

        HttpResponse<String> never = nodes.get(5).token(refreshing(other, unknown));
        HttpResponse<String> revoked = revoke(nodes.get(6), other, unknown);
        assertThat(never.statusCode()).isEqualTo(400);
        assertThat(revoked.statusCode()).isEqualTo(200);
        assertThat(nodes.get(2).mcp(unknown).body())
                .isEqualTo(nodes.get(3).mcp(tokens.string("refresh_token")).body());
        assertThat(nodes.get(5).token(redemption(client, tokens.string("access_token"))).body())
                .isEqualTo(never.body());
    }
}
