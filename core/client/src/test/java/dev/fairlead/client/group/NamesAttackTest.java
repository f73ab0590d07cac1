package dev.fairlead.client.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.group.Names.Item;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Servers that choose the names of their tools so as to be taken for another server. */
class NamesAttackTest {
    private static final List<String> SERVERS = List.of("a", "a_b", "a.b", "b", "ä");
    private static final String CHARACTERS = "ab_.-ä ";

    private static String text(Random random, int longest) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(longest);
        for (int i = 0; i < length; i++) {
            text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return text.toString();
    }

    private static Naming naming(String kind) {
        return switch (kind) {
            case "default" -> Naming.DEFAULT;
            case "strict" -> Naming.STRICT;
            case "always" -> Naming.DEFAULT.prefixAlways();
            default -> Naming.STRICT.prefixAlways();
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "strict", "always", "strict-always"})
    void noServerGetsANameThatWasOfAnotherOne(String kind) {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Naming naming = naming(kind);
            Names names = new Names(naming);
            Map<String, Item> everGiven = new HashMap<>();
            Set<Item> present = new LinkedHashSet<>();
            for (int round = 0; round < 8; round++) {
                for (int i = 0; i < 6; i++) {
                    String server = SERVERS.get(random.nextInt(SERVERS.size()));
                    present.add(new Item(server, text(random, 5)));
                }
                present.removeIf(item -> random.nextInt(8) == 0);
                List<Item> shuffled = new ArrayList<>(present);
                Collections.shuffle(shuffled, random);
                Map<Item, String> given = names.name(shuffled, SERVERS);

                assertThat(new LinkedHashSet<>(given.values())).hasSameSizeAs(given.keySet());
                given.forEach(
                        (item, name) -> {
                            assertThat(names.find(name)).as(name).contains(item);
                            Item before = everGiven.putIfAbsent(name, item);
                            assertThat(before).as(name).isIn(null, item);
                        });
                assertNoneLooksLikeOneOfAnother(naming, given);
            }
        }
    }

    /** Neither the name of another server's tool nor its prefix begins a name without a digest. */
    private static void assertNoneLooksLikeOneOfAnother(Naming naming, Map<Item, String> given) {
        given.forEach(
                (item, name) -> {
                    for (String other : SERVERS) {
                        String own = naming.prefix(item.server());
                        String prefix = naming.prefix(other);
                        boolean looks =
                                !other.equals(item.server())
                                        && name.startsWith(prefix)
                                        && (prefix.length() >= own.length()
                                                || !name.startsWith(own))
                                        && !name.matches(".*_[0-9a-f]{8}");
                        assertThat(looks).as("%s of %s like %s", name, item, other).isFalse();
                    }
                });
    }
}
