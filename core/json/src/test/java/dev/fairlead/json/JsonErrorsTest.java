package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors name the position and the expected token. */
class JsonErrorsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    x               | 0  | a value
                    tru             | 0  | a value
                    nulx            | 0  | a value
                    [fals]          | 1  | a value
                    [               | 1  | a value
                    [1,             | 3  | a value
                    [1,]            | 3  | a value
                    [,1]            | 1  | a value
                    [1 2]           | 3  | a comma or the end of an array
                    [1              | 2  | a comma or the end of an array
                    [1}             | 2  | a comma or the end of an array
                    [nullx]         | 5  | a comma or the end of an array
                    [1a]            | 2  | a comma or the end of an array
                    {               | 1  | the name of a member
                    {1:2}           | 1  | the name of a member
                    {,}             | 1  | the name of a member
                    {"a":1,}        | 7  | the name of a member
                    {"a":1,         | 7  | the name of a member
                    {"a"}           | 4  | a colon
                    {"a"            | 4  | a colon
                    {"a":           | 5  | a value
                    {"a":}          | 5  | a value
                    {"a":1 "b"      | 7  | a comma or the end of an object
                    {"a":1          | 6  | a comma or the end of an object
                    {"a":1]         | 6  | a comma or the end of an object
                    [+1]            | 1  | a value
                    [-]             | 2  | a digit
                    [-              | 2  | a digit
                    [1.]            | 3  | a digit
                    [1.e5]          | 3  | a digit
                    [1e]            | 3  | a digit
                    [1e+]           | 4  | a digit
                    [1E-            | 4  | a digit
                    [01]            | 2  | no digit behind a leading zero
                    [-00]           | 3  | no digit behind a leading zero
                    "               | 1  | a quote at the end of a string
                    "abcdefghijk    | 12 | a quote at the end of a string
                    ["a\\           | 4  | an escape such as \\n or \\u000a
                    ["a\\x"]        | 4  | an escape such as \\n or \\u000a
                    ["\\uD8"]       | 6  | four hexadecimal digits
                    ["\\u00g0"]     | 6  | four hexadecimal digits
                    ["\\u00         | 6  | four hexadecimal digits
                    ["\\u٠٠٠٠"]     | 4  | four hexadecimal digits
                    {"\\ud83c":1}   | 2  | a name without half a surrogate pair
                    [{"\\udf0d":1}] | 3  | a name without half a surrogate pair
                    [é]             | 1  | a value
                    """)
    void aTextThatIsNotJson(String text, int place, String expected) {
        String message = "the text is not JSON at byte " + place + ": expected " + expected;
        byte[] utf8 = text.getBytes(UTF_8);
        assertThatThrownBy(() -> RawJson.parse(utf8))
                .isExactlyInstanceOf(JsonException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> new JsonReader(utf8).value()).hasMessage(message);
    }

    @Test
    void aControlCharacterInAString() {
        for (int place = 1; place < 20; place++) {
            String text = "\"" + "a".repeat(place - 1) + "\n" + "a".repeat(20 - place) + "\"";
            assertThatThrownBy(() -> JsonValue.parse(text))
                    .hasMessage(
                            "the text is not JSON at byte "
                                    + place
                                    + ": expected an escape, not a control character");
        }
    }

    @Test
    void bytesThatAreNotUtf8BetweenTokens() {
        byte[] text = "[1, é]".getBytes(ISO_8859_1);
        assertThatThrownBy(() -> RawJson.parse(text)).hasMessage("the text is not UTF-8 at byte 4");
    }

    @Test
    void aLimitThatIsExceeded() {
        assertThatThrownBy(() -> JsonValue.parse(" " + "[".repeat(501)))
                .hasMessage("the text is nested more than 500 levels deep at byte 501");
        assertThatThrownBy(() -> JsonValue.parse("[-" + "1".repeat(1001) + "]"))
                .hasMessage("a number has more than 1000 characters at byte 1");
        assertThatThrownBy(() -> JsonValue.parse("[1e99999999999]"))
                .hasMessage("a number is beyond all bounds");
    }

    @Test
    void aTextBehindTheValueOrNone() {
        assertThatThrownBy(() -> JsonValue.parse("{} x"))
                .hasMessage("unexpected text after the value at byte 3");
        assertThatThrownBy(() -> JsonValue.parse(" \r\n\t")).hasMessage("the text is empty");
    }

    @Test
    void placesCountFromTheStartOfTheText() {
        assertThatThrownBy(() -> RawJson.parse("\ufeff[x]"))
                .hasMessage("the text is not JSON at byte 4: expected a value");
    }

    @Test
    void aPlaceBelowTheFirstLineHasTheNumberOfItsLine() {
        assertThatThrownBy(() -> RawJson.parse("[\n1,\r\nx]"))
                .hasMessage("the text is not JSON at byte 6 (line 3): expected a value");
        assertThatThrownBy(() -> JsonValue.parse("{\n}\nx"))
                .hasMessage("unexpected text after the value at byte 4 (line 3)");
    }

    @Test
    void placesInASliceCountFromItsStart() {
        try (JsonReader outer = RawJson.parse("[ [1, 2] ]").reader()) {
            outer.beginArray();
            assertThat(outer.nextElement()).isTrue();
            RawJson slice = outer.raw();
            slice.array()[slice.offset() + 4] = 'x'; // as no text has it that was read before
            assertThatThrownBy(slice::value)
                    .hasMessage("the text is not JSON at byte 4: expected a value");
        }
    }

    @Test
    void aValueOfAnotherKind() {
        try (JsonReader reader = RawJson.parse("[1.5, 9223372036854775808]").reader()) {
            assertThatThrownBy(reader::beginObject)
                    .hasMessage("expected an object but found an array");
            reader.beginArray();
            while (reader.nextElement()) {
                assertThat(reader.isLong()).isFalse();
                assertThatThrownBy(reader::longValue)
                        .isInstanceOf(JsonException.class)
                        .hasMessage("expected an integer of 64 bits");
                assertThatThrownBy(reader::string)
                        .hasMessage("expected a string but found a number");
            }
            assertThat(reader.isLong()).isFalse();
            assertThatThrownBy(reader::kind)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no value here but the end of an object or array");
        }
    }
}
