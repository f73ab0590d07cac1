package dev.fairlead.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutedStateTest {
    private static RawJson string(String text) {
        return RawJson.parse("\"" + text + "\"");
    }

    @Test
    void theNodeStandsInFrontOfTheSealedState() {
        String text = RoutedState.text(17, "v1.abc");

        assertThat(text).isEqualTo("at-17.v1.abc");
        assertThat(RoutedState.of(string(text))).isEqualTo(new RoutedState(17, string("v1.abc")));
        RawJson params = RawJson.parse("{\"requestState\": \"at-17.v1.abc\"}");
        assertThat(RoutedState.nodeOf(params)).isEqualTo(17);
    }

    @Test
    void aStateOfNoNodeStaysAsItIs() {
        assertThat(RoutedState.text(0, "v1.abc")).isEqualTo("v1.abc");
        assertThat(RoutedState.nodeOf(null)).isZero();
        assertThat(RoutedState.nodeOf(RawJson.parse("{}"))).isZero();
        assertThat(RoutedState.nodeOf(RawJson.parse("{\"requestState\": 17}"))).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v1.abc",
                "",
                "at-",
                "at-.v1",
                "at-1",
                "at-0.v1",
                "at-017.v1",
                "at--1.v1",
                "at-1x.v1",
                "at-1234567890123456789.v1"
            })
    void anotherTextNamesNoNode(String text) {
        assertThat(RoutedState.of(string(text))).isEqualTo(new RoutedState(0, string(text)));
    }
}
