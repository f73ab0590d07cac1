package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class JsonValueTest {
    @Test
    void objectsAreMadeOfPlainValues() {
        JsonObject object =
                JsonObject.of(
                        "b",
                        1,
                        "a",
                        List.of("x", true),
                        "n",
                        null,
                        "f",
                        0.1f,
                        "m",
                        Map.of("k", 2L));
        assertThat(object.toJson())
                .isEqualTo("{\"b\":1,\"a\":[\"x\",true],\"n\":null,\"f\":0.1,\"m\":{\"k\":2}}");
    }

    @Test
    void whatHasNoJsonValueIsRefused() {
        assertThatThrownBy(() -> JsonObject.of("a", new Object()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no JSON value for java.lang.Object");
        assertThatThrownBy(() -> JsonObject.of("a"))
                .hasMessage("names and values must alternate, but there are 1");
        assertThatThrownBy(() -> JsonObject.of("a", 1, "a", 2))
                .hasMessage("the member a stands twice");
        assertThatThrownBy(() -> JsonObject.of("a", Double.NaN))
                .hasMessage("JSON has no number for NaN");
        assertThatThrownBy(() -> JsonObject.of("a", Float.NaN))
                .hasMessage("JSON has no number for NaN");
    }

    @Test
    void accessorsSayWhatIsWrong() {
        JsonObject object = (JsonObject) JsonValue.parse("{\"a\":1.5,\"s\":\"x\"}");
        assertThat(object.string("s")).isEqualTo("x");
        assertThatThrownBy(() -> object.string("a"))
                .hasMessage("a must be a string but was a number");
        assertThatThrownBy(() -> object.integer("a"))
                .hasMessage("a must be an integer but was 1.5");
        assertThatThrownBy(() -> object.object("z"))
                .hasMessage("z must be an object but is missing");
    }

    @Test
    void copiesKeepTheOrder() {
        JsonObject object = JsonObject.of("a", 1, "b", 2);
        assertThat(object.with("a", 3).toJson()).isEqualTo("{\"a\":3,\"b\":2}");
        assertThat(object.with(JsonObject.of("c", 4)).without("a").toJson())
                .isEqualTo("{\"b\":2,\"c\":4}");
        assertThat(object.without("z")).isSameAs(object);
        assertThat(object.toJson()).isEqualTo("{\"a\":1,\"b\":2}");
    }

    @Test
    void valuesCannotBeChangedFromOutside() {
        Map<String, JsonValue> members = new HashMap<>(Map.of("a", JsonNull.NULL));
        JsonObject object = new JsonObject(members);
        List<JsonValue> elements = new ArrayList<>(List.of(JsonNull.NULL));
        JsonArray array = new JsonArray(elements);
        members.clear();
        elements.clear();
        assertThat(object.size()).isEqualTo(1);
        assertThat(array.size()).isEqualTo(1);
        assertThatThrownBy(() -> object.members().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void absentAndNullAreDifferent() {
        JsonObject object = (JsonObject) JsonValue.parse("{\"a\":null}");
        assertThat(object.get("a")).isEqualTo(JsonNull.NULL);
        assertThat(object.get("b")).isNull();
    }
}
