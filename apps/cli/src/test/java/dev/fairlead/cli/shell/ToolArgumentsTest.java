package dev.fairlead.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolArgumentsTest {
    private static final JsonObject SCHEMA =
            (JsonObject)
                    JsonValue.parse(
                            """
                            {"properties": {"city": {"type": "string"}, "days": {"type": "integer"},
                              "either": {"type": ["string", "null"]}, "tags": {"type": "array"},
                              "any": {}}}
                            """);

    private static String read(String line) {
        return ToolArguments.of(TypedLine.of(line), SCHEMA).toJson();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    call t                            | {}
                    call t city=Oslo days=3           | {"city":"Oslo","days":3}
                    call t city=12 either=null        | {"city":"12","either":"null"}
                    call t city="New York" any=x      | {"city":"New York","any":"x"}
                    call t 'city=New York' any=1.50   | {"city":"New York","any":1.50}
                    call t city=a=b                   | {"city":"a=b"}
                    call t city=C:\\x                 | {"city":"C:\\\\x"}
                    call t tags=[1,2] unknown=true    | {"tags":[1,2],"unknown":true}
                    call   t   {"city": "New  York"}  | {"city":"New  York"}
                    """)
    void argumentsAreWhatTheSchemaSays(String line, String json) {
        assertThat(read(line)).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    call t days=many | days must be integer but was many
                    call t Oslo      | arguments must be KEY=VALUE, in quotes if they contain spaces, but one was Oslo
                    call t =x        | arguments must be KEY=VALUE, in quotes if they contain spaces, but one was =x
                    call t {"a":     | the text is not JSON at byte 5: expected a value
                    """)
    void whatMakesNoSenseIsSaid(String line, String message) {
        assertThatThrownBy(() -> read(line))
                .isInstanceOf(ShellUsageException.class)
                .hasMessage(message);
    }

    @Test
    void withoutASchemaAValueIsJsonOrText() {
        assertThat(ToolArguments.of(TypedLine.of("call t a=1 b=one"), null).toJson())
                .isEqualTo("{\"a\":1,\"b\":\"one\"}");
    }
}
