package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.OwnedValues.Share;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The contract of every {@link OwnedValues}. Extend this class, implement the methods that make a
 * store and let its time pass, and run it with JUnit 5 or 6.
 */
@Timeout(300)
public abstract class OwnedValuesContract {
    private static final Duration KEPT = Duration.ofMinutes(1);
    private static final int CONTENDERS = 32;

    @SuppressWarnings("NullAway.Init") // JUnit calls openStore first
    private OwnedValues.Source store;

    /** Returns a store without values. */
    protected abstract OwnedValues.Source newStore() throws Exception;

    /** Returns the store that was made last, as another node has it; the same where one is all. */
    protected abstract OwnedValues.Source furtherNode() throws Exception;

    /** Lets time pass by the clock of all stores; a negative one sets it back. */
    protected abstract void pass(Duration time);

    @BeforeEach
    final void openStore() throws Exception {
        store = newStore();
    }

    private OwnedValues values(int ofOwner, int inAll) {
        return store.open("values", new Share(ofOwner, inAll), KEPT);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static boolean put(OwnedValues values, String owner, String key) {
        return values.put(owner, 3, key, bytes(key));
    }

    private static void putForOldest(OwnedValues values, String owner, String... keys) {
        for (String key : keys) {
            values.putForOldest(owner, key, bytes(key));
        }
    }

    /** The keys of those that have a value. */
    private static List<String> present(OwnedValues values, String... keys) {
        return Stream.of(keys).filter(key -> values.find(key).isPresent()).toList();
    }

    @Test
    void aValueIsFoundByAllNodes() throws Exception {
        byte[] all = new byte[OwnedValues.MAX_BYTES];
        new Random(7).nextBytes(all);
        OwnedValues there = furtherNode().open("values", new Share(2, 10), KEPT);

        assertTrue(values(2, 10).put("ann", 2, "a", all));
        assertArrayEquals(all, there.find("a").orElseThrow());
        assertTrue(there.find("b").isEmpty());
        assertArrayEquals(all, there.take("a").orElseThrow());
        assertTrue(values(2, 10).find("a").isEmpty());
    }

    @Test
    void kindsAreKeptApart() {
        OwnedValues others = store.open("others", new Share(1, 1), KEPT);
        putForOldest(values(1, 1), "ann", "a");

        assertTrue(others.find("a").isEmpty());
        assertTrue(others.take("a").isEmpty());
        assertFalse(others.replace("a", bytes("a"), bytes("b")));
        assertTrue(others.put("ann", 1, "a", bytes("other")));
        assertArrayEquals(bytes("a"), values(1, 1).find("a").orElseThrow());
    }

    @Test
    void anOwnerGetsNoMoreThanItsShare() {
        OwnedValues values = values(3, 10);

        assertTrue(values.put("mallory", 2, "1", bytes("1")));
        assertTrue(values.put("mallory", 2, "2", bytes("2")));
        assertFalse(values.put("mallory", 2, "3", bytes("3")));
        assertTrue(values.put("ann", 2, "4", bytes("4")));
        assertEquals(List.of("1", "2", "4"), present(values, "1", "2", "3", "4"));
        values.take("1");
        assertTrue(values.put("mallory", 2, "5", bytes("5")));
    }

    @Test
    void whereAllIsFullTheNewestOfTheLargestOwnerMakesRoom() {
        OwnedValues values = values(3, 4);
        put(values, "ann", "1");
        Stream.of("2", "3", "4").forEach(key -> put(values, "mallory", key));

        assertTrue(put(values, "bob", "5"));
        assertEquals(List.of("1", "2", "3", "5"), present(values, "1", "2", "3", "4", "5"));
        assertFalse(put(values, "ann", "6"), "it has as many as mallory then");
        assertTrue(put(values, "cleo", "7"));
        assertFalse(put(values, "dora", "8"), "all have one");
    }

    @Test
    void theOldestOfOneOwnerGoesFirst() {
        OwnedValues values = values(2, 10);
        putForOldest(values, "ann", "a", "b", "a", "c"); // the second one is younger

        assertEquals(List.of("a", "c"), present(values, "a", "b", "c"));
    }

    @Test
    void whereAllIsFullTheOldestOfTheLargestOwnerGoesFirst() {
        OwnedValues values = values(3, 4);
        putForOldest(values, "bob", "1");
        putForOldest(values, "ann", "2", "3", "4");
        putForOldest(values, "cleo", "5");

        assertEquals(List.of("1", "3", "4", "5"), present(values, "1", "2", "3", "4", "5"));
    }

    @Test
    void ofOwnersWithAsManyTheOldestGoesFirst() {
        OwnedValues values = values(2, 3);
        putForOldest(values, "ann", "1");
        putForOldest(values, "bob", "2");
        putForOldest(values, "cleo", "3");
        putForOldest(values, "dora", "4");

        assertEquals(List.of("2", "3", "4"), present(values, "1", "2", "3", "4"));
    }

    @Test
    void aKeyOfSeveralOwnersIsEndedByNoneWithMany() {
        OwnedValues values = values(2, 10);
        putForOldest(values, "mallory", "first", "other");
        putForOldest(values, "ann", "first", "second"); // the first is ann's now
        putForOldest(values, "mallory", "more", "second", "1", "2", "3"); // the second stays ann's

        assertEquals(List.of("first", "second"), present(values, "first", "second"));
    }

    @Test
    void aValueEndsAndMakesRoom() {
        OwnedValues values = values(1, 1);
        values.put("ann", 1, "a", bytes("1"));
        pass(KEPT.minusMillis(1));
        assertEquals(List.of("a"), present(values, "a"));
        pass(Duration.ofMillis(1));

        assertTrue(values.find("a").isEmpty());
        assertTrue(values.take("a").isEmpty());
        assertFalse(values.replace("a", bytes("1"), bytes("2")));
        assertTrue(values.put("ann", 1, "b", bytes("2")));
        pass(KEPT);
        putForOldest(values, "bob", "c");
        assertEquals(List.of("c"), present(values, "a", "b", "c"));
    }

    @Test
    void aValueInThePlaceOfAnotherIsKeptNoLonger() {
        OwnedValues values = values(2, 2);
        values.put("ann", 2, "a", bytes("1"));
        pass(KEPT.minusSeconds(1));

        assertFalse(values.replace("a", bytes("other"), bytes("2")));
        assertTrue(values.replace("a", bytes("1"), bytes("2")));
        assertFalse(values.replace("b", bytes("1"), bytes("3")));
        assertArrayEquals(bytes("2"), values.find("a").orElseThrow());
        assertTrue(values.find("b").isEmpty());
        pass(Duration.ofSeconds(1));
        assertTrue(values.find("a").isEmpty());
    }

    @Test
    void ofManyThatTakeOrReplaceAValueOneSucceeds() throws Exception {
        List<String> keys = IntStream.range(0, 10).mapToObj(i -> "key" + i).toList();
        List<OwnedValues> nodes = new ArrayList<>();
        for (int i = 0; i < CONTENDERS; i++) {
            nodes.add((i % 2 == 0 ? store : furtherNode()).open("values", new Share(9, 99), KEPT));
        }
        keys.forEach(key -> nodes.getFirst().put(key, 9, key, bytes("old")));
        Race<String> replacing = new Race<>(keys);
        Race<String> taking = new Race<>(keys);
        for (OwnedValues node : nodes) {
            byte[] own = bytes("new" + nodes.indexOf(node));
            replacing.with(key -> node.replace(key, bytes("old"), own));
            taking.with(key -> node.take(key).isPresent());
        }

        replacing.hasOneWinnerEach();
        taking.hasOneWinnerEach();
    }

    @Test
    void manyThatPutAtTheSameTimeKeepTheBounds() throws Exception {
        AtomicInteger kept = new AtomicInteger();
        Race<String> race = new Race<>(List.of("a", "b"));
        for (int i = 0; i < CONTENDERS; i++) {
            OwnedValues node =
                    (i % 2 == 0 ? store : furtherNode()).open("values", new Share(3, 5), KEPT);
            String end = " " + i;
            race.with(
                    owner -> {
                        boolean isKept = put(node, owner, owner + end);
                        kept.addAndGet(isKept ? 1 : 0);
                        return isKept;
                    });
        }

        assertEquals(List.of(3, 2), race.winners());
        assertEquals(5, kept.get());
    }

    @Test
    void anythingInAnyOrderKeepsTheBounds() {
        OwnedValues values = values(5, 12);
        Random random = new Random(7);
        String[] keys = IntStream.range(0, 40).mapToObj(i -> "key" + i).toArray(String[]::new);
        for (int i = 0; i < 400; i++) {
            String owner = "owner" + random.nextInt(6);
            String key = keys[random.nextInt(keys.length)];
            switch (random.nextInt(4)) {
                case 0 -> values.take(key);
                case 1, 2 -> putForOldest(values, owner, key);
                default -> pass(Duration.ofMillis(random.nextInt(5_000)));
            }
            assertTrue(i % 20 != 0 || present(values, keys).size() <= 12);
        }
        pass(KEPT);
        putForOldest(values, "ann", "last");
        assertEquals(List.of("last"), present(values, "key1", "key2", "last"));
    }
}
