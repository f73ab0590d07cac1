package dev.fairlead.client.calls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The items of a list that a server repeats. */
final class ListCallsTest {
    /** An item that a server has given the same hash as all others. */
    record Item(int number) {
        @Override
        public boolean equals(Object other) {
            throw new AssertionError("compared with " + other);
        }

        @Override
        public int hashCode() {
            return 7;
        }
    }

    /** A table of such items would compare each with all others. */
    @Test
    void areThereOnceAndNotComparedWithEachOther() {
        List<Item> page = IntStream.range(0, 1_000).mapToObj(Item::new).toList();
        List<Item> twice = Stream.concat(page.stream(), page.stream()).toList();

        assertThat(ListCalls.once(twice).stream().map(Item::number))
                .containsExactlyElementsOf(page.stream().map(Item::number).toList());
    }
}
