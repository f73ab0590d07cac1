package dev.fairlead.benchmarks.soak;

import java.time.Duration;
import java.util.List;

/**
 * A straight line through a series, by least squares.
 *
 * @param mean of the values
 * @param perMinute how much they rise
 */
record Trend(double mean, double perMinute) {
    /** A value of the series. */
    record Point(Duration at, double value) {
        double minutes() {
            return at.toNanos() / 60e9;
        }
    }

    /**
     * @param points at least two, not all at the same time
     */
    static Trend of(List<Point> points) {
        double mean = points.stream().mapToDouble(Point::value).average().orElseThrow();
        double middle = points.stream().mapToDouble(Point::minutes).average().orElseThrow();
        double together = 0;
        double alone = 0;
        for (Point point : points) {
            double distance = point.minutes() - middle;
            together += distance * (point.value() - mean);
            alone += distance * distance;
        }
        return new Trend(mean, together / alone);
    }

    /** How many per cent of the mean it rises in ten minutes. */
    double percentInTenMinutes() {
        return 100 * 10 * perMinute / mean;
    }
}
