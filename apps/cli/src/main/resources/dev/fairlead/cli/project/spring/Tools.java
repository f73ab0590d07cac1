package com.example;

import dev.fairlead.json.Doc;
import dev.fairlead.json.Size;
import dev.fairlead.server.annotation.McpTool;
import dev.fairlead.server.handler.Call;

import org.springframework.stereotype.Component;

import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;

/** Three tools of the server, declared by annotations. */
@Component
class Tools {
    enum Unit {
        CELSIUS,
        FAHRENHEIT
    }

    record Temperature(double degrees, Unit unit) {}

    record Count(String text, int words) {}

    /**
     * Greets a person by name.
     *
     * @param name whom to greet
     */
    @McpTool(readOnly = true)
    String greet(String name) {
        return "Hello, " + name + "!";
    }

    /** Converts a temperature to the other unit. */
    @McpTool(readOnly = true)
    Temperature convert(double degrees, @Doc("The unit of the degrees") Unit unit) {
        return switch (unit) {
            case CELSIUS -> new Temperature(degrees * 9 / 5 + 32, Unit.FAHRENHEIT);
            case FAHRENHEIT -> new Temperature((degrees - 32) * 5 / 9, Unit.CELSIUS);
        };
    }

    /** Counts the words of each text, and reports progress. */
    @McpTool(readOnly = true)
    List<Count> countWords(@Size(min = 1, max = 100) List<String> texts, Call call) {
        List<Count> counts = new ArrayList<>();
        for (String text : texts) {
            counts.add(new Count(text, new StringTokenizer(text).countTokens()));
            call.progress(counts.size(), texts.size(), "counted");
        }
        return counts;
    }
}
