package dev.fairlead.proofs;

import static dev.fairlead.test.support.Awaiting.await;

import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.shared.PerRequestFrames;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.test.support.Threads;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.Map;

/** The threads of a server whose clients listen for changes over HTTP. */
@Tag("proof")
@Timeout(900)
class ListenThreadsHttpTest extends ClosingTest {
    private static final int STREAMS = 1_000;

    /** The number of other threads that the server may start, such as workers of its loops. */
    private static final int OTHERS = 50;

    @Test
    void aThousandIdleStreamsHaveNoThreads() throws Exception {
        McpServer server =
                closedLater(
                        McpServer.named("s", "1")
                                .revisions(Revision.V2026_07_28)
                                .maxListenStreamsPerCaller(STREAMS)
                                .tool("echo", "Answers", NoInput.class, String.class)
                                .handle((none, call) -> "echoed")
                                .build());
        HttpServing serving = closedLater(server.serve(PerRequestFrames.listener()));
        listen(serving);
        int before = sum(Threads.count());

        for (int i = 1; i < STREAMS; i++) {
            listen(serving);
        }

        await("the threads of requests end")
                .until(() -> sum(Threads.count()) - before, more -> more < OTHERS);
    }

    private void listen(HttpServing serving) throws Exception {
        Socket socket = closedLater(new Socket("127.0.0.1", serving.port()));
        PerRequestFrames.write(
                socket,
                PerRequestFrames.request(
                        "7",
                        "subscriptions/listen",
                        "\"notifications\": {\"toolsListChanged\": true}"),
                PerRequestFrames.headers("subscriptions/listen", null));
        BufferedReader answer = new BufferedReader(new InputStreamReader(socket.getInputStream()));
        String line = answer.readLine();
        while (!line.contains("notifications/subscriptions/acknowledged")) {
            line = answer.readLine();
        }
    }

    private static int sum(Map<String, Integer> threads) {
        return threads.values().stream().mapToInt(Integer::intValue).sum();
    }
}
