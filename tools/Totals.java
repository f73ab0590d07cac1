import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prints how many tests a build has run, and which other commands run the rest. Arguments: the
 * root, when the build began, and `without:` with the tags that it left out.
 */
final class Totals {
    private static final Pattern SUITE = Pattern.compile("<testsuite [^>]*>");

    private final Instant began;
    private final Set<Path> modules = new HashSet<>();
    private int tests;
    private int red;
    private int skipped;

    private Totals(Instant began) {
        this.began = began;
    }

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        Totals totals = new Totals(Instant.parse(arguments[1]));
        for (Path report : reports(root)) {
            totals.add(report);
        }
        boolean withProofs = !arguments[2].contains("proof");
        System.out.println(totals.line(withProofs));
        if (!withProofs) {
            System.out.println(
                    "Not among them: proofs (mvn verify -Pproofs) and tests beside other programs"
                            + " (-Pinterop, -Ppython, -Pbrowser, -Pkeyring): see CONTRIBUTING.md");
        }
    }

    private static List<Path> reports(Path root) throws IOException {
        List<Path> reports = new ArrayList<>();
        try (Stream<Path> modules = Files.walk(root, 2)) {
            for (Path module : modules.toList()) {
                Path folder = module.resolve("target/surefire-reports");
                if (Files.isDirectory(folder)) {
                    try (Stream<Path> files = Files.list(folder)) {
                        files.filter(file -> file.toString().endsWith(".xml"))
                                .forEach(reports::add);
                    }
                }
            }
        }
        return reports;
    }

    private void add(Path report) throws IOException {
        if (Files.getLastModifiedTime(report).toInstant().isBefore(began)) {
            return; // of an earlier build
        }
        Matcher suite = SUITE.matcher(Files.readString(report));
        if (suite.find()) {
            modules.add(report.getParent());
            tests += number(suite.group(), "tests");
            red += number(suite.group(), "failures") + number(suite.group(), "errors");
            skipped += number(suite.group(), "skipped");
        }
    }

    private static int number(String suite, String name) {
        Matcher number = Pattern.compile(" " + name + "=\"(\\d+)\"").matcher(suite);
        return number.find() ? Integer.parseInt(number.group(1)) : 0;
    }

    private String line(boolean withProofs) {
        Duration took = Duration.between(began, Instant.now());
        return "%s: %,d tests%s of %d modules in %d min %d s%s"
                .formatted(
                        red == 0 ? "Green" : red + " RED",
                        tests,
                        withProofs ? ", proofs among them," : "",
                        modules.size(),
                        took.toMinutes(),
                        took.toSecondsPart(),
                        skipped == 0 ? "" : ", " + skipped + " skipped");
    }
}
