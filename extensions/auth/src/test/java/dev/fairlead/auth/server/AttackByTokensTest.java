package dev.fairlead.auth.server;

import static dev.fairlead.auth.server.GuardedServer.INITIALIZE;
import static dev.fairlead.auth.server.GuardedServer.challenge;
import static dev.fairlead.auth.server.TestIssuer.RESOURCE;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;

import dev.fairlead.auth.fetch.FetchLimits;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

/** Tokens that are not to be accepted, over real sockets. */
@Timeout(90)
class AttackByTokensTest {
    private static final Instant NOW = SetClock.START;

    private TestIssuer issuer;
    private GuardedServer server;

    @BeforeEach
    void open() throws Exception {
        issuer = new TestIssuer("login");
        server =
                new GuardedServer(
                        ResourceServer.at(RESOURCE)
                                .trust(issuer.url())
                                .clock(Clock.fixed(NOW, ZoneOffset.UTC)));
    }

    @AfterEach
    void close() {
        server.close();
        issuer.close();
    }

    private void assertRefused(String token) throws Exception {
        HttpResponse<String> answer = server.initialize(token);

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(challenge(answer)).startsWith("Bearer error=\"invalid_token\", ");
        assertThat(answer.body()).doesNotContain(token);
        assertThat(server.initialize(issuer.token()).statusCode()).isEqualTo(200);
    }

    private void assertRefused(UnaryOperator<JWTClaimsSet.Builder> claims) throws Exception {
        assertRefused(issuer.token(claims));
    }

    private static Date in(long seconds) {
        return Date.from(NOW.plusSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://other.example/mcp",
                "https://reports.example/",
                "https://reports.example/mcp/",
                "https://reports.example/mcp/x",
                "HTTPS://REPORTS.EXAMPLE/MCP"
            })
    @Requirement({"AUTH-043", "AUTH-045", "SEC-006", "N26-AUTH-019"})
    void aTokenForSomethingElse(String audience) throws Exception {
        assertRefused(claims -> claims.audience(audience));
    }

    @Test
    @Requirement({"AUTH-043", "ROOM-087"})
    void aTokenWithoutAnAudience() throws Exception {
        assertRefused(claims -> claims.audience((String) null));
    }

    @Test
    @Requirement("AUTH-042")
    void aTokenOfAnotherIssuer() throws Exception {
        assertRefused(claims -> claims.issuer("https://evil.example"));
        try (TestIssuer evil = new TestIssuer("evil")) {
            assertRefused(evil.token());
            assertRefused(evil.token(claims -> claims.issuer(issuer.url())));
            assertThat(evil.keysAsked).hasValue(0);
        }
    }

    @Test
    void anUnsignedToken() throws Exception {
        assertRefused(new PlainJWT(issuer.claims(claims -> claims)).serialize());
        String[] parts = issuer.token().split("\\.");
        assertRefused(parts[0] + "." + parts[1] + ".");
        assertRefused("eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0." + parts[1] + ".");
    }

    @Test
    void aTokenWhoseSecretIsThePublicKey() throws Exception {
        byte[] publicKey = issuer.key().toPublicJWK().toRSAPublicKey().getEncoded();
        for (byte[] secret :
                List.of(publicKey, issuer.key().toPublicJWK().toJSONString().getBytes())) {
            SignedJWT jwt =
                    new SignedJWT(
                            new JWSHeader.Builder(JWSAlgorithm.HS256)
                                    .type(new JOSEObjectType("at+jwt"))
                                    .keyID(issuer.key().getKeyID())
                                    .build(),
                            issuer.claims(claims -> claims));
            jwt.sign(new MACSigner(secret));

            assertRefused(jwt.serialize());
        }
    }

    @Test
    void aTokenThatBringsItsKey() throws Exception {
        var own = TestIssuer.key("evil-0");
        JWTClaimsSet claims = issuer.claims(same -> same);

        assertRefused(TestIssuer.signed(issuer.header().jwk(own.toPublicJWK()), claims, own));
        assertRefused(TestIssuer.signed(issuer.header(), claims, own));
    }

    @Test
    void aTokenThatSaysWhereItsKeyIs() throws Exception {
        try (TestIssuer evil = new TestIssuer("evil")) {
            URI keys = URI.create(evil.url() + "/jwks");
            JWTClaimsSet claims = issuer.claims(same -> same);

            assertRefused(
                    TestIssuer.signed(
                            issuer.header().keyID(evil.key().getKeyID()).jwkURL(keys),
                            claims,
                            evil.key()));
            assertRefused(TestIssuer.signed(issuer.header().x509CertURL(keys), claims, evil.key()));
            assertThat(evil.keysAsked).hasValue(0);
        }
    }

    /** RFC 7515 and 7516: members that change how a token is read, or contain a key. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zip|\"DEF\"",
                "zip|\"\"",
                "zip|null",
                "enc|\"A256GCM\"",
                "cty|\"JWT\"",
                "b64|true",
                "b64|false",
                "jwk|{}",
                "epk|{}",
                "p2c|1"
            })
    void aTokenWhoseHeaderChangesItsReading(String member, String value) throws Exception {
        assertRefused(
                issuer.signed(header -> header.with(member, JsonValue.parse(value)), same -> same));
    }

    /** Issuers send these in each token; the key is that of their metadata all the same. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x5t|\"AAAA\"",
                "v|2",
                "jku|\"https://evil.example/jwks\"",
                "x5u|\"https://evil.example/certificate\"",
                "x5c|[\"AAAA\"]"
            })
    void aTokenWithAHeaderThatIsIgnored(String member, String value) throws Exception {
        String token =
                issuer.signed(header -> header.with(member, JsonValue.parse(value)), same -> same);
        assertThat(server.initialize(token).statusCode()).isEqualTo(200);
    }

    /** One token has one text. */
    @Test
    void aTokenInAnotherEncoding() throws Exception {
        String token = issuer.token();
        assertThat(server.initialize(token).statusCode()).isEqualTo(200);
        for (String other : otherEncodings(token)) { // a padding within makes no token at all
            assertThat(server.initialize(other).statusCode()).isBetween(400, 401);
        }
    }

    /** Texts that lenient decoders take for the same token. */
    static List<String> otherEncodings(String token) {
        String[] parts = token.split("\\.");
        List<String> others = new ArrayList<>();
        for (int i = 0; i < parts.length; i++) {
            String part = parts[i];
            int last = part.length() - 1;
            String cut = part.substring(0, last);
            List<String> forms = new ArrayList<>();
            forms.add(part + "=");
            forms.add(part + "==");
            if (part.indexOf('-') >= 0 || part.indexOf('_') >= 0) {
                forms.add(part.replace('-', '+').replace('_', '/'));
            }
            if (part.length() % 4 != 0) { // the last character has bits that belong to no byte
                for (char c : "BCDEFGHIJKLMNOPabcd".toCharArray()) {
                    if (Arrays.equals(new Base64URL(cut + c).decode(), new Base64URL(part).decode())
                            && c != part.charAt(last)) {
                        forms.add(cut + c);
                    }
                }
            }
            for (String form : forms) {
                String[] changed = parts.clone();
                changed[i] = form;
                others.add(String.join(".", changed));
            }
        }
        return others;
    }

    @Test
    void aTokenOfOneIssuerInTheNameOfAnother() throws Exception {
        try (TestIssuer other = new TestIssuer("other");
                GuardedServer both =
                        new GuardedServer(
                                ResourceServer.at(RESOURCE)
                                        .trust(issuer.url())
                                        .trust(other.url())
                                        .clock(new SetClock()))) {
            assertThat(both.initialize(other.token()).statusCode()).isEqualTo(200);
            String forged = other.token(claims -> claims.issuer(issuer.url()));
            assertThat(both.initialize(forged).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void aTokenThatMustBeUnderstoodInAWayThatIsNot() throws Exception {
        JWSHeader.Builder critical =
                issuer.header().criticalParams(Set.of("x")).customParam("x", "y");

        assertRefused(TestIssuer.signed(critical, issuer.claims(same -> same), issuer.key()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[\"exp\"]", "[\"b64\"]", "[\"crit\"]", "[\"\"]", "\"x\"", "[1]"})
    void aTokenWithExtensionsThatMustBeUnderstood(String critical) throws Exception {
        assertThat(server.initialize(issuer.signed(same -> same, same -> same)).statusCode())
                .isEqualTo(200);

        assertRefused(
                issuer.signed(
                        header ->
                                header.with("crit", JsonValue.parse(critical))
                                        .with("exp", 4_000_000_000L)
                                        .with("b64", true),
                        same -> same));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"sub\":\"\"}",
                "{\"sub\":\" \\t\"}",
                "{\"sub\":4711}",
                "{\"sub\":0}",
                "{\"sub\":1e400}",
                "{\"sub\":null}",
                "{\"sub\":true}",
                "{\"sub\":[\"ann\"]}",
                "{\"sub\":{\"x\":\"ann\"}}",
                "{\"client_id\":\"\"}",
                "{\"client_id\":7}",
                "{\"sub\":\"\",\"client_id\":\"\"}"
            })
    @Requirement({"AUTH-042", "AUTH-043"})
    void aTokenWhoseSubjectIsNoText(String changes) throws Exception {
        JsonObject members = (JsonObject) JsonValue.parse(changes);

        assertRefused(
                issuer.signed(
                        same -> same,
                        claims -> {
                            JsonObject changed = claims;
                            for (String name : members.names()) {
                                changed = changed.with(name, members.get(name));
                            }
                            return changed;
                        }));
    }

    @Test
    void aTokenWhoseClientIsTheOnlySubjectIsThatClientUnlessItIsBlank() throws Exception {
        String program = issuer.signed(same -> same, claims -> claims.without("sub"));
        assertThat(server.initialize(program).statusCode()).isEqualTo(200);

        assertRefused(
                issuer.signed(
                        same -> same, claims -> claims.without("sub").with("client_id", " ")));
        assertRefused(
                issuer.signed(same -> same, claims -> claims.without("sub").without("client_id")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "a.b.c", "a.b.c.d.e", "..", "e30.e30.e30"})
    void aTokenThatSaysNothing(String token) throws Exception {
        assertRefused(token);
    }

    @Test
    void aTokenThatWasChanged() throws Exception {
        String[] parts = issuer.token().split("\\.");
        String other = issuer.token(claims -> claims.subject("root")).split("\\.")[1];

        assertRefused(parts[0] + "." + other + "." + parts[2]);
    }

    @Test
    @Requirement({"AUTH-044", "N26-AUTH-019"})
    void aTokenThatHasExpired() throws Exception {
        assertRefused(claims -> claims.expirationTime(in(-61)));
        assertRefused(claims -> claims.expirationTime(null));
        String edge = issuer.token(claims -> claims.expirationTime(in(-58)));
        assertThat(server.initialize(edge).statusCode()).isEqualTo(200);
    }

    @Test
    void aTokenOfTheFuture() throws Exception {
        assertRefused(claims -> claims.notBeforeTime(in(62)));
        String edge = issuer.token(claims -> claims.notBeforeTime(in(58)));
        assertThat(server.initialize(edge).statusCode()).isEqualTo(200);
    }

    @Test
    void anIdToken() throws Exception {
        assertRefused(claims -> claims.claim("nonce", "n"));
        assertRefused(claims -> claims.claim("at_hash", "h"));
        assertRefused(
                TestIssuer.signed(
                        issuer.header().type(new JOSEObjectType("logout+jwt")),
                        issuer.claims(claims -> claims),
                        issuer.key()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"access_token", "access%5Ftoken", "x=1&access_token"})
    @Requirement({"AUTH-046", "ERR-038"})
    void aTokenInTheUrl(String name) throws Exception {
        String token = issuer.token();

        HttpResponse<String> alone = server.post("/mcp?" + name + "=" + token, INITIALIZE);
        HttpResponse<String> beside =
                server.post(
                        "/mcp?" + name + "=" + token,
                        INITIALIZE,
                        "Authorization",
                        "Bearer " + token);

        for (HttpResponse<String> answer : List.of(alone, beside)) {
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(challenge(answer)).startsWith("Bearer error=\"invalid_request\", ");
            assertThat(answer.body()).doesNotContain(token);
        }
    }

    @Test
    @Requirement({"AUTH-046", "ERR-038"})
    void twoTokens() throws Exception {
        String good = "Bearer " + issuer.token();

        assertThat(
                        server.post(
                                        "/mcp",
                                        INITIALIZE,
                                        "Authorization",
                                        good,
                                        "Authorization",
                                        good)
                                .statusCode())
                .isEqualTo(400);
    }

    @Test
    void aTokenThatIsTooLong() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", server.at("/mcp").getPort())) {
            String head =
                    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
                            + "x".repeat(20_000)
                            + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 431".length());

            assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 431");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Basic YW5uOmFubg==", "Bearer", "Token x", "bearer"})
    void whatIsNoToken(String value) throws Exception {
        HttpResponse<String> answer = server.post("/mcp", INITIALIZE, "Authorization", value);

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(issuer.keysAsked).hasValue(0);
    }

    @Test
    @Requirement({"SEC-002", "SEC-005"})
    void theSessionAndTheTaskOfAnotherUser() throws Exception {
        String ann = issuer.token();
        String bob = issuer.token(claims -> claims.subject("bob"));
        String session = server.session(ann);
        String task =
                server.rpc(
                                session,
                                ann,
                                "tools/call",
                                "{\"name\":\"who\",\"arguments\":{},\"task\":{}}")
                        .body()
                        .replaceAll("(?s).*\"taskId\":\"([^\"]*)\".*", "$1");
        String named = "{\"taskId\":\"" + task + "\"}";

        assertThat(server.call(session, bob, "who").statusCode()).isEqualTo(404);
        for (String method : List.of("GET", "DELETE")) {
            HttpResponse<String> answer =
                    server.send(
                            method,
                            "/mcp",
                            "MCP-Session-Id",
                            session,
                            "Authorization",
                            "Bearer " + bob,
                            "Accept",
                            "text/event-stream");
            assertThat(answer.statusCode()).isEqualTo(404);
        }
        String own = server.session(bob);
        for (String method : List.of("tasks/get", "tasks/result", "tasks/cancel")) {
            assertThat(server.rpc(own, bob, method, named).body()).contains("-32602");
        }
        assertThat(server.rpc(own, bob, "tasks/list", "{}").body()).contains("\"tasks\":[]");
        assertThat(server.rpc(session, ann, "tasks/get", named).body()).contains(task);
    }

    @Test
    void anIssuerWithoutKeysIsNotTheFaultOfTheToken() throws Exception {
        issuer.status = 500;
        for (int i = 0; i < 10; i++) {
            HttpResponse<String> answer = server.initialize(issuer.token());
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        }
    }

    @Test
    void aSlowKeyEndpointTimesOutQuickly() throws Exception {
        issuer.gate = new CountDownLatch(1);
        FetchLimits impatient =
                new FetchLimits(Duration.ofMinutes(5), Duration.ofMillis(100), 10_000, 0);
        ResourceServer trusting =
                ResourceServer.at(RESOURCE)
                        .trust(issuer.url())
                        .limits(impatient)
                        .clock(new SetClock());
        try (GuardedServer hurried = new GuardedServer(trusting)) {
            assertThat(hurried.initialize(issuer.token()).statusCode()).isEqualTo(503);
            assertThat(hurried.initialize("x.y.z").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void keysChangeWhileManyCall() throws Exception {
        String session = server.session(issuer.token());
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = new ArrayList<>();
            String old = issuer.token();
            Callable<Integer> withOld = () -> server.call(session, old, "who").statusCode();
            issuer.rotate();
            String young = issuer.token();
            Callable<Integer> withNew = () -> server.call(session, young, "who").statusCode();
            for (int i = 0; i < 20; i++) {
                answers.add(callers.submit(withOld));
                answers.add(callers.submit(withNew));
            }
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isEqualTo(200);
            }
        }
        assertThat(issuer.keysAsked.get()).isLessThanOrEqualTo(2);
    }
}
