package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.http.jetty.Wire.Event;
import dev.fairlead.http.jetty.Wire.Head;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Messages in both directions over HTTP+SSE. */
@Timeout(60)
class LegacyMessagesTest extends LegacyTest {
    @Test
    @Requirement({"LEGACY-001", "LEGACY-002", "LEGACY-008", "LEGACY-014"})
    void theStreamBeginsWithThePlaceToPostTo() throws Exception {
        HttpServing serving = serveBoth();
        Wire stream = wire(serving);

        Head head = get(stream, "/sse").head();
        Event first = stream.event();

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Type")).isEqualTo("text/event-stream");
        assertThat(head.header(SESSION)).isNull();
        assertThat(first.event()).isEqualTo("endpoint");
        assertThat(first.id()).isNull();
        assertThat(first.data()).matches("/messages\\?sessionId=[0-9A-Za-z]{22}");
        assertThat(open(serving).endpoint()).isNotEqualTo(first.data());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    @Requirement({"LEGACY-004", "LEGACY-014", "VERS-032"})
    void whatIsPostedIsAcceptedAndAnsweredOnTheStream(String revision) throws Exception {
        HttpServing serving = serveBoth();
        Old old = open(serving);

        Answer initialized = post(serving, old, initialize(revision));
        Event agreed = old.event();
        Answer accepted = post(serving, old, request(1, "tools/list"));
        Event answer = old.event();

        assertThat(initialized.status()).isEqualTo(202);
        assertThat(initialized.body()).isEmpty();
        assertThat(agreed.event()).isEqualTo("message");
        assertThat(agreed.id()).isNull();
        assertThat(agreed.data()).contains("\"result\":{\"protocolVersion\":\"" + revision + "\"}");
        assertThat(accepted.status()).isEqualTo(202);
        assertThat(accepted.body()).isEmpty();
        assertThat(answer.data()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    }

    @Test
    @Requirement("LEGACY-004")
    void everythingThatTheServerSendsComesOnTheStreamInItsOrder() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    exchange.send(new JsonRpcRequest(RequestId.of(7), "roots/list", null));
                    session.context.send(numbered(2));
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serveBoth();
        Old old = open(serving, "2024-11-05");
        Scripted session = host.session();

        post(serving, old, request(1, "tools/call"));

        assertThat(old.event().data()).contains("\"n\":1");
        assertThat(old.event().data()).contains("\"roots/list\"");
        assertThat(old.event().data()).contains("\"n\":2");
        assertThat(old.event().data()).contains("\"id\":1,\"result\"");
        session.received.take(); // tools/call
        Answer answered =
                post(serving, old, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"roots\":[]}}");
        assertThat(answered.status()).isEqualTo(202);
        assertThat(session.received.poll(60, TimeUnit.SECONDS)).isInstanceOf(JsonRpcResponse.class);
    }

    @Test
    void anAnswerThatIsNoMessageEndsTheWaitForIt() throws Exception {
        HttpServing serving = serveBoth();
        Old old = open(serving, "2024-11-05");

        Answer refused = post(serving, old, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":7}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(host.session().failed.poll(60, TimeUnit.SECONDS)).isEqualTo(RequestId.of(7));
    }

    @Test
    void anExchangeIsOpenUntilItIsAnsweredOrItsSessionEnds() throws Exception {
        host.on("tools/call", (request, exchange, session) -> {});
        HttpServing serving = serveBoth();
        Old old = open(serving, "2024-11-05");
        Scripted session = host.session();
        Exchange initializing = session.exchanges.take();

        post(serving, old, request(1, "tools/call"), "X-Tenant", "north");
        Exchange running = session.exchanges.take();

        assertThat(initializing.isOpen()).isFalse();
        assertThat(running.isOpen()).isTrue();
        assertThat(running.header("X-Tenant")).containsExactly("north");
        session.context.close();
        assertThat(running.isOpen()).isFalse();
        assertThat(session.context.isReachable()).isFalse();
    }

    @Test
    void aBatchIsTakenOnTheOneRevisionThatHasThem() throws Exception {
        HttpServing serving = serveBoth();
        String batch = "[" + request(1, "ping") + "," + request(2, "ping") + ",7]";
        Old old = open(serving, "2025-03-26");

        assertThat(post(serving, old, batch).status()).isEqualTo(202);

        assertThat(old.event().data() + old.event().data() + old.event().data())
                .contains("\"id\":1,\"result\"", "\"id\":2,\"result\"", "-32600");
        Answer refused = post(serving, open(serving, "2024-11-05"), batch);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("A batch is only part of revision 2025-03-26");
    }

    @Test
    @Requirement("SSE-021")
    void aSilentStreamIsKeptAliveByComments() throws Exception {
        HttpServing serving = serveBoth(listener -> listener.heartbeat(Duration.ofMillis(50)));

        assertThat(open(serving).stream().bodyLine()).isEqualTo(":");
    }

    @Test
    @Requirement("LEGACY-009")
    void bothWaysLeadToTheSameServerAndSessionsOfTheirOwn() throws Exception {
        HttpServing serving = serveBoth();
        Old old = open(serving, "2024-11-05");
        String id = session(serving);

        assertThat(post(serving, request(1, "ping"), SESSION, id).status()).isEqualTo(200);
        assertThat(post(serving, old, request(2, "ping")).status()).isEqualTo(202);
        assertThat(serving.sessions()).isEqualTo(2);
        String oldId = old.endpoint().substring("/messages?sessionId=".length());
        assertThat(post(serving, request(3, "ping"), SESSION, oldId).status()).isEqualTo(404);
        assertThat(postTo(serving, "/messages?sessionId=" + id, request(3, "ping")).status())
                .isEqualTo(404);
    }

    @Test
    void oldClientsHaveSessionsAlsoBesideAnEndpointThatHasNone() throws Exception {
        HttpServing serving = serveBoth(listener -> listener.stateless());
        Old old = open(serving, "2024-11-05");

        host.session().context.send(numbered(1));

        assertThat(old.event().data()).contains("\"n\":1");
    }
}
