package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.handshake;
import static dev.fairlead.http.client.RequestTest.result;
import static dev.fairlead.http.client.RequestTest.to;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.client.ScriptedServer.Script;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

@Timeout(60)
class AuthorizationTest {
    private final List<String> tokens = new CopyOnWriteArrayList<>(List.of("old"));

    /** Has one more token whenever the server refuses the last. */
    private final ClientAuthorization renewing =
            (endpoint, method, url) ->
                    new RequestAuthorization() {
                        @Override
                        public Map<String, String> headers() {
                            return Map.of("Authorization", "Bearer " + tokens.getLast());
                        }

                        @Override
                        public boolean again(int status, HttpHeaders headers) {
                            if (status == 401) {
                                tokens.add("new");
                            }
                            return status == 401;
                        }
                    };

    /** Answers only requests with this token. */
    private static Script guarded(String token, Script script) {
        return (request, reply) -> {
            if (request.header("authorization").equals("Bearer " + token)) {
                script.answer(request, reply);
            } else {
                reply.answer(401, "");
            }
        };
    }

    @Test
    @Requirement({"AUTH-038", "AUTH-039", "N26-AUTH-018"})
    void everyRequestOfASessionIsAuthorized() throws Exception {
        Script script =
                handshake(
                        "s-1",
                        (request, reply) -> {
                            if (request.is("GET")) {
                                reply.answer(405, "");
                            } else {
                                reply.json(result(1));
                            }
                        });
        try (ScriptedServer server = new ScriptedServer(guarded("old", script))) {
            try (RecordingSession session =
                    RecordingSession.initialized(
                            to(server).listening(true).authorization(renewing))) {
                server.await(request -> request.is("GET"));
                session.call(1, "ping");
                session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
            }
            assertThat(server.received())
                    .anyMatch(request -> request.is("DELETE"))
                    .allMatch(request -> request.header("authorization").equals("Bearer old"))
                    .noneMatch(request -> request.target().contains("old"));
        }
    }

    @Test
    @Requirement("AUTH-051")
    void aRequestThatWasRefusedIsSentAgainWithNewAuthorization() throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer(
                                guarded("new", handshake("s-1", (request, reply) -> {})));
                RecordingSession session =
                        RecordingSession.initialized(to(server).authorization(renewing))) {
            assertThat(session.events).isEmpty();
            assertThat(server.received())
                    .filteredOn(request -> request.calls("initialize"))
                    .hasSize(2);
        }
    }

    @Test
    void aRequestThatIsNotAuthorizedFailsWithTheReason() throws Exception {
        ClientAuthorization refusing =
                authorization(
                        () -> {
                            throw new AuthorizationException("the login was cancelled");
                        });
        try (ScriptedServer server = new ScriptedServer(handshake("s-1", (request, reply) -> {}));
                RecordingSession session =
                        RecordingSession.connect(to(server).authorization(refusing))) {
            session.call(1, "initialize");

            assertThat(session.nextFailure(1))
                    .isInstanceOf(AuthorizationException.class)
                    .hasMessage("the login was cancelled");
            assertThat(server.received()).isEmpty();
        }
    }

    @Test
    void aRequestIsHeldUpWhileItWaitsAndNoLonger() throws Exception {
        CountDownLatch login = new CountDownLatch(1);
        ClientAuthorization waiting =
                authorization(
                        () -> {
                            login.await();
                            return Map.of();
                        });
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.json(result(1)));
                RecordingSession session =
                        RecordingSession.connect(to(server).authorization(waiting))) {
            session.call(1, "ping");
            assertThat(session.held.poll(60, TimeUnit.SECONDS)).isTrue();
            login.countDown();
            assertThat(session.held.poll(60, TimeUnit.SECONDS)).isFalse();
            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
        }
    }

    @Test
    void cancellingARequestEndsItsWaitAndTheServerReceivesNothing() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.json(result(1)));
                RecordingSession session =
                        RecordingSession.connect(
                                to(server).authorization(waitingForEver(interrupted)))) {
            session.call(1, "ping");
            assertThat(session.held.poll(60, TimeUnit.SECONDS)).isTrue();
            session.cancel(1);
            assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
            session.close();
            assertThat(server.received()).isEmpty();
        }
    }

    @Test
    void closingTheConnectionEndsTheWait() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.json(result(1)));
                RecordingSession session =
                        RecordingSession.connect(
                                to(server).authorization(waitingForEver(interrupted)))) {
            session.call(1, "ping");
            assertThat(session.held.poll(60, TimeUnit.SECONDS)).isTrue();
            session.close();
            assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static ClientAuthorization waitingForEver(CountDownLatch interrupted) {
        return authorization(
                () -> {
                    try {
                        new CountDownLatch(1).await();
                        return Map.of();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                });
    }

    private static ClientAuthorization authorization(
            Authorizing.Step<Map<String, String>> headers) {
        return (endpoint, method, url) ->
                new RequestAuthorization() {
                    @Override
                    public Map<String, String> headers() throws IOException, InterruptedException {
                        return headers.take();
                    }

                    @Override
                    public boolean again(int status, HttpHeaders answered) {
                        return false;
                    }
                };
    }
}
