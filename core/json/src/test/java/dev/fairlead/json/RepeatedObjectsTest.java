package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

class RepeatedObjectsTest {
    /** An object of so many bytes, 20 at least, which no other test keeps. */
    private static String object(int size, String of) {
        String start = "{\"of\":\"" + of + "\",\"x\":\"";
        return start + "x".repeat(size - start.length() - 2) + "\"}";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 65, 127, 128, 129, RepeatedTexts.LONGEST})
    void anObjectIsFoundWhereItStandsAgain(int size) {
        String object = object(size, "found");
        assertThat(RepeatedObjects.at(bytes(object), 0, size)).isNull();
        new RepeatedTexts<String>().keep(RawJson.parse("[" + object + "]").reader().raw(), "list");
        assertThat(RepeatedObjects.at(bytes(object), 0, size)).isNull();
        RawJson kept = RawJson.parse("{\"a\":" + object + "}").member("a");
        new RepeatedTexts<String>().keep(kept, "kept");
        byte[] text = bytes("  " + object + "}");
        assertThat(RepeatedObjects.at(text, 2, text.length).text()).isEqualTo(kept);
        assertThat(RepeatedObjects.at(text, 2, text.length - 1).text()).isEqualTo(kept);
        assertThat(RepeatedObjects.at(text, 2, text.length - 2)).isNull();
        assertThat(RepeatedObjects.at(text, 1, text.length)).isNull();
        for (int i = 2; i < 2 + size; i++) {
            byte[] other = text.clone();
            other[i] ^= 1;
            assertThat(RepeatedObjects.at(other, 2, other.length)).isNull();
        }
    }

    @Test
    void whatIsShortIsNotKept() {
        String object = object(63, "short");
        new RepeatedTexts<String>().keep(RawJson.parse(object), "kept");
        byte[] text = bytes(object + " ".repeat(100));
        assertThat(RepeatedObjects.at(text, 0, text.length)).isNull();
    }

    /** Checks that cached objects change neither the validity nor the members of a text. */
    @Test
    void whatIsPassedOverChangesNothing() {
        String meta = object(100, "whole");
        String message = "{\"a\":[1],\"_meta\":%s,\"b\":{\"_meta\":%s}}".formatted(meta, meta);
        RawJson before = RawJson.parse(message);
        new RepeatedTexts<String>().keep(RawJson.parse(meta), "kept");
        byte[] bytes = bytes(message);
        assertThat(RepeatedObjects.at(bytes, message.indexOf(meta), bytes.length)).isNotNull();
        RawJson after = RawJson.parse(message);
        assertThat(after).isEqualTo(before);
        assertThat(after.value()).isEqualTo(before.value());
        for (String name : new String[] {"a", "_meta", "b", "c"}) {
            assertThat(after.member(name)).isEqualTo(before.member(name));
        }
        assertThat(after.member("b", "_meta")).isEqualTo(RawJson.parse(meta));
        for (int i = 0; i < bytes.length; i++) {
            byte[] cut = Arrays.copyOf(bytes, i);
            assertThatThrownBy(() -> RawJson.parse(cut)).isInstanceOf(JsonException.class);
            byte[] broken = bytes.clone();
            broken[i] = 1; // which is nowhere in JSON
            assertThatThrownBy(() -> RawJson.parse(broken)).isInstanceOf(JsonException.class);
            byte[] other = bytes.clone();
            other[i] ^= 1;
            if (isJson(other)) {
                assertThatCode(() -> RawJson.parse(other)).doesNotThrowAnyException();
            } else {
                assertThatThrownBy(() -> RawJson.parse(other)).isInstanceOf(JsonException.class);
            }
        }
    }

    @Test
    void boundsAreTheSame() {
        String meta = "{\"a\":" + "[".repeat(400) + "1,2" + "]".repeat(400) + "}";
        new RepeatedTexts<String>().keep(RawJson.parse(meta), "kept");
        byte[] message = bytes("{\"_meta\":" + meta + "}");
        assertThat(RepeatedObjects.at(message, 9, message.length)).isNotNull();
        int values = 404; // two objects, the arrays and two numbers
        try (JsonReader enough = new JsonReader(message, values)) {
            assertThat(enough.raw().member("_meta")).isEqualTo(RawJson.parse(meta));
        }
        try (JsonReader few = new JsonReader(message, values - 1)) {
            assertThatThrownBy(few::raw)
                    .isInstanceOf(JsonException.class)
                    .hasMessage("the text has more than 403 values");
        }
        String deep = "[".repeat(98) + "{\"_meta\":" + meta + "}" + "]".repeat(98);
        RawJson.parse(deep); // 500 levels
        try (JsonReader reader = inside("[" + deep + "]", 99)) {
            assertThatThrownBy(reader::raw)
                    .isInstanceOf(JsonException.class)
                    .hasMessageContaining("nested more than 500 levels deep");
        }
        try (JsonReader reader = inside(deep, 98)) {
            assertThat(reader.raw().member("_meta")).isEqualTo(RawJson.parse(meta));
        }
    }

    /** A reader that has stepped into so many arrays. */
    private static JsonReader inside(String text, int arrays) {
        JsonReader reader = new JsonReader(bytes(text));
        for (int i = 0; i < arrays; i++) {
            reader.beginArray();
            reader.nextElement();
        }
        return reader;
    }

    private static boolean isJson(byte[] text) {
        try {
            JacksonOracle.check(text);
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }
}
