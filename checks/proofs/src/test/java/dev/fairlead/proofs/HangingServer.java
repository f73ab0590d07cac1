package dev.fairlead.proofs;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import java.util.concurrent.CountDownLatch;

/** A server of revisions with a handshake whose tool begins to answer and never ends. */
final class HangingServer {
    private HangingServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (McpServer server =
                        McpServer.named("hanging", "1")
                                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                                .tool("hang", "Never ends", NoInput.class, String.class)
                                .handle(
                                        (none, call) -> {
                                            call.progress(1);
                                            new CountDownLatch(1).await();
                                            return "";
                                        })
                                .build();
                HttpServing serving = server.serve(Http.port(0))) {
            System.out.println(serving.uri());
            serving.await();
        }
    }
}
