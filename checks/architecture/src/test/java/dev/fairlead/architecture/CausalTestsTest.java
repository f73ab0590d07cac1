package dev.fairlead.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Refuses real time in tests: nothing that a slow machine does may decide their outcome. Proofs
 * (tagged {@code proof}) and tests beside other programs may depend on it.
 */
class CausalTestsTest {
    private static final Path ROOT = Checkout.ROOT;

    private static final List<String> ELSEWHERE =
            List.of("checks/proofs", "checks/interop", "checks/browser", "lab/benchmarks");

    /** Modules whose main sources are tests, or help them. */
    private static final List<String> SUITES =
            List.of(
                    "checks/test-support",
                    "checks/shared-tests",
                    "checks/shared-servers",
                    "kit/testing");

    private static final String NUMBER = "([0-9_]+)L?";

    /** A rule, and how a hit is recognized; its first group, if any, is a number of this unit. */
    private record Rule(String name, Pattern pattern, long millis) {
        Rule(String name, String pattern) {
            this(name, Pattern.compile(pattern), 0);
        }

        private static Rule limit(String unit, long millis) {
            String calls =
                    "\\.(?:poll|await|get|tryAcquire|join|waitFor|awaitTermination|tryLock|offer|orTimeout)";
            String units = "TimeUnit\\." + unit + "|(?<![\\w.])" + unit;
            return new Rule(
                    "limit under 10 s",
                    Pattern.compile(
                            calls
                                    + "\\((?:[^()]|\\([^()]*\\))*?\\b"
                                    + NUMBER
                                    + ",\\s*(?:"
                                    + units
                                    + ")\\)"),
                    millis);
        }

        boolean isBroken(MatchResult hit) {
            if (millis == 0) return true;
            return Long.parseLong(hit.group(1).replace("_", "")) * millis < 10_000;
        }
    }

    private static final List<Rule> RULES =
            List.of(
                    new Rule(
                            "sleep",
                            "\\bThread\\.sleep\\(|\\bTimeUnit\\.\\w+\\.sleep\\(|\\b(?:MILLI)?SECONDS\\.sleep\\("),
                    new Rule("park for a time", "\\bpark(?:Nanos|Until)\\("),
                    new Rule("spin", "\\bThread\\.(?:onSpinWait|yield)\\("),
                    new Rule(
                            "system clock",
                            "\\bSystem\\.(?:nanoTime|currentTimeMillis)\\b|\\bSystem::(?:nanoTime|currentTimeMillis)\\b"
                                + "|\\b(?:Instant|Local(?:Date|Time|DateTime)|ZonedDateTime|OffsetDateTime)(?:\\.|::)now\\b"
                                + "|\\bClock\\.system\\w*\\(|\\bInstantSource\\.system\\("),
                    new Rule(
                            "garbage collection",
                            "\\bSystem\\.gc\\(|\\bRuntime\\.getRuntime\\(\\)\\.gc\\("),
                    new Rule("loopback address of either kind", "\\bgetLoopbackAddress\\("),
                    new Rule("Awaitility instead of Awaiting", "\\bAwaitility\\b"),
                    new Rule(
                            "poll of a queue",
                            "\\buntil\\([^;]*::(?:poll|peek|isDone|getCount|isEmpty)\\b[^;]*;"),
                    Rule.limit("MILLISECONDS", 1),
                    Rule.limit("SECONDS", 1_000),
                    new Rule(
                            "limit under 10 s",
                            Pattern.compile("@Timeout\\((?:value = )?" + NUMBER + "\\)"),
                            1_000),
                    new Rule(
                            "limit under 10 s",
                            Pattern.compile(
                                    "\\b(?:assertTimeout\\w*|atMost|join|waitFor|await)\\(\\s*Duration\\.ofSeconds\\("
                                            + NUMBER
                                            + "\\)"),
                            1_000),
                    new Rule(
                            "limit under 10 s",
                            Pattern.compile(
                                    "\\b(?:assertTimeout\\w*|atMost|join|waitFor|await)\\(\\s*Duration\\.ofMillis\\("
                                            + NUMBER
                                            + "\\)"),
                            1));

    /**
     * The exceptions from the rules, with their reasons. At most 20; each is one rule in one file.
     */
    private static final Map<String, String> EXCEPTIONS =
            Map.of(
                    "Awaiting.java: Awaitility instead of Awaiting",
                    "the one place that uses it, with a limit of 60 s",
                    "Awaiting.java: poll of a queue",
                    "takes from queues that do not block",
                    "RealTime.java: system clock",
                    "contract suites run on stores with a clock of their own, such as a database",
                    "RealTime.java: park for a time",
                    "the pause between two looks at such a store",
                    "RunningTime.java: system clock",
                    "measures time for proofs",
                    "ServerSnippets.java: system clock",
                    "a page shows how an interceptor measures time; nothing asserts it",
                    "LoopbackRedirectTest.java: limit under 10 s",
                    "the limit must pass, and nothing else ends the wait",
                    "TrustedProxiesTest.java: loopback address of either kind",
                    "compares addresses and connects to none");

    private static final Pattern PROOF =
            Pattern.compile(
                    "(?m)^@Tag\\(\"proof\"\\)(?: //[^\\n]*)?\\s*(?:@[^\\n"
                            + "]*\\s*)*(?:public |final |abstract )*class ");

    private static final Pattern TAG = Pattern.compile("@Tag\\(\"proof\"\\)");

    /** Comments, text blocks, strings and characters. */
    private static final Pattern NO_CODE =
            Pattern.compile(
                    "//[^\\n"
                            + "]*|/\\*.*?\\*/|\"\"\".*?\"\"\"|\"(?:[^\"\\\\\\n"
                            + "]++|\\\\.)*+\"|'(?:[^'\\\\\\n"
                            + "]++|\\\\.)++'",
                    Pattern.DOTALL);

    @Test
    void testsDependOnNothingButCausality() throws IOException {
        List<String> found = new ArrayList<>();
        Set<String> used = new HashSet<>();
        for (Path source : testSources()) {
            String text = Files.readString(source);
            if (PROOF.matcher(text).find()) continue;
            String file = ROOT.relativize(source).toString();
            for (Map.Entry<Integer, String> hit : hits(text)) {
                String exception = source.getFileName() + ": " + hit.getValue();
                if (EXCEPTIONS.containsKey(exception)) {
                    used.add(exception);
                } else {
                    found.add(file + ":" + hit.getKey() + ": " + hit.getValue());
                }
            }
        }
        assertThat(found).as("real time in tests; see docs/style.md").isEmpty();
        assertThat(EXCEPTIONS.keySet()).as("exceptions that nothing needs").isEqualTo(used);
        assertThat(EXCEPTIONS).hasSizeLessThanOrEqualTo(20);
    }

    @Test
    void onlyWholeClassesAreProofs() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : Checkout.sources("src/test/java")) {
            String text = Files.readString(source);
            long tags = TAG.matcher(text).results().count();
            boolean isProof = PROOF.matcher(text).find();
            boolean mustBe =
                    source.startsWith(ROOT.resolve("checks/proofs"))
                            && source.toString().endsWith("Test.java");
            if (tags != (isProof ? 1 : 0) || (mustBe && !isProof)) {
                found.add(ROOT.relativize(source).toString());
            }
        }
        assertThat(found).as("@Tag(\"proof\") stands on a top-level class").isEmpty();
    }

    @Test
    void theRulesSeeWhatTheyRefuse() {
        assertThat(
                        hits(
                                """
                                Thread.sleep(10); // Thread.sleep(20)
                                LockSupport.parkNanos(5);
                                while (!done) Thread.onSpinWait();
                                long now = System.nanoTime();
                                clock(Instant::now);
                                latch.await(9, TimeUnit.SECONDS);
                                latch.await(30, TimeUnit.SECONDS);
                                queue.poll(9_999, MILLISECONDS);
                                future.get(10, SECONDS);
                                await().until(queue::poll, Objects::nonNull);
                                String s = "System.gc()";
                                @Timeout(5) @Timeout(60)
                                InetAddress.getLoopbackAddress();
                                """))
                .extracting(hit -> hit.getKey() + " " + hit.getValue())
                .containsExactly(
                        "1 sleep",
                        "2 park for a time",
                        "3 spin",
                        "4 system clock",
                        "5 system clock",
                        "6 limit under 10 s",
                        "8 limit under 10 s",
                        "10 poll of a queue",
                        "12 limit under 10 s",
                        "13 loopback address of either kind");
    }

    private static Stream<Path> sources() throws IOException {
        Stream<Path> suites =
                Checkout.sources("src/main/java").stream()
                        .filter(source -> SUITES.stream().anyMatch(module -> isIn(source, module)));
        return Stream.concat(Checkout.sources("src/test/java").stream(), suites);
    }

    private static boolean isIn(Path source, String module) {
        return source.startsWith(ROOT.resolve(module));
    }

    private static List<Path> testSources() throws IOException {
        return sources()
                .filter(source -> ELSEWHERE.stream().noneMatch(module -> isIn(source, module)))
                .toList();
    }

    /** The lines of a source that break a rule, in order. */
    private static List<Map.Entry<Integer, String>> hits(String source) {
        String code = withoutTexts(source);
        List<Map.Entry<Integer, String>> hits = new ArrayList<>();
        for (Rule rule : RULES) {
            rule.pattern
                    .matcher(code)
                    .results()
                    .filter(rule::isBroken)
                    .forEach(hit -> hits.add(Map.entry(line(code, hit.start()), rule.name)));
        }
        hits.sort(Map.Entry.comparingByKey());
        return hits;
    }

    /** The same lines without comments and the contents of literals. */
    private static String withoutTexts(String source) {
        return NO_CODE.matcher(source)
                .replaceAll(
                        text ->
                                Matcher.quoteReplacement(
                                        "\""
                                                + "\n"
                                                        .repeat(
                                                                (int)
                                                                        text.group()
                                                                                .chars()
                                                                                .filter(
                                                                                        c ->
                                                                                                c
                                                                                                        == '\n')
                                                                                .count())
                                                + "\""));
    }

    private static int line(String code, int index) {
        return (int) code.substring(0, index).chars().filter(c -> c == '\n').count() + 1;
    }
}
