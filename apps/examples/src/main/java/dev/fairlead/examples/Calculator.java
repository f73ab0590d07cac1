package dev.fairlead.examples;

// @start region="calculator"
import static dev.fairlead.protocol.prompts.PromptMessage.user;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.Features;
import dev.fairlead.server.McpServer;

/**
 * The quick start of MCP: a calculator, a greeting for any name, and a prompt that asks for one.
 */
class Calculator {
    record Numbers(@Doc("The first number") double a, @Doc("The second number") double b) {}

    record Person(String name) {}

    enum Style {
        friendly,
        formal,
        casual
    }

    record Greeting(
            @Doc("Whom to greet") String name,
            @Doc("The tone of the greeting") @Default("friendly") Style style) {}

    static McpServer.Builder server() {
        return McpServer.named("calculator", "1.0.0")
                .features(Calculator::tools)
                .resourceTemplate("greeting://{name}", "greeting", Person.class, String.class)
                .description("A greeting for a person")
                .mimeType("text/plain")
                .handle((person, call) -> "Hello, " + person.name() + "!")
                .prompt("greet_user", "Asks for a greeting", Greeting.class)
                .handle((greeting, call) -> GetPromptResult.of(user(request(greeting))));
    }

    static void tools(Features<?> features) {
        features.tool("add", "Adds two numbers", Numbers.class, Double.class)
                .readOnly()
                .handle((in, call) -> finite(in.a() + in.b()));
        features.tool("subtract", "Subtracts b from a", Numbers.class, Double.class)
                .readOnly()
                .handle((in, call) -> finite(in.a() - in.b()));
        features.tool("multiply", "Multiplies two numbers", Numbers.class, Double.class)
                .readOnly()
                .handle((in, call) -> finite(in.a() * in.b()));
        features.tool("divide", "Divides a by b", Numbers.class, Double.class)
                .readOnly()
                .handle(
                        (in, call) -> {
                            if (in.b() == 0) {
                                throw new ToolFailedException("cannot divide by zero");
                            }
                            return finite(in.a() / in.b());
                        });
    }

    /** JSON has no infinity: a result that large is a failure, which the model gets to read. */
    private static double finite(double result) {
        if (Double.isFinite(result)) {
            return result;
        }
        throw new ToolFailedException("the result is too large");
    }

    private static String request(Greeting greeting) {
        String wish =
                switch (greeting.style()) {
                    case friendly -> "Please write a warm, friendly greeting";
                    case formal -> "Please write a formal, professional greeting";
                    case casual -> "Please write a casual, relaxed greeting";
                };
        return wish + " for someone named " + greeting.name() + ".";
    }

    public static void main(String[] args) {
        server().build().serve(Place.of(args));
    }
}
// @end
