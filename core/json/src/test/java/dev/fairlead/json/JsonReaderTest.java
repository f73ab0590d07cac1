package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.nio.charset.Charset;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

class JsonReaderTest {
    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    @Nested
    class Texts {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "", " ", "{", "[", "\"", "{\"a\"}", "{\"a\":}", "{a:1}", "[1,]", "{\"a\":1,}",
                            "[1 2]", "01",
                    "+1", "1.", ".5", "1e", "NaN", "Infinity", "tru", "nul", "'a'", "\"\\x\"",
                            "\"\\u12\"", "\"\t\"",
                    "1 2", "{} {}", "[]]", "// c\n1", "\u0000", "\uFEFF{}x"
                })
        void whatIsNoJsonIsRefused(String text) {
            assertThatThrownBy(() -> JsonValue.parse(text)).isInstanceOf(JsonException.class);
        }

        @Test
        void aMessageSaysWhereAndRepeatsNothing() {
            assertThatThrownBy(() -> JsonValue.parse("{\"a\": secret}"))
                    .isInstanceOf(JsonException.class)
                    .hasMessageStartingWith("the text is not JSON at byte ")
                    .hasMessageNotContaining("secret");
            assertThatThrownBy(() -> JsonValue.parse("{} x")).isInstanceOf(JsonException.class);
        }

        @Test
        void aByteThatIsNoUtf8IsFoundWhereverItStands() {
            for (int length = 1; length < 40; length++) {
                for (int place = 1; place <= length; place++) {
                    byte[] text = ("\"" + "a".repeat(length) + "\"").getBytes(UTF_8);
                    text[place] = (byte) 0xff;
                    assertThatThrownBy(() -> RawJson.parse(text))
                            .isInstanceOf(JsonException.class)
                            .hasMessage("the text is not UTF-8 at byte " + place);
                }
            }
        }

        @Test
        void bytesThatAreNotUtf8AreRefusedAtTheirPlace() {
            for (byte[] wrong :
                    List.of(
                            bytes('"', 0xff, '"'),
                            bytes('"', 0xc0, 0x80, '"'), // overlong
                            bytes('"', 0xed, 0xa0, 0x80, '"'), // half a surrogate pair
                            bytes('"', 0xe2, 0x82, '"'), // cut off
                            bytes('"', 0xf4, 0x90, 0x80, 0x80, '"'))) { // beyond Unicode
                assertThatThrownBy(() -> RawJson.parse(wrong))
                        .isInstanceOf(JsonException.class)
                        .hasMessage("the text is not UTF-8 at byte 1");
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-16", "UTF-32"})
        void otherEncodingsAreRefused(String name) {
            Charset charset = Charset.forName(name);
            for (String text : List.of("{\"a\":[\"é\"]}", "[]", "1", " {}", "\"\"", "\uFEFF{}")) {
                assertThatThrownBy(() -> RawJson.parse(text.getBytes(charset)))
                        .isInstanceOf(JsonException.class)
                        .hasMessageStartingWith("the text is not UTF-8");
            }
        }

        @Test
        void aByteOrderMarkOfUtf8IsSkipped() {
            RawJson raw = RawJson.parse("\uFEFF {\"a\": [1]} ");
            assertThat(raw.toJson()).isEqualTo("{\"a\": [1]}");
            assertThat(raw.value()).isEqualTo(JsonObject.of("a", JsonArray.of(1)));
            for (String wrong : List.of("\uFEFF", "\uFEFF\uFEFF{}", "{}\uFEFF", "{\uFEFF}")) {
                assertThatThrownBy(() -> RawJson.parse(wrong)).isInstanceOf(JsonException.class);
            }
        }

        @Test
        void nestingIsBounded() {
            String fits = "[".repeat(500) + "]".repeat(500);
            assertThat(JsonValue.parse(fits).toJson()).isEqualTo(fits);
            String beyond = "[".repeat(501) + "]".repeat(501);
            String message = "the text is nested more than 500 levels deep";
            assertThatThrownBy(() -> JsonValue.parse(beyond))
                    .isInstanceOf(JsonException.class)
                    .hasMessageStartingWith(message);
            assertThatThrownBy(() -> JsonValue.parse("{\"a\":".repeat(100_000)))
                    .hasMessageStartingWith(message);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "[1,[],{},\"\",null]",
                    "{\"a\":{\"b\":[[1],2]}}",
                    "[[[[[[]]]]]]",
                    "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5}"
                })
        void valuesAreCountedWhateverIsDoneWithThem(String json) {
            byte[] text = json.getBytes(UTF_8);
            for (Consumer<JsonReader> taking :
                    List.<Consumer<JsonReader>>of(
                            JsonReader::skip, JsonReader::raw, JsonReader::value)) {
                try (JsonReader enough = new JsonReader(text, 6)) {
                    taking.accept(enough);
                    enough.end();
                }
                try (JsonReader few = new JsonReader(text, 5)) {
                    assertThatThrownBy(() -> taking.accept(few))
                            .isInstanceOf(JsonException.class)
                            .hasMessage("the text has more than 5 values");
                }
            }
        }

        @Test
        void aMemberThatStandsTwiceIsRefusedInATree() {
            assertThatThrownBy(() -> JsonValue.parse("{\"a\":1,\"\\u0061\":2}"))
                    .isInstanceOf(JsonException.class)
                    .hasMessage("an object has two members named a at byte 16");
            assertThatThrownBy(() -> JsonValue.parse("{\"a\": {\n \"b\": 1,\n \"b\": {}}}"))
                    .hasMessage("an object has two members named b at byte 23 (line 3)");
        }
    }

    @Nested
    class Numbers {
        @Test
        void keepTheirDigits() {
            String json = "[0,-0,1.10,1E+2,12345678901234567890.12345678901234567890,1e-7]";
            JsonArray numbers = (JsonArray) JsonValue.parse(json);
            assertThat(((JsonNumber) numbers.get(2)).value()).isEqualTo(new BigDecimal("1.10"));
            assertThat(((JsonNumber) numbers.get(4)).value())
                    .isEqualTo(new BigDecimal("12345678901234567890.12345678901234567890"));
        }

        @Test
        void areEqualByValue() {
            assertThat(JsonValue.parse("1"))
                    .isEqualTo(JsonValue.parse("1.0"))
                    .hasSameHashCodeAs(JsonValue.parse("1.0"));
            assertThat(JsonValue.parse("100"))
                    .isEqualTo(JsonValue.parse("1e2"))
                    .hasSameHashCodeAs(JsonValue.parse("1e2"));
            assertThat(JsonValue.parse("0")).isEqualTo(JsonValue.parse("-0.00"));
        }

        @Test
        void ofHugeExponentCostNothing() {
            JsonNumber huge = (JsonNumber) JsonValue.parse("1e999999999");
            assertThat(huge.isLong()).isFalse();
            assertThat(huge.toJson()).isEqualTo("1E+999999999");
            assertThat(huge.doubleValue()).isInfinite();
            assertThat(huge).isNotEqualTo(JsonValue.of(1));
            assertThat(((JsonNumber) JsonValue.parse("1e-999999999")).isLong()).isFalse();
            assertThatThrownBy(() -> JsonValue.parse("1e99999999999"))
                    .isInstanceOf(JsonException.class);
        }

        @Test
        void ofTooManyDigitsAreRefused() {
            assertThat(JsonValue.parse("1".repeat(1000))).isInstanceOf(JsonNumber.class);
            for (String beyond : List.of("1".repeat(1001), "[1." + "1".repeat(1000) + "]")) {
                assertThatThrownBy(() -> JsonValue.parse(beyond))
                        .isInstanceOf(JsonException.class)
                        .hasMessageStartingWith("a number has more than 1000 characters");
            }
        }

        @Test
        void areWholeUpTo64Bits() {
            assertThat(((JsonNumber) JsonValue.parse("9223372036854775807")).isLong()).isTrue();
            assertThat(((JsonNumber) JsonValue.parse("9223372036854775808")).isLong()).isFalse();
            assertThat(((JsonNumber) JsonValue.parse("5.0")).longValue()).isEqualTo(5);
            assertThat(((JsonNumber) JsonValue.parse("5.5")).isLong()).isFalse();
        }
    }

    @Nested
    class Strings {
        @Test
        void keepEveryCharacter() {
            String text = "a\"\\/\b\f\n\r\t\u0001é€🌍\u2028";
            assertThat(JsonValue.parse(JsonValue.of(text).toJson())).isEqualTo(JsonValue.of(text));
            assertThat(JsonValue.parse("\"\\ud83c\\udf0d\"")).isEqualTo(JsonValue.of("🌍"));
        }

        @Test
        void keepHalfASurrogatePair() {
            for (String text :
                    List.of("\ud800", "a\udc00b", "\ud83c\ud83c\udf0d", "\udf0d\ud83c")) {
                String json = JsonValue.of(text).toJson();
                assertThat(UTF_8.newEncoder().canEncode(json)).isTrue();
                assertThat(JsonValue.parse(json)).isEqualTo(JsonValue.of(text));
            }
        }

        @Test
        void areCompared() {
            List<String> texts =
                    List.of("complete", "completed", "complet", "cömplete", "", "Complete");
            for (String text : texts) {
                String json = JsonValue.of(text).toJson();
                for (String written : List.of(json, "\"" + escaped(text) + "\"")) {
                    try (JsonReader reader = new JsonReader(written.getBytes(UTF_8))) {
                        assertThat(reader.isString("complete")).isEqualTo(text.equals("complete"));
                        reader.end();
                    }
                }
            }
            try (JsonReader reader = new JsonReader("1".getBytes(UTF_8))) {
                assertThatThrownBy(() -> reader.isString("1"))
                        .isInstanceOf(JsonException.class)
                        .hasMessage("expected a string but found a number");
            }
        }

        private static String escaped(String text) {
            return text.chars()
                    .mapToObj(each -> "\\u" + HexFormat.of().toHexDigits((char) each))
                    .collect(Collectors.joining());
        }

        @Test
        void mayBeLong() {
            String text = "é".repeat(3_000_000);
            assertThat(JsonValue.parse(JsonValue.of(text).toJson())).isEqualTo(JsonValue.of(text));
        }
    }

    @Nested
    class Slices {
        @Test
        void canHaveBytesOfTheirOwn() {
            try (JsonReader reader = RawJson.parse("[ 12 , {\"a\" : 1} ]").reader()) {
                reader.beginArray();
                assertThat(reader.nextElement()).isTrue();
                reader.raw();
                assertThat(reader.nextElement()).isTrue();
                RawJson own = reader.raw().detached();
                assertThat(own.toJson()).isEqualTo("{\"a\" : 1}");
                assertThat(own.array()).hasSize(own.size());
                assertThat(own.detached()).isSameAs(own);
            }
        }

        @Test
        void holdExactlyTheirValue() {
            String json =
                    "{ \"a\" : [ 1 , {\"b\":\"}\"} ] , \"c\":-1.5e3 , \"d\":\"é\\\"x\" ,\"e\":"
                            + " null,\"f\":true }";
            try (JsonReader reader = RawJson.parse(json).reader()) {
                reader.beginObject();
                assertThat(reader.nextName()).isEqualTo("a");
                RawJson array = reader.raw();
                assertThat(array.toJson()).isEqualTo("[ 1 , {\"b\":\"}\"} ]");
                assertThat(reader.nextName()).isEqualTo("c");
                assertThat(reader.raw().toJson()).isEqualTo("-1.5e3");
                assertThat(reader.nextName()).isEqualTo("d");
                assertThat(reader.raw().toJson()).isEqualTo("\"é\\\"x\"");
                assertThat(reader.nextName()).isEqualTo("e");
                assertThat(reader.raw().toJson()).isEqualTo("null");
                assertThat(reader.nextName()).isEqualTo("f");
                assertThat(reader.raw().toJson()).isEqualTo("true");
                assertThat(reader.nextName()).isNull();
                reader.end();
                assertThat(array.value()).isEqualTo(JsonArray.of(1, JsonObject.of("b", "}")));
            }
        }

        @Test
        void maySliceSlices() {
            RawJson outer = RawJson.parse("  {\"x\": {\"y\": [\"z\", 12 ]}}  ");
            try (JsonReader first = outer.reader()) {
                first.beginObject();
                first.nextName();
                try (JsonReader second = first.raw().reader()) {
                    second.beginObject();
                    second.nextName();
                    try (JsonReader third = second.raw().reader()) {
                        third.beginArray();
                        assertThat(third.nextElement()).isTrue();
                        assertThat(third.raw().toJson()).isEqualTo("\"z\"");
                        assertThat(third.nextElement()).isTrue();
                        assertThat(third.raw().toJson()).isEqualTo("12");
                    }
                }
            }
            assertThat(outer.toJson()).isEqualTo("{\"x\": {\"y\": [\"z\", 12 ]}}");
            assertThat(outer.isObject()).isTrue();
        }

        @Test
        void passOverTheirMembersWithoutALook() {
            byte[] text = "[ {\"a\":[1],\"b\":{\"c\":\"xyz\"},\"d\":[\"xyz\"]} ]".getBytes(UTF_8);
            RawJson object;
            try (JsonReader reader = RawJson.parse(text).reader()) {
                reader.beginArray();
                assertThat(reader.nextElement()).isTrue();
                object = reader.raw();
            }
            RawJson own = object.detached();
            for (RawJson slice : List.of(object, own)) {
                String json = slice.toJson();
                for (int place : List.of(json.indexOf("xyz"), json.lastIndexOf("xyz"))) {
                    slice.array()[slice.offset() + place] = '"'; // no JSON any more
                }
                try (JsonReader reader = slice.reader()) {
                    reader.beginObject();
                    assertThat(reader.nextName()).isEqualTo("a");
                    reader.skip();
                    assertThat(reader.nextName()).isEqualTo("b");
                    assertThat(reader.raw().toJson()).isEqualTo("{\"c\":\"\"yz\"}");
                    assertThat(reader.nextName()).isEqualTo("d");
                    assertThat(reader.raw().toJson()).isEqualTo("[\"\"yz\"]");
                    assertThat(reader.nextName()).isNull();
                    reader.end();
                }
            }
        }

        @Test
        void canBeEnteredWhereTheyCouldBePassedOver() {
            JsonObject object =
                    JsonObject.of("a", JsonObject.of("b", JsonArray.of(1, "x")), "c", 2);
            RawJson raw = RawJson.parse(object.toJson());
            assertThat(raw.value()).isEqualTo(object);
            try (JsonReader reader = raw.reader()) {
                reader.beginObject();
                reader.nextName();
                assertThat(reader.value()).isEqualTo(object.get("a"));
                assertThat(reader.nextName()).isEqualTo("c");
            }
        }
    }
}
