package dev.fairlead.test.support;

import static dev.fairlead.test.support.Awaiting.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The threads of this process that the library or its engines have started, virtual ones too.
 * Workers of an {@code HttpClient} are those of a test: the library gives its clients an executor,
 * and without one they have a pool whose threads end a minute after their last work.
 */
public final class Threads {
    private static final Pattern OURS = Pattern.compile("mcp-|HttpClient-\\d+-(?!Worker)");

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

    /** Returns the number of threads of each name, without the numbers in names. */
    public static Map<String, Integer> count() {
        Map<String, Integer> count = new TreeMap<>();
        for (String name : names()) {
            if (OURS.matcher(name).lookingAt()) {
                count.merge(name.replaceAll("\\d+", "N"), 1, Integer::sum);
            }
        }
        return count;
    }

    /**
     * Returns the names of all threads. The JVM's own dump has them too, but takes their stacks, in
     * which JDK 25 crashed while a virtual thread was on the move.
     */
    private static List<String> names() {
        try {
            List<String> names = new ArrayList<>();
            Class<?> containers = Class.forName("jdk.internal.vm.ThreadContainers");
            addNames(containers.getMethod("root").invoke(null), names);
            return names;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the option of fairlead.test.jvm is missing", e);
        }
    }

    private static void addNames(Object container, List<String> names)
            throws ReflectiveOperationException {
        Class<?> type = Class.forName("jdk.internal.vm.ThreadContainer");
        for (Object thread : listOf(type, "threads", container)) {
            names.add(((Thread) thread).getName());
        }
        for (Object child : listOf(type, "children", container)) {
            addNames(child, names);
        }
    }

    private static List<?> listOf(Class<?> type, String method, Object container)
            throws ReflectiveOperationException {
        return ((Stream<?>) type.getMethod(method).invoke(container)).toList();
    }
}
