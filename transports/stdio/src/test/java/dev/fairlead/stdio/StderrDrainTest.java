package dev.fairlead.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

@Timeout(60)
class StderrDrainTest {
    /** The child would wait for a reader for ever. */
    @Test
    void aMomentWithoutMemoryEndsNoReading() throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        InputStream scarce =
                new ByteArrayInputStream("one\ntwo\n".getBytes(StandardCharsets.UTF_8)) {
                    private int reads;

                    @Override
                    public int read(byte[] target) {
                        if (reads++ % 2 == 0) {
                            throw new OutOfMemoryError("of the test");
                        }
                        return read(target, 0, 4);
                    }
                };
        StderrDrain drain =
                StderrDrain.start(
                        scarce,
                        line -> {
                            lines.add(line);
                            throw new OutOfMemoryError("of the test");
                        });
        drain.join(Duration.ofDays(1));
        assertThat(lines).containsExactly("one", "two");
    }

    /** Bytes that only continue a character, without one that begins it. */
    @Test
    void aLineOfBytesThatAreNoTextIsCutToo() throws Exception {
        byte[] bytes = new byte[100_000];
        Arrays.fill(bytes, (byte) 0x80);
        List<String> lines = new CopyOnWriteArrayList<>();
        StderrDrain.start(new ByteArrayInputStream(bytes), lines::add).join(Duration.ofDays(1));
        assertThat(lines).hasSize(7).allMatch(line -> line.length() <= (16 << 10) + 3);
    }
}
