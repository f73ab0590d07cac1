package dev.fairlead.http.loop;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The field with the time of a response, formatted once a second. */
final class DateField {
    private static volatile Formatted formatted = Formatted.at(0);

    private record Formatted(long second, byte[] line) {
        static Formatted at(long second) {
            String date =
                    DateTimeFormatter.RFC_1123_DATE_TIME.format(
                            Instant.ofEpochSecond(second).atOffset(ZoneOffset.UTC));
            return new Formatted(second, ResponseEncoder.ascii("Date: " + date + "\r\n"));
        }
    }

    private DateField() {}

    /** The line, with its end; not to be changed. */
    static byte[] now() {
        long second = System.currentTimeMillis() / 1000;
        Formatted last = formatted;
        if (last.second != second) {
            last = Formatted.at(second);
            formatted = last;
        }
        return last.line;
    }
}
