package dev.fairlead.protocol.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.Uninterruptibly;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** A pipe whose reader runs quick handlers, which write their responses themselves. */
@Timeout(300)
class DirectPipeTest {
    private static final String WRITER = "mcp-direct-writer";

    private final Pipe pipe = new Pipe();
    private final Host host = new Host();
    private PipeSettings settings =
            PipeSettings.named("direct")
                    .withSendTimeout(Duration.ofDays(1))
                    .withAnswerGrace(Duration.ofDays(1))
                    .withCloseGrace(Duration.ofDays(1));
    private Serving serving;

    /** A written text, and the way it was written. */
    private record Written(String text, Thread thread, boolean directly) {}

    /** A transport in memory whose direct writes can stall or fail. */
    private static final class Pipe implements BufferedTransport {
        private final BlockingQueue<String> in = new LinkedBlockingQueue<>();
        private final BlockingQueue<Written> written = new LinkedBlockingQueue<>();
        private final BlockingQueue<Thread> stalling = new LinkedBlockingQueue<>();
        private volatile CountDownLatch released = new CountDownLatch(0);
        private volatile boolean interruptible;
        private volatile boolean broken;

        @Override
        public boolean isUninterruptible() {
            return !interruptible;
        }

        @Override
        public @Nullable JsonRpcMessage receive() {
            String[] text = new String[1];
            Uninterruptibly.await(() -> text[0] = in.take());
            return text[0].isEmpty() ? null : JsonRpcMessage.parse(text[0]);
        }

        @Override
        public void send(JsonRpcMessage message) {
            written.add(new Written(message.toJson(), Thread.currentThread(), false));
        }

        @Override
        public void sendDirectly(JsonRpcMessage message) throws IOException {
            if (broken) {
                throw new IOException("cable cut");
            }
            if (released.getCount() > 0) {
                stalling.add(Thread.currentThread());
                Uninterruptibly.await(released::await);
            }
            written.add(new Written(message.toJson(), Thread.currentThread(), true));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            in.add("");
        }

        void give(String method, int id) {
            in.add("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\"}");
        }
    }

    /** Answers each request on the thread that its method names. */
    private static final class Host implements SessionHost, Session {
        private final BlockingQueue<Thread> returned = new LinkedBlockingQueue<>(); // from send
        private final CountDownLatch closed = new CountDownLatch(1);
        private volatile SessionContext context;
        private volatile ConnectionException cause;

        @Override
        public Session open(SessionContext opened) {
            context = opened;
            return this;
        }

        @Override
        public void accept(JsonRpcMessage message, Exchange exchange) {
            JsonRpcRequest request = (JsonRpcRequest) message;
            Runnable answer = () -> answer(request, exchange);
            switch (request.method()) {
                case "quick", "noted", "early" -> exchange.run("handler", answer);
                case "virtual" -> Thread.ofVirtual().start(answer);
                case "platform" -> Thread.ofPlatform().start(answer);
                default -> answer.run();
            }
        }

        private void answer(JsonRpcRequest request, Exchange exchange) {
            JsonRpcMessage response = EchoHost.answer(request);
            if (request.method().equals("early")) {
                exchange.respondEarly(response);
            } else {
                if (request.method().equals("noted")) {
                    exchange.send(new JsonRpcNotification("note", null));
                }
                try {
                    exchange.send(response);
                } catch (ConnectionException e) {
                    // the test looks at the end of the session
                }
            }
            returned.add(Thread.currentThread());
        }

        @Override
        public void fail(RequestId request, CallException why) {}

        @Override
        public Optional<Revision> revision() {
            return Optional.of(Revision.V2025_11_25);
        }

        @Override
        public void lost(ConnectionException why) {
            cause = why;
            close();
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    private void serve() throws IOException {
        serving = new PipeEndpoint(pipe, settings).serve(host);
    }

    @AfterEach
    void close() {
        pipe.released.countDown();
        serving.close();
    }

    private static String result(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}";
    }

    private Written ask(String method, int id) throws InterruptedException {
        pipe.give(method, id);
        Written written = pipe.written.take();
        assertThat(written.text()).isEqualTo(result(id));
        return written;
    }

    /** Asks until a response is written directly: the writer must have come to rest. */
    private Thread awaitDirectly() throws InterruptedException {
        while (true) {
            Written written = ask("quick", 0);
            host.returned.take();
            if (written.directly()) {
                return written.thread();
            }
        }
    }

    /** Asks for a response whose write stalls, and returns the thread that writes. */
    private Thread stall(int id) throws InterruptedException {
        pipe.released = new CountDownLatch(1);
        pipe.give("quick", id);
        return pipe.stalling.take();
    }

    @Test
    void theReaderWritesTheResponseOfItsHandler() throws Exception {
        serve();

        Thread reader = awaitDirectly();
        assertThat(reader.getName()).isEqualTo("handler");
        assertThat(reader.isVirtual()).isFalse();
    }

    @Test
    void aPlatformThreadWritesItsResponse() throws Exception {
        serve();

        Written written = ask("platform", 1);
        while (!written.directly()) {
            written = ask("platform", 1);
        }
        assertThat(written.thread().getName()).isNotEqualTo(WRITER);
    }

    @Test
    void allElseIsWrittenByTheWriter() throws Exception {
        serve();

        for (String method : new String[] {"virtual", "reader", "early"}) {
            for (int i = 0; i < 20; i++) {
                Written written = ask(method, i);
                assertThat(written.directly()).isFalse();
                assertThat(written.thread().getName()).isEqualTo(WRITER);
            }
        }
        host.context.send(new JsonRpcNotification("note", null));
        assertThat(pipe.written.take().directly()).isFalse();
    }

    @Test
    void aTransportThatAnInterruptHarmsIsLeftToTheWriter() throws Exception {
        pipe.interruptible = true;
        serve();

        for (int i = 0; i < 20; i++) {
            assertThat(ask("quick", i).thread().getName()).isEqualTo(WRITER);
            assertThat(host.returned.take().isVirtual()).isTrue();
        }
    }

    @Test
    void aResponseDoesNotOvertakeWhatItsHandlerSentBefore() throws Exception {
        serve();

        for (int i = 0; i < 500; i++) {
            awaitDirectly();
            pipe.give("noted", i);
            assertThat(pipe.written.take().text()).contains("note");
            assertThat(pipe.written.take().text()).isEqualTo(result(i));
            host.returned.take();
        }
    }

    @Test
    void aPeerThatReadsNothingBlocksNoOtherHandler() throws Exception {
        serve();
        awaitDirectly();
        Thread first = stall(1);

        for (int i = 2; i < 100; i++) { // a fresh thread reads
            pipe.give(i % 2 == 0 ? "quick" : "platform", i);
            assertThat(host.returned.take()).isNotSameAs(first);
        }
        assertThat(pipe.written).isEmpty();

        pipe.released.countDown();
        assertThat(pipe.written.take()).isEqualTo(new Written(result(1), first, true));
        for (int i = 2; i < 100; i++) {
            assertThat(pipe.written.take().text()).isEqualTo(result(i));
        }
        awaitDirectly();
    }

    @Test
    void aPeerThatReadsNothingIsGivenUpWhenTheQueueIsFull() throws Exception {
        settings =
                settings.withQueuedMessages(2)
                        .withSendTimeout(Duration.ofMillis(50))
                        .withCloseGrace(Duration.ofMillis(50));
        serve();
        awaitDirectly();
        stall(1);
        for (int i = 2; i < 5; i++) {
            pipe.give("quick", i);
        }

        host.closed.await();
        assertThat(host.cause).hasMessage("the peer has read nothing for 50 ms");
        serving.await();
    }

    @Test
    void closingDoesNotWaitForAWriteThatNeverEnds() throws Exception {
        settings =
                settings.withAnswerGrace(Duration.ofMillis(50))
                        .withCloseGrace(Duration.ofMillis(50));
        serve();
        awaitDirectly();
        stall(1);
        host.context.send(new JsonRpcNotification("note", null));

        serving.close();

        assertThat(pipe.written).isEmpty();
    }

    @Test
    void aWriteThatFailsEndsTheConnection() throws Exception {
        serve();
        awaitDirectly();
        pipe.broken = true;
        pipe.give("quick", 1);

        host.closed.await();
        assertThat(host.cause).hasMessage("the connection was lost: cable cut");
        serving.await();
    }

    @Test
    void whatWasAskedBeforeTheEndOfInputIsWritten() throws Exception {
        serve();
        awaitDirectly();
        stall(1);
        pipe.in.add("");
        pipe.released.countDown();

        assertThat(pipe.written.take().text()).isEqualTo(result(1));
        serving.await();
    }
}
