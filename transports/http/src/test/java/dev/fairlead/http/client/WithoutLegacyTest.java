package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.Http;
import dev.fairlead.jsonrpc.ConnectionException;

import org.junit.jupiter.api.Test;

/** HTTP+SSE without its artifact, which is not on the class path of these tests. */
class WithoutLegacyTest {
    private static RecordingSession initialize(HttpConnector connector) {
        RecordingSession session = RecordingSession.connect(connector);
        session.send("{'jsonrpc':'2.0','id':0,'method':'initialize','params':{}}");
        return session;
    }

    @Test
    void aServerRefusesToServeIt() {
        assertThatThrownBy(
                        () ->
                                Http.endpoint()
                                        .legacySse()
                                        .serve(
                                                context -> {
                                                    throw new AssertionError(
                                                            "no session is opened");
                                                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "HTTP+SSE is not served: add fairlead-http-legacy, or leave"
                                + " HttpOptions.legacySse out");
    }

    @Test
    void aClientThatIsToSpeakItNamesTheArtifact() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.answer(404, ""));
                RecordingSession session = initialize(Http.to(server.uri()).legacySse())) {
            assertThat(session.nextFailure(0))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessage("HTTP+SSE needs the artifact fairlead-http-legacy");
            assertThat(server.received()).isEmpty();
        }
    }

    @Test
    void aClientDoesNotLookForIt() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.answer(405, ""));
                RecordingSession session = initialize(Http.to(server.uri()))) {
            assertThat(session.nextFailure(0)).hasMessageContaining("status 405");
            assertThat(server.received()).hasSize(1);
        }
    }
}
