package dev.fairlead.server.requeststate;

import static dev.fairlead.server.requeststate.RequestStatesTest.ADA;
import static dev.fairlead.server.requeststate.RequestStatesTest.KEY;
import static dev.fairlead.server.requeststate.RequestStatesTest.binding;
import static dev.fairlead.server.requeststate.RequestStatesTest.content;
import static dev.fairlead.server.requeststate.RequestStatesTest.open;
import static dev.fairlead.server.requeststate.RequestStatesTest.refused;
import static dev.fairlead.server.requeststate.RequestStatesTest.states;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Request states in many rounds, forged and shared by threads. */
@Tag("proof")
class RequestStatesProofTest {
    private final ManualTimers timers = new ManualTimers();
    private final RequestStates states =
            states(StateKeys.of(List.of(KEY)), Duration.ofMinutes(10), 32 << 10, timers);

    /** Arrays are reused: the plain text of one state must not become part of another one. */
    @Test
    void whatWasOpenedStaysAsItIsWhileOthersAreSealedAndOpened() throws Exception {
        RequestStates large =
                states(StateKeys.of(List.of(KEY)), Duration.ofMinutes(1), 64 << 10, timers);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < 16; thread++) {
                String letter = Character.toString('a' + thread);
                Random random = new Random(thread);
                done.add(threads.submit(() -> sealAndOpen(large, letter, random)));
            }
            for (Future<?> each : done) {
                each.get();
            }
        }
    }

    private static void sealAndOpen(RequestStates states, String letter, Random random) {
        for (int i = 0; i < 200; i++) {
            String value = letter.repeat(1 + random.nextInt(40_000));
            StateContent content =
                    new StateContent(
                            0,
                            0,
                            1,
                            letter,
                            List.of(),
                            Map.of(),
                            Map.of("x", RawJson.of(JsonValue.of(value))),
                            null,
                            null,
                            null,
                            null);
            StateContent first = open(states, states.seal(content, binding(), true), binding());
            open(states, states.seal(content(), binding(), true), binding());
            assertThat(first.base()).isEqualTo(letter);
            assertThat(first.once().get("x").string()).isEqualTo(value);
        }
    }

    /** States of many sizes: bits flipped, bytes cut and added, two joined, and other requests. */
    @Test
    @Requirement({"N26-MRTR-012", "N26-MRTR-013"})
    void noneOfManyForgedStatesIsAccepted() {
        Random random = new Random(20_260_728);
        Set<String> refusals = new HashSet<>();
        long refused = refused(states);
        List<String> pool = Stream.generate(() -> sealed(random)).limit(500).toList();
        for (int i = 0; i < 100_000; i++) {
            String state = pool.get(random.nextInt(pool.size()));
            boolean forged = random.nextInt(4) != 0;
            try {
                open(
                        states,
                        forged ? forged(state, pool, random) : state,
                        forged ? binding() : otherRequest(random));
                throw new AssertionError("accepted in step " + i);
            } catch (JsonRpcException e) {
                refusals.add(e.error().toString());
            }
        }

        assertThat(refusals).hasSize(1);
        assertThat(refused(states) - refused).isEqualTo(100_000);
    }

    private String sealed(Random random) {
        RawJson text = RawJson.of(JsonValue.of("x".repeat(random.nextInt(2_000))));
        return states.seal(
                new StateContent(
                        0,
                        0,
                        1,
                        "b",
                        List.of(),
                        Map.of(),
                        Map.of("x", text),
                        null,
                        null,
                        null,
                        null),
                binding(),
                true);
    }

    private static String forged(String state, List<String> pool, Random random) {
        byte[] bytes = Base64.getUrlDecoder().decode(state.substring("v1.".length()));
        byte[] forged =
                switch (random.nextInt(4)) {
                    case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
                    case 1 -> Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(20));
                    case 2 -> joined(bytes, other(state, pool, random), random);
                    default -> flipped(bytes, random);
                };
        return "v1." + Base64.getUrlEncoder().withoutPadding().encodeToString(forged);
    }

    private static String other(String state, List<String> pool, Random random) {
        String other = pool.get(random.nextInt(pool.size()));
        return other.equals(state) ? other(state, pool, random) : other;
    }

    private static byte[] flipped(byte[] bytes, Random random) {
        byte[] flipped = bytes.clone();
        flipped[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        return flipped;
    }

    /** The head of one state before the rest of another. */
    private static byte[] joined(byte[] head, String other, Random random) {
        byte[] tail = Base64.getUrlDecoder().decode(other.substring("v1.".length()));
        // all four bytes of the key's id are the same, and so part of either state would do
        int cut = 5 + random.nextInt(Math.min(head.length, tail.length) - 6);
        byte[] joined = tail.clone();
        System.arraycopy(head, 0, joined, 0, cut);
        boolean isGenuine = Arrays.equals(joined, head) || Arrays.equals(joined, tail); // by chance
        return isGenuine ? flipped(joined, random) : joined;
    }

    private static StateBinding otherRequest(Random random) {
        String json = "{\"a\": 1, \"b\": [1.50, {\"c\": 2, \"d\": 3}]}";
        int number = random.nextInt(1_000_000);
        return switch (random.nextInt(3)) {
            case 0 ->
                    binding(
                            Caller.of("https://issuer.example", "u" + number, "client", Set.of()),
                            "tools/call",
                            "pay",
                            json);
            case 1 -> binding(ADA, "tools/call", "pay" + number, json);
            default -> binding(ADA, "tools/call", "pay", "{\"a\": " + (2 + number) + "}");
        };
    }
}
