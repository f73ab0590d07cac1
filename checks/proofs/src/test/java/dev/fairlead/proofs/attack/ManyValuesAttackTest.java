package dev.fairlead.proofs.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

/** Bodies of the smallest values there are, which become trees of many times their size. */
@Tag("proof")
@Timeout(900)
class ManyValuesAttackTest {
    private static final int VALUES = 1_250_000; // 3.75 MB

    /** A server with a tool whose arguments are a tree. */
    static final class TreeServer {
        private TreeServer() {}

        public static void main(String[] none) throws Exception {
            try (McpServer server =
                    McpServer.named("attacked", "1")
                            .tool(new Tool("take", JsonObject.of("type", "object")))
                            .handle((request, call) -> CallToolResult.text("taken"))
                            .build()) {
                SmallHeap.ready(server.serve(Http.port(0)).port());
            }
        }
    }

    @Test
    void doNotFillTheMemory() throws Exception {
        String call =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"take\","
                    + "\"arguments\":{\"a\":["
                        + "{},".repeat(VALUES)
                        + "{}]}}}";
        try (SmallHeap attacked = SmallHeap.start(TreeServer.class, "256m")) {
            List<FutureTask<HttpAnswer>> calls = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                RawSession session = RawSession.open(attacked.port());
                FutureTask<HttpAnswer> posted = new FutureTask<>(() -> post(session, call));
                calls.add(posted);
                Thread.ofVirtual().start(posted);
            }
            for (FutureTask<HttpAnswer> posted : calls) {
                assertThat(posted.get().body())
                        .contains("-32700", "the text has more than 1000000 values");
            }
            RawSession other = RawSession.open(attacked.port());
            assertThat(other.post(RawSession.call(2, "take")).body()).contains("taken");
            assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
        }
    }

    /** Posts a call, again as long as bodies of other requests of the caller take its place. */
    private static HttpAnswer post(RawSession session, String call) throws Exception {
        HttpAnswer answer;
        do {
            answer = session.post(call);
        } while (answer.body().contains("\"retryable\""));
        return answer;
    }
}
