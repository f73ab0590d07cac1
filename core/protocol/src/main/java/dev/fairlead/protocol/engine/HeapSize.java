package dev.fairlead.protocol.engine;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

/** Estimates the bytes that values take in memory, which can be many times those of their text. */
public final class HeapSize {
    private static final int OBJECT = 48; // an approximation

    private HeapSize() {}

    /** Returns the bytes of a text; 0 for null. */
    public static long of(@Nullable String text) {
        return text == null ? 0 : OBJECT + 2L * text.length();
    }

    /** Returns the bytes of a tree; 0 for null. */
    public static long of(@Nullable JsonValue tree) {
        if (tree instanceof JsonObject object) {
            return OBJECT
                    + object.members().entrySet().stream()
                            .mapToLong(each -> of(each.getKey()) + of(each.getValue()))
                            .sum();
        } else if (tree instanceof JsonArray array) {
            return OBJECT + array.elements().stream().mapToLong(HeapSize::of).sum();
        } else if (tree instanceof JsonString string) {
            return OBJECT + bytes(string.value());
        } else if (tree instanceof JsonNumber number) {
            return OBJECT + number.value().precision();
        }
        return tree == null ? 0 : OBJECT;
    }

    /** Returns the bytes of a string: two for each character unless all are of Latin-1. */
    private static long bytes(String text) {
        boolean latin = text.chars().allMatch(character -> character < 0x100);
        return latin ? text.length() : 2L * text.length();
    }
}
