package dev.fairlead.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PageCursorTest {
    private final PageCursor cursor = new PageCursor();

    @Test
    void readsWhatItWrote() {
        for (long place : new long[] {0, 1, 255, 1L << 40, Long.MAX_VALUE, -1}) {
            assertThat(cursor.read(cursor.write(place))).isEqualTo(place);
        }
    }

    @Test
    void refusesATextOfWhichAnyCharacterWasChanged() {
        String text = cursor.write(1_000);
        for (int i = 0; i < text.length(); i++) {
            char other = text.charAt(i) == 'A' ? 'B' : 'A';
            String changed = text.substring(0, i) + other + text.substring(i + 1);
            assertThatThrownBy(() -> cursor.read(changed))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void refusesWhatAnotherStoreWrote() {
        String foreign = new PageCursor().write(1);
        assertThatThrownBy(() -> cursor.read(foreign))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the cursor does not come from this list");
    }
}
