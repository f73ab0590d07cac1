package dev.fairlead.cli;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * A stdio server with tasks. A tool {@code X} becomes the task {@code t-X}. It prints its requests
 * on standard error, one line for each.
 */
final class TaskServer {
    /** A task with members and numbers that no library knows. */
    static final String ODD_TASK =
            "{\"taskId\":\"odd\",\"status\":\"working\",\"createdAt\":\"2025-11-25T10:30:00.120Z\","
                + "\"lastUpdatedAt\":\"2025-11-25T10:40:00+02:00\",\"ttl\":null,\"x-rank\":1.50,"
                + "\"x-big\":12345678901234567890123}";

    private static final String CAPABILITIES =
            "{\"tools\":{},\"tasks\":{\"list\":{},\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}}";

    private static final String FORM =
            "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"
                    + "{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]},"
                    + "\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"%s\"}}}";

    private final PrintStream out;
    private final PrintStream err;
    private boolean working = true;
    private String waiting = ""; // the id of the tasks/result that waits
    private int question;
    private String asking = "t-asks"; // the task whose question is open, or was last
    private boolean answered;

    private TaskServer(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** The command line that starts it. */
    static List<String> command() {
        return LocalProgram.command(
                (none, in, out, err) -> {
                    new TaskServer(out, err).run(in);
                    return 0;
                });
    }

    private void run(InputStream in) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonObject message = (JsonObject) JsonValue.parse(line);
            if (!message.has("method")) {
                receiveAnswer(message);
            } else if (message.has("id")) {
                receive(message);
            } else {
                err.println("heard " + message.string("method"));
            }
        }
    }

    private void receive(JsonObject request) {
        String id = Objects.requireNonNull(request.get("id")).toJson();
        String method = request.string("method");
        if (method.equals("server/discover")) { // of a later revision
            error(id, -32601, "Method not found");
            return;
        }
        JsonObject params =
                request.get("params") instanceof JsonObject object
                        ? object.without("_meta")
                        : JsonObject.EMPTY;
        if (!method.equals("initialize")) {
            err.println("asked " + method + " " + params.toJson());
        }
        switch (method) {
            case "initialize" -> answer(id, initialize(params));
            case "tools/list" ->
                    answer(
                            id,
                            "{\"tools\":[{\"name\":\"required\",\"inputSchema\":{\"type\":"
                                + "\"object\"},\"execution\":{\"taskSupport\":\"required\"}}]}");
            case "tools/call" -> call(id, params);
            case "tasks/list" -> answer(id, page(params));
            case "tasks/get" -> get(id, params.string("taskId"));
            case "tasks/cancel" -> cancel(id, params.string("taskId"));
            case "tasks/result" -> result(id, params.string("taskId"));
            default -> answer(id, "{}");
        }
    }

    private String initialize(JsonObject params) {
        err.println("client " + params.object("capabilities").toJson());
        return "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":"
                + CAPABILITIES
                + ",\"serverInfo\":{\"name\":\"tasks\",\"version\":\"1\"}}";
    }

    private void call(String id, JsonObject params) {
        String tool = params.string("name");
        if (params.has("task") && !tool.equals("hasty")) {
            answer(
                    id,
                    "{\"task\":"
                            + task("t-" + tool)
                            + ",\"_meta\":{\"io.modelcontextprotocol/model-immediate-response\":"
                            + "\"soon\"}}");
        } else if (tool.equals("required")) {
            error(id, -32601, "Tool required must be called as a task");
        } else if (tool.equals("passes")) { // on the question of a task elsewhere
            waiting = id;
            ask("t-elsewhere");
        } else if (tool.equals("gone")) {
            error(id, -32601, "Unknown tool");
        } else {
            answer(id, "{\"content\":[],\"x-plain\":1}");
        }
    }

    private static String page(JsonObject params) {
        return params.has("cursor")
                ? "{\"tasks\":[" + task("t-echo", "completed", 60000L) + "]}"
                : "{\"tasks\":[" + ODD_TASK + "],\"nextCursor\":\"2\"}";
    }

    private void get(String id, String task) {
        switch (task) {
            case "odd" -> answer(id, ODD_TASK);
            case "t-cancelled" -> answer(id, task(task, "cancelled", 60000L));
            case "t-sleeps" -> answer(id, task(task, working ? "working" : "cancelled", 60000L));
            case "t-asks" -> {
                String open = answered ? "completed" : "input_required";
                answer(id, task(task, working ? open : "cancelled", 60000L));
            }
            case "t-echo", "t-fails", "t-throws", "t-required" ->
                    answer(id, task(task, task.equals("t-throws") ? "failed" : "completed", null));
            default -> error(id, -32602, "Unknown task: " + task);
        }
    }

    private void cancel(String id, String task) {
        working = false;
        answer(id, task(task, "cancelled", 60000L));
        if (!waiting.isEmpty()) {
            error(waiting, -32603, "Task was cancelled");
        }
    }

    private void result(String id, String task) {
        switch (task) {
            case "t-fails" -> answer(id, toolResult(task, "\"isError\":true,"));
            case "t-throws" -> error(id, -32603, "It broke");
            case "t-cancelled" -> error(id, -32603, "Task was cancelled");
            case "t-sleeps" -> waiting = id;
            case "t-asks" -> {
                waiting = id;
                ask(task);
            }
            default -> answer(id, toolResult(task, "\"x-big\":12345678901234567890123,"));
        }
    }

    private void ask(String task) {
        asking = task;
        say(
                "\"id\":"
                        + ++question
                        + ",\"method\":\"elicitation/create\",\"params\":"
                        + FORM.formatted(task));
    }

    private void receiveAnswer(JsonObject answer) {
        answered = true;
        err.println("answered " + answer.without("jsonrpc").without("id").toJson());
        answer(waiting, toolResult(asking, ""));
        waiting = "";
    }

    private static String toolResult(String task, String members) {
        return "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}],"
                + members
                + "\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\""
                + task
                + "\"}}}";
    }

    private static String task(String id) {
        return task(id, "working", 60000L);
    }

    private static String task(String id, String status, Long ttl) {
        return "{\"taskId\":\""
                + id
                + "\",\"status\":\""
                + status
                + "\",\"statusMessage\":\"Step \\u001b[31mone\",\"createdAt\":"
                + "\"2025-11-25T10:30:00.120Z\",\"lastUpdatedAt\":\"2025-11-25T10:30:00.120Z\","
                + "\"ttl\":"
                + ttl
                + ",\"pollInterval\":50,\"x-known\":false}";
    }

    private void answer(String id, String result) {
        say("\"id\":" + id + ",\"result\":" + result);
    }

    private void error(String id, int code, String message) {
        say("\"id\":" + id + ",\"error\":{\"code\":" + code + ",\"message\":\"" + message + "\"}");
    }

    private void say(String members) {
        out.append("{\"jsonrpc\":\"2.0\",").append(members).append("}\n").flush();
    }
}
