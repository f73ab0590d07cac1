package dev.fairlead.opentelemetry;

import dev.fairlead.http.options.HttpMetrics;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.RequestRefusal;
import dev.fairlead.protocol.RequestStateRefusal;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.relay.Watchdog;
import dev.fairlead.protocol.tasks.TaskAugmentedRequest;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongCounter;
import io.opentelemetry.api.metrics.ObservableLongGauge;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;

import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Spans and metrics by the MCP conventions of OpenTelemetry, as an interceptor of servers and
 * clients:
 *
 * <pre>{@code
 * McpTelemetry telemetry = McpTelemetry.of(openTelemetry);
 * McpServer.named("reports", "2.0.0").intercept(telemetry);
 * McpClient.named("desk", "1.0.0").intercept(telemetry).interceptInbound(telemetry);
 * }</pre>
 *
 * <p><b>Spans.</b> Each request is a span of kind client where it is sent and of kind server where
 * it is handled, called {@code tools/call forecast}. The context travels in {@code _meta} ({@code
 * traceparent}, {@code tracestate}, {@code baggage}), in both directions, so that a question to the
 * client stands below the call that asks it. Where a call takes several rounds, the span of the
 * client covers them, and those of the server are its children; {@code fairlead.call.round} counts
 * them, and {@code fairlead.call.outcome} is how each ended. A span that an interceptor before this
 * one made current is linked. The run of a task is a span {@code execute_tool forecast} below the
 * request that created it, also in another process.
 *
 * <p><b>Metrics.</b> The histograms {@code mcp.client.operation.duration}, {@code
 * mcp.server.operation.duration}, {@code mcp.client.session.duration} and {@code
 * mcp.server.session.duration}, in seconds. The counter {@code mcp.server.refusals} counts the
 * requests that a server refused over HTTP, by reason ({@code error.type}) and status; {@code
 * mcp.server.request_states.refused} those whose state of an earlier round was refused. {@link
 * #observeEndpoint} reports the figures of an HTTP endpoint, {@link #observeQuickFeatures} and
 * {@link #observeReplacedReaders} the threads of handlers.
 *
 * <p><b>Not recorded.</b> Arguments, results and messages of errors. The id of a session is
 * recorded by its name for logs, since over HTTP the id itself gives access. Tools and prompts are
 * named in metrics and in names of spans once they have given a result, at most 1,000 of them,
 * since a peer may ask for any name. The URI of a resource is an attribute of spans.
 *
 * <p>Immutable to its users and safe for use by several threads, servers and clients.
 *
 * @spec https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/mcp.md
 *     Semantic conventions for MCP Semantic conventions for MCP
 */
public final class McpTelemetry implements Interceptor {
    private static final String SCOPE = "dev.fairlead.opentelemetry";

    private final Meter meter;
    private final Tracer tracer;
    private final Durations durations;
    private final LongCounter refusals;
    private final LongCounter refusedStates;
    private final TraceContext contexts;
    private final KnownTargets targets = new KnownTargets();

    private McpTelemetry(OpenTelemetry openTelemetry) {
        this.tracer = openTelemetry.getTracer(SCOPE);
        this.meter = openTelemetry.getMeter(SCOPE);
        this.durations = Durations.of(meter);
        this.refusals =
                meter.counterBuilder(Conventions.SERVER_REFUSALS)
                        .setUnit("{request}")
                        .setDescription("Requests that the transport refused, by reason.")
                        .build();
        this.refusedStates =
                meter.counterBuilder(Conventions.REFUSED_STATES)
                        .setUnit("{request}")
                        .setDescription("Requests whose requestState was refused.")
                        .build();
        this.contexts = new TraceContext(openTelemetry.getPropagators().getTextMapPropagator());
    }

    /** Creates an interceptor that reports by the tracers, meters and propagators given. */
    public static McpTelemetry of(OpenTelemetry openTelemetry) {
        return new McpTelemetry(Objects.requireNonNull(openTelemetry, "openTelemetry"));
    }

    /**
     * Reports how many features of a server are quick, so that the thread that reads their requests
     * may run them: the gauge {@code mcp.server.features.quick} with the attribute {@code
     * fairlead.server.name}.
     *
     * <pre>{@code
     * telemetry.observeQuickFeatures("reports", server::quickFeatures);
     * }</pre>
     *
     * @param server the name of the server
     * @param features returns the features that are quick; called for each export
     * @return closing it ends the reports
     */
    public ObservableLongGauge observeQuickFeatures(
            String server, Supplier<? extends Collection<String>> features) {
        Objects.requireNonNull(features, "features");
        Attributes attributes = Attributes.of(Conventions.SERVER_NAME, server);
        return meter.gaugeBuilder(Conventions.QUICK_FEATURES)
                .ofLongs()
                .setUnit("{feature}")
                .setDescription("Features whose latest runs were quick.")
                .buildWithCallback(gauge -> gauge.record(features.get().size(), attributes));
    }

    /**
     * Reports how often a handler took so long that another thread took over the reading, in all
     * servers of this process: the counter {@code mcp.server.readers.replaced}. To be called once
     * for each OpenTelemetry.
     *
     * @return closing it ends the reports
     */
    public ObservableLongCounter observeReplacedReaders() {
        return meter.counterBuilder(Conventions.REPLACED_READERS)
                .setUnit("{thread}")
                .setDescription(
                        "Reading threads that were replaced, since their handler took long.")
                .buildWithCallback(counter -> counter.record(Watchdog.shared().replacements()));
    }

    /**
     * Reports the figures of an HTTP endpoint, with the attribute {@code fairlead.server.name}: the
     * gauges {@code mcp.server.http.sessions}, {@code .streams} and {@code .requests} (under way),
     * and the counters {@code mcp.server.http.requests.taken}, {@code .requests.refused} (for a
     * bound) and {@code .messages.dropped}. The Spring Boot starter has meters of the same names.
     *
     * <pre>{@code
     * HttpServing serving = server.serve(Http.port(3000));
     * telemetry.observeEndpoint("reports", serving::metrics);
     * }</pre>
     *
     * @param server the name of the server
     * @param endpoint returns its figures; called for each export
     * @return closing it ends the reports
     */
    public BatchCallback observeEndpoint(String server, Supplier<HttpMetrics> endpoint) {
        Objects.requireNonNull(endpoint, "endpoint");
        return EndpointFigures.observe(meter, server, endpoint);
    }

    @Override
    public Outcome<?> intercept(MethodCall method, Next next) throws Exception {
        Operation operation = new Operation(method);
        Context context = begin(operation, method);
        long start = System.nanoTime();
        Ending ending = null;
        try (Scope scope = context.makeCurrent()) {
            Outcome<?> outcome = next.proceed(carrying(context, method));
            ending = Ending.of(outcome);
            learn(operation, context);
            return outcome;
        } catch (Throwable thrown) {
            ending = Ending.of(thrown);
            throw thrown;
        } finally {
            double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
            Ending known = Objects.requireNonNull(ending).ofCancelled(method.isCancelled());
            histogram(method)
                    .record(seconds, operation.ofMetric(isKnown(operation), known), context);
            operation
                    .round()
                    .ifPresent(
                            round ->
                                    Span.fromContext(context)
                                            .setAttribute(Conventions.ROUND, round));
            end(context, known);
        }
    }

    /**
     * A request carries the context of its span to the peer; one that may become a task, to the
     * runs of it.
     */
    private MethodCall carrying(Context context, MethodCall method) {
        return !method.isInbound() || mayBecomeTask(method)
                ? contexts.put(context, method)
                : method;
    }

    /**
     * Returns whether a task may be created: up to 2025-11-25 the peer requests it; since then the
     * server decides.
     */
    private static boolean mayBecomeTask(MethodCall method) {
        return method.params() instanceof TaskAugmentedRequest request
                && (request.task() != null
                        || method.revision().filter(Operation::isPerRequest).isPresent());
    }

    private Context begin(Operation operation, MethodCall method) {
        Context parent = method.isInbound() ? contexts.of(method) : Context.current();
        SpanBuilder span =
                tracer.spanBuilder(operation.name(isKnown(operation)))
                        .setSpanKind(method.isInbound() ? SpanKind.SERVER : SpanKind.CLIENT)
                        .setParent(parent)
                        .setAllAttributes(operation.ofSpan());
        SpanContext ambient = Span.current().getSpanContext();
        boolean isParent = ambient.equals(Span.fromContext(parent).getSpanContext());
        if (ambient.isValid() && !isParent) {
            span.addLink(ambient);
        }
        return parent.with(span.startSpan());
    }

    private boolean isKnown(Operation operation) {
        String target = operation.target();
        return target != null && targets.contains(target);
    }

    /** Notes the target, which exists, since there is a result. */
    private void learn(Operation operation, Context context) {
        String target = operation.target();
        if (target != null) {
            targets.add(target);
            Span.fromContext(context).updateName(operation.name(isKnown(operation)));
        }
    }

    private DoubleHistogram histogram(MethodCall method) {
        return method.isInbound() ? durations.serverOperation() : durations.clientOperation();
    }

    private static void end(Context context, Ending ending) {
        Span span = Span.fromContext(context);
        span.setAttribute(Conventions.OUTCOME, ending.outcome());
        Failure failure = ending.failure();
        if (failure != null) {
            span.setAllAttributes(failure.attributes());
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    @Override
    public Outcome<?> interceptRun(MethodCall method, Next next) throws Exception {
        Operation operation = new Operation(method);
        String name =
                operation.isOfTool()
                        ? Conventions.EXECUTE_TOOL + " " + operation.target()
                        : "run " + method.name();
        Context parent = contexts.of(method);
        Context context =
                parent.with(
                        tracer.spanBuilder(name)
                                .setParent(parent)
                                .setAllAttributes(operation.ofSpan())
                                .startSpan());
        Ending ending = null;
        try (Scope scope = context.makeCurrent()) {
            Outcome<?> outcome = next.proceed(method);
            ending = Ending.of(outcome);
            return outcome;
        } catch (Throwable thrown) {
            ending = Ending.of(thrown);
            throw thrown;
        } finally {
            end(context, Objects.requireNonNull(ending));
        }
    }

    @Override
    public void requestRefused(RequestRefusal request) {
        AttributesBuilder about =
                Attributes.builder()
                        .put(Conventions.ERROR, request.reason())
                        .put(Conventions.HTTP_STATUS, (long) request.status());
        Network.put(request.transport(), about);
        refusals.add(1, about.build());
    }

    @Override
    public void requestStateRefused(RequestStateRefusal request) {
        refusedStates.add(
                1,
                Attributes.of(
                        Conventions.METHOD,
                        request.method(),
                        Conventions.ERROR,
                        request.cause().label()));
    }

    @Override
    public void sessionEnded(SessionInfo session, Duration lasted) {
        AttributesBuilder about =
                Attributes.builder().put(Conventions.REVISION, session.revision().date());
        Network.put(session.transport(), about);
        DoubleHistogram histogram =
                session.side() == Side.SERVER
                        ? durations.serverSession()
                        : durations.clientSession();
        histogram.record(lasted.toNanos() / 1e9, about.build());
    }
}
