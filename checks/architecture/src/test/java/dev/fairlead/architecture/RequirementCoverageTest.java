package dev.fairlead.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares the requirements that the tests of all modules prove with the ledger, and writes {@code
 * target/requirement-coverage.md}.
 */
class RequirementCoverageTest {

    private static final Path ROOT = Checkout.ROOT;
    private static final Pattern REQUIREMENT = Pattern.compile("@Requirement\\([^)]*\\)");
    private static final Pattern ROW = Pattern.compile("\"([^\"]+)\"");

    /** The declaration behind an annotation: a method, whose name is a group, or a type. */
    private static final Pattern DECLARATION =
            Pattern.compile("\\bvoid (\\w+)\\(|\\b(?:class|interface|record|enum) \\w+");

    private static Ledger ledger;
    private static SortedMap<String, SortedSet<String>> proofs;

    @BeforeAll
    static void readLedgerAndTests() throws Exception {
        ledger = Ledger.read(ROOT.resolve("docs/spec"));
        proofs = proofs();
    }

    @Test
    void testsNameOnlyRowsOfTheLedger() {
        assertThat(proofs)
                .allSatisfy(
                        (id, tests) -> assertThat(ledger.has(id)).as(id + " in " + tests).isTrue());
    }

    @Test
    void exclusionsNameOnlyRowsOfTheLedger() {
        assertThat(ledger.exclusions().keySet()).isNotEmpty().allMatch(ledger::has);
    }

    @Test
    void whatIsExcludedIsNotClaimedByATest() {
        assertThat(ledger.exclusions().keySet())
                .as("rows of not-provable.md that a test names")
                .doesNotContainAnyElementsOf(proofs.keySet());
    }

    @Test
    void theReportSaysWhatIsProvenAndWhatIsMissing() throws IOException {
        List<Ledger.Row> demanded = rows(Ledger.Row::isDemanded);
        List<Ledger.Row> proven = demanded.stream().filter(this::isProven).toList();
        List<Ledger.Row> excluded =
                demanded.stream()
                        .filter(row -> !isProven(row) && ledger.exclusion(row).isPresent())
                        .toList();
        List<Ledger.Row> missing =
                demanded.stream()
                        .filter(row -> !isProven(row) && ledger.exclusion(row).isEmpty())
                        .toList();
        List<Ledger.Row> more = rows(row -> !row.isDemanded() && isProven(row));
        List<Ledger.Row> others =
                rows(row -> !row.isDemanded() && !isProven(row) && ledger.exclusion(row).isEmpty());
        String summary =
                "requirement coverage: %s proven, %s excluded, %s MISSING"
                        .formatted(proven.size(), excluded.size(), missing.size());

        StringBuilder report = new StringBuilder("# Requirement coverage\n\n");
        report.append(summary).append(" (of ").append(demanded.size()).append(" rows)\n");
        section(report, "Missing", missing, row -> row.level() + " | " + row.text());
        section(report, "Proven", proven, this::tests);
        section(report, "Proven, though not demanded", more, this::tests);
        section(report, "Excluded", excluded, row -> ledger.exclusion(row).orElseThrow());
        section(
                report,
                "Other rows without a test",
                others,
                row -> row.level() + " | " + row.text());
        Path file = ROOT.resolve("target/requirement-coverage.md");
        Files.createDirectories(file.getParent());
        Files.writeString(file, report);
        System.out.println(summary + ", see target/requirement-coverage.md");

        assertThat(missing).as("rows without a test and without a reason").isEmpty();
    }

    private static List<Ledger.Row> rows(Predicate<Ledger.Row> wanted) {
        return ledger.rows().values().stream().filter(wanted).toList();
    }

    private boolean isProven(Ledger.Row row) {
        return proofs.containsKey(row.id());
    }

    private String tests(Ledger.Row row) {
        return String.join("<br>", proofs.get(row.id()));
    }

    private static void section(
            StringBuilder report,
            String title,
            List<Ledger.Row> rows,
            Function<Ledger.Row, String> columns) {
        report.append("\n## %s (%s)\n\n".formatted(title, rows.size()));
        rows.forEach(row -> report.append("| %s | %s |\n".formatted(row.id(), columns.apply(row))));
    }

    /** The tests, and the suites, which are no tests by themselves. */
    private static SortedMap<String, SortedSet<String>> proofs() throws IOException {
        List<Path> sources = new ArrayList<>(Checkout.sources("src/test/java"));
        Checkout.sources("src/main/java").stream()
                .filter(
                        source ->
                                source.startsWith(ROOT.resolve("kit/testing"))
                                        || source.startsWith(ROOT.resolve("checks/shared-tests")))
                .forEach(sources::add);
        SortedMap<String, SortedSet<String>> proofs = new TreeMap<>();
        for (Path source : sources) {
            String name = source.getFileName().toString().replace(".java", "");
            String text = Files.readString(source);
            for (Matcher annotation = REQUIREMENT.matcher(text); annotation.find(); ) {
                Matcher declared = DECLARATION.matcher(text);
                String test =
                        declared.find(annotation.end()) && declared.group(1) != null
                                ? name + "." + declared.group(1)
                                : name;
                ROW.matcher(annotation.group())
                        .results()
                        .forEach(
                                row ->
                                        proofs.computeIfAbsent(row.group(1), any -> new TreeSet<>())
                                                .add(test));
            }
        }
        return proofs;
    }
}
