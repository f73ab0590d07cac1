package dev.fairlead.protocol.versioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.json.RepeatedTexts;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.logging.LoggingLevel;

import org.junit.jupiter.api.Test;

class RequestMetaTest {
    private static final String CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

    private static RawJson params(JsonObject meta) {
        return RawJson.parse(JsonObject.of("name", "tool", "_meta", meta).toJson());
    }

    private static JsonObject meta(String client) {
        return RequestMeta.write(
                "2026-07-28",
                ClientCapabilities.NONE,
                new Implementation(client, "1"),
                LoggingLevel.INFO);
    }

    @Test
    void whatAClientRepeatsIsReadOnce() {
        RequestMeta first = RequestMeta.read(params(meta("one")));
        assertThat(RequestMeta.read(params(meta("one")))).isSameAs(first);
        assertThat(RequestMeta.isClaimed(params(meta("one")))).isTrue();
        RequestMeta second = RequestMeta.read(params(meta("two")));
        assertThat(second.client()).isEqualTo(new Implementation("two", "1"));
        assertThat(RequestMeta.read(params(meta("one")))).isEqualTo(first);
    }

    @Test
    void onlyParametersThatNameARevisionAreRead() {
        RequestMeta read = RequestMeta.readIfClaimed(params(meta("three"))).orElseThrow();
        assertThat(read.client()).isEqualTo(new Implementation("three", "1"));
        assertThat(RequestMeta.readIfClaimed(params(meta("three")))).containsSame(read);
        assertThat(RequestMeta.readIfClaimed(null)).isEmpty();
        assertThat(RequestMeta.readIfClaimed(params(JsonObject.of("progressToken", 1)))).isEmpty();
        JsonObject wrong = JsonObject.of("io.modelcontextprotocol/protocolVersion", 1);
        assertThatThrownBy(() -> RequestMeta.readIfClaimed(params(wrong)))
                .isInstanceOf(JsonRpcException.class);
    }

    @Test
    void whatBelongsToOneRequestIsNotKept() {
        for (JsonObject meta :
                new JsonObject[] {
                    meta("a").with("progressToken", dev.fairlead.json.JsonValue.of(1)),
                    meta("a").with("traceparent", dev.fairlead.json.JsonValue.of("00-ab-cd-01")),
                    meta("x".repeat(RepeatedTexts.LONGEST))
                }) {
            RequestMeta first = RequestMeta.read(params(meta));
            assertThat(RequestMeta.read(params(meta))).isEqualTo(first).isNotSameAs(first);
        }
    }

    @Test
    void manyClientsAreReadRight() {
        for (int round = 0; round < 3; round++) {
            for (int client = 0; client < 500; client++) {
                RequestMeta meta = RequestMeta.read(params(meta("client " + client)));
                assertThat(meta.client()).isEqualTo(new Implementation("client " + client, "1"));
                assertThat(meta.logLevel()).isEqualTo(LoggingLevel.INFO);
            }
        }
    }

    @Test
    void whatIsWrongIsRefusedEachTime() {
        JsonObject wrong = JsonObject.of("io.modelcontextprotocol/protocolVersion", 1);
        for (int round = 0; round < 2; round++) {
            assertThat(RequestMeta.isClaimed(params(wrong))).isTrue();
            assertThatThrownBy(() -> RequestMeta.read(params(wrong)))
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessageContaining("clientCapabilities is missing");
        }
    }

    private static ClientCapabilities capabilities(String json) {
        JsonObject meta = meta("flags").with(CAPABILITIES, RawJson.parse(json).value());
        return RequestMeta.read(params(meta)).capabilities();
    }

    @Test
    void aCapabilityThatIsTrueIsAnEmptyObject() {
        assertThat(capabilities("{\"elicitation\":true,\"sampling\":{\"tools\":true}}"))
                .isEqualTo(capabilities("{\"elicitation\":{},\"sampling\":{\"tools\":{}}}"));
        assertThat(capabilities("{\"elicitation\":true}")).isNotEqualTo(ClientCapabilities.NONE);
        assertThat(capabilities("{\"elicitation\":false,\"sampling\":null}"))
                .isEqualTo(ClientCapabilities.NONE);
    }

    @Test
    void noCapabilitiesAreNullOrAnEmptyArray() {
        assertThat(capabilities("null")).isEqualTo(ClientCapabilities.NONE);
        assertThat(capabilities("[]")).isEqualTo(ClientCapabilities.NONE);
        assertThatThrownBy(() -> capabilities("1"))
                .isInstanceOf(JsonRpcException.class)
                .hasMessageContaining("clientCapabilities: must be an object");
    }
}
