package dev.fairlead.cli.view;

import java.util.Locale;

/** A number of bytes as people read it. */
final class ByteSize {
    private static final String[] UNITS = {"kB", "MB", "GB", "TB", "PB", "EB"};

    private ByteSize() {}

    /**
     * Formats a size such as {@code 1 byte}, {@code 999 bytes}, {@code 2.1 kB} or {@code 12 MB}.
     */
    static String of(long bytes) {
        if (bytes < 1_000) {
            return bytes + (bytes == 1 ? " byte" : " bytes");
        }
        double size = bytes / 1_000.0;
        int unit = 0;
        while (size >= 999.5) {
            size /= 1_000;
            unit++;
        }
        return String.format(Locale.ROOT, size < 9.95 ? "%.1f %s" : "%.0f %s", size, UNITS[unit]);
    }
}
