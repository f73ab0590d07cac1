package dev.fairlead.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/** Describes the machine of a measurement. */
public final class Machine {
    private Machine() {}

    /** Java, the processors, and how busy they are. */
    public static String describe() {
        return "Java %s, %s %s, %d processors, %s"
                .formatted(
                        System.getProperty("java.version"),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        Runtime.getRuntime().availableProcessors(),
                        load());
    }

    /** How busy it is just now. */
    public static String load() {
        return String.format(
                Locale.ROOT,
                "load average %.1f",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }
}
