package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.link.OngoingCall;
import dev.fairlead.client.link.RetryPolicy;
import dev.fairlead.client.link.RetryPolicy.Again;
import dev.fairlead.client.link.Round;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.time.ManualTimers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Map;

/** The rows of the table of repetitions; the tests of each kind of call show what they lead to. */
final class RetryPolicyTest {
    private static final String READS = "tools/list";
    private static final String CALLS = "tools/call";
    private static final Round LATER = Round.of(Map.of("q", JsonObject.EMPTY), "state");

    private final OngoingCall call = new OngoingCall(Duration.ofMinutes(1), new ManualTimers());

    private Again after(CallException failure, String method) {
        return RetryPolicy.afterRequest(failure, method, call, true);
    }

    private static CallException error(int code) {
        return new JsonRpcException(code, "refused");
    }

    @Test
    void aRequestThatAForgottenSessionDidNotProcessIsSentByANewLink() {
        var expired = new SessionExpiredException("404");
        assertThat(after(expired, CALLS)).isEqualTo(Again.REQUEST_BY_NEW_LINK);
        call.begin(LATER); // a person has answered
        assertThat(after(expired, CALLS)).isEqualTo(Again.NOTHING_BUT_NEW_LINK);
        assertThat(after(expired, READS)).isEqualTo(Again.NOTHING_BUT_NEW_LINK);
    }

    @Test
    void aRequestThatAForgottenSessionMayHaveProcessedIsSentAgainOnlyIfItReads() {
        var expired = SessionExpiredException.afterRequest("404");
        assertThat(after(expired, CALLS)).isEqualTo(Again.NOTHING_BUT_NEW_LINK);
        assertThat(after(expired, READS)).isEqualTo(Again.REQUEST_BY_NEW_LINK);
    }

    @Test
    void aServerThatNoLongerSpeaksTheRevisionGetsANewLinkAndNothingAgain() {
        assertThat(after(error(-32022), READS)).isEqualTo(Again.NOTHING_BUT_NEW_LINK);
    }

    @Test
    void aRequestWhoseAnswerWasLostIsSentAgainOnlyIfItReadsAndTheLinkRemains() {
        var lost = new ConnectionException("closed");
        assertThat(after(lost, READS)).isEqualTo(Again.REQUEST);
        assertThat(after(lost, CALLS)).isEqualTo(Again.NOTHING);
        assertThat(RetryPolicy.afterRequest(lost, READS, call, false)).isEqualTo(Again.NOTHING);
        call.begin(LATER);
        assertThat(after(lost, READS)).isEqualTo(Again.NOTHING);
    }

    @Test
    void aLaterRoundWhoseAnswerWasLostIsSentAgainAloneIfItReads() {
        var lost = new ConnectionException("closed");
        assertThat(RetryPolicy.afterRound(lost, "prompts/get", LATER, false))
                .isEqualTo(Again.ROUND);
        assertThat(RetryPolicy.afterRound(lost, CALLS, LATER, false)).isEqualTo(Again.NOTHING);
        assertThat(RetryPolicy.afterRound(lost, "prompts/get", Round.FIRST, false))
                .isEqualTo(Again.NOTHING);
    }

    @Test
    void aRoundWhoseHeadersAreRefusedIsSentAgainWithNewOnes() {
        for (Round round : new Round[] {Round.FIRST, LATER}) {
            assertThat(RetryPolicy.afterRound(error(-32020), CALLS, round, true))
                    .isEqualTo(Again.ROUND_WITH_NEW_HEADERS);
            assertThat(RetryPolicy.afterRound(error(-32020), CALLS, round, false))
                    .isEqualTo(Again.NOTHING);
        }
    }

    @Test
    void aListIsReadAgainIfTheCursorOfAKeptPageIsRefused() {
        var refused = new JsonRpcException(-32602, "cursor");
        assertThat(RetryPolicy.isRefusedCursor(refused, true)).isTrue();
        assertThat(RetryPolicy.isRefusedCursor(refused, false)).isFalse();
        assertThat(RetryPolicy.isRefusedCursor(new JsonRpcException(-32603, "x"), true)).isFalse();
    }

    @Test
    void nothingFollowsTheFailureOfAHandlerWhateverItIs() {
        assertThatThrownBy(
                        () ->
                                call.asked(
                                        () -> {
                                            throw new ConnectionException("of a handler");
                                        }))
                .hasMessage("of a handler");
        assertThat(after(new ConnectionException("of a handler"), READS)).isEqualTo(Again.NOTHING);
        assertThat(after(new SessionExpiredException("of a handler"), READS))
                .isEqualTo(Again.NOTHING);
    }

    @ParameterizedTest
    @ValueSource(ints = {-32000, -32600, -32601, -32602, -32603, -32021})
    void otherErrorsAreTheCallersBusiness(int code) {
        assertThat(after(error(code), READS)).isEqualTo(Again.NOTHING);
        assertThat(RetryPolicy.afterRound(error(code), READS, LATER, true))
                .isEqualTo(Again.NOTHING);
    }

    @Test
    void aTimeoutIsTheCallersBusiness() {
        assertThat(after(new RequestTimeoutException("30 s"), READS)).isEqualTo(Again.NOTHING);
    }
}
