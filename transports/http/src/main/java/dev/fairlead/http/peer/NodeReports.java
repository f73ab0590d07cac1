package dev.fairlead.http.peer;

import dev.fairlead.http.blocking.IncomingResponse;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.relay.HandlerThread;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks the other nodes for their reports to operators. Thread-safe. */
public final class NodeReports {
    /** How long all answers together may take. */
    static final Duration PATIENCE = Duration.ofMillis(500);

    /** The most nodes that are asked at a time. */
    static final int MAX_NODES = 64;

    /** The most bytes of a report. */
    static final int MAX_BYTES = 1 << 20;

    private static final int OK = 200;

    private static final System.Logger LOGGER = System.getLogger(NodeReports.class.getName());

    private final Forwarder forwarder;

    /**
     * @param forwarder of the same endpoint, whose connections are used
     */
    public NodeReports(Forwarder forwarder) {
        this.forwarder = forwarder;
    }

    /** Returns the reports of the living nodes that answer in time, in no order. */
    public List<JsonObject> ask() {
        List<Question> asked =
                forwarder.node.living().stream()
                        .filter(owner -> owner.node() != forwarder.node.node())
                        .map(owner -> new Forwarder.Target(owner.node(), owner.address(), 0))
                        .flatMap(to -> question(to).stream())
                        .limit(MAX_NODES)
                        .toList();
        asked.forEach(question -> HandlerThread.start("mcp-http-report", question::run));
        long end = System.nanoTime() + PATIENCE.toNanos();
        return asked.stream().flatMap(question -> question.answer(end).stream()).toList();
    }

    private Optional<Question> question(Forwarder.Target to) {
        try {
            return Optional.of(new Question(to));
        } catch (ConnectException e) {
            LOGGER.log(Level.DEBUG, "A node cannot be asked", e);
            return Optional.empty();
        }
    }

    /** The question to one node. */
    private final class Question {
        private final Forwarder.Target to;
        private final PeerCall call;
        private final CompletableFuture<Optional<JsonObject>> answer = new CompletableFuture<>();

        Question(Forwarder.Target to) throws ConnectException {
            this.to = to;
            this.call =
                    new PeerCall(
                            forwarder.node,
                            forwarder.keys,
                            forwarder.client,
                            PeerRequest.forReport(),
                            to);
        }

        void run() {
            try {
                answer.complete(report());
            } catch (IOException | RuntimeException e) {
                LOGGER.log(Level.DEBUG, "A node has not reported", e);
            } finally {
                answer.complete(Optional.empty());
            }
        }

        private Optional<JsonObject> report() throws IOException {
            IncomingResponse response = call.exchange().send();
            try (InputStream body = response.body()) {
                byte[] text = body.readNBytes(MAX_BYTES + 1);
                boolean usable =
                        call.isSigned(response)
                                && response.status() == OK
                                && text.length <= MAX_BYTES;
                return usable && RawJson.parse(text).value() instanceof JsonObject report
                        ? Optional.of(report)
                        : Optional.empty();
            } catch (JsonException e) {
                throw new IOException("the report is no JSON", e);
            }
        }

        /** Waits for the report until then; empty, and the question is dropped, if none came. */
        Optional<JsonObject> answer(long end) {
            try {
                return answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (TimeoutException e) {
                LOGGER.log(
                        Level.DEBUG, "Node {0} has not reported in time", Long.toString(to.node()));
            } catch (ExecutionException e) {
                throw new IllegalStateException(e); // it is never completed with an exception
            }
            call.exchange().abort();
            return Optional.empty();
        }
    }
}
