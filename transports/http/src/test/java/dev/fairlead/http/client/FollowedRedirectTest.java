package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.handshake;
import static dev.fairlead.http.client.RequestTest.result;
import static dev.fairlead.http.client.RequestTest.to;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.client.ScriptedServer.Received;
import dev.fairlead.http.client.ScriptedServer.Script;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Redirects of the server: one is followed, all others are named. */
@Timeout(90)
class FollowedRedirectTest {
    private static Script redirecting(int status, String location) {
        return (request, reply) -> reply.answer(status, "", "Location: " + location);
    }

    private static String failure(Script script) throws Exception {
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "initialize");

            String message = session.nextFailure(1).getMessage();
            assertThat(server.received()).hasSizeLessThanOrEqualTo(2);
            return message.replace(server.uri().toString(), "URL");
        }
    }

    @ParameterizedTest
    @CsvSource({"307, /mcp/", "308, /mcp/", "307, http://127.0.0.1:PORT/mcp/"})
    void theSlashOfAFrameworkIsFollowedOnceAndKept(int status, String location) throws Exception {
        Script served = handshake("s-1", (request, reply) -> reply.json(result(1)));
        Script script =
                (request, reply) -> {
                    if (request.target().equals("/mcp")) {
                        String port = request.header("Host").replaceAll(".*:", "");
                        reply.answer(status, "", "Location: " + location.replace("PORT", port));
                    } else {
                        served.answer(request, reply);
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script)) {
            try (RecordingSession session = RecordingSession.initialized(to(server))) {
                session.call(1, "ping");
                session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
            }
            List<Received> received = server.received();
            assertThat(received)
                    .extracting(Received::target)
                    .startsWith("/mcp", "/mcp/")
                    .last()
                    .isEqualTo("/mcp/");
            assertThat(received).filteredOn(it -> it.target().equals("/mcp")).hasSize(1);
            assertThat(received.get(1).body()).isEqualTo(received.get(0).body()).isNotEmpty();
            assertThat(received.getLast().method()).isEqualTo("DELETE");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1/mcp/",
                "//evil.example/mcp/",
                "http://127.0.0.1:1/mcp/",
                "/mcp//",
                "/other/mcp/",
                "/mcp/?token=x",
                "/mcp/#a",
                "http://user@127.0.0.1/mcp/",
            })
    void noOtherPlaceIsFollowedButNamed(String location) throws Exception {
        assertThat(failure(redirecting(307, location)))
                .contains("answered with a redirect (status 307) to ")
                .endsWith("; if that is where you want to connect, use this URL")
                .doesNotContain("token=")
                .doesNotContain("user@");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303})
    void aRedirectThatTurnsAPostIntoAGetIsNamed(int status) throws Exception {
        assertThat(failure(redirecting(status, "/mcp/")))
                .isEqualTo(
                        "initialize failed: the server at URL answered with a redirect (status "
                                + status
                                + ") to URL/; if that is where you want to connect, use this URL");
    }

    @Test
    void aPlaceThatIsNoUrlIsNotRepeated() throws Exception {
        for (String location : new String[] {"http://[", "", "x:".repeat(5_000), "\u001b[31m"}) {
            assertThat(failure(redirecting(307, location)))
                    .endsWith("answered with a redirect (status 307) that names no URL");
        }
    }

    @Test
    void aServerThatSendsToAndFroIsNotFollowedTwice() throws Exception {
        assertThat(
                        failure(
                                (request, reply) ->
                                        reply.answer(
                                                308,
                                                "",
                                                "Location: "
                                                        + (request.target().equals("/mcp")
                                                                ? "/mcp/"
                                                                : "/mcp"))))
                .contains("answered with a redirect (status 308) to URL;");
    }

    @Test
    void aFollowedRedirectIsAuthorizedForItsOwnUrl() throws Exception {
        List<URI> urls = new CopyOnWriteArrayList<>();
        ClientAuthorization recording =
                (endpoint, method, url) ->
                        new RequestAuthorization() {
                            @Override
                            public Map<String, String> headers() {
                                urls.add(url);
                                return Map.of("Authorization", "Bearer t");
                            }

                            @Override
                            public boolean again(int status, HttpHeaders headers) {
                                return false;
                            }
                        };
        Script script =
                (request, reply) -> {
                    if (request.target().equals("/mcp")) {
                        reply.answer(307, "", "Location: /mcp/");
                    } else {
                        reply.answer(405, "");
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session =
                        RecordingSession.connect(to(server).authorization(recording))) {
            session.call(1, "initialize");

            session.nextFailure(1);
            assertThat(urls).startsWith(server.uri(), URI.create(server.uri() + "/"));
        }
    }

    /** The connection of a person to the token is the endpoint, whose origin alone gets it. */
    @Test
    void aTokenGoesToNoOtherOrigin() throws IOException, InterruptedException {
        try (ScriptedServer other = new ScriptedServer((request, reply) -> reply.accepted());
                ScriptedServer server = new ScriptedServer(redirecting(307, other.uri() + "/"));
                RecordingSession session =
                        RecordingSession.connect(
                                Http.to(server.uri()).header("Authorization", "Bearer t"))) {
            session.call(1, "initialize");

            session.nextFailure(1);
            assertThat(other.received()).isEmpty();
        }
    }
}
