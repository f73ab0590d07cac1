package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;

class NumberScannerTest {
    @ParameterizedTest
    @CsvSource(
            nullValues = "no",
            value = {
                "0,0",
                "-0,0",
                "7,7",
                "-12,-12",
                "999999999999999999,999999999999999999",
                "-999999999999999999,-999999999999999999",
                "1000000000000000000,1000000000000000000",
                "9223372036854775807,9223372036854775807",
                "-9223372036854775808,-9223372036854775808",
                "9223372036854775808,no",
                "-9223372036854775809,no",
                "9999999999999999999,no",
                "10000000000000000000,no",
                "1.0,no",
                "1e3,no",
                "-1.25E-7,no",
                "1e+2,no"
            })
    void aNumberIsALongOrElseADecimal(String text, Long expected) {
        try (JsonReader reader = RawJson.parse(text).reader()) {
            assertThat(reader.isLong()).isEqualTo(expected != null);
            if (expected != null) {
                assertThat(reader.longValue()).isEqualTo(expected);
            }
            assertThat(reader.number()).isEqualTo(new BigDecimal(text));
            assertThat(reader.raw().toJson()).isEqualTo(text);
        }
    }
}
