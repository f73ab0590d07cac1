package dev.fairlead.showcase.tour;

import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;

/**
 * A night train that runs every day.
 *
 * @param number by which it is known, such as NT2
 * @param stops in their order; from one to the next it takes less than a day
 */
record Train(String number, String name, List<Stop> stops) {
    private static final Duration DAY = Duration.ofDays(1);

    /**
     * A stop of a train.
     *
     * @param time when the train is there, in local time
     */
    record Stop(Station station, LocalTime time) {}

    Train {
        stops = List.copyOf(stops);
    }

    /** The leg from one stop of this train to a later one; empty if it has no such stops. */
    Optional<Leg> leg(Station from, Station to) {
        int begin = indexOf(from);
        int end = indexOf(to);
        if (begin < 0 || end <= begin) {
            return Optional.empty();
        }
        Duration time = Duration.ZERO;
        double kilometres = 0;
        for (int i = begin; i < end; i++) {
            time = time.plus(wait(stops.get(i).time(), stops.get(i + 1).time()));
            kilometres += stops.get(i).station().kilometresTo(stops.get(i + 1).station());
        }
        return Optional.of(
                new Leg(
                        number,
                        from,
                        stops.get(begin).time(),
                        to,
                        stops.get(end).time(),
                        (int) time.toMinutes(),
                        (int) Math.round(kilometres)));
    }

    private int indexOf(Station station) {
        return stops.stream().map(Stop::station).toList().indexOf(station);
    }

    /** The time from one hour of the day to the next time that it is another. */
    static Duration wait(LocalTime from, LocalTime to) {
        Duration time = Duration.between(from, to);
        return time.isNegative() ? time.plus(DAY) : time;
    }

    boolean runs(Station from, Station to) {
        return leg(from, to).isPresent();
    }
}
