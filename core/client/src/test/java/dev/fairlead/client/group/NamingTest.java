package dev.fairlead.client.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.group.Names.Item;
import dev.fairlead.protocol.time.Backoff;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** How names and waits come about. */
final class NamingTest {
    private static List<String> names(Names names, Item... items) {
        List<String> servers = Stream.of(items).map(Item::server).distinct().toList();
        return List.copyOf(names.name(List.of(items), servers).values());
    }

    @Test
    void aNameThatIsUniqueStaysAsItIs() {
        assertThat(names(new Names(Naming.DEFAULT), new Item("a", "x.y"), new Item("b", "z")))
                .containsExactly("x.y", "z");
    }

    /** A table finds items with the same hash, which a server can choose, by their order alone. */
    @Test
    void itemsWithTheSameHashHaveAnOrder() {
        Item one = new Item("a", "AaAa");
        Item other = new Item("a", "BBBB");

        assertThat(one).hasSameHashCodeAs(other);
        assertThat(one).isNotEqualByComparingTo(other).isEqualByComparingTo(new Item("a", "AaAa"));
        assertThat(one).isNotEqualByComparingTo(new Item("b", "AaAa"));
    }

    @Test
    void aPrefixedNameMayItselfBeTaken() {
        List<String> names =
                names(
                        new Names(Naming.DEFAULT),
                        new Item("a", "b.c"),
                        new Item("a.b", "c"),
                        new Item("x", "c"),
                        new Item("y", "a.b.c"));
        assertThat(names).doesNotHaveDuplicates().contains("b.c", "x.c", "a.b.c");
    }

    @Test
    void aNameThatLooksLikeThatOfAnotherServerIsPrefixed() {
        Names names = new Names(Naming.DEFAULT);
        assertThat(names(names, new Item("evil", "files.read"), new Item("files", "search")))
                .containsExactly("evil.files.read", "search");
    }

    @Test
    void aNameIsLeftWhateverAServerCallsItsTools() {
        String first = Naming.DEFAULT.distinct("b", "x", 1);
        String second = Naming.DEFAULT.distinct("b", "x", 2);
        List<String> names =
                names(
                        new Names(Naming.DEFAULT),
                        new Item("b", first.substring(2)),
                        new Item("b", second.substring(2)),
                        new Item("a", first.substring(2)),
                        new Item("a", second.substring(2)),
                        new Item("b", "b.x"),
                        new Item("b", "x"),
                        new Item("a", "x"));
        assertThat(names).doesNotHaveDuplicates().contains(first, second);
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1, false"})
    void longNamesOfItemsThatAreGoneAreForgotten(int more, boolean isRemembered) {
        Names names = new Names(Naming.DEFAULT);
        String gone = names(names, new Item("a", "x".repeat(Names.MAX_CHARACTERS / 2))).getFirst();
        Item present = new Item("a", "y".repeat(Names.MAX_CHARACTERS / 2 + more));

        String name = names(names, present).getFirst();

        assertThat(names.find(gone).isPresent()).isEqualTo(isRemembered);
        assertThat(names.find(name)).contains(present);
    }

    @Test
    void aPrefixHasOnlyCharactersThatNamesOfToolsMayHave() {
        assertThat(
                        names(
                                new Names(Naming.DEFAULT.prefixAlways()),
                                new Item("my files/1", "read"),
                                new Item("my.files-1", "read")))
                .containsExactly("my_files_1.read", "my.files-1.read");
    }

    @Test
    void strictNamesFitWhatModelsAllow() {
        String longName = "a".repeat(70);
        List<String> names =
                names(
                        new Names(Naming.STRICT),
                        new Item("files", "read.file"),
                        new Item("files", "read file"),
                        new Item("files", longName),
                        new Item("web site", "get"),
                        new Item("b", "get"));
        assertThat(names).allMatch(name -> name.matches("[a-zA-Z0-9_-]{1,64}"));
        assertThat(names).doesNotHaveDuplicates().contains("web_site_get", "b_get");
    }

    private static Map<Item, String> shown(Naming naming, List<Item> items) {
        List<String> servers = items.stream().map(Item::server).distinct().sorted().toList();
        return new Names(naming).name(items, servers);
    }

    /** In whichever order servers list their tools, and the group its servers. */
    private static Map<Item, String> shownAlways(Item... items) {
        List<Item> given = List.of(items);
        Map<Item, String> names = shown(Naming.STRICT, given);
        assertThat(shown(Naming.STRICT, given.reversed())).isEqualTo(names);
        assertThat(names.values())
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-zA-Z0-9_-]{1,64}"));
        return names;
    }

    @Test
    void aHostileServerCannotTakeTheNameOfAToolByMarksThatAreReplaced() {
        Item honest = new Item("files", "read_file");
        Item hostile = new Item("evil", "read.file");

        Map<Item, String> names = shownAlways(hostile, honest);

        assertThat(names.get(honest)).isEqualTo("files_read_file");
        assertThat(names.get(hostile)).startsWith("evil_read_file_");
    }

    @Test
    void aHostileServerCannotTakeTheNameOfAToolByThePrefixOfItsServer() {
        Item honest = new Item("git_hub", "push");
        Item other = new Item("mail", "push");
        Item hostile = new Item("git", "hub_push");

        Item helper = new Item("mail", "hub_push"); // has the one of git prefixed

        Map<Item, String> names = shownAlways(hostile, honest, other, helper);

        assertThat(names.get(honest)).isEqualTo("git_hub_push");
        assertThat(names.get(other)).isEqualTo("mail_push");
        assertThat(names.get(hostile)).matches("git_hub_push_[0-9a-f]{8}");
    }

    @Test
    void serversWhosePrefixesAreTheSameAreDistinguished() {
        Item one = new Item("a.b", "x");
        Item other = new Item("a_b", "x");

        Map<Item, String> names = shownAlways(one, other);

        assertThat(names.get(one)).matches("a_b_x_[0-9a-f]{8}");
        assertThat(names.get(other)).matches("a_b_x_[0-9a-f]{8}");
    }

    @Test
    void toolsOfOneServerThatLookTheSameKeepTheirNamesInEveryOrder() {
        Item plain = new Item("files", "read_file");
        Item dotted = new Item("files", "read.file");
        Item spaced = new Item("files", "read file");
        Item foreign = new Item("files", "\u8aad\u3080");
        Item foreignToo = new Item("files", "\u66f8\u304f");

        Map<Item, String> names = shownAlways(dotted, spaced, plain, foreign, foreignToo);

        assertThat(names.get(plain)).isEqualTo("read_file");
        assertThat(names.get(dotted)).matches("files_read_file_[0-9a-f]{8}");
        assertThat(names.get(foreign)).matches("___[0-9a-f]{8}");
    }

    @Test
    void namesAreTheSameEveryTimeAndWithPrefixesWhateverTheOthersAre() {
        Item item = new Item("files", "read");
        Naming always = Naming.DEFAULT.prefixAlways();
        assertThat(names(new Names(always), item))
                .isEqualTo(names(new Names(always), item))
                .containsExactly("files.read");
    }

    @Test
    void aCollisionThatIsOverLeavesTheNamesAsTheyAre() {
        Names names = new Names(Naming.DEFAULT);
        Item a = new Item("a", "read");
        assertThat(names(names, a)).containsExactly("read");
        assertThat(names(names, a, new Item("b", "read"))).containsExactly("a.read", "b.read");
        assertThat(names(names, a)).containsExactly("a.read");
        assertThat(names.find("read")).contains(a);
    }

    @Test
    void namesOfWhatIsGoneAreForgottenWhenThereAreTooMany() {
        Names names = new Names(Naming.DEFAULT);
        for (int i = 0; i <= Names.LIMIT; i++) {
            names(names, new Item("a", "tool" + i));
        }
        assertThat(names.find("tool0")).isEmpty();
    }

    @Test
    void aStrictSeparatorMustBeAllowed() {
        assertThatThrownBy(() -> Naming.STRICT.withSeparator("."))
                .hasMessage("a strict separator must be of A-Z a-z 0-9 _ - but was .");
    }

    @Test
    void waitsBecomeLongerUpToABound() {
        Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
        assertThat(backoff.delay(1)).isBetween(Duration.ofMillis(250), Duration.ofMillis(500));
        assertThat(backoff.delay(3)).isBetween(Duration.ofMillis(1_000), Duration.ofMillis(2_000));
        assertThat(backoff.delay(1_000)).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30));
    }
}
