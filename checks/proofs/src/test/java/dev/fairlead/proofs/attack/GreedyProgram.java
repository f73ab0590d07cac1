package dev.fairlead.proofs.attack;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Programs with a small heap that take all of it for a moment, again and again. */
final class GreedyProgram {
    /** After this a call is given up whose answer was lost without memory. */
    static final Duration LOST = Duration.ofSeconds(2);

    private static final int ROUNDS = 5;

    private GreedyProgram() {}

    /** A server on stdio, whose tools do it. */
    static final class OnStdio {
        private OnStdio() {}

        public static void main(String[] arguments) throws Exception {
            try (McpServer server = GreedyServer.create();
                    var serving = server.serve(Stdio.streams())) {
                serving.await();
            }
        }
    }

    /** A client of the server at a URL; prints a line for each round after which a call works. */
    static final class OfClient {
        private OfClient() {}

        public static void main(String[] arguments) throws Exception {
            try (McpClient connected =
                    McpClient.named("greedy", "1").connect(Http.to(arguments[0]))) {
                ClientRequests client = connected.withTimeout(LOST);
                callAgain(client); // Java can never use a class that is first used without memory
                for (int round = 0; round < ROUNDS; round++) {
                    try {
                        exhaust(client);
                    } catch (OutOfMemoryError e) {
                        // also this thread may find no memory; the others end all the same
                    }
                    System.out.println(callAgain(client));
                }
            }
        }

        private static void exhaust(ClientRequests client) throws InterruptedException {
            List<Thread> greedy = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                boolean calls = i % 2 == 0;
                greedy.add(Thread.ofPlatform().unstarted(() -> take(client, calls)));
            }
            greedy.forEach(Thread::start); // which takes no memory of the heap
            for (Thread thread : greedy) {
                thread.join();
            }
        }

        /** Without memory a call may fail in any way. */
        private static void take(ClientRequests client, boolean calls) {
            try {
                if (calls) {
                    client.callTool("small", JsonObject.EMPTY);
                } else {
                    GreedyServer.exhaust();
                }
            } catch (Throwable e) {
                // the next call shows whether the client lives
            }
        }

        private static String callAgain(ClientRequests client) throws InterruptedException {
            for (int attempt = 0; attempt < 30; attempt++) {
                try {
                    return client.callTool("small", JsonObject.EMPTY).text();
                } catch (RuntimeException | Error e) {
                    Thread.sleep(1_000);
                }
            }
            return "no answer for 30 s";
        }
    }
}
