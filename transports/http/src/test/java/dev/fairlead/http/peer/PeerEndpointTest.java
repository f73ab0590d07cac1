package dev.fairlead.http.peer;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.SessionStore;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Requests to the port for nodes, of nodes and of attackers. */
class PeerEndpointTest {
    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");
    private static final byte[] KEY = "a key that the nodes share, of any length".getBytes(UTF_8);
    private static final byte[] OTHER =
            "a key of another deployment of this server".getBytes(UTF_8);
    private static final Caller ADA =
            Caller.of("https://login.example", "ada", "desk", Set.of("read"))
                    .withValidUntil(NOW.plusSeconds(60));
    private static final byte[] BODY = "{}".getBytes(UTF_8);

    private static final PeerKeys SIGNING = new PeerKeys(() -> List.of(KEY));

    private final List<String> served = new ArrayList<>();
    private Instant now = NOW;

    private final SessionStore.Membership node =
            new SessionStore.Membership() {
                @Override
                public long node() {
                    return 12;
                }

                @Override
                public Instant time() {
                    return now;
                }

                @Override
                public void close() {}
            };

    private final PeerEndpoint endpoint =
            new PeerEndpoint(
                    node,
                    new PeerKeys(() -> List.of(KEY)),
                    "/mcp",
                    100,
                    Duration.ofSeconds(30),
                    this::serve);

    private boolean serve(PeerEndpoint.Addressed to, HttpExchange exchange, Caller caller) {
        if (!to.session().equals("s1") || to.epoch() != 3 || !caller.isSame(ADA)) {
            return false;
        }
        try {
            served.add(new String(exchange.body().readAllBytes(), UTF_8));
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
        assertThat(exchange.path()).isEqualTo("/mcp");
        assertThat(exchange.host()).hasValue("weather.example");
        assertThat(exchange.scheme()).isEqualTo("https");
        assertThat(exchange.remoteAddress().orElseThrow().getHostAddress())
                .isEqualTo("203.0.113.7");
        assertThat(caller.scopes()).containsExactly("read");
        assertThat(caller.validUntil()).isEqualTo(ADA.validUntil());
        exchange.respond(new ResponseHead(200, Map.of()), new byte[0]);
        return true;
    }

    private static Asked client(Map<String, List<String>> more) {
        Map<String, List<String>> headers = new java.util.TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("MCP-Session-Id", List.of("s1"));
        headers.put("Host", List.of("weather.example"));
        headers.putAll(more);
        return new Asked("POST", headers, new ByteArrayInputStream(BODY));
    }

    private static PeerRequest request() {
        return PeerRequest.of(client(Map.of()), ADA, BODY).to(17, 12, 3, NOW, "n1");
    }

    private Asked send(byte[] bytes, @Nullable String signature) {
        return send(new ByteArrayInputStream(bytes), signature);
    }

    private Asked send(InputStream bytes, @Nullable String signature) {
        Asked wire =
                new Asked(
                        "POST",
                        signature == null ? Map.of() : Map.of("Fairlead-Peer", List.of(signature)),
                        bytes);
        endpoint.routes().getFirst().handler().handle(wire);
        return wire;
    }

    private Asked send(PeerRequest request) {
        return send(bytes(request), SIGNING.sign(request.headBytes()));
    }

    private static byte[] bytes(PeerRequest request) {
        return request.toBytes(request.headBytes());
    }

    @Test
    void aSignedRequestIsServedOnce() {
        assertThat(send(request()).status).isEqualTo(200);
        assertThat(send(request()).status).as("sent again").isEqualTo(421);

        assertThat(served).containsExactly("{}");
    }

    /** Whether an answer has the signature for its status and the request. */
    private static boolean isSigned(Asked answered, PeerRequest request) {
        String signature = SIGNING.sign(request.headBytes());
        return answered.head.size() == 1
                && answered.head.name(0).equals("Fairlead-Peer")
                && SIGNING.verifyAnswer(answered.head.value(0), signature, answered.status);
    }

    @Test
    void aReportIsGivenToNodesAlone() {
        endpoint.report(() -> JsonObject.of("name", "twelve"));
        PeerRequest question = PeerRequest.forReport().to(17, 12, 0, NOW, "n1");

        Asked answered = send(question);
        assertThat(answered.status).isEqualTo(200);
        assertThat(isSigned(answered, question)).isTrue();
        assertThat(answered.text).isEqualTo("{\"name\":\"twelve\"}");
        assertThat(send(question).status).as("sent again").isEqualTo(421);
        assertThat(send(bytes(question), null).status).as("unsigned").isEqualTo(401);
        assertThat(served).isEmpty();
    }

    @Test
    void anAnswerIsSignedForItsStatusAndRequest() {
        Asked answered = send(request());
        String signature = SIGNING.sign(request().headBytes());
        String answer = answered.head.value(0);

        assertThat(isSigned(answered, request())).isTrue();
        assertThat(SIGNING.verifyAnswer(answer, signature, 404)).isFalse();
        assertThat(SIGNING.verifyAnswer(answer, SIGNING.sign(BODY), 200)).isFalse();
        assertThat(SIGNING.verifyAnswer(signature, signature, 200)).isFalse();
        assertThat(new PeerKeys(() -> List.of(OTHER)).verifyAnswer(answer, signature, 200))
                .isFalse();
        assertThat(new PeerKeys(() -> List.of(OTHER, KEY)).verifyAnswer(answer, signature, 200))
                .as("while keys are rotated")
                .isTrue();
    }

    @Test
    void aNodeSignsNoAnswerToARequestThatIsNotAuthentic() {
        String wrong = new PeerKeys(() -> List.of(OTHER)).sign(request().headBytes());

        Asked answered = send(bytes(request()), wrong);

        assertThat(answered.status).isEqualTo(401);
        assertThat(answered.head.size()).isZero();
    }

    @Test
    void aRequestWithoutTheRightSignatureIsRefused() {
        byte[] bytes = bytes(request());
        String right = SIGNING.sign(request().headBytes());
        String wrong = new PeerKeys(() -> List.of(OTHER)).sign(request().headBytes());
        for (String signature :
                new String[] {null, "", "x", wrong, right.substring(2), right + "00"}) {
            assertThat(send(bytes, signature).status).as("%s", signature).isEqualTo(401);
        }
        for (int i = 0; i < bytes.length; i++) { // head, caller and body
            byte[] altered = bytes.clone();
            altered[i] ^= 1;
            assertThat(send(altered, right).status).as("byte %s", i).isEqualTo(401);
        }
        assertThat(served).isEmpty();
    }

    @Test
    void anyOfTheKeysCountsWhileTheyAreRotated() {
        byte[] bytes = request().headBytes();
        PeerKeys keys = new PeerKeys(() -> List.of(KEY, OTHER));

        assertThat(keys.verify(new PeerKeys(() -> List.of(OTHER)).sign(bytes), bytes)).isTrue();
        assertThat(keys.verify(keys.sign(bytes), bytes)).isTrue();
        assertThat(keys.sign(bytes)).isEqualTo(new PeerKeys(() -> List.of(KEY)).sign(bytes));
    }

    @Test
    void aRequestForAnotherNodeOwnerOrCallerRunsNothing() {
        PeerRequest client = PeerRequest.of(client(Map.of()), ADA, BODY);
        PeerRequest anonymous = PeerRequest.of(client(Map.of()), Caller.anonymous(), BODY);
        List<PeerRequest> misdirected =
                List.of(
                        client.to(17, 11, 3, NOW, "a"),
                        client.to(17, 12, 2, NOW, "b"),
                        client.to(17, 12, 4, NOW, "c"),
                        anonymous.to(17, 12, 3, NOW, "d"),
                        client.to(17, 12, 3, NOW.minusSeconds(31), "e"),
                        client.to(17, 12, 3, NOW.plusSeconds(31), "f"),
                        client.to(17, 12, 3, NOW, ""));
        for (PeerRequest request : misdirected) {
            Asked answered = send(request);
            assertThat(answered.status).isEqualTo(421);
            assertThat(isSigned(answered, request)).isTrue();
        }
        assertThat(served).isEmpty();
    }

    @Test
    void aNonceIsRememberedForAsLongAsItsRequestIsFresh() {
        send(request());
        now = NOW.plusSeconds(30);
        assertThat(send(request()).status).isEqualTo(421);
        now = NOW.plusSeconds(61);
        assertThat(send(request()).status).isEqualTo(421);

        assertThat(served).hasSize(1);
    }

    @Test
    void noncesAreBounded() {
        Nonces nonces = new Nonces(2);
        assertThat(nonces.use("a", NOW, NOW)).isTrue();
        assertThat(nonces.use("b", NOW, NOW)).isTrue();
        assertThat(nonces.use("c", NOW, NOW)).isFalse();
        Instant later = NOW.plusSeconds(61);
        assertThat(nonces.use("c", later, later)).isTrue();
    }

    @Test
    void aBodyOverTheLimitIsRefusedAlthoughItIsSigned() {
        PeerRequest large =
                PeerRequest.of(client(Map.of()), ADA, new byte[101]).to(17, 12, 3, NOW, "n1");
        assertThat(send(large).status).isEqualTo(401);
    }

    @Test
    void theBodyOfARequestThatIsNotAuthenticIsNotRead() {
        byte[] head = request().headBytes();
        byte[] sent = request().toBytes(head);
        var body =
                new ByteArrayInputStream(sent) {
                    @Override
                    public synchronized int read(byte[] to, int from, int length) {
                        assertThat(pos + length).isLessThanOrEqualTo(sent.length - BODY.length);
                        return super.read(to, from, length);
                    }
                };
        assertThat(send(body, new PeerKeys(() -> List.of(OTHER)).sign(head)).status).isEqualTo(401);
    }

    @Test
    void aMalformedRequestIsRefusedAlthoughItIsSigned() {
        for (String head : List.of("", "x", "[]", "{")) {
            byte[] bytes = head.getBytes(UTF_8);
            byte[] sent = request().toBytes(bytes);
            assertThat(send(sent, SIGNING.sign(bytes)).status).as(head).isEqualTo(401);
        }
        for (String sent : List.of("", "x", "\0\0\0\1", "\u007f\0\0\0{}")) {
            assertThat(send(sent.getBytes(UTF_8), SIGNING.sign(new byte[0])).status).isEqualTo(401);
        }
        assertThat(served).isEmpty();
    }

    @Test
    void headersOfAConnectionAndOfTheOutsideAreNotForwarded() {
        Map<String, List<String>> outside =
                Map.of(
                        "Fairlead-Peer", List.of("x"),
                        "Fairlead-Caller", List.of("x"),
                        "X-Forwarded-For", List.of("x"),
                        "Forwarded", List.of("x"),
                        "Authorization", List.of("Bearer x"),
                        "Cookie", List.of("x"),
                        "Proxy-Authorization", List.of("x"),
                        "Transfer-Encoding", List.of("chunked"),
                        "X-Tenant", List.of("north", "south"));

        PeerRequest request = PeerRequest.of(client(outside), ADA, BODY);

        assertThat(request.headerNames()).containsExactlyInAnyOrder("mcp-session-id", "x-tenant");
        assertThat(request.headers("X-TENANT")).containsExactly("north", "south");
    }

    /** A request, and the answer to it. */
    private static final class Asked implements HttpExchange {
        private final String method;
        private final Map<String, List<String>> headers;
        private final InputStream body;
        private int status;
        private ResponseHead head = new ResponseHead(0, Map.of());
        private String text = "";

        Asked(String method, Map<String, List<String>> headers, InputStream body) {
            this.method = method;
            this.headers = headers;
            this.body = body;
        }

        @Override
        public String method() {
            return method;
        }

        @Override
        public String path() {
            return "/mcp";
        }

        @Override
        public String scheme() {
            return "https";
        }

        @Override
        public Optional<String> query() {
            return Optional.empty();
        }

        @Override
        public List<String> headers(String name) {
            return headers.getOrDefault(name, List.of());
        }

        @Override
        public Set<String> headerNames() {
            return headers.keySet();
        }

        @Override
        public Optional<InetAddress> localAddress() {
            return Optional.empty();
        }

        @Override
        public Optional<InetAddress> remoteAddress() {
            return dev.fairlead.http.spi.AddressLiteral.parse("203.0.113.7");
        }

        @Override
        public InputStream body() {
            return body;
        }

        @Override
        public void respond(ResponseHead answer, byte[] bytes, Runnable done) {
            head = answer;
            status = answer.status();
            text = new String(bytes, UTF_8);
        }

        @Override
        public ResponseStream stream(ResponseHead answer) {
            throw new AssertionError("no stream is expected");
        }
    }
}
