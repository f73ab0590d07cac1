package dev.fairlead.test.support;

import static dev.fairlead.test.support.Awaiting.await;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The threads of this process that the library or its engines have started, virtual ones too.
 * Workers of an {@code HttpClient} are those of a test: the library gives its clients an executor,
 * and without one they have a pool whose threads end a minute after their last work.
 */
public final class Threads {
    private static final Pattern OURS =
            Pattern.compile("^#\\d+ \"((?:mcp-|HttpClient-\\d+-(?!Worker))[^\"]*)\"");

    private Threads() {}

    /** Waits until there are no more threads of the library than there were. */
    public static void awaitNoMoreThan(Map<String, Integer> before) {
        await().untilAsserted(
                        () -> {
                            Map<String, Integer> now = count();
                            if (!now.entrySet().stream().allMatch(each -> isIn(before, each))) {
                                throw new AssertionError(
                                        "threads are left: " + now + ", before: " + before);
                            }
                        });
    }

    private static boolean isIn(Map<String, Integer> before, Map.Entry<String, Integer> each) {
        return before.getOrDefault(each.getKey(), 0) >= each.getValue();
    }

    /** How many there are of each name, numbers in it left out. */
    public static Map<String, Integer> count() {
        Map<String, Integer> count = new TreeMap<>();
        for (String line : dump()) {
            Matcher ours = OURS.matcher(line);
            if (ours.find()) {
                count.merge(ours.group(1).replaceAll("\\d+", "N"), 1, Integer::sum);
            }
        }
        return count;
    }

    private static List<String> dump() {
        try {
            Path folder = Files.createTempDirectory("threads");
            Path file = folder.resolve("dump");
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
            List<String> lines = Files.readAllLines(file);
            Files.delete(file);
            Files.delete(folder);
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
