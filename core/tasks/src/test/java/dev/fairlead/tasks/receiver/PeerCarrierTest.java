package dev.fairlead.tasks.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.HandshakeFace;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskCancelledException;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** The fate of a question that is sent to the peer. */
class PeerCarrierTest {
    private static final Duration TTL = Duration.ofMinutes(5);
    private static final RawJson QUESTION =
            NeutralForm.writeParams(
                    Methods.ELICIT,
                    new ElicitFormRequest(
                            "Go on?",
                            JsonObject.of("type", "object", "properties", JsonObject.EMPTY)));
    private static final RawJson ANSWER = RawJson.parse("{\"action\":\"accept\"}");

    /** A session whose peer does the same with every request. */
    private static final class ScriptedSession implements RequestorSession {
        private final Revision revision;
        private final @Nullable CallException failure;
        private final List<OutgoingRequest> asked = new CopyOnWriteArrayList<>();

        private ScriptedSession(@Nullable CallException failure) {
            this(Revision.V2025_11_25, failure);
        }

        private ScriptedSession(Revision revision, @Nullable CallException failure) {
            this.revision = revision;
            this.failure = failure;
        }

        @Override
        public WireFace face() {
            return HandshakeFace.of(revision);
        }

        @Override
        public Duration pollInterval() {
            return Duration.ofSeconds(1);
        }

        @Override
        public boolean isReachable() {
            return true;
        }

        @Override
        public RawJson request(OutgoingRequest request) {
            asked.add(request);
            if (failure != null) {
                throw failure;
            }
            return ANSWER;
        }

        @Override
        public void notify(JsonRpcNotification notification) {}
    }

    /** By this machine's clock it has expired long ago: that of its store may say otherwise. */
    private static StoredTask task() {
        return new StoredTask(
                new TaskId("t"),
                new Owner.Local(),
                "tools/call",
                "tool",
                null,
                TaskState.INPUT_REQUIRED,
                null,
                Instant.EPOCH,
                Instant.EPOCH,
                TTL,
                1,
                false,
                null,
                null);
    }

    private static TaskOutcome ask(ScriptedSession session) throws InterruptedException {
        return PeerCarrier.ofSession(session).ask(task(), "elicitation/create", QUESTION);
    }

    private static void assertError(int code, String message, CallException failure)
            throws InterruptedException {
        assertThat(ask(new ScriptedSession(failure)))
                .isInstanceOfSatisfying(
                        TaskOutcome.Error.class,
                        error -> {
                            assertThat(error.error().code()).isEqualTo(code);
                            assertThat(error.error().message()).isEqualTo(message);
                        });
    }

    @Test
    void aResultIsTheAnswer() throws Exception {
        assertThat(ask(new ScriptedSession(null)))
                .isInstanceOfSatisfying(
                        TaskOutcome.Result.class,
                        result -> {
                            assertThat(result.value().toJson()).isEqualTo(ANSWER.toJson());
                            assertThat(result.failure()).isFalse();
                        });
    }

    @Test
    void aQuestionMayTakeAsLongAsItsTaskLivesWhateverTheClockSays() throws Exception {
        ScriptedSession session = new ScriptedSession(null);

        ask(session);

        assertThat(session.asked)
                .singleElement()
                .satisfies(
                        request -> {
                            assertThat(request.timeout()).isEqualTo(TTL);
                            assertThat(request.maximum()).isEqualTo(TTL);
                        });
    }

    /** Such as for a requestor that comes back with another revision. */
    @Test
    void aStoredQuestionIsSentAsTheRevisionOfTheSessionHasIt() throws Exception {
        ScriptedSession newest = new ScriptedSession(null);
        ScriptedSession older = new ScriptedSession(Revision.V2025_06_18, null);

        ask(newest);
        ask(older);

        assertThat(sent(newest))
                .isEqualTo(
                        """
                        {"mode":"form","message":"Go on?","requestedSchema":{"type":"object","properties":{}},\
                        "_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}}}\
                        """);
        assertThat(sent(older))
                .isEqualTo(
                        """
                        {"message":"Go on?","requestedSchema":{"type":"object","properties":{}},\
                        "_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}}}\
                        """);
    }

    private static String sent(ScriptedSession session) {
        return Objects.requireNonNull(session.asked.getFirst().params().with(null)).toJson();
    }

    @Test
    void aStoredResultIsSentAsTheRevisionOfTheSessionHasIt() {
        RawJson stored = RawJson.parse("{\"content\":[],\"structuredContent\":[1,2]}");

        assertThat(written(Revision.V2025_11_25, stored))
                .isEqualTo("{\"content\":[],\"structuredContent\":{\"result\":[1,2]}}");
        assertThat(written(Revision.V2025_03_26, stored))
                .isEqualTo(
                        "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"result\\\":[1,2]}\"}]}");
    }

    private static String written(Revision revision, RawJson stored) {
        ScriptedSession session = new ScriptedSession(revision, null);
        return PeerCarrier.ofSession(session).write(task(), stored).toJson();
    }

    @Test
    void anAnswerThatIsNoResultOfItsMethodIsStoredAsItCame() throws Exception {
        RawJson unreadable = RawJson.parse("{\"action\":null}");

        assertThat(
                        NeutralForm.resultFrom(
                                new ScriptedSession(null).face(), "elicitation/create", unreadable))
                .isEqualTo(unreadable);
    }

    @Test
    void anErrorOfThePeerIsItsAnswer() throws Exception {
        assertError(-1, "The user said no", new JsonRpcException(-1, "The user said no"));
    }

    @Test
    void aTaskCancelledByThePeerIsAnErrorForTheRequestor() throws Exception {
        assertError(
                -32603,
                "Task c was cancelled: enough",
                new TaskCancelledException(new TaskId("c"), "enough", null));
    }

    @Test
    void anUnreadableAnswerIsAnErrorForTheRequestor() throws Exception {
        assertError(-32603, "no action", new InvalidResultException("no action", null));
    }

    @Test
    void aConnectionThatFailsIsNoAnswer() {
        assertThatThrownBy(() -> ask(new ScriptedSession(new ConnectionException("gone"))))
                .isInstanceOf(ConnectionException.class);
    }

    /** Such as one that closes its connection at this moment, or has no place for the question. */
    @Test
    void aPeerThatDidNotTakeTheQuestionHasNotAnsweredIt() {
        assertThatThrownBy(
                        () ->
                                ask(
                                        new ScriptedSession(
                                                RetryableError.exception(
                                                        -32603, "The connection is closing"))))
                .isInstanceOf(ConnectionException.class);
    }
}
