package dev.fairlead.showcase.tour;

import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.Matches;
import dev.fairlead.server.Features;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.util.List;

/**
 * The map of a train, as a page of MCP Apps: hosts that show such pages load it in a sandbox and
 * hand it the result of the tool. Other hosts show the result alone.
 */
final class RoutePage {
    static final String URI = "ui://tour/route";
    static final String MIME_TYPE = "text/html;profile=mcp-app";

    private static final String FILE = "route.html";

    private final Timetable timetable;

    RoutePage(Timetable timetable) {
        this.timetable = timetable;
    }

    record Shown(
            @Doc("Number of the train, as find_trains gives it") @Matches("NT[0-9]{1,2}")
                    String train) {}

    record Point(Station station, LocalTime time, double latitude, double longitude) {}

    record Route(String train, String name, List<Point> stops) {}

    void declare(Features<?> features) {
        features.tool(
                        "show_route",
                        "Shows the route of a night train on a map, or as a list of its stops.",
                        Shown.class,
                        Route.class)
                .title("Show a route")
                .readOnly()
                .closedWorld()
                .meta(JsonObject.of("ui", JsonObject.of("resourceUri", URI)))
                .handle((shown, call) -> route(timetable.train(shown.train(), "show")));
        features.resource(URI, "route", String.class)
                .title("Map of a route")
                .description("The page of show_route, for hosts that show MCP Apps")
                .mimeType(MIME_TYPE)
                .meta(JsonObject.of("ui", JsonObject.of("prefersBorder", true)))
                .handle((request, call) -> page());
    }

    private static Route route(Train train) {
        return new Route(
                train.number(),
                train.name(),
                train.stops().stream()
                        .map(
                                stop ->
                                        new Point(
                                                stop.station(),
                                                stop.time(),
                                                stop.station().latitude(),
                                                stop.station().longitude()))
                        .toList());
    }

    private static String page() {
        try (InputStream file = RoutePage.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException(FILE + " is missing beside its class");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
