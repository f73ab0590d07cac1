package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

class RawJsonTest {
    private static @Nullable String member(String object, String name) {
        RawJson member = RawJson.parse(object).member(name);
        return member == null ? null : member.toJson();
    }

    @Test
    void aMemberIsFoundAsItStands() {
        String object = "{ \"a\" : [ 1 ] , \"b\":{\"a\": 2 },\"c\":\"x\",\"\":null}";
        assertThat(member(object, "a")).isEqualTo("[ 1 ]");
        assertThat(member(object, "b")).isEqualTo("{\"a\": 2 }");
        assertThat(member(object, "c")).isEqualTo("\"x\"");
        assertThat(member(object, "")).isEqualTo("null");
        assertThat(member(object, "d")).isNull();
        assertThat(member("{}", "a")).isNull();
        assertThat(member("[1]", "a")).isNull();
        RawJson read = RawJson.parse(object);
        for (RawJson outer : List.of(read, RawJson.of(read.value()))) { // with an index and without
            assertThat(outer.member("b", "a")).isEqualTo(RawJson.parse("2"));
            assertThat(outer.member("b", "c")).isNull();
            assertThat(outer.member("a", "a")).isNull();
            assertThat(outer.member("x", "a")).isNull();
        }
        assertThat(RawJson.of(JsonValue.of("b")).member("b", "a")).isNull();
    }

    @Test
    void whatAStringContainsBehindAPrefixIsFoundAsItStands() {
        assertThat(after("\"v1.abc\"", "v1.")).isEqualTo("abc");
        assertThat(after("\"v1.\"", "v1.")).isEmpty();
        assertThat(after("\"v1.a\\u0062\"", "v1.")).isEqualTo("a\\u0062");
        assertThat(after("\"\"", "")).isEmpty();
        for (String other : List.of("\"v1\"", "\"v2.abc\"", "\"\"", "17.5", "null", "{}")) {
            assertThat(after(other, "v1.")).isNull();
        }
        RawJson part = RawJson.parse("{\"a\":\"v1\",\"b\":\"v1.x\"}");
        assertThat(part.member("a").stringAfter("v1\"")).isNull(); // which stands behind it
        assertThat(part.member("b").stringAfter("v1.")).containsExactly('x');
    }

    private static @Nullable String after(String json, String prefix) {
        byte[] bytes = RawJson.parse(json).stringAfter(prefix);
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void ofMembersThatStandTwiceTheFirstIsFound() {
        assertThat(member("{\"a\":1,\"a\":2}", "a")).isEqualTo("1");
        assertThat(member("{\"\\u0061\":1,\"a\":2}", "a")).isEqualTo("1");
    }

    @Test
    void namesBeyondAsciiAndWithEscapesAreFound() {
        assertThat(member("{\"é\":1,\"b\":2}", "é")).isEqualTo("1");
        assertThat(member("{\"b\":2,\"\\u00e9\":1}", "é")).isEqualTo("1");
        assertThat(member("{\"b\":2,\"a\\tb\":1}", "a\tb")).isEqualTo("1");
        assertThat(member("{\"b\":2,\"Ã©\":1}", "é")).isNull();
    }

    @Test
    void allMembersAreFoundHoweverManyThereAre() {
        StringBuilder object = new StringBuilder("{\"m0\":0");
        for (int i = 1; i < 20; i++) {
            object.append(",\"m").append(i).append("\":").append(i);
            for (int each = 0; each <= i; each++) {
                assertThat(member(object + "}", "m" + each)).isEqualTo("" + each);
            }
            assertThat(member(object + "}", "m" + (i + 1))).isNull();
        }
    }

    @Test
    void aCopyFindsItsMembersToo() {
        RawJson outer = RawJson.parse("{\"first\":{\"x\":1},\"a\":{\"b\":{\"c\":[2,3]},\"d\":4}}");
        RawJson inner;
        try (JsonReader reader = outer.reader()) {
            reader.beginObject();
            reader.nextName();
            reader.skip();
            reader.nextName();
            inner = reader.raw();
        }
        RawJson copy = inner.detached();
        assertThat(copy.member("b")).isEqualTo(RawJson.parse("{\"c\":[2,3]}"));
        assertThat(copy.member("d")).isEqualTo(RawJson.parse("4"));
        assertThat(copy.value()).isEqualTo(inner.value());
    }

    /** A text that was read finds the same members as one that was written, which has no index. */
    @Test
    void membersAreFoundAsByReading() {
        Rounds.run(
                4_000,
                random -> {
                    RandomTexts texts = new RandomTexts(random);
                    Map<String, JsonValue> members = new LinkedHashMap<>();
                    for (int i = random.nextInt(12); i > 0; i--) {
                        String name = random.nextInt(3) == 0 ? texts.name() : "n" + i;
                        members.put(name, value(random, i));
                    }
                    RawJson written = RawJson.of(new JsonObject(members));
                    RawJson read = RawJson.parse(" " + written.toJson());
                    for (String name : members.keySet()) {
                        assertThat(read.member(name)).isEqualTo(written.member(name)).isNotNull();
                    }
                    String other = texts.name();
                    assertThat(read.member(other)).isEqualTo(written.member(other));
                    assertThat(inTurn(read)).isEqualTo(inTurn(written));
                });
    }

    /** All members as a reader takes them, some without a look. */
    private static List<String> inTurn(RawJson object) {
        List<String> members = new ArrayList<>();
        try (JsonReader reader = object.reader()) {
            reader.beginObject();
            for (String name = reader.nextName(); name != null; name = reader.nextName()) {
                members.add(name);
                if (members.size() % 3 == 0) {
                    reader.skip();
                } else {
                    members.add(reader.raw().toJson());
                }
            }
            reader.end();
        }
        return members;
    }

    private static JsonValue value(Random random, int number) {
        return switch (random.nextInt(3)) {
            case 0 -> JsonValue.of(number);
            case 1 -> new JsonArray(List.of(JsonObject.EMPTY, JsonValue.of(number)));
            default -> JsonObject.of("n0", number, "x", "y");
        };
    }

    @Test
    void aStringIsDecoded() {
        assertThat(RawJson.parse(" \"a\\u00e9é\" ").string()).isEqualTo("aéé");
        assertThat(RawJson.parse("{\"a\":\"b\"}").member("a")).isNotNull();
        assertThat(RawJson.parse("1").string()).isNull();
        assertThat(RawJson.parse("[\"a\"]").string()).isNull();
        assertThat(RawJson.parse("null").string()).isNull();
    }

    @Test
    void textsAreEqualIfTheirBytesAre() {
        RawJson part = RawJson.parse("{\"x\":{\"abcdefgh\":123}}").member("x");
        assertThat(part).isEqualTo(RawJson.parse("{\"abcdefgh\":123}"));
        assertThat(part).hasSameHashCodeAs(RawJson.parse("{\"abcdefgh\":123}"));
        assertThat(part).isNotEqualTo(RawJson.parse("{\"abcdefgh\":124}"));
        assertThat(part).isNotEqualTo(RawJson.parse("{\"abcdefgh\": 123}"));
    }
}
