package dev.fairlead.showcase.tour;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.Matches;
import dev.fairlead.json.Range;
import dev.fairlead.json.Size;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.Features;
import dev.fairlead.server.handler.Call;
import dev.fairlead.showcase.tour.Bookings.Booking;
import dev.fairlead.showcase.tour.Timetable.Connection;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Consumer;

/** Finding trains, prices, and bookings, for which a person fills in a form. */
final class Tickets {
    private final Timetable timetable;
    private final Bookings bookings;
    private final Consumer<String> updated;

    /**
     * @param updated called with the URI of a resource that has changed
     */
    Tickets(Timetable timetable, Bookings bookings, Consumer<String> updated) {
        this.timetable = timetable;
        this.bookings = bookings;
        this.updated = updated;
    }

    record Search(
            Station from,
            Station to,
            @Doc("How often you are willing to change trains")
                    @Range(min = 0, max = 1)
                    @Default("1")
                    int changes) {}

    record Found(List<Connection> connections) {}

    record Traveller(
            @Size(min = 1, max = 60) String name,
            @Doc("In years") @Range(min = 0, max = 120) int age) {}

    record Group(
            @Doc("Number of the train, as find_trains gives it") @Matches("NT[0-9]{1,2}")
                    String train,
            Station from,
            Station to,
            @Doc("Everyone who travels") @Size(min = 1, max = 6) List<Traveller> travellers,
            @Default("COUCHETTE") Comfort comfort) {}

    record Price(String traveller, int euros) {}

    record Fare(Leg leg, List<Price> prices, int euros) {}

    record Ride(
            @Doc("Number of the train, as find_trains gives it") @Matches("NT[0-9]{1,2}")
                    String train,
            Station from,
            Station to) {}

    record Berth(
            @Doc("Who travels") @Size(min = 1, max = 60) String name,
            @Doc("Where you want to sleep") @Default("COUCHETTE") Comfort comfort,
            @Doc("A place at the window") @Default("true") boolean window,
            @Doc("Anything else, such as a quiet coach") @Size(max = 200) @Nullable String wish) {}

    record Id(@Doc("Id of the booking, such as B1") @Matches("B[0-9]{1,9}") String booking) {}

    void declare(Features<?> features) {
        features.tool(
                        "find_trains",
                        "Finds night trains from one station to another, the fastest first.",
                        Search.class,
                        Found.class)
                .title("Find night trains")
                .readOnly()
                .closedWorld()
                .handle((search, call) -> find(search));
        features.tool(
                        "quote_fare",
                        "Calculates the fare of a group on one train. Children under 6 travel free,"
                                + " those under 15 pay half. Books nothing.",
                        Group.class,
                        Fare.class)
                .title("Calculate a fare")
                .readOnly()
                .closedWorld()
                .handle((group, call) -> fare(group));
        features.tool(
                        "book_berth",
                        "Books a place on a night train. It asks the person in front of the client"
                                + " for name and comfort, in a form; without an answer nothing is"
                                + " booked.",
                        Ride.class,
                        Booking.class)
                .title("Book a berth")
                .additive()
                .closedWorld()
                .handle(this::book);
        features.tool(
                        "cancel_booking",
                        "Cancels a booking. The resource tour://bookings lists all bookings.",
                        Id.class,
                        Booking.class)
                .title("Cancel a booking")
                .destructive()
                .closedWorld()
                .handle((id, call) -> cancel(id));
    }

    private Found find(Search search) {
        if (search.from() == search.to()) {
            throw new ToolFailedException("from and to are both " + search.from().title());
        }
        return new Found(timetable.find(search.from(), search.to(), search.changes()));
    }

    private Fare fare(Group group) {
        Leg leg = timetable.leg(group.train(), group.from(), group.to());
        int full = Timetable.euros(leg, group.comfort());
        List<Price> prices =
                group.travellers().stream()
                        .map(each -> new Price(each.name(), share(full, each.age())))
                        .toList();
        return new Fare(leg, prices, prices.stream().mapToInt(Price::euros).sum());
    }

    private static int share(int full, int age) {
        return age < 6 ? 0 : age < 15 ? full / 2 : full;
    }

    private Booking book(Ride ride, Call call) throws InterruptedException {
        Leg leg = timetable.leg(ride.train(), ride.from(), ride.to());
        String question =
                "Book train %s from %s (%s) to %s (%s)? From %s €"
                        .formatted(
                                leg.train(),
                                leg.from().title(),
                                leg.departs(),
                                leg.to().title(),
                                leg.arrives(),
                                Timetable.euros(leg, Comfort.SEAT));
        Berth berth = call.elicit(question, Berth.class).orElseThrow();
        Booking booking = bookings.add(leg, berth);
        updated.accept(Bookings.URI);
        return booking;
    }

    private Booking cancel(Id id) {
        Booking booking =
                bookings.remove(id.booking())
                        .orElseThrow(
                                () ->
                                        new ToolFailedException(
                                                "There is no booking " + id.booking()));
        updated.accept(Bookings.URI);
        return booking;
    }
}
