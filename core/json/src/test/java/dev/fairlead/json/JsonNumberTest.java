package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonNumberTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1.0",
        "10, 1E1",
        "100, 100.00",
        "120, 1.2E2",
        "-7, -7.000",
        "0, 0.00",
        "0, -0E9",
        "9223372036854775807, 9223372036854775807.0",
        "1000000000000000000, 1E18",
        "10000000000000000000000, 1E22",
        "0.5, 5E-1"
    })
    void numbersThatAreEqualHaveTheSameHash(String one, String other) {
        JsonValue number = JsonValue.parse(one);

        assertThat(number).isEqualTo(JsonValue.parse(other));
        assertThat(number).hasSameHashCodeAs(JsonValue.parse(other));
    }
}
