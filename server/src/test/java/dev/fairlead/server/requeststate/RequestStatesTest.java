package dev.fairlead.server.requeststate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

class RequestStatesTest {
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes();
    private static final byte[] OTHER = "fedcba9876543210fedcba9876543210".getBytes();
    private static final Caller ADA =
            Caller.of("https://issuer.example", "ada", "client", Set.of());

    private final ManualTimers timers = new ManualTimers();
    private final RequestStates states = states(StateKeys.of(List.of(KEY)));

    private RequestStates states(StateKeys keys) {
        return new RequestStates(keys, Duration.ofMinutes(10), 32 << 10, timers);
    }

    private static StateContent content() {
        return new StateContent(
                0,
                0,
                1,
                "base",
                Map.of("a", JsonValue.of(1)),
                Map.of("k", "digest"),
                Map.of("once", JsonObject.of("x", "y")),
                null);
    }

    private static StateBinding binding(Caller caller, String method, String target, String json) {
        return new StateBinding("server", caller, method, target, RawJson.parse(json));
    }

    private static StateBinding binding() {
        return binding(ADA, "tools/call", "pay", "{\"a\": 1, \"b\": [1.50, {\"c\": 2, \"d\": 3}]}");
    }

    private void isRefused(String state, StateBinding by) {
        assertThatThrownBy(() -> states.open(state, by))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e ->
                                assertThat(e.error().toString())
                                        .contains("-32602", "Invalid or expired requestState")
                                        .contains("invalid_request_state"));
    }

    @Test
    @Requirement({"N26-MRTR-012", "N26-MRTR-013"})
    void whatWasSealedIsOpenedForTheSameRequest() {
        String state = states.seal(content(), binding(), true);
        StateContent opened =
                states.open(
                        state,
                        binding(
                                ADA,
                                "tools/call",
                                "pay",
                                "{\"b\": [1.5, {\"d\": 3.0, \"c\": 2e0}], \"a\": 1.0}"));
        assertThat(opened.answers()).isEqualTo(content().answers());
        assertThat(opened.once()).isEqualTo(content().once());
        assertThat(opened.base()).isEqualTo("base");
        assertThat(state).matches("v1\\.[A-Za-z0-9_-]+");
    }

    @Test
    @Requirement("N26-MRTR-012")
    void everyChangeOfAByteIsRefused() {
        String state = states.seal(content(), binding(), true);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        long refused = states.refused();
        int tried = 0;
        for (int i = 0; i < state.length(); i++) {
            for (char other : (alphabet + "=. \n").toCharArray()) {
                if (other != state.charAt(i)) {
                    isRefused(state.substring(0, i) + other + state.substring(i + 1), binding());
                    tried++;
                }
            }
        }
        for (String changed :
                List.of(
                        state + "A",
                        state + "=",
                        state + "-TAMPERED",
                        state.substring(0, state.length() - 1),
                        "",
                        "v1.",
                        state.substring(3),
                        "v2." + state.substring(3),
                        "v1." + "A".repeat(40_000))) {
            isRefused(changed, binding());
            tried++;
        }
        assertThat(states.refused() - refused).isEqualTo(tried);
        assertThat(tried).isGreaterThan(10_000);
    }

    @Test
    @Requirement({"N26-MRTR-013", "N26-ELIC-010"})
    void anotherRequestIsRefused() {
        String state = states.seal(content(), binding(), true);
        String json = "{\"a\": 1, \"b\": [1.50, {\"c\": 2, \"d\": 3}]}";
        Caller subject = Caller.of("https://issuer.example", "bob", "client", Set.of());
        Caller issuer = Caller.of("https://other.example", "ada", "client", Set.of());
        Caller client = Caller.of("https://issuer.example", "ada", "other", Set.of());
        for (StateBinding other :
                List.of(
                        binding(subject, "tools/call", "pay", json),
                        binding(issuer, "tools/call", "pay", json),
                        binding(client, "tools/call", "pay", json),
                        binding(Caller.anonymous(), "tools/call", "pay", json),
                        binding(ADA, "prompts/get", "pay", json),
                        binding(ADA, "tools/call", "pay2", json),
                        binding(ADA, "tools/call", "pay", "{}"),
                        binding(ADA, "tools/call", "pay", json.replace("1.50", "1.51")),
                        binding(ADA, "tools/call", "pay", json.replace("1.50", "\"1.50\"")),
                        new StateBinding("other", ADA, "tools/call", "pay", RawJson.parse(json)))) {
            isRefused(state, other);
        }
    }

    @Test
    @Requirement("N26-MRTR-013")
    void itEndsAfterItsTimeAndIsNotFromTheFuture() {
        String state = states.seal(content(), binding(), true);
        timers.advance(Duration.ofMinutes(10).minusMillis(1));
        states.open(state, binding());
        timers.advance(Duration.ofMillis(1));
        isRefused(state, binding());
        ManualTimers ahead = new ManualTimers();
        ahead.advance(Duration.ofMinutes(11).plusMillis(1).plusSeconds(60));
        RequestStates fast =
                new RequestStates(StateKeys.of(List.of(KEY)), Duration.ofHours(1), 32 << 10, ahead);
        isRefused(fast.seal(content(), binding(), true), binding());
    }

    @Test
    void aStateBeyondTheBoundIsNotSealed() {
        RequestStates small =
                new RequestStates(StateKeys.of(List.of(KEY)), Duration.ofMinutes(1), 1_000, timers);
        int fits = 0;
        for (int size = 1; size < 1_000; size++) {
            StateContent content =
                    new StateContent(
                            0,
                            0,
                            1,
                            "b",
                            Map.of(),
                            Map.of(),
                            Map.of("x", JsonValue.of("y".repeat(size))),
                            null);
            try {
                assertThat(small.seal(content, binding(), true).length())
                        .isLessThanOrEqualTo(1_000);
                fits = size;
            } catch (JsonRpcException e) {
                assertThat(e.code()).isEqualTo(-32603);
                break;
            }
        }
        assertThat(fits).isBetween(300, 700);
    }

    @Test
    void theFirstKeySealsAndAllOpen(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("keys");
        String one = Base64.getEncoder().encodeToString(KEY);
        String two = Base64.getEncoder().encodeToString(OTHER);
        Files.writeString(file, "# keys\n\n" + one + "\n");
        RequestStates own = states(StateKeys.in(file));
        String old = own.seal(content(), binding(), true);
        Files.writeString(file, two + "\n" + one + "\n");
        timers.advance(Duration.ofSeconds(10));
        own.open(old, binding());
        String fresh = own.seal(content(), binding(), true);
        isRefused(fresh, binding()); // by a server that has the first key alone
        Files.writeString(file, "no key\n");
        timers.advance(Duration.ofSeconds(10));
        own.open(fresh, binding()); // as before
        Files.writeString(file, two + "\n");
        timers.advance(Duration.ofSeconds(10));
        own.open(fresh, binding());
        assertThatThrownBy(() -> own.open(old, binding())).isInstanceOf(JsonRpcException.class);
    }

    @Test
    void filesWithoutKeysAreRefused(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("keys");
        for (String content : List.of("", "# none\n", "short\n", "c2hvcnQ=\n", "===\n")) {
            Files.writeString(file, content);
            assertThatThrownBy(() -> StateKeys.in(file))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(file.toString());
        }
    }

    /** The format must stay readable: other processes and later releases open these. */
    @Test
    void theFormatIsThatOfTheTestVectors() {
        byte[] sealed =
                RequestStates.seal(
                        "{\"plain\":true}".getBytes(StandardCharsets.UTF_8),
                        KeyRing.Key.of(KEY),
                        HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f"),
                        binding());
        assertThat(HexFormat.of().formatHex(sealed)).isEqualTo(VECTOR);
    }

    private static final String VECTOR =
            "101118b1000102030405060708090a0b0c0d0e0fb8bbe236280eafa48a5d6a7d1e07e26c6548ea690884a039aee3b0006342";
}
