package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.invoke.MethodHandles;
import java.util.concurrent.atomic.AtomicInteger;

class RecordConstructorTest {
    static final AtomicInteger MADE = new AtomicInteger();

    record Page(@Nullable String cursor, int size) {
        static {
            RecordConstructor.register(
                    MethodHandles.lookup(),
                    values -> {
                        MADE.incrementAndGet();
                        return new Page((String) values[0], (int) values[1]);
                    });
        }

        Page {
            if (size < 1) {
                throw new IllegalArgumentException("size must be at least 1");
            }
        }
    }

    record Other(int size) {}

    @Test
    void makesTheRecordsOfItsClass() {
        JsonCodec<Page> codec = JsonCodec.of(Page.class);
        int before = MADE.get();

        assertThat(codec.read(RawJson.parse("{\"cursor\":\"a\",\"size\":2}")))
                .isEqualTo(new Page("a", 2));
        assertThat(codec.read(RawJson.parse("{\"size\":3}"))).isEqualTo(new Page(null, 3));
        assertThat(MADE).hasValue(before + 2);
    }

    @Test
    void aRefusalIsAViolation() {
        assertThatThrownBy(() -> JsonCodec.of(Page.class).read(RawJson.parse("{\"size\":0}")))
                .isInstanceOf(JsonBindingException.class)
                .hasMessageContaining("size must be at least 1");
    }

    @Test
    void takesOnlyTheLookupOfARecordItself() throws Exception {
        assertThatThrownBy(
                        () ->
                                RecordConstructor.register(
                                        MethodHandles.lookup(), values -> new Other(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a record itself");
        MethodHandles.Lookup from =
                MethodHandles.privateLookupIn(Other.class, MethodHandles.lookup())
                        .dropLookupMode(MethodHandles.Lookup.PRIVATE);
        assertThatThrownBy(() -> RecordConstructor.register(from, values -> new Other(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
