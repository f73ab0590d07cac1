package dev.fairlead.protocol.elicitation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElicitationSchemaTest {
    private static JsonObject form(String field) {
        return JsonObject.of(
                "type", "object", "properties", JsonObject.of("f", JsonValue.parse(field)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"string\",\"minLength\":1,\"maxLength\":2,\"format\":\"date-time\",\"pattern\":\"a\"}",
                "{\"type\":\"number\",\"minimum\":-1.5,\"maximum\":2}",
                "{\"type\":\"integer\",\"default\":3}",
                "{\"type\":\"boolean\",\"default\":false}",
                "{\"type\":\"string\",\"enum\":[\"a\"],\"enumNames\":[\"A\"]}",
                "{\"type\":\"string\",\"oneOf\":[{\"const\":\"a\",\"title\":\"A\"}]}",
                "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"a\"]},\"minItems\":0,\"maxItems\":1}",
                "{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"a\",\"title\":\"A\"}]}}"
            })
    @Requirement({"ELIC-010", "ELIC-011", "ROOM-071"})
    void fieldsOfEveryKind(String field) {
        assertThatNoException().isThrownBy(() -> ElicitationSchema.check(form(field)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"object\"} | must have the type string, number, integer, boolean or"
                        + " array",
                "true | must be an object",
                "{\"type\":\"array\",\"items\":{\"type\":\"string\"}} | must have items with the"
                        + " choices, as enum or anyOf",
                "{\"type\":\"array\",\"items\":{\"type\":\"object\",\"enum\":[{}]}} | must have"
                        + " texts for choices",
                "{\"type\":\"string\",\"enum\":[1]} | must have texts for choices",
                "{\"type\":\"string\",\"oneOf\":[{\"const\":\"a\"}]} | must have choices with const"
                        + " and title",
                "{\"type\":\"string\",\"$ref\":\"#/x\"} | must not be nested",
                "{\"type\":\"string\",\"allOf\":[]} | must not be nested"
            })
    @Requirement({"ELIC-009", "ELIC-010", "ELIC-011"})
    void fieldsThatAreNone(String field, String message) {
        assertThatThrownBy(() -> ElicitationSchema.checkFlat(form(field)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("requestedSchema.properties.f " + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"string\",\"format\":\"uuid\"} | must have the format email, uri, date"
                        + " or date-time, but it is \"uuid\"",
                "{} | must have the type string, number, integer, boolean or array",
                "{\"type\":\"colour\"} | must have the type string, number, integer, boolean or"
                        + " array",
                "{\"type\":[\"string\",\"null\"]} | must have the type string, number, integer,"
                        + " boolean or array",
                "{\"type\":\"string\",\"minLength\":-1} | minLength must be a whole number",
                "{\"type\":\"number\",\"maximum\":\"1\"} | maximum must be a number"
            })
    @Requirement("ELIC-010")
    void keywordsAreCheckedOnlyInFormsOfOnesOwn(String field, String message) {
        assertThatNoException().isThrownBy(() -> ElicitationSchema.checkFlat(form(field)));
        assertThatThrownBy(() -> ElicitationSchema.check(form(field)))
                .hasMessage("requestedSchema.properties.f " + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"string\",\"enum\":null,\"allOf\":null} | {\"type\":\"string\"}",
                "{\"type\":\"string\",\"default\":null,\"const\":null} | {\"type\":\"string\"}",
                "{\"items\":{\"enum\":[\"a\"],\"anyOf\":null}} | {\"items\":{\"enum\":[\"a\"]}}",
                "{\"anyOf\":[{\"const\":null}],\"enum\":[null]} |"
                        + " {\"anyOf\":[{\"const\":null}],\"enum\":[null]}",
                "null | null"
            })
    void aMemberThatIsNullIsAbsentInForms(String received, String read) {
        JsonObject form = form(received).with("required", null).with("$schema", null);
        assertThat(new ElicitFormRequest("m", form).requestedSchema()).isEqualTo(form(read));
        JsonObject without = form(read);
        assertThat(new ElicitFormRequest("m", without).requestedSchema()).isSameAs(without);
    }

    @Test
    @Requirement("ELIC-009")
    void aFormIsAnObjectOfFields() {
        assertThatThrownBy(() -> ElicitationSchema.checkFlat(JsonObject.EMPTY))
                .hasMessage("requestedSchema.type must be object");
        assertThatThrownBy(() -> ElicitationSchema.checkFlat(JsonObject.of("type", "object")))
                .hasMessage("requestedSchema.properties must be an object");
        JsonObject form = form("{\"type\":\"boolean\"}");
        assertThatThrownBy(() -> ElicitationSchema.checkFlat(form.with("required", "f")))
                .hasMessage("requestedSchema.required must be an array");
        assertThatThrownBy(
                        () ->
                                ElicitationSchema.checkFlat(
                                        form.with("required", java.util.List.of("g"))))
                .hasMessage("requestedSchema.required names \"g\", which is no field");
    }
}
