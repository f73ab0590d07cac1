package dev.fairlead.cli;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/** A stdio server, well-behaved or not. */
final class ScriptedStdioServer {
    /** One page of tools, with members and numbers that no library knows. */
    static final String ODD_TOOL =
            "{\"name\":\"odd\",\"inputSchema\":{\"type\":\"object\",\"x-rank\":1.50},"
                + "\"x-big\":12345678901234567890123,\"x-deep\":{\"null\":null,\"list\":[1,[]]}}";

    /** A text that is out to control the terminal and to forge a line of the program. */
    static final String HOSTILE =
            "no\r\nfairlead: forged\u001b[2J\u007f\u009b1m\u202e\u200b\u2028"
                    + Character.toString(0xE0041);

    /** How many log messages {@code logs} and {@code refuses} send ahead of their answer. */
    static final int LOGS = 100;

    /** A form that is out to steer the terminal. */
    private static final String FORM =
            "{\"message\":\"Fill in\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"
                    + "{\"price\":{\"type\":\"string\",\"title\":\"50% off %M\",\"pattern\":"
                    + "\"^(\\u001b\\\\[31m)?[0-9]+$\"}},\"required\":[\"price\"]}}";

    /**
     * Begins a script with the path of a pipe: it withdraws its question once the pipe is written
     * to.
     */
    static final String WITHDRAWS = "withdraws ";

    private static final String SAMPLE =
            "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Hi\"}}],"
                    + "\"maxTokens\":10}";

    private final String script;
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private int pages;
    private String call = ""; // the id of the call that waits for an answer of the client

    private ScriptedStdioServer(String script, InputStream in, PrintStream out, PrintStream err) {
        this.script = script;
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /** The command line that starts it. */
    static List<String> command(String script) {
        return LocalProgram.command(
                (none, in, out, err) -> new ScriptedStdioServer(script, in, out, err).run());
    }

    /** Ends neither with its input nor when it is terminated, but when it is killed. */
    static final class Stubborn {
        public static void main(String[] arguments) throws Exception {
            Runtime.getRuntime().addShutdownHook(new Thread(ScriptedStdioServer::blockForever));
            new ScriptedStdioServer("silent", System.in, System.out, System.err).run();
            blockForever();
        }
    }

    /** Serves until the input ends; returns the exit status. */
    private int run() throws IOException {
        if (script.equals("garbage")) {
            out.println("Welcome to \u001b[31mthis server\u001b[0m!\n{\"half\": \n[1,2]");
        }
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonObject message = (JsonObject) JsonValue.parse(line);
            if (dies(message)) {
                return 7;
            }
            if (message.has("id") && message.has("method")) {
                answer(message);
            } else if (message.has("id")) {
                receiveAnswer(message);
            } else if (message.has("method")) {
                err.println("heard " + message.string("method"));
            }
        }
        return 0;
    }

    /** Returns whether the server ends at this message. */
    private boolean dies(JsonObject message) {
        return message.has("method")
                && message.string("method")
                        .equals(
                                switch (script) {
                                    case "dies" -> "tools/call";
                                    case "leaves" -> "notifications/initialized";
                                    default -> "";
                                });
    }

    private static void blockForever() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(JsonObject request) throws IOException {
        String method = request.string("method");
        if (method.equals("server/discover")) { // of a later revision
            if (script.equals("passes-over")) {
                return;
            }
            say(
                    "\"id\":"
                            + Objects.requireNonNull(request.get("id")).toJson()
                            + ",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}");
            return;
        }
        if (method.equals("initialize") && script.equals("mute")) {
            return;
        }
        if (method.equals("tools/call") && begins(request)) {
            return;
        }
        if (method.equals("tools/call") && script.equals("silent")) {
            err.println("called");
            return;
        }
        out.append("{\"jsonrpc\":\"2.0\",\"id\":")
                .append(Objects.requireNonNull(request.get("id")).toJson())
                .append(",\"result\":");
        switch (method) {
            case "initialize" -> out.append(initialize(request));
            case String any when script.equals("hostile") -> out.append(hostile());
            case "tools/list" -> out.append(toolPage(request));
            case "tools/call" -> call(request);
            default -> out.append("{}");
        }
        out.append("}\n").flush();
    }

    /** A result of every kind. */
    private static String hostile() {
        JsonValue text = JsonValue.of(HOSTILE);
        JsonObject content = JsonObject.of("type", "text", "text", text);
        JsonObject item =
                JsonObject.of("name", text, "uri", text, "uriTemplate", text)
                        .with("inputSchema", JsonObject.of("type", "object"));
        return JsonObject.of("x-text", text)
                .with("tools", JsonValue.parse("[" + item + "]"))
                .with("resources", JsonValue.parse("[" + item + "]"))
                .with("resourceTemplates", JsonValue.parse("[" + item + "]"))
                .with("prompts", JsonValue.parse("[" + item + "]"))
                .with("content", JsonValue.parse("[" + content + "]"))
                .with(
                        "contents",
                        JsonValue.parse("[" + JsonObject.of("uri", "x:y", "text", text) + "]"))
                .with(
                        "messages",
                        JsonValue.parse(
                                "[" + JsonObject.of("role", "user", "content", content) + "]"))
                .with("completion", JsonObject.of("values", JsonValue.parse("[" + text + "]")))
                .toJson();
    }

    /**
     * Sends the messages ahead of the answer to a call; returns true if that comes later, or is no
     * result.
     */
    private boolean begins(JsonObject request) throws IOException {
        call = Objects.requireNonNull(request.get("id")).toJson();
        switch (script) {
            case String any when any.startsWith(WITHDRAWS) -> {
                ask("sampling/createMessage", SAMPLE);
                Files.readString(Path.of(script.substring(WITHDRAWS.length())));
                notify("notifications/cancelled", "{\"requestId\":1}");
                say("\"id\":" + call + ",\"result\":{\"content\":[]}");
            }
            case "asks" -> ask("elicitation/create", FORM);
            case "logs" -> {
                log();
                return false;
            }
            case "hostile" -> {
                String text = JsonValue.of(HOSTILE).toJson();
                switch (request.object("params").string("name")) {
                    case "fails" ->
                            say(
                                    "\"id\":"
                                            + call
                                            + ",\"error\":{\"code\":-32000,\"message\":"
                                            + text
                                            + "}");
                    case "logs" -> {
                        notify(
                                "notifications/message",
                                "{\"level\":\"info\",\"data\":" + text + "}");
                        return false;
                    }
                    default -> {
                        return false;
                    }
                }
            }
            case "refuses" -> {
                log();
                say("\"id\":" + call + ",\"error\":{\"code\":-32000,\"message\":\"No.\"}");
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void log() {
        for (int i = 1; i <= LOGS; i++) {
            notify("notifications/message", "{\"level\":\"info\",\"data\":\"step " + i + "\"}");
        }
    }

    private void ask(String method, String parameters) {
        say("\"id\":1,\"method\":\"" + method + "\",\"params\":" + parameters);
    }

    private void notify(String method, String parameters) {
        say("\"method\":\"" + method + "\",\"params\":" + parameters);
    }

    private void say(String members) {
        out.append("{\"jsonrpc\":\"2.0\",").append(members).append("}\n").flush();
    }

    /** Answers the call of the tool with the answer of the client. */
    private void receiveAnswer(JsonObject answer) {
        if (script.equals("asks")) {
            JsonObject text = JsonObject.of("type", "text", "text", answer.without("id").toJson());
            say(
                    "\"id\":"
                            + call
                            + ",\"result\":"
                            + JsonObject.of("content", List.of(text)).toJson());
        }
    }

    private String initialize(JsonObject request) {
        return JsonObject.of(
                        "protocolVersion",
                        request.object("params").string("protocolVersion"),
                        "capabilities",
                        JsonObject.of("tools", JsonObject.EMPTY, "logging", JsonObject.EMPTY)
                                .with(otherCapabilities()),
                        "serverInfo",
                        JsonObject.of("name", "scripted", "version", "1"))
                .toJson();
    }

    private JsonObject otherCapabilities() {
        return switch (script) {
            case "hostile" ->
                    JsonObject.of("resources", JsonObject.EMPTY, "prompts", JsonObject.EMPTY)
                            .with("completions", JsonObject.EMPTY);
            case "leaves", "calm" -> JsonObject.of("tools", JsonObject.of("listChanged", true));
            default -> JsonObject.EMPTY;
        };
    }

    private String endlessPage() {
        return "{\"tools\":[{\"name\":\"t\",\"description\":\""
                + "x".repeat(6 << 20)
                + "\"}],\"nextCursor\":\""
                + pages++
                + "\"}";
    }

    private String toolPage(JsonObject request) {
        boolean first = !(request.get("params") instanceof JsonObject page && page.has("cursor"));
        return switch (script) {
            case "circle" -> "{\"tools\":[],\"nextCursor\":\"again\"}";
            case "endless" -> endlessPage();
            case "null-cursor" -> "{\"tools\":[],\"nextCursor\":null}";
            case "no-list" -> "{\"tool\":[]}";
            default ->
                    first
                            ? "{\"tools\":["
                                    + ODD_TOOL
                                    + "],\"nextCursor\":\"\",\"_meta\":{\"a\":1}}"
                            : "{\"tools\":[{\"name\":\"second\",\"inputSchema\":{}}],\"x-last\":true}";
        };
    }

    private void call(JsonObject request) {
        switch (script) {
            case "huge" -> huge();
            case "untyped" -> out.append("{\"content\":[{\"text\":\"no type\"}]}");
            case "images" -> out.append(images(false));
            case "images-failed" -> out.append(images(true));
            default ->
                    out.append("{\"content\":[],\"x-params\":")
                            .append(request.object("params").toJson())
                            .append("}");
        }
    }

    /** One that can be saved, and one that cannot. */
    private static String images(boolean failed) {
        return "{\"content\":[{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"AAAA\"},"
                + "{\"type\":\"image\",\"mimeType\":\"image/gif\",\"data\":\"?!\"}],\"isError\":"
                + failed
                + "}";
    }

    private void huge() {
        String mebibyte = "x".repeat(1 << 20);
        out.append("{\"content\":[{\"type\":\"text\",\"text\":\"");
        for (int i = 0; i < 100; i++) {
            out.append(mebibyte);
        }
        out.append("\"}]}");
    }
}
