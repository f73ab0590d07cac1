package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Refusals of the endpoints of HTTP+SSE: the same as those of the new one. */
@Timeout(60)
class LegacyRefusalsTest extends LegacyTest {
    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "http://127.0.0.1.evil.example"})
    @Requirement({"LEGACY-005", "ROOM-059"})
    void pagesOfOtherOriginsAreKeptOut(String origin) throws Exception {
        HttpServing serving = serveBoth();
        Old old = open(serving, "2024-11-05");

        Answer stream = request(serving, "GET", "/sse", "Origin", origin);
        Answer message = post(serving, old, NOTIFICATION, "Origin", origin);

        assertThat(stream.status()).isEqualTo(403);
        assertThat(message.status()).isEqualTo(403);
        assertThat(serving.sessions()).isEqualTo(1);
    }

    @Test
    @Requirement("LEGACY-005")
    void aReboundHostIsRefused() throws Exception {
        HttpServing serving = serveBoth();

        assertThat(request(serving, "GET", "/sse", "Host", "evil.example").status()).isEqualTo(403);
        assertThat(postTo(serving, "/messages", NOTIFICATION, "Host", "evil.example").status())
                .isEqualTo(403);
    }

    @Test
    void anAllowedOriginReceivesCorsHeaders() throws Exception {
        HttpServing serving = serveBoth(listener -> listener.allowOrigins("https://app.example"));
        String page = "https://app.example";

        Answer preflight =
                request(
                        serving,
                        "OPTIONS",
                        "/messages",
                        "Origin",
                        page,
                        "Access-Control-Request-Method",
                        "POST");
        Answer stream = request(serving, "GET", "/sse", "Origin", page, "Accept", "text/html");

        assertThat(preflight.status()).isEqualTo(204);
        assertThat(preflight.header("Access-Control-Allow-Origin")).isEqualTo(page);
        assertThat(preflight.header("Access-Control-Allow-Methods")).isEqualTo("POST, OPTIONS");
        assertThat(preflight.header("Access-Control-Allow-Headers")).contains("Content-Type");
        assertThat(stream.header("Access-Control-Allow-Origin")).isEqualTo(page);
        assertThat(stream.status()).isEqualTo(406);
    }

    @Test
    void eachPathHasItsMethod() throws Exception {
        HttpServing serving = serveBoth();

        Answer posted = postTo(serving, "/sse", initialize("2024-11-05"));
        Answer got = request(serving, "GET", "/messages");
        Answer deleted = request(serving, "DELETE", "/sse");

        assertThat(posted.status()).isEqualTo(405);
        assertThat(posted.header("Allow")).isEqualTo("GET, OPTIONS");
        assertThat(got.status()).isEqualTo(405);
        assertThat(got.header("Allow")).isEqualTo("POST, OPTIONS");
        assertThat(deleted.status()).isEqualTo(405);
    }

    @Test
    void bodiesAreBoundedAndMustBeMessages() throws Exception {
        HttpServing serving = serveBoth(listener -> listener.maxBody(1000));
        Old old = open(serving, "2024-11-05");

        assertThat(post(serving, old, " ".repeat(1001)).status()).isEqualTo(413);
        assertThat(post(serving, old, "{", "Content-Type", "text/plain").status()).isEqualTo(415);
        assertThat(post(serving, old, "{", "Content-Encoding", "gzip").status()).isEqualTo(415);
        Answer broken = post(serving, old, "{");
        assertThat(broken.status()).isEqualTo(400);
        assertThat(broken.body()).contains("-32700");
        assertThat(post(serving, old, "{\"jsonrpc\":\"2.0\"}").body()).contains("-32600");
    }

    @Test
    void aHostThatTakesNoSessionIsUnavailable() throws Exception {
        HttpServing serving = serveBoth();
        host.full = true;

        Answer refused = request(serving, "GET", "/sse");

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("The server takes no sessions now");
        assertThat(serving.sessions()).isZero();
    }
}
