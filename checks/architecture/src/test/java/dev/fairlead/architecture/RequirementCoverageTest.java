package dev.fairlead.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.properties.HasAnnotations;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Compares what the tests of all modules claim to prove with the ledger, and writes {@code
 * target/requirement-coverage.md}.
 */
class RequirementCoverageTest {

    private static final Path MODULE = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Path ROOT = Checkout.ROOT;

    private static Ledger ledger;
    private static SortedMap<String, SortedSet<String>> proofs;

    @BeforeAll
    static void readLedgerAndTests() throws Exception {
        ledger = Ledger.read(ROOT.resolve("docs/spec"));
        proofs = proofs(new ClassFileImporter().importPaths(testFolders()).stream());
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
                "requirement coverage: %d proven, %d excluded, %d MISSING"
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
        report.append("\n## %s (%d)\n\n".formatted(title, rows.size()));
        rows.forEach(row -> report.append("| %s | %s |\n".formatted(row.id(), columns.apply(row))));
    }

    /**
     * The compiled tests of all modules, and the contract suites, which are no tests by themselves.
     */
    private static List<Path> testFolders() throws Exception {
        Path here =
                Path.of(
                        RequirementCoverageTest.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        Path tests = MODULE.relativize(here);
        Path suites = ROOT.resolve("kit/testing").resolve(tests.resolveSibling("classes"));
        return Stream.concat(
                        Checkout.modules().stream().map(module -> module.resolve(tests)),
                        Stream.of(suites))
                .filter(Files::isDirectory)
                .toList();
    }

    private static SortedMap<String, SortedSet<String>> proofs(Stream<JavaClass> classes) {
        SortedMap<String, SortedSet<String>> proofs = new TreeMap<>();
        BiConsumer<HasAnnotations<?>, String> add =
                (element, test) ->
                        ids(element)
                                .forEach(
                                        id ->
                                                proofs.computeIfAbsent(id, any -> new TreeSet<>())
                                                        .add(test));
        classes.forEach(
                type -> {
                    add.accept(type, type.getName());
                    for (JavaMethod method : type.getMethods()) {
                        add.accept(method, type.getName() + "." + method.getName());
                    }
                });
        return proofs;
    }

    private static Stream<String> ids(HasAnnotations<?> element) {
        Stream<Requirement> one = element.tryGetAnnotationOfType(Requirement.class).stream();
        Stream<Requirement> several =
                element.tryGetAnnotationOfType(Requirement.List.class).stream()
                        .flatMap(list -> Stream.of(list.value()));
        return Stream.concat(one, several).flatMap(requirement -> Stream.of(requirement.value()));
    }
}
