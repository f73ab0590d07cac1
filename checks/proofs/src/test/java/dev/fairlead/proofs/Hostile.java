package dev.fairlead.proofs;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes HTTP requests that are wrong in one way or several, or not at all. */
final class Hostile {
    private static final int OVERSIZED = 300 << 10;

    private static final List<String> MESSAGES =
            List.of(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"f\",\"version\":\"1\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}",
                    "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"tools/call\",\"params\":{\"name\":\"greet\",\"arguments\":{\"name\":\"é🌍\"},\"_meta\":{\"progressToken\":7}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"steps\",\"arguments\":{\"steps\":3},\"_meta\":{\"progressToken\":\"t\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"profile\"}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/list\",\"params\":{\"cursor\":\"AAAA\"}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"resources/read\",\"params\":{\"uri\":\"proof://items/a%20b\"}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"proof://text\"}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"prompts/get\",\"params\":{\"name\":\"praise\",\"arguments\":{\"language\":\"java\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"completion/complete\",\"params\":{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"praise\"},\"argument\":{\"name\":\"language\",\"value\":\"j\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"debug\"}}",
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3,\"reason\":\"r\"}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":11,\"result\":{}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":12,\"error\":{\"code\":-1,\"message\":\"m\"}}",
                    "[{\"jsonrpc\":\"2.0\",\"id\":13,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]",
                    "[]",
                    "");

    private static final String PER_REQUEST = "2026-07-28";

    /** Messages of revision 2026-07-28, whose headers repeat members of the body. */
    private static final List<String> PER_REQUEST_MESSAGES =
            List.of(
                    "{\"jsonrpc\":\"2.0\",\"id\":21,\"method\":\"server/discover\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{},\"roots\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}},\"io.modelcontextprotocol/clientInfo\":{\"name\":\"f\",\"version\":\"1\"},\"io.modelcontextprotocol/logLevel\":\"debug\",\"progressToken\":\"p\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":22,\"method\":\"tools/call\",\"params\":{\"name\":\"greet\",\"arguments\":{\"name\":\"x\"},\"inputResponses\":{\"q\":{\"action\":\"accept\",\"content\":{\"name\":\"y\"}}},\"requestState\":\"v1.AAAA\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{},\"roots\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}},\"io.modelcontextprotocol/clientInfo\":{\"name\":\"f\",\"version\":\"1\"},\"io.modelcontextprotocol/logLevel\":\"debug\",\"progressToken\":\"p\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":23,\"method\":\"tools/call\",\"params\":{\"name\":\"profile\",\"arguments\":{},\"inputResponses\":{\"d1\":{\"action\":\"accept\",\"content\":{\"name\":\"a\",\"age\":7,\"color\":\"red\"}},\"d2\":{\"roots\":[{\"uri\":\"file:///a\"}]}},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{},\"roots\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}},\"io.modelcontextprotocol/clientInfo\":{\"name\":\"f\",\"version\":\"1\"},\"io.modelcontextprotocol/logLevel\":\"debug\",\"progressToken\":\"p\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":24,\"method\":\"prompts/get\",\"params\":{\"name\":\"praise\",\"arguments\":{\"language\":\"java\"},\"requestState\":null,\"inputResponses\":null,\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{},\"roots\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}},\"io.modelcontextprotocol/clientInfo\":{\"name\":\"f\",\"version\":\"1\"},\"io.modelcontextprotocol/logLevel\":\"debug\",\"progressToken\":\"p\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":25,\"method\":\"resources/read\",\"params\":{\"uri\":\"proof://text\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{},\"roots\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}},\"io.modelcontextprotocol/clientInfo\":{\"name\":\"f\",\"version\":\"1\"},\"io.modelcontextprotocol/logLevel\":\"debug\",\"progressToken\":\"p\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":26,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"proof://text\",\"a:b\"],\"taskIds\":[\"t\"]},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{},\"roots\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}},\"io.modelcontextprotocol/clientInfo\":{\"name\":\"f\",\"version\":\"1\"},\"io.modelcontextprotocol/logLevel\":\"debug\",\"progressToken\":\"p\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":27,\"method\":\"tasks/update\",\"params\":{\"taskId\":\"t\",\"inputResponses\":{\"q1\":{\"action\":\"accept\",\"content\":{\"name\":\"y\"}}},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{},\"roots\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}},\"io.modelcontextprotocol/clientInfo\":{\"name\":\"f\",\"version\":\"1\"},\"io.modelcontextprotocol/logLevel\":\"debug\",\"progressToken\":\"p\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":28,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"t\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{},\"roots\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}},\"io.modelcontextprotocol/clientInfo\":{\"name\":\"f\",\"version\":\"1\"},\"io.modelcontextprotocol/logLevel\":\"debug\",\"progressToken\":\"p\"}}}");

    private static final Pattern METHOD = Pattern.compile("\"method\":\"([^\"]*)\"");
    private static final Pattern NAME =
            Pattern.compile("\"params\":\\{\"(?:name|uri|taskId)\":\"([^\"]*)\"");

    private static final List<String> INSERTS =
            List.of(
                    "{",
                    "}",
                    "[",
                    "]",
                    ",",
                    "\"",
                    "\\",
                    "\\ud800",
                    "null",
                    "true",
                    "1.5",
                    "-",
                    "1e999999999",
                    "9".repeat(400),
                    "\"id\":1,",
                    "\"id\":{},",
                    "\"id\":null,",
                    "\"method\":7,",
                    "\"params\":[],",
                    "\"jsonrpc\":\"1.0\",",
                    "\"_meta\":{\"progressToken\":[]},",
                    "\u0000",
                    "\uFEFF",
                    "[".repeat(2_000),
                    "{\"a\":".repeat(20_000),
                    "\"" + "k".repeat(50_000) + "\":1,");

    private static final List<String> WRONG_TYPES =
            List.of(
                    "null",
                    "true",
                    "[]",
                    "{}",
                    "-0",
                    "1e400",
                    "\"\"",
                    "[[[]]]",
                    "0.1",
                    "\"\\u0000\"");

    private static final List<String> METHODS =
            List.of(
                    "PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "GET", "DELETE", "CONNECT", "FOO",
                    "post", "P@ST");

    private static final List<String> PATHS =
            List.of(
                    "/",
                    "/mcp/",
                    "/mcp?a=b",
                    "/mcp;x=y",
                    "//mcp",
                    "/mcp/../mcp",
                    "/%6dcp",
                    "/mcp%00",
                    "/%",
                    "*",
                    "mcp",
                    "http://127.0.0.1/mcp",
                    "/" + "p".repeat(10_000),
                    "/mcp#f",
                    "/\u00e9");

    private static final List<Map.Entry<String, String>> HEADERS =
            List.of(
                    Map.entry("Content-Type", "text/plain"),
                    Map.entry("Content-Type", "application/json; charset=latin1"),
                    Map.entry("Content-Type", ";;;"),
                    Map.entry("Accept", "text/html"),
                    Map.entry("Accept", "*/*;q=abc,,;"),
                    Map.entry("Accept", "application/json;q=0"),
                    Map.entry("MCP-Session-Id", "no-such-session"),
                    Map.entry("MCP-Session-Id", "x".repeat(5_000)),
                    Map.entry("MCP-Session-Id", "\u00ff\u00fe"),
                    Map.entry("MCP-Protocol-Version", "1999-01-01"),
                    Map.entry("MCP-Protocol-Version", "2025-03-26"),
                    Map.entry("MCP-Protocol-Version", "'; --"),
                    Map.entry("Origin", "https://evil.example"),
                    Map.entry("Origin", "null"),
                    Map.entry("Origin", "http://localhost:\u0001"),
                    Map.entry("Host", "evil.example"),
                    Map.entry("Host", "a b"),
                    Map.entry("Host", ""),
                    Map.entry("Last-Event-ID", "0"),
                    Map.entry("Last-Event-ID", "%%%" + "9".repeat(300)),
                    Map.entry("Content-Encoding", "gzip"),
                    Map.entry("Connection", "upgrade, close"),
                    Map.entry("Upgrade", "h2c"),
                    Map.entry("Cookie", "c".repeat(20_000)),
                    Map.entry("X Y", "space in the name"),
                    Map.entry("", "no name"));

    /**
     * The bytes of a request.
     *
     * @param answered whether it is a whole request that must be answered; others may also be
     *     refused by closing the connection
     * @param headOnly whether the answer has no body, or one that may never end
     * @param text for messages of failures
     */
    record Bytes(byte[] bytes, boolean answered, boolean headOnly, String text) {}

    private final Random random;
    private final int port;

    Hostile(long seed, int port) {
        this.random = new Random(seed);
        this.port = port;
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    Bytes next(String session) {
        if (oneIn(40)) {
            byte[] noise = new byte[1 + random.nextInt(2_000)];
            random.nextBytes(noise);
            return new Bytes(noise, false, false, "noise");
        }
        String message = oneIn(3) ? any(PER_REQUEST_MESSAGES) : any(MESSAGES);
        byte[] body = body(message);
        Map<String, String> headers = headers(session);
        if (message.contains(PER_REQUEST) && !oneIn(10)) {
            mirror(message, headers);
        }
        boolean plain = true;
        for (int i = oneIn(3) ? 1 + random.nextInt(2) : 0; i > 0; i--) {
            Map.Entry<String, String> header = any(HEADERS);
            headers.put(header.getKey(), header.getValue());
            plain = false;
        }
        String method = oneIn(12) ? any(METHODS) : "POST";
        String path = oneIn(20) ? any(PATHS) : "/mcp";
        plain &= method.equals("POST") && path.equals("/mcp");
        return framed(method, path, headers, body, plain);
    }

    private Map<String, String> headers(String session) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Host", "127.0.0.1:" + port);
        headers.put("Accept", "application/json, text/event-stream");
        headers.put("Content-Type", "application/json");
        if (!oneIn(6)) {
            headers.put("MCP-Session-Id", session);
        }
        if (oneIn(2)) {
            headers.put("MCP-Protocol-Version", "2025-11-25");
        }
        if (oneIn(30)) {
            headers.remove(any(List.copyOf(headers.keySet())));
        }
        return headers;
    }

    /** Adds the headers that repeat a message, and none of a session in most cases. */
    private void mirror(String message, Map<String, String> headers) {
        headers.put("MCP-Protocol-Version", PER_REQUEST);
        Matcher method = METHOD.matcher(message);
        if (method.find()) {
            headers.put("Mcp-Method", method.group(1));
        }
        Matcher name = NAME.matcher(message);
        if (name.find()) {
            headers.put("Mcp-Name", name.group(1));
        }
        if (!oneIn(5)) {
            headers.remove("MCP-Session-Id");
        }
    }

    // ---- bodies

    private byte[] body(String message) {
        if (oneIn(60)) {
            return new byte[OVERSIZED];
        }
        if (oneIn(40)) {
            return ("[".repeat(100_000) + "]".repeat(100_000)).getBytes(StandardCharsets.UTF_8);
        }
        if (oneIn(4)) {
            return utf8(message);
        }
        if (oneIn(3)) {
            return utf8(withWrongType(message));
        }
        byte[] bytes = utf8(message);
        for (int i = random.nextInt(4); i >= 0; i--) {
            bytes = mutated(bytes);
        }
        return bytes;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Puts another value in the place of one that follows a colon. */
    private String withWrongType(String message) {
        List<Integer> colons = new ArrayList<>();
        for (int i = message.indexOf("\":"); i >= 0; i = message.indexOf("\":", i + 1)) {
            colons.add(i + 2);
        }
        if (colons.isEmpty()) {
            return any(WRONG_TYPES);
        }
        int from = any(colons);
        int to = from;
        while (to < message.length() && ",}]".indexOf(message.charAt(to)) < 0) {
            to++;
        }
        return message.substring(0, from) + any(WRONG_TYPES) + message.substring(to);
    }

    private byte[] mutated(byte[] bytes) {
        int at = random.nextInt(bytes.length + 1);
        int end = Math.min(bytes.length, at + random.nextInt(20));
        return switch (random.nextInt(5)) {
            case 0 -> splice(bytes, at, end, new byte[0]);
            case 1 -> splice(bytes, at, at, java.util.Arrays.copyOfRange(bytes, at, end));
            case 2 -> splice(bytes, at, at, new byte[] {(byte) (0x80 + random.nextInt(128))});
            case 3 -> splice(bytes, at, at, new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80});
            default -> splice(bytes, at, at, utf8(any(INSERTS)));
        };
    }

    private static byte[] splice(byte[] bytes, int from, int to, byte[] insert) {
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        result.write(bytes, 0, from);
        result.writeBytes(insert);
        result.write(bytes, to, bytes.length - to);
        return result.toByteArray();
    }

    // ---- framing

    private Bytes framed(
            String method, String path, Map<String, String> headers, byte[] body, boolean plain) {
        boolean fits = body.length < OVERSIZED;
        boolean whole = plain && fits;
        byte[] framed = body;
        switch (random.nextInt(14)) {
            case 0 -> {
                headers.put("Transfer-Encoding", "chunked");
                framed = chunked(body);
            }
            case 1 -> {
                headers.put("Transfer-Encoding", "chunked");
                framed =
                        splice(
                                chunked(body),
                                0,
                                1,
                                utf8(any(List.of("zz", "-1", "FFFFFFFFFFFFFFFFF", ";", ""))));
                whole = false;
            }
            case 2 -> {
                headers.put("Content-Length", "" + (body.length + 1 + random.nextInt(1_000)));
                whole = false;
            }
            case 3 -> headers.put("Content-Length", "" + random.nextInt(body.length + 1));
            case 4 -> {
                headers.put(
                        "Content-Length",
                        any(List.of("-1", "1e3", "99999999999999999999", "", "0x10")));
                whole = false;
            }
            case 5 -> {
                headers.put("Content-Length", "" + body.length);
                headers.put(
                        "Transfer-Encoding", any(List.of("chunked", "gzip", "chunked, chunked")));
                whole = false;
            }
            case 6 -> {
                headers.put("Content-Length", "" + body.length);
                headers.put("Expect", "100-continue");
            }
            case 7 -> {
                headers.put("Content-Length", "" + body.length);
                framed = splice(body, random.nextInt(body.length + 1), body.length, new byte[0]);
                whole = false;
            }
            default -> headers.put("Content-Length", "" + body.length);
        }
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        byte[] top = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        if (oneIn(50)) {
            top = splice(top, random.nextInt(top.length), top.length, new byte[0]);
            framed = new byte[0];
            whole = false;
        }
        byte[] all = splice(top, top.length, top.length, framed);
        String text =
                head + new String(body, 0, Math.min(300, body.length), StandardCharsets.UTF_8);
        boolean endless = text.contains("subscriptions/listen");
        return new Bytes(
                all, whole, endless || method.equals("HEAD") || method.equals("GET"), text);
    }

    private byte[] chunked(byte[] body) {
        ByteArrayOutputStream chunks = new ByteArrayOutputStream();
        for (int at = 0; at < body.length; ) {
            int size = Math.min(body.length - at, 1 + random.nextInt(5_000));
            chunks.writeBytes(utf8(Integer.toHexString(size) + "\r\n"));
            chunks.write(body, at, size);
            chunks.writeBytes(utf8("\r\n"));
            at += size;
        }
        chunks.writeBytes(utf8("0\r\n\r\n"));
        return chunks.toByteArray();
    }
}
