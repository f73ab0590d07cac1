package dev.fairlead.benchmarks.soak;

import dev.fairlead.json.JsonObject;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens one session after the other and leaves each without a word: with nothing under way, with an
 * open stream, with a question that it never answers, with a task of which it never asks.
 */
final class Deserter {
    private static final Pattern SESSION = Pattern.compile("(?im)^mcp-session-id: *(\\S+)");
    private static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{"elicitation":{}},"clientInfo":{"name":"deserter","version":"1"}}}\
            """;
    private static final String INITIALIZED =
            """
            {"jsonrpc":"2.0","method":"notifications/initialized"}\
            """;

    private final int port;
    private final Random random;
    private final Gate gate;
    private final Tally tally;

    Deserter(int port, long seed, Gate gate, Tally tally) {
        this.port = port;
        this.random = new Random(seed);
        this.gate = gate;
        this.tally = tally;
    }

    /** One session after the other, until it is over. */
    Void run(BooleanSupplier over) throws InterruptedException {
        while (!over.getAsBoolean()) {
            gate.pass(this::desert);
            Thread.sleep(random.nextInt(400));
        }
        return null;
    }

    private Void desert() {
        try {
            Matcher session = SESSION.matcher(exchange("", INITIALIZE));
            if (!session.find()) {
                throw new IOException("no session was opened");
            }
            tally.abandoned();
            String headers =
                    "Mcp-Session-Id: %s\r\nMCP-Protocol-Version: 2025-11-25\r\n"
                            .formatted(session.group(1));
            exchange(headers, INITIALIZED);
            switch (random.nextInt(4)) {
                case 0 -> {}
                case 1 -> leave(request("GET", headers, ""));
                case 2 -> leave(request("POST", headers, call("ask", JsonObject.EMPTY)));
                default -> exchange(headers, call("work", JsonObject.of("ttl", 5_000)));
            }
        } catch (IOException e) {
            tally.failed("a session that was to be left: " + e);
        }
        return null;
    }

    private static String call(String tool, JsonObject task) {
        JsonObject params =
                JsonObject.of(
                        "name",
                        tool,
                        "arguments",
                        JsonObject.of(
                                "lane",
                                SoakServer.DESERTER,
                                "number",
                                1,
                                "first",
                                1,
                                "count",
                                1,
                                "text",
                                "no client"));
        if (tool.equals("work")) {
            params = params.with("task", task);
        }
        return JsonObject.of("jsonrpc", "2.0", "id", 2, "method", "tools/call", "params", params)
                .toJson();
    }

    private static String request(String method, String headers, String body) {
        String accept = method.equals("GET") ? "" : "application/json, ";
        return """
        %s /mcp HTTP/1.1\r
        Host: localhost\r
        %sContent-Type: application/json\r
        Accept: %stext/event-stream\r
        Content-Length: %d\r
        Connection: close\r
        \r
        %s\
        """
                .formatted(method, headers, accept, body.length(), body);
    }

    /** Sends a message; the whole answer. */
    private String exchange(String headers, String body) throws IOException {
        try (Socket socket = send(request("POST", headers, body))) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /** Sends a request and hangs up in the middle of the answer. */
    private void leave(String request) throws IOException {
        try (Socket socket = send(request)) {
            int some = socket.getInputStream().read(new byte[1 + random.nextInt(1_000)]);
            if (some < 0) {
                throw new IOException("there was no answer");
            }
        }
    }

    private Socket send(String request) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }
}
