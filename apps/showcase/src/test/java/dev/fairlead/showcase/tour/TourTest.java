package dev.fairlead.showcase.tour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The tour, called by clients of the newest revision of each era. */
@ParameterizedClass
@EnumSource(
        value = Revision.class,
        names = {"V2025_11_25", "V2026_07_28"})
class TourTest {
    private final Revision revision;
    private final McpServer server = Tour.server("1", Tasks.inMemory(), builder -> builder);

    TourTest(Revision revision) {
        this.revision = revision;
    }

    @AfterEach
    void close() {
        server.close();
    }

    private McpClient.Builder client() {
        return McpClient.named("test", "1").revisions(revision, revision);
    }

    private McpClient connect() throws InterruptedException {
        return client().connect(server.inProcess());
    }

    private static JsonObject leg(String train, String from, String to) {
        return JsonObject.of("train", train, "from", from, "to", to);
    }

    private static JsonObject structured(CallToolResult result) {
        assertThat(result.isError()).as(result.text()).isFalse();
        return JsonObject.EMPTY.with("result", result.structuredContent()).object("result");
    }

    private static JsonObject rides(McpClient client) throws InterruptedException {
        return (JsonObject) JsonValue.parse(client.readResource(Journeys.URI).text());
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(60, TimeUnit.SECONDS);
        assertThat(next).as("nothing came").isNotNull();
        return next;
    }

    @Test
    void itHasEightToolsWithTitlesDescriptionsAndTypedResults() throws Exception {
        try (McpClient client = connect()) {
            assertThat(client.tools())
                    .extracting(Tool::name)
                    .containsExactlyInAnyOrder(
                            "find_trains",
                            "quote_fare",
                            "book_berth",
                            "cancel_booking",
                            "ride_along",
                            "plan_trip",
                            "show_route",
                            "close_train");
            assertThat(client.tools())
                    .allSatisfy(
                            tool -> {
                                assertThat(tool.title()).isNotBlank();
                                assertThat(tool.description()).endsWith(".");
                            });
        }
    }

    @Test
    void trainsAreFoundTheFastestFirst() throws Exception {
        try (McpClient client = connect()) {
            JsonArray found =
                    structured(
                                    client.callTool(
                                            "find_trains",
                                            JsonObject.of("from", "Zurich", "to", "Vienna")))
                            .array("connections");
            assertThat(found.size()).isGreaterThan(1);
            JsonObject fastest = (JsonObject) found.get(0);
            assertThat(fastest.integer("minutes")).isEqualTo(570);
            assertThat(fastest.array("legs").get(0).toJson()).contains("\"train\":\"NT2\"");
            assertThat(
                            client.callTool(
                                            "find_trains",
                                            JsonObject.of("from", "Zurich", "to", "Zurich"))
                                    .text())
                    .isEqualTo("from and to are both Zurich");
        }
    }

    @Test
    void aFareIsThatOfEachTravellerByAge() throws Exception {
        try (McpClient client = connect()) {
            JsonArray travellers =
                    JsonArray.of(
                            JsonObject.of("name", "Ada", "age", 36),
                            JsonObject.of("name", "Byron", "age", 12),
                            JsonObject.of("name", "Anne", "age", 5));
            JsonObject fare =
                    structured(
                            client.callTool(
                                    "quote_fare",
                                    leg("NT2", "Zurich", "Vienna").with("travellers", travellers)));
            long full = ((JsonObject) fare.array("prices").get(0)).integer("euros");
            assertThat(full).isPositive();
            assertThat(fare.integer("euros")).isEqualTo(full + full / 2);
            assertThat(
                            client.callTool(
                                            "quote_fare",
                                            leg("NT2", "Vienna", "Zurich")
                                                    .with("travellers", travellers))
                                    .text())
                    .startsWith(
                            "Train NT2 does not run from Vienna to Zurich: it stops in Zurich,");
        }
    }

    @Test
    void aBookingAsksByAFormAndIsSeenByThoseWhoWatch() throws Exception {
        BlockingQueue<String> asked = new LinkedBlockingQueue<>();
        BlockingQueue<String> updated = new LinkedBlockingQueue<>();
        try (McpClient client =
                        client().onElicitForm(
                                        form -> {
                                            asked.add(form.message());
                                            return Answer.accept(
                                                    Map.of("name", "Ada", "comfort", "SLEEPER"));
                                        })
                                .connect(server.inProcess());
                var watch = client.watch(Bookings.URI, updated::add)) {
            JsonObject booking =
                    structured(client.callTool("book_berth", leg("NT2", "Zurich", "Vienna")));

            assertThat(next(asked)).startsWith("Book train NT2 from Zurich (20:40) to Vienna");
            assertThat(booking.string("passenger")).isEqualTo("Ada");
            assertThat(next(updated)).isEqualTo(watch.uri());
            assertThat(client.readResource(Bookings.URI).text()).contains("\"passenger\":\"Ada\"");

            JsonObject id = JsonObject.of("booking", booking.string("id"));
            assertThat(structured(client.callTool("cancel_booking", id))).isEqualTo(booking);
            assertThat(client.callTool("cancel_booking", id).text())
                    .isEqualTo("There is no booking B1");
            assertThat(client.readResource(Bookings.URI).text()).isEqualTo("[]");
        }
    }

    @Test
    void nothingIsBookedWithoutAnAnswer() throws Exception {
        try (McpClient client =
                client().onElicitForm(form -> Answer.decline()).connect(server.inProcess())) {
            assertThat(client.callTool("book_berth", leg("NT2", "Zurich", "Vienna")).text())
                    .isEqualTo("The user declined to answer");
            assertThat(client.readResource(Bookings.URI).text()).isEqualTo("[]");
        }
    }

    @Test
    void aRideReportsEachStop() throws Exception {
        BlockingQueue<String> stops = new LinkedBlockingQueue<>();
        try (McpClient client = connect()) {
            assertThat(
                            client.withProgress(report -> stops.add(report.message()))
                                    .callTool(
                                            "ride_along", JsonObject.of("train", "NT1", "pace", 0))
                                    .text())
                    .isEqualTo("Northern Star has arrived in Berlin.");
            assertThat(next(stops)).isEqualTo("16:30 Stockholm");
            assertThat(rides(client).integer("arrived")).isEqualTo(1);
        }
    }

    @Test
    void aCancelledRideEndsAndIsCounted() throws Exception {
        BlockingQueue<String> stops = new LinkedBlockingQueue<>();
        BlockingQueue<String> updated = new LinkedBlockingQueue<>();
        try (McpClient client = connect();
                var watch = client.watch(Journeys.URI, updated::add)) {
            FutureTask<CallToolResult> ride =
                    new FutureTask<>(
                            () ->
                                    client.withProgress(report -> stops.add(report.message()))
                                            .callTool(
                                                    "ride_along",
                                                    JsonObject.of("train", "NT1", "pace", 30)));
            Thread.startVirtualThread(ride);
            next(stops);
            ride.cancel(true);

            assertThatThrownBy(ride::get).isInstanceOf(CancellationException.class);
            while (rides(client).integer("cancelled") == 0) {
                assertThat(next(updated)).isEqualTo(watch.uri());
            }
            assertThat(rides(client))
                    .isEqualTo(JsonObject.of("running", 0, "arrived", 0, "cancelled", 1));
        }
    }

    @Test
    void aPlanIsATaskThatAsksWhichWayToGo() throws Exception {
        BlockingQueue<String> asked = new LinkedBlockingQueue<>();
        try (McpClient client =
                client().onElicitForm(
                                form -> {
                                    asked.add(form.message());
                                    return Answer.accept(Map.of("plan", "SECOND"));
                                })
                        .connect(server.inProcess())) {
            TaskHandle<CallToolResult> plan =
                    client.startTool(
                            new CallToolRequest(
                                    "plan_trip", JsonObject.of("start", "Munich", "nights", 1)));
            JsonObject itinerary = structured(plan.await());

            assertThat(next(asked)).startsWith("Which way? First: Munich – ");
            assertThat(itinerary.array("legs").get(0).toJson()).contains("\"from\":\"Munich\"");
        }
    }

    @Test
    void aPageOfMcpAppsIsServedForTheToolThatNamesIt() throws Exception {
        try (McpClient client = connect()) {
            Tool tool =
                    client.tools().stream()
                            .filter(each -> each.name().equals("show_route"))
                            .findAny()
                            .orElseThrow();
            String uri = tool.meta().object("ui").string("resourceUri");
            ReadResourceResult page = client.readResource(uri);

            assertThat(uri).isEqualTo("ui://tour/route");
            assertThat(page.contents().getFirst().mimeType())
                    .isEqualTo("text/html;profile=mcp-app");
            assertThat(page.text())
                    .startsWith("<!DOCTYPE html>")
                    .contains("'ui/initialize'")
                    .doesNotContain("innerHTML", "src=", "https://");
            assertThat(
                            structured(client.callTool("show_route", JsonObject.of("train", "NT5")))
                                    .array("stops")
                                    .size())
                    .isEqualTo(4);
        }
    }

    @Test
    void withoutTheScopeNoTrainIsClosed() throws Exception {
        JsonObject train = JsonObject.of("train", "NT5");
        try (McpClient client = connect()) {
            assertThatThrownBy(() -> client.callTool("close_train", train))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class,
                            e -> assertThat(e.data().toString()).contains(Tour.SCOPE));
            structured(client.callTool("show_route", train));
        }
        Caller operator = Caller.of("https://issuer.example", "ada", null, Set.of(Tour.SCOPE));
        try (McpClient client = client().connect(server.inProcess(operator))) {
            assertThat(client.callTool("close_train", train).text())
                    .isEqualTo("Seven Hills does not run any more.");
            assertThat(client.callTool("show_route", train).text())
                    .isEqualTo("Train NT5 does not run");
        }
    }

    @Test
    void stationsAndSeasonsAreCompleted() throws Exception {
        try (McpClient client = connect()) {
            assertThat(
                            client.complete(
                                            new ResourceTemplateReference("tour://stations/{name}"),
                                            "name",
                                            "v")
                                    .completion()
                                    .values())
                    .containsExactly("Venice", "Vienna");
            assertThat(
                            client.complete(
                                            new PromptReference("pack_for_a_night_train"),
                                            "season",
                                            "s")
                                    .completion()
                                    .values())
                    .isEqualTo(List.of("spring", "summer"));
            assertThat(client.readResource("tour://stations/Vienna").text())
                    .contains("\"departures\"");
            assertThat(
                            client.getPrompt(
                                            "pack_for_a_night_train",
                                            Map.of("destination", "Rome", "season", "winter"))
                                    .messages())
                    .hasSize(2);
            assertThat(client.readResource("tour://guide").text()).contains("`find_trains`");
        }
    }

    @Test
    void theOldestBookingMakesRoom() {
        Bookings bookings = new Bookings();
        Leg leg = new Timetable().leg("NT2", Station.ZURICH, Station.VIENNA);
        for (int i = 1; i <= 101; i++) {
            bookings.add(leg, new Tickets.Berth("Ada", Comfort.SEAT, true, null));
        }
        assertThat(bookings.all()).hasSize(100);
        assertThat(bookings.all().getFirst().id()).isEqualTo("B2");
    }
}
