package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Texts of values, against validators that know nothing of Java: the one below with formats on, and
 * the expressions by which the common one of JavaScript checks formats.
 */
class OwnFormatsTest {
    /** The expressions of ajv-formats, which the official TypeScript client uses. */
    private static final Map<String, Pattern> EXPRESSIONS =
            Map.of(
                    "date-time",
                    Pattern.compile(
                            "\\d\\d\\d\\d-[0-1]\\d-[0-3]\\dt(?:[0-2]\\d:[0-5]\\d:[0-5]\\d|23:59:60)"
                                    + "(?:\\.\\d+)?(?:z|[+-]\\d\\d(?::?\\d\\d))",
                            Pattern.CASE_INSENSITIVE),
                    "date",
                    Pattern.compile("\\d\\d\\d\\d-[0-1]\\d-[0-3]\\d"),
                    "uuid",
                    Pattern.compile("[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}"),
                    "uri-reference",
                    Pattern.compile(
                            "(?:[a-z][a-z0-9+\\-.]*:)?(?:/?/(?:(?:[a-z0-9\\-._~!$&'()*+,;=:]|%[0-9a-f]{2})*@)?"
                                + "(?:\\[[0-9a-f:.]+\\]|(?:[a-z0-9\\-._~!$&'\"()*+,;=]|%[0-9a-f]{2})*)"
                                + "(?::\\d*)?(?:/(?:[a-z0-9\\-._~!$&'\"()*+,;=:@]|%[0-9a-f]{2})*)*"
                                + "|/(?:(?:[a-z0-9\\-._~!$&'\"()*+,;=:@]|%[0-9a-f]{2})+"
                                + "(?:/(?:[a-z0-9\\-._~!$&'\"()*+,;=:@]|%[0-9a-f]{2})*)*)?"
                                + "|(?:[a-z0-9\\-._~!$&'\"()*+,;=:@]|%[0-9a-f]{2})+"
                                + "(?:/(?:[a-z0-9\\-._~!$&'\"()*+,;=:@]|%[0-9a-f]{2})*)*)?"
                                + "(?:\\?(?:[a-z0-9\\-._~!$&'\"()*+,;=:@/?]|%[0-9a-f]{2})*)?"
                                + "(?:#(?:[a-z0-9\\-._~!$&'\"()*+,;=:@/?]|%[0-9a-f]{2})*)?",
                            Pattern.CASE_INSENSITIVE));

    private static final ZoneOffset EAST = ZoneOffset.MAX;
    private static final ZoneOffset WEST = ZoneOffset.MIN;

    static Stream<Object> written() {
        return Stream.of(
                OffsetDateTime.of(2026, 1, 6, 16, 0, 0, 0, ZoneOffset.ofHours(8)),
                OffsetDateTime.of(2026, 1, 6, 16, 0, 0, 1, ZoneOffset.UTC),
                OffsetDateTime.of(0, 1, 1, 0, 0, 0, 0, EAST),
                OffsetDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_999, WEST),
                OffsetDateTime.of(
                        2026, 1, 6, 16, 0, 30, 100_000_000, ZoneOffset.ofHoursMinutes(-9, -30)),
                Instant.EPOCH,
                Instant.ofEpochSecond(-1, 1),
                Instant.parse("0000-01-01T00:00:00Z"),
                Instant.parse("9999-12-31T23:59:59.999999999Z"),
                LocalDate.of(0, 1, 1),
                LocalDate.of(9999, 12, 31),
                LocalDate.of(2024, 2, 29),
                LocalDateTime.of(2026, 1, 6, 16, 0),
                LocalDateTime.MIN,
                LocalDateTime.MAX,
                LocalTime.MIDNIGHT,
                LocalTime.MAX,
                Duration.ZERO,
                Duration.ofMillis(930_500),
                Duration.ofSeconds(3_630),
                Duration.ofDays(-400).plusNanos(1),
                Duration.ofNanos(-1),
                Duration.ofHours(999_999_999_999_999L).plusNanos(1),
                Duration.ofHours(-999_999_999_999_999L),
                new UUID(0, 0),
                new UUID(-1, -1),
                new byte[] {},
                new byte[] {-1},
                new byte[] {-1, -2},
                new byte[] {-1, -2, -3},
                URI.create(""),
                URI.create("docs/a%20b"),
                URI.create("../up?q#f"),
                URI.create("//host/path"),
                URI.create("#"),
                URI.create("http://exämple.org/ü?ö=ä#ß"),
                URI.create("http://a/b?x[0]=1&y[]=2#z[1]"),
                URI.create("a?b[0]"),
                URI.create("http://[::1]:8080/"),
                URI.create("http://u:p@h:/p;a=1"),
                URI.create("mailto:ann@example.org"),
                URI.create("urn:isbn:0451450523"),
                URI.create("file:///tmp/x"),
                URI.create("http://under_score:8080/"));
    }

    @ParameterizedTest
    @MethodSource("written")
    <T> void theTextOfAValueFitsItsSchemaAndIsReadAgain(T value) {
        @SuppressWarnings("unchecked")
        JsonCodec<T> codec = JsonCodec.of((Class<T>) value.getClass());
        RawJson text = codec.write(value);

        assertFits(JsonSchema.of(value.getClass()), text);
        assertThat(codec.write(codec.read(text))).isEqualTo(text);
    }

    private static void assertFits(JsonSchema schema, RawJson text) {
        assertThat(validator(schema).validate(text.toJson(), InputFormat.JSON)).isEmpty();
        if (schema.json().get("format") instanceof JsonString format) {
            Pattern expression = EXPRESSIONS.get(format.value());
            assertThat(expression).as(format.value()).isNotNull();
            assertThat(((JsonString) text.value()).value()).matches(expression);
        }
    }

    private static Schema validator(JsonSchema schema) {
        return SchemaRegistry.withDefaultDialect(
                        SpecificationVersion.DRAFT_2020_12,
                        builder ->
                                builder.schemaRegistryConfig(
                                        com.networknt.schema.SchemaRegistryConfig.builder()
                                                .formatAssertionsEnabled(true)
                                                .build()))
                .getSchema(schema.toString(), InputFormat.JSON);
    }

    static Stream<Object> refused() {
        return Stream.of(
                OffsetDateTime.of(10_000, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC),
                OffsetDateTime.of(-1, 12, 31, 0, 0, 0, 0, ZoneOffset.UTC),
                OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.ofTotalSeconds(3_630)),
                OffsetDateTime.MIN,
                OffsetDateTime.MAX,
                Instant.MIN,
                Instant.MAX,
                Instant.parse("-0001-12-31T23:59:59Z"),
                Instant.parse("+10000-01-01T00:00:00Z"),
                LocalDate.MIN,
                LocalDate.MAX,
                LocalDate.of(-1, 1, 1),
                LocalDate.of(10_000, 1, 1),
                URI.create("http://a:b:c/"),
                URI.create("http://[fe80::1%eth0]/"),
                URI.create("urn:a[1]"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    <T> void aValueWithoutSuchATextIsRefusedWhenItIsWritten(T value) {
        @SuppressWarnings("unchecked")
        JsonCodec<T> codec = JsonCodec.of((Class<T>) value.getClass());

        assertThatThrownBy(() -> codec.write(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(value.getClass().getSimpleName() + " ")
                .hasMessageContaining(" has no text of the format ");
    }

    @Test
    void aDurationWithoutATextIsRefusedWhenItIsWritten() {
        for (long seconds : new long[] {Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThatThrownBy(
                            () -> JsonCodec.of(Duration.class).write(Duration.ofSeconds(seconds)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith("S has more than 15 digits of hours; use a shorter one");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"P", "PT", "P1DT", "1H", "PT1", "PT1S2M", "PT.5S", "P1W", "PT1H ", "-"})
    void whatTheSchemaOfADurationRefusesIsNotReadEither(String text) {
        assertThat(JsonSchema.of(Duration.class).validate(new JsonString(text))).isNotEmpty();
        assertThatThrownBy(() -> JsonCodec.of(Duration.class).read(new JsonString(text)))
                .isInstanceOf(JsonBindingException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "1990-12-31T23:59:60Z, 1990-12-31T23:59:59Z",
        "1990-12-31T15:59:60-08:00, 1990-12-31T15:59:59-08:00",
        "1990-12-31t15:59:30z, 1990-12-31T15:59:30Z",
        "1937-01-01T12:00:27.87+00:20, 1937-01-01T12:00:27.870+00:20",
        "2026-01-31T10:15:30.1234567891234567Z, 2026-01-31T10:15:30.123456789Z",
        "2026-01-31T10:15:30-00:00, 2026-01-31T10:15:30Z",
        "2026-01-31T10:15:30+23:59, 2026-01-30T10:16:30Z",
        "0000-02-29T00:00:00Z, 0000-02-29T00:00:00Z"
    })
    void eachDateTimeThatTheSchemaPromisesIsRead(String text, String meaning) {
        assertThat(JsonCodec.of(OffsetDateTime.class).read(new JsonString(text)))
                .isEqualTo(OffsetDateTime.parse(meaning));
        assertThat(JsonCodec.of(Instant.class).read(new JsonString(text)))
                .isEqualTo(OffsetDateTime.parse(meaning).toInstant());
    }

    record Formatted(
            @Format("date-time") String dateTime,
            @Format("date") String date,
            @Format("time") String time,
            @Format("duration") String duration,
            @Format("uri") String uri,
            @Format("byte") String bytes,
            @Format("x-own") String own) {}

    private static Formatted formatted(String... texts) {
        return new Formatted(texts[0], texts[1], texts[2], texts[3], texts[4], texts[5], "any");
    }

    /** The schema promises a format for a text that the author has written himself. */
    @Test
    void aTextOfAnAnnotatedFormatIsChecked() {
        JsonCodec<Formatted> codec = JsonCodec.of(Formatted.class);
        codec.read(
                codec.write(
                        formatted(
                                "2026-01-31T10:15:30Z",
                                "2026-01-31",
                                "10:15:30+01:00",
                                "PT1H30M",
                                "https://example.org",
                                "AQID")));
        assertThatThrownBy(
                        () ->
                                codec.read(
                                        codec.write(
                                                formatted(
                                                        "2026-01-31T10:15Z",
                                                        "31.1.2026",
                                                        "10:15",
                                                        "PT0.5S",
                                                        "docs/a",
                                                        "A"))))
                .isInstanceOfSatisfying(
                        JsonBindingException.class,
                        e ->
                                assertThat(e.violations())
                                        .extracting(JsonViolation::toString)
                                        .containsExactly(
                                                "dateTime must be a date-time such as"
                                                        + " 2026-01-31T10:15:30Z",
                                                "date must be a date such as 2026-01-31",
                                                "time must be a time such as 10:15:30Z",
                                                "duration must be a duration such as PT1H30M",
                                                "uri must be a URI with a scheme",
                                                "bytes must be bytes in Base64"));
    }

    /** No check of a format is the way to occupy a server: each takes time in proportion. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "date-time",
                "date",
                "time",
                "duration",
                "uri",
                "uri-reference",
                "uuid",
                "email",
                "ipv4",
                "byte"
            })
    void aHugeTextIsCheckedWithoutAStackOverflow(String format) {
        for (String part : List.of("1", "0.", "a%20", "%zz", "[", "1M", "@", ":", "A=")) {
            String huge = part.repeat(400_000);
            for (String prefix : List.of("", "P", "http://", "2026-01-31T10:15:30.", "10:15:30.")) {
                assertThat(JsonSchema.hasFormat(prefix + huge, "x-own")).isTrue();
                JsonSchema.hasFormat(prefix + huge, format);
            }
        }
    }

    record Node(
            Optional<Node> next, List<Optional<String>> names, Map<String, Optional<Long>> map) {}

    @Test
    void anOptionalElementMayBeNull() {
        RawJson text =
                JsonCodec.of(Node.class)
                        .write(
                                new Node(
                                        Optional.of(
                                                new Node(Optional.empty(), List.of(), Map.of())),
                                        List.of(Optional.empty(), Optional.of("a")),
                                        Map.of("a", Optional.empty())));
        assertFits(JsonSchema.of(Node.class), text);
        assertFits(
                JsonSchema.of(new TypeRef<Optional<Node>>() {}),
                JsonCodec.of(new TypeRef<Optional<Node>>() {}).write(Optional.empty()));
        assertFits(
                JsonSchema.of(new TypeRef<Set<Double>>() {}),
                JsonCodec.of(new TypeRef<Set<Double>>() {}).write(Set.of(1.0, 1.5)));
    }
}
