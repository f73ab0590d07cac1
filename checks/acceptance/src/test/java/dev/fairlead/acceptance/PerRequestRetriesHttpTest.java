package dev.fairlead.acceptance;

import static dev.fairlead.test.shared.PerRequestFrames.headers;
import static dev.fairlead.test.shared.PerRequestFrames.request;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.protocol.RequestStateRefusal.Cause;
import dev.fairlead.protocol.Revision;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.RequestState;
import dev.fairlead.test.shared.PerRequestFrames;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Retries of requests of revision 2026-07-28 that are refused, on real sockets. */
@Timeout(120)
class PerRequestRetriesHttpTest extends PerRequestRefusals {
    @Nested
    class Retries {
        private static final String ANSWER =
                "{\"user_name\": {\"action\": \"accept\", \"content\": {\"name\": \"Ada\"}}}";

        private final McpServer asking =
                closedLater(
                        builder("s").revisions(Revision.V2025_11_25, Revision.V2026_07_28).build());
        private final HttpServing serving = closedLater(asking.serve(PerRequestFrames.listener()));

        private String state() throws Exception {
            JsonObject asked = result(call(serving, "ask", ""));
            assertThat(asked.string("resultType")).isEqualTo("input_required");
            return asked.string("requestState");
        }

        private static String retry(String state, String responses) {
            return ", \"requestState\": "
                    + new JsonString(state).toJson()
                    + ", \"inputResponses\": "
                    + responses;
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "null",
                    "{}",
                    "{\"other\": {\"action\": \"decline\"}}",
                    "{\"USER_NAME\": {\"action\": \"decline\"}, \"\": {\"action\": \"decline\"}}"
                })
        @Requirement("N26-MRTR-017")
        void whatIsMissingIsAskedAgain(String responses) throws Exception {
            JsonObject again = result(call(serving, "ask", retry(state(), responses)));
            assertThat(again.string("resultType")).isEqualTo("input_required");
            assertThat(again.object("inputRequests").members()).containsOnlyKeys("user_name");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{\"user_name\": 7}",
                    "{\"user_name\": null}",
                    "{\"user_name\": []}",
                    "{\"user_name\": {\"roots\": []}}",
                    "{\"user_name\": {\"action\": \"perhaps\"}}",
                    "{\"user_name\": {\"action\": \"accept\", \"content\": 7}}"
                })
        @Requirement("N26-MRTR-017")
        void whatIsNoAnswerIsRefusedByItsKeyAndNothingIsRecorded(String responses)
                throws Exception {
            String state = state();
            JsonObject error =
                    assertRefused(call(serving, "ask", retry(state, responses)), 200, -32602);
            assertThat(error.string("message")).contains("user_name");
            assertThat(call(serving, "ask", retry(state, ANSWER)).body()).contains("Ada");
        }

        @ParameterizedTest
        @ValueSource(strings = {"7", "[1]", "\"x\"", "true"})
        void responsesThatAreNoObjectAreRefused(String responses) throws Exception {
            assertRefused(call(serving, "ask", retry(state(), responses)), 200, -32602);
        }

        @Test
        void rightKeysAreUsedWithoutAStateOrWithOneThatIsNull() throws Exception {
            for (String state : List.of("", ", \"requestState\": null")) {
                String more = state + ", \"inputResponses\": " + ANSWER;
                assertThat(call(serving, "ask", more).body()).contains("Ada");
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"7", "{}", "[]", "false"})
        void aStateThatIsNoStringIsRefused(String state) throws Exception {
            String more = ", \"requestState\": " + state;
            JsonObject error = assertRefused(call(serving, "ask", more), 200, -32602);
            assertThat(error.has("data")).isFalse();
        }

        @Test
        void methodsThatCannotAskIgnoreBoth() throws Exception {
            String body =
                    request("7", "tools/list", "\"requestState\": 7, \"inputResponses\": false");
            assertThat(result(post(serving, body, headers("tools/list", null))).has("tools"))
                    .isTrue();
        }

        private void assertOneRefusal(HttpServing at, String tool, String state) throws Exception {
            assertThat(assertRefused(call(at, tool, retry(state, ANSWER)), 200, -32602).toJson())
                    .isEqualTo(
                            "{\"code\":-32602,\"message\":\"Invalid or expired requestState\","
                                    + "\"data\":{\"reason\":\"invalid_request_state\"}}");
        }

        @Test
        @Requirement({"N26-MRTR-012", "N26-MRTR-013"})
        void statesThatCannotBeUsedHaveOneRefusalAndTheCauseIsCounted() throws Exception {
            String state = state();
            char last = state.charAt(state.length() - 1);
            String spare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
            int spareCharacters = (state.length() - "v1.".length()) % 4;
            String dangling = "A".repeat((5 - spareCharacters) % 4); // no byte ends with it
            for (String malformed :
                    List.of(
                            "",
                            "v1.",
                            "v2" + state.substring(2),
                            state + "=",
                            state + dangling,
                            state + " ",
                            " " + state)) {
                assertOneRefusal(serving, "ask", malformed);
            }
            assertThat(asking.refusedRequestStates(Cause.MALFORMED)).isEqualTo(7);

            int other = spare.indexOf(last) ^ 32;
            String altered = state.substring(0, state.length() - 1) + spare.charAt(other);
            assertOneRefusal(serving, "ask", altered);
            assertOneRefusal(serving, "ask", state + "AAAA");
            assertOneRefusal(serving, "other", state);
            String arguments = callOf("ask", retry(state, ANSWER));
            String otherArguments =
                    arguments.replace("\"arguments\": {}", "\"arguments\": {\"a\": 1}");
            assertRefused(post(serving, otherArguments, headers("tools/call", "ask")), 200, -32602);
            assertThat(asking.refusedRequestStates(Cause.MISMATCH)).isEqualTo(4);

            assertOneRefusal(serving, "ask", "v1." + "A".repeat(40_000));
            assertThat(asking.refusedRequestStates(Cause.TOO_LONG)).isOne();

            McpServer dropped =
                    closedLater(
                            builder("s")
                                    .requestState(RequestState.keys(List.of(reversed(KEY))))
                                    .revisions(Revision.V2026_07_28)
                                    .build());
            assertOneRefusal(closedLater(dropped.serve(PerRequestFrames.listener())), "ask", state);
            assertThat(dropped.refusedRequestStates(Cause.UNKNOWN_KEY)).isOne();
            McpServer named = closedLater(builder("t").revisions(Revision.V2026_07_28).build());
            assertOneRefusal(closedLater(named.serve(PerRequestFrames.listener())), "ask", state);
            assertThat(named.refusedRequestStates(Cause.MISMATCH)).isOne();

            assertThat(asking.refusedRequestStates()).isEqualTo(12);
            assertThat(call(serving, "ask", retry(state, ANSWER)).body()).contains("Ada");
        }

        private static byte[] reversed(byte[] key) {
            return new StringBuilder(new String(key, StandardCharsets.US_ASCII))
                    .reverse()
                    .toString()
                    .getBytes(StandardCharsets.US_ASCII);
        }
    }

    @Test
    void aCallThatComesWhileTheServerIsClosingMayBeSentAgain() throws Exception {
        HttpServing serving =
                serve(
                        builder("s").revisions(Revision.V2026_07_28),
                        port -> port.shutdownGrace(Duration.ofHours(1)));
        var waiting =
                client.sendAsync(
                        PerRequestFrames.post(
                                serving.uri(), callOf("wait", ""), headers("tools/call", "wait")),
                        HttpResponse.BodyHandlers.ofString());
        begun.await();
        Thread closing = Thread.ofPlatform().start(serving::close);
        HttpResponse<String> refused =
                await("the server is closing") // and may have closed idle connections
                        .ignoreExceptionsInstanceOf(IOException.class)
                        .until(
                                () -> call(serving, "ask", ""),
                                answer -> answer.statusCode() != 200);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(json(refused).object("error").object("data"))
                .isEqualTo(JsonObject.of("retryable", true, "retryAfterMs", 1_000));

        end.countDown();
        assertThat(waiting.get().body()).contains("waited");
        closing.join();
    }
}
