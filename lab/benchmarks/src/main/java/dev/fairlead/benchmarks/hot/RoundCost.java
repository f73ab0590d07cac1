package dev.fairlead.benchmarks.hot;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Question;

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

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** What a call of revision 2026-07-28 costs that asks its client once, beside a plain one. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class RoundCost {
    private static final String CALL =
            """
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"%s","arguments":{}%s,\
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}}}\
            """;
    private static final String RETRY =
            """
            ,"inputResponses":{"name":{"action":"accept","content":{"name":"Ada"}}},\
            "requestState":"%s"\
            """;

    private final QueueTransport transport = new QueueTransport();

    /** The characters of the value that the handler recorded, which travels in the state. */
    @Param({"0", "1024", "16384"})
    private int recorded;

    private McpServer server = McpServer.named("rounds", "1").build();
    private byte[] plain = {};
    private byte[] first = {};
    private byte[] retry = {};

    /** The arguments of both tools. */
    record Nothing() {}

    /** What the client answers. */
    record Name(String name) {}

    /** Starts the server and asks for one state. */
    @Setup
    public void open() throws InterruptedException {
        String value = "x".repeat(recorded);
        server =
                McpServer.named("rounds", "1")
                        .tool("plain", "Returns a name", Nothing.class, String.class)
                        .handle((nothing, call) -> "Ada")
                        .tool("asks", "Asks for a name", Nothing.class, String.class)
                        .handle(
                                (nothing, call) -> {
                                    call.once("value", String.class, () -> value);
                                    return call.ask(Question.elicit("Name?", Name.class).as("name"))
                                            .orElseThrow()
                                            .name();
                                })
                        .withoutRateLimit()
                        .build();
        server.serve(transport);
        plain = call("plain", "");
        first = call("asks", "");
        JsonObject asked = result(transport.exchange(first));
        retry = call("asks", RETRY.formatted(asked.string("requestState")));
        if (!"complete".equals(result(transport.exchange(retry)).string("resultType"))) {
            throw new IllegalStateException("the retry was not answered with a result");
        }
    }

    private static byte[] call(String tool, String members) {
        return CALL.formatted(tool, members).getBytes(StandardCharsets.UTF_8);
    }

    private static JsonObject result(byte[] response) {
        return (JsonObject) ((JsonRpcResponse) JsonRpcMessage.parse(response)).result().value();
    }

    /** Ends it. */
    @TearDown
    public void close() {
        server.close();
    }

    /** A call that asks nothing. */
    @Benchmark
    public byte[] plain() throws InterruptedException {
        return transport.exchange(plain);
    }

    /** The first request of a call: its state is sealed. */
    @Benchmark
    public byte[] ask() throws InterruptedException {
        return transport.exchange(first);
    }

    /** The second request of a call: its state is opened. */
    @Benchmark
    public byte[] answer() throws InterruptedException {
        return transport.exchange(retry);
    }
}
