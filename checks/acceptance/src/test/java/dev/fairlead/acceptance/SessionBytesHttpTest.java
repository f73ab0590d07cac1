package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Sessions over HTTP that together keep all the bytes that they may. */
class SessionBytesHttpTest {
    private static final int SUM = 64 << 10;

    private static final String LARGE =
            "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"experimental\":{\"a\":{\"b\":\""
                    + "x".repeat(14 << 10)
                    + "\"}}},\"clientInfo\":{\"name\":\"raw\",\"version\":\"1\"}}}";

    private final McpServer server =
            McpServer.named("bytes", "1")
                    .maxSessionBytes(SUM)
                    .maxSessionBytesSum(SUM)
                    .tool("small", "Returns a word", NoInput.class, String.class)
                    .handle((none, call) -> "small")
                    .build();
    private final HttpServing serving = server.serve(Http.port(0));

    SessionBytesHttpTest() throws Exception {}

    @AfterEach
    void close() {
        serving.close();
        server.close();
    }

    private static InetAddress address(int last) throws Exception {
        return InetAddress.getByName("127.0.0." + last);
    }

    private HttpAnswer call(RawSession session) throws Exception {
        return session.post(RawSession.call(1, "small"));
    }

    /** Opens sessions until the first of them has ended, and returns how many there were. */
    private int openUntilFirstEnds(InetAddress from) throws Exception {
        RawSession first = RawSession.open(serving.port(), from);
        int before = serving.sessions() - 1;
        int opened = 1;
        while (serving.sessions() == before + opened) {
            RawSession.open(serving.port(), from); // an IOException if it were refused
            opened++;
        }
        assertThat(call(first).status()).isEqualTo(404);
        return opened;
    }

    @Test
    void theOldestIdleSessionMakesRoomForANewOne() throws Exception {
        int room = openUntilFirstEnds(address(2)) - 1;
        for (int i = 0; i < 2 * room; i++) {
            assertThat(call(RawSession.open(serving.port(), address(2))).body()).contains("small");
        }
    }

    @Test
    void aCallerThatKeepsLessLosesNoSession() throws Exception {
        RawSession modest = RawSession.open(serving.port(), address(3));
        int room = openUntilFirstEnds(address(2));
        for (int i = 0; i < 2 * room; i++) {
            RawSession.open(serving.port(), address(2));
        }
        assertThat(call(modest).body()).contains("small");
    }

    /** Each of its requests to open one fails, and would end sessions of others before that. */
    @Test
    void aSessionThatAsksForMuchEndsNoSmallOnesOfOthers() throws Exception {
        List<RawSession> others = new ArrayList<>();
        int room = openUntilFirstEnds(address(2)) - 1;
        for (int i = 0; i < room - 4; i++) { // the heaviest end first, several at a time
            others.add(RawSession.open(serving.port(), address(3 + i)));
        }
        for (int i = 0; i < 10; i++) {
            HttpAnswer refused = new RawSession(serving.port(), "", address(250)).post(LARGE);
            assertThat(refused.status()).isEqualTo(503);
        }
        for (RawSession other : others) {
            assertThat(call(other).body()).contains("small");
        }
    }
}
