package dev.fairlead.cli.hosts;

import dev.fairlead.cli.servers.JsonWithComments;
import dev.fairlead.cli.view.IndentedJson;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

/**
 * The text of a JSON file, of which one member of one object changes. All else stays as the user
 * wrote it: comments, order, blanks. Immutable.
 */
final class JsonText {
    private static final String STEP = "  ";

    private final String text;
    private final String plain; // the same length, without comments

    /**
     * @throws dev.fairlead.json.JsonException if it is not JSON with comments
     */
    JsonText(String text) {
        this.text = text.isBlank() ? "{}\n" : text;
        plain = JsonWithComments.plain(this.text);
        JsonValue.parse(plain);
    }

    @Override
    public String toString() {
        return text;
    }

    JsonValue json() {
        return JsonValue.parse(plain);
    }

    /**
     * Sets a member of an object within the object of the whole text, which is added if it is not
     * there.
     */
    JsonText with(String container, String name, JsonObject value) {
        ObjectSpan whole = ObjectSpan.at(plain, 0);
        ObjectSpan.Member place = whole.members().get(container);
        if (place == null) {
            return added(whole, container, JsonObject.of(name, value));
        }
        ObjectSpan servers = ObjectSpan.at(plain, place.value());
        ObjectSpan.Member old = servers.members().get(name);
        if (old == null) {
            return added(servers, name, value);
        }
        return replaced(old.value(), old.end(), indented(value, indentOf(old.start())));
    }

    /** Removes a member of such an object. */
    JsonText without(String container, String name) {
        ObjectSpan whole = ObjectSpan.at(plain, 0);
        ObjectSpan.Member place = whole.members().get(container);
        if (place == null) {
            return this;
        }
        ObjectSpan servers = ObjectSpan.at(plain, place.value());
        ObjectSpan.Member old = servers.members().get(name);
        if (old == null) {
            return this;
        }
        int start = old.start();
        while (Character.isWhitespace(plain.charAt(start - 1)) && text.charAt(start - 1) <= ' ') {
            start--;
        }
        int next = blanksAfter(plain, old.end());
        if (plain.charAt(next) == ',') {
            return replaced(start, next + 1, "");
        }
        next = blanksAfter(text, old.end());
        if (text.charAt(next) == ',') { // behind the last member, as JSON with comments allows
            return replaced(start, next + 1, "");
        }
        return replaced(plain.charAt(start - 1) == ',' ? start - 1 : start, old.end(), "");
    }

    private JsonText added(ObjectSpan to, String name, JsonObject value) {
        int last = to.members().values().stream().mapToInt(ObjectSpan.Member::end).max().orElse(-1);
        String indent =
                to.members().values().stream()
                        .findFirst()
                        .map(member -> indentOf(member.start()))
                        .orElse(indentOf(to.start()) + STEP);
        String member =
                "\n" + indent + JsonValue.of(name).toJson() + ": " + indented(value, indent);
        return last >= 0
                ? replaced(last, last, "," + member)
                : replaced(to.start() + 1, to.start() + 1, member + "\n" + indentOf(to.start()));
    }

    private static String indented(JsonObject value, String indent) {
        return String.join("\n" + indent, IndentedJson.lines(value));
    }

    private static int blanksAfter(String text, int place) {
        int at = place;
        while (text.charAt(at) <= ' ') {
            at++;
        }
        return at;
    }

    /** The blanks that begin the line of a place. */
    private String indentOf(int place) {
        int line = text.lastIndexOf('\n', place) + 1;
        int end = line;
        while (end < place && (text.charAt(end) == ' ' || text.charAt(end) == '\t')) {
            end++;
        }
        return text.substring(line, end);
    }

    private JsonText replaced(int start, int end, String by) {
        return new JsonText(text.substring(0, start) + by + text.substring(end));
    }
}
