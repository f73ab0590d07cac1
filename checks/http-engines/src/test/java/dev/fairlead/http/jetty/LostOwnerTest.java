package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.Peers;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.StoredSession;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;

/** A node that forwards, and a scripted owner of the session that breaks off or lies. */
@Timeout(120)
class LostOwnerTest extends HttpTest {
    private static final String ID = "0123456789ABCDEFGHIJKL";

    @TempDir Path folder;

    private Database database;
    private ServerSocket owner;
    private SessionStore.Membership member;
    private HttpServing node;

    @BeforeEach
    void open() throws IOException {
        database = closedLater(Database.sqlite(folder.resolve("shared.db")));
        owner = closedLater(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")));
        SessionStore sessions = JdbcEvents.on(database).sessions().orElseThrow();
        member = sessions.join(() -> {});
        member.announce("127.0.0.1:" + owner.getLocalPort());
        String key = Owner.Anonymous.ofSession(ID).session();
        JsonObject state = JsonObject.of("revision", "2025-11-25");
        sessions.open(new StoredSession(key, "s", Caller.anonymous(), state, 0));
        EventStore events = JdbcEvents.on(database);
        node =
                serveOnTimers(
                        listener ->
                                listener.eventStore(events).peers(Peers.listen("127.0.0.1", 0)));
    }

    /** The next connection of the node, whose request was read to its end. */
    private Socket request() throws IOException {
        Socket socket = closedLater(owner.accept());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append((char) in.readUnsignedByte());
        }
        String lengths = head.toString().split("Content-Length: ")[1];
        in.readNBytes(Integer.parseInt(lengths.substring(0, lengths.indexOf('\r'))));
        return socket;
    }

    private static void answer(Socket socket, String answer) throws IOException {
        socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
    }

    private Wire posted(String body) throws IOException {
        return wire(node).post(body, SESSION, ID);
    }

    @Test
    void aRequestWhoseOwnerBreaksOffIsNotRepeatedAndHasNoAnswer() throws Exception {
        Wire call = posted(request(1, "tools/call"));
        request().close();

        assertThatThrownBy(call::head).isInstanceOf(IOException.class);

        member.close();
        assertThat(post(node, request(2, "ping"), SESSION, ID).status()).isEqualTo(200);
        assertThat(host.session().received).as("the call did not run here").hasSize(1);
    }

    @Test
    void aSessionWhoseOwnerLivesButCannotBeReachedIsRefusedForAWhile() throws Exception {
        Socket refusing = closedLater(new Socket()); // a closed port could be another program's
        refusing.bind(new InetSocketAddress("127.0.0.1", 0));
        member.announce("127.0.0.1:" + refusing.getLocalPort());

        var refused = post(node, request(1, "ping"), SESSION, ID);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(host.sessions).as("copies of the session").isEmpty();
        member.close();
        assertThat(post(node, request(2, "ping"), SESSION, ID).status()).isEqualTo(200);
    }

    @Test
    void aNotificationWhoseOwnerBreaksOffIsRepeated() throws Exception {
        Wire sent = posted(NOTIFICATION);
        request().close();
        answer(request(), "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");

        assertThat(sent.answer().status()).isEqualTo(202);
    }

    @Test
    void aNodeThatIsNotTheOwnerIsAskedAgainUntilThereIsNone() throws Exception {
        Wire call = posted(request(1, "ping"));
        String misdirected =
                "HTTP/1.1 421 Misdirected\r\nFairlead-Peer: not-mine\r\nContent-Length: 0\r\n"
                        + "Connection: close\r\n\r\n";
        answer(request(), misdirected);
        Socket second = request();
        member.close();
        answer(second, misdirected);

        assertThat(call.answer().status()).isEqualTo(200);
        assertThat(host.session().restored).isOne();
    }

    @Test
    void aStreamEndsOnceItsOwnerIsDead() throws Exception {
        FutureTask<String> rest = streaming();

        member.close();
        pass(Duration.ofSeconds(1), rest::isDone);

        assertThat(rest.get()).isEqualTo("broken");
    }

    @Test
    void aStreamEndsOnceItsOwnerIsSilentForThreeHeartbeats() throws Exception {
        FutureTask<String> rest = streaming();

        pass(Duration.ofSeconds(46), rest::isDone);

        assertThat(rest.get()).isEqualTo("broken");
    }

    /** A stream that has begun, read to its end. */
    private FutureTask<String> streaming() throws Exception {
        Wire listening = wire(node).get(SESSION, ID);
        answer(
                request(),
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked"
                        + "\r\n\r\n6\r\n: on\n\n\r\n");
        assertThat(listening.head().status()).isEqualTo(200);
        FutureTask<String> rest =
                new FutureTask<>(
                        () -> {
                            try {
                                for (String line = ""; line != null; ) {
                                    line = listening.bodyLine();
                                }
                                return "ended";
                            } catch (IOException e) {
                                return "broken";
                            }
                        });
        Thread.ofVirtual().start(rest);
        return rest;
    }

    @Test
    void aRequestWithoutAnAnswerEndsOnceItsOwnerIsDead() throws Exception {
        Wire call = posted(request(1, "tools/call"));
        request();
        FutureTask<Object> head =
                new FutureTask<>(
                        () -> {
                            assertThatThrownBy(call::head).isInstanceOf(IOException.class);
                            return "broken";
                        });
        Thread.ofVirtual().start(head);

        member.close();
        pass(Duration.ofSeconds(1), head::isDone);

        assertThat(head.get()).isEqualTo("broken");
    }

    @Test
    void anOwnerSeesThatAClientHasLeft() throws Exception {
        Wire listening = wire(node).get(SESSION, ID);
        Socket forwarded = request();
        answer(
                forwarded,
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked"
                        + "\r\n\r\n6\r\n: on\n\n\r\n");
        listening.head();
        listening.close();

        assertThatThrownBy(
                        () -> {
                            while (true) { // until the node has noticed it by writing
                                answer(forwarded, "6\r\n: on\n\n\r\n");
                            }
                        })
                .isInstanceOf(IOException.class);
    }

    @Test
    void anOwnerWithAnotherKeyIsNotBelieved() throws Exception {
        Wire call = posted(request(1, "ping"));
        Socket refusing = request();
        member.close();
        answer(
                refusing,
                "HTTP/1.1 401 Unauthorized\r\nFairlead-Peer: invalid\r\nContent-Length: 0\r\n"
                        + "Connection: close\r\n\r\n");

        assertThat(call.answer().status()).isEqualTo(200);
    }
}
