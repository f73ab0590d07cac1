package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.GeneratedSchemaTest.Block;
import dev.fairlead.json.GeneratedSchemaTest.Deep;
import dev.fairlead.json.GeneratedSchemaTest.Expression;
import dev.fairlead.json.GeneratedSchemaTest.Id;
import dev.fairlead.json.GeneratedSchemaTest.Node;
import dev.fairlead.json.GeneratedSchemaTest.Nothing;
import dev.fairlead.json.GeneratedSchemaTest.Open;
import dev.fairlead.json.GeneratedSchemaTest.Pace;
import dev.fairlead.json.GeneratedSchemaTest.Page;
import dev.fairlead.json.GeneratedSchemaTest.Query;
import dev.fairlead.json.GeneratedSchemaTest.Token;
import dev.fairlead.json.GeneratedSchemaTest.Unit;
import dev.fairlead.json.GeneratedSchemaTest.Wide;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Types described in code, with reflection as the judge. */
class DescribedTypeTest {
    record Several(@JsonOneOrMany @Default("[]") List<String> names, Collection<Long> ids) {}

    sealed interface Links {}

    record End() implements Links {}

    record Chain(Links rest) implements Links {}

    @JsonDiscriminator(value = "kind", absent = "circle")
    sealed interface Drawn {}

    @JsonName("circle")
    record Circle(double radius) implements Drawn {}

    record Square(double side) implements Drawn {}

    private static final DescribedType<Unit> UNIT =
            DescribedType.enumeration(Unit.class)
                    .constant(Unit.CELSIUS, "celsius")
                    .constant(Unit.KELVIN, "KELVIN")
                    .build();

    private static final DescribedType<Pace> PACE =
            DescribedType.enumeration(Pace.class)
                    .constant(Pace.FAST, "FAST", "As fast as can be")
                    .constant(Pace.SLOW, "SLOW")
                    .build();

    private static final DescribedType<Query> QUERY =
            DescribedType.record(Query.class)
                    .doc("What to forecast")
                    .component("city", TypeRef.of(String.class), Query::city)
                    .doc("City name")
                    .size(1, 80)
                    .component("days", TypeRef.of(int.class), Query::days)
                    .range(0, 10)
                    .defaultValue("1")
                    .component("unit", UNIT, Query::unit)
                    .doc("By default the usual unit")
                    .nullable()
                    .build(
                            values ->
                                    new Query(
                                            values.<String>get(0),
                                            values.<Integer>get(1),
                                            values.<@Nullable Unit>get(2)));

    private static final DescribedType<Nothing> NOTHING =
            DescribedType.record(Nothing.class).build(values -> new Nothing());

    private static final DescribedType<Id> ID =
            DescribedType.record(Id.class)
                    .inline()
                    .component("value", TypeRef.of(String.class), Id::value)
                    .doc("Name of a thing")
                    .size(2, 20)
                    .build(values -> new Id(values.<String>get(0)));

    private static final DescribedType<Wide> WIDE =
            DescribedType.record(Wide.class)
                    .component("flag", TypeRef.of(boolean.class), Wide::flag)
                    .component("tiny", TypeRef.of(byte.class), Wide::tiny)
                    .component("big", TypeRef.of(long.class), Wide::big)
                    .component("real", TypeRef.of(double.class), Wide::real)
                    .component("whole", TypeRef.of(BigInteger.class), Wide::whole)
                    .component("exact", TypeRef.of(BigDecimal.class), Wide::exact)
                    .component("pace", PACE, Wide::pace)
                    .component("defaulted", PACE, Wide::defaulted)
                    .defaultValue("SLOW")
                    .component(
                            "instant",
                            DescribedType.optional(TypeRef.of(Instant.class)),
                            Wide::instant)
                    .component("date", TypeRef.of(LocalDate.class), Wide::date)
                    .component("uri", TypeRef.of(URI.class), Wide::uri)
                    .component("uuid", TypeRef.of(UUID.class), Wide::uuid)
                    .component("duration", TypeRef.of(Duration.class), Wide::duration)
                    .component("bytes", TypeRef.of(byte[].class), Wide::bytes)
                    .component("id", ID, Wide::id)
                    .component("any", TypeRef.of(JsonValue.class), Wide::any)
                    .component("object", TypeRef.of(JsonObject.class), Wide::object)
                    .component("code", TypeRef.of(String.class), Wide::code)
                    .matches("[a-z]+(-[0-9]+)?")
                    .component("mail", TypeRef.of(String.class), Wide::mail)
                    .nullable()
                    .format("email")
                    .component("ttl", TypeRef.of(Long.class), Wide::ttl)
                    .nullable()
                    .always()
                    .component("unit", UNIT, Wide::unit)
                    .nullable()
                    .always()
                    .build(
                            values ->
                                    new Wide(
                                            values.<Boolean>get(0),
                                            values.<Byte>get(1),
                                            values.<Long>get(2),
                                            values.<Double>get(3),
                                            values.<BigInteger>get(4),
                                            values.<BigDecimal>get(5),
                                            values.<Pace>get(6),
                                            values.<Pace>get(7),
                                            values.<Optional<Instant>>get(8),
                                            values.<LocalDate>get(9),
                                            values.<URI>get(10),
                                            values.<UUID>get(11),
                                            values.<Duration>get(12),
                                            values.<byte[]>get(13),
                                            values.<Id>get(14),
                                            values.<JsonValue>get(15),
                                            values.<JsonObject>get(16),
                                            values.<String>get(17),
                                            values.<@Nullable String>get(18),
                                            values.<@Nullable Long>get(19),
                                            values.<@Nullable Unit>get(20)));

    private static final DescribedType<Deep> DEEP =
            DescribedType.record(Deep.class)
                    .component("queries", DescribedType.list(QUERY), Deep::queries)
                    .size(1, 3)
                    .component("units", DescribedType.set(UNIT), Deep::units)
                    .component("paces", DescribedType.set(PACE), Deep::paces)
                    .component(
                            "map",
                            DescribedType.map(
                                    TypeRef.of(String.class),
                                    DescribedType.list(TypeRef.of(Integer.class))),
                            Deep::map)
                    .size(0, 2)
                    .component(
                            "byUnit",
                            DescribedType.map(UNIT, TypeRef.of(Boolean.class)),
                            Deep::byUnit)
                    .component(
                            "holes",
                            DescribedType.list(DescribedType.nullable(TypeRef.of(Long.class))),
                            Deep::holes)
                    .component(
                            "grid",
                            DescribedType.array(
                                    int[][].class,
                                    DescribedType.array(int[].class, TypeRef.of(int.class))),
                            Deep::grid)
                    .component("ratio", TypeRef.of(double.class), Deep::ratio)
                    .range(0.5, 2.5)
                    .component("words", DescribedType.list(TypeRef.of(String.class)), Deep::words)
                    .defaultValue("[\"a\"]")
                    .build(
                            values ->
                                    new Deep(
                                            values.<List<Query>>get(0),
                                            values.<Set<Unit>>get(1),
                                            values.<Set<Pace>>get(2),
                                            values.<Map<String, List<Integer>>>get(3),
                                            values.<Map<Unit, Boolean>>get(4),
                                            values.<List<@Nullable Long>>get(5),
                                            values.<int[][]>get(6),
                                            values.<Double>get(7),
                                            values.<List<String>>get(8)));

    private static final DescribedType<Node> NODE =
            DescribedType.record(Node.class)
                    .component("name", TypeRef.of(String.class), Node::name)
                    .component(
                            "children",
                            DescribedType.list(
                                    DescribedType.later(Node.class, () -> DescribedTypeTest.NODE)),
                            Node::children)
                    .component(
                            "next",
                            DescribedType.later(Node.class, () -> DescribedTypeTest.NODE),
                            Node::next)
                    .nullable()
                    .build(
                            values ->
                                    new Node(
                                            values.<String>get(0),
                                            values.<List<Node>>get(1),
                                            values.<@Nullable Node>get(2)));

    private static final DescribedType<Block> BLOCK =
            DescribedType.sealedInterface(Block.class)
                    .permits(
                            "Text",
                            DescribedType.record(Block.Text.class)
                                    .component("text", TypeRef.of(String.class), Block.Text::text)
                                    .size(0, 20)
                                    .build(values -> new Block.Text(values.<String>get(0))))
                    .permits(
                            "list",
                            DescribedType.record(Block.Listing.class)
                                    .component(
                                            "blocks",
                                            DescribedType.list(
                                                    DescribedType.later(
                                                            Block.class,
                                                            () -> DescribedTypeTest.BLOCK)),
                                            Block.Listing::blocks)
                                    .build(values -> new Block.Listing(values.<List<Block>>get(0))))
                    .permits(
                            "Other",
                            DescribedType.record(Block.Other.class)
                                    .inline()
                                    .component(
                                            "raw", TypeRef.of(JsonObject.class), Block.Other::raw)
                                    .build(values -> new Block.Other(values.<JsonObject>get(0))))
                    .build();

    private static final DescribedType<Expression> EXPRESSION =
            DescribedType.sealedInterface(Expression.class)
                    .discriminator("kind", "")
                    .permits(
                            "Constant",
                            DescribedType.record(Expression.Constant.class)
                                    .discriminator("kind", "Constant", false)
                                    .component(
                                            "value",
                                            TypeRef.of(double.class),
                                            Expression.Constant::value)
                                    .build(
                                            values ->
                                                    new Expression.Constant(values.<Double>get(0))))
                    .permits(
                            "Sum",
                            DescribedType.record(Expression.Sum.class)
                                    .discriminator("kind", "Sum", false)
                                    .component("left", expression(), Expression.Sum::left)
                                    .component("right", expression(), Expression.Sum::right)
                                    .build(
                                            values ->
                                                    new Expression.Sum(
                                                            values.<Expression>get(0),
                                                            values.<Expression>get(1))))
                    .build();

    private static DescribedType<Expression> expression() {
        return DescribedType.later(Expression.class, () -> EXPRESSION);
    }

    private static final DescribedType<Chain> CHAIN =
            DescribedType.record(Chain.class)
                    .component(
                            "rest",
                            DescribedType.sealedInterface(Links.class)
                                    .permits(
                                            "End",
                                            DescribedType.record(End.class)
                                                    .build(values -> new End()))
                                    .permits(
                                            "Chain",
                                            DescribedType.later(
                                                    Chain.class, () -> DescribedTypeTest.CHAIN))
                                    .build(),
                            Chain::rest)
                    .build(values -> new Chain(values.<Links>get(0)));

    private static final DescribedType<Token> TOKEN =
            DescribedType.sealedInterface(Token.class)
                    .permits(
                            "Word",
                            DescribedType.record(Token.Word.class)
                                    .inline()
                                    .component("value", TypeRef.of(String.class), Token.Word::value)
                                    .build(values -> new Token.Word(values.<String>get(0))))
                    .permits(
                            "Count",
                            DescribedType.record(Token.Count.class)
                                    .inline()
                                    .component("value", TypeRef.of(long.class), Token.Count::value)
                                    .build(values -> new Token.Count(values.<Long>get(0))))
                    .build();

    private static final DescribedType<Open> OPEN =
            DescribedType.record(Open.class)
                    .component("name", TypeRef.of(String.class), Open::name)
                    .component("others", TypeRef.of(JsonObject.class), Open::others)
                    .otherMembers()
                    .build(values -> new Open(values.<String>get(0), values.<JsonObject>get(1)));

    private static final DescribedType<Page<Block>> PAGE_OF_BLOCKS =
            DescribedType.<Page<Block>>record(Page.class)
                    .component("items", DescribedType.list(BLOCK), Page::items)
                    .component(
                            "cursor",
                            DescribedType.optional(TypeRef.of(String.class)),
                            Page::cursor)
                    .build(
                            values ->
                                    new Page<>(
                                            values.<List<Block>>get(0),
                                            values.<Optional<String>>get(1)));

    private static final DescribedType<Several> SEVERAL =
            DescribedType.record(Several.class)
                    .component(
                            "names", DescribedType.list(TypeRef.of(String.class)), Several::names)
                    .oneOrMany()
                    .defaultValue("[]")
                    .component(
                            "ids", DescribedType.collection(TypeRef.of(Long.class)), Several::ids)
                    .build(
                            values ->
                                    new Several(
                                            values.<List<String>>get(0),
                                            values.<Collection<Long>>get(1)));

    private static final DescribedType<Drawn> DRAWN =
            DescribedType.sealedInterface(Drawn.class)
                    .discriminator("kind", "circle")
                    .permits(
                            "circle",
                            DescribedType.record(Circle.class)
                                    .discriminator("kind", "circle", true)
                                    .component("radius", TypeRef.of(double.class), Circle::radius)
                                    .build(values -> new Circle(values.<Double>get(0))))
                    .permits(
                            "Square",
                            DescribedType.record(Square.class)
                                    .discriminator("kind", "Square", false)
                                    .component("side", TypeRef.of(double.class), Square::side)
                                    .build(values -> new Square(values.<Double>get(0))))
                    .build();

    static Stream<Arguments> pairs() {
        return Stream.of(
                Arguments.of(TypeRef.of(Query.class), QUERY),
                Arguments.of(TypeRef.of(Nothing.class), NOTHING),
                Arguments.of(TypeRef.of(Id.class), ID),
                Arguments.of(TypeRef.of(Wide.class), WIDE),
                Arguments.of(TypeRef.of(Deep.class), DEEP),
                Arguments.of(TypeRef.of(Node.class), NODE),
                Arguments.of(TypeRef.of(Block.class), BLOCK),
                Arguments.of(TypeRef.of(Expression.class), EXPRESSION),
                Arguments.of(TypeRef.of(Token.class), TOKEN),
                Arguments.of(TypeRef.of(Open.class), OPEN),
                Arguments.of(new TypeRef<Page<Block>>() {}, PAGE_OF_BLOCKS),
                Arguments.of(TypeRef.of(Several.class), SEVERAL),
                Arguments.of(TypeRef.of(Drawn.class), DRAWN),
                Arguments.of(TypeRef.of(Chain.class), CHAIN),
                Arguments.of(new TypeRef<List<Query>>() {}, DescribedType.list(QUERY)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    <T> void aDescriptionHasTheSchemaThatReflectionFinds(
            TypeRef<T> reflected, TypeRef<T> described) {
        assertThat(JsonSchema.of(described)).hasToString(JsonSchema.of(reflected).toString());
    }

    @ParameterizedTest
    @MethodSource("pairs")
    <T> void aDescriptionReadsAndRefusesWhatReflectionDoesInTheSameWords(
            TypeRef<T> reflected, TypeRef<T> described) {
        Random random = new Random(20_261_122);
        JsonSchema schema = JsonSchema.of(reflected);
        int refused = 0;
        for (int i = 0; i < 1000; i++) {
            JsonValue json = new RandomInstance(schema, random, i % 3 * 0.1).next();
            String outcome = outcome(JsonCodec.of(reflected), json);
            assertThat(outcome(JsonCodec.of(described), json)).as("%s", json).isEqualTo(outcome);
            assertThat(outcome(JsonCodec.of(described).fromStrings().strict(), json))
                    .isEqualTo(outcome(JsonCodec.of(reflected).fromStrings().strict(), json));
            refused += outcome.startsWith("refused") ? 1 : 0;
        }
        assertThat(refused).as("values that do not fit").isBetween(10, 990);
    }

    private static <T> String outcome(JsonCodec<T> codec, JsonValue json) {
        try {
            T value = codec.read(json);
            return value.getClass().getName() + codec.write(value);
        } catch (JsonBindingException e) {
            return "refused " + e.violations();
        }
    }

    @Nested
    class Generics {
        private final Type reflected = new TypeRef<Map<String, List<Query>>>() {}.type();
        private final TypeRef<?> described =
                DescribedType.map(TypeRef.of(String.class), DescribedType.list(QUERY));

        @Test
        void aDescribedTypeIsEqualToTheOneWrittenDown() {
            assertThat(described.type()).isEqualTo(reflected);
            assertThat(reflected).isEqualTo(described.type());
            assertThat(described.type()).hasSameHashCodeAs(reflected);
            assertThat(described).hasToString(reflected.getTypeName());
        }
    }

    @Nested
    class Refusals {
        record Name(String value) {
            Name {
                if (value.isBlank()) {
                    throw new IllegalArgumentException("must not be blank");
                }
            }
        }

        private RecordDescription<Name> name() {
            return DescribedType.record(Name.class)
                    .component("value", TypeRef.of(String.class), Name::value);
        }

        private DescribedType<Name> built(RecordDescription<Name> description) {
            return description.build(values -> new Name(values.<String>get(0)));
        }

        @Test
        void whatTheConstructorThrowsIsAViolation() {
            JsonCodec<Name> codec = JsonCodec.of(built(name()));

            assertThatThrownBy(() -> codec.read(JsonObject.of("value", " ")))
                    .isInstanceOf(JsonBindingException.class)
                    .hasMessage("must not be blank");
        }

        @Test
        void aConstraintThatDoesNotFitItsTypeIsRefused() {
            DescribedType<Name> type = built(name().range(0, 1));

            assertThatThrownBy(() -> JsonCodec.of(type))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("@Range is for numbers, not for %s.value", Name.class.getName());
        }

        @Test
        void aDefaultThatDoesNotFitItsTypeIsRefused() {
            DescribedType<Name> type = built(name().size(0, 2).defaultValue("long"));

            assertThatThrownBy(() -> JsonSchema.of(type))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("@Default(\"long\") does not fit %s.value", Name.class.getName());
        }

        @Test
        void aWordForAComponentNeedsOne() {
            assertThatThrownBy(() -> DescribedType.record(Name.class).nullable())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(Name.class.getName() + " has no component yet");
        }

        @Test
        void onlyADescribedRecordIsACase() {
            DescribedType<Drawn> type =
                    DescribedType.sealedInterface(Drawn.class).permits("circle", DRAWN).build();

            assertThatThrownBy(() -> JsonCodec.of(type))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith("but no record");
        }

        @Test
        void theKeysOfAMapNeedATextForm() {
            assertThatThrownBy(
                            () -> JsonCodec.of(DescribedType.map(QUERY, TypeRef.of(String.class))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith("have no text form");
        }
    }
}
