package com.example;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.stdio.Stdio;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A client that lists the tools of a server, or calls one of them. */
public final class Client {
    private Client() {}

    /** Returns a line for each tool. */
    static String list(McpClient client) throws InterruptedException {
        return client.tools().stream()
                .map(Client::line)
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static String line(Tool tool) {
        return tool.description() == null ? tool.name() : tool.name() + ": " + tool.description();
    }

    /** Returns the text of the result. */
    static String call(McpClient client, String tool, JsonObject arguments)
            throws InterruptedException {
        return client.callTool(tool, arguments).text();
    }

    static McpClient.Builder client() {
        return McpClient.named("{{name}}", "1.0.0")
                .onLog(entry -> System.err.println("server: " + entry.data()));
    }

    /**
     * Connects to a server, and prints its tools or the result of a call.
     *
     * @param arguments {@code URL [TOOL [ARGUMENTS-AS-JSON]]}, or {@code -- COMMAND [ARGUMENT…]}
     *     for a server that speaks stdio, whose tools are listed
     */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length == 0) {
            System.err.println("URL [TOOL [ARGUMENTS-AS-JSON]], or -- COMMAND [ARGUMENT...]");
            System.exit(64);
        }
        boolean isCommand = arguments[0].equals("--");
        try (McpClient client = client().connect(remote(isCommand, arguments))) {
            if (isCommand || arguments.length == 1) {
                System.out.println(list(client));
            } else {
                String json = arguments.length > 2 ? arguments[2] : "{}";
                System.out.println(call(client, arguments[1], (JsonObject) JsonValue.parse(json)));
            }
        }
    }

    private static Remote remote(boolean isCommand, String... arguments) {
        return isCommand
                ? Stdio.command(Arrays.copyOfRange(arguments, 1, arguments.length))
                : Http.to(arguments[0]);
    }
}
