package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;

/** Pages of other sites, and names that were bound anew to this machine. */
@Timeout(120)
@Requirement({"HTTP-002", "HTTP-003", "ROOM-059", "N26-HTTP-005"})
class AttackByRebindingTest extends HttpTest {
    private int status(HttpServing serving, String... headers) throws IOException {
        return post(serving, initialize("2025-11-25"), headers).status();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:80",
                "localhost.evil.example",
                "localhost.",
                "127.0.0.1.evil.example",
                "127.0.0.1.nip.io:8080",
                "evil.example:127.0.0.1",
                "localhost:evil",
                "localhost:80:80",
                "localhost@evil.example",
                "evil.example@localhost",
                "localhost/evil.example",
                "localhost, evil.example",
                "0.0.0.0",
                "127.0.0.2",
                "127.1",
                "2130706433",
                "0x7f.0.0.1",
                "[::2]",
                "[::1].evil.example",
                "[::ffff:127.0.0.1]",
                "[fe80::1]:80",
                "::1",
                "[::1",
                "[]",
                "*"
            })
    void aForeignHostIsRefused(String name) throws IOException {
        // 400 is the engine's, for a text that is no host at all
        assertThat(status(serve(), "Host", name)).isIn(400, 403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:65535", "[::1]:80"})
    void theNamesOfThisMachinePassWithAnyPort(String name) throws IOException {
        assertThat(status(serve(), "Host", name)).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Host: \r\n", "Host: localhost\r\nHost: evil.example\r\n"})
    void noHostAndTwoHostsAreRefused(String lines) throws IOException {
        for (String version : new String[] {"1.1", "1.0"}) {
            try (Wire wire = Wire.to(serve())) {
                wire.raw("GET /mcp HTTP/" + version + "\r\n" + lines + "\r\n");

                assertThat(wire.head().status()).isIn(400, 403);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "NULL",
                "file://",
                "http://evil.example",
                "http://evil.example:80",
                "https://localhost.evil.example",
                "http://localhost@evil.example",
                "http://evil.example#localhost",
                "http://localhost/evil",
                "http://[::2]",
                "http://[::ffff:127.0.0.1]",
                "http://0.0.0.0",
                "http://127.0.0.2",
                "chrome-extension://localhost",
                "localhost",
                "http://localhost http://evil.example",
                "http://localhost, http://evil.example",
                "http://localhost:evil",
                "http://localhost?x",
                "http://localhost#x",
                "http://localhost:",
                "http://[::1]:",
                " ", // empty on the wire
                "*"
            })
    void aForeignOriginIsRefused(String origin) throws IOException {
        assertThat(status(serve(), "Origin", origin)).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost",
                "https://localhost:8443",
                "http://127.0.0.1:1",
                "http://[::1]:6274"
            })
    void pagesOfThisMachinePassFromAnyPort(String origin) throws IOException {
        assertThat(status(serve(), "Origin", origin)).isEqualTo(200);
    }

    @Test
    void oneForeignOriginOfTwoIsEnough() throws IOException {
        try (Wire wire = Wire.to(serve())) {
            wire.raw(
                    "GET /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
                            + "Origin: http://evil.example\r\n\r\n");

            assertThat(wire.head().status()).isEqualTo(403);
        }
    }

    @Test
    void nullIsNoOriginThatCouldBeAllowedByChance() throws IOException {
        HttpServing serving = serve(listener -> listener.allowOrigins("https://app.example:8443"));

        assertThat(status(serving, "Origin", "https://app.example:8443")).isEqualTo(200);
        assertThat(status(serving, "Origin", "https://app.example")).isEqualTo(403);
        assertThat(status(serving, "Origin", "http://app.example:8443")).isEqualTo(403);
        assertThat(status(serving, "Origin", "null")).isEqualTo(403);
    }
}
