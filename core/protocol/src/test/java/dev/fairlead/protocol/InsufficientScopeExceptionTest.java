package dev.fairlead.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcError;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

class InsufficientScopeExceptionTest {
    @Test
    void itIsFoundAgainInItsError() {
        Set<String> scopes = new LinkedHashSet<>(List.of("write", "read"));

        var found =
                InsufficientScopeException.of(new InsufficientScopeException(scopes).error())
                        .orElseThrow();

        assertThat(found.requiredScopes()).containsExactly("write", "read");
        assertThat(found.getMessage()).isEqualTo("This requires the scopes: write read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\"", "a\\", "ä", "a\r\nSet-Cookie: x"})
    void whatIsNoScopeGetsIntoNoHeader(String scope) {
        JsonObject data = JsonObject.of("requiredScopes", JsonArray.of("read", scope));

        assertThat(InsufficientScopeException.of(new JsonRpcError(403, "m", data))).isEmpty();
        assertThatThrownBy(() -> new InsufficientScopeException(Set.of(scope)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void otherErrorsAreNone() {
        JsonObject data = JsonObject.of("requiredScopes", JsonArray.of("read"));

        assertThat(InsufficientScopeException.of(new JsonRpcError(-32000, "m", data))).isEmpty();
        assertThat(InsufficientScopeException.of(new JsonRpcError(403, "m"))).isEmpty();
        assertThat(
                        InsufficientScopeException.of(
                                new JsonRpcError(
                                        403, "m", JsonObject.of("requiredScopes", "read"))))
                .isEmpty();
        assertThat(
                        InsufficientScopeException.of(
                                new JsonRpcError(
                                        403,
                                        "m",
                                        JsonObject.of("requiredScopes", JsonArray.EMPTY))))
                .isEmpty();
    }
}
