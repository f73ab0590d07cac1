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
}
