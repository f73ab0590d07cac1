package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server behind a reverse proxy, which is this machine. */
@Timeout(60)
class ProxiesTest extends HttpTest {
    private int status(HttpServing serving, String... headers) throws IOException {
        return post(serving, initialize("2025-11-25"), headers).status();
    }

    @Test
    @Requirement("ROOM-059")
    void theForwardedHostIsChecked() throws IOException {
        HttpServing serving =
                serve(
                        listener ->
                                listener.trustProxies("127.0.0.0/8").allowHosts("weather.example"));

        assertThat(status(serving, "X-Forwarded-Host", "weather.example")).isEqualTo(200);
        assertThat(status(serving, "X-Forwarded-Host", "evil.example")).isEqualTo(403);
        assertThat(status(serving, "X-Forwarded-Host", "localhost")).isEqualTo(403);
        assertThat(
                        status(
                                serving,
                                "Forwarded",
                                "host=weather.example",
                                "X-Forwarded-Host",
                                "evil.example"))
                .isEqualTo(403);
        assertThat(
                        status(
                                serving,
                                "X-Forwarded-For",
                                "192.0.2.1, 127.0.0.2",
                                "X-Forwarded-Host",
                                "weather.example, evil.example"))
                .isEqualTo(403);
    }

    @Test
    @Requirement("ROOM-059")
    void theStandardHeaderIsReadWhereItIsChosen() throws IOException {
        HttpServing serving =
                serve(
                        listener ->
                                listener.trustProxies("127.0.0.1")
                                        .standardForwarded()
                                        .allowHosts("weather.example"));

        assertThat(status(serving, "Forwarded", "host=weather.example")).isEqualTo(200);
        assertThat(
                        status(
                                serving,
                                "Forwarded",
                                "host=evil.example",
                                "X-Forwarded-Host",
                                "weather.example"))
                .isEqualTo(403);
    }

    @Test
    void addressesAreCountedAsTheProxyHasSeenThem() throws IOException {
        HttpServing serving =
                serveOnTimers(listener -> listener.trustProxies("127.0.0.1").requestRate(1, 3));
        List<Integer> statuses = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            String claimed = "for=198.51.100." + i;
            statuses.add(status(serving, "X-Forwarded-For", "192.0.2.1", "Forwarded", claimed));
        }

        assertThat(statuses).containsExactly(200, 200, 200, 429, 429);
    }

    @Test
    @Requirement("ROOM-059")
    void forwardedHeadersOfOtherPeersAreIgnored() throws IOException {
        HttpServing serving = serve(listener -> listener.trustProxies("192.0.2.1"));

        assertThat(status(serving, "Host", "evil.example", "X-Forwarded-Host", "localhost"))
                .isEqualTo(403);
    }

    @Test
    @Requirement("HTTP-002")
    void pagesOfThisMachineMeanAnotherOneBehindAProxy() throws IOException {
        HttpServing serving = serve(listener -> listener.trustProxies("127.0.0.1"));

        assertThat(status(serving, "Origin", "http://localhost")).isEqualTo(200);
        assertThat(status(serving, "Origin", "http://localhost", "X-Forwarded-For", "192.0.2.1"))
                .isEqualTo(403);
    }

    @Test
    void oldClientsPostToWhereTheProxyFindsThem() throws IOException {
        HttpServing serving = serve(listener -> listener.legacySse().trustProxies("127.0.0.1"));
        Wire wire = wire(serving);
        Map<String, String> headers =
                Map.of("X-Forwarded-For", "192.0.2.1", "X-Forwarded-Prefix", "/weather");
        wire.send("GET", "/sse", headers, new byte[0]).head();

        assertThat(wire.event().data()).startsWith("/weather/messages?");
    }
}
