package dev.fairlead.auth.server;

import static dev.fairlead.auth.server.TestIssuer.RESOURCE;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.FetchLimits;
import dev.fairlead.auth.wire.Origin;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Awaiting;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/** Tokens that their issuer is asked about. */
@Timeout(90)
class IntrospectionTest {
    /** Long limits, for answers that a test holds back. */
    private static final FetchLimits LONG =
            new FetchLimits(Duration.ofMinutes(5), Duration.ofMinutes(5), 256 * 1024, 3);

    private static final Origin HERE = new Origin("192.0.2.1", false);
    private static final Secret SECRET = Secret.from(() -> "s:e c");

    private final SetClock clock = new SetClock();
    private final OpaqueIssuer issuer = new OpaqueIssuer();
    private final ResourceServer asking =
            ResourceServer.at(RESOURCE)
                    .introspection(issuer.url(), issuer.endpoint(), "reports", SECRET)
                    .clock(clock);
    private GuardedServer server;

    IntrospectionTest() throws IOException {}

    @BeforeEach
    void open() throws Exception {
        server = new GuardedServer(asking);
        issuer.answers.put("good", good().toString());
    }

    @AfterEach
    void close() {
        server.close();
        issuer.close();
    }

    private JsonObject good() {
        return JsonObject.of(
                "active", true,
                "sub", "ann",
                "client_id", "desk",
                "aud", RESOURCE,
                "scope", "reports:read reports:purge",
                "token_type", "Bearer",
                "exp", clock.instant().getEpochSecond() + 600);
    }

    private int status(String token) throws Exception {
        return server.initialize(token).statusCode();
    }

    @Test
    @Requirement({"ROOM-087", "AUTH-042", "AUTH-068"})
    void aTokenAdmitsWhomItsIssuerNames() throws Exception {
        String session = server.session("good");

        assertThat(server.call(session, "good", "who").body())
                .contains("ann@" + issuer.url() + " by Optional[desk]");
        assertThat(server.call(session, "good", "purge").body()).contains("done");
        assertThat(issuer.asked).containsExactly("token=good&token_type_hint=access_token");
        assertThat(issuer.credentials)
                .containsExactly(
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString(
                                                "reports:s%3Ae+c"
                                                        .getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void theIntrospectionEndpointIsReadFromTheIssuerMetadata() throws Exception {
        ResourceServer discovering =
                ResourceServer.at(RESOURCE)
                        .introspection(issuer.url(), "reports", SECRET)
                        .clock(clock);
        try (GuardedServer other = new GuardedServer(discovering)) {
            assertThat(other.initialize("good").statusCode()).isEqualTo(200);
            assertThat(other.get("/.well-known/oauth-protected-resource").body())
                    .contains("\"authorization_servers\":[\"" + issuer.url() + "\"]");
        }
    }

    @Test
    void anAnswerIsKeptForAWhile() throws Exception {
        assertThat(List.of(status("good"), status("good"), status("good"))).containsOnly(200);
        assertThat(issuer.asked).hasSize(1);

        issuer.answers.clear();
        clock.advance(IntrospectedTokens.ACTIVE_KEPT.minusSeconds(1));
        assertThat(status("good")).isEqualTo(200);
        clock.advance(Duration.ofSeconds(1));
        assertThat(status("good")).isEqualTo(401);
        assertThat(issuer.asked).hasSize(2);
    }

    /** The token is good by the clock of the test alone; by that of streams it has expired. */
    @Test
    @Requirement({"N26-SUB-015", "N26-SUB-009"})
    void aStreamOfChangesEndsWithItsToken() throws Exception {
        try (GuardedServer other = new GuardedServer(asking)) {
            String stream = // which has ended when there is a response
                    other.post(
                                    "/mcp",
                                    """
                                    {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
                                     "notifications": {"toolsListChanged": true},
                                     "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                               "io.modelcontextprotocol/clientCapabilities": {}}}}\
                                    """,
                                    "Authorization",
                                    "Bearer good",
                                    "MCP-Protocol-Version",
                                    "2026-07-28",
                                    "Mcp-Method",
                                    "subscriptions/listen")
                            .body();

            assertThat(stream).contains("acknowledged").contains("\"resultType\":\"complete\"");
        }
    }

    @Test
    void thatATokenIsNotActiveIsKeptMoreShortly() throws Exception {
        assertThat(List.of(status("new"), status("new"))).containsOnly(401);
        assertThat(issuer.asked).hasSize(1);

        issuer.answers.put("new", good().toString());
        clock.advance(IntrospectedTokens.INACTIVE_KEPT);
        assertThat(status("new")).isEqualTo(200);
    }

    @Test
    @Requirement("AUTH-044")
    void anAnswerIsNotKeptWhenTheTokenHasExpired() throws Exception {
        long soon = clock.instant().getEpochSecond() + 10;
        issuer.answers.put("short", good().with("exp", JsonValue.of(soon)).toString());
        assertThat(status("short")).isEqualTo(200);

        clock.advance(Duration.ofSeconds(10));
        issuer.answers.clear();
        assertThat(status("short")).isEqualTo(401);
        assertThat(issuer.asked).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"active\":false}",
                "{\"aud\":null}",
                "{\"aud\":\"https://other.example/mcp\"}",
                "{\"aud\":[]}",
                "{\"sub\":null,\"client_id\":null}",
                "{\"iss\":\"https://evil.example\"}",
                "{\"exp\":1000}",
                "{\"nbf\":4000000000}",
                "{\"token_type\":\"mac\"}",
                "{\"token_type\":\"DPoP\"}",
                "{\"cnf\":{\"x5t#S256\":\"x\"}}",
                "{\"cnf\":null}",
                "{\"sub\":\"\"}",
                "{\"sub\":\" \"}",
                "{\"sub\":4711}",
                "{\"sub\":null,\"client_id\":\"\"}"
            })
    @Requirement({"ROOM-087", "AUTH-043"})
    void anIncompleteIntrospectionResponseIsRefused(String changes) throws Exception {
        issuer.answers.put("bad", changed(changes));

        assertThat(status("bad")).isEqualTo(401);
        assertThat(status("good")).isEqualTo(200);
    }

    static Stream<String> hostileAnswers() {
        return Stream.of(
                "[".repeat(120_000) + "]".repeat(120_000),
                "{\"a\":".repeat(40_000) + "1" + "}".repeat(40_000),
                "9".repeat(200_000),
                "1e999999999",
                "-1e-999999999");
    }

    /** The parser of Nimbus, on a virtual thread: no depth, length or exponent takes long. */
    @ParameterizedTest
    @MethodSource("hostileAnswers")
    void anAnswerOfHostileJsonIsRefusedInAShortTime(String value) throws Exception {
        issuer.answers.put("bad", "{\"active\":true,\"exp\":" + value + "}");

        assertThat(status("bad")).isIn(401, 503);
        assertThat(status("good")).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"exp\":null}",
                "{\"sub\":null}",
                "{\"client_id\":null}",
                "{\"token_type\":null}",
                "{\"token_type\":\"bearer\"}",
                "{\"scope\":null}",
                "{\"aud\":[\"https://other.example\",\"https://reports.example/mcp\"]}"
            })
    void whatAnAnswerNeedNotSay(String changes) throws Exception {
        issuer.answers.put("other", changed(changes));

        assertThat(status("other")).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"exp\":null",
                "\"nbf\":null",
                "\"iat\":null",
                "\"iat\":\"yesterday\"",
                "\"jti\":5",
                "\"iss\":null",
                "\"username\":{}"
            })
    void membersThatAreNullOrNotReadCostNothing(String member) throws Exception {
        String good = good().without(member.replaceAll("\"(\\w+).*", "$1")).toString();
        issuer.answers.put("other", "{" + member + "," + good.substring(1));

        assertThat(status("other")).isEqualTo(200);
    }

    /** A good answer, without the members that are null. */
    private String changed(String changes) {
        JsonObject answer = good();
        JsonObject members = (JsonObject) JsonValue.parse(changes);
        for (String name : members.names()) {
            JsonValue value = members.get(name);
            boolean isLeftOut = value.equals(JsonNull.NULL) && !name.equals("cnf");
            answer = isLeftOut ? answer.without(name) : answer.with(name, value);
        }
        return answer.toString();
    }

    @Test
    void aTokenMayBeBoundToAKey() throws Exception {
        Holder ann = new Holder(clock);
        issuer.answers.put(
                "bound",
                good().with("token_type", JsonValue.of("DPoP"))
                        .with("cnf", JsonObject.of("jkt", ann.thumbprint()))
                        .toString());

        assertThat(status("bound")).isEqualTo(401);
        assertThat(Holder.send(server, "bound", ann.proof("bound")).statusCode()).isEqualTo(200);
        assertThat(issuer.asked).hasSize(1);
    }

    @Test
    void anIssuerThatDoesNotAnswerIsNotTheFaultOfTheToken() throws Exception {
        assertThat(status("good")).isEqualTo(200);
        for (int broken : List.of(500, 401, 302)) {
            issuer.status = broken;
            HttpResponse<String> answer = server.initialize("unknown");

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).hasValue("5");
            assertThat(status("good")).isEqualTo(200);
        }
        issuer.status = 200;
        assertThat(status("unknown")).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "active",
                "[]",
                "{}",
                "{\"active\":true",
                "{\"active\":\"true\"}",
                "{\"active\":true,\"exp\":\"soon\"}"
            })
    void anAnswerThatIsNoneIsNotTheFaultOfTheToken(String answer) throws Exception {
        issuer.answers.put("odd", answer);

        assertThat(status("odd")).isEqualTo(503);
    }

    @Test
    void anAnswerThatIsTooLargeIsNotRead() throws Exception {
        issuer.answers.put("large", good().with("x", JsonValue.of("x".repeat(300_000))).toString());

        assertThat(status("large")).isEqualTo(503);
    }

    @Test
    void aSlowIssuerTimesOutQuickly() throws Exception {
        FetchLimits impatient =
                new FetchLimits(Duration.ofMinutes(5), Duration.ofMillis(100), 10_000, 0);
        issuer.gate = new CountDownLatch(1);
        try (GuardedServer hurried = new GuardedServer(asking.limits(impatient))) {
            assertThat(hurried.initialize("good").statusCode()).isEqualTo(503);
        }
    }

    @Test
    void requestsWithTheSameTokenShareAnAnswer() throws Exception {
        issuer.gate = new CountDownLatch(1);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                answers.add(callers.submit(() -> status("good")));
            }
            issuer.entered.acquire();
            issuer.gate.countDown();
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isEqualTo(200);
            }
        }
        assertThat(issuer.asked).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptFailsTheRequestThatAsksAlone(boolean waitsForItsTurn) throws Exception {
        IntrospectedTokens tokens = tokens(Duration.ofMinutes(5));
        issuer.gate = new CountDownLatch(1);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            if (waitsForItsTurn) {
                for (int i = 0; i < IntrospectedTokens.AT_ONCE; i++) {
                    String other = "other-" + i;
                    callers.submit(() -> tokens.verify(other, HERE));
                }
                issuer.entered.acquire(IntrospectedTokens.AT_ONCE);
            }
            var first = new FutureTask<>(() -> tokens.verify("good", HERE));
            Thread asking = Thread.ofVirtual().start(first);
            awaitWaiting(asking);
            var second = new FutureTask<>(() -> tokens.verify("good", HERE));
            awaitWaiting(Thread.ofVirtual().start(second));

            asking.interrupt();
            assertThatThrownBy(first::get)
                    .cause()
                    .isInstanceOfAny(InterruptedException.class, IOException.class);
            issuer.gate.countDown();
            assertThat(second.get()).isPresent();
        }
    }

    private static void awaitWaiting(Thread thread) {
        Set<Thread.State> waiting = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);
        Awaiting.await().until(() -> waiting.contains(thread.getState()));
    }

    private IntrospectedTokens tokens(Duration patience) {
        var terms = new Introspection.Terms(issuer.url(), issuer.endpoint(), "reports", SECRET);
        var fetch = new Fetch(UrlPolicy.loopbackAllowed(), LONG);
        return new IntrospectedTokens(
                new Introspection(terms, fetch, Duration.ZERO, clock), clock, patience);
    }

    @Test
    void aFloodOfTokensAsksOnlySoManyTimesAtOnce() throws Exception {
        IntrospectedTokens tokens = tokens(Duration.ofMillis(50));
        issuer.gate = new CountDownLatch(1);
        var refused = new CountDownLatch(20);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < IntrospectedTokens.AT_ONCE + 20; i++) {
                String token = "flood-" + i;
                callers.submit(
                        () -> {
                            try {
                                return tokens.verify(token, HERE);
                            } catch (IOException e) {
                                refused.countDown();
                                throw e;
                            }
                        });
            }
            refused.await();
            issuer.entered.acquire(IntrospectedTokens.AT_ONCE);
            issuer.gate.countDown();
        }
        assertThat(issuer.most).hasValue(IntrospectedTokens.AT_ONCE);
        assertThat(tokens.verify("good", HERE)).isPresent();
    }

    @Test
    void aFloodFromOneAddressLeavesPlacesToOthers() throws Exception {
        IntrospectedTokens tokens = tokens(Duration.ofMinutes(5));
        issuer.gate = new CountDownLatch(1);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2 * IntrospectedTokens.AT_ONCE; i++) {
                String token = "flood-" + i;
                callers.submit(() -> tokens.verify(token, HERE));
            }
            issuer.entered.acquire(IntrospectedTokens.AT_ONCE);
            callers.submit(() -> tokens.verify("good", new Origin("192.0.2.2", false)));

            try {
                String asked = "token=good&token_type_hint=access_token";
                Awaiting.await().until(() -> issuer.asked.contains(asked));
            } finally {
                issuer.gate.countDown();
            }
        }
    }

    @Test
    void requestsThatWaitToAskAreFew() throws Exception {
        IntrospectedTokens tokens = tokens(Duration.ofMinutes(5));
        issuer.gate = new CountDownLatch(1);
        CountDownLatch refused = new CountDownLatch(1);
        int most = (IntrospectedTokens.AT_ONCE + IntrospectedTokens.MAX_WAITING) * 5 / 4;
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i <= most; i++) {
                String token = "flood-" + i;
                callers.submit(
                        () -> {
                            try {
                                return tokens.verify(token, HERE);
                            } finally {
                                refused.countDown();
                            }
                        });
            }
            try {
                assertThat(refused.await(60, SECONDS)).isTrue();
            } finally {
                issuer.gate.countDown();
            }
        }
    }

    @Test
    @Requirement("AUTH-045")
    void aTokenThatNamesAnotherIssuerIsNotShownToThisOne() throws Exception {
        try (TestIssuer other = new TestIssuer("other")) {
            assertThat(status(other.token())).isEqualTo(401);
        }
        assertThat(issuer.asked).isEmpty();
    }

    @Test
    void aSecretThatIsMissingIsMissedAtTheStart() {
        ResourceServer missing =
                ResourceServer.at(RESOURCE)
                        .introspection(issuer.url(), "reports", Secret.env("NO_SUCH_SECRET"));

        assertThatThrownBy(() -> new GuardedServer(missing))
                .hasMessage("there is no secret in the environment variable NO_SUCH_SECRET");
    }
}
