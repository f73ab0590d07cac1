package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Omissions of a tolerant codec, its reports, and the faults that it refuses all the same. */
class TolerantCodecTest {
    enum Colour {
        @JsonName("red")
        RED,
        @JsonName("green")
        GREEN
    }

    record Hint(
            @Nullable Boolean flag,
            @Nullable List<Colour> colours,
            @Otherwise("\"green\"") @Nullable Colour colour,
            @OtherMembers JsonObject others) {}

    record Item(String name, @Nullable String title, @Nullable Hint hint) {}

    record Message(@JsonOneOrMany List<Item> content) {}

    record Page(List<Item> items, @Nullable String next, @OtherMembers JsonObject others) {}

    record Loose(
            Map<String, Integer> map,
            JsonObject tree,
            Optional<Integer> number,
            @Default("7") int seven) {}

    private final List<String> omitted = new ArrayList<>();
    private int omissions;

    private <T> T read(Class<T> type, String json) {
        return JsonCodec.of(type).tolerant(this::omit).read(RawJson.parse(json));
    }

    private void omit(List<JsonViolation> first, int all) {
        first.forEach(violation -> omitted.add(violation.toString()));
        omissions += all;
    }

    @Test
    void anElementThatCannotBeReadCostsNoOther() {
        Page page =
                read(
                        Page.class,
                        "{\"items\":[{\"name\":\"a\"},{\"title\":\"b\"},3,{\"name\":\"c\"}]}");

        assertThat(page.items()).extracting(Item::name).containsExactly("a", "c");
        assertThat(omitted)
                .containsExactly(
                        "items[1].name is missing", "items[2] must be an object but was a number");
    }

    record Numbers(@Nullable Long size, @Nullable JsonObject schema, double real) {}

    record Listed(List<Numbers> all) {}

    @Test
    void aNumberBeyondAllBoundsCostsItsElementAlone() {
        String huge = "1e99999999999";
        String json =
                "{'all':[{'real':%s},{'real':1,'size':%s,'schema':{'maximum':[%s]}},{'real':2}]}"
                        .replace('\'', '"')
                        .formatted(huge, huge, huge);

        assertThat(read(Listed.class, json).all())
                .containsExactly(new Numbers(null, null, 1), new Numbers(null, null, 2));
        String problem = " must not have a number with an exponent beyond 32 bits";
        assertThat(omitted)
                .containsExactly(
                        "all[0].real" + problem,
                        "all[1].size" + problem,
                        "all[1].schema" + problem);
        assertThatThrownBy(() -> JsonCodec.of(Listed.class).read(RawJson.parse(json)))
                .isInstanceOf(JsonBindingException.class)
                .hasMessageContaining("all[1].schema" + problem);
    }

    @Test
    void aMemberThatNeedNotBeThereCostsItselfAlone() {
        Page page =
                read(
                        Page.class,
                        "{\"items\":[{\"name\":\"a\",\"title\":5,\"hint\":{\"flag\":\"yes\"}}],\"next\":[]}");

        Hint hint = page.items().get(0).hint();
        assertThat(page.items().get(0).title()).isNull();
        assertThat(hint).isNotNull();
        assertThat(hint.flag()).isNull();
        assertThat(hint.others()).isEqualTo(JsonObject.of("flag", "yes"));
        assertThat(page.next()).isNull();
        assertThat(omitted)
                .containsExactly(
                        "items[0].title must be a string but was a number",
                        "items[0].hint.flag must be a boolean but was a string",
                        "next must be a string but was an array");
    }

    @Test
    void anUnknownValueIsKeptBesideAndNotWrittenBack() {
        Hint hint =
                read(Hint.class, "{\"colours\":[\"red\",\"blue\"],\"colour\":\"mauve\",\"new\":1}");

        assertThat(hint.colours()).containsExactly(Colour.RED);
        assertThat(hint.colour()).isEqualTo(Colour.GREEN);
        assertThat(hint.others().get("colours")).isEqualTo(JsonValue.parse("[\"red\",\"blue\"]"));
        assertThat(hint.others().get("colour")).isEqualTo(new JsonString("mauve"));
        assertThat(JsonCodec.of(Hint.class).write(hint).toString())
                .isEqualTo("{\"colours\":[\"red\"],\"colour\":\"green\",\"new\":1}");
    }

    @Test
    void aListThatIsNullIsEmptyAndOneThatIsMissingIsNot() {
        assertThat(read(Page.class, "{\"items\":null}").items()).isEmpty();
        assertThat(read(Message.class, "{\"content\":null}").content()).isEmpty();
        assertThatThrownBy(
                        () ->
                                JsonCodec.of(Message.class)
                                        .read("{\"content\":null}".getBytes(UTF_8)))
                .hasMessage("content must be an object but was null");
        assertThatThrownBy(() -> read(Page.class, "{}"))
                .isInstanceOf(JsonBindingException.class)
                .hasMessage("items is missing");
    }

    @Test
    void anEmptyArrayIsAnObjectWithoutMembersForEachCodecThatIsNotStrict() {
        JsonCodec<Loose> codec = JsonCodec.of(Loose.class);
        RawJson json = RawJson.parse("{\"map\":[],\"tree\":[]}");

        Loose loose = codec.read(json);

        assertThat(loose).isEqualTo(new Loose(Map.of(), JsonObject.EMPTY, Optional.empty(), 7));
        assertThatThrownBy(() -> codec.strict().read(json))
                .hasMessage(
                        "map must be an object but was an array;"
                                + " tree must be an object but was an array");
        assertThatThrownBy(() -> codec.read(RawJson.parse("{\"map\":[1],\"tree\":{}}")))
                .hasMessage("map must be an object but was an array");
    }

    @Test
    void aSafeValueReplacesOneThatCannotBeReadForEachCodecThatIsNotStrict() {
        RawJson json = RawJson.parse("{\"colour\":\"mauve\"}");

        assertThat(JsonCodec.of(Hint.class).read(json).colour()).isEqualTo(Colour.GREEN);
        assertThat(JsonCodec.of(Hint.class).read(RawJson.parse("{\"colour\":null}")).colour())
                .isNull();
        assertThatThrownBy(() -> JsonCodec.of(Hint.class).strict().read(json))
                .hasMessage("colour must be one of red, green");
    }

    @Test
    void anOptionalOrDefaultTakesThePlaceOfWhatCannotBeRead() {
        Loose loose =
                read(Loose.class, "{\"map\":{},\"tree\":{},\"number\":\"x\",\"seven\":\"x\"}");

        assertThat(loose.number()).isEmpty();
        assertThat(loose.seven()).isEqualTo(7);
        assertThat(omissions).isEqualTo(2);
    }

    @Test
    void aMemberThatStandsTwiceCostsTheObjectAndAnEntryTheMap() {
        assertThatThrownBy(() -> read(Page.class, "{\"items\":[],\"items\":[]}"))
                .hasMessage("items is there twice");
        assertThatThrownBy(() -> read(Loose.class, "{\"map\":{\"a\":1,\"b\":\"x\"},\"tree\":{}}"))
                .hasMessage("map.b must be an integer but was a string");
        assertThat(
                        read(
                                        Page.class,
                                        "{\"items\":[{\"name\":\"a\",\"name\":\"b\"},{\"name\":\"c\"}]}")
                                .items())
                .extracting(Item::name)
                .containsExactly("c");
    }

    @Test
    void aFloodOfBadElementsIsCountedAndFewAreKept() {
        Page page =
                read(
                        Page.class,
                        "{\"items\":[" + "{\"title\":1},".repeat(20_000) + "{\"name\":\"a\"}]}");

        assertThat(page.items()).hasSize(1);
        assertThat(omitted).hasSize(Reading.MAX_VIOLATIONS);
        assertThat(omissions).isEqualTo(40_000);
    }

    @Test
    void aLongMemberThatCannotBeReadIsNotKept() {
        Hint hint = read(Hint.class, "{\"flag\":\"" + "x".repeat(2_000) + "\"}");

        assertThat(hint.others()).isEqualTo(JsonObject.EMPTY);
    }

    @Test
    void aValueWithoutFaultReportsNothing() {
        read(Page.class, "{\"items\":[{\"name\":\"a\",\"title\":null}],\"next\":\"\"}");

        assertThat(omissions).isZero();
    }

    /** Of two values, one reader would see the first and another one the last. */
    @Test
    void aMemberWithTwoMembersOfOneNameIsNotKept() {
        Hint hint =
                read(
                        Hint.class,
                        "{\"flag\":{\"a\":1,\"a\":2},\"colours\":[\"red\",{\"a\":1,\"a\":2}]}");

        assertThat(hint.flag()).isNull();
        assertThat(hint.colours()).containsExactly(Colour.RED);
        assertThat(hint.others()).isEqualTo(JsonObject.EMPTY);
    }
}
