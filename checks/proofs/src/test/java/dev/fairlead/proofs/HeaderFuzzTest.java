package dev.fairlead.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.tools.Header;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.Scale;
import dev.fairlead.test.support.Threads;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requests of revision 2026-07-28 whose headers are changed at random: a request is answered if its
 * headers repeat its body, and refused otherwise, by a JSON-RPC error and before its handler runs.
 */
@Tag("proof")
class HeaderFuzzTest {
    private static final int ROUNDS = Scale.of(1_500, 60_000);
    private static final int PATIENCE = 30_000;

    /** Engines take heads of 8 KiB. */
    private static final int LARGE = 7_500;

    /** The codes of refused headers, and those of requests with correct headers. */
    private static final Set<Integer> CODES =
            Set.of(-32700, -32600, -32601, -32602, -32020, -32021, -32022);

    private static final List<String> OTHERS =
            List.of(
                    "",
                    "2025-11-25",
                    "v999",
                    "tools/call",
                    "tools/list",
                    "TOOLS/CALL",
                    "go",
                    "Go",
                    "größe",
                    "memo://note",
                    "eu",
                    "EU",
                    "42",
                    "42.0",
                    "null",
                    "true",
                    "\"eu\"",
                    "=?base64??=",
                    "=?base64?ZXU?=",
                    "=?base64?Z!U=?=",
                    "=?base64?/w==?=",
                    "=?BASE64?ZXU=?=",
                    "=?base64?ZXU=",
                    "x".repeat(3_000),
                    "a,b",
                    "eu, eu");

    record Place(
            @Header("Region") @Nullable String region, @Header("Count") @Nullable Long count) {}

    private final Map<String, Integer> outcomes = new TreeMap<>();
    private final AtomicInteger handled = new AtomicInteger();

    /** One field of a header section. */
    private record Field(String name, byte[] value) {
        Field(String name, String value) {
            this(name, value.getBytes(StandardCharsets.UTF_8));
        }

        String text() {
            return new String(value, StandardCharsets.ISO_8859_1);
        }
    }

    /** A request with correct headers, and the values that they repeat. */
    private record Seed(String body, Map<String, String> repeated) {}

    private static Seed seed(String method, String members, Map<String, String> more) {
        String body =
                """
                {"jsonrpc": "2.0", "id": 7, "method": "%s", "params": {%s"_meta": {
                 "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                 "io.modelcontextprotocol/clientCapabilities": {}}}}\
                """
                        .formatted(method, members);
        Map<String, String> repeated = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        repeated.put("MCP-Protocol-Version", "2026-07-28");
        repeated.put("Mcp-Method", method);
        repeated.putAll(more);
        return new Seed(body, repeated);
    }

    private static final List<Seed> SEEDS =
            List.of(
                    seed("server/discover", "", Map.of()),
                    seed("tools/list", "", Map.of()),
                    seed(
                            "tools/call",
                            "\"name\": \"go\", \"arguments\": {\"region\": \"eu\", \"count\": 42},"
                                    + " ",
                            Map.of(
                                    "Mcp-Name",
                                    "go",
                                    "Mcp-Param-Region",
                                    "eu",
                                    "Mcp-Param-Count",
                                    "42")),
                    seed(
                            "tools/call",
                            "\"name\": \"go\", \"arguments\": {\"region\": \"Zürich\"}, ",
                            Map.of("Mcp-Name", "go", "Mcp-Param-Region", "Zürich")),
                    seed(
                            "tools/call",
                            "\"name\": \"größe\", \"arguments\": {}, ",
                            Map.of("Mcp-Name", "größe")),
                    seed(
                            "resources/read",
                            "\"uri\": \"memo://note\", ",
                            Map.of("Mcp-Name", "memo://note")),
                    seed("prompts/get", "\"name\": \"ask\", ", Map.of("Mcp-Name", "ask")));

    private McpServer server() {
        return McpServer.named("headers", "1")
                .withoutRateLimit()
                .tool("go", "Goes somewhere", Place.class, String.class)
                .handle(
                        (place, call) -> {
                            handled.incrementAndGet();
                            return "gone";
                        })
                .tool("größe", "Measures", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            handled.incrementAndGet();
                            return "tall";
                        })
                .resource("memo://note", "note", String.class)
                .handle(
                        (uri, call) -> {
                            handled.incrementAndGet();
                            return "noted";
                        })
                .prompt("ask", "Asks", NoInput.class)
                .handle(
                        (none, call) -> {
                            handled.incrementAndGet();
                            return GetPromptResult.of(PromptMessage.user("asked"));
                        })
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jetty", "loop"})
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    @Requirement({"N26-HDR-004", "N26-HDR-005", "N26-HDR-008", "N26-HTTP-015"})
    void whatDoesNotRepeatTheBodyIsRefusedAndNothingElse(String engine) throws Exception {
        Random random = new Random(Scale.seed("headers at " + engine));
        Map<String, Integer> threads = Threads.count();
        try (McpServer server = server();
                HttpServing serving =
                        server.serve(
                                Http.port(0)
                                        .engine(engine)
                                        .requestRate(1_000_000, 1_000_000)
                                        .streamAfter(Duration.ofMinutes(1)))) {
            for (Seed seed : SEEDS) {
                HttpAnswer answer = exchange(serving, fields(seed, random), seed.body());
                assertThat(answer.status()).as(seed + " => " + answer).isEqualTo(200);
            }
            for (int round = 0; round < ROUNDS; round++) {
                Seed seed = SEEDS.get(random.nextInt(SEEDS.size()));
                List<Field> fields = fields(seed, random);
                for (int change = random.nextInt(3); change >= 0; change--) {
                    change(fields, random);
                }
                int before = handled.get();
                HttpAnswer answer = exchange(serving, fields, seed.body());
                check(seed, fields, answer, handled.get() > before);
            }
        }
        Threads.awaitNoMoreThan(threads);
        System.out.println("headers at " + engine + ": " + outcomes);
        assertThat(outcomes).containsKeys("200", "400 -32020");
    }

    // ---- requests

    private static List<Field> fields(Seed seed, Random random) {
        List<Field> fields = new ArrayList<>();
        seed.repeated()
                .forEach(
                        (name, value) -> {
                            boolean plain = value.chars().allMatch(c -> c > ' ' && c < 127);
                            boolean encodes = isEncoded(name) && random.nextInt(4) == 0;
                            fields.add(new Field(name, plain && !encodes ? value : encoded(value)));
                        });
        return fields;
    }

    /** Whether a header may have its value in Base64. */
    private static boolean isEncoded(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals("mcp-name") || lower.startsWith("mcp-param-");
    }

    private static String encoded(String value) {
        return "=?base64?"
                + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))
                + "?=";
    }

    private static void change(List<Field> fields, Random random) {
        if (fields.isEmpty()) {
            return;
        }
        int at = random.nextInt(fields.size());
        Field field = fields.get(at);
        byte[] value = field.value();
        switch (random.nextInt(12)) {
            case 0 -> fields.remove(at);
            case 1 -> fields.add(random.nextInt(fields.size() + 1), field);
            case 2 -> fields.add(at, new Field(field.name(), other(random)));
            case 3, 4 -> fields.set(at, new Field(field.name(), other(random)));
            case 5 -> fields.set(at, new Field(mixedCase(field.name(), random), value));
            case 6 -> fields.set(at, new Field(field.name(), encoded(field.text())));
            case 7 -> fields.set(at, new Field(field.name(), " \t " + field.text() + "  "));
            case 8 -> fields.set(at, new Field(field.name(), flipped(value, random)));
            case 9 -> fields.set(at, new Field(field.name(), cut(value, random)));
            case 10 -> fields.add(new Field("Mcp-Param-" + random.nextInt(100), other(random)));
            default -> fields.set(at, new Field(field.name(), mixedCase(field.text(), random)));
        }
    }

    private static String other(Random random) {
        return OTHERS.get(random.nextInt(OTHERS.size()));
    }

    private static String mixedCase(String text, Random random) {
        return random.nextBoolean() ? text.toUpperCase(Locale.ROOT) : text.toLowerCase(Locale.ROOT);
    }

    /** One bit of one byte. */
    private static byte[] flipped(byte[] value, Random random) {
        byte[] flipped = value.clone();
        if (flipped.length > 0) {
            flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return flipped;
    }

    private static byte[] cut(byte[] value, Random random) {
        byte[] cut = new byte[value.length == 0 ? 0 : random.nextInt(value.length)];
        System.arraycopy(value, 0, cut, 0, cut.length);
        return cut;
    }

    private static HttpAnswer exchange(HttpServing serving, List<Field> fields, String body)
            throws IOException {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(
                ("POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                + "Content-Type: application/json\r\n"
                                + "Accept: application/json, text/event-stream\r\n"
                                + "Content-Length: "
                                + content.length
                                + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        for (Field field : fields) {
            request.writeBytes((field.name() + ": ").getBytes(StandardCharsets.US_ASCII));
            request.writeBytes(field.value());
            request.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        request.writeBytes("\r\n".getBytes(StandardCharsets.US_ASCII));
        request.writeBytes(content);
        try (Socket socket = new Socket("127.0.0.1", serving.port())) {
            socket.setSoTimeout(PATIENCE);
            socket.getOutputStream().write(request.toByteArray());
            return HttpAnswer.read(new BufferedInputStream(socket.getInputStream()), true);
        }
    }

    // ---- expected answers

    private void check(Seed seed, List<Field> fields, HttpAnswer answer, boolean ran) {
        String about =
                seed
                        + "\n"
                        + fields.stream().map(f -> f.name() + ": " + f.text()).toList()
                        + "\n=> "
                        + answer;
        boolean legal = fields.stream().allMatch(HeaderFuzzTest::isLegal);
        if (!legal && answer.status() == 400) { // perhaps by the engine, without a message
            outcomes.merge("400 illegal", 1, Integer::sum);
            assertThat(ran).as(about).isFalse();
            return;
        }
        if (answer.status() == 431) { // which engines answer without a message
            outcomes.merge("431", 1, Integer::sum);
            int bytes = fields.stream().mapToInt(field -> field.value().length).sum();
            assertThat(bytes).as(about).isGreaterThan(LARGE);
            assertThat(ran).as(about).isFalse();
            return;
        }
        JsonObject message = message(answer, about);
        int code =
                message.has("error")
                        ? (int) ((JsonNumber) message.object("error").get("code")).longValue()
                        : 0;
        outcomes.merge(answer.status() + (code == 0 ? "" : " " + code), 1, Integer::sum);
        assertThat(answer.status()).as(about).isIn(200, 400, 404);
        assertThat(code == 0 || CODES.contains(code)).as(about).isTrue();
        if (legal && isClear(fields)) {
            assertThat(answer.status()).as(about).isEqualTo(repeats(seed, fields) ? 200 : 400);
        }
        if (answer.status() != 200) {
            assertThat(code).as(about).isNotZero();
            assertThat(ran).as(about).isFalse();
        }
    }

    private static JsonObject message(HttpAnswer answer, String about) {
        try {
            return (JsonObject) JsonValue.parse(answer.body());
        } catch (JsonException e) {
            throw new AssertionError(about, e);
        }
    }

    /** Returns whether HTTP allows all characters of a value. */
    private static boolean isLegal(Field field) {
        for (byte each : field.value()) {
            if ((each < ' ' && each != '\t') || each == 127) {
                return false;
            }
        }
        return true;
    }

    /** Numbers have several spellings, which another test compares. */
    private static boolean isClear(List<Field> fields) {
        return fields.stream().noneMatch(field -> field.name().equalsIgnoreCase("Mcp-Param-Count"));
    }

    /** Whether each header that the body needs is there once, with the value of the body. */
    private static boolean repeats(Seed seed, List<Field> fields) {
        Map<String, List<String>> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Field field : fields) {
            given.computeIfAbsent(field.name(), name -> new ArrayList<>()).add(field.text());
        }
        for (Map.Entry<String, String> each : seed.repeated().entrySet()) {
            List<String> values = given.getOrDefault(each.getKey(), List.of());
            if (values.size() != 1
                    || !each.getValue().equals(value(each.getKey(), values.getFirst()))) {
                return false;
            }
        }
        boolean takesName = seed.repeated().containsKey("Mcp-Name");
        return takesName || !given.containsKey("Mcp-Name");
    }

    /** Returns the decoded value of a header; null if it is encoded wrongly, or not ASCII. */
    private static @Nullable String value(String name, String raw) {
        String value = raw.replaceAll("^[ \t]+|[ \t]+$", "");
        if (value.chars().anyMatch(each -> each > 126)) {
            return null;
        }
        if (!isEncoded(name)
                || !value.startsWith("=?base64?")
                || !value.endsWith("?=")
                || value.length() < 11) {
            return value;
        }
        String base64 = value.substring(9, value.length() - 2);
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            return Base64.getEncoder().encodeToString(bytes).equals(base64)
                    ? StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString()
                    : null;
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return null;
        }
    }
}
