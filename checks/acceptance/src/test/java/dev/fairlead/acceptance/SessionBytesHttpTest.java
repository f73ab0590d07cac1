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

/** Sessions over HTTP that together keep all the bytes that they may. */
class SessionBytesHttpTest {
    private static final int SUM = 64 << 10;

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
}
