package dev.fairlead.cli;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** A stdio server, well-behaved or not, that tests start as a child process. */
final class ScriptedServer {
    /** One page of tools, with members and numbers that no library knows. */
    static final String ODD_TOOL =
            "{\"name\":\"odd\",\"inputSchema\":{\"type\":\"object\",\"x-rank\":1.50},"
                + "\"x-big\":12345678901234567890123,\"x-deep\":{\"null\":null,\"list\":[1,[]]}}";

    private static final Set<String> SILENT = Set.of("silent", "stubborn");

    private final String script;
    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);

    private ScriptedServer(String script) {
        this.script = script;
    }

    public static void main(String[] arguments) throws Exception {
        new ScriptedServer(arguments[0]).run();
    }

    private void run() throws IOException, InterruptedException {
        if (script.equals("garbage")) {
            out.println("Welcome to \u001b[31mthis server\u001b[0m!\n{\"half\": \n[1,2]");
        }
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonObject message = (JsonObject) JsonValue.parse(line);
            if (message.has("id") && message.has("method")) {
                answer(message);
            } else if (message.has("method")) {
                System.err.println("heard " + message.string("method"));
            }
        }
        if (script.equals("stubborn")) { // does not end with its input
            new CountDownLatch(1).await();
        }
    }

    private void answer(JsonObject request) throws InterruptedException {
        String method = request.string("method");
        if (method.equals("tools/call") && SILENT.contains(script)) {
            System.err.println("called");
            return;
        }
        out.append("{\"jsonrpc\":\"2.0\",\"id\":")
                .append(Objects.requireNonNull(request.get("id")).toJson())
                .append(",\"result\":");
        switch (method) {
            case "initialize" -> out.append(initialize(request));
            case "tools/list" -> out.append(toolPage(request));
            case "tools/call" -> call(request);
            default -> out.append("{}");
        }
        out.append("}\n").flush();
    }

    private String initialize(JsonObject request) throws InterruptedException {
        if (script.equals("mute")) {
            new CountDownLatch(1).await();
        }
        return JsonObject.of(
                        "protocolVersion",
                        request.object("params").string("protocolVersion"),
                        "capabilities",
                        JsonObject.of("tools", JsonObject.EMPTY),
                        "serverInfo",
                        JsonObject.of("name", "scripted", "version", "1"))
                .toJson();
    }

    private String toolPage(JsonObject request) {
        boolean first = !(request.get("params") instanceof JsonObject page && page.has("cursor"));
        return switch (script) {
            case "circle" -> "{\"tools\":[],\"nextCursor\":\"again\"}";
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
            case "dies" -> Runtime.getRuntime().halt(7);
            case "huge" -> huge();
            default ->
                    out.append("{\"content\":[],\"x-params\":")
                            .append(request.object("params").toJson())
                            .append("}");
        }
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
