package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The names that all readers share, and the places that they have. */
class KnownNamesTest {
    record Own(String nameOfThisRecord) {}

    private static @Nullable String find(MemberNames.Table table, String name) {
        byte[] utf8 = name.getBytes(UTF_8);
        return table.get(MemberNames.slot(utf8, 0, utf8.length), utf8, 0, utf8.length);
    }

    private static String read(String name) {
        JsonObject object = (JsonObject) JsonValue.parse("{\"" + name + "\":1}");
        return object.names().iterator().next();
    }

    @Test
    void thoseOfBoundRecordsAreDecodedOnce() {
        JsonCodec.of(Own.class);

        assertThat(read("nameOfThisRecord")).isSameAs(read("nameOfThisRecord"));
        assertThat(read("nameOfNoRecord")).isNotSameAs(read("nameOfNoRecord"));
    }

    @Test
    void thoseThatAreAddedAreDecodedOnce() {
        MemberNames.know("nameThatIsAdded", "example.com/name");

        assertThat(read("nameThatIsAdded")).isSameAs(read("nameThatIsAdded"));
        assertThat(read("example.com/name")).isSameAs(read("example.com/name"));
    }

    @Test
    void aNameStaysWhereItIsAndOneWithoutAPlaceIsNotKept() {
        MemberNames.Table table = new MemberNames.Table();
        table.add("first");
        String first = find(table, "first");
        int kept = 0;
        for (int i = 0; i < 5_000; i++) {
            table.add("name" + i);
            String found = find(table, "name" + i);
            if (found != null) {
                assertThat(found).isEqualTo("name" + i);
                kept++;
            }
        }
        table.add(new String("first"));
        assertThat(find(table, "first")).isSameAs(first);
        assertThat(kept).isBetween(500, 1023);
    }

    @Test
    void aLongNameIsNotKept() {
        MemberNames.Table table = new MemberNames.Table();
        table.add("x".repeat(64));
        table.add("x".repeat(65));
        assertThat(find(table, "x".repeat(64))).isNotNull();
        assertThat(find(table, "x".repeat(65))).isNull();
    }
}
