package dev.fairlead.benchmarks.soak;

import dev.fairlead.http.Http;
import dev.fairlead.http.client.HttpConnector;
import dev.fairlead.protocol.Revision;
import dev.fairlead.testing.CuttingProxy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntSupplier;

/**
 * All clients, half of them of revision 2026-07-28. Where connections are cut, all are at work
 * behind a relay that does. Where streams are cut, those with sessions are behind a proxy that cuts
 * them; the others are not, since messages that are cut off without a session are lost.
 */
final class Crowd implements AutoCloseable {
    /** How many bytes of a stream pass at most. */
    private static final int LONGEST = 6_000;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<Void>> working = new ArrayList<>();
    private final AutoCloseable network;
    private final IntSupplier cuts;
    private volatile boolean over;

    /**
     * @param port of the server
     * @param firstLane the number of the first lane
     * @param lanes how many there are
     * @param gate that they pass with each step
     * @param deserting the gate of those that leave without closing their sessions
     */
    Crowd(
            int port,
            int firstLane,
            int lanes,
            SoakOptions options,
            Gate gate,
            Gate deserting,
            Tally tally)
            throws IOException {
        long seed = options.seed();
        if (options.cutsAll()) {
            CuttingRelay relay = new CuttingRelay(port, seed);
            network = relay;
            cuts = relay::cuts;
            for (int i = 0; i < lanes; i++) {
                Revision revision =
                        i % 4 >= 2 ? Revision.V2026_07_28 : Revision.NEWEST_WITH_HANDSHAKE;
                CutLane lane = new CutLane(firstLane + i, seed, revision, relay.uri(), gate, tally);
                start(() -> lane.run(() -> over));
            }
            return;
        }
        CuttingProxy proxy = new CuttingProxy(port, seed, LONGEST);
        network = proxy;
        cuts = proxy::cuts;
        HttpConnector own = Http.to(proxy.uri());
        HttpConnector direct = Http.to("http://127.0.0.1:" + port + "/mcp");
        for (int i = 0; i < lanes; i++) {
            boolean isPerRequest = i % 4 >= 2;
            HttpConnector connector = isPerRequest ? direct : own;
            Lane lane = new Lane(firstLane + i, seed, isPerRequest, connector, gate, tally);
            start(() -> lane.run(() -> over));
        }
        for (int i = 0; i <= lanes / 8; i++) {
            Deserter deserter = new Deserter(proxy.uri().getPort(), seed + i, deserting, tally);
            start(() -> deserter.run(() -> over));
        }
    }

    private void start(Callable<Void> work) {
        working.add(executor.submit(work));
    }

    int cuts() {
        return cuts.getAsInt();
    }

    /** Has all clients finish their calls and close their sessions, and waits for that. */
    void end() throws InterruptedException, ExecutionException {
        over = true;
        for (Future<Void> each : working) {
            each.get();
        }
    }

    @Override
    public void close() throws Exception {
        over = true;
        executor.close();
        network.close();
    }
}
