package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;

/**
 * Types with a lookup, against the same types without one. {@link ModuleAccessTest} has the access.
 */
class JsonTypesTest {
    private static final JsonTypes TYPES = JsonTypes.of(MethodHandles.lookup());

    record Book(String title, @Doc("How many") int pages, Pace pace) {}

    @Doc("What is borrowed")
    sealed interface Item {}

    record Loan(Book book) implements Item {}

    enum Pace {
        FAST
    }

    @Test
    void descriptionsStandWhereNoDocDoes() {
        JsonTypes described =
                TYPES.withDescription(Book.class, "A book")
                        .withDescription(Book.class, "title", "As printed")
                        .withDescription(Book.class, "pages", "never seen")
                        .withDescription(Item.class, "never seen")
                        .withDescription(Pace.class, "How fast");

        assertThat(JsonSchema.of(described.type(Book.class)))
                .hasToString(
                        """
                        {"type":"object","description":"A book","properties":{\
                        "title":{"type":"string","description":"As printed"},\
                        "pages":{"type":"integer",\
                        "description":"How many"},\
                        "pace":{"type":"string","enum":["FAST"],"description":"How fast"}},\
                        "required":["title","pages","pace"],"additionalProperties":false}\
                        """);
        assertThat(JsonSchema.of(described.type(Item.class)).toString())
                .contains("\"description\":\"What is borrowed\"")
                .doesNotContain("never seen");
        assertThat(JsonSchema.of(TYPES.type(Book.class)))
                .hasToString(JsonSchema.of(Book.class).toString());
    }

    @Test
    void nullableCountsWhereItIsWritten() {
        JsonCodec<Map<String, @Nullable List<@Nullable Pace>>> codec =
                JsonCodec.of(
                        TYPES.type(new TypeRef<Map<String, @Nullable List<@Nullable Pace>>>() {}));
        JsonCodec<Map<String, List<Pace>>> without =
                JsonCodec.of(TYPES.type(new TypeRef<Map<String, List<Pace>>>() {}));
        RawJson json = RawJson.parse("{\"a\":[null,\"FAST\"],\"b\":null}");

        assertThat(codec.write(codec.read(json))).hasToString(json.toString());
        assertThatThrownBy(() -> without.read(json))
                .isInstanceOf(JsonBindingException.class)
                .hasMessageContaining("a[0]")
                .hasMessageContaining("b ");
    }

    @Test
    void aTypeIsEqualToTheOneWithoutLookupAndKeepsItsCodec() {
        TypeRef<List<Book>> written = new TypeRef<>() {};
        TypeRef<List<Book>> bound = TYPES.type(written);

        assertThat(bound).isEqualTo(written).hasSameHashCodeAs(written).hasToString("" + written);
        assertThat(JsonCodec.of(bound)).isSameAs(JsonCodec.of(bound));
    }
}
