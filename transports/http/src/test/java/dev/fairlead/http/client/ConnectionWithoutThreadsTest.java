package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/** A connection while the system has no more threads. */
@Timeout(60)
class ConnectionWithoutThreadsTest {
    private final Counted session = new Counted();
    private volatile SessionContext context;

    private static final class Counted implements Session {
        private volatile int closed;
        private volatile ConnectionException cause;

        @Override
        public void accept(JsonRpcMessage message, Exchange exchange) {}

        @Override
        public void fail(RequestId request, CallException failure) {}

        @Override
        public Optional<Revision> revision() {
            return Optional.empty();
        }

        @Override
        public void lost(ConnectionException lost) {
            cause = lost;
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private HttpConnection open(ThreadFactory threads) {
        ConnectorOptions options = new ConnectorOptions(URI.create("http://127.0.0.1:1/mcp"));
        Duration moment = Duration.ofMillis(1);
        options.gracePeriods = new GracePeriods(Duration.ofSeconds(10), moment, moment, moment);
        return new HttpConnection(
                options,
                opened -> {
                    context = opened;
                    return session;
                },
                threads,
                thread -> {
                    throw new OutOfMemoryError("unable to create native thread");
                });
    }

    @Test
    void aConnectionThatFindsNoThreadClosesItsSession() {
        assertThatThrownBy(
                        () ->
                                open(
                                        task -> {
                                            throw new OutOfMemoryError("no native thread");
                                        }))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("no thread");
        assertThat(session.closed).isOne();
        assertThat(session.cause).hasMessageContaining("no thread");
    }

    @Test
    void aConnectionIsClosedWithoutAThreadForThat() throws Exception {
        HttpConnection connection = open(Thread.ofVirtual().factory());

        assertThat(Thread.ofVirtual().start(connection::close).join(Duration.ofSeconds(60)))
                .isTrue();
        connection.close();
        assertThat(session.closed).isOne();
    }

    @Test
    void aSessionThatClosesItsConnectionClosesItWithoutAThreadForThat() throws Exception {
        HttpConnection connection = open(Thread.ofVirtual().factory());

        context.close();
        assertThat(session.closed).isOne();
        connection.close();
    }
}
