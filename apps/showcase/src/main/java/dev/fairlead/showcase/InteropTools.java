package dev.fairlead.showcase;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.Range;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.server.Features;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;

import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;

/** The tools that outside peers call. */
final class InteropTools {
    private InteropTools() {}

    record Echo(@Doc("What to give back") String text) {}

    record City(@Doc("Name of the city") String city) {}

    record Weather(String city, double temperature, String conditions) {}

    record Slow(
            @Doc("How long, in milliseconds") @Range(min = 0, max = 3_600_000) long ms,
            @Doc("In how many equal steps") @Range(min = 1, max = 10_000) @Default("1")
                    int steps) {}

    record Touch(@Doc("The resource that is said to have changed") String uri) {}

    enum Kind {
        tools,
        resources,
        prompts
    }

    record Lists(@Doc("The list that is said to have changed") Kind kind) {}

    /**
     * Declares the tools.
     *
     * @param updated notifies the subscribers of a resource that it changed
     */
    static void declare(Features<?> features, Statistics statistics, Consumer<String> updated) {
        features.tool("interop_echo", "Gives back its text", Echo.class, String.class)
                .readOnly()
                .handle((echo, call) -> echo.text());
        features.tool("interop_structured", "The weather in a city", City.class, Weather.class)
                .readOnly()
                .handle((input, call) -> new Weather(input.city(), 21.5, "sunny"));
        features.tool(
                        "interop_slow",
                        "Takes its time and reports progress",
                        Slow.class,
                        String.class)
                .handle((slow, call) -> statistics.countSlow(() -> slow(slow, call)));
        features.tool(
                        "interop_stats",
                        "How often the long tools were started and cancelled",
                        NoInput.class,
                        Statistics.Snapshot.class)
                .readOnly()
                .handle((none, call) -> statistics.snapshot());
        asking(features);
        notifying(features, updated);
    }

    private static void notifying(Features<?> features, Consumer<String> updated) {
        features.tool(
                        "interop_touch_resource",
                        "Notifies subscribers that a resource has changed",
                        Touch.class,
                        String.class)
                .handle(
                        (touch, call) -> {
                            updated.accept(touch.uri());
                            return "touched";
                        });
        features.tool(
                        "interop_list_changed",
                        "Notifies this client that a list has changed",
                        Lists.class,
                        String.class)
                .handle(
                        (lists, call) -> {
                            call.notify("notifications/" + lists.kind() + "/list_changed", null);
                            return "sent";
                        });
    }

    private static String slow(Slow slow, Call call) throws InterruptedException {
        Duration step = Duration.ofMillis(slow.ms()).dividedBy(slow.steps());
        for (int i = 1; i <= slow.steps(); i++) {
            Thread.sleep(step);
            call.progress(i, slow.steps());
        }
        return "slept " + slow.ms();
    }

    private static void asking(Features<?> features) {
        features.tool("interop_roots", "Asks the client for its roots", NoInput.class, String.class)
                .handle(
                        (none, call) ->
                                JsonArray.of(call.roots().stream().map(Root::uri).toArray())
                                        .toJson());
        features.tool(
                        "interop_elicit_url",
                        "Asks the user to visit a page",
                        NoInput.class,
                        String.class)
                .handle((none, call) -> "action=" + visit(call));
    }

    /** Nothing happens on the page, so the visit is complete as soon as the user agrees to it. */
    private static String visit(Call call) throws InterruptedException {
        // Kept, since the handler starts again once the user has answered.
        String visit = call.once("visit", String.class, () -> UUID.randomUUID().toString());
        URI page = URI.create("https://showcase.example/visit/" + visit);
        Answer<String> answer = call.elicitUrl("Please visit the page", page, () -> "visited");
        return switch (answer) {
            case Answer.Accepted<String> accepted -> "accept";
            case Answer.Declined<String> declined -> "decline";
            case Answer.Cancelled<String> cancelled -> "cancel";
        };
    }
}
