package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.INITIALIZED;
import static dev.fairlead.http.client.RequestTest.handshake;
import static dev.fairlead.http.client.RequestTest.result;
import static dev.fairlead.http.client.RequestTest.to;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.client.ScriptedServer.Reply;
import dev.fairlead.http.client.ScriptedServer.Script;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.http.HttpHeaders;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests that are sent again if the server closes a connection that it has kept. */
@Timeout(90)
class RepeatedRequestTest {
    private static final String PER_REQUEST =
            "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'}";

    private final AtomicInteger hangUps = new AtomicInteger();

    /** Hangs up so many times instead of answering this method, then answers. */
    private Script hangingUp(String method, int times) {
        return (request, reply) -> {
            if (request.calls(method) && hangUps.getAndIncrement() < times) {
                reply.end();
            } else if (request.body().contains("\"id\":1")) {
                reply.json(result(1));
            } else {
                reply.accepted();
            }
        };
    }

    private static String call(String method, String params) {
        return "{'jsonrpc':'2.0','id':1,'method':'" + method + "','params':{" + params + "}}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server/discover",
                "ping",
                "completion/complete",
                "tools/list",
                "prompts/list",
                "resources/list",
                "resources/templates/list",
                "tasks/list",
                "resources/read",
                "prompts/get",
                "tasks/get"
            })
    void aRequestThatReadsIsSentOnceMoreInEachEra(String method) throws Exception {
        for (String params : new String[] {"", PER_REQUEST}) {
            hangUps.set(0);
            try (ScriptedServer server =
                            new ScriptedServer(handshake("s-1", hangingUp(method, 1)));
                    RecordingSession session = RecordingSession.initialized(to(server))) {
                session.send(call(method, params));

                session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
                assertThat(server.received())
                        .filteredOn(request -> request.calls(method))
                        .hasSize(2);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "tools/call,",
        "tasks/result,",
        "tasks/update,",
        "tasks/cancel,",
        "resources/subscribe,",
        "resources/unsubscribe,",
        "logging/setLevel,",
        "subscriptions/listen,",
        "example/unknown,",
        "prompts/get, \"'requestState':'x'\"",
        "resources/read, \"'inputResponses':{}\"",
    })
    void aRequestThatActsOrThatAPersonWasAskedByIsSentOnce(String method, String params)
            throws Exception {
        try (ScriptedServer server = new ScriptedServer(handshake("s-1", hangingUp(method, 1)));
                RecordingSession session = RecordingSession.initialized(to(server))) {
            session.send(call(method, params == null ? "" : params.replace("\"", "")));

            assertThat(session.nextFailure(1))
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("was lost before the response came");
            assertThat(server.received()).filteredOn(request -> request.calls(method)).hasSize(1);
        }
    }

    @Test
    void aServerThatHangsUpAgainIsNotAskedAThirdTime() throws Exception {
        try (ScriptedServer server = new ScriptedServer(handshake("s-1", hangingUp("ping", 9)));
                RecordingSession session = RecordingSession.initialized(to(server))) {
            session.call(1, "ping");

            assertThat(session.nextFailure(1))
                    .hasMessageContaining("was lost before the response came");
            assertThat(hangUps).hasValue(2);
        }
    }

    /** The second request would have the person asked a second time. */
    @Test
    void aRequestDuringWhichTheServerAsksIsSentOnce() throws Exception {
        CompletableFuture<Reply> stream = new CompletableFuture<>();
        CountDownLatch asked = new CountDownLatch(1);
        String question = "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"elicitation/create\"}";
        Script script =
                (request, reply) -> {
                    if (request.is("GET")) {
                        stream.complete(reply.stream());
                        reply.awaitHangUp();
                    } else if (request.calls("prompts/get")) {
                        stream.get().event(question);
                        asked.await();
                        reply.end();
                    }
                };
        try (ScriptedServer server = new ScriptedServer(handshake("s-1", script));
                RecordingSession session =
                        RecordingSession.initialized(to(server).listening(true))) {
            session.call(1, "prompts/get");
            session.expect(question.replace('"', '\''));
            asked.countDown();

            assertThat(session.nextFailure(1))
                    .hasMessageContaining("was lost before the response came");
            assertThat(server.received())
                    .filteredOn(request -> request.calls("prompts/get"))
                    .hasSize(1);
        }
    }

    @Test
    void theFirstRequestOfAConnectionHasNoKeptConnectionAndIsSentOnce() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.end());
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.call(1, "initialize");

            assertThat(session.nextFailure(1))
                    .hasMessageContaining("was lost before the response came");
            assertThat(server.received()).hasSize(1);
        }
    }

    @Test
    void initializeAfterAFirstAnswerIsSentOnceMore() throws Exception {
        Script script =
                (request, reply) -> {
                    if (request.calls("server/discover")) {
                        reply.answer(404, "");
                    } else if (request.calls("initialize") && hangUps.getAndIncrement() == 0) {
                        reply.end();
                    } else {
                        reply.json(INITIALIZED);
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.connect(to(server))) {
            session.send(call("server/discover", PER_REQUEST));
            session.nextFailure(1);
            session.call(0, "initialize");

            session.expect(INITIALIZED.replace('"', '\''));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"notifications/initialized", "notifications/cancelled"})
    void aNotificationThatChangesNothingASecondTimeIsSentOnceMore(String method) throws Exception {
        Script script =
                (request, reply) -> {
                    if (request.calls("initialize")) {
                        reply.json(INITIALIZED);
                    } else if (request.calls(method) && hangUps.getAndIncrement() == 0) {
                        reply.end();
                    } else {
                        reply.accepted();
                    }
                };
        try (ScriptedServer server = new ScriptedServer(script);
                RecordingSession session = RecordingSession.initialized(to(server))) {
            session.cancel(7);

            server.await(request -> request.calls(method), 2);
        }
    }

    @Test
    void noOtherMessageIsRepeatable() {
        for (String message :
                new String[] {
                    "{'jsonrpc':'2.0','id':1,'result':{}}",
                    "{'jsonrpc':'2.0','id':1,'error':{'code':1,'message':'x'}}",
                    "{'jsonrpc':'2.0','method':'notifications/progress','params':{}}",
                    "{'jsonrpc':'2.0','method':'notifications/roots/list_changed'}",
                }) {
            assertThat(Repeatable.is(JsonRpcMessage.parse(message.replace('\'', '"'))))
                    .as(message)
                    .isFalse();
        }
    }

    /** A proof is valid once, so each attempt has one of its own. */
    @Test
    void aRepeatedRequestHasAnAuthorizationOfItsOwn() throws Exception {
        AtomicInteger proofs = new AtomicInteger();
        ClientAuthorization proving =
                (endpoint, method, url) ->
                        new RequestAuthorization() {
                            @Override
                            public Map<String, String> headers() {
                                return Map.of("DPoP", "proof-" + proofs.incrementAndGet());
                            }

                            @Override
                            public boolean again(int status, HttpHeaders headers) {
                                return false;
                            }
                        };
        try (ScriptedServer server = new ScriptedServer(handshake("s-1", hangingUp("ping", 1)));
                RecordingSession session =
                        RecordingSession.initialized(to(server).authorization(proving))) {
            session.call(1, "ping");

            session.expect("{'jsonrpc':'2.0','id':1,'result':{'answer':1}}");
            assertThat(server.received())
                    .extracting(request -> request.header("DPoP"))
                    .doesNotHaveDuplicates();
        }
    }
}
