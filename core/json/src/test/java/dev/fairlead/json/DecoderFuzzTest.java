package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Broken input of every kind ends in one of two exceptions, soon. The seed is fixed, so a failure
 * comes back.
 */
@Timeout(value = 300, unit = SECONDS)
class DecoderFuzzTest {
    private static final int ROUNDS = 15_000;

    record Everything(
            String text,
            @Range(min = -5, max = 5) int number,
            @Nullable Double real,
            Optional<Boolean> flag,
            List<Everything> more,
            Map<String, Part> parts,
            @Matches("(a+)+b?") @Nullable String matched,
            @Nullable RawJson raw,
            @OtherMembers JsonObject others) {}

    sealed interface Part {
        record Text(String text) implements Part {}

        record Nested(Part part, JsonValue any) implements Part {}

        @JsonInline
        record Other(JsonObject raw) implements Part {}

        @JsonInline
        record Number(long value) implements Part {}
    }

    private static final String SEED =
            """
            {"text":"aé🌍\\n\\u00e9","number":3,"real":-1.5e3,"flag":true,"more":[{"text":"","number":0,"more":[],
            "parts":{}}],"parts":{"a":{"type":"Text","text":"x"},"b":{"any":[null,{"k":1}],"part":7,"type":"Nested"},
            "c":{"type":"Foo","z":[1,2]},"d":5},"matched":"aaab","raw":{"q":[1e5]},"x-other":{"y":[]}}\
            """;

    private static final List<String> INSERTS =
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
                    "null",
                    "1e999999999",
                    "-",
                    "0",
                    "1e400",
                    "99999999999999999999999999",
                    "\"type\":\"Nested\",",
                    "\"type\":1,",
                    "\"text\":\"again\",",
                    "\u0000",
                    "[".repeat(600),
                    "{\"more\":".repeat(300),
                    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac");

    private final JsonCodec<Everything> codec = JsonCodec.of(Everything.class);

    @Test
    void theSeedItselfIsFine() {
        Everything value = codec.read(RawJson.parse(SEED));
        assertThat(codec.read(codec.write(value)))
                .usingRecursiveComparison()
                .ignoringFields("raw")
                .isEqualTo(value);
    }

    @Test
    void brokenTextEndsInAJsonExceptionOrInViolations() {
        Random random = new Random(42);
        byte[] seed = SEED.getBytes(UTF_8);
        int read = 0;
        int violations = 0;
        int broken = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] text = seed;
            for (int i = random.nextInt(4); i >= 0; i--) {
                text = mutate(text, random);
            }
            try {
                Everything value = codec.read(RawJson.parse(text));
                codec.read(codec.write(value)); // the round trip works
                read++;
            } catch (JsonBindingException e) {
                assertThat(e.violations()).hasSizeBetween(1, Reading.MAX_VIOLATIONS);
                violations++;
            } catch (JsonException e) {
                assertThat(e.getMessage().length()).isLessThan(300);
                broken++;
            }
        }
        assertThat(List.of(read, violations, broken))
                .allSatisfy(count -> assertThat(count).isGreaterThan(200));
    }

    private static byte[] mutate(byte[] text, Random random) {
        int at = random.nextInt(text.length + 1);
        return switch (random.nextInt(5)) {
            case 0 -> {
                byte[] copy = text.clone();
                if (copy.length > 0) {
                    copy[random.nextInt(copy.length)] = (byte) random.nextInt(256);
                }
                yield copy;
            }
            case 1 -> Arrays.copyOf(text, at);
            case 2 -> splice(text, at, Math.min(text.length, at + random.nextInt(20)), new byte[0]);
            case 3 -> {
                int from = random.nextInt(text.length + 1);
                int to = Math.min(text.length, from + random.nextInt(60));
                yield splice(text, at, at, Arrays.copyOfRange(text, from, to));
            }
            default ->
                    splice(
                            text,
                            at,
                            at,
                            INSERTS.get(random.nextInt(INSERTS.size())).getBytes(UTF_8));
        };
    }

    private static byte[] splice(byte[] text, int from, int to, byte[] insert) {
        byte[] result = new byte[text.length - (to - from) + insert.length];
        System.arraycopy(text, 0, result, 0, from);
        System.arraycopy(insert, 0, result, from, insert.length);
        System.arraycopy(text, to, result, from + insert.length, text.length - to);
        return result;
    }

    @Test
    void hostileTextsEndSoon() {
        List<String> hostile =
                List.of(
                        "{\"parts\":{\"a\":"
                                + "{\"part\":".repeat(400)
                                + "1"
                                + ",\"type\":\"Nested\"}".repeat(400)
                                + "}}",
                        "{\"matched\":\"" + "a".repeat(100_000) + "c\"}",
                        "{\"number\":1e999999999,\"real\":1e999999999}",
                        "{" + "\"k\":[],".repeat(200_000) + "\"k\":[]}",
                        "{\"more\":[" + "7,".repeat(500_000) + "7]}");
        for (String text : hostile) {
            assertThat(problems(text)).as(text.substring(0, 30)).isNotEmpty();
        }
    }

    private List<JsonViolation> problems(String text) {
        try {
            codec.read(RawJson.parse(text));
            return List.of();
        } catch (JsonBindingException e) {
            return e.violations();
        }
    }
}
