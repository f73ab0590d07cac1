package dev.fairlead.cli;

import dev.fairlead.json.JsonObject;

/** Shows an answer to people. */
@FunctionalInterface
interface View {
    View TOOLS = (answer, console) -> console.out().println(answer.toJson());
    View TOOL_RESULT = TOOLS;
    View RESOURCES = TOOLS;
    View RESOURCE_TEMPLATES = TOOLS;
    View RESOURCE = TOOLS;
    View PROMPTS = TOOLS;
    View PROMPT = TOOLS;
    View COMPLETION = TOOLS;
    View PONG = (answer, console) -> console.out().println("The server is there.");

    void show(JsonObject answer, Console console);
}
