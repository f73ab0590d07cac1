package dev.fairlead.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.CallToolRequest;

import org.junit.jupiter.api.Test;

import java.util.Optional;

class ToolTagTest {
    private final ToolTag tag = new ToolTag();

    private record Called(Object params) implements MethodCall {
        @Override
        public String name() {
            return "tools/call";
        }

        @Override
        public MethodCall withParams(Object changed) {
            return new Called(changed);
        }

        @Override
        public boolean isInbound() {
            return true;
        }

        @Override
        public Caller caller() {
            return Caller.anonymous();
        }

        @Override
        public Optional<Revision> revision() {
            return Optional.empty();
        }
    }

    private static MethodCall call(String tool) {
        return new Called(new CallToolRequest(tool, JsonObject.EMPTY));
    }

    @Test
    void onlyToolsThatGaveAResultAreNamed() {
        assertThat(tag.value(call("add"), false)).isEqualTo("other");
        assertThat(tag.value(call("add"), true)).isEqualTo("add");
        assertThat(tag.value(call("add"), false)).isEqualTo("add");
        assertThat(tag.value(new Called(JsonObject.EMPTY), true)).isEqualTo("none");
    }

    @Test
    void theNumberOfNamesIsBounded() {
        for (int i = 0; i < ToolTag.MAX_TOOLS; i++) {
            assertThat(tag.value(call("tool" + i), true)).isEqualTo("tool" + i);
        }

        assertThat(tag.value(call("one_more"), true)).isEqualTo("other");
        assertThat(tag.value(call("tool0"), true)).isEqualTo("tool0");
    }
}
