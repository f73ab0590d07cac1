package dev.fairlead.http.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.platform.Sha256;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A request as one node sends it to another: one text for everything but the body, whose digest it
 * has, so that one signature covers method, headers, caller, address, session and body, and nothing
 * that comes beside it counts.
 *
 * @param head the members below as JSON
 * @param body of the client's request
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes go straight to the socket
record PeerRequest(JsonObject head, byte[] body) {
    /** Rises with each change of the messages. */
    static final int VERSION = 4;

    private static final String DIGEST = "digest";
    private static final String REPORT = "report";
    private static final HexFormat HEX = HexFormat.of();

    /** Headers of one connection, or of the public port alone. */
    private static final Set<String> LEFT_OUT =
            Set.of(
                    "host",
                    "connection",
                    "keep-alive",
                    "te",
                    "trailer",
                    "upgrade",
                    "expect",
                    "content-length",
                    "transfer-encoding",
                    "authorization",
                    "dpop",
                    "cookie",
                    "forwarded");

    private static final List<String> PREFIXES_LEFT_OUT =
            List.of("proxy-", "x-forwarded-", "fairlead-");

    /** The request of a client, before it is addressed. */
    static PeerRequest of(HttpExchange exchange, Caller caller, byte[] body) {
        JsonObject head =
                JsonObject.of(
                        "v",
                        VERSION,
                        "method",
                        exchange.method(),
                        "query",
                        exchange.query().orElse(null),
                        "headers",
                        headers(exchange),
                        "caller",
                        caller.isAnonymous() ? null : json(caller),
                        "source",
                        text(exchange.remoteAddress()),
                        "local",
                        text(exchange.localAddress()),
                        "scheme",
                        exchange.scheme(),
                        "host",
                        exchange.host().orElse(null));
        return new PeerRequest(head, body);
    }

    /** The question of an operator's view, before it is addressed. */
    static PeerRequest forReport() {
        return new PeerRequest(JsonObject.of("v", VERSION, "ask", REPORT), new byte[0]);
    }

    /** Returns whether another node asks for the report of this one. */
    boolean isForReport() {
        return text("ask").filter(REPORT::equals).isPresent();
    }

    private static @Nullable String text(Optional<InetAddress> address) {
        return address.map(InetAddress::getHostAddress).orElse(null);
    }

    private static JsonObject headers(HttpExchange exchange) {
        TreeMap<String, List<String>> passed = new TreeMap<>();
        for (String each : exchange.headerNames()) {
            String name = each.toLowerCase(Locale.ROOT);
            boolean left =
                    LEFT_OUT.contains(name)
                            || PREFIXES_LEFT_OUT.stream().anyMatch(name::startsWith);
            if (!left) {
                passed.put(name, exchange.headers(each));
            }
        }
        JsonObject all = JsonObject.EMPTY;
        for (String name : passed.keySet()) {
            all = all.with(name, passed.get(name));
        }
        return all;
    }

    private static JsonObject json(Caller caller) {
        return JsonObject.of(
                "issuer",
                caller.issuer(),
                "subject",
                caller.subject(),
                "client",
                caller.client().orElse(null),
                "scopes",
                caller.scopes().stream().sorted().toList(),
                "validUntil",
                caller.validUntil().map(Instant::toEpochMilli).orElse(null));
    }

    PeerRequest withoutBody() {
        return new PeerRequest(head, new byte[0]);
    }

    /** The same request for the owner of a session. */
    PeerRequest to(long from, long to, int epoch, Instant at, String nonce) {
        JsonObject addressed =
                head.with("from", from)
                        .with("to", to)
                        .with("epoch", epoch)
                        .with("at", at.toEpochMilli())
                        .with("nonce", nonce);
        return new PeerRequest(addressed, body);
    }

    /**
     * The bytes of the head, which is signed: it has the digest of the body, so that a node reads
     * the body of an authentic request alone.
     */
    byte[] headBytes() {
        return head.with(DIGEST, HEX.formatHex(Sha256.bytes(body))).toJson().getBytes(UTF_8);
    }

    /** The bytes to send: the length of the head, the head, and the body. */
    byte[] toBytes(byte[] headBytes) {
        return ByteBuffer.allocate(Integer.BYTES + headBytes.length + body.length)
                .putInt(headBytes.length)
                .put(headBytes)
                .put(body)
                .array();
    }

    /**
     * Reads a signed head.
     *
     * @return the request without its body
     * @throws IllegalArgumentException if it is no head
     */
    static PeerRequest parse(byte[] headBytes) {
        if (!(RawJson.parse(new String(headBytes, UTF_8)).value() instanceof JsonObject head)) {
            throw new IllegalArgumentException("the head of a forwarded request is no object");
        }
        return new PeerRequest(head, new byte[0]);
    }

    /** Returns the request with its body; empty if that is another one than was signed. */
    Optional<PeerRequest> with(byte[] sent) {
        byte[] digest = HEX.formatHex(Sha256.bytes(sent)).getBytes(UTF_8);
        return MessageDigest.isEqual(digest, text(DIGEST).orElse("").getBytes(UTF_8))
                ? Optional.of(new PeerRequest(head, sent))
                : Optional.empty();
    }

    long number(String name) {
        return head.get(name) instanceof JsonNumber number && number.isLong()
                ? number.longValue()
                : Long.MIN_VALUE;
    }

    Optional<String> text(String name) {
        return head.get(name) instanceof JsonString text
                ? Optional.of(text.value())
                : Optional.empty();
    }

    List<String> headers(String name) {
        List<String> values = new ArrayList<>();
        if (head.get("headers") instanceof JsonObject headers
                && headers.get(name.toLowerCase(Locale.ROOT)) instanceof JsonArray all) {
            for (JsonValue value : all.elements()) {
                if (value instanceof JsonString text) {
                    values.add(text.value());
                }
            }
        }
        return values;
    }

    List<String> headerNames() {
        return head.get("headers") instanceof JsonObject headers
                ? List.copyOf(headers.members().keySet())
                : List.of();
    }

    Caller caller() {
        if (!(head.get("caller") instanceof JsonObject stored)) {
            return Caller.anonymous();
        }
        Caller caller =
                Caller.of(
                        stored.string("issuer"),
                        stored.string("subject"),
                        stored.get("client") instanceof JsonString text ? text.value() : null,
                        stored.array("scopes").elements().stream()
                                .map(scope -> ((JsonString) scope).value())
                                .collect(Collectors.toSet()));
        return stored.get("validUntil") instanceof JsonNumber until
                ? caller.withValidUntil(Instant.ofEpochMilli(until.longValue()))
                : caller;
    }
}
