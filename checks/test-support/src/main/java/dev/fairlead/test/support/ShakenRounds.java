package dev.fairlead.test.support;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs test classes in rounds, in random order, and reports failures to the program {@code shake}
 * that started this JVM. Arguments: the file of the report, the file with the names of the classes,
 * the number of rounds, the seed of the first round, and tags of tests that do not run.
 *
 * <p>A line of the report has fields that are separated by tabs: {@code test CLASS METHOD} when a
 * test starts, {@code red CLASS METHOD SEED MESSAGE}, and {@code round SEED TESTS} at the end of a
 * round.
 */
public final class ShakenRounds {
    private static final String ORDER = "org.junit.jupiter.api.%sOrderer$Random";

    private final PrintStream report;
    private final List<String> classes;
    private final String[] excluded;

    private ShakenRounds(PrintStream report, List<String> classes, String[] excluded) {
        this.report = report;
        this.classes = classes;
        this.excluded = excluded;
    }

    /** Runs the rounds, and ends the JVM. */
    public static void main(String[] arguments) throws IOException {
        try (PrintStream report =
                new PrintStream(Files.newOutputStream(Path.of(arguments[0])), true)) {
            ShakenRounds rounds =
                    new ShakenRounds(
                            report,
                            Files.readAllLines(Path.of(arguments[1])),
                            arguments[4].split(","));
            long seed = Long.parseLong(arguments[3]);
            for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
                rounds.run(seed + round);
            }
        }
        System.exit(0);
    }

    private void run(long seed) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(classes.stream().map(name -> selectClass(name)).toList())
                        .filters(TagFilter.excludeTags(excluded))
                        .configurationParameter(
                                "junit.jupiter.testclass.order.default", ORDER.formatted("Class"))
                        .configurationParameter(
                                "junit.jupiter.testmethod.order.default", ORDER.formatted("Method"))
                        .configurationParameter(
                                "junit.jupiter.execution.order.random.seed", Long.toString(seed))
                        .build();
        Listener listener = new Listener(seed);
        Launcher launcher = LauncherFactory.create();
        launcher.execute(request, listener);
        line("round", seed, listener.tests);
    }

    private void line(Object... fields) {
        StringBuilder line = new StringBuilder();
        for (Object field : fields) {
            line.append(line.isEmpty() ? "" : "\t");
            line.append(field.toString().replaceAll("\\s+", " "));
        }
        report.println(line);
    }

    private final class Listener implements TestExecutionListener {
        private final long seed;
        private int tests;

        private Listener(long seed) {
            this.seed = seed;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest()) {
                tests++;
                line("test", className(test), name(test));
            }
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                Throwable cause = result.getThrowable().orElseThrow();
                System.err.println("RED in the round with seed " + seed + ": " + name(test));
                cause.printStackTrace();
                line("red", className(test), name(test), seed, cause);
            }
        }

        private static String className(TestIdentifier test) {
            return switch (test.getSource().orElse(null)) {
                case MethodSource method -> method.getClassName();
                case ClassSource type -> type.getClassName();
                case null, default -> "?";
            };
        }

        private static String name(TestIdentifier test) {
            if (test.getSource().orElse(null) instanceof MethodSource method) {
                String shown = test.getDisplayName();
                String name = method.getMethodName();
                return shown.equals(name + "()") ? name : name + " " + shown;
            }
            return test.getDisplayName();
        }
    }
}
