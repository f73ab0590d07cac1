package dev.fairlead.benchmarks.hot;

import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.requeststate.RequestStates;
import dev.fairlead.server.requeststate.StateBinding;
import dev.fairlead.server.requeststate.StateContent;
import dev.fairlead.server.requeststate.StateKeys;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What a request state costs that is sealed and opened again. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class SealedState {
    private final Timers timers = Timers.system("sealed-state");
    private final RequestStates states =
            new RequestStates(
                    StateKeys.of(List.of(new byte[32])), Duration.ofMinutes(10), 32 << 10, timers);
    private final StateBinding binding =
            new StateBinding(
                    "hot",
                    Caller.of("https://issuer.example", "ada", "client", Set.of()),
                    "tools/call",
                    "order",
                    RawJson.parse("{\"tea\":\"green\",\"cups\":2}"));

    /** How large the recorded value is, in bytes. */
    @Param({"1024", "16384"})
    private int length;

    private StateContent content = content("");

    private static StateContent content(String value) {
        return new StateContent(
                0,
                0,
                1,
                "base",
                Map.of(),
                Map.of("name", "digest"),
                Map.of("value", JsonValue.of(value)),
                null,
                null);
    }

    /** Makes a value of the length. */
    @Setup
    public void fill() {
        content = content("x".repeat(length));
    }

    /** Ends the timers. */
    @TearDown
    public void close() {
        timers.close();
    }

    /** A state is sealed and opened. */
    @Benchmark
    public StateContent sealAndOpen() {
        return states.open(states.seal(content, binding, true), binding);
    }
}
