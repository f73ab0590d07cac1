package dev.fairlead.protocol.pipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.Serving;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;

/** A pipe while the system has no more threads. */
@Timeout(60)
class PipeWithoutThreadsTest {
    private final EchoHost host = new EchoHost();
    private final QueueTransport transport = new QueueTransport();
    private volatile int threads;

    private synchronized void start(Thread thread) {
        if (threads-- <= 0) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        thread.start();
    }

    private Serving open(boolean server, int available) throws IOException {
        threads = available;
        return PipeConnection.open(
                transport, PipeSettings.named("test"), server, host, this::start);
    }

    @Test
    void aConnectionThatFindsNoThreadLeavesNothingOpen() throws Exception {
        for (boolean server : new boolean[] {true, false}) {
            for (int available : new int[] {0, 1}) {
                transport.closed = false;
                assertThatThrownBy(() -> open(server, available))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("no thread");
                assertThat(transport.closed).isTrue();
                assertThat(host.closed.getCount()).isZero();
            }
        }
    }

    @Test
    void aConnectionEndsWithoutAThreadForThat() throws Exception {
        Serving lost = open(true, 2);
        transport.lose();

        lost.await();
        assertThat(transport.closed).isTrue();
        assertThat(host.cause).hasMessageContaining("cable cut");
    }

    @Test
    void aConnectionIsClosedWithoutAThreadForThat() throws Exception {
        Serving serving = open(true, 2);
        Thread closing = Thread.ofVirtual().start(serving::close);

        assertThat(closing.join(Duration.ofSeconds(30))).isTrue();
        assertThat(transport.closed).isTrue();
        assertThat(host.closed.getCount()).isZero();
        serving.await();
    }
}
