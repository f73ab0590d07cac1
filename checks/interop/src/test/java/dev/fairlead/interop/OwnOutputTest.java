package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The output of tools against the validators of the TypeScript SDKs, by which their clients check
 * it: each scalar type with the ends of its range.
 */
class OwnOutputTest {
    enum Colour {
        RED,
        DARK_RED
    }

    record Numbers(
            byte smallest,
            short small,
            int number,
            long large,
            float single,
            double real,
            BigInteger integer,
            BigDecimal decimal) {}

    record Others(
            boolean flag,
            String text,
            Colour colour,
            UUID uuid,
            byte[] bytes,
            URI uri,
            Optional<String> maybe,
            @Nullable Long absent) {}

    record Times(
            OffsetDateTime moment,
            Instant instant,
            LocalDate date,
            LocalTime time,
            LocalDateTime local,
            Duration duration) {}

    private static Stream<Object> values() {
        return Stream.of(
                new Numbers(
                        Byte.MIN_VALUE,
                        Short.MIN_VALUE,
                        Integer.MIN_VALUE,
                        Long.MIN_VALUE,
                        -Float.MAX_VALUE,
                        -Double.MAX_VALUE,
                        BigInteger.TEN.pow(300).negate(),
                        new BigDecimal("-1e300")),
                new Numbers(
                        Byte.MAX_VALUE,
                        Short.MAX_VALUE,
                        Integer.MAX_VALUE,
                        Long.MAX_VALUE,
                        Float.MAX_VALUE,
                        Double.MAX_VALUE,
                        BigInteger.TEN.pow(300),
                        new BigDecimal("1e300")),
                new Numbers(
                        (byte) 0,
                        (short) 0,
                        0,
                        0,
                        Float.MIN_VALUE,
                        Double.MIN_VALUE,
                        BigInteger.ZERO,
                        new BigDecimal("1e-300")),
                new Numbers(
                        (byte) -1,
                        (short) -1,
                        -1,
                        -1,
                        -0.0f,
                        -0.0,
                        BigInteger.ONE.negate(),
                        new BigDecimal("-0.10")),
                new Others(
                        true,
                        "",
                        Colour.RED,
                        new UUID(0, 0),
                        new byte[] {},
                        URI.create(""),
                        Optional.empty(),
                        null),
                new Others(
                        false,
                        "\u0000\uD83D\uDE00",
                        Colour.DARK_RED,
                        new UUID(-1, -1),
                        new byte[] {-1, -2},
                        URI.create("http://[::1]:8080/?x[0]=1#z[1]"),
                        Optional.of(""),
                        Long.MIN_VALUE),
                new Times(
                        OffsetDateTime.of(0, 1, 1, 0, 0, 0, 0, ZoneOffset.MAX),
                        Instant.parse("0000-01-01T00:00:00Z"),
                        LocalDate.of(0, 1, 1),
                        LocalTime.MIDNIGHT,
                        LocalDateTime.MIN,
                        Duration.ofNanos(-1)),
                new Times(
                        OffsetDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_999, ZoneOffset.MIN),
                        Instant.parse("9999-12-31T23:59:59.999999999Z"),
                        LocalDate.of(9999, 12, 31),
                        LocalTime.MAX,
                        LocalDateTime.MAX,
                        Duration.ofHours(999_999_999_999_999L).plusNanos(1)));
    }

    private static <T> String line(T value) {
        @SuppressWarnings("unchecked")
        Class<T> type = (Class<T>) value.getClass();
        return JsonObject.of(
                        "schema",
                        JsonSchema.of(type).json(),
                        "value",
                        JsonCodec.of(type).write(value).value())
                .toJson();
    }

    @Test
    void fitsItsSchema(@TempDir Path folder) throws Exception {
        Path lines = folder.resolve("lines");
        Files.write(lines, values().map(OwnOutputTest::line).toList());
        assertThat(
                        Programs.run(
                                        Path.of("").toAbsolutePath(),
                                        Npm.script("validate.mjs", lines.toString()))
                                .lines())
                .isEqualTo(List.of("done"));
    }
}
