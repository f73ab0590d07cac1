package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import kotlin.Metadata;

import org.junit.jupiter.api.Test;

/**
 * Records as the Kotlin compiler writes them, in Java: {@code @JvmRecord data class} has {@code
 * kotlin.Metadata}, the nullability of properties on its fields, and their annotations on the
 * parameters of its constructor.
 */
class KotlinRecordTest {
    @Metadata
    record City(String name, int people) {}

    @Metadata
    record Where(String city, @org.jetbrains.annotations.Nullable String units) {}

    @Metadata
    record Documented(String city, int days) {
        Documented(@Doc("the city") String city, int days) {
            this.city = city;
            this.days = days;
        }
    }

    @Metadata
    record Seen(@Doc("the city") String city, @org.jspecify.annotations.Nullable String units) {}

    @Test
    void aKotlinRecordWithoutNullablePropertiesIsBound() {
        assertThat(JsonCodec.of(City.class).read(RawJson.parse("{\"name\":\"Oslo\",\"people\":7}")))
                .isEqualTo(new City("Oslo", 7));
    }

    @Test
    void aNullablePropertyThatReflectionDoesNotSeeMustBeThere() {
        assertThat(JsonSchema.of(Where.class).json().get("required"))
                .isEqualTo(JsonArray.of("city", "units"));
        assertThatThrownBy(
                        () -> JsonCodec.of(Where.class).read(RawJson.parse("{\"city\":\"Oslo\"}")))
                .isInstanceOf(JsonBindingException.class)
                .hasMessageContaining("units is missing");
    }

    /**
     * The form that the compiler gives to {@code data class Query(val city: String, val days: Int =
     * 3)}.
     */
    @Metadata
    record Defaulted(String city, int days) {
        @SuppressWarnings("unused")
        Defaulted(
                String city,
                int days,
                int mask,
                kotlin.jvm.internal.DefaultConstructorMarker none) {
            this(city, (mask & 2) == 0 ? days : 3);
        }
    }

    @Metadata
    record Known(String city, @Default("3") int days) {
        @SuppressWarnings("unused")
        Known(String city, int days, int mask, kotlin.jvm.internal.DefaultConstructorMarker none) {
            this(city, (mask & 2) == 0 ? days : 3);
        }
    }

    @Metadata
    static final class Plain {}

    @Test
    void oneWithDefaultValuesIsRefusedUnlessTheyAreSeen() {
        assertThatThrownBy(() -> JsonCodec.of(Defaulted.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "The Kotlin class "
                                + Defaulted.class.getName()
                                + " has default values, which are not seen at runtime; write"
                                + " @Default(\"...\") on each property that has one, or write the"
                                + " record in Java");
        assertThat(JsonCodec.of(Known.class).read(RawJson.parse("{\"city\":\"Oslo\"}")))
                .isEqualTo(new Known("Oslo", 3));
    }

    @Test
    void theRefusalOfADataClassNamesJvmRecord() {
        assertThatThrownBy(() -> JsonCodec.of(Plain.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(" has no JSON form; a data class of Kotlin needs @JvmRecord");
    }

    /** The form of {@code data class Query(val city: String, @Default("3") val days: Int = 3)}. */
    @Metadata
    record Written(String city, int days) {
        Written(String city, @Default("3") @Range(max = 5) int days) {
            this.city = city;
            this.days = days;
        }

        @SuppressWarnings("unused")
        Written(
                String city,
                int days,
                int mask,
                kotlin.jvm.internal.DefaultConstructorMarker none) {
            this(city, (mask & 2) == 0 ? days : 3);
        }
    }

    @Test
    void annotationsOnTheParametersOfTheConstructorAreRead() {
        assertThat(JsonSchema.of(Documented.class).toString()).contains("the city");
        JsonCodec<Written> codec = JsonCodec.of(Written.class);
        assertThat(codec.read(RawJson.parse("{\"city\":\"Oslo\"}")))
                .isEqualTo(new Written("Oslo", 3));
        assertThatThrownBy(() -> codec.read(RawJson.parse("{\"city\":\"Oslo\",\"days\":6}")))
                .isInstanceOf(JsonBindingException.class)
                .hasMessageContaining("days must be at most 5");
    }

    @Test
    void whatCanBeSeenIsBound() {
        assertThat(
                        JsonCodec.of(Seen.class)
                                .read(RawJson.parse("{\"city\":\"Oslo\",\"units\":null}")))
                .isEqualTo(new Seen("Oslo", null));
        assertThat(JsonSchema.of(Seen.class).toString()).contains("the city");
    }
}
