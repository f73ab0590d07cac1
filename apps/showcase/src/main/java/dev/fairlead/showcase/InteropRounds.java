package dev.fairlead.showcase;

import dev.fairlead.json.Doc;
import dev.fairlead.json.Range;
import dev.fairlead.json.TypeRef;
import dev.fairlead.server.Features;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Question;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The tools by which outside peers observe rounds; they count the runs and effects in this process.
 */
final class InteropRounds {
    private static final int MOST = 10_000;

    private final Map<String, Integer> bodies = bounded();
    private final Map<String, Integer> effects = bounded();

    private InteropRounds() {}

    record A(String a) {}

    record B(String b) {}

    record Ok(boolean ok) {}

    record Size(@Doc("How long a text to keep") @Range(min = 0, max = 1_000_000) int bytes) {}

    record Count(@Doc("Up to which number") @Range(min = 0, max = 100_000) int n) {}

    /**
     * The rounds of one call.
     *
     * @param bodies how often its body began in this process since the token was known
     * @param effects how many effects there were in this process for its key
     */
    record Seen(String token, int bodies, int effects, String key, String a, String b) {}

    static void declare(Features<?> features) {
        InteropRounds counting = new InteropRounds();
        features.tool("interop_rounds", "Asks twice, and counts", NoInput.class, Seen.class)
                .handle((none, call) -> counting.rounds(call));
        features.tool("interop_held", "Asks twice in one body", NoInput.class, Seen.class)
                .holdsWhileAsking()
                .handle((none, call) -> counting.rounds(call));
        features.tool("interop_ask_now", "Asks what the time is", NoInput.class, String.class)
                .handle((none, call) -> "Answer: " + call.elicit("Is it " + now() + "?", Ok.class));
        features.tool("interop_swallow", "Catches what it must not", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            try {
                                return "Answer: " + call.elicit("Is it?", Ok.class);
                            } catch (Error e) { // the mistake that this tool shows
                                return "swallowed";
                            }
                        });
        features.tool("interop_big_once", "Keeps a long text, then asks", Size.class, String.class)
                .handle(
                        (size, call) -> {
                            String text =
                                    call.once("text", String.class, () -> "x".repeat(size.bytes()));
                            boolean ok =
                                    call.ask(Question.elicit("Go on?", Ok.class).as("confirm"))
                                            .orElseThrow()
                                            .ok();
                            return text.length() + " " + ok;
                        });
        features.tool(
                        "interop_list",
                        "The numbers from 1 on",
                        TypeRef.of(Count.class),
                        new TypeRef<List<Integer>>() {})
                .readOnly()
                .handle((count, call) -> IntStream.rangeClosed(1, count.n()).boxed().toList());
    }

    private static String now() {
        return Instant.now() + " " + UUID.randomUUID();
    }

    private Seen rounds(Call call) throws InterruptedException {
        String token = call.once("token", String.class, () -> UUID.randomUUID().toString());
        count(bodies, token);
        String a = call.ask(Question.elicit("First?", A.class).as("first")).orElseThrow().a();
        String key =
                call.once(
                        "effect",
                        String.class,
                        () -> {
                            count(effects, call.idempotencyKey());
                            return call.idempotencyKey();
                        });
        String b = call.ask(Question.elicit("Second?", B.class).as("second")).orElseThrow().b();
        return new Seen(token, counted(bodies, token), counted(effects, key), key, a, b);
    }

    private static void count(Map<String, Integer> counts, String key) {
        synchronized (counts) {
            counts.merge(key, 1, Integer::sum);
        }
    }

    private static int counted(Map<String, Integer> counts, String key) {
        synchronized (counts) {
            return counts.getOrDefault(key, 0);
        }
    }

    private static Map<String, Integer> bounded() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
                return size() > MOST;
            }
        };
    }
}
