package dev.fairlead.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcError;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

class RetryableErrorTest {
    private static JsonRpcError error(String data) {
        return new JsonRpcError(-32000, "busy", JsonValue.parse(data));
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0",
        "PT0.000000001S, 1",
        "PT0.001S, 1",
        "PT0.001000001S, 2",
        "PT1S, 1000",
        "PT0.999999999S, 1000"
    })
    void theTimeToWaitIsSentInWholeMillisecondsRoundedUp(Duration wait, long millis) {
        JsonRpcError marked = RetryableError.exception(-32000, "busy", wait).error();

        assertThat(marked.data())
                .isEqualTo(JsonValue.parse("{\"retryable\":true,\"retryAfterMs\":" + millis + "}"));
        assertThat(RetryableError.retryAfter(marked)).hasValue(Duration.ofMillis(millis));
    }

    @Test
    void theLongestTimeIsTheLongestNumberOfMilliseconds() {
        JsonRpcError marked =
                RetryableError.mark(
                        new JsonRpcError(-32000, "busy"), Duration.ofSeconds(Long.MAX_VALUE, 1));

        assertThat(RetryableError.retryAfter(marked)).hasValue(Duration.ofMillis(Long.MAX_VALUE));
    }

    @Test
    void aNegativeTimeIsRefused() {
        Duration wait = Duration.ofNanos(-1);

        assertThatThrownBy(() -> RetryableError.exception(-32000, "busy", wait))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("retryAfter must not be negative but was PT-0.000000001S");
    }

    @Test
    void anErrorWithoutATimeHasNone() {
        JsonRpcError marked = RetryableError.exception(-32000, "busy").error();

        assertThat(marked.data()).isEqualTo(JsonObject.of("retryable", true));
        assertThat(RetryableError.retryAfter(marked)).isEmpty();
    }

    @Test
    void otherDataAndAnEarlierTimeAreKept() {
        JsonRpcError marked = RetryableError.mark(error("{\"a\":1,\"retryAfterMs\":5}"));

        assertThat(marked).isEqualTo(error("{\"a\":1,\"retryAfterMs\":5,\"retryable\":true}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "9223372036854775808", "1e40", "\"1\"", "null", "true"})
    void aTimeOfThePeerThatIsNoneIsIgnored(String time) {
        JsonRpcError strange = error("{\"retryable\":true,\"retryAfterMs\":" + time + "}");

        assertThat(RetryableError.retryAfter(strange)).isEmpty();
        assertThat(RetryableError.isRetryable(strange)).isTrue();
    }

    @Test
    void aTimeOfAnErrorThatIsNotRetryableIsIgnored() {
        assertThat(RetryableError.retryAfter(error("{\"retryAfterMs\":5}"))).isEmpty();
        assertThat(RetryableError.retryAfter(new JsonRpcError(-32000, "no"))).isEmpty();
    }
}
