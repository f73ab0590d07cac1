package dev.fairlead.spring.boot.starter;

import static dev.fairlead.protocol.prompts.PromptMessage.user;

import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.server.annotation.McpPrompt;
import dev.fairlead.server.annotation.McpTool;

import org.springframework.stereotype.Component;

/** A component whose methods are features. */
@Component
class Greetings {
    /** Greets a person by name. */
    @McpTool(readOnly = true)
    String greet(String name) {
        return "Hello, " + name + "!";
    }

    /** Asks for a toast. */
    @McpPrompt
    GetPromptResult toast(String name) {
        return GetPromptResult.of(user("Write a toast to " + name + "."));
    }
}
