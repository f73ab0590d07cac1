package dev.fairlead.protocol.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.requirements.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class WireCheckTest {
    /** In the manner of the specification: the older ones are of draft-07. */
    private static final String SCHEMA =
            """
            {"$schema": "%s", "%s": {
              "JSONRPCMessage": {"type": "object", "required": ["jsonrpc"]},
              "CountRequest": {"type": "object", "properties": {
                "method": {"const": "count"},
                "params": {"type": "object", "required": ["to"]}}, "required": ["params"]},
              "CountResult": {"type": "object", "required": ["count"]},
              "CreateTaskResult": {"type": "object", "properties": {
                "task": {"type": "object", "required": ["taskId"]}}, "required": ["task"]},
              "EmptyResult": {"type": "object"},
              "CountError": {"type": "object", "properties": {"error": {"allOf": [
                {"type": "object"},
                {"type": "object", "required": ["data"], "properties": {
                  "code": {"const": -32021, "type": "integer"}}}]}}},
              "TickNotification": {"type": "object", "properties": {
                "method": {"const": "tick"}}, "required": ["params"]}}}
            """;

    private final List<JsonRpcMessage> sent = new ArrayList<>();
    private WireCheck check;

    @TempDir Path folder;

    @BeforeEach
    void schemas() throws Exception {
        for (Revision revision : Revision.values()) {
            boolean old = !revision.isAtLeast(Revision.NEWEST_WITH_HANDSHAKE);
            Files.writeString(
                    folder.resolve("schema-" + revision.date() + ".json"),
                    old
                            ? SCHEMA.formatted(
                                    "http://json-schema.org/draft-07/schema#", "definitions")
                            : SCHEMA.formatted(
                                    "https://json-schema.org/draft/2020-12/schema", "$defs"));
        }
        Files.writeString(
                folder.resolve("schema-ext-tasks.json"),
                SCHEMA.formatted("https://json-schema.org/draft/2020-12/schema", "$defs"));
        check =
                new WireCheck(
                        WireSchemas.in(folder),
                        new SessionContext() {
                            @Override
                            public void send(JsonRpcMessage message) {
                                sent.add(message);
                            }

                            @Override
                            public Caller caller() {
                                return Caller.anonymous();
                            }

                            @Override
                            public String transport() {
                                return "test";
                            }

                            @Override
                            public void close() {}
                        });
    }

    private static JsonRpcRequest request(String method, String params) {
        return new JsonRpcRequest(RequestId.of(1), method, RawJson.parse(params));
    }

    private Exchange receive(JsonRpcMessage message) {
        return check.received(
                message,
                new Exchange() {
                    @Override
                    public void send(JsonRpcMessage answer) {
                        sent.add(answer);
                    }

                    @Override
                    public void refuse(
                            JsonRpcErrorResponse response, RequestRefusedException.Kind kind) {
                        sent.add(response);
                    }

                    @Override
                    public void abandon(RequestId request) {}

                    @Override
                    public Caller caller() {
                        return Caller.anonymous();
                    }
                });
    }

    private void greet(Revision revision) {
        check.send(request("initialize", "{}"));
        receive(
                new JsonRpcResponse(
                        RequestId.of(1),
                        RawJson.parse("{\"protocolVersion\": \"" + revision + "\"}")));
        sent.clear();
    }

    @Test
    void aRequestThatBreaksItsSchemaDoesNotGoOut() {
        for (Revision revision : Revision.withHandshake()) {
            greet(revision);
            check.send(request("count", "{\"to\": 3}"));
            check.send(request("unknown", "{}"));
            assertThat(sent).hasSize(2);
            assertThatThrownBy(() -> check.send(request("count", "{}")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("count breaks the schema of " + revision + ": ")
                    .hasMessageContaining("to");
            assertThatThrownBy(() -> check.send(new JsonRpcNotification("tick", null)))
                    .hasMessageContaining("tick breaks the schema");
        }
    }

    @Test
    void aResultThatBreaksItsSchemaBecomesAnError() {
        receive(request("initialize", "{}"))
                .send(
                        new JsonRpcResponse(
                                RequestId.of(1),
                                RawJson.parse("{\"protocolVersion\": \"2025-03-26\"}")));
        receive(request("count", "{}"))
                .send(new JsonRpcResponse(RequestId.of(1), RawJson.parse("{\"count\": 3}")));
        receive(request("count", "{}"))
                .send(new JsonRpcResponse(RequestId.of(1), RawJson.EMPTY_OBJECT));
        assertThat(sent.subList(0, 2)).allMatch(JsonRpcResponse.class::isInstance);
        assertThat(((JsonRpcErrorResponse) sent.get(2)).error().message())
                .startsWith("the result of count breaks the schema of 2025-03-26: ");
    }

    private static final String CLAIM =
            "{\"_meta\": {\"io.modelcontextprotocol/protocolVersion\": \"%s\","
                    + " \"io.modelcontextprotocol/clientCapabilities\": {}}}";

    private static JsonRpcErrorResponse error(int code, @Nullable JsonObject data) {
        return new JsonRpcErrorResponse(RequestId.of(1), new JsonRpcError(code, "No", data));
    }

    private static String message(JsonRpcMessage error) {
        return ((JsonRpcErrorResponse) error).error().message();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "2099-01-01"})
    void anErrorThatBreaksTheSchemaOfItsCodeBecomesAnother(String claimed) {
        JsonRpcRequest request = request("count", CLAIM.formatted(claimed));
        receive(request).send(error(-32021, JsonObject.EMPTY));
        receive(request).send(error(-32022, null));
        receive(request).refuse(error(-32021, null), RequestRefusedException.Kind.INVALID);
        receive(request).send(error(-32021, null));

        assertThat(sent).hasSize(4);
        assertThat(sent.subList(0, 2)).allMatch(answer -> message(answer).equals("No"));
        assertThat(sent.subList(2, 4))
                .allMatch(
                        answer ->
                                message(answer)
                                        .startsWith(
                                                "the error -32021 breaks the schema of"
                                                        + " 2026-07-28: "));
    }

    @Test
    void anErrorOfASessionIsCheckedAgainstItsRevision() {
        greet(Revision.V2025_06_18);
        receive(request("count", "{}")).send(error(-32021, null));

        assertThat(message(sent.get(0)))
                .startsWith("the error -32021 breaks the schema of 2025-06-18: ");
    }

    @Test
    void aRefusalOfATransportIsCheckedLikewise() {
        WireSchemas schemas = WireSchemas.in(folder);
        JsonRpcErrorResponse legal = error(-32021, JsonObject.EMPTY);

        assertThat(WireCheck.refusal(schemas, legal)).isEqualTo(legal);
        assertThat(message(WireCheck.refusal(schemas, error(-32021, null))))
                .startsWith("the error -32021 breaks the schema of 2026-07-28: ");
    }

    @Test
    @Requirement("ROOM-027")
    void aRequestForATaskMayBeAnsweredByOne() {
        greet(Revision.NEWEST_WITH_HANDSHAKE);
        answer("{\"task\": {}}", "{\"task\": {\"taskId\": \"t\"}}");
        answer("{\"task\": {}}", "{\"count\": 3}");
        assertThat(sent).hasSize(2).allMatch(JsonRpcResponse.class::isInstance);
        answer("{\"task\": {}}", "{\"task\": {}}");
        answer("{\"task\": {}}", "{}");
        answer("{}", "{\"task\": {\"taskId\": \"t\"}}");
        assertThat(sent.subList(2, 5)).hasSize(3).allMatch(JsonRpcErrorResponse.class::isInstance);
    }

    private void answer(String params, String result) {
        receive(request("count", params))
                .send(new JsonRpcResponse(RequestId.of(1), RawJson.parse(result)));
    }

    @Test
    void nothingIsCheckedBeforeARevisionIsAgreedOn() {
        check.send(request("count", "{}"));
        assertThat(sent).hasSize(1);
    }
}
