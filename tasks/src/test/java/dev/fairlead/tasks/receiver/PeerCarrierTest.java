package dev.fairlead.tasks.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.TaskId;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.HandshakeFace;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskCancelledException;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.TaskState;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What becomes of a question that goes to the peer. */
class PeerCarrierTest {
    private static final Duration TTL = Duration.ofMinutes(5);
    private static final RawJson QUESTION = RawJson.parse("{\"message\":\"Go on?\"}");
    private static final RawJson ANSWER = RawJson.parse("{\"action\":\"accept\"}");

    /** A session whose peer does the same with every request. */
    private static final class ScriptedSession implements RequestorSession {
        private final @Nullable CallException failure;
        private final List<OutgoingRequest> asked = new CopyOnWriteArrayList<>();

        private ScriptedSession(@Nullable CallException failure) {
            this.failure = failure;
        }

        @Override
        public WireFace face() {
            return HandshakeFace.of(Revision.V2025_11_25);
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
        assertThat(ask(new ScriptedSession(null))).isEqualTo(new TaskOutcome.Result(ANSWER, false));
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

    @Test
    void anErrorOfThePeerIsItsAnswer() throws Exception {
        assertError(-1, "The user said no", new JsonRpcException(-1, "The user said no"));
    }

    @Test
    void aTaskThatThePeerHasCancelledIsAnErrorForWhoeverAsked() throws Exception {
        assertError(
                -32603,
                "Task c was cancelled: enough",
                new TaskCancelledException(new TaskId("c"), "enough", null));
    }

    @Test
    void anAnswerThatCannotBeReadIsAnErrorForWhoeverAsked() throws Exception {
        assertError(-32603, "no action", new InvalidResultException("no action", null));
    }

    @Test
    void aConnectionThatFailsIsNoAnswer() {
        assertThatThrownBy(() -> ask(new ScriptedSession(new ConnectionException("gone"))))
                .isInstanceOf(ConnectionException.class);
    }
}
