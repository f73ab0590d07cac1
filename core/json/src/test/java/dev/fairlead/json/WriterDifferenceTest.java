package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.concurrent.TimeUnit.MINUTES;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Compares written bytes with those of Jackson, and the value that Jackson reads from them. {@code
 * -Dfairlead.json.rounds=10000000} makes it long, {@code -Dfairlead.seed=N} repeats a run.
 */
@Timeout(value = 60, unit = MINUTES)
class WriterDifferenceTest {
    @Test
    void bytesAndValuesAreThoseOfJackson() {
        Rounds.run(
                20_000,
                random -> {
                    JsonValue value = new RandomTexts(random).value(5);
                    byte[] written = RawJson.of(value).toBytes();
                    assertThat(JacksonOracle.read(written)).isEqualTo(value);
                    if (!hasLoneSurrogate(value)) {
                        assertThat(written).isEqualTo(JacksonOracle.write(value));
                    }
                });
    }

    /** Jackson writes no half of a pair; the writer does so only in an escape. */
    private static boolean hasLoneSurrogate(JsonValue value) {
        return switch (value) {
            case JsonString text -> JsonBuffer.hasLoneSurrogate(text.value());
            case JsonArray array -> array.elements().stream().anyMatch(e -> hasLoneSurrogate(e));
            case JsonObject object ->
                    object.members().values().stream().anyMatch(m -> hasLoneSurrogate(m));
            default -> false;
        };
    }

    @Test
    void numbersHaveTheBytesOfJackson() {
        Rounds.run(
                100_000,
                random -> {
                    double number = new RandomTexts(random).number64();
                    assertThat(new JsonWriter().number(number).finish().toBytes())
                            .isEqualTo(JacksonOracle.write(number));
                });
    }
}
