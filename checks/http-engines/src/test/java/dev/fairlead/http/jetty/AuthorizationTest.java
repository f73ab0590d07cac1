package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.notification;
import static dev.fairlead.http.jetty.ScriptedHost.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/** Admission of requests where an authorization decides. */
@Timeout(60)
class AuthorizationTest extends HttpTest {
    private static final String TOKEN = "Authorization";
    private static final String ANN = "Bearer ann";
    private static final String BOB = "Bearer bob";

    private final Names names = Names.of("ann", "bob");

    private HttpServing guarded() throws IOException {
        return guarded(listener -> listener);
    }

    private HttpServing guarded(UnaryOperator<HttpListener> options) throws IOException {
        return serveOnTimers(listener -> options.apply(listener.authorization(names)));
    }

    private String session(HttpServing serving, String version, String token) throws IOException {
        Answer answer = post(serving, initialize(version), TOKEN, token);
        assertThat(answer.status()).isEqualTo(200);
        return answer.header(SESSION);
    }

    private Answer at(HttpServing serving, String method, String path, String... headers)
            throws IOException {
        Map<String, String> all = new TreeMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i], headers[i + 1]);
        }
        try (Wire wire = Wire.to(serving)) {
            return wire.send(method, path, all, new byte[0]).answer();
        }
    }

    @Test
    @Requirement({"AUTH-042", "AUTH-044", "SEC-001"})
    void anUnknownCallerIsChallengedAndNothingIsProcessed() throws Exception {
        HttpServing serving = guarded();

        Answer answer = post(serving, initialize("2025-11-25"), TOKEN, "Bearer eve");

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"names\"");
        assertThat(answer.body())
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"Who are"
                                + " you?\"}}");
        assertThat(host.sessions).isEmpty();
    }

    @Test
    void aConnectionOnWhichABodyWasNotReadIsNotUsedAgain() throws Exception {
        HttpServing serving = guarded();

        Answer withBody = post(serving, initialize("2025-11-25"), TOKEN, "Bearer eve");
        Answer without = method(serving, "DELETE", TOKEN, "Bearer eve");

        assertThat(withBody.header("Connection")).isEqualTo("close");
        assertThat(without.headers()).doesNotContainKey("Connection");
    }

    @Test
    @Requirement({"SEC-001", "SEC-002", "AUTH-042"})
    void everyRequestOfASessionIsChecked() throws Exception {
        HttpServing serving = guarded();
        String id = session(serving, "2025-11-25", ANN);
        String[] good = {SESSION, id, TOKEN, ANN};
        assertThat(post(serving, request(1, "ping"), good).status()).isEqualTo(200);
        assertThat(post(serving, NOTIFICATION, good).status()).isEqualTo(202);
        Wire stream = wire(serving).get(good);
        assertThat(stream.head().status()).isEqualTo(200);
        int asked = names.asked.get();

        for (String token : List.of("", "Bearer eve")) {
            String[] bad = {SESSION, id, TOKEN, token};
            assertThat(post(serving, request(2, "ping"), bad).status()).isEqualTo(401);
            assertThat(post(serving, NOTIFICATION, bad).status()).isEqualTo(401);
            assertThat(method(serving, "DELETE", bad).status()).isEqualTo(401);
            assertThat(method(serving, "PUT", bad).status()).isEqualTo(401);
            try (Wire wire = Wire.to(serving)) {
                assertThat(wire.get(bad).answer().status()).isEqualTo(401);
            }
        }
        assertThat(names.asked.get()).isEqualTo(asked + 10);
        assertThat(method(serving, "DELETE", good).status()).isEqualTo(204);
    }

    /** All that a client sees, apart from the time of day. */
    private record Seen(int status, Map<String, String> headers, String body) {
        static Seen of(Answer answer) {
            answer.headers().remove("Date");
            return new Seen(answer.status(), answer.headers(), answer.body());
        }
    }

    private Set<Seen> tries(HttpServing serving, String id, String token) throws IOException {
        String[] headers = {SESSION, id, TOKEN, token, "Accept", "text/event-stream"};
        Set<Seen> seen = new LinkedHashSet<>();
        seen.add(Seen.of(post(serving, request(1, "ping"), headers)));
        seen.add(Seen.of(post(serving, NOTIFICATION, headers)));
        seen.add(Seen.of(method(serving, "GET", headers)));
        seen.add(Seen.of(method(serving, "DELETE", headers)));
        return seen;
    }

    @Test
    @Requirement({"SEC-002", "SEC-005"})
    void aStolenSessionIdIsUnknownForOtherCallers() throws Exception {
        HttpServing serving = guarded();
        String id = session(serving, "2025-11-25", ANN);

        assertThat(tries(serving, id, BOB))
                .isEqualTo(tries(serving, "xxxxxxxxxxxxxxxxxxxxxx", BOB))
                .allMatch(seen -> seen.status() == 404);
        assertThat(post(serving, request(1, "ping"), SESSION, id, TOKEN, ANN).status())
                .isEqualTo(200);
    }

    @Test
    @Requirement({"SEC-001", "SEC-005"})
    void oldClientsAreCheckedInTheSameWay() throws Exception {
        HttpServing serving = guarded(HttpListener::legacySse);
        Map<String, String> ann = Map.of("Accept", "text/event-stream", TOKEN, ANN);
        Wire stream = wire(serving).send("GET", "/sse", ann, new byte[0]);
        assertThat(stream.head().status()).isEqualTo(200);
        String messages = stream.event().data();

        assertThat(at(serving, "GET", "/sse", "Accept", "text/event-stream").status())
                .isEqualTo(401);
        assertThat(toLegacy(serving, messages, "Bearer eve").status()).isEqualTo(401);
        assertThat(toLegacy(serving, messages, BOB).status()).isEqualTo(404);
        assertThat(toLegacy(serving, messages, ANN).status()).isEqualTo(202);
        assertThat(stream.event().data()).contains("2024-11-05");
    }

    private Answer toLegacy(HttpServing serving, String path, String token) throws IOException {
        try (Wire wire = Wire.to(serving)) {
            return wire.send(
                            "POST",
                            path,
                            Map.of("Content-Type", Wire.JSON, TOKEN, token),
                            initialize("2024-11-05").getBytes())
                    .answer();
        }
    }

    @Test
    @Requirement({"SEC-001", "AUTH-068"})
    void withoutSessionsTheCallerOfEachRequestIsItsOwn() throws Exception {
        host.on(
                "who",
                (request, exchange, session) ->
                        exchange.send(
                                result(
                                        request,
                                        "{\"caller\":\"" + exchange.caller().subject() + "\"}")));
        HttpServing serving = guarded(HttpListener::stateless);

        assertThat(post(serving, request(1, "who"), TOKEN, ANN).body()).contains("\"ann\"");
        assertThat(post(serving, request(1, "who"), TOKEN, BOB).body()).contains("\"bob\"");
        assertThat(post(serving, request(1, "who")).status()).isEqualTo(401);
        assertThat(post(serving, NOTIFICATION).status()).isEqualTo(401);
    }

    @Test
    void admittedRequestsContinueWhenTheTokenExpires() throws Exception {
        CountDownLatch expired = new CountDownLatch(1);
        host.on(
                "slow",
                (request, exchange, session) -> {
                    expired.await();
                    exchange.send(result(request, "{\"done\":true}"));
                });
        HttpServing serving = guarded();
        String id = session(serving, "2025-11-25", ANN);
        Wire stream = wire(serving).get(SESSION, id, TOKEN, ANN);
        assertThat(stream.head().status()).isEqualTo(200);
        Wire call = wire(serving).post(request(1, "slow"), SESSION, id, TOKEN, ANN);
        ScriptedHost.Scripted session = host.session();
        assertThat(session.received.take()).isNotNull();

        names.remove("ann");
        Answer next = post(serving, request(2, "ping"), SESSION, id, TOKEN, ANN);
        expired.countDown();

        assertThat(next.status()).isEqualTo(401);
        assertThat(call.answer().body()).contains("\"done\":true");
        session.context.send(notification("notifications/message", "{}"));
        assertThat(stream.event().id()).isNotNull(); // primes
        assertThat(stream.event().data()).contains("notifications/message");
    }

    private void onPurge() {
        host.on(
                "purge",
                (request, exchange, session) ->
                        exchange.send(
                                new JsonRpcErrorResponse(
                                        request.id(),
                                        new InsufficientScopeException(Set.of("purge")).error())));
    }

    @Test
    @Requirement({"AUTH-046", "AUTH-047"})
    void aMissingScopeIsNamedInTheChallenge() throws Exception {
        onPurge();
        HttpServing serving = guarded();
        String id = session(serving, "2025-03-26", ANN);

        Answer answer = post(serving, request(7, "purge"), SESSION, id, TOKEN, ANN);
        Answer batch = post(serving, "[" + request(7, "purge") + "]", SESSION, id, TOKEN, ANN);

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.header("WWW-Authenticate"))
                .isEqualTo("Bearer error=\"insufficient_scope\", scope=\"purge\", subject=\"ann\"");
        assertThat(answer.body())
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":403,\"message\":\"This"
                                + " requires the scopes: purge\","
                                + "\"data\":{\"requiredScopes\":[\"purge\"]}}}");
        assertThat(batch.status()).isEqualTo(200);
        assertThat(batch.body()).contains("\"requiredScopes\"");
    }

    @Test
    void withoutAnAuthorizationAMissingScopeIsAnErrorLikeOthers() throws Exception {
        onPurge();
        HttpServing serving = serve();

        Answer answer = post(serving, request(7, "purge"), SESSION, session(serving));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("WWW-Authenticate")).isNull();
    }

    @Test
    @Requirement("AUTH-069")
    void pathsOfTheAuthorizationItselfArePublic() throws Exception {
        HttpServing serving = guarded(listener -> listener.health("/health"));

        Answer metadata = at(serving, "GET", Names.METADATA, "Origin", "https://page.example");

        assertThat(metadata.status()).isEqualTo(200);
        assertThat(metadata.header("Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(at(serving, "GET", "/health").status()).isEqualTo(200);
        assertThat(names.asked).hasValue(0);
    }

    @Test
    void whatTheAuthorizationServesItselfIsBoundedByAddress() throws Exception {
        HttpServing serving = guarded(listener -> listener.requestRate(1, 2));
        at(serving, "GET", Names.METADATA);
        at(serving, "GET", Names.METADATA);

        Answer refused = at(serving, "GET", Names.METADATA);

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(post(serving, initialize("2025-11-25"), TOKEN, ANN).status()).isEqualTo(200);
    }

    @Test
    void thePathsOfTheAuthorizationAreItsOwn() {
        assertThatThrownBy(() -> guarded(listener -> listener.path(Names.METADATA)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the path of the authorization must be another than those of MCP but was "
                                + Names.METADATA);
    }

    @Test
    void browsersAskWhatIsAllowedWithoutAToken() throws Exception {
        HttpServing serving = guarded(listener -> listener.allowOrigins("https://page.example"));

        Answer answer =
                method(
                        serving,
                        "OPTIONS",
                        "Origin",
                        "https://page.example",
                        "Access-Control-Request-Method",
                        "POST");
        Answer refused = post(serving, request(1, "ping"), "Origin", "https://page.example");

        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.header("Access-Control-Allow-Headers")).contains("Authorization", "DPoP");
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("Access-Control-Allow-Origin")).isEqualTo("https://page.example");
        assertThat(refused.header("Access-Control-Expose-Headers")).contains("WWW-Authenticate");
        assertThat(names.asked).hasValue(1);
    }

    @Test
    void aPageOfAForeignOriginIsRefusedBeforeItsTokenIsRead() throws Exception {
        HttpServing serving = guarded();

        Answer answer =
                post(serving, request(1, "ping"), "Origin", "https://evil.example", TOKEN, ANN);

        assertThat(answer.status()).isEqualTo(403);
        assertThat(names.asked).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({"eve, 401", "later, 503"})
    void refusalsAreRateLimitedBeforeTheTokenIsChecked(String name, int status) throws Exception {
        HttpServing serving = guarded(listener -> listener.refusalRate(1, 5));
        for (int i = 0; i < 5; i++) {
            assertThat(post(serving, request(i, "ping"), TOKEN, "Bearer " + name + i).status())
                    .isEqualTo(status);
        }
        int asked = names.asked.get();
        Answer answer = post(serving, request(6, "ping"), TOKEN, "Bearer " + name + 6);

        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.header("Retry-After")).isEqualTo("1");
        assertThat(answer.body()).contains("Too many requests without a valid token");
        assertThat(names.asked.get()).isEqualTo(asked);
    }

    @Test
    void aFailingAuthorizationRefusesEveryRequest() throws Exception {
        HttpServing serving = guarded();

        Answer answer = post(serving, initialize("2025-11-25"), TOKEN, "Bearer broken");

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body()).contains("Internal error").doesNotContain("names");
        assertThat(host.sessions).isEmpty();
    }
}
