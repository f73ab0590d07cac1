package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;

/** Schemas, written with ' for ", whose parts refer to each other. */
class SchemaCyclesTest {
    private static final String DRAFT_07 = "'$schema':'http://json-schema.org/draft-07/schema#',";
    private static final String V2019 = "'$schema':'https://json-schema.org/draft/2019-09/schema',";

    private static JsonSchema schema(String text) {
        return JsonSchema.parse(text.replace('\'', '"'));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'$ref':'#'}",
                "{'$ref':''}",
                "{'$anchor':'a','$ref':'#a'}",
                "{'$ref':'#a','$defs':{'x':{'$anchor':'a','allOf':[{'$ref':'#a'}]}}}",
                "{'properties':{'p':{'$ref':'#a'}},'$defs':{'x':{'$anchor':'a','not':{'$ref':'#a'}}}}",
                "{'$dynamicAnchor':'a','$dynamicRef':'#a'}",
                "{" + V2019 + "'$recursiveRef':'#'}",
                "{" + V2019 + "'$recursiveAnchor':true,'anyOf':[{'$recursiveRef':'#'}]}",
                "{'$id':'https://x.example/r','$ref':'https://x.example/r'}",
                "{'$id':'https://x.example/r','if':{'$ref':'r#'}}",
                "{'$id':'https://x.example/r','$ref':'b','$defs':{'b':{'$id':'b','not':{'$ref':'r'}}}}",
                "{"
                        + DRAFT_07
                        + "'definitions':{'x':{'$id':'#a','not':{'$ref':'#a'}}},"
                        + "'allOf':[{'$ref':'#a'}]}",
                "{'dependentSchemas':{'a':{'$ref':'#'}}}",
                "{" + DRAFT_07 + "'dependencies':{'a':{'$ref':'#'}}}",
                "{'properties':{'default':{'$ref':'#/properties/default'}}}",
                "{'$ref':'#/default','default':{'$ref':'#'}}",
                "{'$ref':'#/x-own','x-own':{'properties':{'p':{'$ref':'#/x-own/properties/p'}}}}",
                "{'$ref':'#/$defs/a+b','$defs':{'a+b':{'$ref':'#/$defs/a%2Bb'}}}",
                "{'$ref':'#/$defs/a b','$defs':{'a b':{'oneOf':[{'$ref':'#/$defs/a%20b'}]}}}",
                "{'$ref':'#/$defs/ä~1~0','$defs':{'ä/~':{'$ref':'#'}}}",
            })
    void aSchemaThatNeverEndsIsRefused(String text) {
        assertThatThrownBy(schema(text)::check)
                .isInstanceOf(JsonSchemaException.class)
                .hasMessage("the schema refers to itself without an end");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'default':{'$ref':'#/default'}}",
                "{'const':{'$ref':'#'}}",
                "{'enum':[{'$ref':'#/enum/0'}]}",
                "{'examples':[{'allOf':[{'$ref':'#/examples/0'}]}]}",
                "{'x-own':{'$ref':'#/x-own'}}",
                "{'properties':{'p':{'$ref':'#'}}}",
                "{'items':{'$dynamicRef':'#a'},'$dynamicAnchor':'a'}",
                "{" + V2019 + "'$recursiveAnchor':true,'items':{'$recursiveRef':'#'}}",
                "{'propertyNames':{'$ref':'#a'},'$anchor':'a'}",
                "{'then':{'$ref':'#'}}",
                "{'allOf':[{'$ref':'#a'},{'$ref':'#a'}],'$defs':{'x':{'$anchor':'a'}}}",
                "{"
                        + DRAFT_07
                        + "'definitions':{'x':{},"
                        + "'y':{'$ref':'#/definitions/x','allOf':[{'$ref':'#/definitions/y'}]}}}",
            })
    void aSchemaThatEndsIsUsed(String text) {
        assertThat(schema(text).validate(JsonValue.parse("{\"p\":{\"p\":{}}}"))).hasSizeLessThan(2);
    }

    /** A name of a property is no keyword. */
    @ParameterizedTest
    @ValueSource(strings = {"default", "examples", "const", "enum"})
    void aPatternOfAPropertyOfAnyNameIsRead(String name) {
        assertThatThrownBy(schema("{'properties':{'" + name + "':{'pattern':'(a'}}}")::check)
                .isInstanceOf(JsonSchemaException.class)
                .hasMessage("the schema has a pattern that is not a regular expression: (a");
    }

    @Test
    void aPatternThatOnlyAReferenceReachesIsBounded() {
        String pattern = "a".repeat(2001);
        assertThatThrownBy(
                        schema("{'$ref':'#/default','default':{'pattern':'" + pattern + "'}}")
                                ::check)
                .isInstanceOf(JsonSchemaException.class)
                .hasMessage("the schema has a pattern of more than 2000 characters");
    }

    /** Each reference may lead to each anchor. */
    @Test
    void manyDynamicReferencesAndAnchorsCostNoMoreThanTheirSum() {
        StringBuilder schemas = new StringBuilder("{'allOf':[true");
        for (int i = 0; i < 3_000; i++) {
            schemas.append(",{'$dynamicRef':'#a'},{'properties':{'p':{'$id':'r").append(i);
            schemas.append("','$dynamicAnchor':'a'}}}");
        }
        long before = allocated();
        assertThatThrownBy(schema(schemas + "]}")::check).isInstanceOf(JsonSchemaException.class);
        assertThat(allocated() - before).isLessThan(200L << 20); // 9 million pairs would take more
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }

    @Test
    void identifiersThatAddToEachOtherAreBounded() {
        String part = "{'$id':'" + "a".repeat(500) + "/','not':";
        assertThatThrownBy(schema(part.repeat(40) + "{}" + "}".repeat(40))::check)
                .isInstanceOf(JsonSchemaException.class)
                .hasMessage("the schema has an $id whose address has more than 2000 characters");
    }

    @Test
    void aLongChainOfReferencesIsRefused() {
        StringBuilder chain = new StringBuilder("{'$ref':'#/$defs/d0','$defs':{'d9000':{}");
        for (int i = 0; i < 9000; i++) {
            chain.append(",'d").append(i).append("':{'$ref':'#/$defs/d").append(i + 1).append("'}");
        }
        assertThatThrownBy(schema(chain + "}}")::check).isInstanceOf(JsonSchemaException.class);
    }
}
