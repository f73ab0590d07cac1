package dev.fairlead.server.requeststate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.RequestStateRefusal;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.notifications.SentReports;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.stream.Collectors;
import java.util.stream.Stream;

class RequestStatesTest {
    static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes();
    private static final byte[] OTHER = "fedcba9876543210fedcba9876543210".getBytes();
    private static final String ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    static final Caller ADA = Caller.of("https://issuer.example", "ada", "client", Set.of());

    private final ManualTimers timers = new ManualTimers();
    private final RequestStates states = states(StateKeys.of(List.of(KEY)));

    private RequestStates states(StateKeys keys) {
        return states(keys, Duration.ofMinutes(10), 32 << 10, timers);
    }

    static RequestStates states(StateKeys keys, Duration ttl, int maxBytes, ManualTimers timers) {
        return new RequestStates(
                new StateSettings(keys, ttl, maxBytes, "server"), timers, method -> {});
    }

    static StateContent content() {
        return new StateContent(
                0,
                0,
                1,
                "base",
                List.of(new StateContent.Answer("a", "digest", RawJson.parse("1"))),
                Map.of("k", new StateContent.Asked("digest", null)),
                Map.of("once", RawJson.of(JsonObject.of("x", "y"))),
                null,
                null,
                null,
                null);
    }

    static StateBinding binding(Caller caller, String method, String target, String json) {
        return new StateBinding("server", caller, method, target, RawJson.parse(json));
    }

    static StateBinding binding() {
        return binding(ADA, "tools/call", "pay", "{\"a\": 1, \"b\": [1.50, {\"c\": 2, \"d\": 3}]}");
    }

    private long refused() {
        return refused(states);
    }

    static long refused(RequestStates states) {
        return Stream.of(RequestStateRefusal.Cause.values()).mapToLong(states::refused).sum();
    }

    static StateContent open(RequestStates states, String state, StateBinding binding) {
        return states.open(RawJson.of(JsonValue.of(state)), binding);
    }

    private void isRefused(String state, StateBinding by) {
        assertThatThrownBy(() -> open(states, state, by))
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
                open(
                        states,
                        state,
                        binding(
                                ADA,
                                "tools/call",
                                "pay",
                                "{\"b\": [1.5, {\"d\": 3.0, \"c\": 2e0}], \"a\": 1.0}"));
        assertThat(opened.answers()).isEqualTo(content().answers());
        assertThat(texts(opened.once())).isEqualTo(Map.of("once", "{\"x\":\"y\"}"));
        assertThat(opened.base()).isEqualTo("base");
        assertThat(state).matches("v1\\.[A-Za-z0-9_-]+");
    }

    private static Map<String, String> texts(Map<String, RawJson> values) {
        return values.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, value -> value.getValue().toJson()));
    }

    /** A client may write its JSON with more escapes than the server. */
    @Test
    void aStateThatIsWrittenWithEscapesIsTheSame() {
        String state = states.seal(content(), binding(), true);
        StringBuilder escaped = new StringBuilder();
        state.chars().forEach(c -> escaped.append("\\u" + HexFormat.of().toHexDigits((char) c)));
        RawJson all = RawJson.parse("\"" + escaped + "\"");
        RawJson last =
                RawJson.parse(
                        "\""
                                + state.substring(0, state.length() - 1)
                                + escaped.substring(escaped.length() - 6)
                                + "\"");
        assertThat(states.open(all, binding()).base()).isEqualTo("base");
        assertThat(states.open(last, binding()).base()).isEqualTo("base");
    }

    @Test
    @Requirement("N26-MRTR-012")
    void everyChangeOfAByteIsRefused() {
        String state = states.seal(content(), binding(), true);
        long refused = refused();
        int tried = 0;
        for (int i = 0; i < state.length(); i++) {
            for (char other : (ALPHABET + "=. \n").toCharArray()) {
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
        assertThat(refused() - refused).isEqualTo(tried);
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

    /** The digest of a state is over all characters and digits of the arguments. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"\\ud800\" | \"?\"",
                "\"\\ud800\" | \"\\udfff\"",
                "\"\u00e9\" | \"e\u0301\"",
                "\"a\\u0000\" | \"a\"",
                "1000000000000000000000000000000000001 | 1000000000000000000000000000000000002",
                "1e999999999 | 1e999999998",
                "0 | false",
                "null | \"\"",
                "[[]] | []",
                "{\"b\": 1} | {\"b\": 1, \"c\": null}"
            })
    @Requirement("N26-MRTR-013")
    void argumentsThatOnlyLookAlikeAreThoseOfAnotherRequest(String one, String other) {
        String state = states.seal(content(), about(one), true);
        open(states, state, about(one));
        isRefused(state, about(other));
        isRefused(states.seal(content(), about(other), true), about(one));
    }

    private static StateBinding about(String value) {
        return binding(ADA, "tools/call", "pay", "{\"a\": %s}".formatted(value));
    }

    @Test
    @Requirement("N26-MRTR-013")
    void itEndsAfterItsTimeAndIsNotFromTheFuture() {
        String state = states.seal(content(), binding(), true);
        timers.advance(Duration.ofMinutes(10).minusMillis(1));
        open(states, state, binding());
        timers.advance(Duration.ofMillis(1));
        isRefused(state, binding());
        ManualTimers ahead = new ManualTimers();
        ahead.advance(Duration.ofMinutes(11).plusMillis(1).plusSeconds(60));
        RequestStates fast =
                states(StateKeys.of(List.of(KEY)), Duration.ofHours(1), 32 << 10, ahead);
        isRefused(fast.seal(content(), binding(), true), binding());
    }

    @Test
    void aStateBeyondTheBoundIsNotSealed() {
        RequestStates small =
                states(StateKeys.of(List.of(KEY)), Duration.ofMinutes(1), 1_000, timers);
        int fits = 0;
        for (int size = 1; size < 1_000; size++) {
            StateContent content =
                    new StateContent(
                            0,
                            0,
                            1,
                            "b",
                            List.of(),
                            Map.of(),
                            Map.of("x", RawJson.of(JsonValue.of("y".repeat(size)))),
                            null,
                            null,
                            null,
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
    void reportsAreLeftOutBeforeAStateIsTooLarge() {
        RequestStates small =
                states(StateKeys.of(List.of(KEY)), Duration.ofMinutes(1), 1_000, timers);
        for (int size : new int[] {10, 1_000}) {
            SentReports.Kept reports = new SentReports.Kept(3.0, "A".repeat(size));
            StateContent content =
                    new StateContent(
                            0, 0, 1, "b", List.of(), Map.of(), Map.of(), null, null, null, reports);
            StateContent opened = open(small, small.seal(content, binding(), true), binding());
            assertThat(opened.reports()).isEqualTo(size == 10 ? reports : null);
        }
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
        open(own, old, binding());
        String fresh = own.seal(content(), binding(), true);
        isRefused(fresh, binding()); // by a server that has the first key alone
        Files.writeString(file, "no key\n");
        timers.advance(Duration.ofSeconds(10));
        open(own, fresh, binding()); // as before
        Files.writeString(file, two + "\n");
        timers.advance(Duration.ofSeconds(10));
        open(own, fresh, binding());
        assertThatThrownBy(() -> open(own, old, binding())).isInstanceOf(JsonRpcException.class);
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

    @Test
    void thereAreOnlySoManyKeys() {
        StateKeys.of(Collections.nCopies(100, KEY));
        for (int count : new int[] {0, 101}) {
            assertThatThrownBy(() -> StateKeys.of(Collections.nCopies(count, KEY)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 to 100 keys but are " + count);
        }
    }

    /** In two of three lengths the last character of a state has bits to spare. */
    @ParameterizedTest
    @ValueSource(strings = {"", "x", "xx"})
    @Requirement("N26-MRTR-012")
    void everyFlippedBitAndEverySpareBitIsRefused(String more) {
        StateContent content =
                new StateContent(
                        0, 0, 1, "b" + more, List.of(), Map.of(), Map.of(), null, null, null, null);
        String state = states.seal(content, binding(), true);
        open(states, state, binding());
        byte[] sealed = Base64.getUrlDecoder().decode(state.substring(3));
        for (int bit = 0; bit < sealed.length * 8; bit++) {
            sealed[bit / 8] ^= (byte) (1 << bit % 8);
            isRefused(
                    "v1." + Base64.getUrlEncoder().withoutPadding().encodeToString(sealed),
                    binding());
            sealed[bit / 8] ^= (byte) (1 << bit % 8);
        }
        for (int last = 0; last < 64; last++) {
            String other = state.substring(0, state.length() - 1) + ALPHABET.charAt(last);
            if (!other.equals(state)) {
                isRefused(other, binding());
            }
        }
    }

    @Test
    void whyAStateIsRefusedIsLoggedWithoutIt() {
        String state = states.seal(content(), binding(), true);
        String other = state.substring(0, state.length() - 5) + "AAAAA";
        try (Logged logged = new Logged(RequestStates.class.getName(), Level.FINE)) {
            isRefused(other, binding());
            isRefused("v1.%%", binding());
            timers.advance(Duration.ofMinutes(10));
            isRefused(state, binding());
            assertThat(logged.lines())
                    .hasSize(3)
                    .allMatch(line -> line.startsWith("FINE A request state is refused: "))
                    .noneMatch(line -> line.contains(other.substring(3, 12)))
                    .last()
                    .asString()
                    .endsWith(": expired");
        }
    }

    @Test
    void statesOfAllSizesAreOpenedAgain() {
        RequestStates large =
                states(StateKeys.of(List.of(KEY)), Duration.ofMinutes(1), 64 << 10, timers);
        for (int size = 0; size < 40_000; size += size < 300 ? 1 : 1_999) {
            RawJson value = RawJson.of(JsonValue.of("y".repeat(size)));
            StateContent content =
                    new StateContent(
                            0,
                            0,
                            1,
                            "b",
                            List.of(),
                            Map.of(),
                            Map.of("x", value),
                            null,
                            null,
                            null,
                            null);
            String state = large.seal(content, binding(), true);
            large.seal(content, binding(), true); // which may reuse an array
            assertThat(open(large, state, binding()).once().get("x").toJson())
                    .isEqualTo(value.toJson());
        }
    }

    @Test
    void theLogNamesTheSizesOfAStateThatIsTooLargeAndNoValues() {
        StateContent large =
                new StateContent(
                        0,
                        0,
                        1,
                        "b",
                        List.of(),
                        Map.of(),
                        Map.of("report", RawJson.of(JsonValue.of("y".repeat(40_000)))),
                        JsonValue.of("y".repeat(50)),
                        null,
                        null,
                        null);
        try (Logged logged = new Logged(RequestStates.class.getName(), Level.WARNING)) {
            assertThatThrownBy(() -> states.seal(large, binding(), true))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32603));
            assertThat(logged.lines())
                    .singleElement()
                    .asString()
                    .contains(
                            "report 40002 bytes", "state of the handler 52 bytes", "32768", "task")
                    .doesNotContain("yyy");
        }
    }

    @Test
    void aKeyOfTheProcessIsWarnedOfOnceWhereAnotherProcessMayGetTheState() {
        RequestStates own = states(StateKeys.ofProcess());
        try (Logged logged = new Logged(RequestStates.class.getName(), Level.WARNING)) {
            own.seal(content(), binding(), false);
            assertThat(logged.lines()).isEmpty();
            own.seal(content(), binding(), true);
            own.seal(content(), binding(), true);
            states.seal(content(), binding(), true);
            assertThat(logged.lines()).singleElement().asString().contains("key of this process");
        }
        isRefused(own.seal(content(), binding(), true), binding());
    }

    @Test
    void aFileThatCannotBeUsedIsWarnedOfOnceWithoutItsText(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("keys");
        String one = Base64.getEncoder().encodeToString(KEY);
        Files.writeString(file, one);
        RequestStates own = states(StateKeys.in(file));
        try (Logged logged = new Logged(StateKeys.class.getName(), Level.WARNING)) {
            Files.writeString(file, one + "%%");
            timers.advance(Duration.ofSeconds(10));
            String state = own.seal(content(), binding(), true);
            Files.delete(file);
            timers.advance(Duration.ofSeconds(10));
            open(own, state, binding());
            open(states, state, binding());
            assertThat(logged.lines())
                    .singleElement()
                    .asString()
                    .contains("line 1", file.toString())
                    .doesNotContain(one.substring(0, 8));
        }
    }

    @Test
    void whatIsWrongWithAFileIsNamed(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("keys");
        assertThatThrownBy(() -> StateKeys.in(file)).hasMessageEndingWith("no such file");
        Files.writeString(file, "# none yet\n\n");
        assertThatThrownBy(() -> StateKeys.in(file))
                .hasMessage(file + ": there must be 1 to 100 keys but are 0");
        Files.write(file, new byte[] {'a', '\n', (byte) 0xff});
        assertThatThrownBy(() -> StateKeys.in(file)).hasMessageEndingWith("is not text in UTF-8");
        Files.writeString(file, "#".repeat((64 << 10) + 1));
        assertThatThrownBy(() -> StateKeys.in(file)).hasMessageEndingWith("more than 64 KiB");
        Files.writeString(file, "# short\nYQ==\n");
        assertThatThrownBy(() -> StateKeys.in(file))
                .hasMessage(file + ", line 2: a key has at least 32 bytes in Base64");
    }

    @Test
    void aFileThatIsGoneIsSaidToBeGone(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("keys");
        Files.writeString(file, Base64.getEncoder().encodeToString(KEY));
        RequestStates own = states(StateKeys.in(file));
        Files.delete(file);
        try (Logged logged = new Logged(StateKeys.class.getName(), Level.WARNING)) {
            timers.advance(Duration.ofSeconds(10));
            own.seal(content(), binding(), true);
            assertThat(logged.lines())
                    .singleElement()
                    .asString()
                    .contains(file + " cannot be read: there is no such file");
        }
    }

    /** The origin of a monotonic clock is arbitrary. */
    @Test
    void aFileIsReadAgainWhateverTheClockStartsWith(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("keys");
        Files.writeString(file, Base64.getEncoder().encodeToString(KEY));
        StateKeys keys = StateKeys.in(file);
        Files.writeString(file, Base64.getEncoder().encodeToString(OTHER));
        assertThat(keys.current(() -> -Duration.ofDays(1).toNanos()).get(0).id())
                .isEqualTo(StateKey.of(OTHER).id());
    }

    /**
     * The format must stay readable: other processes and later releases open these. They were made
     * by another implementation of the format.
     */
    @Test
    void theFormatIsThatOfTheTestVectors() throws Exception {
        JsonArray vectors;
        try (var in = RequestStatesTest.class.getResourceAsStream("vectors.json")) {
            vectors =
                    (JsonArray)
                            JsonValue.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        assertThat(vectors).hasSize(3);
        for (JsonValue each : vectors) {
            JsonObject vector = (JsonObject) each;
            byte[] secret = Base64.getDecoder().decode(vector.string("key"));
            StateKey key = StateKey.of(secret);
            assertThat(HexFormat.of().toHexDigits(key.id())).isEqualTo(vector.string("keyId"));
            StateBinding binding = binding(vector);
            HexFormat hex = HexFormat.of();
            assertThat(hex.formatHex(binding.digest())).isEqualTo(vector.string("binding"));
            RawJson content = RawJson.parse(vector.string("content"));
            String state = vector.string("state");
            byte[] salt = hex.parseHex(vector.string("salt"));
            assertThat(RequestStates.seal(content, key, salt, binding)).isEqualTo(state);
            StateContent opened = open(states(StateKeys.of(List.of(secret))), state, binding);
            JsonCodec<StateContent> codec = JsonCodec.of(StateContent.class);
            assertThat(codec.toValue(opened)).isEqualTo(codec.toValue(codec.read(content)));
        }
    }

    private static StateBinding binding(JsonObject vector) {
        Caller caller =
                vector.string("subject").isEmpty()
                        ? Caller.anonymous()
                        : Caller.of(
                                vector.string("issuer"),
                                vector.string("subject"),
                                vector.string("client").isEmpty() ? null : vector.string("client"),
                                Set.of());
        return new StateBinding(
                vector.string("audience"),
                caller,
                vector.string("method"),
                vector.string("target"),
                RawJson.parse(vector.string("arguments")));
    }
}
