package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;

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
