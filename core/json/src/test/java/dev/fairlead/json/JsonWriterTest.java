package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.util.List;

class JsonWriterTest {
    @Test
    void valuesAreWrittenCompactly() {
        RawJson json =
                new JsonWriter()
                        .beginObject()
                        .name("a\"b")
                        .beginArray()
                        .string("x\n")
                        .number(-3)
                        .number(2.5)
                        .number(new BigDecimal("1.10"))
                        .bool(true)
                        .nullValue()
                        .endArray()
                        .name("raw")
                        .raw(RawJson.parse("{ }"))
                        .name("after")
                        .value(JsonObject.of("k", null))
                        .endObject()
                        .finish();
        assertThat(json.toJson())
                .isEqualTo(
                        "{\"a\\\"b\":[\"x\\n"
                                + "\",-3,2.5,1.10,true,null],\"raw\":{ },\"after\":{\"k\":null}}");
    }

    @Test
    void equalTreesHaveOneCanonicalText() {
        List<String> spellings =
                List.of(
                        "{\"b\": [1.50, {\"d\": 100, \"c\": null}], \"a\": \"x\"}",
                        "{\"a\": \"x\", \"b\": [15e-1, {\"c\": null, \"d\": 1E2}]}");
        for (String json : spellings) {
            assertThat(new JsonWriter().canonical(JsonValue.parse(json)).finish().toJson())
                    .isEqualTo("{\"a\":\"x\",\"b\":[1.5,{\"c\":null,\"d\":1E+2}]}");
        }
    }

    @Test
    void aTextIsWrittenIntoAGivenArrayAsFarAsThatHasRoom() {
        byte[] room = new byte[8];
        assertThat(new JsonWriter(room).string("abc").finish().toJson()).isEqualTo("\"abc\"");
        assertThat(room).startsWith('"', 'a', 'b', 'c', '"');
        RawJson longer = new JsonWriter(room).string("x".repeat(20)).finish();
        assertThat(longer.string()).isEqualTo("x".repeat(20));
    }

    @Test
    void rawTextsMayFollowEachOther() {
        RawJson one = RawJson.parse("1");
        assertThat(
                        new JsonWriter()
                                .beginArray()
                                .raw(one)
                                .raw(one)
                                .number(2)
                                .raw(one)
                                .endArray()
                                .finish()
                                .toJson())
                .isEqualTo("[1,1,2,1]");
    }

    @ParameterizedTest
    @ValueSource(ints = {999, 1000, 1001, 8192, 100_000})
    void longTextsAreWrittenAsShortOnes(int length) {
        for (String character : List.of("x", "é", "\"", "\n", "\uD83D\uDE00")) {
            String text = character.repeat(length);
            RawJson written =
                    new JsonWriter()
                            .beginArray()
                            .number(1)
                            .string(text)
                            .raw(RawJson.of(new JsonString(text)))
                            .string(text)
                            .endArray()
                            .finish();
            JsonString value = new JsonString(text);
            assertThat(JsonValue.parse(written.toJson()))
                    .isEqualTo(JsonArray.of(1, value, value, value));
        }
    }

    @Test
    void lineEndsBetweenTokensOfRawTextsBecomeBlanks() {
        RawJson read = RawJson.parse("[1,\r\n{\"a\":\n2}]");
        RawJson written = new JsonWriter().beginArray().raw(read).endArray().finish();
        assertThat(written.toJson()).isEqualTo("[[1,  {\"a\": 2}]]");
        assertThat(new JsonWriter().raw(written.detached()).finish().toJson())
                .isEqualTo(written.toJson());
    }

    @Test
    void halfASurrogatePairIsRefusedInNames() {
        assertThatThrownBy(JsonObject.of("a\ud800", 1)::toJson)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the name of a member has half a surrogate pair");
        assertThatThrownBy(() -> JsonValue.parse("{\"\\ud800\":1}"))
                .isInstanceOf(JsonException.class);
    }

    @Test
    void numbersThatJsonCannotSayAreRefused() {
        assertThatThrownBy(() -> new JsonWriter().number(Double.NaN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("JSON has no number for NaN");
        assertThatThrownBy(() -> JsonCodec.of(float.class).write(Float.POSITIVE_INFINITY))
                .hasMessage("JSON has no number for Infinity");
    }

    @Test
    void nestingIsBounded() {
        JsonValue deep = JsonArray.EMPTY;
        for (int i = 0; i < 10_000; i++) {
            deep = JsonArray.of(deep);
        }
        JsonValue value = deep;
        assertThatThrownBy(() -> RawJson.of(value))
                .isInstanceOf(JsonException.class)
                .hasMessage("the value is nested more than 500 levels deep");
    }

    @Test
    void controlCharactersAreEscaped() {
        StringBuilder text = new StringBuilder();
        for (char c = 0; c <= ' '; c++) {
            text.append(c);
        }
        assertThat(JsonValue.of(text + "\u007f/\"\\é").toJson())
                .isEqualTo(
                        "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n"
                            + "\\u000B\\f\\r"
                            + "\\u000E"
                            + "\\u000F\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001A\\u001B\\u001C\\u001D\\u001E\\u001F"
                            + " \u007f/\\\"\\\\é\"");
    }

    @Test
    void aTextWithHalfASurrogatePairHasSmallEscapes() {
        assertThat(JsonValue.of("\ud83c\ud83c\udf0d\"\\\u001fé\udf0d").toJson())
                .isEqualTo("\"\\ud83c\ud83c\udf0d\\\"\\\\\\u001fé\\udf0d\"");
        assertThat(JsonValue.of("?".repeat(40) + "\udf0d").toJson()).endsWith("?\\udf0d\"");
    }

    @Test
    void numbersHaveTheFormsOfJava() {
        JsonWriter writer = new JsonWriter().beginArray();
        for (double number : new double[] {0, -0.0, 1, 1e7, 1e-5, 0.1, Double.MIN_VALUE, 1e300}) {
            writer.number(number);
        }
        writer.number(Long.MIN_VALUE).number(new BigDecimal("1E+3")).number(new BigDecimal("-0.0"));
        assertThat(writer.endArray().finish().toJson())
                .isEqualTo(
                        "[0.0,-0.0,1.0,1.0E7,1.0E-5,0.1,4.9E-324,1.0E300,-9223372036854775808,1E+3,0.0]");
    }

    @Test
    void callsThatDoNotMakeUpOneValueGiveNoJson() {
        assertThatThrownBy(() -> new JsonWriter().beginArray().beginObject().finish())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("objects and arrays that have not ended: 2");
        assertThatThrownBy(() -> new JsonWriter().number(1).endObject())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no object or array has begun");
        for (JsonWriter wrong :
                List.of(
                        new JsonWriter(),
                        new JsonWriter().number(1).number(2),
                        new JsonWriter().name("a").number(1),
                        new JsonWriter().beginArray().name("a").number(1).endArray(),
                        new JsonWriter().beginObject().number(1).endObject(),
                        new JsonWriter().beginObject().name("a").endObject(),
                        new JsonWriter().beginObject().name("a").name("b").number(1).endObject(),
                        new JsonWriter().beginObject().name("a").number(1).number(2).endObject(),
                        new JsonWriter().beginObject().endArray())) {
            byte[] text = wrong.finish().toBytes();
            assertThatThrownBy(() -> RawJson.parse(text)).isInstanceOf(JsonException.class);
        }
    }
}
