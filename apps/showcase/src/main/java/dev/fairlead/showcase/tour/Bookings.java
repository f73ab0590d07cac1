package dev.fairlead.showcase.tour;

import dev.fairlead.json.Doc;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The bookings of all callers, which are anonymous and therefore see each other's. The oldest one
 * makes room when there are {@value #MAX}. Thread-safe.
 */
final class Bookings {
    static final String URI = "tour://bookings";

    private static final int MAX = 100;

    private final Map<String, Booking> booked = new LinkedHashMap<>();
    private int made;

    record Booking(
            @Doc("To cancel it with") String id,
            String passenger,
            Leg leg,
            Comfort comfort,
            boolean window,
            @Nullable String wish,
            int euros) {}

    synchronized Booking add(Leg leg, Tickets.Berth berth) {
        Booking booking =
                new Booking(
                        "B" + ++made,
                        berth.name(),
                        leg,
                        berth.comfort(),
                        berth.window(),
                        berth.wish(),
                        Timetable.euros(leg, berth.comfort()));
        booked.put(booking.id(), booking);
        if (booked.size() > MAX) {
            booked.remove(booked.keySet().iterator().next());
        }
        return booking;
    }

    synchronized Optional<Booking> remove(String id) {
        return Optional.ofNullable(booked.remove(id));
    }

    synchronized List<Booking> all() {
        return List.copyOf(booked.values());
    }
}
