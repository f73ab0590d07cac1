package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class JsonOneOrManyTest {
    record Names(@JsonOneOrMany List<String> names) {}

    record Perhaps(@JsonOneOrMany @Nullable List<String> names) {}

    record Nested(@JsonOneOrMany List<List<String>> names) {}

    private static final JsonCodec<Names> CODEC = JsonCodec.of(Names.class);

    @ParameterizedTest
    @ValueSource(strings = {"{\"names\":\"a\"}", "{\"names\":[]}", "{\"names\":[\"a\",\"b\"]}"})
    void oneElementStandsAlone(String json) {
        Names names = CODEC.read(RawJson.parse(json));
        assertThat(CODEC.write(names).toJson()).isEqualTo(json);
        assertThat(JsonSchema.of(Names.class).validate(JsonValue.parse(json))).isEmpty();
    }

    @Test
    void oneElementMayAlsoBeAnArray() {
        assertThat(CODEC.read(RawJson.parse("{\"names\":[\"a\"]}")))
                .isEqualTo(new Names(List.of("a")));
    }

    @Test
    void anAbsentListStaysAbsent() {
        JsonCodec<Perhaps> codec = JsonCodec.of(Perhaps.class);
        assertThat(codec.read(RawJson.parse("{\"names\":null}"))).isEqualTo(new Perhaps(null));
        assertThat(codec.write(new Perhaps(null)).toJson()).isEqualTo("{}");
    }

    @Test
    void anElementOfTheWrongKindIsNamed() {
        assertThatThrownBy(() -> CODEC.read(RawJson.parse("{\"names\":7}")))
                .isInstanceOf(JsonBindingException.class)
                .hasMessage("names must be a string but was a number");
        assertThatThrownBy(() -> CODEC.read(RawJson.parse("{\"names\":[\"a\",7]}")))
                .hasMessage("names[1] must be a string but was a number");
    }

    @Test
    void listsOfListsAreRefusedAsAmbiguous() {
        assertThatThrownBy(() -> JsonCodec.of(Nested.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "@JsonOneOrMany is for a list whose elements are no lists, not for "
                                + Nested.class.getName()
                                + ".names");
    }
}
