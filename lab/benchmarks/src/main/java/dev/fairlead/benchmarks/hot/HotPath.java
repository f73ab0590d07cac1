package dev.fairlead.benchmarks.hot;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.server.McpServer;

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

/** What the call of a tool costs on its way, without any wire. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class HotPath {
    private static final String CALL =
            """
            {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"%s"}}}\
            """;
    private static final String RESPONSE =
            """
            {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"%s"}]}}\
            """;
    private static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{},"clientInfo":{"name":"hot","version":"1"}}}\
            """;
    private static final String INITIALIZED =
            """
            {"jsonrpc":"2.0","method":"notifications/initialized"}\
            """;

    private final QueueTransport transport = new QueueTransport();
    private final McpServer server =
            McpServer.named("hot", "1")
                    .tool("echo", "Gives back its text", Echo.class, String.class)
                    .handle((echo, call) -> echo.text())
                    .withoutRateLimit()
                    .build();

    /** How long the text is, in characters. */
    @Param({"120", "102400"})
    private int length;

    private byte[] call = {};
    private JsonRpcResponse response = new JsonRpcResponse(RequestId.of(7), RawJson.EMPTY_OBJECT);
    private JsonValue result = JsonObject.EMPTY;

    /** What the tool takes. */
    record Echo(String text) {}

    /** Opens a session. */
    @Setup
    public void open() throws InterruptedException {
        String text = "x".repeat(length);
        call = CALL.formatted(text).getBytes(StandardCharsets.UTF_8);
        response = (JsonRpcResponse) JsonRpcMessage.parse(RESPONSE.formatted(text));
        result = response.result().value();
        server.serve(transport);
        transport.exchange(INITIALIZE.getBytes(StandardCharsets.UTF_8));
        transport.enqueue(INITIALIZED.getBytes(StandardCharsets.UTF_8));
    }

    /** Ends it. */
    @TearDown
    public void close() {
        server.close();
    }

    /** A call is read, and its parameters as values. */
    @Benchmark
    public Object decode() {
        JsonRpcRequest request = (JsonRpcRequest) JsonRpcMessage.parse(call);
        RawJson params = request.params();
        return params == null ? JsonObject.EMPTY : params.value();
    }

    /** A response is written, its result as well. */
    @Benchmark
    public byte[] encode() {
        return new JsonRpcResponse(response.id(), RawJson.of(result)).toBytes();
    }

    /** A call goes through the whole server and back, from bytes to bytes, with its hand-offs. */
    @Benchmark
    public byte[] call() throws InterruptedException {
        return transport.exchange(call);
    }
}
