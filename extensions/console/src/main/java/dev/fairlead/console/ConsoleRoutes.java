package dev.fairlead.console;

import dev.fairlead.console.access.Gate;
import dev.fairlead.console.access.Person;
import dev.fairlead.console.pages.Answers;
import dev.fairlead.console.pages.Assets;
import dev.fairlead.console.pages.RequestBodies;
import dev.fairlead.console.watch.Watch;
import dev.fairlead.console.workbench.Workbench;
import dev.fairlead.http.console.HttpConsole;
import dev.fairlead.http.console.HttpOperator;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.Route;
import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The routes of a console at one place. */
final class ConsoleRoutes implements HttpConsole.Mounted {
    /** The paths of requests that pages send, below that of the console. */
    static final List<String> NAMES =
            List.of("me", "login", "logout", "events", "act", "workbench", "workbench/events");

    /** The most bytes of a request with arguments of a tool. */
    private static final int MAX_ARGUMENTS = 1 << 20;

    private final String path;
    private final Gate gate;
    private final @Nullable Watch watch;
    private final @Nullable Workbench workbench;

    ConsoleRoutes(
            String path,
            Gate gate,
            @Nullable HttpOperator endpoint,
            @Nullable Workbench workbench) {
        this.path = path;
        this.gate = gate;
        this.workbench = workbench;
        this.watch = endpoint == null ? null : new Watch(endpoint);
    }

    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.add(route("", exchange -> asset(exchange, Assets.PAGE)));
        routes.add(
                unlessHidden(
                        path.substring(0, path.length() - 1),
                        exchange -> Answers.redirect(exchange, path)));
        Assets.names().forEach(name -> routes.add(route(name, exchange -> asset(exchange, name))));
        routes.add(route("me", this::me));
        routes.add(route("login", this::login));
        routes.add(route("logout", this::logout));
        routes.add(route("events", this::events));
        routes.add(route("act", this::act));
        routes.add(route("workbench", this::attempt));
        routes.add(route("workbench/events", this::attempts));
        return routes;
    }

    private Route route(String name, Route.Handler handler) {
        return unlessHidden(path + name, handler);
    }

    private Route unlessHidden(String at, Route.Handler handler) {
        return new Route(
                at,
                exchange -> {
                    if (gate.isHidden(exchange)) {
                        Answers.nothing(exchange);
                    } else {
                        handler.handle(exchange);
                    }
                });
    }

    private static void asset(HttpExchange exchange, String name) {
        if (Answers.allows(exchange, "GET", "HEAD")) {
            Assets.answer(exchange, name);
        }
    }

    /** Describes the person and the server, or asks for a login. */
    private void me(HttpExchange exchange) {
        if (!Answers.allows(exchange, "GET")) {
            return;
        }
        Optional<Person> person = gate.pageOf(exchange);
        if (person.isEmpty()) {
            Answers.unknownPerson(exchange, gate.login());
            return;
        }
        Person known = person.get();
        JsonObject about =
                JsonObject.of(
                        "person",
                        known.name(),
                        "operates",
                        known.operates(),
                        "login",
                        gate.login());
        if (watch != null) {
            about = about.with("watch", watch.about());
        }
        if (workbench != null && known.operates()) {
            Optional<JsonObject> tried = workbench.about(exchange, known);
            if (tried.isPresent()) {
                about = about.with("try", tried.get());
            }
        }
        Answers.json(exchange, 200, about);
    }

    private void login(HttpExchange exchange) {
        if (!Answers.allows(exchange, "POST") || !Answers.isOwnPage(exchange)) {
            return;
        }
        Optional<JsonObject> body = RequestBodies.read(exchange);
        if (body.isEmpty()) {
            Answers.refused(exchange, 400, "The body is not a JSON object");
            return;
        }
        gate.logIn(exchange, body.get());
    }

    private void logout(HttpExchange exchange) {
        if (Answers.allows(exchange, "POST") && Answers.isOwnPage(exchange)) {
            gate.logOut(exchange);
        }
    }

    private void events(HttpExchange exchange) {
        if (!Answers.allows(exchange, "GET")) {
            return;
        }
        Optional<Person> person = gate.person(exchange);
        if (person.isEmpty()) {
            Answers.unknownPerson(exchange, gate.login());
        } else if (watch == null) {
            Answers.nothing(exchange);
        } else {
            watch.stream(exchange, () -> gate.person(exchange).isPresent());
        }
    }

    /** Ends or cancels a thing, for people who operate. */
    private void act(HttpExchange exchange) {
        if (!Answers.allows(exchange, "POST") || !Answers.isOwnPage(exchange)) {
            return;
        }
        Optional<Person> person = gate.pageOf(exchange);
        if (!isOperator(exchange, person)) {
            return;
        }
        if (watch == null) {
            Answers.nothing(exchange);
        } else {
            RequestBodies.read(exchange)
                    .ifPresentOrElse(
                            body -> watch.act(exchange, person.get(), body),
                            () -> Answers.refused(exchange, 400, "The body is not a JSON object"));
        }
    }

    /** Opens the stream of a page that tries the server. */
    private void attempts(HttpExchange exchange) {
        if (!Answers.allows(exchange, "GET")) {
            return;
        }
        Optional<Person> person = gate.person(exchange);
        if (isOperator(exchange, person)) {
            if (workbench == null) {
                Answers.nothing(exchange);
            } else {
                workbench.stream(exchange, person.get(), () -> gate.person(exchange).isPresent());
            }
        }
    }

    /** Sends a request to the server, or answers a question of it. */
    private void attempt(HttpExchange exchange) {
        if (!Answers.allows(exchange, "POST") || !Answers.isOwnPage(exchange)) {
            return;
        }
        Optional<Person> person = gate.pageOf(exchange);
        if (isOperator(exchange, person)) {
            if (workbench == null) {
                Answers.nothing(exchange);
                return;
            }
            RequestBodies.read(exchange, MAX_ARGUMENTS)
                    .ifPresentOrElse(
                            body -> workbench.act(exchange, person.get(), body),
                            () ->
                                    Answers.refused(
                                            exchange,
                                            400,
                                            "The request is not a JSON object of at most 1 MiB"));
        }
    }

    /** Returns whether a person may act; otherwise the request is answered. */
    private boolean isOperator(HttpExchange exchange, Optional<Person> person) {
        if (person.isEmpty()) {
            Answers.unknownPerson(exchange, gate.login());
        } else if (!person.get().operates()) {
            Answers.refused(exchange, 403, "This needs the scope operate");
        }
        return person.filter(Person::operates).isPresent();
    }

    @Override
    public void close() {
        if (workbench != null) {
            workbench.close();
        }
        if (watch != null) {
            watch.close();
        }
    }
}
