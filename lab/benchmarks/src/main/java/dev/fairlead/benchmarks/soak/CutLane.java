package dev.fairlead.benchmarks.soak;

import dev.fairlead.benchmarks.soak.SoakServer.Step;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Revision;

import java.net.URI;
import java.time.Duration;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * One client after the other over connections that are cut at random. Each call has to end, by its
 * answer or by a {@link ConnectionException}, and its handler may run once at most. Each client
 * also listens to changes of the tools.
 */
final class CutLane {
    /** A call that takes longer is lost. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int MOST_CALLS = 200;
    private static final int LONGEST_TEXT = 2_000;

    private final int number;
    private final Revision revision;
    private final Random random;
    private final URI server;
    private final Gate gate;
    private final Tally tally;
    private long calls;

    CutLane(int number, long seed, Revision revision, URI server, Gate gate, Tally tally) {
        this.number = number;
        this.revision = revision;
        this.random = new Random(seed * 31 + number);
        this.server = server;
        this.gate = gate;
        this.tally = tally;
    }

    /** One client after the other, until it is over. */
    Void run(BooleanSupplier over) throws InterruptedException {
        while (!over.getAsBoolean()) {
            try (McpClient client = gate.pass(this::connect)) {
                int most = 1 + random.nextInt(MOST_CALLS);
                for (int i = 0; i < most && !over.getAsBoolean(); i++) {
                    gate.pass(() -> call(client));
                }
            } catch (ConnectionException e) {
                tally.cutOff(); // while it connected
            } catch (RuntimeException e) {
                tally.failed("lane " + number + ", client: " + e);
            }
        }
        return null;
    }

    private McpClient connect() throws InterruptedException {
        tally.opened();
        return McpClient.named("soak", "1")
                .revisions(revision, revision)
                .onToolsChanged(tools -> {})
                .requestTimeout(PATIENCE)
                .connect(Http.to(server));
    }

    private Void call(McpClient client) throws InterruptedException {
        calls++;
        String text = "x".repeat(1 + random.nextInt(LONGEST_TEXT));
        Step step = new Step(number, calls, 0, 0, text);
        tally.sent(Kind.CALL, 1);
        try {
            String answer = client.tool("once", Step.class, String.class).call(step);
            if (answer.equals(text + " " + calls)) {
                tally.received(Kind.CALL, 1);
            } else {
                tally.failed("a wrong answer to call " + calls + ": " + answer);
            }
        } catch (ConnectionException e) {
            tally.received(Kind.CALL, 1); // it has ended
            tally.cutOff();
        } catch (RuntimeException e) {
            tally.failed("lane " + number + ", call " + calls + ": " + e);
        }
        return null;
    }
}
