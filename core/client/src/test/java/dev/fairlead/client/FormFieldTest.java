package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairlead.client.FormField.Type;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitationSchema;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The fields of a form, and their values as people type them. */
final class FormFieldTest {
    private static final Implementation SERVER = new Implementation("odd", "1");

    private static FormField field(String schema) {
        return field(schema, false);
    }

    private static FormField field(String schema, boolean required) {
        JsonObject form =
                JsonObject.of(
                        "properties",
                        JsonObject.of("f", json(schema)),
                        "required",
                        required ? List.of("f") : List.of());
        return FormField.of(form).getFirst();
    }

    @Test
    @Requirement({"ELIC-010", "ELIC-011"})
    void eachKindOfFieldHasItsType() {
        assertThat(field("{\"type\": \"string\"}").type()).isEqualTo(Type.TEXT);
        assertThat(field("{\"type\": \"integer\"}").type()).isEqualTo(Type.INTEGER);
        assertThat(field("{\"type\": \"number\"}").type()).isEqualTo(Type.NUMBER);
        assertThat(field("{\"type\": \"boolean\"}").type()).isEqualTo(Type.BOOLEAN);
        assertThat(field("{\"type\": \"string\", \"enum\": [\"a\"]}").type())
                .isEqualTo(Type.CHOICE);
        assertThat(
                        field(
                                        """
                                        {"type": "array", "items": {"type": "string", "enum": ["a"]}}\
                                        """)
                                .type())
                .isEqualTo(Type.CHOICES);
    }

    @Test
    void aFieldOfAnUnknownTypeTakesAnyTextAndOneOfAUnionTheFirstType() {
        FormField colour = field("{\"type\": \"colour\"}");
        assertThat(colour.type()).isEqualTo(Type.TEXT);
        assertThat(colour.parse("red")).contains(JsonValue.of("red"));
        FormField number = field("{\"type\": [\"null\", \"integer\"]}");
        assertThat(number.type()).isEqualTo(Type.INTEGER);
        assertThat(number.parse("7")).contains(JsonValue.of(7));
    }

    /** Fields that are flat, however odd: a form is never lost by one of them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | TEXT",
                "{'type':'null'} | TEXT",
                "{'type':7} | TEXT",
                "{'type':[]} | TEXT",
                "{'type':[7,'null','number']} | NUMBER",
                "{'type':'string','anyOf':[{'minLength':2},{'maxLength':0}]} | TEXT",
                "{'type':'integer','anyOf':[{'minimum':2},{'maximum':0}]} | INTEGER",
                "{'anyOf':[{'type':'string'},{'type':'null'}]} | TEXT",
                "{'anyOf':[{'type':'null'},{'type':'integer'}]} | INTEGER",
                "{'anyOf':[{'type':'boolean'},{'type':'integer'}],'default':null} | BOOLEAN",
                "{'anyOf':[{'type':['null','number']},{'type':'null'}]} | NUMBER",
                "{'anyOf':[{'enum':['a','b']},{'type':'null'}]} | CHOICE a b",
                "{'anyOf':[{'type':'array','items':{'enum':['a']}},{'type':'null'}]} | CHOICES a",
                "{'anyOf':[{'anyOf':[{'type':'integer'}]},{'type':'null'}]} | TEXT",
                "{'anyOf':[{'const':'a','title':'A'},{'const':'b'},{'const':1}]} | CHOICE a b",
                "{'anyOf':[{'const':'a','title':1},{'type':'null'}]} | CHOICE a",
                "{'anyOf':[{'const':null},{'const':'a'}]} | CHOICE a",
                "{'anyOf':[{'type':'null'}]} | TEXT",
                "{'anyOf':[true]} | TEXT",
                "{'anyOf':[]} | TEXT",
                "{'anyOf':{'type':'string'}} | TEXT",
                "{'type':'array','items':{'enum':['a'],'oneOf':[7]}} | CHOICES a",
                "{'type':'array','items':{'enum':['a']},'anyOf':[true]} | CHOICES a",
                "{'type':['array','null'],'items':{'enum':['a']}} | CHOICES a",
                "{'type':['array','null'],'items':{'enum':[1,'a',null]}} | CHOICES a",
                "{'type':['array','null'],'items':{'enum':[1]}} | TEXT",
                "{'type':['array','null'],'items':{'anyOf':[{'type':'string'}]}} | TEXT",
                "{'type':['array','null'],'items':true} | TEXT",
                "{'enum':['a'],'enumNames':[{}]} | CHOICE a",
                "{'enum':['a'],'enumNames':7} | CHOICE a",
                "{'title':7,'description':[],'format':{},'minimum':'1','maxItems':[]} | TEXT"
            })
    void anOddFieldHasAType(String schema, String typeAndOptions) {
        JsonObject field = json(schema.replace('\'', '"'));
        JsonObject form = JsonObject.of("type", "object", "properties", JsonObject.of("f", field));
        ElicitFormRequest request = new ElicitFormRequest("m", form);
        ElicitationSchema.checkFlat(request.requestedSchema());

        FormField read = new ElicitForm(SERVER, request).fields().getFirst();

        List<String> found = new ArrayList<>(List.of(read.type().name()));
        read.options().forEach(option -> found.add(option.value()));
        assertThat(String.join(" ", found)).isEqualTo(typeAndOptions);
        assertThat(read.title()).isEqualTo("f");
        assertThat(read.constraints()).isNotNull();
    }

    @Test
    void anOptionalFieldOfAUnionTakesTheTypedText() {
        FormField nick = field("{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"null\"}]}");

        assertThat(nick.options()).isEmpty();
        assertThat(nick.parse("Ada")).contains(JsonValue.of("Ada"));
        assertThat(nick.parse("")).isEmpty();
    }

    @Test
    void fieldsComeInTheOrderOfTheServer() {
        JsonObject form =
                json(
                        """
                        {"properties": {"b": {"type": "string"}, "a": {"type": "string"}}, "required": ["a"]}\
                        """);

        assertThat(FormField.of(form)).extracting(FormField::name).containsExactly("b", "a");
        assertThat(FormField.of(form))
                .extracting(FormField::isRequired)
                .containsExactly(false, true);
    }

    @Test
    void textsForPeopleHoldNothingThatControlsATerminal() {
        FormField field =
                field(
                        """
                        {"type": "string", "title": "Na\\u001b[2Jme", "description": "a\\u202eb"}\
                        """);

        assertThat(field.title()).doesNotContain("\u001b").startsWith("Na");
        assertThat(field.description().orElseThrow()).doesNotContain("\u202e");
        assertThat(field("{\"type\": \"string\"}").title()).isEqualTo("f");
        assertThat(field("{\"type\": \"string\"}").description()).isEmpty();
    }

    @ParameterizedTest
    @Requirement("ELIC-011")
    @CsvSource({
        "'{\"type\": \"string\", \"oneOf\": [{\"const\": \"1\", \"title\": \"Two\"}, {\"const\":"
                + " \"x\", \"title\": \"One\"}]}'",
        "'{\"type\": \"string\", \"enum\": [\"1\", \"x\"], \"enumNames\": [\"Two\", \"One\"]}'"
    })
    void anOptionIsTypedByValueTitleOrNumber(String schema) {
        FormField field = field(schema);

        assertThat(field.options())
                .containsExactly(
                        new FormField.Option("1", "Two"), new FormField.Option("x", "One"));
        assertThat(field.parse("x")).contains(JsonValue.of("x"));
        assertThat(field.parse(" one ")).contains(JsonValue.of("x"));
        assertThat(field.parse("2")).contains(JsonValue.of("x"));
        assertThat(field.parse("1")).contains(JsonValue.of("1")); // the value, not the number
        assertThatIllegalArgumentException()
                .isThrownBy(() -> field.parse("3"))
                .withMessage("Please choose from the list, by number (1 to 2) or name.");
    }

    @Test
    void severalOptionsAreTypedWithCommasEachOnce() {
        FormField field =
                field(
                        """
                        {"type": "array", "maxItems": 2, "items": {"anyOf": [
                          {"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}, {"const": "b", "title": "Blue"}]}}\
                        """);

        assertThat(field.parse("red, 1, b,"))
                .hasValueSatisfying(value -> assertThat(value.toJson()).isEqualTo("[\"r\",\"b\"]"));
        assertThat(field.constraints()).isEqualTo("at most this many: 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> field.parse("r, g, b"))
                .withMessageStartingWith("This does not fit: ");
    }

    @ParameterizedTest
    @CsvSource({
        "boolean, YES, true", "boolean, n, false", "boolean, true, true",
        "integer, 7, 7", "number, -1.5, -1.5", "string, 7, '\"7\"'"
    })
    void whatIsTypedBecomesAValueOfTheType(String type, String typed, String value) {
        assertThat(field("{\"type\": \"" + type + "\"}").parse(typed))
                .contains(JsonValue.parse(value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\": \"boolean\"} | perhaps | Please type yes or no.",
                "{\"type\": \"integer\"} | many | Please type a whole number.",
                "{\"type\": \"number\"} | [1] | Please type a number, such as 1.5.",
                "{\"type\": \"integer\", \"minimum\": 1} | 0 | This does not fit: ",
                "{\"type\": \"integer\"} | 1.5 | This does not fit: ",
                "{\"type\": \"string\", \"maxLength\": 2} | abc | This does not fit: ",
                "{\"type\": \"string\", \"format\": \"email\"} | ada | This does not fit: an"
                        + " address such as ada@example.com.",
                "{\"type\": \"string\", \"format\": \"uri\"} | ada | This does not fit: a URI",
                "{\"type\": \"string\", \"format\": \"date\"} | 2025-02-30 | This does not fit: a"
                        + " date",
                "{\"type\": \"string\", \"format\": \"date-time\"} | 2025-02-28 | This does not"
                        + " fit: a time"
            })
    @Requirement("ELIC-015")
    void whatDoesNotFitIsRefusedWithWordsForThePerson(String schema, String typed, String words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> field(schema).parse(typed))
                .withMessageStartingWith(words);
    }

    @Test
    @Requirement("ELIC-012")
    void nothingTypedIsTheDefaultOrLeftOut() {
        assertThat(field("{\"type\": \"integer\", \"default\": 3}", true).parse(" "))
                .contains(JsonValue.of(3));
        assertThat(field("{\"type\": \"integer\"}").parse("")).isEqualTo(Optional.empty());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> field("{\"type\": \"integer\"}", true).parse(""))
                .withMessage("An answer is needed here.");
    }

    @Test
    void limitsAreThereToRead() {
        FormField number = field("{\"type\": \"integer\", \"minimum\": 1, \"maximum\": 9}");
        FormField text =
                field(
                        """
                        {"type": "string", "minLength": 2, "maxLength": 5, "format": "email"}\
                        """);

        assertThat(number.minimum()).contains((JsonNumber) JsonValue.of(1));
        assertThat(number.maximum()).contains((JsonNumber) JsonValue.of(9));
        assertThat(number.constraints()).isEqualTo("a whole number, at least 1, at most 9");
        assertThat(text.minLength()).contains((JsonNumber) JsonValue.of(2));
        assertThat(text.maxLength()).contains((JsonNumber) JsonValue.of(5));
        assertThat(text.format()).contains("email");
        assertThat(text.minimum()).isEmpty();
    }
}
