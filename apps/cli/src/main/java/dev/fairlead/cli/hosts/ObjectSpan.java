package dev.fairlead.cli.hosts;

import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The place of an object in a text of JSON, and of each of its members. The text is valid JSON: it
 * was parsed before.
 *
 * @param start the place of its opening brace
 * @param end the place behind its closing brace
 * @param members by name, in the order of the text; of equal names the last
 */
record ObjectSpan(int start, int end, Map<String, Member> members) {
    /**
     * The place of a member.
     *
     * @param start the place of its name
     * @param value the place of its value
     * @param end the place behind its value
     */
    record Member(int start, int value, int end) {}

    /** Finds the object that begins at a place, blanks before it aside. */
    static ObjectSpan at(String json, int place) {
        int start = json.indexOf('{', place);
        Map<String, Member> members = new LinkedHashMap<>();
        int at = blanksAfter(json, start + 1);
        while (json.charAt(at) != '}') {
            int name = at;
            int colon = json.indexOf(':', endOfValue(json, name));
            String key =
                    ((JsonString) JsonValue.parse(json.substring(name, colon).strip())).value();
            int value = blanksAfter(json, colon + 1);
            int end = endOfValue(json, value);
            members.put(key, new Member(name, value, end));
            at = blanksAfter(json, end);
            if (json.charAt(at) == ',') {
                at = blanksAfter(json, at + 1);
            }
        }
        return new ObjectSpan(start, at + 1, members);
    }

    private static int blanksAfter(String json, int place) {
        int at = place;
        while (Character.isWhitespace(json.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Returns the place behind the value that begins here. */
    private static int endOfValue(String json, int start) {
        int depth = 0;
        int at = start;
        do {
            char c = json.charAt(at);
            if (c == '"') {
                at = endOfString(json, at);
            } else if (depth == 0 && "{[".indexOf(c) < 0) {
                return endOfWord(json, at);
            } else {
                depth += "{[".indexOf(c) >= 0 ? 1 : "}]".indexOf(c) >= 0 ? -1 : 0;
                at++;
            }
        } while (depth > 0);
        return at;
    }

    private static int endOfString(String json, int start) {
        int at = start + 1;
        while (json.charAt(at) != '"') {
            at += json.charAt(at) == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    /** A number, a boolean or null. */
    private static int endOfWord(String json, int start) {
        int at = start;
        while (at < json.length() && ",}] \t\r\n".indexOf(json.charAt(at)) < 0) {
            at++;
        }
        return at;
    }
}
