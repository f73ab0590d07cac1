package dev.fairlead.http.jetty;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.options.Peers;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.SessionStore;
import dev.fairlead.protocol.StoredSession;
import dev.fairlead.protocol.platform.HmacSha256;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.FutureTask;
import java.util.logging.Level;

/** A node that forwards, and a scripted owner of the session that breaks off or lies. */
@Timeout(120)
class LostOwnerTest extends HttpTest {
    private static final String ID = "0123456789ABCDEFGHIJKL";

    private static final String EMPTY = "Content-Length: 0\r\nConnection: close\r\n\r\n";
    private static final String EVENT = "6\r\n: on\n\n\r\n";
    private static final String STREAM =
            "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n" + EVENT;

    @TempDir Path folder;

    private static final String ANSWER = "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}";

    private Database database;
    private SessionStore sessions;
    private ServerSocket owner;
    private SessionStore.Membership member;
    private HttpServing node;

    @BeforeEach
    void open() throws IOException {
        database = closedLater(Database.sqlite(folder.resolve("shared.db")));
        owner = closedLater(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")));
        sessions = JdbcEvents.on(database).sessions().orElseThrow();
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

    /** A request of the node to the owner, which was read to its end. */
    private record Forwarded(Socket socket, String signature, byte[] key) {
        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(ISO_8859_1));
            socket.getOutputStream().flush();
        }

        /** Answers as the owner; the headers and the body follow the status. */
        void answer(int status, String rest) throws IOException {
            answer(status, signed(key, signature, status), rest);
        }

        /** Answers with a header that should be a signature; without one if it is empty. */
        void answer(int status, String signed, String rest) throws IOException {
            String header = signed.isEmpty() ? "" : "Fairlead-Peer: " + signed + "\r\n";
            send("HTTP/1.1 " + status + " Status\r\n" + header + rest);
        }

        void close() throws IOException {
            socket.close();
        }
    }

    /** The signature of an answer, which binds its status to the request. */
    private static String signed(byte[] key, String request, int status) {
        byte[] label = "fairlead peers v1 answer ".getBytes(UTF_8);
        byte[] text = (request + " " + status).getBytes(UTF_8);
        return HexFormat.of().formatHex(new HmacSha256(key, label).bytes(text));
    }

    /** Waits for the next request of the node. */
    private Forwarded request() throws IOException {
        Socket socket = closedLater(owner.accept());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append((char) in.readUnsignedByte());
        }
        in.readNBytes(Integer.parseInt(header(head, "Content-Length")));
        return new Forwarded(socket, header(head, "Fairlead-Peer"), host.peerKeys().getFirst());
    }

    private static String header(CharSequence head, String name) {
        String rest = head.toString().split(name + ": ")[1];
        return rest.substring(0, rest.indexOf('\r'));
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
        request().answer(202, EMPTY);

        assertThat(sent.answer().status()).isEqualTo(202);
    }

    @Test
    void aNodeThatIsNotTheOwnerIsAskedAgainUntilThereIsNone() throws Exception {
        Wire call = posted(request(1, "ping"));
        request().answer(421, EMPTY);
        Forwarded second = request();
        member.close();
        second.answer(421, EMPTY);

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
        request().answer(200, STREAM);
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
        Forwarded forwarded = request();
        forwarded.answer(200, STREAM);
        listening.head();
        listening.close();

        assertThatThrownBy(
                        () -> {
                            while (true) { // until the node has noticed it by writing
                                forwarded.send(EVENT);
                            }
                        })
                .isInstanceOf(IOException.class);
    }

    /** The header that a program sends in place of the signature of the owner. */
    private enum Forgery {
        NONE((request, earlier) -> ""),
        ANOTHER_KEY((request, earlier) -> signed(new byte[32], request.signature(), 404)),
        REPLAYED((request, earlier) -> signed(earlier.key(), earlier.signature(), 404)),
        OF_ANOTHER_STATUS((request, earlier) -> signed(request.key(), request.signature(), 421)),
        REFLECTED((request, earlier) -> request.signature());

        final Forger forger;

        Forgery(Forger forger) {
            this.forger = forger;
        }
    }

    @FunctionalInterface
    private interface Forger {
        String header(Forwarded request, Forwarded earlier);
    }

    @ParameterizedTest
    @EnumSource(Forgery.class)
    void aProgramAtTheAddressOfADeadOwnerIsNotBelieved(Forgery forgery) throws Exception {
        Wire before = posted(request(1, "ping"));
        Forwarded earlier = request();
        earlier.answer(404, EMPTY);
        assertThat(before.answer().status()).isEqualTo(404);
        Wire call = posted(request(2, "ping"));
        Forwarded forged = request();
        member.close();
        forged.answer(404, forgery.forger.header(forged, earlier), EMPTY);

        assertThat(call.answer().status()).isEqualTo(200);
    }

    @Test
    void anOwnerWithAnotherKeyIsNotBelieved() throws Exception {
        Wire call = posted(request(1, "ping"));
        Forwarded refusing = request();
        member.close();
        refusing.answer(401, "", EMPTY);

        assertThat(call.answer().status()).isEqualTo(200);
    }

    @Test
    void anOwnerWhoseAddressCannotBeReadIsLookedUpAgain() throws Exception {
        try (Logged logged = new Logged("dev.fairlead.http.peer.PeerCall", Level.WARNING)) {
            member.announce("no address");
            Wire call = posted(request(1, "ping"));
            await().until(() -> !logged.lines().isEmpty());
            member.announce("127.0.0.1:" + owner.getLocalPort());
            request().answer(404, EMPTY);

            assertThat(call.answer().status()).isEqualTo(404);
        }
    }

    @Test
    void aRequestThatAServerBetweenTheNodesFailedIsNotRepeated() throws Exception {
        Wire call = posted(request(1, "tools/call"));
        request().answer(502, "", EMPTY);
        assertThatThrownBy(call::head).isInstanceOf(IOException.class);

        Wire sent = posted(NOTIFICATION);
        request().answer(502, "", EMPTY);
        request().answer(202, EMPTY);
        assertThat(sent.answer().status()).isEqualTo(202);
    }

    /** Takes a session of the node over, which does not notice. */
    private String takenOver() throws IOException {
        String id = session(node);
        String key = Owner.Anonymous.ofSession(id).session();
        assertThat(sessions.take(key, 0, Duration.ofHours(1))).isPresent();
        return id;
    }

    @Test
    void anAnswerToAQuestionOfTheNewOwnerIsForwardedByTheFormerOne() throws Exception {
        String id = takenOver();
        Scripted former = host.session();
        former.sent = false;

        Wire answer = wire(node).post(ANSWER, SESSION, id);
        request().answer(202, EMPTY);

        assertThat(answer.answer().status()).isEqualTo(202);
        assertThat(former.closed).isTrue();
        assertThat(former.received).isEmpty();
    }

    @Test
    void anAnswerThatFitsAQuestionOfTheFormerOwnerIsTakenWithoutALook() throws Exception {
        String id = takenOver();

        assertThat(post(node, ANSWER, SESSION, id).status()).isEqualTo(202);
        assertThat(host.session().received).hasSize(1);
    }

    @Test
    void anAnswerIsNotAcknowledgedWhileTheOwnerOfItsSessionCannotBeFound() throws Exception {
        String id = session(node);
        host.session().sent = false;
        database.close();

        assertThat(post(node, ANSWER, SESSION, id).status()).isEqualTo(503);
    }
}
