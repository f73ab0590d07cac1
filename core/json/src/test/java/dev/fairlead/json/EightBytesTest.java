package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

class EightBytesTest {
    /** Each byte at each place, before and behind each other one. */
    @Test
    void theFirstSpecialByteOfAWordIsFound() {
        byte[] bytes = new byte[Long.BYTES];
        for (int place = 0; place < Long.BYTES; place++) {
            for (int value = 0; value < 256; value++) {
                for (int other = 0; other < 256; other++) {
                    Arrays.fill(bytes, (byte) other);
                    bytes[place] = (byte) value;
                    int first = 0;
                    while (first < Long.BYTES && !EightBytes.isSpecial(bytes[first])) {
                        first++;
                    }
                    assertThat(EightBytes.special(bytes, 0, Long.BYTES)).isEqualTo(first);
                }
            }
        }
    }
}
