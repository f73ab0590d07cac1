package dev.fairlead.examples;

// @start region="form"
import dev.fairlead.client.ElicitForm;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Answer;

/** The form of a server, filled in at a terminal, field by field. */
final class Form {
    private Form() {}

    static Answer<?> fillIn(ElicitForm form, Terminal terminal) throws InterruptedException {
        terminal.show("The server " + form.server().name() + " asks: " + form.message());
        JsonObject fields = form.schema().object("properties");
        JsonObject answer = JsonObject.EMPTY;
        for (String name : fields.names()) {
            answer = fill(answer, name, fields.object(name), terminal);
        }
        return switch (terminal.ask(
                "Send " + answer.toJson() + "? [y]es, [n]o, anything else cancels:")) {
            case "y" -> Answer.accept(answer);
            case "n" -> Answer.decline();
            default -> Answer.cancel();
        };
    }

    /** Asks for a field until what is typed fits; nothing typed leaves the field to its default. */
    private static JsonObject fill(
            JsonObject answer, String name, JsonObject field, Terminal terminal)
            throws InterruptedException {
        while (true) {
            String typed = terminal.ask("  " + name + " " + field.without("type").toJson() + ":");
            if (typed.isEmpty()) {
                return answer;
            }
            JsonValue value = value(field.string("type"), typed);
            var violations = JsonSchema.of(field).validate(value);
            if (violations.isEmpty()) {
                return answer.with(name, value);
            }
            terminal.show("  " + violations.getFirst());
        }
    }

    private static JsonValue value(String type, String typed) {
        try {
            return switch (type) {
                case "string" -> JsonValue.of(typed);
                case "array" -> JsonArray.of((Object[]) typed.split(" *, *"));
                default -> JsonValue.parse(typed);
            };
        } catch (JsonException e) {
            return JsonValue.of(typed); // does not fit, which is told
        }
    }
}
// @end
