package dev.fairlead.cli.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class ArgumentWordsTest {
    private static final JsonObject SCHEMA =
            (JsonObject)
                    JsonValue.parse(
                            """
                            {"type": "object", "properties": {
                              "text": {"type": "string"},
                              "count": {"type": "integer"},
                              "ratio": {"type": "number"},
                              "flag": {"type": "boolean"},
                              "maybe": {"type": ["integer", "null"]},
                              "name": {"type": ["string", "null"]},
                              "tags": {"type": "array", "items": {"type": "string"}},
                              "sizes": {"type": "array", "items": {"type": "integer"}},
                              "place": {"type": "object"},
                              "travellers": {"type": "array", "items": {"$ref": "#/$defs/person"}},
                              "trip": {"type": "object", "properties": {
                                "to": {"type": "string"}, "days": {"type": "integer"}}},
                              "a.b": {"type": "string"},
                              "tone": {"enum": ["warm", "1"]},
                              "any": {}},
                             "$defs": {"person": {"type": "object", "properties": {
                               "name": {"type": "string"}, "age": {"type": "integer"},
                               "likes": {"type": "array", "items": {"type": "string"}}}}}}
                            """);

    private static String read(String words) {
        return ArgumentWords.read(List.of(words.split(" ")), SCHEMA).toJson();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    text=hello              | {"text":"hello"}
                    text=12                 | {"text":"12"}
                    text=                   | {"text":""}
                    text=a=b                | {"text":"a=b"}
                    count=3                 | {"count":3}
                    count=3.0               | {"count":3.0}
                    ratio=1.50              | {"ratio":1.50}
                    flag=true               | {"flag":true}
                    maybe=null              | {"maybe":null}
                    name=null               | {"name":"null"}
                    name:=null              | {"name":null}
                    tags=a                  | {"tags":["a"]}
                    tags=a tags=2           | {"tags":["a","2"]}
                    tags=["a","b"]          | {"tags":["a","b"]}
                    sizes=1 sizes=2         | {"sizes":[1,2]}
                    sizes:=[]               | {"sizes":[]}
                    place={"city":"Oslo"}   | {"place":{"city":"Oslo"}}
                    tone=1                  | {"tone":"1"}
                    any=1 other=true        | {"any":1,"other":true}
                    any=x other=x           | {"any":"x","other":"x"}
                    other=1 other=2         | {"other":[1,2]}
                    text:="quoted"          | {"text":"quoted"}
                    travellers[0].name=1 travellers[0].age=2 | {"travellers":[{"name":"1","age":2}]}
                    travellers[0].name=A travellers[1].name=B | {"travellers":[{"name":"A"},{"name":"B"}]}
                    travellers[0].likes=a travellers[0].likes=b | {"travellers":[{"likes":["a","b"]}]}
                    travellers[0].likes[0]=1 | {"travellers":[{"likes":["1"]}]}
                    trip.to=7 trip.days=7   | {"trip":{"to":"7","days":7}}
                    trip.to=7 trip.x:=[]    | {"trip":{"to":"7","x":[]}}
                    trip={"to":"x"} trip.days=1 | {"trip":{"to":"x","days":1}}
                    a.b=1                   | {"a.b":"1"}
                    text.x=1                | {"text.x":1}
                    other.x=1               | {"other.x":1}
                    any.x=1                 | {"any":{"x":1}}
                    """)
    void theSchemaTypesAValue(String words, String json) {
        assertThat(read(words)).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    count=many        | count must be integer but was many
                    count=1.5         | count must be integer but was 1.5
                    flag=yes          | flag must be boolean but was yes
                    maybe=x           | maybe must be integer or null but was x
                    sizes=1 sizes=x   | sizes must be integer but was x
                    place=Oslo        | place must be object but was Oslo
                    count=1 count=2   | count is given 2 times, but it is not an array
                    trip.days=many    | trip.days must be integer but was many
                    travellers[1].name=A | travellers[1].name is given, but the element [0] before it is not
                    trip=[] trip.to=x | trip must be object but was []
                    any=1 any.x=1     | any.x is within a value that is not an object
                    any=1 any[0]=1    | any[0] is within a value that is not an array
                    count:=x          | count:= must be JSON: the text is not JSON at byte 0: expected a value
                    """)
    void aValueThatDoesNotFitIsExplained(String words, String message) {
        assertThatThrownBy(() -> read(words))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void aUrlWithAQueryIsNoArgument() {
        assertThat(ArgumentWords.isArgument("http://h/mcp?key=x")).isFalse();
        assertThat(ArgumentWords.isArgument("url=http://h/")).isTrue();
        assertThat(ArgumentWords.isArgument("=x")).isFalse();
        assertThat(ArgumentWords.isArgument("weather")).isFalse();
    }
}
