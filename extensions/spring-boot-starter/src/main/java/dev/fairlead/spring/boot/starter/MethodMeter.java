package dev.fairlead.spring.boot.starter;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.tools.CallToolResult;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import java.util.Set;

/**
 * Measures how long requests take, by method, tool, outcome and kind of error. Tools are named as
 * {@link ToolTag} allows; codes of errors beyond those of the protocol are not tags, since peers
 * choose them and each value costs memory.
 */
final class MethodMeter implements Interceptor {
    private static final Set<Integer> KNOWN =
            Set.of(
                    -32700, -32600, -32601, -32602, -32603, -32000, -32002, -32020, -32021, -32022,
                    -32042, -1);

    private static final String CANCELLED = "cancelled";

    private final MeterRegistry registry;
    private final String name;
    private final boolean inbound;
    private final Tags tags;
    private final ToolTag tools = new ToolTag();

    private MethodMeter(MeterRegistry registry, String name, boolean inbound, Tags tags) {
        this.registry = registry;
        this.name = name;
        this.inbound = inbound;
        this.tags = tags;
    }

    static MethodMeter ofServer(MeterRegistry registry) {
        return new MethodMeter(registry, "mcp.server.operation.duration", true, Tags.empty());
    }

    static MethodMeter ofClient(MeterRegistry registry, String server) {
        return new MethodMeter(
                registry, "mcp.client.operation.duration", false, Tags.of("mcp.server", server));
    }

    @Override
    public Outcome<?> intercept(MethodCall method, Next next) throws Exception {
        if (method.isInbound() != inbound) {
            return next.proceed(method);
        }
        Timer.Sample sample = Timer.start(registry);
        String error = "none";
        String ending = "error";
        boolean gaveResult = false;
        try {
            Outcome<?> outcome = next.proceed(method);
            gaveResult = true;
            error = error(outcome);
            ending = ending(outcome, error);
            return outcome;
        } catch (InterruptedException e) {
            error = e.getClass().getSimpleName();
            ending = CANCELLED;
            throw e;
        } catch (JsonRpcException e) {
            error = KNOWN.contains(e.code()) ? Integer.toString(e.code()) : "other";
            throw e;
        } catch (Throwable e) {
            error = e.getClass().getSimpleName();
            throw e;
        } finally {
            if (method.isCancelled() && ending.equals("error")) {
                ending = CANCELLED;
            }
            String tool = tools.value(method, gaveResult);
            sample.stop(timer(method.name(), tool, error, ending));
        }
    }

    private Timer timer(String method, String tool, String error, String ending) {
        return registry.timer(
                name,
                tags.and(
                        "mcp.method.name",
                        method,
                        ToolTag.KEY,
                        tool,
                        "error.type",
                        error,
                        "fairlead.call.outcome",
                        ending));
    }

    private static String ending(Outcome<?> outcome, String error) {
        return switch (outcome) {
            case Outcome.TaskCreated<?> created -> "task";
            case Outcome.InputRequired<?> required -> "input_required";
            case Outcome.Complete<?> complete -> error.equals("none") ? "complete" : "error";
        };
    }

    private static String error(Outcome<?> outcome) {
        return outcome instanceof Outcome.Complete<?>(CallToolResult result) && result.isError()
                ? "tool_error"
                : "none";
    }
}
