package dev.fairlead.examples;

// @start region="travel"
import static dev.fairlead.protocol.prompts.PromptMessage.user;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpHandlers;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.Matches;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceNotFoundException;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Call;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Plans a journey: flights come from a web service, and none is booked before a person agrees. */
class Travel {
    record Route(
            @Doc("Airport to leave from") @Matches("[A-Z]{3}") String from,
            @Doc("Airport to fly to") @Matches("[A-Z]{3}") String to) {}

    record FlightId(@Doc("As search_flights gives it") String id) {}

    record Flight(String id, String from, String to, LocalDateTime departs, int euros) {}

    record Passenger(@Doc("As in the passport") String name) {}

    record Vacation(@Doc("Where to go") String destination, @Default("7") int days) {}

    private static final String CALENDAR = "calendar://trips";

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> trips = new CopyOnWriteArrayList<>();
    private final HttpRequest timetable;
    final McpServer server;

    Travel(URI service) {
        timetable = HttpRequest.newBuilder(service).timeout(Duration.ofSeconds(10)).build();
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
        List<Content> found = new ArrayList<>();
        for (Flight flight : flights()) {
            if (flight.from().equals(route.from()) && flight.to().equals(route.to())) {
                String offer = flight.departs() + " for " + flight.euros() + " euros";
                found.add(
                        Content.link(
                                new Resource("flight://" + flight.id(), flight.id())
                                        .withDescription(offer)));
            }
        }
        return new CallToolResult(found);
    }

    private Optional<Flight> flight(FlightId id) throws IOException, InterruptedException {
        return flights().stream().filter(flight -> flight.id().equals(id.id())).findAny();
    }

    private static RuntimeException unknown(FlightId id) {
        return new ResourceNotFoundException("flight://" + id.id());
    }

    private List<Flight> flights() throws IOException, InterruptedException {
        String json = http.send(timetable, BodyHandlers.ofString()).body();
        return JsonCodec.of(new TypeRef<List<Flight>>() {}).read(JsonValue.parse(json));
    }

    private String book(FlightId id, Call call) throws IOException, InterruptedException {
        Flight flight = flight(id).orElseThrow(() -> new ToolFailedException("No such flight"));
        String question = "Book flight " + flight.id() + " for " + flight.euros() + " euros?";
        Passenger passenger = call.elicit(question, Passenger.class).orElseThrow();
        String trip = flight.departs() + " " + flight.id() + " " + passenger.name();
        trips.add(trip);
        server.resourceUpdated(CALENDAR);
        return "Booked: " + trip;
    }

    private static GetPromptResult plan(Vacation vacation) {
        String request = "Plan %s days in %s. Book flights only after I said yes. Booked so far:";
        return GetPromptResult.of(
                user(request.formatted(vacation.days(), vacation.destination())),
                user(Content.link(CALENDAR, "trips")));
    }

    /** A web service of another company, on a free port of this machine. */
    static HttpServer service() throws IOException {
        String json =
                """
                [{"id": "FL1", "from": "ZRH", "to": "LIS", "departs": "2027-03-01T07:30",
                  "euros": 129},
                 {"id": "FL2", "from": "ZRH", "to": "LIS", "departs": "2027-03-01T12:10",
                  "euros": 89}]
                """;
        var address = new InetSocketAddress("127.0.0.1", 0);
        HttpServer service = HttpServer.create(address, 0);
        service.createContext("/", HttpHandlers.of(200, new Headers(), json));
        service.start();
        return service;
    }

    static URI uri(HttpServer service) {
        return URI.create("http://127.0.0.1:" + service.getAddress().getPort() + "/");
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        HttpServer service = service();
        new Travel(uri(service)).server.serve(Place.of(args)).await();
        service.stop(0);
    }
}
// @end
