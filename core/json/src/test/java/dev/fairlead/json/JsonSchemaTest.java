package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

class JsonSchemaTest {
    sealed interface Tree {
        record Leaf() implements Tree {}

        record Branch(Tree child) implements Tree {}
    }

    private static List<String> problems(String schema, String value) {
        return JsonSchema.parse(schema).validate(JsonValue.parse(value)).stream()
                .map(JsonViolation::toString)
                .toList();
    }

    @Nested
    class Validation {
        @Test
        void violationsSayWhereAndWhat() {
            String schema =
                    """
                    {"type": "object",
                     "properties": {
                       "city": true, "days": {"type": "integer", "minimum": 0},
                       "unit": {"enum": ["C", "K"]},
                       "items": {"type": "array", "items": {"properties": {"name": {"type": ["string", "null"]}}}}},
                     "required": ["city"], "additionalProperties": false}\
                    """;
            assertThat(
                            problems(
                                    schema,
                                    """
                                    {"days": "x", "unit": "F", "items": [{}, {"name": 1}], "zip": 1}\
                                    """))
                    .containsExactlyInAnyOrder(
                            "days must be an integer but was a string",
                            "unit must be one of [\"C\", \"K\"]",
                            "items[1].name must be a string or null but was an integer",
                            "city is missing",
                            "zip is unknown");
            assertThat(problems(schema, "{\"city\": \"Oslo\", \"days\": 2}")).isEmpty();
        }

        @Test
        void aWholeNumberIsAnIntegerHoweverItIsWritten() {
            assertThat(problems("{\"type\":\"integer\"}", "5.0")).isEmpty();
            assertThat(problems("{\"type\":\"integer\"}", "1e3")).isEmpty();
            assertThat(problems("{\"type\":\"integer\"}", "5.5")).hasSize(1);
            assertThat(problems("{\"type\":\"integer\"}", "123456789012345678901234567890"))
                    .isEmpty();
        }

        @ParameterizedTest
        @CsvSource(
                quoteCharacter = '`',
                delimiter = ' ',
                value = {
                    "1 1.0 true",
                    "1 1e0 true",
                    "1 2 false",
                    "1 true false",
                    "null null true",
                    "`[1,{\"a\":1.0}]` `[1.0,{\"a\":1}]` true",
                    "[1] [1,2] false",
                    "`{\"a\":1,\"b\":2}` `{\"b\":2,\"a\":1}` true",
                    "\"1\" 1 false",
                    "123456789012345678901234567890 1.2345678901234567890123456789e29 true"
                })
        void aConstantIsEqualByValue(String constant, String value, boolean fits) {
            assertThat(problems("{\"const\":" + constant + "}", value).isEmpty()).isEqualTo(fits);
        }

        @Test
        void formatDescribesAndDoesNotCheck() {
            assertThat(problems("{\"type\":\"string\",\"format\":\"date-time\"}", "\"soon\""))
                    .isEmpty();
            assertThat(
                            problems(
                                    "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"format\":\"date-time\"}",
                                    "\"soon\""))
                    .isEmpty();
        }

        @Test
        void violationsAreBounded() {
            String many = "[" + "1,".repeat(999) + "1]";
            assertThat(problems("{\"items\":{\"type\":\"string\"}}", many)).hasSize(50);
        }
    }

    @Nested
    class Dialects {
        @Test
        @Requirement({"JSON-001", "JSON-003", "N26-SCHM-001"})
        void aSchemaWithoutDialectIs2020_12() {
            // prefixItems came with 2020-12; before it, the keyword was unknown and passed over
            String schema = "{\"prefixItems\":[{\"type\":\"string\"}]}";
            assertThat(problems(schema, "[1]")).hasSize(1);
        }

        @Test
        @Requirement({"JSON-002", "JSON-005"})
        void aSchemaIsUnderstoodByTheDialectThatItDeclares() {
            String tuple = "\"items\":[{\"type\":\"string\"}]}";
            String draft07 = "{\"$schema\":\"http://json-schema.org/draft-07/schema#\"," + tuple;
            String v2019 = "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\"," + tuple;
            assertThat(problems(draft07, "[1]")).hasSize(1);
            assertThat(problems(v2019, "[1]")).hasSize(1);
            assertThatThrownBy(() -> JsonSchema.parse("{" + tuple).check())
                    .isInstanceOf(JsonSchemaException.class)
                    .hasMessageContaining("items must be an object or a boolean but was an array");
        }

        @Test
        @Requirement({"JSON-006", "N26-SCHM-002"})
        void anUnsupportedDialectIsNamedTogetherWithThoseSupported() {
            JsonSchema schema =
                    JsonSchema.parse("{\"$schema\":\"https://example.com/my-dialect\"}");
            String message =
                    "the schema dialect https://example.com/my-dialect is not supported, but "
                            + "https://json-schema.org/draft/2020-12/schema, "
                            + "https://json-schema.org/draft/2019-09/schema, "
                            + "http://json-schema.org/draft-07/schema";
            assertThatThrownBy(schema::check)
                    .isInstanceOf(JsonSchemaException.class)
                    .hasMessage(message);
            assertThatThrownBy(() -> schema.validate(JsonNull.NULL)).hasMessage(message);
        }
    }

    @Nested
    class Checks {
        @Test
        @Requirement("JSON-007")
        void aTypeThatDoesNotExistIsRefused() {
            JsonSchema schema =
                    JsonSchema.parse(
                            "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"strin\"}}}");
            assertThatThrownBy(schema::check)
                    .isInstanceOf(JsonSchemaException.class)
                    .hasMessageContaining(
                            "the schema is not valid: properties.a.type must be one of")
                    .hasMessageContaining("\"string\"");
        }

        @Test
        void aPatternThatIsNoneIsRefused() {
            assertThatThrownBy(JsonSchema.parse("{\"pattern\":\"(\"}")::check)
                    .isInstanceOf(JsonSchemaException.class)
                    .hasMessage("the schema has a pattern that is not a regular expression: (");
        }

        @Test
        void aReferenceToNothingIsRefused() {
            assertThatThrownBy(JsonSchema.parse("{\"$ref\":\"#/$defs/x\"}")::check)
                    .isInstanceOf(JsonSchemaException.class)
                    .hasMessageContaining("refers to a part that it does not have");
        }

        @ParameterizedTest
        @CsvSource({
            "#nope, refers to a part that it does not have",
            "https://example.com/x.json, other documents are never fetched"
        })
        void soIsADynamicOneWhereAValueIsChecked(String reference, String problem) {
            JsonSchema schema = JsonSchema.of(JsonObject.of("$dynamicRef", reference));
            assertThatThrownBy(() -> schema.validate(JsonNull.NULL))
                    .isInstanceOf(JsonSchemaException.class)
                    .hasMessageContaining(problem);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "https://example.com/x.json",
                    "http://127.0.0.1:1/x.json",
                    "file:///etc/hostname",
                    "classpath:draft-07/schema",
                    "resource:draft-07/schema",
                    "jar:file:/x.jar!/x"
                })
        @Requirement({"JSON-012", "N26-SCHM-004", "N26-SCHM-006"})
        void anotherDocumentIsNeverFetched(String reference) {
            JsonSchema schema =
                    JsonSchema.of(
                            JsonObject.of(
                                    "properties",
                                    JsonObject.of("a", JsonObject.of("$ref", reference))));
            assertThatThrownBy(schema::check)
                    .isInstanceOf(JsonSchemaException.class)
                    .hasMessageContaining("other documents are never fetched");
        }

        @Test
        void aMetaSchemaMayBeReferredTo() {
            String schema = "{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}";
            assertThat(problems(schema, "{\"type\":\"string\"}")).isEmpty();
            assertThat(problems(schema, "{\"type\":\"strin\"}")).isNotEmpty();
        }

        @Test
        @Requirement({"JSON-012", "N26-SCHM-007"})
        void depthAndSizeAreBounded() {
            String deep = "{\"not\":".repeat(120) + "{}" + "}".repeat(120);
            assertThatThrownBy(JsonSchema.parse(deep)::check)
                    .isInstanceOf(JsonSchemaException.class)
                    .hasMessage("the schema is nested more than 100 levels deep");
            String wide = "{\"enum\":[" + "1,".repeat(20_000) + "1]}";
            assertThatThrownBy(JsonSchema.parse(wide)::check)
                    .isInstanceOf(JsonSchemaException.class)
                    .hasMessage("the schema has more than 20000 values");
            String pattern = "{\"pattern\":\"" + "a".repeat(3000) + "\"}";
            assertThatThrownBy(JsonSchema.parse(pattern)::check)
                    .hasMessage("the schema has a pattern of more than 2000 characters");
        }

        @ParameterizedTest
        @CsvSource({
            "$ref, #/x",
            "$id, a",
            "$anchor, a",
            "$dynamicAnchor, a",
            "$dynamicRef, #a",
            "$recursiveRef, #"
        })
        void referencesAndAddressesAreBounded(String keyword, String start) {
            String longest = start + "a".repeat(2000 - start.length());
            assertThat(problem(JsonObject.of(keyword, longest))).doesNotContain("of more than");
            assertThat(problem(JsonObject.of(keyword, longest + "a")))
                    .isEqualTo("the schema has a " + keyword + " of more than 2000 characters");
            JsonArray most = JsonArray.of(Collections.nCopies(500, longest(keyword)).toArray());
            assertThat(problem(JsonObject.of("const", most))).isEmpty();
            assertThat(problem(JsonObject.of("const", most).with("$id", "a")))
                    .isEqualTo(
                            "the schema has references and addresses of more than 1000000"
                                    + " characters in all");
        }

        private static JsonObject longest(String keyword) {
            return JsonObject.of(keyword, "a".repeat(2000));
        }

        private static String problem(JsonObject schema) {
            try {
                JsonSchema.of(schema).check();
                return "";
            } catch (JsonSchemaException e) {
                return String.valueOf(e.getMessage());
            }
        }

        @ParameterizedTest
        @Timeout(value = 120, unit = SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        @ValueSource(strings = {"$ref", "$id", "$dynamicRef", "$recursiveRef"})
        void longReferencesAreRefusedAtOnce(String keyword) {
            String reference = "a/".repeat(1_000_000) + "../".repeat(1_000_000);
            assertThat(problem(JsonObject.of(keyword, reference)))
                    .isEqualTo("the schema has a " + keyword + " of more than 2000 characters");
        }

        @Test
        @Timeout(value = 120, unit = SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        void manyReferencesThatAreCostlyToResolveEnd() {
            Map<String, JsonValue> parts = new LinkedHashMap<>();
            for (int i = 0; i < 500; i++) {
                parts.put("d" + i, JsonObject.of("$ref", "../".repeat(600) + "#"));
            }
            String base = "https://example.com/" + "a/".repeat(600);
            assertThat(problem(JsonObject.of("$id", base).with("$defs", new JsonObject(parts))))
                    .isEqualTo("");
        }

        @Test
        void schemasWithTheSameIdDoNotMeet() {
            String id = "\"$id\":\"https://example.com/s\",";
            assertThat(problems("{" + id + "\"type\":\"string\"}", "1")).hasSize(1);
            assertThat(problems("{" + id + "\"type\":\"integer\"}", "1")).isEmpty();
        }
    }

    @Nested
    @Timeout(value = 300, unit = SECONDS)
    @Requirement("JSON-012")
    class Effort {
        private static final JsonViolation TOO_COSTLY =
                new JsonViolation("", "takes too much effort to check against its schema");

        @ParameterizedTest
        @ValueSource(strings = {"^(a+)+$", "^(a|a)*$", "^(a*)*$", "^(.*a){25}$", "(x+x+)+y"})
        void anExpressionThatBacktracksEndsAndFails(String pattern) {
            String text = (pattern.startsWith("(x") ? "x" : "a").repeat(5000) + "!";
            JsonSchema schema = JsonSchema.of(JsonObject.of("pattern", pattern));
            String problem = "takes too much effort to check against its schema";
            assertThat(schema.validate(JsonValue.of(text)))
                    .containsExactly(new JsonViolation("", problem));
            JsonSchema not = JsonSchema.of(JsonObject.of("not", JsonObject.of("pattern", pattern)));
            assertThat(not.validate(JsonValue.of(text)))
                    .containsExactly(new JsonViolation("", problem));
        }

        @Test
        void expressionsWorkOnLongTexts() {
            JsonSchema schema = JsonSchema.parse("{\"pattern\":\"^([a-z]|[0-9])+$\"}");
            assertThat(schema.validate(JsonValue.of("a1".repeat(500)))).isEmpty();
            JsonSchema simple = JsonSchema.parse("{\"pattern\":\"^[a-z0-9]+$\"}");
            assertThat(simple.validate(JsonValue.of("a1".repeat(500_000)))).isEmpty();
        }

        @Test
        void manyTextsShareTheEffortOfOneCheck() {
            // each text stays below the bound of one match; all of them took 40 s
            JsonSchema schema = JsonSchema.parse("{\"items\":{\"pattern\":\"(.+)-(.+)-(.+)z\"}}");
            JsonArray texts = JsonArray.of(Collections.nCopies(16_000, "-a".repeat(70)).toArray());
            assertThat(schema.validate(texts))
                    .containsExactly(
                            new JsonViolation(
                                    "", "takes too much effort to check against its schema"));
            JsonSchema names =
                    JsonSchema.parse("{\"patternProperties\":{\"(.+)-(.+)-(.+)z\":false}}");
            Map<String, JsonValue> members = new LinkedHashMap<>();
            for (int i = 0; i < 16_000; i++) {
                members.put("-a".repeat(70) + i, JsonValue.of(1));
            }
            assertThat(names.validate(new JsonObject(members)))
                    .containsExactly(
                            new JsonViolation(
                                    "", "takes too much effort to check against its schema"));
        }

        @Test
        void manyTextsThatAreQuickToMatchAreMatched() {
            JsonSchema schema =
                    JsonSchema.parse(
                            "{\"items\":{\"pattern\":\"^[a-z.]+@[a-z.]+\\\\.[a-z]{2,}$\"}}");
            String mail = "someone.with.a.long.name@department.example.org";
            JsonArray texts = JsonArray.of(Collections.nCopies(100_000, mail).toArray());
            assertThat(schema.validate(texts)).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "(?:(?:(?:){1000}){1000}){1000}x", "((){10000}){10000}x", "(){1000000}x",
                    "(?:\\b{10000}){1000}x", "((a?){1000}){1000}", "(?:^{10000}){10000}x",
                    "(?:([ab]*){100,}){1000}", "((?=a){9999}){9999}"
                })
        void anExpressionThatRepeatsNothingIsRefused(String pattern) {
            JsonSchema schema = JsonSchema.of(JsonObject.of("pattern", pattern));
            assertThatThrownBy(schema::check)
                    .isInstanceOf(JsonSchemaException.class)
                    .hasMessage(
                            "the schema has a pattern that is a regular expression that can take"
                                    + " more than 10000 steps at one place of a text");
        }

        @Test
        void anExpressionThatRepeatsNothingOftenEnds() {
            JsonSchema schema = JsonSchema.parse("{\"pattern\":\"((){100}){99}x\"}");
            assertThat(schema.validate(JsonValue.of("a".repeat(100_000)))).hasSize(1);
        }

        @Test
        void manyPatternsForManyNamesEnd() {
            // short names end without a look at them
            Map<String, JsonValue> patterns = new LinkedHashMap<>();
            Map<String, JsonValue> members = new LinkedHashMap<>();
            for (int i = 0; i < 9000; i++) {
                patterns.put("a".repeat(20) + i, JsonBoolean.TRUE);
                members.put("b" + i, JsonValue.of(1));
            }
            JsonSchema schema =
                    JsonSchema.of(JsonObject.of("patternProperties", new JsonObject(patterns)));
            assertThat(schema.validate(new JsonObject(members))).containsExactly(TOO_COSTLY);
            Thread.currentThread().interrupt();
            assertThat(schema.validate(new JsonObject(members))).containsExactly(TOO_COSTLY);
            assertThat(Thread.interrupted()).isTrue();
        }

        @Test
        void errorsOfAlternativesAreCounted() {
            // each element adds 15,000 errors in one step
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 15_000; i++) {
                names.add("m" + i);
            }
            JsonObject all = JsonObject.of("required", JsonArray.of(names.toArray()));
            JsonObject any = JsonObject.of("anyOf", JsonArray.of(all, JsonBoolean.TRUE));
            JsonArray values =
                    JsonArray.of(Collections.nCopies(10_000, JsonObject.EMPTY).toArray());
            assertThat(JsonSchema.of(JsonObject.of("items", any)).validate(values))
                    .containsExactly(TOO_COSTLY);
        }

        @Test
        void namesThatAreLookedUpInEachElementAreCounted() {
            // each element costs 15,000 lookups in one step
            Map<String, JsonValue> names = new LinkedHashMap<>();
            for (int i = 0; i < 15_000; i++) {
                names.put("m" + i, JsonBoolean.TRUE);
            }
            JsonObject properties = JsonObject.of("properties", new JsonObject(names));
            JsonArray values = JsonArray.of(Collections.nCopies(1000, JsonObject.EMPTY).toArray());
            assertThat(JsonSchema.of(JsonObject.of("items", properties)).validate(values))
                    .containsExactly(TOO_COSTLY);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"uniqueItems\":true}",
                    "{\"enum\":[[0],[1]]}",
                    "{\"not\":{\"enum\":[[0],[1]]}}"
                })
        void elementsThatManyAlternativesCompareAreCounted(String each) {
            JsonObject again = JsonObject.of("$ref", "#/$defs/each");
            JsonObject all = JsonObject.of("anyOf", JsonArray.of(again, JsonBoolean.TRUE));
            JsonObject schema =
                    JsonObject.of(
                            "allOf",
                            JsonArray.of(Collections.nCopies(2000, all).toArray()),
                            "$defs",
                            JsonObject.of("each", JsonValue.parse(each)));
            JsonArray values = JsonArray.of(IntStream.range(0, 1000).boxed().toArray());
            assertThat(JsonSchema.of(schema).validate(values)).containsExactly(TOO_COSTLY);
        }

        @Test
        void elementsThatEachLevelComparesAreCounted() {
            JsonValue value = JsonArray.of(IntStream.range(0, 1000).boxed().toArray());
            for (int i = 0; i < 450; i++) {
                value = JsonArray.of(value);
            }
            JsonSchema schema =
                    JsonSchema.parse("{\"uniqueItems\":true,\"items\":{\"$ref\":\"#\"}}");
            assertThat(schema.validate(value)).containsExactly(TOO_COSTLY);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"properties\":{\"a\":true},\"unevaluatedProperties\":false}",
                    "{\"properties\":{\"a\":true},\"required\":[\"b\"]}"
                })
        void annotationsThatManyAlternativesReadAreCounted(String each) {
            Map<String, JsonValue> parts = new LinkedHashMap<>();
            parts.put("d12", JsonValue.parse(each));
            for (int i = 0; i < 12; i++) {
                JsonObject next = JsonObject.of("$ref", "#/$defs/d" + (i + 1));
                parts.put("d" + i, JsonObject.of("anyOf", JsonArray.of(next, next)));
            }
            JsonObject any =
                    JsonObject.of(
                            "anyOf",
                            JsonArray.of(JsonObject.of("$ref", "#/$defs/d0"), JsonBoolean.TRUE));
            JsonObject schema =
                    any.with("unevaluatedProperties", true).with("$defs", new JsonObject(parts));
            assertThat(JsonSchema.of(schema).validate(JsonObject.of("a", 1)))
                    .containsExactly(TOO_COSTLY);
        }

        @Test
        void oneLongTextIsMeasuredOften() {
            JsonObject measured = JsonObject.of("maxLength", 100_000_000);
            JsonObject schema =
                    JsonObject.of(
                            "allOf", JsonArray.of(Collections.nCopies(50, measured).toArray()));
            JsonValue text = JsonValue.of("\u03b1".repeat(1_500_000));
            assertThat(JsonSchema.of(schema).validate(text)).isEmpty();
        }

        @Test
        void namesOfDependenciesAreNotWrittenForEachError() {
            List<String> names = new ArrayList<>(); // 10 GB, if each error had all
            for (int i = 0; i < 15_000; i++) {
                names.add("m".repeat(40) + i);
            }
            JsonObject needed = JsonObject.of("a", JsonArray.of(names.toArray()));
            JsonObject dependent = JsonObject.of("dependencies", needed);
            JsonObject any = JsonObject.of("anyOf", JsonArray.of(dependent, JsonBoolean.TRUE));
            assertThat(JsonSchema.of(any).validate(JsonObject.of("a", 1))).isEmpty();
        }

        @Test
        void dependenciesNameMembersAndSchemas() {
            String schema =
                    """
                    {"$schema": "http://json-schema.org/draft-07/schema#",
                     "dependencies": {"a": ["x", "y"], "b": {"required": ["c"]}, "d": false}}\
                    """;
            String problem = "has an error with dependencies {a=[x, y]}";
            assertThat(problems(schema, "{\"a\":1,\"b\":1}"))
                    .containsExactlyInAnyOrder(problem, problem, "c is missing");
            assertThat(problems(schema, "{\"a\":1,\"x\":1,\"y\":null,\"b\":1,\"c\":1}")).isEmpty();
            assertThat(problems(schema, "{\"d\":1}")).hasSize(1);
            assertThat(problems(schema, "[\"a\"]")).isEmpty();
            String unchecked = "{\"$ref\":\"#/x/y\",\"x\":{\"y\":{\"dependencies\":%s}}}";
            for (String wrong : List.of("5", "\"a\"", "[\"a\"]", "null")) {
                assertThat(problems(unchecked.formatted(wrong), "{\"a\":1}")).isEmpty();
            }
        }

        @Test
        @Timeout(value = 120, unit = SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        void aLongConstantIsNotWrittenForEachError() {
            JsonObject constant = JsonObject.of("const", "c".repeat(4_000_000));
            JsonObject any = JsonObject.of("anyOf", JsonArray.of(constant, JsonBoolean.TRUE));
            JsonArray values = JsonArray.of(Collections.nCopies(100_000, 1).toArray());
            assertThat(JsonSchema.of(JsonObject.of("items", any)).validate(values)).isEmpty();
        }

        @Test
        void usualExpressionsWithCountsWork() {
            String host = "^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.){1,127}[a-z]{2,63}$";
            JsonSchema hosts = JsonSchema.of(JsonObject.of("pattern", host));
            assertThat(hosts.validate(JsonValue.of("a-b.example.org"))).isEmpty();
            String uuid = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";
            JsonSchema uuids = JsonSchema.of(JsonObject.of("pattern", uuid));
            assertThat(uuids.validate(JsonValue.of("01234567-89ab-cdef-0123-456789abcdef")))
                    .isEmpty();
            String braces = "^\\{[{]{1,2}\\)\\{100000}\\p{Lu}{3}$";
            JsonSchema odd = JsonSchema.of(JsonObject.of("pattern", braces));
            assertThat(odd.validate(JsonValue.of("{{){100000}ABC"))).isEmpty();
        }

        @Test
        void anInterruptEndsACheck() throws InterruptedException {
            JsonSchema schema = JsonSchema.parse("{\"items\":{\"pattern\":\"(a|b)*c\"}}");
            JsonArray texts = JsonArray.of(Collections.nCopies(1000, "ab".repeat(400)).toArray());
            Thread.currentThread().interrupt();
            List<JsonViolation> found = schema.validate(texts);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(found)
                    .extracting(JsonViolation::message)
                    .containsExactly("takes too much effort to check against its schema");
        }

        @Test
        void whatIsFoundIsBoundedInNumberAndSize() {
            JsonSchema numbers = JsonSchema.parse("{\"items\":{\"type\":\"string\"}}");
            JsonArray wrong = JsonArray.of(Collections.nCopies(500_000, 1).toArray());
            assertThat(numbers.validate(wrong)).hasSize(50);
            String many = "\"v" + "v".repeat(100_000) + "\"";
            JsonSchema values = JsonSchema.parse("{\"enum\":[" + many + "]}");
            assertThat(values.validate(JsonValue.of("x")).getFirst().message()).hasSize(501);
            JsonSchema constant = JsonSchema.parse("{\"const\":" + many + "}");
            assertThat(constant.validate(JsonValue.of("x")).getFirst().message()).hasSize(501);
            JsonValue deep = JsonValue.of(1);
            for (int i = 0; i < 90; i++) {
                deep = JsonObject.of("m" + "m".repeat(1000), deep);
            }
            JsonSchema nested =
                    JsonSchema.parse(
                            "{\"additionalProperties\":{\"$ref\":\"#\"},\"type\":\"object\"}");
            assertThat(nested.validate(deep).getFirst().path()).hasSizeLessThan(502);
        }

        @Test
        void aReferenceToItselfEnds() {
            assertThatThrownBy(() -> problems("{\"$ref\":\"#\"}", "1"))
                    .isInstanceOf(JsonSchemaException.class)
                    .hasMessage("the schema refers to itself without an end");
        }

        @Test
        void combinationsThatExplodeEnd() {
            // every level tries the next twice: 2^60 evaluations
            StringBuilder definitions = new StringBuilder("\"d60\":false");
            for (int i = 0; i < 60; i++) {
                String next = "{\"$ref\":\"#/$defs/d" + (i + 1) + "\"}";
                definitions.append(",\"d" + i + "\":{\"anyOf\":[" + next + "," + next + "]}");
            }
            assertThat(problems("{\"$ref\":\"#/$defs/d0\",\"$defs\":{" + definitions + "}}", "1"))
                    .containsExactly("takes too much effort to check against its schema");
        }

        @Test
        void hugeExponentsAreNotExpanded() {
            assertThat(problems("{\"multipleOf\":0.1}", "1e999999999")).hasSize(1);
            assertThat(problems("{\"type\":\"number\"}", "1e-999999999")).hasSize(1);
            assertThatThrownBy(JsonSchema.parse("{\"multipleOf\":1e-999999999}")::check)
                    .isInstanceOf(JsonSchemaException.class);
        }

        @Test
        void aDeepValueFitsARecursiveSchema() throws InterruptedException {
            String open = "{\"type\":\"Branch\",\"child\":";
            String value = open.repeat(300) + "{\"type\":\"Leaf\"}" + "}".repeat(300);
            JsonSchema schema = JsonSchema.of(Tree.class);
            assertThat(schema.validate(JsonValue.parse(value))).isEmpty();
            List<JsonViolation> found =
                    new ArrayList<>(List.of(new JsonViolation("", "did not run")));
            Thread.startVirtualThread(
                            () -> {
                                found.clear();
                                found.addAll(schema.validate(JsonValue.parse(value)));
                            })
                    .join();
            assertThat(found).isEmpty();
        }

        @Test
        void aValueTooDeepForAnyStackIsRefused() {
            JsonValue value = JsonArray.of();
            for (int i = 0; i < 100_000; i++) {
                value = JsonArray.of(value);
            }
            assertThat(JsonSchema.parse("{}").validate(value)).containsExactly(TOO_COSTLY);
        }

        @Test
        void aValueTooDeepForItsSchemaIsRefused() {
            String value = "[".repeat(490) + "]".repeat(490);
            String schema = "{\"oneOf\":[{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}]}";
            assertThat(problems(schema, value))
                    .containsExactly("takes too much effort to check against its schema");
        }

        @Test
        void aLargeValueIsChecked() {
            String schema =
                    """
                    {"items":{"type":"object","properties":{"a":{"type":"integer","minimum":0},
                     "b":{"type":"string"}},"required":["a","b"],"additionalProperties":false}}\
                    """;
            String value = "[" + "{\"a\":1,\"b\":\"x\"},".repeat(99_999) + "{\"a\":1,\"b\":\"x\"}]";
            assertThat(problems(schema, value)).isEmpty();
        }
    }

    @Nested
    class Trees {
        @Test
        @Requirement("JSON-011")
        void everyKeywordStaysAsItWas() {
            String text =
                    """
                    {"$schema":"https://json-schema.org/draft/2020-12/schema","x-order":[2,1.0],\
                    "allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"x-unknown":null}},"type":"object"}\
                    """;
            assertThat(JsonSchema.parse(text).json().toJson()).isEqualTo(text);
            record Tool(JsonSchema inputSchema) {}
            JsonCodec<Tool> codec = JsonCodec.of(Tool.class);
            Tool tool = codec.read(RawJson.parse("{\"inputSchema\":" + text + "}"));
            assertThat(tool.inputSchema()).isEqualTo(JsonSchema.parse(text));
            assertThat(codec.write(tool).toJson()).isEqualTo("{\"inputSchema\":" + text + "}");
        }

        @Test
        @Requirement("JSON-008")
        void aSchemaIsAnObjectAndNotNull() {
            record Tool(JsonSchema inputSchema) {}
            assertThatThrownBy(
                            () ->
                                    JsonCodec.of(Tool.class)
                                            .read(RawJson.parse("{\"inputSchema\":null}")))
                    .hasMessage("inputSchema must be an object but was null");
            assertThatThrownBy(() -> JsonSchema.parse("null"))
                    .hasMessage("a schema must be an object but was null");
            assertThat(JsonSchema.parse("{\"type\":\"object\"}").isObject()).isTrue();
            assertThat(JsonSchema.parse("{\"type\":\"string\"}").isObject()).isFalse();
        }
    }
}
