package dev.fairlead.cli.ask;

import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a field demands of its value.
 *
 * @param schema of the field
 */
record Limits(JsonObject schema) {
    private static final String VALUE = "value";

    /** The demands in a few words; empty where there are none. */
    String hint() {
        List<String> words = new ArrayList<>();
        if (schema.get("type") instanceof JsonString type) {
            switch (type.value()) {
                case "boolean" -> words.add("yes or no");
                case "integer" -> words.add("a whole number");
                case "number" -> words.add("a number");
                default -> {}
            }
        }
        limit(words, "minimum", "at least ");
        limit(words, "maximum", "at most ");
        limit(words, "minItems", "at least this many: ");
        limit(words, "maxItems", "at most this many: ");
        limit(words, "minLength", "characters at least: ");
        limit(words, "maxLength", "characters at most: ");
        format(words);
        return String.join(", ", words);
    }

    private void limit(List<String> words, String keyword, String meaning) {
        if (schema.get(keyword) instanceof JsonNumber number) {
            words.add(meaning + number);
        }
    }

    private void format(List<String> words) {
        switch (format()) {
            case "email" -> words.add("an address such as ada@example.com");
            case "uri" -> words.add("a URI such as https://example.com/");
            case "date" -> words.add("a date such as 2025-12-31");
            case "date-time" -> words.add("a time such as 2025-12-31T23:59:00Z");
            default -> {}
        }
    }

    private String format() {
        return schema.get("format") instanceof JsonString format ? format.value() : "";
    }

    /** Checks a value as the server will. */
    void check(JsonValue value) throws InvalidInputException {
        JsonObject whole =
                JsonObject.of("type", "object", "properties", JsonObject.of(VALUE, schema));
        List<JsonViolation> violations = JsonSchema.of(whole).validate(JsonObject.of(VALUE, value));
        if (!violations.isEmpty()) {
            throw new InvalidInputException(
                    "This does not fit: "
                            + violations.stream()
                                    .map(JsonViolation::message)
                                    .collect(Collectors.joining("; ")));
        }
        if (value instanceof JsonString text && !hasFormat(text.value())) {
            throw new InvalidInputException("This does not fit: " + hint() + ".");
        }
    }

    private boolean hasFormat(String text) {
        try {
            switch (format()) {
                case "email" -> {
                    return text.matches("[^@\\s]+@[^@\\s]+");
                }
                case "uri" -> {
                    return new URI(text).isAbsolute();
                }
                case "date" -> LocalDate.parse(text);
                case "date-time" -> OffsetDateTime.parse(text);
                default -> {}
            }
            return true;
        } catch (DateTimeException | URISyntaxException e) {
            return false;
        }
    }
}
