package dev.fairlead.showcase.tour;

import static java.util.Comparator.comparingInt;

import dev.fairlead.json.Doc;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.showcase.tour.Train.Stop;

import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The trains, which are invented, and the journeys that they make possible. Thread-safe. */
final class Timetable {
    private static final double EUROS_PER_KILOMETRE = 0.12;

    private static final List<Train> TRAINS =
            """
            NT1, Northern Star: Stockholm 16:30, Copenhagen 22:00, Hamburg 02:40, Berlin 05:50
            NT2, Alpine Dream: Zurich 20:40, Innsbruck 00:20, Vienna 06:10, Budapest 09:20
            NT3, Canal Sleeper: Amsterdam 19:10, Brussels 21:15, Paris 23:10, Milan 06:50, Venice 09:25
            NT4, Amber: Berlin 22:15, Prague 02:30, Vienna 06:45
            NT5, Seven Hills: Munich 20:10, Innsbruck 22:05, Venice 03:20, Rome 09:10
            NT6, Three Rivers: Zurich 20:05, Munich 00:10, Berlin 06:55, Hamburg 09:00
            NT7, Vistula: Warsaw 19:30, Prague 03:40, Munich 08:50
            NT8, Nordic Seine: Paris 19:20, Brussels 21:00, Hamburg 04:10, Copenhagen 09:30
            NT9, Blue Danube: Budapest 18:50, Vienna 21:30, Munich 04:20, Zurich 08:30
            NT10, Adriatic: Venice 20:15, Milan 22:55, Zurich 03:10, Amsterdam 11:20
            """
                    .lines()
                    .map(Timetable::train)
                    .toList();

    private final Set<String> closed = ConcurrentHashMap.newKeySet();

    private static Train train(String line) {
        int name = line.indexOf(", ");
        int stops = line.indexOf(": ");
        return new Train(
                line.substring(0, name),
                line.substring(name + 2, stops),
                Arrays.stream(line.substring(stops + 2).split(", ")).map(Timetable::stop).toList());
    }

    private static Stop stop(String text) {
        String[] parts = text.split(" ");
        return new Stop(
                Station.valueOf(parts[0].toUpperCase(Locale.ROOT)), LocalTime.parse(parts[1]));
    }

    /** A way from one station to another. */
    record Connection(List<Leg> legs, @Doc("With the waits between trains") int minutes) {}

    /**
     * Finds a train by its number.
     *
     * @throws ToolFailedException if there is none, or it is closed
     */
    Train train(String number, String purpose) {
        Train train =
                TRAINS.stream()
                        .filter(each -> each.number().equals(number))
                        .findAny()
                        .orElseThrow(
                                () ->
                                        new ToolFailedException(
                                                "There is no train "
                                                        + number
                                                        + " to "
                                                        + purpose
                                                        + ": trains are NT1 to NT"
                                                        + TRAINS.size()));
        if (closed.contains(number)) {
            throw new ToolFailedException("Train " + number + " does not run");
        }
        return train;
    }

    /**
     * Finds the leg of a train between two of its stops.
     *
     * @throws ToolFailedException if the train does not run from one to the other
     */
    Leg leg(String number, Station from, Station to) {
        Train train = train(number, "travel with");
        return train.leg(from, to)
                .orElseThrow(
                        () ->
                                new ToolFailedException(
                                        "Train "
                                                + number
                                                + " does not run from "
                                                + from.title()
                                                + " to "
                                                + to.title()
                                                + ": it stops in "
                                                + String.join(
                                                        ", ",
                                                        train.stops().stream()
                                                                .map(stop -> stop.station().title())
                                                                .toList())));
    }

    /** Closes a train; false if it was closed before. */
    boolean close(Train train) {
        return closed.add(train.number());
    }

    private List<Train> running() {
        return TRAINS.stream().filter(train -> !closed.contains(train.number())).toList();
    }

    /** The trains that stop at a station. */
    List<Train> at(Station station) {
        return running().stream()
                .filter(train -> train.stops().stream().anyMatch(s -> s.station() == station))
                .toList();
    }

    /** The ways from one station to another, the fastest first. */
    List<Connection> find(Station from, Station to, int changes) {
        List<Connection> found = new ArrayList<>();
        for (Train first : running()) {
            first.leg(from, to)
                    .ifPresent(leg -> found.add(new Connection(List.of(leg), leg.minutes())));
            if (changes > 0) {
                found.addAll(changing(first, from, to));
            }
        }
        return found.stream().sorted(comparingInt(Connection::minutes)).limit(5).toList();
    }

    private List<Connection> changing(Train first, Station from, Station to) {
        List<Connection> found = new ArrayList<>();
        for (Stop change : first.stops()) {
            Optional<Leg> before = first.leg(from, change.station());
            if (before.isEmpty() || first.runs(from, to)) {
                continue;
            }
            for (Train second : running()) {
                second.leg(change.station(), to)
                        .ifPresent(leg -> found.add(joined(before.get(), leg)));
            }
        }
        return found;
    }

    private static Connection joined(Leg first, Leg second) {
        Duration wait = Train.wait(first.arrives(), second.departs());
        return new Connection(
                List.of(first, second),
                first.minutes() + (int) wait.toMinutes() + second.minutes());
    }

    /** The legs that begin at a station, each to the last stop of its train. */
    List<Leg> from(Station station) {
        return at(station).stream()
                .flatMap(train -> train.leg(station, train.stops().getLast().station()).stream())
                .toList();
    }

    /** The price of a leg for a grown-up, in whole euros. */
    static int euros(Leg leg, Comfort comfort) {
        return (int) Math.round(19 + leg.kilometres() * EUROS_PER_KILOMETRE) + comfort.surcharge();
    }
}
