package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MINUTES;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.core.JacksonException;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Texts are accepted and refused as by Jackson, and mean the same. {@code
 * -Dfairlead.json.rounds=10000000} makes it long, {@code -Dfairlead.seed=N} repeats a run.
 */
@Timeout(value = 60, unit = MINUTES)
class ReaderDifferenceTest {
    private static final List<String> TOKENS =
            List.of(
                    "{",
                    "}",
                    "[",
                    "]",
                    ",",
                    ":",
                    "\"",
                    "\\",
                    "\\u",
                    "\\ud800",
                    "\\udc00",
                    "\\ud83c\\udf0d",
                    "\\n",
                    "\\x",
                    "\\u00e9",
                    "\\u00eg",
                    "\\u12",
                    "\\/",
                    "\\\"",
                    "null",
                    "nul",
                    "nullx",
                    "true",
                    "false",
                    "True",
                    "NaN",
                    "Infinity",
                    "1e5",
                    "-",
                    "+",
                    "0",
                    "00",
                    "-0",
                    "-01",
                    "1.",
                    ".5",
                    "1e",
                    "1e+",
                    "1.0E-2",
                    "1e400",
                    "1e999999999",
                    "1e99999999999",
                    "9223372036854775807",
                    "9223372036854775808",
                    "-9223372036854775808",
                    "-9223372036854775809",
                    "9".repeat(999),
                    "1".repeat(1000),
                    "1".repeat(1001),
                    "1." + "1".repeat(999),
                    "1." + "1".repeat(1000),
                    "-" + "1".repeat(1000),
                    "1e" + "0".repeat(999),
                    "[".repeat(499),
                    "[".repeat(501),
                    "{\"a\":".repeat(500),
                    "\"a\":1,",
                    "\"a\":1,\"a\":2",
                    "\"a\"",
                    "\"\":0",
                    "\"\\ud83c\\udf0d\":1",
                    "\"\\ud83c\":1",
                    "\ufeff",
                    "\u0000",
                    "\u0001",
                    "\u001f",
                    "\u007f",
                    "é",
                    "€",
                    "🌍",
                    " ",
                    "\n",
                    "\r",
                    "\t",
                    "\f",
                    "\u00a0",
                    "//",
                    "'a'");

    /** Sequences at the borders of valid UTF-8, on both sides of them. */
    private static final List<String> SEQUENCES =
            List.of(
                    "80",
                    "bf",
                    "c0",
                    "c080",
                    "c1bf",
                    "c2",
                    "c27f",
                    "c280",
                    "c2c0",
                    "dfbf",
                    "df",
                    "e0",
                    "e080",
                    "e09fbf",
                    "e0a080",
                    "e0a0",
                    "e282",
                    "eda080",
                    "edbfbf",
                    "ed9fbf",
                    "ee8080",
                    "efbfbf",
                    "efbbbf",
                    "f0",
                    "f08080",
                    "f08fbfbf",
                    "f0908080",
                    "f09f8c",
                    "f48fbfbf",
                    "f4908080",
                    "f5808080",
                    "f8888080",
                    "fe",
                    "ff",
                    "fffe",
                    "feff");

    private static final List<byte[]> PIECES = new ArrayList<>();

    static {
        TOKENS.forEach(token -> PIECES.add(token.getBytes(UTF_8)));
        SEQUENCES.forEach(sequence -> PIECES.add(HexFormat.of().parseHex(sequence)));
    }

    @Test
    void randomTextsAreReadAsByJackson() {
        Rounds.run(
                40_000,
                random -> {
                    RandomTexts texts = new RandomTexts(random);
                    byte[] text = texts.spaced(texts.value(4));
                    for (int changes = random.nextInt(4); changes > 0; changes--) {
                        text = change(text, random);
                    }
                    compare(text);
                });
    }

    private static byte[] change(byte[] text, Random random) {
        int at = random.nextInt(text.length + 1);
        return switch (random.nextInt(6)) {
            case 0 -> Arrays.copyOf(text, at);
            case 1 -> {
                byte[] copy = text.clone();
                if (at < text.length) {
                    copy[at] = (byte) random.nextInt(256);
                }
                yield copy;
            }
            case 2 -> join(text, at, Math.min(text.length, at + random.nextInt(9)), new byte[0]);
            default -> join(text, at, at, PIECES.get(random.nextInt(PIECES.size())));
        };
    }

    /** Puts a piece in the place of the bytes between two indices. */
    private static byte[] join(byte[] text, int from, int to, byte[] piece) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(text, 0, from);
        out.writeBytes(piece);
        out.write(text, to, text.length - to);
        return out.toByteArray();
    }

    @Test
    void everyPieceIsReadAsByJacksonAtEveryOffset() {
        for (byte[] piece : PIECES) {
            for (String frame :
                    List.of("", "[", "[\"", "{\"", "{\"a\":", "{\"a\":\"", "[1,", "\"")) {
                String close = frame.replace('[', ']').replace('{', '}');
                String end =
                        new StringBuilder(close.replaceAll("[^\\]}]", "")).reverse().toString();
                String quote =
                        (frame.length() - frame.replace("\"", "").length()) % 2 == 1 ? "\"" : "";
                for (int offset = 0; offset <= 8; offset++) {
                    String before = quote.isEmpty() ? " ".repeat(offset) : "x".repeat(offset);
                    for (String after :
                            List.of(
                                    "",
                                    quote + end,
                                    "xyzxyzxyz" + quote + end,
                                    quote + ":0" + end)) {
                        byte[] text = (frame + before + after).getBytes(UTF_8);
                        int at = frame.length() + offset;
                        compare(join(text, at, at, piece));
                    }
                }
            }
        }
    }

    /** Every sequence of four bytes from the borders of the ranges of UTF-8. */
    @Test
    void sequencesOfBytesAreUtf8AsForTheJdk() {
        int[] borders = {
            '"', '\\', 'a', 0x1f, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf,
            0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff
        };
        byte[] text = "\"12345678901234\"".getBytes(UTF_8);
        int count = borders.length;
        for (int i = 0; i < count * count * count * count; i++) {
            int at = 1 + i % 10;
            text[at] = (byte) borders[i % count];
            text[at + 1] = (byte) borders[i / count % count];
            text[at + 2] = (byte) borders[i / count / count % count];
            text[at + 3] = (byte) borders[i / count / count / count];
            if (isUtf8(text) != isAcceptedAsUtf8(text)) {
                throw new AssertionError(HexFormat.of().formatHex(text));
            }
            Arrays.fill(text, at, at + 4, (byte) 'x');
        }
    }

    private static boolean isUtf8(byte[] text) {
        return !new String(text, UTF_8).contains("\ufffd");
    }

    /** A string may end before a sequence that is malformed, which is then no JSON either. */
    private static boolean isAcceptedAsUtf8(byte[] text) {
        try {
            RawJson.parse(text);
            return true;
        } catch (JsonException e) {
            return !String.valueOf(e.getMessage()).startsWith("the text is not UTF-8")
                    && isUtf8(text);
        }
    }

    private static void compare(byte[] text) {
        String shown = new String(text, UTF_8);
        boolean isJson = accepts(() -> JacksonOracle.check(text));
        assertThat(accepts(() -> RawJson.parse(text))).as(shown).isEqualTo(isJson);
        JsonValue expected = read(() -> JacksonOracle.read(text));
        same(shown, expected, read(() -> JsonCodec.of(JsonValue.class).read(RawJson.parse(text))));
        same(shown, expected, read(() -> direct(text)));
        if (isJson) {
            assertThat(accepts(() -> RawJson.parse(RawJson.parse(text).toBytes()))).isTrue();
        }
    }

    private static JsonValue direct(byte[] text) {
        try (JsonReader reader = new JsonReader(text)) {
            JsonValue value = reader.value();
            reader.end();
            return value;
        }
    }

    /** Numbers have to be equal in their digits too, and members in their order. */
    private static void same(
            String text, @Nullable JsonValue expected, @Nullable JsonValue actual) {
        assertThat(actual).as(text).isEqualTo(expected);
        if (expected != null && actual != null) {
            assertThat(actual.toJson()).as(text).isEqualTo(expected.toJson());
        }
    }

    private static boolean accepts(Runnable reading) {
        return read(
                        () -> {
                            reading.run();
                            return JsonNull.NULL;
                        })
                != null;
    }

    private static @Nullable JsonValue read(Supplier<JsonValue> reading) {
        try {
            return reading.get();
        } catch (JsonException
                | JsonBindingException
                | JacksonException
                | NumberFormatException e) {
            return null;
        }
    }
}
