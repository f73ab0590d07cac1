package dev.fairlead.examples;

// @start region="assistant"
import dev.fairlead.client.McpClient;
import dev.fairlead.client.UserRejectedException;
import dev.fairlead.http.Http;
import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.Range;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.CallToolResult;
import dev.fairlead.protocol.CreateMessageRequest;
import dev.fairlead.protocol.CreateMessageResult;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.TextContent;
import dev.fairlead.protocol.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.stdio.Stdio;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Map;

/**
 * A host in small: calls tools for a person, and asks that person what the server wants to know.
 */
class Assistant {
    /** What the model knows. */
    private static final Map<String, String> SCRIPT =
            Map.of(
                    "Write a haiku about tea",
                    "Steam above the cup, / the kettle has said it all. / Outside, morning waits.");

    private final Terminal terminal;

    Assistant(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Connects, and calls what the person types until they type nothing more. */
    void run(Remote server) throws InterruptedException {
        try (McpClient client =
                McpClient.named("assistant", "1.0.0")
                        .onElicitForm(form -> terminal.alone(() -> Form.fillIn(form, terminal)))
                        .onSample(request -> terminal.alone(() -> sample(request)))
                        .connect(server)) {
            terminal.show("Connected to " + client.serverInfo().name() + ", which has the tools");
            for (Tool tool : client.tools()) {
                terminal.show("  " + tool.name() + ": " + tool.description());
            }
            for (String line = next(); !line.isEmpty(); line = next()) {
                String[] words = line.split(" ", 2);
                terminal.show(call(client, words[0], words.length == 1 ? "{}" : words[1]));
            }
        }
    }

    private String next() throws InterruptedException {
        return terminal.ask("TOOL {ARGUMENTS} >");
    }

    private static String call(McpClient client, String tool, String arguments)
            throws InterruptedException {
        try {
            CallToolResult result = client.callTool(tool, (JsonObject) JsonValue.parse(arguments));
            return (result.failed() ? "Failed: " : "") + result.text();
        } catch (CallException | JsonException | ClassCastException e) {
            return "Error: " + e.getMessage();
        }
    }

    // ---- what the server asks

    private CreateMessageResult sample(CreateMessageRequest request) throws InterruptedException {
        String asked =
                request.messages().getLast().content().getFirst() instanceof TextContent text
                        ? text.text()
                        : "something that is no text";
        approve("The server asks the model: " + asked);
        String said = SCRIPT.getOrDefault(asked, "I have no line for that.");
        approve("The model answers: " + said);
        return CreateMessageResult.text("script", said);
    }

    private void approve(String text) throws InterruptedException {
        terminal.show(text);
        if (!terminal.ask("Allow? [y]es, anything else denies:").equals("y")) {
            throw new UserRejectedException();
        }
    }

    // ---- a server to try it with

    enum Kind {
        green,
        black
    }

    record Tea(@Doc("Kind of tea") Kind kind, @Range(min = 0, max = 3) @Default("0") int sugar) {}

    static McpServer teahouse() {
        return McpServer.named("teahouse", "1.0.0")
                .tool(
                        "haiku",
                        "Has the model of the client write a haiku",
                        NoInput.class,
                        String.class)
                .handle((none, call) -> call.sample("Write a haiku about tea", 100).text())
                .tool("order_tea", "Asks which tea", NoInput.class, Tea.class)
                .handle((none, call) -> call.elicit("Which tea?", Tea.class).orElseThrow())
                .build();
    }

    public static void main(String[] args) throws InterruptedException {
        var in = new BufferedReader(new InputStreamReader(System.in));
        Assistant assistant = new Assistant(new Terminal(in, System.out, false));
        try (McpServer teahouse = teahouse()) {
            if (args.length == 0) assistant.run(teahouse.inProcess());
            else if (args[0].startsWith("http")) assistant.run(Http.to(args[0]));
            else assistant.run(Stdio.command(args));
        }
    }
}
// @end
