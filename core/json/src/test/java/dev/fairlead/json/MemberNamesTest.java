package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;

/** Texts whose member names were chosen to fill the tables of a parser. */
class MemberNamesTest {
    private static final String INITIALIZE =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                + "\"2025-11-25\",\"capabilities\":{\"roots\":{\"listChanged\":true},\"sampling\":{},"
                + "\"elicitation\":{}},\"clientInfo\":{\"name\":\"f\",\"version\":\"1\",\"title\":\"F\","
                + "\"websiteUrl\":\"https://example.org\",\"icons\":[]},\"structuredContent\":{},"
                + "\"progressToken\":1,\"lastModified\":1,\"annotations\":{},\"inputSchema\":{}}}";

    /** Returns more names than a shared table takes before it is emptied. */
    private static byte[] many(int attempt) {
        StringJoiner members = new StringJoiner(",", "{", "}");
        for (int i = 0; i < 6_600; i++) {
            members.add("\"m" + attempt + "_" + i + "\":0");
        }
        return members.toString().getBytes(UTF_8);
    }

    /**
     * Names of 40 bytes that differ in the order of the quads from the fourth on, which the parser
     * adds up: they collide with any seed.
     */
    static byte[] colliding(int attempt, int count) {
        List<String> quads = new ArrayList<>(List.of("aaaa", "bbbb", "cccc", "dddd", "eeee"));
        quads.addAll(List.of("ffff", "gggg", "hhhh", "iiii"));
        Random random = new Random(attempt);
        String group = String.format(Locale.ROOT, "%012d", attempt);
        StringJoiner members = new StringJoiner(",", "{", "}");
        Set<String> names = new HashSet<>();
        while (names.size() < count) {
            Collections.shuffle(quads, random);
            String name = group + String.join("", quads);
            if (names.add(name)) {
                members.add("\"" + name + "\":0");
            }
        }
        return members.toString().getBytes(UTF_8);
    }

    @Test
    void namesThatCollideDoNotMakeTextsOfOthersFail() {
        for (int attempt = 0; attempt < 200; attempt++) {
            byte[] many = many(attempt);
            byte[] colliding = colliding(attempt, 2_040);
            assertThatCode(() -> RawJson.parse(many)).doesNotThrowAnyException();
            assertThatCode(() -> RawJson.parse(colliding)).doesNotThrowAnyException();
            assertThatCode(() -> JsonValue.parse(INITIALIZE)).doesNotThrowAnyException();
        }
    }

    @Test
    void knownNamesAreDecodedOnce() {
        List<String> known = List.of("jsonrpc", "id", "method", "params", "name", "arguments");
        known.forEach(MemberNames::know);
        for (String name : known) {
            assertThat(name("{\"" + name + "\":1}")).isSameAs(name("{ \"" + name + "\" : 2 }"));
        }
        String long1 = "a".repeat(MemberNames.SHORT_TEXT);
        JsonArray array =
                (JsonArray) JsonValue.parse("[\"" + long1 + "\",{\"own\":1},{\"own\":2}]");
        assertThat(array.get(1).toString()).isNotEqualTo(array.get(2).toString());
        assertThat(((JsonObject) array.get(1)).names().iterator().next())
                .isSameAs(((JsonObject) array.get(2)).names().iterator().next());
    }

    private static String name(String json) {
        return ((JsonObject) JsonValue.parse(json)).names().iterator().next();
    }

    @Test
    void namesOfEveryLengthAreReadRight() {
        StringJoiner members = new StringJoiner(",", "[", "]");
        List<String> expected = new ArrayList<>();
        for (int length = 0; length < 200; length++) {
            for (String letter : List.of("a", "é", "€", "🌍")) {
                expected.add(letter.repeat(length));
                members.add("{\"" + letter.repeat(length) + "\":{\"b" + length + "\":0}}");
            }
        }
        for (String text : List.of(members.toString(), members.toString())) {
            List<String> names = new ArrayList<>();
            for (JsonValue element : (JsonArray) JsonValue.parse(text)) {
                names.addAll(((JsonObject) element).names());
            }
            assertThat(names).isEqualTo(expected);
        }
        for (String name : expected) { // in the table of short texts
            assertThat(name("{\"" + name + "\":1}")).isEqualTo(name);
        }
    }
}
