package dev.fairlead.console.workbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.jsonrpc.ConnectionException;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** The time in which a client has to connect. */
class ConnectTimeoutTest {
    private static String never() throws InterruptedException {
        new CountDownLatch(1).await();
        return "";
    }

    @Test
    void aConnectionInTimeIsReturned() throws Exception {
        assertThat(ConnectTimeout.within(Duration.ofMinutes(5), () -> "connected"))
                .isEqualTo("connected");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aConnectionThatDoesNotComeTimesOut() {
        assertThatThrownBy(
                        () -> ConnectTimeout.within(Duration.ofNanos(1), ConnectTimeoutTest::never))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("no connection within");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void anInterruptOfThePersonStaysOne() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(
                        () ->
                                ConnectTimeout.within(
                                        Duration.ofMinutes(5), ConnectTimeoutTest::never))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void aFailureIsTheOneOfTheConnection() {
        assertThatThrownBy(
                        () ->
                                ConnectTimeout.within(
                                        Duration.ofMinutes(5),
                                        () -> {
                                            throw new ConnectionException("refused");
                                        }))
                .hasMessage("refused");
    }
}
