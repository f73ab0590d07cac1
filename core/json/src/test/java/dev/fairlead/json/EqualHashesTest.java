package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Elements that a peer has chosen to have the same hash take no time that grows with their square.
 */
final class EqualHashesTest {
    private static final int MANY = EqualHashes.MOST + 1;

    /** Counts comparisons. */
    static final class Counted {
        static int comparisons;
        private final int number;

        Counted(int number) {
            this.number = number;
        }

        @Override
        public boolean equals(Object other) {
            comparisons++;
            return other instanceof Counted counted && counted.number == number;
        }

        @Override
        public int hashCode() {
            return 7;
        }
    }

    record Point(int x, int y) {}

    record Points(Set<Point> points) {}

    record Texts(Set<String> texts) {}

    private static JsonValue array(int count, IntFunction<String> element) {
        return JsonValue.parse(
                IntStream.range(0, count)
                        .mapToObj(element)
                        .collect(Collectors.joining(",", "[", "]")));
    }

    /** Texts of equal length that differ, with one hash. */
    private static String text(int number) {
        String bits = Integer.toBinaryString(1 << 12 | number).substring(1);
        return '"' + bits.replace("0", "Aa").replace("1", "BB") + '"';
    }

    private static String point(int number) {
        return "{\"x\":" + number + ",\"y\":" + -31 * number + "}";
    }

    @Test
    void areFoundInOnePass() {
        List<Counted> elements = IntStream.range(0, 100_000).mapToObj(Counted::new).toList();
        Counted.comparisons = 0;

        assertThat(EqualHashes.areTooMany(elements)).isTrue();
        assertThat(Counted.comparisons).isLessThanOrEqualTo(MANY);
    }

    @Test
    void areNoneWhereTheyHaveAnOrderOrRepeatTheFirst() {
        assertThat(EqualHashes.areTooMany(List.of("Aa", "BB"))).isFalse();
        assertThat(
                        EqualHashes.areTooMany(
                                IntStream.range(0, MANY).mapToObj(i -> new Point(0, 0)).toList()))
                .isFalse();
        assertThat(
                        EqualHashes.areTooMany(
                                IntStream.range(0, MANY).mapToObj(i -> new Point(i, i)).toList()))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"uniqueItems\":true}",
                "{\"uniqueItems\":true,\"$schema\":\"http://json-schema.org/draft-07/schema#\"}",
                "{\"uniqueItems\":true,\"$schema\":\"https://json-schema.org/draft/2019-09/schema\"}",
                "{\"not\":{\"uniqueItems\":true}}"
            })
    void ofAPeerAreNotPutIntoATableByASchema(String json) {
        JsonSchema schema = JsonSchema.of((JsonObject) JsonValue.parse(json));

        assertThat(schema.validate(array(MANY, EqualHashesTest::text)))
                .extracting(JsonViolation::toString)
                .containsExactly("takes too much effort to check against its schema");
        assertThat(schema.validate(array(MANY, number -> "{\"a\":" + text(number) + "}")))
                .extracting(JsonViolation::toString)
                .containsExactly("takes too much effort to check against its schema");
    }

    @Test
    void areNoReasonToRefuseFewOrToMissADuplicate() {
        JsonSchema unique = JsonSchema.of(JsonObject.of("uniqueItems", true));

        assertThat(unique.validate(array(MANY - 1, EqualHashesTest::text))).isEmpty();
        assertThat(unique.validate(array(MANY, number -> Integer.toString(number)))).isEmpty();
        assertThat(unique.validate(array(MANY, number -> "\"a\"")))
                .extracting(JsonViolation::toString)
                .isNotEmpty()
                .allSatisfy(problem -> assertThat(problem).contains("unique"));
    }

    @Test
    void inASchemaAreRefused() {
        JsonSchema schema =
                JsonSchema.of(JsonObject.of("enum", array(MANY, EqualHashesTest::text)));

        assertThatThrownBy(schema::check)
                .hasMessage("the schema has more than 500 values with the same hash in an array");
    }

    @Test
    void ofASetAreRefusedUnlessTheyHaveAnOrder() {
        assertThatThrownBy(
                        () ->
                                JsonCodec.of(Points.class)
                                        .read(
                                                JsonObject.of(
                                                        "points",
                                                        array(MANY, EqualHashesTest::point))))
                .hasMessageContaining("points must not have more than 500 elements with one hash");
        assertThat(
                        JsonCodec.of(Texts.class)
                                .read(JsonObject.of("texts", array(MANY, EqualHashesTest::text)))
                                .texts())
                .hasSize(MANY);
    }
}
