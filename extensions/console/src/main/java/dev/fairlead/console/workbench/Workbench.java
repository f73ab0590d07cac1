package dev.fairlead.console.workbench;

import dev.fairlead.console.access.Gate;
import dev.fairlead.console.access.Person;
import dev.fairlead.console.pages.Answers;
import dev.fairlead.console.pages.EventWriter;
import dev.fairlead.console.spi.ConsoleTarget;
import dev.fairlead.http.client.Proxies;
import dev.fairlead.http.console.HttpOperator;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.ServerOperator;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/** Trying a server: each open page has a client of its own, as long as its stream lasts. */
public final class Workbench implements AutoCloseable {
    /** The most pages that try at a time. */
    static final int MAX_PAGES = 16;

    /**
     * How often a quiet stream shows the page that it is alive, and that the page is still there.
     */
    private static final Duration BEAT = Duration.ofSeconds(5);

    /** How long a client is kept that no person uses. */
    private static final Duration IDLE = Duration.ofMinutes(10);

    private final Targets targets;
    private final boolean isProtected; // by an authorization
    private final @Nullable ServerOperator operator; // of a server in this process
    private final @Nullable Handlers handlers; // of the same
    private final Map<String, Bench> benches = new LinkedHashMap<>(); // guarded by this
    private ServerOperator.@Nullable Observation observation; // while pages try; guarded by this
    private boolean closed; // guarded by this

    /** The server of a person who has sent a request to the console; empty if it is unknown. */
    @FunctionalInterface
    private interface Targets {
        Optional<ConsoleTarget> of(HttpExchange exchange, Person person);
    }

    private Workbench(Targets targets, @Nullable ServerOperator operator, boolean isProtected) {
        this.targets = targets;
        this.isProtected = isProtected;
        this.operator = operator;
        this.handlers = operator == null ? null : new Handlers();
    }

    /** Returns a workbench for one server, the same for all people. */
    public static Workbench of(ConsoleTarget target) {
        return new Workbench((exchange, person) -> Optional.of(target), null, false);
    }

    /**
     * Returns a workbench for the endpoint beside the console, which each person reaches with a
     * token of their own.
     */
    public static Workbench of(HttpOperator endpoint) {
        return new Workbench(
                (exchange, person) ->
                        endpoint.uri(exchange)
                                .map(url -> UrlTarget.local(url, person.accessToken())),
                endpoint.server().orElse(null),
                endpoint.authorization().isPresent());
    }

    /** Returns a server at a URL. */
    public static ConsoleTarget target(URI url) {
        return new UrlTarget(url, null, Proxies.system());
    }

    /** Describes the server for the page of a person; empty if it cannot be reached. */
    public Optional<JsonObject> about(HttpExchange exchange, Person person) {
        boolean needsToken = isProtected && person.accessToken() == null;
        return targets.of(exchange, person).map(target -> about(target).with("token", needsToken));
    }

    private static JsonObject about(ConsoleTarget target) {
        URI url = target.url();
        return JsonObject.of(
                "label",
                Printable.line(target.label()),
                "words",
                target.words(),
                "url",
                url == null ? "" : url.toString());
    }

    /** Answers with the stream of a page, whose first event contains its secret name. */
    public void stream(HttpExchange exchange, Person person, BooleanSupplier mayStay) {
        String page = Gate.newSecret();
        Optional<ConsoleTarget> target = targets.of(exchange, person);
        if (target.isEmpty()) {
            Answers.nothing(exchange);
            return;
        }
        Bench bench = new Bench(target.get(), person, handlers);
        String refusal = add(page, bench);
        if (!refusal.isEmpty()) {
            Answers.refused(exchange, 503, refusal);
            return;
        }
        bench.outbox().add(JsonObject.of("type", "page", "page", page));
        Runnable unfollow = target.get().onRestart(bench::restarted);
        ResponseStream response = Answers.events(exchange);
        Thread.ofVirtual()
                .name("mcp-console-bench")
                .start(
                        () -> {
                            try {
                                write(bench, response, mayStay);
                            } finally {
                                unfollow.run();
                                remove(page);
                                bench.close();
                            }
                        });
        bench.connect();
    }

    /** Adds a page; returns the reason why it could not, else empty. */
    private synchronized String add(String page, Bench bench) {
        if (closed) {
            return "The console is being closed";
        }
        if (benches.size() >= MAX_PAGES) {
            return MAX_PAGES + " pages try the server; close one of them";
        }
        benches.put(page, bench);
        if (observation == null && operator != null && handlers != null) {
            observation = operator.observe(handlers);
        }
        return "";
    }

    private static void write(Bench bench, ResponseStream response, BooleanSupplier mayStay) {
        try {
            while (!bench.outbox().isClosed() && mayStay.getAsBoolean()) {
                String event = bench.outbox().take(BEAT.toNanos());
                EventWriter.write(response, event.isEmpty() ? "{\"type\":\"beat\"}" : event);
                bench.closeIfIdle(IDLE.toNanos());
            }
            response.end();
        } catch (ExecutionException e) { // the page has left
            response.abort();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            response.abort();
        }
    }

    private synchronized void remove(String page) {
        benches.remove(page);
        stopObserving();
    }

    /** Observes no calls where no page tries, since that costs each of them. */
    private synchronized void stopObserving() {
        if (benches.isEmpty() && observation != null) {
            observation.close();
            observation = null;
        }
    }

    /** Does an act that a page asks for. */
    public void act(HttpExchange exchange, Person person, JsonObject body) {
        Bench bench;
        synchronized (this) {
            bench = benches.get(Questions.text(body, "page"));
        }
        if (bench == null || !bench.person().equals(person)) {
            Answers.refused(exchange, 404, "This page is not connected any more; load it again");
            return;
        }
        switch (Questions.text(body, "act")) {
            case "call" -> call(exchange, person, bench, body);
            case "cancel" -> {
                boolean done = bench.cancel(Questions.text(body, "call"));
                Answers.json(exchange, 200, JsonObject.of("done", done));
            }
            case "disconnect" ->
                    Answers.json(exchange, 200, JsonObject.of("done", bench.cancelConnecting()));
            case "connect" -> {
                bench.connect();
                done(exchange, "");
            }
            case "answer" -> Answers.json(exchange, 200, bench.answer(body));
            case "token" -> {
                bench.use(Questions.text(body, "token").strip());
                done(exchange, "");
            }
            case "watch" -> done(exchange, bench.watch(Questions.text(body, "uri"), true));
            case "unwatch" -> done(exchange, bench.watch(Questions.text(body, "uri"), false));
            default -> Answers.refused(exchange, 400, "There is no such act");
        }
    }

    private static void call(HttpExchange exchange, Person person, Bench bench, JsonObject body) {
        String refusal = bench.start(body);
        if (refusal.isEmpty() && Questions.text(body, "method").equals("tools/call")) {
            String tool =
                    body.get("params") instanceof JsonObject params
                            ? Questions.text(params, "name")
                            : "";
            Gate.audit(exchange, person.name() + ": calls the tool " + Printable.excerpt(tool));
        }
        done(exchange, refusal);
    }

    private static void done(HttpExchange exchange, String refusal) {
        if (refusal.isEmpty()) {
            Answers.json(exchange, 200, JsonObject.of("done", true));
        } else {
            Answers.refused(exchange, 409, refusal);
        }
    }

    @Override
    public void close() {
        Map<String, Bench> open;
        synchronized (this) {
            closed = true;
            open = Map.copyOf(benches);
            benches.clear();
        }
        open.values().forEach(Bench::close);
        stopObserving();
    }
}
