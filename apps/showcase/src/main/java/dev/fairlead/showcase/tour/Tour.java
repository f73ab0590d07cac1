package dev.fairlead.showcase.tour;

import static dev.fairlead.protocol.prompts.PromptMessage.user;

import dev.fairlead.json.Doc;
import dev.fairlead.json.Matches;
import dev.fairlead.json.Size;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.server.Features;
import dev.fairlead.server.McpServer;
import dev.fairlead.tasks.Tasks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The server of the tour: tools, resources and a prompt about night trains across Europe. */
public final class Tour {
    /** The scope that {@code close_train} needs. No caller has it without an authorization. */
    public static final String SCOPE = "timetable:write";

    private static final String INSTRUCTIONS =
            "Plan journeys by night train: begin with find_trains. All trains are invented.";

    private static final String GUIDE =
            """
            # A tour of Fairlead, by night train

            All trains are invented; nothing here costs money.

            | Try | to see |
            | --- | --- |
            | `find_trains`, `quote_fare` | typed arguments, nested ones too, and structured results |
            | `book_berth` | a form that the server shows to a person |
            | `tour://bookings` | a resource that you can watch while others book |
            | `ride_along` | progress; cancel it, and `tour://rides` counts that it ended |
            | `plan_trip` | a task that asks a question; it outlives its connection |
            | `show_route` | a page of MCP Apps, in hosts that show them |
            | `close_train` | a refusal: it needs the scope timetable:write |
            | `tour://stations/{name}` | a template with completion |
            | `pack_for_a_night_train` | a prompt whose arguments are completed |
            """;

    private static final List<String> SEASONS = List.of("spring", "summer", "autumn", "winter");

    private final Timetable timetable = new Timetable();
    private final Bookings bookings = new Bookings();
    // A tool needs the server, which is there once the tools are declared.
    private final CompletableFuture<McpServer> running = new CompletableFuture<>();

    record StationName(@Doc("Such as Vienna") Station name) {}

    record StationBoard(Station station, double latitude, double longitude, List<Leg> departures) {}

    record Luggage(
            @Doc("The station to travel to") String destination,
            @Doc("spring, summer, autumn or winter") @Size(max = 20) String season) {}

    record Closing(
            @Doc("Number of the train, as find_trains gives it") @Matches("NT[0-9]{1,2}")
                    String train) {}

    /**
     * The server that has the tour alone.
     *
     * @param options sets the other options
     */
    public static McpServer server(
            String version, Tasks tasks, UnaryOperator<McpServer.Builder> options) {
        Tour tour = new Tour();
        McpServer server =
                options.apply(
                                McpServer.named(
                                                new Implementation("fairlead-tour", version)
                                                        .withTitle(
                                                                "Night trains, a tour of Fairlead"))
                                        .instructions(INSTRUCTIONS)
                                        .features(tour::declare)
                                        .tasks(tasks.listForAnonymous()))
                        .build();
        tour.runsIn(server);
        return server;
    }

    /** Sets the server in which the features are, before it is served. */
    public void runsIn(McpServer server) {
        running.complete(server);
    }

    /** Declares all features. */
    public void declare(Features<?> features) {
        Consumer<String> updated = uri -> running.join().resourceUpdated(uri);
        new Tickets(timetable, bookings, updated).declare(features);
        new Journeys(timetable, updated).declare(features);
        new RoutePage(timetable).declare(features);
        resources(features);
        prompt(features);
        features.tool(
                        "close_train",
                        "Takes a train out of the timetable, until the server ends. Only callers"
                                + " with the scope "
                                + SCOPE
                                + " may do so, others are refused.",
                        Closing.class,
                        String.class)
                .title("Close a train")
                .destructive()
                .idempotent()
                .closedWorld()
                .requireScopes(SCOPE)
                .handle((closing, call) -> close(closing));
    }

    private String close(Closing closing) {
        Train train = timetable.train(closing.train(), "close");
        timetable.close(train);
        return train.name() + " does not run any more.";
    }

    private void resources(Features<?> features) {
        features.resource("tour://guide", "guide", String.class)
                .title("What to try here")
                .description("One line for each feature of this server")
                .mimeType("text/markdown")
                .handle((request, call) -> GUIDE);
        features.resource(Bookings.URI, "bookings", new TypeRef<List<Bookings.Booking>>() {})
                .title("All bookings")
                .description("The latest bookings of all callers; subscribe to see new ones")
                .handle((request, call) -> bookings.all());
        features.resourceTemplate(
                        "tour://stations/{name}", "station", StationName.class, StationBoard.class)
                .title("A station")
                .description("Where a station is, and the night trains that leave there")
                .complete("name", (typed, call) -> Station.startingWith(typed.value()))
                .handle((asked, call) -> board(asked.name()));
    }

    private StationBoard board(Station station) {
        return new StationBoard(
                station, station.latitude(), station.longitude(), timetable.from(station));
    }

    private void prompt(Features<?> features) {
        features.prompt(
                        "pack_for_a_night_train",
                        "Asks for a packing list for a journey by night train",
                        Luggage.class)
                .title("Packing list")
                .complete("destination", (typed, call) -> Station.startingWith(typed.value()))
                .complete(
                        "season",
                        (typed, call) ->
                                SEASONS.stream()
                                        .filter(season -> season.startsWith(typed.value()))
                                        .toList())
                .handle(
                        (luggage, call) ->
                                GetPromptResult.of(
                                        user(
                                                "I go to %s by night train in %s. What should I pack?"
                                                        .formatted(
                                                                luggage.destination(),
                                                                luggage.season())),
                                        user(Content.link(Bookings.URI, "bookings"))));
    }
}
