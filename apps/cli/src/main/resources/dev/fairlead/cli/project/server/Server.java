package com.example;

import dev.fairlead.http.Http;
import dev.fairlead.json.Doc;
import dev.fairlead.json.Size;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;

import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;

/** A server with three tools, over stdio or HTTP. */
public final class Server {
    record Person(@Doc("Whom to greet") String name) {}

    enum Unit {
        CELSIUS,
        FAHRENHEIT
    }

    record Temperature(double degrees, @Doc("The unit of the degrees") Unit unit) {}

    record Texts(@Size(min = 1, max = 100) List<String> texts) {}

    record Count(String text, int words) {}

    record Counts(List<Count> counts) {}

    static McpServer.Builder server() {
        return McpServer.named("{{name}}", "1.0.0")
                .tool("greet", "Greets a person by name", Person.class, String.class)
                .handle((person, call) -> "Hello, " + person.name() + "!")
                .tool(
                        "convert",
                        "Converts a temperature to the other unit",
                        Temperature.class,
                        Temperature.class)
                .handle((temperature, call) -> converted(temperature))
                .tool(
                        "countWords",
                        "Counts the words of each text, and reports progress",
                        Texts.class,
                        Counts.class)
                .handle(
                        (input, call) -> {
                            List<Count> counts = new ArrayList<>();
                            for (String text : input.texts()) {
                                counts.add(
                                        new Count(text, new StringTokenizer(text).countTokens()));
                                call.progress(counts.size(), input.texts().size(), "counted");
                            }
                            return new Counts(counts);
                        });
    }

    private static Temperature converted(Temperature temperature) {
        return switch (temperature.unit()) {
            case CELSIUS -> new Temperature(temperature.degrees() * 9 / 5 + 32, Unit.FAHRENHEIT);
            case FAHRENHEIT -> new Temperature((temperature.degrees() - 32) * 5 / 9, Unit.CELSIUS);
        };
    }

    /**
     * Serves over stdio, as hosts start it, or over HTTP.
     *
     * @param arguments {@code [http [PORT [ADDRESS]]]}
     */
    public static void main(String[] arguments) {
        if (arguments.length == 0) {
            server().build().serve(Stdio.streams());
            return;
        }
        int port = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3000;
        String address = arguments.length > 2 ? arguments[2] : "127.0.0.1";
        // In a container clients need a name that is allowed here.
        server().build().serve(Http.port(port).host(address).allowHosts("localhost"));
    }
}
