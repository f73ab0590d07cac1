package dev.fairlead.examples;

// @start region="travel"
import static dev.fairlead.protocol.PromptMessage.user;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.Matches;
import dev.fairlead.json.Range;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.Answer.Accepted;
import dev.fairlead.protocol.CallToolResult;
import dev.fairlead.protocol.Content;
import dev.fairlead.protocol.GetPromptResult;
import dev.fairlead.protocol.ResourceNotFoundException;
import dev.fairlead.protocol.ToolFailedException;
import dev.fairlead.server.Call;
import dev.fairlead.server.McpServer;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Plans a journey: flights come from a web service, and none is booked before a person agrees. */
class Travel {
    record Route(
            @Doc("Airport to leave from") @Matches("[A-Z]{3}") String from,
            @Doc("Airport to fly to") @Matches("[A-Z]{3}") String to,
            LocalDate date) {}

    record FlightId(@Doc("As search_flights gives it") @Matches("[A-Z0-9-]{1,20}") String id) {}

    record Flight(String id, LocalDateTime departs, int euros) {}

    enum Seat {
        aisle,
        window
    }

    record Passenger(@Doc("As in the passport") String name, @Default("aisle") Seat seat) {}

    record Vacation(
            @Doc("Where to go") String destination,
            @Doc("How many days") @Range(min = 1, max = 60) @Default("7") int days) {}

    private static final String CALENDAR = "calendar://trips";

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> trips = new CopyOnWriteArrayList<>();
    private final URI api;
    final McpServer server;

    Travel(URI api) {
        this.api = api;
        server =
                McpServer.named("travel", "1.0.0")
                        .tool("search_flights", "Finds flights", Route.class, CallToolResult.class)
                        .readOnly()
                        .handle((route, call) -> search(route))
                        .tool("book_flight", "Books a flight", FlightId.class, String.class)
                        .handle(this::book)
                        .resourceTemplate("flight://{id}", "flight", FlightId.class, Flight.class)
                        .handle((id, call) -> flight(id).orElseThrow(() -> unknown(id)))
                        .resource(CALENDAR, "trips", String.class)
                        .handle((request, call) -> String.join("\n", trips))
                        .prompt("plan_vacation", "Plans a vacation", Vacation.class)
                        .handle((vacation, call) -> plan(vacation))
                        .build();
    }

    private CallToolResult search(Route route) throws IOException, InterruptedException {
        String query = "?from=" + route.from() + "&to=" + route.to() + "&date=" + route.date();
        List<Content> found = new ArrayList<>();
        for (Flight flight : get(query, new TypeRef<List<Flight>>() {}).orElseThrow()) {
            String offer = flight.departs() + " for " + flight.euros() + " euros";
            found.add(Content.link("flight://" + flight.id(), flight.id()).withDescription(offer));
        }
        return new CallToolResult(found);
    }

    private Optional<Flight> flight(FlightId id) throws IOException, InterruptedException {
        return get("/" + id.id(), TypeRef.of(Flight.class));
    }

    private static RuntimeException unknown(FlightId id) {
        return new ResourceNotFoundException("flight://" + id.id());
    }

    /** Asks the web service; empty where it has nothing. */
    private <T> Optional<T> get(String path, TypeRef<T> type)
            throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create(api + path)).timeout(Duration.ofSeconds(10));
        var response = http.send(request.build(), BodyHandlers.ofString());
        return response.statusCode() == 404
                ? Optional.empty()
                : Optional.of(JsonCodec.of(type).read(JsonValue.parse(response.body())));
    }

    private String book(FlightId id, Call call) throws IOException, InterruptedException {
        Flight flight =
                flight(id).orElseThrow(() -> new ToolFailedException("There is no such flight"));
        String question = "Book flight " + id.id() + " for " + flight.euros() + " euros?";
        if (!(call.elicit(question, Passenger.class)
                instanceof Accepted<Passenger>(var passenger))) {
            throw new ToolFailedException("Not booked, since the person did not agree");
        }
        String trip =
                flight.departs() + " " + id.id() + " " + passenger.name() + " " + passenger.seat();
        trips.add(trip);
        server.resourceUpdated(CALENDAR);
        return "Booked: " + trip;
    }

    private static GetPromptResult plan(Vacation vacation) {
        String request =
                """
                Plan %d days in %s. Look for flights and propose one, but book it only after I said
                yes. What I have booked so far:\
                """;
        return GetPromptResult.of(
                user(request.formatted(vacation.days(), vacation.destination())),
                user(Content.link(CALENDAR, "trips")));
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        try (FlightApi api = new FlightApi()) {
            new Travel(api.uri()).server.serve(Place.of(args)).await();
        }
    }
}
// @end
