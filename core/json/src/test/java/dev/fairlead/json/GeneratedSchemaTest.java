package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fairlead.requirements.Requirement;

import example.Label;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * The schemas generated from types, with the schema validator as the judge of whether codec and
 * schema agree.
 */
@Requirement("JSON-007")
class GeneratedSchemaTest {
    enum Unit {
        @JsonName("celsius")
        CELSIUS,
        KELVIN
    }

    enum Pace {
        @Doc("As fast as can be")
        FAST,
        SLOW
    }

    @Doc("What to forecast")
    record Query(
            @Doc("City name") @Size(min = 1, max = 80) String city,
            @Range(min = 0, max = 10) @Default("1") int days,
            @Doc("By default the usual unit") @Nullable Unit unit) {}

    record Nothing() {}

    @JsonInline
    record Id(@Size(min = 2, max = 20) @Doc("Name of a thing") String value) {}

    record Wide(
            boolean flag,
            byte tiny,
            long big,
            double real,
            BigInteger whole,
            BigDecimal exact,
            Pace pace,
            @Default("SLOW") Pace defaulted,
            Optional<Instant> instant,
            LocalDate date,
            URI uri,
            UUID uuid,
            Duration duration,
            byte[] bytes,
            Id id,
            JsonValue any,
            JsonObject object,
            @Matches("[a-z]+(-[0-9]+)?") String code,
            @Format("email") @Nullable String mail,
            @JsonAlways @Nullable Long ttl,
            @JsonAlways @Nullable Unit unit) {}

    record Deep(
            @Size(min = 1, max = 3) List<Query> queries,
            Set<Unit> units,
            Set<Pace> paces,
            @Size(max = 2) Map<String, List<Integer>> map,
            Map<Unit, Boolean> byUnit,
            List<@Nullable Long> holes,
            int[][] grid,
            @Range(min = 0.5, max = 2.5) double ratio,
            @Default("[\"a\"]") List<String> words) {}

    record Node(String name, List<Node> children, @Nullable Node next) {}

    record Pair(Node left, Node right) {}

    sealed interface Block {
        record Text(@Size(max = 20) String text) implements Block {}

        @JsonName("list")
        record Listing(List<Block> blocks) implements Block {}

        @JsonInline
        record Other(JsonObject raw) implements Block {}
    }

    @JsonDiscriminator("kind")
    sealed interface Expression {
        record Constant(double value) implements Expression {}

        record Sum(Expression left, Expression right) implements Expression {}
    }

    sealed interface Token {
        @JsonInline
        record Word(String value) implements Token {}

        @JsonInline
        record Count(long value) implements Token {}
    }

    record Open(String name, @OtherMembers JsonObject others) {}

    @JsonInline
    record Note(@Size(max = 3) @Doc("Short") @Nullable String text) {}

    @JsonInline
    record Choice(Optional<Unit> unit) {}

    @JsonInline
    record Limit(@Default("3") int value) {}

    record Inlined(
            Note note,
            Choice choice,
            Limit limit,
            @JsonAlways @Nullable Note always,
            @JsonAlways @Nullable Choice chosen,
            List<Note> notes,
            List<@Nullable Choice> choices,
            Map<String, Note> byName) {}

    record Sets(
            Set<BigDecimal> exact,
            Set<Double> real,
            Set<byte[]> bytes,
            Set<URI> places,
            Set<Optional<JsonValue>> any,
            Set<List<Float>> nested,
            Set<String> texts) {}

    record Page<T>(List<T> items, Optional<String> cursor) {}

    record Holder(Page<Block> blocks, Page<Token> tokens, Expression expression, Open open) {}

    private static String schema(Class<?> type) {
        return JsonSchema.of(type).toString();
    }

    @Nested
    class Text {
        @Test
        void aRecordListsItsComponentsInTheirOrder() {
            assertThat(schema(Query.class))
                    .isEqualTo(
                            """
                            {"type":"object","description":"What to forecast","properties":{\
                            "city":{"type":"string","minLength":1,"maxLength":80,"description":"City name"},\
                            "days":{"type":"integer","minimum":0,"maximum":10,"default":1},\
                            "unit":{"type":"string","enum":["celsius","KELVIN"],\
                            "description":"By default the usual unit"}},\
                            "required":["city"],"additionalProperties":false}\
                            """);
        }

        @Test
        @Requirement("JSON-009")
        void aRecordWithoutComponentsTakesNothing() {
            assertThat(schema(Nothing.class))
                    .isEqualTo("{\"type\":\"object\",\"additionalProperties\":false}");
        }

        @Test
        void anAnnotationCanAddAKeyword() {
            record Call(
                    @Label("Region") @Doc("Where") String region,
                    @Label("Count") Optional<Long> count,
                    @Label("Unit") @Nullable Unit unit,
                    @Label("Thing") Id thing) {}

            assertThat(schema(Call.class))
                    .isEqualTo(
                            """
                            {"type":"object","properties":{\
                            "region":{"type":"string","x-label":"Region","description":"Where"},\
                            "count":{"type":"integer","x-label":"Count"},\
                            "unit":{"type":"string","enum":["celsius","KELVIN"],"x-label":"Unit"},\
                            "thing":{"type":"string","minLength":2,"maxLength":20,\
                            "description":"Name of a thing","x-label":"Thing"}},\
                            "required":["region","thing"],"additionalProperties":false}\
                            """);
        }

        @Test
        void whatContainsItselfIsReferredTo() {
            assertThat(schema(Node.class))
                    .isEqualTo(
                            """
                            {"type":"object","properties":{"name":{"type":"string"},\
                            "children":{"type":"array","items":{"$ref":"#"}},"next":{"$ref":"#"}},\
                            "required":["name","children"],"additionalProperties":false}\
                            """);
            assertThat(schema(Pair.class))
                    .startsWith(
                            """
                            {"type":"object","properties":{"left":{"$ref":"#/$defs/Node"},\
                            "right":{"$ref":"#/$defs/Node"}}\
                            """);
        }

        @Test
        void casesAreDistinguishedByAConstant() {
            assertThat(schema(Expression.class))
                    .isEqualTo(
                            """
                            {"type":"object","oneOf":[\
                            {"type":"object","properties":{"kind":{"const":"Constant"},"value":{"type":"number"}},\
                            "required":["kind","value"],"additionalProperties":false},\
                            {"type":"object","properties":{"kind":{"const":"Sum"},"left":{"$ref":"#"},\
                            "right":{"$ref":"#"}},"required":["kind","left","right"],\
                            "additionalProperties":false}]}\
                            """);
        }

        @Test
        void titledConstantsAreChoices() {
            record Run(Pace pace, List<Pace> paces) {}
            assertThat(schema(Run.class))
                    .contains(
                            """
                            "pace":{"type":"string","oneOf":[{"const":"FAST","title":"As fast as can be"},\
                            {"const":"SLOW","title":"SLOW"}]}\
                            """)
                    .contains("\"items\":{\"type\":\"string\",\"anyOf\":[{\"const\":\"FAST\"");
        }

        @Test
        void constraintsAndFormatsAreKeywords() {
            assertThat(schema(Wide.class))
                    .contains("\"tiny\":{\"type\":\"integer\",\"minimum\":-128,\"maximum\":127}")
                    .contains("\"defaulted\":{\"type\":\"string\",\"oneOf\":[")
                    .contains("\"default\":\"SLOW\"")
                    .contains("\"instant\":{\"type\":\"string\",\"format\":\"date-time\"}")
                    .contains("\"bytes\":{\"type\":\"string\",\"contentEncoding\":\"base64\"}")
                    .contains("\"any\":{}")
                    .contains(
                            "\"code\":{\"type\":\"string\",\"pattern\":\"^(?:[a-z]+(-[0-9]+)?)$\"}")
                    .contains("\"mail\":{\"type\":\"string\",\"format\":\"email\"}")
                    .contains("\"ttl\":{\"type\":[\"integer\",\"null\"]}")
                    .contains(
                            "\"unit\":{\"anyOf\":[{\"type\":\"string\",\"enum\":[\"celsius\",\"KELVIN\"]},{\"type\":\"null\"}]}");
        }
    }

    @Test
    void nullThatIsWrittenIsInTheSchema() {
        assertThat(schema(Inlined.class))
                .startsWith(
                        """
                        {"type":"object","properties":{\
                        "note":{"type":["string","null"],"maxLength":3,"description":"Short"},\
                        "choice":{"anyOf":[{"type":"string","enum":["celsius","KELVIN"]},{"type":"null"}]},\
                        "limit":{"type":["integer","null"],"default":3},\
                        "always":{"type":["string","null"],"maxLength":3,"description":"Short"},\
                        "chosen":{"anyOf":[{"type":"string","enum":["celsius","KELVIN"]},{"type":"null"}]},\
                        """);
        Note none = new Note(null);
        Choice free = new Choice(Optional.empty());
        Inlined value =
                new Inlined(
                        none,
                        free,
                        new Limit(1),
                        none,
                        free,
                        List.of(none),
                        List.of(free),
                        Map.of("a", none));
        assertThat(
                        JsonSchema.of(Inlined.class)
                                .validate(JsonCodec.of(Inlined.class).toValue(value)))
                .isEmpty();
    }

    @Test
    void elementsOfASetThatAreOneInJsonAreWrittenOnce() {
        JsonCodec<Sets> codec = JsonCodec.of(Sets.class);
        Sets sets =
                new Sets(
                        inOrder(List.of(new BigDecimal("1.0"), new BigDecimal("1.00"))),
                        inOrder(List.of(0.0, -0.0, 1.0)),
                        inOrder(List.of(new byte[] {1}, new byte[] {1}, new byte[] {2})),
                        inOrder(List.of(URI.create("a:é"), URI.create("a:%C3%A9"))),
                        inOrder(
                                List.of(
                                        Optional.of(JsonObject.of("a", 1, "b", 2)),
                                        Optional.of(JsonObject.of("b", 2, "a", 1)),
                                        Optional.empty())),
                        inOrder(List.of(List.of(0f), List.of(-0f))),
                        Set.of("a"));
        assertThat(codec.write(sets))
                .hasToString(
                        """
                        {"exact":[1.0],"real":[0.0,1.0],"bytes":["AQ==","Ag=="],\
                        "places":["a:%C3%A9"],"any":[{"a":1,"b":2},null],"nested":[[0.0]],\
                        "texts":["a"]}\
                        """);
        assertThat(JsonSchema.of(Sets.class).validate(codec.toValue(sets))).isEmpty();
        assertThatCode(() -> codec.read(codec.write(sets))).doesNotThrowAnyException();
    }

    private static <T> Set<T> inOrder(List<T> elements) {
        return new LinkedHashSet<>(elements);
    }

    /**
     * Neither side is trusted: the two were written apart, so where they agree on thousands of
     * values, both are right.
     */
    @Nested
    class Agreement {
        private final TypeRef<Page<Block>> generic = new TypeRef<>() {};

        @ParameterizedTest
        @ValueSource(
                classes = {
                    Query.class,
                    Nothing.class,
                    Wide.class,
                    Deep.class,
                    Node.class,
                    Pair.class,
                    Block.class,
                    Expression.class,
                    Token.class,
                    Open.class,
                    Inlined.class,
                    Holder.class
                })
        void codecAndSchemaTakeTheSameValues(Class<?> type) {
            compare(JsonCodec.of(type), JsonSchema.of(type));
        }

        @Test
        void alsoForGenericTypes() {
            compare(JsonCodec.of(generic), JsonSchema.of(generic));
        }

        private <T> void compare(JsonCodec<T> codec, JsonSchema schema) {
            assertThatCode(schema::check).doesNotThrowAnyException();
            Random random = new Random(20_251_125);
            int taken = 0;
            for (int i = 0; i < 1500; i++) {
                JsonValue json = new RandomInstance(schema, random, i % 3 * 0.02).next();
                List<JsonViolation> bySchema = schema.validate(json);
                try {
                    T value = codec.strict().read(json);
                    assertThat(bySchema).as("the codec took %s", json).isEmpty();
                    assertThat(schema.validate(codec.toValue(value)))
                            .as("written from %s", json)
                            .isEmpty();
                    taken++;
                } catch (JsonBindingException e) {
                    assertThat(bySchema)
                            .as("the codec refused %s: %s", json, e.getMessage())
                            .isNotEmpty();
                }
            }
            assertThat(taken).as("values that fit").isGreaterThan(20);
        }
    }
}
