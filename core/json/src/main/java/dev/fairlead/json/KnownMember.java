package dev.fairlead.json;

/**
 * A member whose value was read before, so that the same text need not be read again.
 *
 * @param name of the member
 * @param text of its value, an object
 * @param value the value that the text was read as
 */
public record KnownMember(String name, RawJson text, JsonObject value) {
    /** Takes the value at hand if it is the one that is known; returns whether it is. */
    boolean take(String member, JsonReader reader) {
        return name.equals(member) && reader.takeIf(text);
    }
}
