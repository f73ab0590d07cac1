package dev.fairlead.showcase.tour;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.Matches;
import dev.fairlead.json.Range;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.Features;
import dev.fairlead.server.handler.Call;
import dev.fairlead.showcase.tour.Train.Stop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Calls that take time: a ride with progress, and a plan that a person chooses from. */
final class Journeys {
    static final String URI = "tour://rides";

    private static final int MAX_NIGHTS = 7;

    private final Timetable timetable;
    private final Consumer<String> updated;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicInteger cancelled = new AtomicInteger();

    /**
     * @param updated called with the URI of a resource that has changed
     */
    Journeys(Timetable timetable, Consumer<String> updated) {
        this.timetable = timetable;
        this.updated = updated;
    }

    record Rides(
            @Doc("Under way now") int running,
            @Doc("At their last stop") int arrived,
            @Doc("Ended by a cancellation") int cancelled) {}

    record Trip(
            @Doc("Number of the train, as find_trains gives it") @Matches("NT[0-9]{1,2}")
                    String train,
            @Doc("Seconds from one stop to the next") @Range(min = 0, max = 30) @Default("3")
                    double pace) {}

    record Plan(
            @Doc("The station to start from") Station start,
            @Doc("How many nights to travel") @Range(min = 1, max = MAX_NIGHTS) @Default("3")
                    int nights) {}

    enum Choice {
        @Doc("The first plan")
        FIRST,
        @Doc("The second plan")
        SECOND
    }

    record Chosen(@Doc("The plan to take") @Default("FIRST") Choice plan) {}

    record Itinerary(List<Leg> legs, int euros) {
        String summary() {
            List<String> stations = new ArrayList<>();
            stations.add(legs.isEmpty() ? "stay at home" : legs.getFirst().from().title());
            legs.forEach(leg -> stations.add(leg.to().title()));
            return String.join(" – ", stations) + ", " + euros + " €";
        }
    }

    void declare(Features<?> features) {
        features.tool(
                        "ride_along",
                        "Rides a night train in fast motion: reports progress at each stop, and"
                                + " ends at once when the call is cancelled. The resource"
                                + " tour://rides counts rides.",
                        Trip.class,
                        String.class)
                .title("Ride along")
                .readOnly()
                .closedWorld()
                .handle(this::ride);
        features.tool(
                        "plan_trip",
                        "Plans a round of several nights. As a task it continues while you do other"
                                + " things; after some seconds it asks the person which of two"
                                + " plans to take.",
                        Plan.class,
                        Itinerary.class)
                .title("Plan a trip")
                .readOnly()
                .closedWorld()
                .task(TaskSupport.OPTIONAL)
                .rerunAfterCrash()
                .immediateResponse("The plan is being made; it will ask which way to go.")
                .handle(this::plan);
        features.resource(URI, "rides", Rides.class)
                .title("Rides of this server")
                .description("How many rides are under way, have arrived, and were cancelled")
                .handle((request, call) -> rides());
    }

    Rides rides() {
        return new Rides(running.get(), arrived.get(), cancelled.get());
    }

    private String ride(Trip trip, Call call) throws InterruptedException {
        Train train = timetable.train(trip.train(), "ride");
        count(running, 1);
        boolean there = false;
        try {
            String last = ride(train, Duration.ofMillis((long) (trip.pace() * 1000)), call);
            there = true;
            return last;
        } finally {
            running.decrementAndGet();
            count(there ? arrived : cancelled, 1);
        }
    }

    private void count(AtomicInteger counter, int change) {
        counter.addAndGet(change);
        updated.accept(URI);
    }

    private static String ride(Train train, Duration pace, Call call) throws InterruptedException {
        call.log(LoggingLevel.INFO, train.name() + " departs");
        List<Stop> stops = train.stops();
        for (int i = 0; i < stops.size(); i++) {
            if (i > 0) {
                Thread.sleep(pace);
            }
            Stop stop = stops.get(i);
            String message = stop.time() + " " + stop.station().title();
            call.progress(i, stops.size() - 1, message);
        }
        return train.name() + " has arrived in " + stops.getLast().station().title() + ".";
    }

    private Itinerary plan(Plan plan, Call call) throws InterruptedException {
        List<Itinerary> plans = call.once("plans", new TypeRef<>() {}, () -> plans(plan, call));
        call.status("Asks which way to go");
        String question =
                "Which way? First: %s. Second: %s."
                        .formatted(plans.get(0).summary(), plans.get(1).summary());
        Choice choice = call.elicit(question, Chosen.class).orElseThrow().plan();
        return plans.get(choice.ordinal());
    }

    /** Two plans: the one takes the longest leg each night, the other one the shortest. */
    private List<Itinerary> plans(Plan plan, Call call) throws InterruptedException {
        List<Leg> far = new ArrayList<>();
        List<Leg> near = new ArrayList<>();
        Set<Station> seenFar = new TreeSet<>(Set.of(plan.start()));
        Set<Station> seenNear = new TreeSet<>(Set.of(plan.start()));
        for (int night = 1; night <= plan.nights(); night++) {
            call.status("Plans night " + night + " of " + plan.nights());
            call.progress(night, plan.nights());
            Thread.sleep(Duration.ofSeconds(1)); // as slow as a real planner
            extend(far, seenFar, plan.start(), true);
            extend(near, seenNear, plan.start(), false);
        }
        return List.of(itinerary(far), itinerary(near));
    }

    private void extend(List<Leg> legs, Set<Station> seen, Station start, boolean farthest) {
        Station here = legs.isEmpty() ? start : legs.getLast().to();
        List<Leg> possible =
                timetable.from(here).stream()
                        .filter(leg -> !seen.contains(leg.to()))
                        .sorted((a, b) -> Integer.compare(a.kilometres(), b.kilometres()))
                        .toList();
        if (!possible.isEmpty()) {
            Leg leg = farthest ? possible.getLast() : possible.getFirst();
            legs.add(leg);
            seen.add(leg.to());
        }
    }

    private static Itinerary itinerary(List<Leg> legs) {
        int euros = legs.stream().mapToInt(leg -> Timetable.euros(leg, Comfort.COUCHETTE)).sum();
        return new Itinerary(List.copyOf(legs), euros);
    }
}
