package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.options.HttpSessionListener;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Clients that have a session and never listen, while the server has things to say. */
@Timeout(120)
@Requirement("ROOM-053")
class AttackByAbsenceTest extends HttpTest {
    private static final int QUEUE = 1_000;

    private static JsonRpcRequest question(int number) {
        return new JsonRpcRequest(RequestId.of(number), "roots/list", null);
    }

    @Test
    void undeliverableNotificationsAreDroppedAndCounted() throws Exception {
        HttpServing serving = serve();
        session(serving);
        Scripted session = host.session();
        for (int i = 0; i < QUEUE; i++) {
            session.context.send(numbered(i));
        }

        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> session.context.send(numbered(0)))
                    .isInstanceOf(ConnectionException.class);
        }
        assertThat(serving.metrics().messagesDropped()).isEqualTo(5);
    }

    @Test
    void theMessagesOfAllSessionsTogetherAreBounded() throws Exception {
        HttpServing serving = serve(listener -> listener.maxPendingSum(1 << 20));
        String id = session(serving);
        Scripted first = host.session();
        session(serving);
        Scripted second = host.session();
        session(serving);
        Scripted third = host.session();
        JsonRpcNotification large =
                ScriptedHost.notification("x", "{\"x\":\"" + "x".repeat(200 << 10) + "\"}");
        first.context.send(large);
        second.context.send(large);

        assertThatThrownBy(() -> third.context.send(large))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("HttpOptions.maxPendingSum");
        assertThat(serving.metrics().messagesDropped()).isOne();
        method(serving, "DELETE", SESSION, id);
        third.context.send(large);
        assertThat(serving.metrics().messagesDropped()).isEqualTo(2);
    }

    @Test
    void aRequestDisplacesAQueuedNotification() throws Exception {
        HttpServing serving = serve();
        String id = session(serving);
        Scripted session = host.session();
        for (int i = 0; i < QUEUE; i++) {
            session.context.send(numbered(i));
        }
        session.context.send(question(7));

        assertThat(serving.metrics().messagesDropped()).isOne();
        Wire stream = wire(serving).get(SESSION, id);
        stream.head();
        stream.event(); // the priming event
        for (int i = 1; i < QUEUE; i++) {
            assertThat(stream.event().data()).contains("\"n\":" + i + "}");
        }
        assertThat(stream.event().data()).contains("roots/list");
    }

    @Test
    void aClientThatNeverReadsItsRequestsLosesTheSession() throws Exception {
        BlockingQueue<HttpSessionListener.Reason> ends = new LinkedBlockingQueue<>();
        HttpServing serving =
                serve(
                        listener ->
                                listener.sessionListener(
                                        new HttpSessionListener() {
                                            @Override
                                            public void closed(
                                                    HttpSessionInfo session, Reason reason) {
                                                ends.add(reason);
                                            }
                                        }));
        String id = session(serving);
        String other = session(serving);
        Scripted session = host.session();
        for (int i = 0; i < QUEUE; i++) {
            session.context.send(question(i));
        }

        assertThatThrownBy(() -> session.context.send(question(QUEUE)))
                .isInstanceOf(ConnectionException.class);
        assertThat(ends.poll(60, TimeUnit.SECONDS))
                .isEqualTo(HttpSessionListener.Reason.UNREACHABLE);
        await().until(() -> session.closed);
        assertThat(post(serving, request(1, "ping"), SESSION, id).status()).isEqualTo(404);
        assertThat(post(serving, request(1, "ping"), SESSION, other).status()).isEqualTo(200);
    }
}
