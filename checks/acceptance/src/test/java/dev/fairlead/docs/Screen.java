package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The output of the clients of the pages. */
final class Screen {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    void show(String line) {
        lines.add(line);
    }

    void expect(String line) throws InterruptedException {
        assertThat(lines.poll(60, TimeUnit.SECONDS)).isEqualTo(line);
    }
}
