package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.INITIALIZED;
import static dev.fairlead.http.client.RequestTest.to;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of the client for an answer that refuses. */
@Timeout(90)
class RefusalWordsTest {
    private static String failure(String method, int status, String... headers) throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer((request, reply) -> reply.json(status, "{}", headers));
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, method);

            return session.nextFailure(1)
                    .getMessage()
                    .replace("ping failed: the server at " + server.uri() + " ", "");
        }
    }

    @Test
    void aRefusedTokenIsExplainedByTheChallenge() throws Exception {
        assertThat(
                        failure(
                                "ping",
                                401,
                                "WWW-Authenticate: Bearer error=\"invalid_token\","
                                        + " error_description=\"The access token was not issued for"
                                        + " this resource\", resource_metadata=\"https://a/b\""))
                .isEqualTo(
                        "refuses the token (status 401, invalid_token): The access token was not"
                                + " issued for this resource; the audience of tokens is named by"
                                + " https://a/b");
        assertThat(
                        failure(
                                "ping",
                                403,
                                "WWW-Authenticate: DPoP error=\"insufficient_scope\","
                                        + " scope=\"a b\""))
                .isEqualTo("forbids it (status 403, insufficient_scope); required scopes: a b");
    }

    @Test
    void aServerThatWantsATokenAsksForOne() throws Exception {
        assertThat(failure("ping", 401, "WWW-Authenticate: Bearer scope=\"a\""))
                .isEqualTo("asks for authorization (status 401)");
        assertThat(failure("ping", 401, "WWW-Authenticate: Basic error=\"x\""))
                .isEqualTo("asks for authorization (status 401)");
        assertThat(failure("ping", 403)).isEqualTo("forbids it (status 403)");
    }

    @Test
    void aChallengeIsShownShortAndWithoutControlCharacters() throws Exception {
        String hostile = "\u001b]0;x\u0007\u202e" + "y".repeat(5_000);

        assertThat(
                        failure(
                                "ping",
                                401,
                                "WWW-Authenticate: Bearer error=\""
                                        + hostile
                                        + "\", error_description=\""
                                        + hostile
                                        + "\""))
                .hasSizeLessThan(1_000)
                .doesNotContainPattern("\\p{Cntrl}")
                .doesNotContain("\u202e");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "zstd", "identity, gzip"})
    void anEncodedBodyIsNamedByItsCoding(String coding) throws Exception {
        for (int status : new int[] {200, 400}) {
            assertThat(failure("ping", status, "Content-Encoding: " + coding))
                    .isEqualTo(
                            "answered with status "
                                    + status
                                    + " and a body with Content-Encoding "
                                    + coding
                                    + ", which this client does not decode and has not asked for;"
                                    + " switch it off at the server, or at the proxy in front of"
                                    + " it");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "identity", "none", "UTF-8"})
    void aBodyWithoutACodingIsRead(String coding) throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) ->
                                        reply.json(INITIALIZED, "Content-Encoding: " + coding));
                RecordingSession session = RecordingSession.initialized(to(server))) {
            assertThat(session.link()).isNotNull();
        }
    }

    @Test
    void anEncodedStreamOfEventsIsNamedToo() throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) -> reply.stream("Content-Encoding: gzip"));
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "ping");

            assertThat(session.nextFailure(1)).hasMessageContaining("with Content-Encoding gzip,");
        }
    }
}
