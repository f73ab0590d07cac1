package dev.fairlead.jsonrpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.requirements.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

class JsonRpcMessageTest {

    @Nested
    class Reading {
        @Test
        void longIdsAndMethodsAreRefused() {
            String most = "x".repeat(1_024);
            JsonRpcMessage.parse(
                    "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"%s\"}".formatted(most, most));

            for (String member : new String[] {"id", "method"}) {
                String message =
                        "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"m\"}"
                                .replace(
                                        "\"%s\":\"%s\"".formatted(member, member.charAt(0)),
                                        "\"%s\":\"%sx\"".formatted(member, most));
                assertThatThrownBy(() -> JsonRpcMessage.parse(message))
                        .isInstanceOf(MalformedMessageException.class)
                        .hasMessage(
                                "Invalid request: %s may have 1024 characters but has 1025",
                                member);
            }
        }

        @Test
        @Requirement({"BASE-002", "BASE-007", "ROOM-039"})
        void aRequestKeepsItsParametersAsText() {
            var request =
                    (JsonRpcRequest)
                            JsonRpcMessage.parse(
                                    """
                                    {"id": 7, "params": {"a": [1, 2.50]}, "method": "tools/call", "jsonrpc": "2.0", "more": {}}\
                                    """);
            assertThat(request.id()).isEqualTo(RequestId.of(7));
            assertThat(request.method()).isEqualTo("tools/call");
            assertThat(String.valueOf(request.params())).isEqualTo("{\"a\": [1, 2.50]}");
        }

        @Test
        @Requirement({"BASE-004", "ROOM-031", "ROOM-033"})
        void anIdKeepsItsTypeAndTextAndNumberDiffer() {
            var text =
                    (JsonRpcRequest)
                            JsonRpcMessage.parse(
                                    "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"ping\"}");
            var number =
                    (JsonRpcRequest)
                            JsonRpcMessage.parse(
                                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
            var big =
                    (JsonRpcRequest)
                            JsonRpcMessage.parse(
                                    "{\"jsonrpc\":\"2.0\",\"id\":9223372036854775807,\"method\":\"ping\"}");
            assertThat(text.id()).isNotEqualTo(number.id());
            assertThat(text.id()).isEqualTo(RequestId.of("1"));
            assertThat(big.id()).isEqualTo(RequestId.of(Long.MAX_VALUE));
            assertThat(big.toJson()).contains("\"id\":9223372036854775807");
        }

        @Test
        @Requirement("ROOM-031")
        void zeroAndTheEmptyTextAreIds() {
            assertThat(
                            ((JsonRpcRequest)
                                            JsonRpcMessage.parse(
                                                    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"m\"}"))
                                    .id())
                    .isEqualTo(RequestId.of(0));
            assertThat(
                            ((JsonRpcRequest)
                                            JsonRpcMessage.parse(
                                                    "{\"jsonrpc\":\"2.0\",\"id\":\"\",\"method\":\"m\"}"))
                                    .id())
                    .isEqualTo(RequestId.of(""));
        }

        @Test
        void aMessageWithoutIdIsANotification() {
            assertThat(
                            JsonRpcMessage.parse(
                                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"))
                    .isEqualTo(new JsonRpcNotification("notifications/initialized", null));
        }

        @Test
        @Requirement({"BASE-008", "BASE-010"})
        void aResultMayHoldAnything() {
            var response =
                    (JsonRpcResponse)
                            JsonRpcMessage.parse(
                                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"unknown\":[null]}}");
            assertThat(response.result().value())
                    .isEqualTo(JsonObject.of("unknown", java.util.Collections.singletonList(null)));
        }

        @Test
        @Requirement({"BASE-011", "BASE-012", "ROOM-034", "ERR-026"})
        void anErrorMayComeWithoutIdOrWithNull() {
            for (String id : new String[] {"", "\"id\":null,"}) {
                var response =
                        (JsonRpcErrorResponse)
                                JsonRpcMessage.parse(
                                        "{\"jsonrpc\":\"2.0\","
                                                + id
                                                + "\"error\":{\"code\":-32099,\"message\":\"no\",\"data\":{\"a\":1}}}");
                assertThat(response.id()).isNull();
                assertThat(response.error())
                        .isEqualTo(new JsonRpcError(-32099, "no", JsonObject.of("a", 1)));
            }
        }
    }

    /** Serializers write members that are null, and {@code []} for an object without members. */
    @Nested
    class Sloppy {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "'id':1,'result':{'a':1},'error':null|'id':1,'result':{'a':1}",
                    "'id':1,'result':null,'error':{'code':-1,'message':'m'}|'id':1,'error':{'code':-1,'message':'m'}",
                    "'id':1,'method':null,'params':null,'result':{}|'id':1,'result':{}",
                    "'id':1,'result':null|'id':1,'result':{}",
                    "'id':1,'result':null,'error':null|'id':1,'result':{}",
                    "'id':1,'result':[]|'id':1,'result':{}",
                    "'id':1,'method':'m','params':null,'result':null,'error':null|'id':1,'method':'m'",
                    "'id':1,'method':'m','params':[]|'id':1,'method':'m','params':{}"
                })
        void nullIsAbsentAndAnEmptyArrayIsAnEmptyObject(String sent, String meant) {
            assertThat(parse(sent)).isEqualTo(parse(meant));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "'id':1,'result':{},'error':{'code':-1,'message':'m'}",
                    "'id':1,'result':[1]",
                    "'id':1,'method':'m','params':[1]",
                    "'id':1,'method':'m','result':{}",
                    "'id':1,'method':null,'method':'m'",
                    "'id':1,'result':null,'result':{}",
                    "'id':1,'error':null",
                    "'id':1,'error':{'code':-1,'message':'m','code':-2}",
                    "'id':1,'error':{'code':-1,'message':'m','message':'n'}",
                    "'id':1,'error':{'code':'x','message':'m','code':-1}",
                    "'id':1,'error':{'code':-1,'message':'m','data':null,'data':1}",
                    "'id':null,'method':'m'",
                    "'id':1,'method':null"
                })
        void whatHasAnotherMeaningIsRefused(String sent) {
            assertThatThrownBy(() -> parse(sent)).isInstanceOf(MalformedMessageException.class);
        }

        private JsonRpcMessage parse(String members) {
            return JsonRpcMessage.parse("{\"jsonrpc\":\"2.0\"," + members.replace('\'', '"') + "}");
        }
    }

    @Nested
    class Refusing {
        @ParameterizedTest
        @Requirement("ERR-001")
        @ValueSource(
                strings = {
                    "",
                    "{",
                    "nonsense",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"",
                    "{} {}",
                    "{\"a\":01}"
                })
        void whatIsNotJsonIsAParseErrorWithoutId(String text) {
            var e =
                    catchThrowableOfType(
                            MalformedMessageException.class, () -> JsonRpcMessage.parse(text));
            assertThat(e.code()).isEqualTo(-32700);
            assertThat(e.response().toJson())
                    .startsWith("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700");
        }

        @Test
        @Requirement({"BASE-003", "ERR-001"})
        void whatIsNotUtf8IsAParseError() {
            byte[] latin =
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"é\"}"
                            .getBytes(StandardCharsets.ISO_8859_1);
            assertThatThrownBy(() -> JsonRpcMessage.parse(latin))
                    .isInstanceOf(MalformedMessageException.class)
                    .hasMessageContaining("not UTF-8");
        }

        @ParameterizedTest
        @Requirement({
            "ERR-002",
            "BASE-002",
            "BASE-005",
            "BASE-007",
            "BASE-009",
            "BASE-013",
            "BASE-015"
        })
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "1 | a message must be an object but was a number",
                    "{\"id\":1,\"method\":\"m\"} | jsonrpc must be \"2.0\"",
                    "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"m\"} | jsonrpc must be \"2.0\"",
                    "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"m\"} | jsonrpc must be \"2.0\"",
                    "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"} | id must not be null",
                    "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"m\"} | id must be a string or a"
                            + " 64-bit integer",
                    "{\"jsonrpc\":\"2.0\",\"id\":1e30,\"method\":\"m\"} | id must be a string or a"
                            + " 64-bit integer",
                    "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"m\"} | id must be a string or a"
                            + " 64-bit integer",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5} | method must be a string but was"
                            + " a number",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":[1]} | params must"
                            + " be an object but was an array",
                    "{\"jsonrpc\":\"2.0\",\"id\":1} | a message has a method, or either a result or"
                            + " an error",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{\"code\":1,\"message\":\"x\"}}"
                        + " | a message has a method, or either a result or an error",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":5} | result must be an object but was"
                            + " a number",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"boom\"} | error must be an object"
                            + " but was a string: \"boom\"",
                    "{\"jsonrpc\":\"2.0\",\"result\":{}} | a result must have an id",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1.5,\"message\":\"x\"}} |"
                            + " error must have an integer code and a message: \"x\"",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}} | error must have an"
                            + " integer code and a message",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"m\"} | the member id"
                            + " stands twice",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"result\":{}} | a message has"
                            + " either a method or a result or an error",
                    "[] | a batch must not be empty"
                })
        void whatIsNoMessageSaysWhy(String text, String reason) {
            assertThatThrownBy(() -> JsonRpcMessage.parse(text))
                    .isInstanceOf(MalformedMessageException.class)
                    .hasMessage("Invalid request: " + reason)
                    .extracting(e -> ((MalformedMessageException) e).code())
                    .isEqualTo(-32600);
        }

        @Test
        @Requirement("BASE-011")
        void theErrorCarriesTheIdWhereverItStands() {
            var e =
                    catchThrowableOfType(
                            MalformedMessageException.class,
                            () ->
                                    JsonRpcMessage.parse(
                                            "{\"method\":5,\"jsonrpc\":\"2.0\",\"id\":\"x\"}"));
            assertThat(e.response().id()).isEqualTo(RequestId.of("x"));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"ratio\":NaN}} | 7 |",
                    "{\"id\":\"x\",\"error\":{\"code\":1,\"message\":\"C:\\dir\"}} | \"x\" |",
                    "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}} | 7 |",
                    "{\"jsonrpc\":\"2.0\",\"id\":7} | 7 | 7",
                    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"m\",\"params\":{\"a\":NaN}} | |",
                    "{\"jsonrpc\":\"2.0\",\"id\":7,NaN} | |",
                    "{\"jsonrpc\":\"2.0\",\"result\":{\"a\":NaN},\"id\":7} | |",
                })
        void aBrokenAnswerIsKnownByTheIdBeforeItsFault(
                String text, @Nullable String answered, @Nullable String refused) {
            var e =
                    catchThrowableOfType(
                            MalformedMessageException.class, () -> JsonRpcMessage.parse(text));
            assertIds(e, answered, refused);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[{\"text\":\"aaaa | 7 |",
                    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"par | | 7",
                    "{\"method\":\"tools/call\",\"params\":{\"a\":\"bbbb | |",
                    "{\"jsonrpc\":\"2.0\",\"id\":7,\"unknown\":\"cccc | |",
                    "[{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{ | |",
                    "Loading the model | |",
                })
        void aMessageThatIsTooLongIsKnownByItsBeginning(
                String beginning, @Nullable String answered, @Nullable String refused) {
            var e =
                    MalformedMessageException.tooLong(
                            beginning.getBytes(StandardCharsets.UTF_8), 1_000);
            assertThat(e).hasMessage("Invalid request: a message may have 1000 bytes");
            assertIds(e, answered, refused);
        }

        private static void assertIds(
                MalformedMessageException e, @Nullable String answered, @Nullable String refused) {
            assertThat(e.answered().map(RequestId::toString).orElse(null)).isEqualTo(answered);
            assertThat(e.response().id()).isEqualTo(refused == null ? null : RequestId.of(7));
        }

        @Test
        void aMessageOfManySmallValuesIsRefused() {
            String before = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":[";
            String fits = before + "{},".repeat(999_993) + "{}]}}"; // 6 are around them
            assertThat(JsonRpcMessage.parse(fits)).isInstanceOf(JsonRpcRequest.class);
            String beyond = before + "{},".repeat(999_994) + "{}]}}";
            assertThatThrownBy(() -> JsonRpcMessage.parse(beyond))
                    .isInstanceOf(MalformedMessageException.class)
                    .hasMessageContaining("the text has more than 1000000 values");
        }

        @Test
        void aDepthBombIsRefusedBeforeItHurts() {
            String bomb =
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":"
                            + "[".repeat(100_000);
            assertThatThrownBy(() -> JsonRpcMessage.parse(bomb))
                    .isInstanceOf(MalformedMessageException.class)
                    .hasMessageContaining("the text is nested more than 500 levels deep");
        }
    }

    @Nested
    class Batches {
        @Test
        @Requirement({"VERS-013", "VERS-017"})
        void aBatchKeepsTheGoodAndAnswersTheBad() {
            var batch =
                    (Batch)
                            JsonRpcMessage.parse(
                                    """
                                    [{"jsonrpc":"2.0","id":1,"method":"ping"}, 5, {"jsonrpc":"2.0","method":"n"}]\
                                    """);
            assertThat(batch.messages())
                    .containsExactly(
                            new JsonRpcRequest(RequestId.of(1), "ping", null),
                            new JsonRpcNotification("n", null));
            assertThat(batch.requests()).isEqualTo(1);
            assertThat(batch.malformed()).hasSize(1);
        }

        @Test
        void aBatchHasAMostSize() {
            String ping = "{\"jsonrpc\":\"2.0\",\"method\":\"n\"}";
            String most = "[" + (ping + ",").repeat(Batch.MAX_SIZE - 1) + ping + "]";
            String more = "[" + (ping + ",").repeat(Batch.MAX_SIZE) + ping + "]";
            assertThat(((Batch) JsonRpcMessage.parse(most)).messages()).hasSize(Batch.MAX_SIZE);
            assertThatThrownBy(() -> JsonRpcMessage.parse(more))
                    .hasMessageContaining("1000 messages");
        }
    }

    @Nested
    class Writing {
        @Test
        @Requirement({"BASE-002", "BASE-009", "BASE-016", "STDIO-003"})
        void everyKindIsWrittenOnOneLine() {
            RawJson params = RawJson.parse("{\"text\":\"a\\nb\"}");
            assertThat(new JsonRpcRequest(RequestId.of(1), "m", params).toJson())
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"text\":\"a\\n"
                                + "b\"}}");
            assertThat(new JsonRpcNotification("n", null).toJson())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"method\":\"n\"}");
            assertThat(new JsonRpcResponse(RequestId.of("a"), RawJson.EMPTY_OBJECT).toJson())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}");
            assertThat(new JsonRpcErrorResponse(null, new JsonRpcError(-1, "no")).toJson())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-1,\"message\":\"no\"}}");
        }

        @Test
        @Requirement("STDIO-003")
        void aLineEndInsideRawParametersIsTheWritersBusiness() {
            RawJson pretty = RawJson.parse("{\n \"a\": 1\n}");
            assertThat(new JsonRpcNotification("n", pretty).toJson()).doesNotContain("\n");
        }
    }
}
