package dev.fairlead.examples;

// @start region="echo"
import static dev.fairlead.protocol.prompts.PromptMessage.user;

import dev.fairlead.json.Doc;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.server.McpServer;

/** One feature of each kind, which return their input. */
class Echo {
    record Text(@Doc("What to give back") String text) {}

    static McpServer.Builder server() {
        return McpServer.named("echo", "1.0.0")
                .tool("echo_tool", "Gives back a text", Text.class, String.class)
                .readOnly()
                .handle((input, call) -> input.text())
                .resource("echo://static", "static", String.class)
                .handle((request, call) -> "Echo!")
                .resourceTemplate("echo://{text}", "echo", Text.class, String.class)
                .handle((input, call) -> "Echo: " + input.text())
                .prompt("echo", "Makes a message of a text", Text.class)
                .handle((input, call) -> GetPromptResult.of(user(input.text())));
    }

    public static void main(String[] args) {
        server().build().serve(Place.of(args));
    }
}
// @end
