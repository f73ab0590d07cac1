package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import example.Label;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

class JsonCodecTest {
    enum Unit {
        @JsonName("celsius")
        CELSIUS,
        KELVIN
    }

    record Query(
            @Size(min = 1, max = 80) String city,
            @Range(min = 0, max = 10) @Default("1") int days,
            @Nullable Unit unit) {
        Query {
            if (city.isBlank()) {
                throw new IllegalArgumentException("city must not be blank");
            }
        }
    }

    record Scalars(
            String text,
            boolean flag,
            byte tiny,
            short small,
            int number,
            long big,
            float single,
            double real,
            BigInteger whole,
            BigDecimal exact,
            Unit unit,
            byte[] bytes,
            URI uri,
            UUID uuid,
            Instant instant,
            LocalDate date,
            LocalDateTime dateTime,
            OffsetDateTime offset,
            LocalTime time,
            Duration duration) {}

    @JsonInline
    record Id(String value) {}

    record Containers(
            List<Integer> list,
            Set<Unit> set,
            Map<String, Long> map,
            Map<Id, Unit> byId,
            Optional<String> maybe,
            int[] ints,
            List<List<Id>> nested,
            List<@Nullable String> holes) {}

    record Trees(
            JsonValue any,
            JsonObject object,
            RawJson raw,
            @Nullable JsonValue gone,
            Object plain) {}

    record Node(String name, List<Node> children) {}

    record Page<T>(List<T> items, @Nullable String cursor) {}

    @JsonDiscriminator("type")
    sealed interface Block {
        @JsonName("text")
        record Text(String text) implements Block {}

        @JsonName("image")
        record Image(byte[] data, @JsonName("mimeType") String mime) implements Block {}

        @JsonInline
        record Other(JsonObject raw) implements Block {}
    }

    sealed interface Token {
        @JsonInline
        record Word(String value) implements Token {}

        @JsonInline
        record Count(long value) implements Token {}
    }

    sealed interface Outcome<T> {
        record Ok<T>(T value) implements Outcome<T> {}

        record Failed<T>(String why) implements Outcome<T> {}
    }

    @JsonDiscriminator(value = "mode", absent = "form")
    sealed interface Ask {
        @JsonName("form")
        record Form(String message) implements Ask {}

        @JsonName("url")
        record Url(String url) implements Ask {}
    }

    @JsonInline
    record Rows(List<Rows> rows) {}

    sealed interface Data {
        @JsonInline
        record Many(List<Data> values) implements Data {}

        @JsonInline
        record One(String value) implements Data {}
    }

    record Grid<T>(T[][] cells, byte @Nullable [] bytes) {}

    record Meta(@JsonName("_name") String name, @OtherMembers JsonObject others) {}

    record Life(@JsonAlways @Nullable Long ttl, @Nullable Long other) {}

    private static <T> T read(Class<T> type, String json) {
        return JsonCodec.of(type).read(RawJson.parse(json));
    }

    private static <T> String write(Class<T> type, T value) {
        return JsonCodec.of(type).write(value).toJson();
    }

    private static List<String> problems(Class<?> type, String json) {
        return problems(JsonCodec.of(type), json);
    }

    private static List<String> problems(JsonCodec<?> codec, String json) {
        try {
            codec.read(RawJson.parse(json));
            return List.of();
        } catch (JsonBindingException e) {
            return e.violations().stream().map(JsonViolation::toString).toList();
        }
    }

    @Nested
    class Values {
        @Test
        void theFirstBytesOfAnArrayAreReadAlone() {
            byte[] bytes = "[1,2]\u0000]".getBytes(StandardCharsets.UTF_8);
            JsonCodec<int[]> codec = JsonCodec.of(int[].class);
            assertThat(codec.read(bytes, 5)).containsExactly(1, 2);
            for (int length : new int[] {0, 4, 6, 7}) {
                assertThatThrownBy(() -> codec.read(bytes, length))
                        .isInstanceOf(JsonException.class);
            }
            assertThat(JsonCodec.of(Integer.class).read(new byte[] {'1', 0}, 1)).isEqualTo(1);
        }

        @Test
        void everyScalarKeepsItsValue() {
            String json =
                    """
                    {"text":"a\\"ü","flag":true,"tiny":-128,"small":300,"number":-5,"big":9007199254740993,\
                    "single":0.1,"real":2.5,"whole":123456789012345678901234567890,"exact":1.10,\
                    "unit":"celsius","bytes":"AQID","uri":"https://a.example/b",\
                    "uuid":"f81d4fae-7dec-11d0-a765-00a0c91e6bf6","instant":"2026-01-31T10:15:30Z",\
                    "date":"2026-01-31","dateTime":"2026-01-31T10:15:30","offset":"2026-01-31T10:15:30+02:00",\
                    "time":"10:15:30","duration":"PT1H30M"}\
                    """;
            Scalars value = read(Scalars.class, json);
            assertThat(value.big()).isEqualTo(9007199254740993L);
            assertThat(value.exact()).isEqualTo(new BigDecimal("1.10"));
            assertThat(value.bytes()).containsExactly(1, 2, 3);
            assertThat(value.duration()).isEqualTo(Duration.ofMinutes(90));
            assertThat(write(Scalars.class, value)).isEqualTo(json);
        }

        @Test
        void containersKeepTheirValues() {
            String json =
                    """
                    {"list":[1,2],"set":["celsius","KELVIN"],"map":{"b":1,"a":2},"byId":{"x":"KELVIN"},\
                    "maybe":"yes","ints":[3,4],"nested":[["a"],[]],"holes":["a",null]}\
                    """;
            Containers value = read(Containers.class, json);
            assertThat(value.byId()).containsEntry(new Id("x"), Unit.KELVIN);
            assertThat(value.maybe()).contains("yes");
            assertThat(value.ints()).containsExactly(3, 4);
            assertThat(value.holes()).containsExactly("a", null);
            assertThat(write(Containers.class, value)).isEqualTo(json);
        }

        @Test
        void whatIsReadCannotBeChanged() {
            Containers value =
                    read(
                            Containers.class,
                            """
                            {"list":[1],"set":[],"map":{},"byId":{},"ints":[],"nested":[],"holes":[null]}\
                            """);
            assertThat(value.maybe()).isEmpty();
            assertThatThrownBy(() -> value.list().add(1))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> value.set().clear())
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> value.map().put("a", 1L))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> value.holes().add("a"))
                    .isInstanceOf(UnsupportedOperationException.class);
        }

        @Test
        void jsonStaysAsItIs() {
            String json =
                    """
                    {"any":null,"object":{"b":1.0,"a":[]},"raw":{ "x" : 1 },"gone":null,"plain":[1,"a"]}\
                    """;
            Trees value = read(Trees.class, json);
            assertThat(value.any()).isEqualTo(JsonNull.NULL);
            assertThat(value.gone()).isEqualTo(JsonNull.NULL);
            assertThat(value.raw().toJson()).isEqualTo("{ \"x\" : 1 }");
            assertThat(write(Trees.class, value)).isEqualTo(json);
            assertThat(read(Trees.class, "{\"any\":1,\"object\":{},\"raw\":2,\"plain\":3}").gone())
                    .isNull();
        }

        @Test
        void anObjectIsWrittenByItsClass() {
            Trees value =
                    new Trees(
                            JsonNull.NULL,
                            JsonObject.EMPTY,
                            RawJson.EMPTY_OBJECT,
                            null,
                            Map.of("k", List.of(new Id("x"), Unit.CELSIUS, Instant.EPOCH)));
            assertThat(write(Trees.class, value))
                    .isEqualTo(
                            """
                            {"any":null,"object":{},"raw":{},"plain":{"k":["x","celsius","1970-01-01T00:00:00Z"]}}\
                            """);
        }

        @Test
        void recordsMayContainThemselves() {
            String json =
                    """
                    {"name":"a","children":[{"name":"b","children":[]}]}\
                    """;
            Node node = read(Node.class, json);
            assertThat(node.children()).containsExactly(new Node("b", List.of()));
            assertThat(write(Node.class, node)).isEqualTo(json);
        }

        @Test
        void inlineRecordsMayContainThemselves() {
            String json = "[[],[[]]]";
            assertThat(write(Rows.class, read(Rows.class, json))).isEqualTo(json);
            assertThat(JsonSchema.of(Rows.class).json().toJson())
                    .isEqualTo("{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}");
            Data.Many many = read(Data.Many.class, "[\"a\",[\"b\"]]");
            assertThat(many)
                    .isEqualTo(
                            new Data.Many(
                                    List.of(
                                            new Data.One("a"),
                                            new Data.Many(List.of(new Data.One("b"))))));
            assertThat(read(Data.class, "[\"a\",[\"b\"]]")).isEqualTo(many);
            assertThat(JsonSchema.of(Data.class).validate(JsonValue.parse("[\"a\",[\"b\",1]]")))
                    .isNotEmpty();
            assertThat(JsonSchema.of(Data.class).validate(JsonValue.parse("[\"a\",[\"b\"]]")))
                    .isEmpty();
        }

        @Test
        void arraysMayBeGeneric() {
            JsonCodec<Grid<Id>> ids = JsonCodec.of(new TypeRef<Grid<Id>>() {});
            String json = "{\"cells\":[[\"a\",\"b\"],[]]}";
            Grid<Id> grid = ids.read(RawJson.parse(json));
            assertThat(grid.cells()[0]).containsExactly(new Id("a"), new Id("b"));
            assertThat(grid.bytes()).isNull();
            assertThat(ids.write(grid).toJson()).isEqualTo(json);
            JsonCodec<Grid<List<Id>>> lists = JsonCodec.of(new TypeRef<Grid<List<Id>>>() {});
            assertThat(lists.read(RawJson.parse("{\"cells\":[[[\"a\"]]]}")).cells()[0][0])
                    .containsExactly(new Id("a"));
        }

        @Test
        void genericTypesAreGivenByATypeRef() {
            JsonCodec<Page<Id>> codec = JsonCodec.of(new TypeRef<Page<Id>>() {});
            Page<Id> page = codec.read(JsonObject.of("items", List.of("a"), "cursor", null));
            assertThat(page).isEqualTo(new Page<>(List.of(new Id("a")), null));
            assertThat(codec.write(page).toJson()).isEqualTo("{\"items\":[\"a\"]}");
            assertThat(JsonCodec.of(new TypeRef<Page<Id>>() {})).isSameAs(codec);
        }

        @Test
        void integersMayHaveAFractionOfZero() {
            assertThat(read(Query.class, "{\"city\":\"Oslo\",\"days\":5.0}").days()).isEqualTo(5);
            assertThat(read(Query.class, "{\"city\":\"Oslo\",\"days\":1e1}").days()).isEqualTo(10);
        }

        @Test
        void otherMembersAreKept() {
            Meta meta = read(Meta.class, "{\"x\":1,\"_name\":\"a\",\"y\":{\"z\":null}}");
            assertThat(meta.others())
                    .isEqualTo(JsonObject.of("x", 1, "y", JsonObject.of("z", null)));
            assertThat(write(Meta.class, meta))
                    .isEqualTo("{\"_name\":\"a\",\"x\":1,\"y\":{\"z\":null}}");
        }

        @Test
        void onlyMembersSaidToBeAlwaysThereAreWrittenAsNull() {
            assertThat(write(Life.class, new Life(null, null))).isEqualTo("{\"ttl\":null}");
            assertThat(read(Life.class, "{\"ttl\":null}")).isEqualTo(new Life(null, null));
            assertThat(read(Life.class, "{}")).isEqualTo(new Life(null, null));
        }
    }

    @Nested
    class Choices {
        @Test
        void aCaseIsChosenByItsDiscriminatorAtAnyPosition() {
            assertThat(read(Block.class, "{\"type\":\"text\",\"text\":\"hi\"}"))
                    .isEqualTo(new Block.Text("hi"));
            assertThat(read(Block.class, "{\"text\":\"hi\",\"x\":[{}],\"type\":\"text\"}"))
                    .isEqualTo(new Block.Text("hi"));
        }

        @Test
        void anUnknownCaseKeepsItsJson() {
            String first = "{\"type\":\"video\",\"url\":\"u\"}";
            String last = "{\"url\":\"u\",\"type\":\"video\"}";
            assertThat(read(Block.class, first)).isInstanceOf(Block.Other.class);
            assertThat(write(Block.class, read(Block.class, first))).isEqualTo(first);
            assertThat(write(Block.class, read(Block.class, last))).isEqualTo(last);
        }

        @Test
        void aDiscriminatorIsWrittenFirstAlsoWhereTheTypeIsKnown() {
            assertThat(write(Block.class, new Block.Text("hi")))
                    .isEqualTo("{\"type\":\"text\",\"text\":\"hi\"}");
            assertThat(write(Block.Text.class, new Block.Text("hi")))
                    .isEqualTo("{\"type\":\"text\",\"text\":\"hi\"}");
            assertThat(problems(Block.Text.class, "{\"type\":\"image\",\"text\":\"\"}"))
                    .containsExactly("type must be text");
        }

        @Test
        void scalarCasesAreDistinguishedByTheirKind() {
            assertThat(read(Token.class, "\"a\"")).isEqualTo(new Token.Word("a"));
            assertThat(read(Token.class, "7")).isEqualTo(new Token.Count(7));
            assertThat(write(Token.class, new Token.Count(7))).isEqualTo("7");
            assertThat(problems(Token.class, "true"))
                    .containsExactly("must be a string or a number but was a boolean");
        }

        @Test
        void typeArgumentsReachTheCases() {
            JsonCodec<Outcome<Id>> codec = JsonCodec.of(new TypeRef<Outcome<Id>>() {});
            Outcome<Id> outcome = codec.read(RawJson.parse("{\"type\":\"Ok\",\"value\":\"a\"}"));
            assertThat(outcome).isEqualTo(new Outcome.Ok<>(new Id("a")));
            assertThat(codec.write(outcome).toJson())
                    .isEqualTo("{\"type\":\"Ok\",\"value\":\"a\"}");
        }

        @Test
        void anAbsentDiscriminatorMayMeanACase() {
            assertThat(read(Ask.class, "{\"message\":\"m\"}")).isEqualTo(new Ask.Form("m"));
            assertThat(read(Ask.class, "{\"url\":\"u\",\"mode\":\"url\"}"))
                    .isEqualTo(new Ask.Url("u"));
            assertThat(write(Ask.class, new Ask.Form("m")))
                    .isEqualTo("{\"mode\":\"form\",\"message\":\"m\"}");
        }

        @Test
        void anUnknownCaseIsAViolation() {
            assertThat(problems(Ask.class, "{\"mode\":\"fax\"}"))
                    .containsExactly("mode must be one of form, url");
            assertThat(problems(Block.class, "{\"text\":\"x\"}"))
                    .containsExactly("type is missing");
            assertThat(problems(Block.class, "{\"type\":1}"))
                    .containsExactly("type must be one of text, image");
            assertThat(read(Block.class, "{\"a\":1,\"type\":\"\"}"))
                    .isInstanceOf(Block.Other.class);
            assertThat(problems(Ask.class, "{\"mode\":1}"))
                    .containsExactly("mode must be one of form, url");
        }
    }

    @Nested
    class Violations {
        record Part(@Matches("(.+)-(.+)-(.+)z") String name) {}

        @Test
        void textsThatAreCostlyToMatchShareTheEffortOfOneReading() {
            String part = "{\"name\":\"" + "-a".repeat(62) + "\"}";
            RawJson json = RawJson.parse("[" + (part + ",").repeat(20_000) + part + "]");
            assertThatThrownBy(() -> JsonCodec.of(new TypeRef<List<Part>>() {}).read(json))
                    .isInstanceOf(JsonBindingException.class)
                    .hasMessageContaining("[0].name must match")
                    .hasMessageContaining("name takes too much effort to match with ^(?:(.+)");
        }

        @Test
        void allAreReportedWithTheirPaths() {
            record Item(String name, int count) {}
            record Order(List<Item> items, Map<String, Item> more, boolean paid) {}
            assertThat(
                            problems(
                                    Order.class,
                                    """
                                    {"items":[{"name":"a","count":1},{"name":2,"count":1.5},7],
                                     "more":{"k":{"count":"x"}},"paid":null}\
                                    """))
                    .containsExactly(
                            "items[1].name must be a string but was a number",
                            "items[1].count must be an integer",
                            "items[2] must be an object but was a number",
                            "more.k.count must be an integer but was a string",
                            "more.k.name is missing",
                            "paid must be a boolean but was null");
        }

        @Test
        void constraintsAreChecked() {
            assertThat(problems(Query.class, "{\"city\":\"\",\"days\":11,\"unit\":\"F\"}"))
                    .containsExactly(
                            "city must have 1 to 80 characters but has 0",
                            "days must be from 0 to 10",
                            "unit must be one of celsius, KELVIN");
        }

        record Bounds(
                @Range(min = 0.01, max = 0.1) BigDecimal exact,
                @Range(min = 0.01, max = 0.1) float single,
                @Range(min = 0.01, max = 0.1) double real,
                @Range(min = 1L << 60, max = Long.MAX_VALUE) long big) {}

        @Test
        void aBoundIsTheNumberThatWasWritten() {
            String json = "{'exact':%s,'single':%s,'real':%s,'big':%s}".replace('\'', '"');
            for (String each : List.of("0.01", "0.010", "0.1")) {
                for (long big : List.of(1L << 60, Long.MAX_VALUE)) {
                    assertThat(problems(Bounds.class, json.formatted(each, each, each, big)))
                            .isEmpty();
                }
            }
            long below = (1L << 60) - 1;
            assertThat(problems(Bounds.class, json.formatted("0.0099", "0.11", "0.11", below)))
                    .containsExactly(
                            "exact must be from 0.01 to 0.1",
                            "single must be from 0.01 to 0.1",
                            "real must be from 0.01 to 0.1",
                            "big must be from 1152921504606846976 to 9223372036854775807");
            assertThat(JsonSchema.of(Bounds.class).toString())
                    .contains("\"exact\":{\"type\":\"number\",\"minimum\":0.01,\"maximum\":0.1}")
                    .contains("\"minimum\":1152921504606846976,\"maximum\":9223372036854775807");
        }

        @Test
        void whatAConstructorRefusesIsAViolation() {
            assertThat(problems(Query.class, "{\"city\":\" \"}"))
                    .containsExactly("city must not be blank");
        }

        @Test
        void absentMembersHaveTheirDefaultOrAreMissing() {
            assertThat(read(Query.class, "{\"city\":\"Oslo\"}"))
                    .isEqualTo(new Query("Oslo", 1, null));
            assertThat(read(Query.class, "{\"city\":\"Oslo\",\"days\":null,\"unit\":null}"))
                    .isEqualTo(new Query("Oslo", 1, null));
            assertThat(problems(Query.class, "{}")).containsExactly("city is missing");
            assertThat(problems(Node.class, "{\"name\":\"a\"}"))
                    .containsExactly("children is missing");
        }

        @Test
        void aMemberMayNotStandTwice() {
            assertThat(problems(Query.class, "{\"city\":\"a\",\"city\":\"b\"}"))
                    .containsExactly("city is there twice");
            assertThat(problems(Query.class, "{\"city\":\"a\",\"x\":1,\"x\":2}"))
                    .containsExactly("x is there twice");
            assertThat(problems(Meta.class, "{\"_name\":\"a\",\"x\":1,\"x\":2}"))
                    .containsExactly("x is there twice");
            assertThat(
                            problems(
                                    Trees.class,
                                    "{\"any\":{\"a\":1,\"a\":1},\"object\":{},\"raw\":2,\"plain\":3}"))
                    .containsExactly("any has two members named a");
            assertThat(
                            problems(
                                    JsonCodec.of(new TypeRef<Map<String, Integer>>() {}),
                                    "{\"a\":1,\"a\":2}"))
                    .containsExactly("a is there twice");
        }

        @Test
        void unknownMembersAreViolationsOnlyIfAskedFor() {
            assertThat(problems(Query.class, "{\"city\":\"a\",\"zip\":1}")).isEmpty();
            assertThat(problems(JsonCodec.of(Query.class).strict(), "{\"city\":\"a\",\"zip\":1}"))
                    .containsExactly("zip is unknown (known: city, days, unit)");
            assertThat(problems(JsonCodec.of(Meta.class).strict(), "{\"_name\":\"a\",\"zip\":1}"))
                    .isEmpty();
        }

        @Test
        void numbersBeyondTheirTypeAreViolations() {
            assertThat(problems(Query.class, "{\"city\":\"a\",\"days\":3000000000}"))
                    .containsExactly("days must be from -2147483648 to 2147483647");
            assertThat(problems(Query.class, "{\"city\":\"a\",\"days\":1e999999999}"))
                    .containsExactly("days must be from -2147483648 to 2147483647");
            assertThat(problems(double.class, "1e400")).containsExactly("is too large");
            assertThat(problems(BigInteger.class, "1e999999999"))
                    .containsExactly("must have at most 1000 digits");
        }

        @Test
        void theirNumberIsBounded() {
            String json = "[" + "true,".repeat(9999) + "true]";
            assertThat(problems(JsonCodec.of(new TypeRef<List<Integer>>() {}), json)).hasSize(50);
        }

        @Test
        void stringsMayBeTakenForNumbersWhereThereAreOnlyStrings() {
            JsonCodec<Query> codec = JsonCodec.of(Query.class).fromStrings();
            assertThat(codec.read(JsonObject.of("city", "Oslo", "days", "3")))
                    .isEqualTo(new Query("Oslo", 3, null));
            assertThat(problems(codec, "{\"city\":\"a\",\"days\":\"many\"}"))
                    .containsExactly("days must be an integer");
        }
    }

    @Nested
    class Strings {
        record Node(@Nullable Node next, @Nullable List<Integer> values) {}

        private static final JsonCodec<Node> NODES =
                JsonCodec.of(Node.class).strict().fromStrings();

        private static String quoted(String json) {
            return new JsonString(json).toJson();
        }

        @Test
        void aMemberMayBeAStringThatContainsItsJson() {
            Node expected = new Node(new Node(null, List.of(1, 2)), null);
            String inner = "{\"values\":" + quoted(" [1, \"2\"] ") + "}";
            assertThat(NODES.read(RawJson.parse("{\"next\":" + quoted(inner) + "}")))
                    .isEqualTo(expected);
            assertThat(problems(JsonCodec.of(Node.class), "{\"values\":\"[1]\"}"))
                    .containsExactly("values must be an array but was a string");
            assertThat(problems(NODES, "{\"values\":\"{}\"}"))
                    .containsExactly("values must be an array but was a string");
            assertThat(problems(NODES, "{\"values\":\"[1,\"}"))
                    .containsExactly("values must be an array but was a string");
            assertThat(problems(NODES, "{\"values\":\"[1,[]]\"}"))
                    .containsExactly("values[1] must be an integer but was an array");
        }

        /** The depth of the text and that of the strings in it add up. */
        @ParameterizedTest
        @CsvSource({"240,true", "260,false"})
        void theirDepthIsBounded(int depth, boolean fits) {
            String half = "{\"next\":".repeat(depth);
            String json = half + quoted(half + "{}" + "}".repeat(depth)) + "}".repeat(depth);
            List<String> problems = problems(NODES, json);
            if (fits) {
                assertThat(problems).isEmpty();
            } else {
                assertThat(problems.toString()).contains("must be an object but was a string");
            }
        }

        @Test
        void theNumberOfTheirValuesIsBoundedInAll() {
            String half = quoted("[" + "1,".repeat(599_999) + "1]");
            assertThat(problems(NODES, "{\"values\":" + half + "}")).isEmpty();
            String both = "{\"next\":{\"values\":" + half + "},\"values\":" + half + "}";
            assertThat(problems(NODES, both))
                    .containsExactly("values must be an array but was a string");
        }
    }

    @Nested
    class Types {
        record Broken(Query query, List<Thread> threads) {}

        record BadPattern(@Matches("[") String text) {}

        record BadDefault(@Default("many") int count) {}

        record BadRange(@Range(min = 1) String text) {}

        record EmptyRange(@Range(min = 5, max = 1) int count) {}

        record NoRange(@Range(min = Double.NaN) int count) {}

        record BadKeyword(@Label("Ratio") double ratio) {}

        record BadText(@Label("Ra tio") String ratio) {}

        record BadKey(Map<Query, String> map) {}

        @Test
        void aTypeWithoutJsonFormIsNamed() {
            assertThatThrownBy(() -> JsonCodec.of(Broken.class))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Broken.threads: java.lang.Thread has no JSON form");
            assertThatThrownBy(() -> JsonCodec.of(Page.class))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("give it by a TypeRef");
            assertThatThrownBy(() -> JsonCodec.of(BadKey.class))
                    .hasMessageContaining("no text form");
            assertThatThrownBy(() -> TypeRef.of(null)).hasMessage("type");
        }

        @Test
        void annotationsThatDoNotFitAreRefused() {
            assertThatThrownBy(() -> JsonCodec.of(BadDefault.class))
                    .hasMessage(
                            BadDefault.class.getName()
                                    + ".count: @Default(\"many\") does not fit int count");
            assertThatThrownBy(() -> JsonCodec.of(BadRange.class))
                    .hasMessageContaining("@Range is for numbers, not for java.lang.String text");
            assertThatThrownBy(() -> JsonCodec.of(EmptyRange.class))
                    .hasMessageContaining("EmptyRange.")
                    .hasMessageContaining(": @Range(min = 5, max = 1) allows nothing");
            assertThatThrownBy(() -> JsonCodec.of(BadPattern.class))
                    .hasMessageContaining(
                            "BadPattern.text: @Matches(\"[\") is refused: not a regular"
                                    + " expression");
            assertThatThrownBy(() -> JsonCodec.of(NoRange.class))
                    .hasMessageContaining("@Range(min = NaN) allows nothing");
            assertThatThrownBy(() -> JsonCodec.of(BadKeyword.class))
                    .hasMessageContaining(
                            "@Label is for strings, integers and booleans, not for double ratio");
            assertThatThrownBy(() -> JsonCodec.of(BadText.class))
                    .hasMessageContaining("@Label(\"Ra tio\") must be a word");
        }
    }

    record Pair(int a, RawJson b) {}

    @Test
    void bytesAreCheckedAndBoundInOnePass() {
        JsonCodec<Pair> codec = JsonCodec.of(Pair.class);
        Pair pair =
                codec.read(
                        "{\"b\": [1, {\"x\": \"\u00e9\"}], \"a\": 1}"
                                .getBytes(StandardCharsets.UTF_8));
        assertThat(pair.a()).isEqualTo(1);
        assertThat(pair.b().toJson()).isEqualTo("[1, {\"x\": \"\u00e9\"}]");
        for (String malformed :
                List.of("", "{\"a\": 1, \"b\": 2} x", "{\"a\": 1, \"b\": [}", "{\"a\": 1")) {
            assertThatThrownBy(() -> codec.read(malformed.getBytes(StandardCharsets.UTF_8)))
                    .isInstanceOf(JsonException.class);
        }
        assertThatThrownBy(
                        () ->
                                codec.read(
                                        "{\"a\": 1, \"b\": \"\u00e9\"}"
                                                .getBytes(StandardCharsets.ISO_8859_1)))
                .isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> codec.read("{\"a\": \"x\"}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(JsonBindingException.class);
    }

    @Test
    void aTextIsCopiedIntoAnArray() {
        byte[] target = {9, 9, 9, 9, 9};
        RawJson.parse("{\"a\": 12}").member("a").copyTo(target, 2);
        assertThat(target).containsExactly(9, 9, '1', '2', 9);
        assertThatThrownBy(() -> RawJson.parse("12").copyTo(target, 4))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    record Open(String name, @Nullable Integer size, @OtherMembers JsonObject others) {}

    @Nested
    class AMemberIsPassedOver {
        private final JsonCodec<Open> codec = JsonCodec.of(Open.class);

        private Optional<Open> readIf(String json) {
            return codec.readIf("kind", "plain", RawJson.parse(json));
        }

        @Test
        void asIfItWereNotThere() {
            Open expected = new Open("a", 1, JsonObject.of("more", true));
            for (String json :
                    List.of(
                            "{'kind': 'plain', 'name': 'a', 'size': 1, 'more': true}",
                            "{'name': 'a', 'size': 1, 'more': true, 'kind': 'plain'}",
                            "{'name': 'a', 'size': 1, 'more': true}")) {
                String quoted = json.replace('\'', '"');
                assertThat(readIf(quoted)).contains(expected);
                assertThat(codec.readWithout(List.of("kind"), RawJson.parse(quoted)))
                        .isEqualTo(expected);
            }
            assertThat(
                            codec.readWithout(
                                    List.of("kind"),
                                    RawJson.parse("{\"name\": \"a\", \"kind\": 7}")))
                    .isEqualTo(new Open("a", null, JsonObject.EMPTY));
        }

        @Test
        void inTheOutermostObjectAlone() {
            assertThat(
                            readIf("{\"name\": \"a\", \"more\": {\"kind\": \"other\"}}")
                                    .orElseThrow()
                                    .others()
                                    .object("more"))
                    .isEqualTo(JsonObject.of("kind", "other"));
        }

        @Test
        void anotherValueIsNotBound() {
            assertThat(readIf("{\"kind\": \"other\"}")).isEmpty(); // without a name
            assertThat(readIf("{\"size\": \"big\", \"kind\": 7}")).isEmpty();
            assertThat(readIf("{\"kind\": null, \"name\": \"a\"}")).isPresent(); // as if absent
        }

        @Test
        void violationsAreReported() {
            assertThatThrownBy(() -> readIf("{\"kind\": \"plain\"}"))
                    .isInstanceOf(JsonBindingException.class)
                    .hasMessageContaining("name");
            assertThatThrownBy(
                            () ->
                                    readIf(
                                            "{\"kind\": \"plain\", \"name\": \"a\","
                                                    + " \"kind\": \"plain\"}"))
                    .isInstanceOf(JsonBindingException.class)
                    .hasMessageContaining("twice");
            assertThatThrownBy(() -> readIf("[]")).isInstanceOf(JsonBindingException.class);
        }

        @Test
        void severalAreEachThereOnce() {
            List<String> names = List.of("kind", "more");
            Open expected = new Open("a", 1, JsonObject.of("rest", 2));
            assertThat(
                            codec.readWithout(
                                    names,
                                    RawJson.parse(
                                            "{\"more\":[1],\"name\":\"a\",\"kind\":{},\"size\":1,\"rest\":2}")))
                    .isEqualTo(expected);
            assertThatThrownBy(
                            () ->
                                    codec.readWithout(
                                            names,
                                            RawJson.parse(
                                                    "{\"more\":1,\"name\":\"a\",\"kind\":2,\"more\":3}")))
                    .isInstanceOf(JsonBindingException.class)
                    .hasMessageContaining("more")
                    .hasMessageContaining("twice");
        }

        @Test
        void thereMayBe31OfThem() {
            RawJson json = RawJson.parse("{\"name\":\"a\"}");
            List<String> most = IntStream.range(0, 31).mapToObj(i -> "m" + i).toList();
            assertThat(codec.readWithout(most, json))
                    .isEqualTo(new Open("a", null, JsonObject.EMPTY));
            assertThatThrownBy(
                            () ->
                                    codec.readWithout(
                                            IntStream.range(0, 32).mapToObj(i -> "m" + i).toList(),
                                            json))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("31");
        }

        @Test
        void onlyRecordsHaveThem() {
            JsonCodec<Map<String, String>> map = JsonCodec.of(new TypeRef<>() {});
            assertThatThrownBy(() -> map.readWithout(List.of("kind"), RawJson.EMPTY_OBJECT))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void membersAreWrittenIntoAnObjectUnderWay() {
            JsonWriter writer = new JsonWriter(0).beginObject().name("first").bool(true);
            JsonObject others = JsonObject.of("more", 2, "first", "twice");
            codec.writeMembers(new Open("a", 1, others), writer, List.of("first"));
            assertThat(writer.name("last").nullValue().endObject().finish().toJson())
                    .isEqualTo(
                            "{\"first\":true,\"name\":\"a\",\"size\":1,\"more\":2,\"last\":null}");
            assertThatThrownBy(() -> JsonCodec.of(String.class).writeMembers("a", new JsonWriter()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aNestedMemberIsFoundInOnePass() {
        RawJson json =
                RawJson.parse("{\"a\": [1], \"b\": {\"c\": 1, \"d\": {\"e\": 2}}, \"f\": 3}");
        assertThat(json.member("b", "d")).hasToString("{\"e\": 2}");
        assertThat(json.member("b", "e")).isNull();
        assertThat(json.member("f", "e")).isNull();
        assertThat(json.member("x", "e")).isNull();
        assertThat(RawJson.parse("[1]").member("a", "b")).isNull();
    }
}
