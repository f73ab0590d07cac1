package dev.fairlead.console.watch;

import dev.fairlead.console.access.Gate;
import dev.fairlead.console.access.Person;
import dev.fairlead.console.pages.Answers;
import dev.fairlead.http.console.HttpOperator;
import dev.fairlead.http.options.HttpMetrics;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.ServerOperator.CallStatus;
import dev.fairlead.protocol.base.Implementation;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** Watching one endpoint: its views, the streams of pages that show them, and acts of people. */
public final class Watch implements AutoCloseable {
    /** The most pages that watch at a time. */
    static final int MAX_STREAMS = 16;

    private final HttpOperator endpoint;
    private final LogView log = new LogView();
    private final ServerOperator.@Nullable Observation observation;
    private final TasksView tasks;
    private final Map<String, View> views;
    private final Set<WatchStream> streams = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public Watch(HttpOperator endpoint) {
        this.endpoint = endpoint;
        Figures figures = new Figures();
        Refusals refusals = new Refusals();
        CallObserver observer = new CallObserver(this::running, figures, refusals);
        this.observation =
                endpoint.server().map(server -> server.observeCalls(observer)).orElse(null);
        this.tasks = new TasksView(endpoint);
        this.views =
                Map.of(
                        "sessions",
                        new SessionsView(endpoint),
                        "streams",
                        new StreamsView(endpoint),
                        "calls",
                        new CallsView(observer),
                        "tasks",
                        tasks,
                        "figures",
                        figures,
                        "refusals",
                        refusals,
                        "log",
                        log,
                        "features",
                        new FeaturesView(endpoint),
                        "limits",
                        new LimitsView(endpoint));
    }

    private List<CallStatus> running() {
        return endpoint.server().map(ServerOperator::calls).orElse(List.of());
    }

    /** Describes the server for the head of the page. */
    public JsonObject about() {
        Implementation server =
                endpoint.server()
                        .map(ServerOperator::implementation)
                        .orElseGet(() -> new Implementation("server", ""));
        return JsonObject.of(
                "name",
                Texts.shortened(server.displayName()),
                "version",
                Texts.shortened(server.version()),
                "path",
                endpoint.path());
    }

    /** Answers with a stream of the view that a page shows. */
    public void stream(HttpExchange exchange, BooleanSupplier mayWatch) {
        Query query = Query.of(exchange);
        View view = views.get(query.view());
        if (view == null) {
            Answers.refused(exchange, 404, "There is no such view");
        } else if (closed) {
            Answers.refused(exchange, 503, "The server is being closed");
        } else {
            WatchStream stream = new WatchStream(this::head, () -> view.snapshot(query), mayWatch);
            if (!add(stream)) {
                Answers.refused(
                        exchange, 503, MAX_STREAMS + " pages are watching; close one of them");
                return;
            }
            stream.start(Answers.events(exchange), () -> streams.remove(stream));
            if (closed) {
                stream.close();
            }
        }
    }

    private synchronized boolean add(WatchStream stream) {
        return streams.size() < MAX_STREAMS && streams.add(stream);
    }

    private JsonObject head() {
        HttpMetrics now = endpoint.metrics();
        return JsonObject.of(
                "draining",
                now.draining(),
                "sessions",
                now.sessions(),
                "streams",
                now.streams(),
                "requests",
                now.requests());
    }

    /** Does an act that a page asks for. */
    public void act(HttpExchange exchange, Person person, JsonObject body) {
        String act = text(body, "act");
        String of = text(body, "of");
        boolean done =
                switch (act) {
                    case "end-session" -> endpoint.endSession(of);
                    case "cancel-task" -> tasks.cancel(of);
                    default -> false;
                };
        Gate.audit(
                exchange,
                person.name()
                        + ": "
                        + Texts.shortened(act)
                        + " "
                        + Texts.shortened(of)
                        + (done ? "" : " (nothing done)"));
        Answers.json(exchange, 200, JsonObject.of("done", done));
    }

    private static String text(JsonObject body, String name) {
        return body.get(name) instanceof JsonString text ? text.value() : "";
    }

    @Override
    public void close() {
        closed = true;
        if (observation != null) {
            observation.close();
        }
        tasks.close();
        log.close();
        streams.forEach(WatchStream::close);
    }
}
