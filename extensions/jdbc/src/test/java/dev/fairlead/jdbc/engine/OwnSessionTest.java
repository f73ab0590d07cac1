package dev.fairlead.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

@Timeout(300)
class OwnSessionTest {
    /** A connection on which everything fails, as after a bug of its driver. */
    static SqlSession broken() {
        Connection connection =
                (Connection)
                        Proxy.newProxyInstance(
                                OwnSessionTest.class.getClassLoader(),
                                new Class<?>[] {Connection.class},
                                (proxy, method, arguments) -> {
                                    throw new IllegalStateException(method.getName() + " failed");
                                });
        return new SqlSession(connection, Dialect.POSTGRES);
    }

    @Test
    void anErrorOfAConnectionThatClosesEndsNoThreadAndKeepsNoCallerWaiting() throws Exception {
        OperationQueue queue = new OperationQueue(10);
        Connection connection =
                (Connection)
                        Proxy.newProxyInstance(
                                OwnSessionTest.class.getClassLoader(),
                                new Class<?>[] {Connection.class},
                                (proxy, method, arguments) -> {
                                    throw new LinkageError(method.getName() + " failed");
                                });
        Thread writer =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                new PostgresWriter(
                                        queue,
                                        new ThreadSession(
                                                () ->
                                                        new SqlSession(
                                                                connection, Dialect.POSTGRES))));
        for (int i = 0; i < 2; i++) {
            FutureTask<Void> call =
                    new FutureTask<>(() -> queue.call(new Operation<>(s -> null, false)));
            Thread.ofPlatform().daemon().start(call);
            assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS))
                    .hasRootCauseMessage("close failed");
        }
        queue.close();
        assertThat(writer.join(Duration.ofSeconds(60))).isTrue();
    }

    @Test
    void aConnectionThatFailsToCloseDoesNotEndTheThreadThatWrites() throws Exception {
        OperationQueue queue = new OperationQueue(10);
        Thread writer =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                new PostgresWriter(
                                        queue, new ThreadSession(OwnSessionTest::broken)));
        for (int i = 0; i < 2; i++) {
            FutureTask<String> call =
                    new FutureTask<>(
                            () -> {
                                try {
                                    queue.call(new Operation<>(s -> s.update("no"), false));
                                    return "done";
                                } catch (IllegalStateException e) {
                                    return e.getMessage();
                                }
                            });
            Thread.ofPlatform().daemon().start(call);

            assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo("setAutoCommit failed");
        }
        queue.close();
        assertThat(writer.join(Duration.ofSeconds(60))).isTrue();
    }
}
