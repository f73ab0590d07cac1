package dev.fairlead.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keeps words that readers stumble over ({@code docs/style.md}) out of messages, pages, comments
 * and names of tests.
 */
class WordingTest {
    private static final Path ROOT = Checkout.ROOT;

    private static final Pattern WORDS =
            Pattern.compile(
                    "\\b(tells|told|whoever|nobody|somebody|anew|borne|in vain|sign of life"
                            + "|that there are not)\\b",
                    Pattern.CASE_INSENSITIVE);

    private static final Pattern COMMENT_WORDS =
            Pattern.compile(
                    "\\b(tells|told|hears|heard|whoever|nobody|somebody|anybody|everybody|anew"
                            + "|goes on|gets to know)\\b",
                    Pattern.CASE_INSENSITIVE);

    /** Such a word in the name of a method or class: at its start, or as a word in camel case. */
    private static final Pattern NAME_WORDS =
            Pattern.compile(
                    "\\b(?:void|class) (?:(?:tells|told|hears|heard|whoever|nobody|somebody"
                        + "|everybody|anew|goesOn)(?![a-z])|\\w*(?:Tells|Told|Hears|Heard|Whoever"
                        + "|Nobody|Somebody|Everybody|Anew|GoesOn)(?![a-z]))\\w*");

    /** The beginning of a comment whose first sentence begins with neither a noun nor a verb. */
    private static final Pattern BEGINNING =
            Pattern.compile("^/(?:/|\\*\\*?)\\s*(?:What(?:ever)?|Those|So many|As|For)\\b.*");

    /**
     * Clauses such as "what was sent", but no names of parameters; the name of a thing is shorter.
     */
    private static final Pattern FREE_RELATIVE =
            Pattern.compile("(?<!@param )\\bwhat(?:ever)?\\b", Pattern.CASE_INSENSITIVE);

    private static final Pattern WORD = Pattern.compile("[A-Za-z']+");

    /** The most such clauses in 1,000 words of the comments of a module. */
    private static final double FREE_RELATIVES = 0.5;

    /** Modules whose messages are texts for models, or output of tests and measurements. */
    private static final List<String> DEMONSTRATIONS = List.of("apps", "checks", "lab");

    /** Parts of a page that are not prose: code, comments, targets of links, questions. */
    private static final Pattern NO_PROSE =
            Pattern.compile(
                    "(?ms)^\\h*```.*?^\\h*```|`[^`\\n]*`|<!--.*?-->|\\]\\([^)\\n]*\\)|^#.*\\?$");

    /** A comment, a text block, a string or a character, whichever begins first. */
    private static final Pattern JAVA =
            Pattern.compile(
                    "//[^\\n]*(?:\\n\\h*//[^\\n]*)*+"
                            + "|/\\*.*?\\*/"
                            + "|\"\"\".*?\"\"\""
                            + "|\"(?:[^\"\\\\\\n]++|\\\\.)*+\""
                            + "|'(?:[^'\\\\\\n]++|\\\\.)++'",
                    Pattern.DOTALL);

    /** The break between two lines of one comment. */
    private static final Pattern LINE_BREAK = Pattern.compile("\\s*\\n\\s*(?://|\\*(?!/))?\\s*");

    /** Two string literals that are joined. */
    private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");

    /** Names in code, such as the old names in the changelog. */
    private static final Pattern INLINE_CODE = Pattern.compile("`[^`]*`");

    private static final Pattern LEDGER_ID = Pattern.compile("\\b[A-Z]{3,6}-\\d{3}\\b");

    @Test
    void messagesAvoidWordsThatReadersStumbleOver() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : mainSources()) {
            String text = JOINED.matcher(Files.readString(source)).replaceAll("");
            for (Matcher token = JAVA.matcher(text); token.find(); ) {
                if (token.group().startsWith("\"")) {
                    report(source, token.group(), WORDS, found);
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void commentsAvoidSuchWords() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : mainSources()) {
            reportComments(source, Files.readString(source), found);
        }
        assertThat(found).isEmpty();
    }

    @Test
    void commentsBeginWithANounOrAVerb() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sourcesAndTests()) {
            comments(Files.readString(source))
                    .forEach(comment -> report(source, comment, BEGINNING, found));
        }
        assertThat(found).isEmpty();
    }

    @Test
    void commentsNameThingsInsteadOfClauses() throws IOException {
        Map<Path, long[]> modules = new TreeMap<>();
        for (Path source : sourcesAndTests()) {
            Path module = ROOT.relativize(source).subpath(0, 2);
            long[] counts = modules.computeIfAbsent(module, unseen -> new long[2]);
            comments(Files.readString(source))
                    .forEach(
                            comment -> {
                                counts[0] += FREE_RELATIVE.matcher(comment).results().count();
                                counts[1] += WORD.matcher(comment).results().count();
                            });
        }
        assertThat(modules)
                .allSatisfy(
                        (module, counts) ->
                                assertThat(1000.0 * counts[0] / Math.max(counts[1], 2_000))
                                        .as("clauses with \"what\" in 1,000 words: %s", module)
                                        .isLessThanOrEqualTo(FREE_RELATIVES));
    }

    @Test
    void messagesNameThingsInsteadOfClauses() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : mainSources()) {
            if (DEMONSTRATIONS.stream().map(ROOT::resolve).noneMatch(source::startsWith)) {
                String text = JOINED.matcher(Files.readString(source)).replaceAll("");
                JAVA.matcher(text)
                        .results()
                        .map(MatchResult::group)
                        .filter(token -> token.startsWith("\""))
                        .forEach(token -> report(source, token, FREE_RELATIVE, found));
            }
        }
        assertThat(found).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void pagesNameThingsInsteadOfClauses() throws IOException {
        List<String> found = new ArrayList<>();
        long words = 0;
        for (Path page : pages()) {
            if (!page.endsWith("docs/reference.md")) { // repeats first sentences of comments
                String prose = NO_PROSE.matcher(Files.readString(page)).replaceAll("");
                words += WORD.matcher(prose).results().count();
                prose.lines().forEach(line -> report(page, line, FREE_RELATIVE, found));
            }
        }
        assertThat(words).isGreaterThan(50_000);
        assertThat(found).hasSizeLessThanOrEqualTo((int) (words / 1000.0 * FREE_RELATIVES));
    }

    @Test
    void pagesAvoidThemToo() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path page : pages()) {
            for (String line : Files.readAllLines(page)) {
                report(page, INLINE_CODE.matcher(line).replaceAll("code"), WORDS, found);
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void namesOfTestsAvoidSuchWords() throws IOException {
        List<Path> sources = sources("src/test/java");
        assertThat(sources).hasSizeGreaterThan(500);
        sources.addAll(mainSources());
        List<String> found = new ArrayList<>();
        for (Path source : sources) {
            reportNames(source, JAVA.matcher(Files.readString(source)).replaceAll(""), found);
        }
        assertThat(found).isEmpty();
    }

    @Test
    void mainSourcesNameNoRowsOfTheLedger() throws IOException {
        Ledger ledger = Ledger.read(ROOT.resolve("docs/spec"));
        List<String> found = new ArrayList<>();
        for (Path source : mainSources()) {
            for (String line : Files.readAllLines(source)) {
                LEDGER_ID
                        .matcher(line)
                        .results()
                        .filter(id -> ledger.has(id.group()) && !line.contains("@Requirement"))
                        .forEach(id -> found.add(ROOT.relativize(source) + ": " + line.strip()));
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void theCheckSeesJoinedLiteralsAndNoComments() {
        String source =
                "/* told */ String s = \"who is \"\n    + \"told\"; // nobody\n char c = '\"';";
        List<String> found = new ArrayList<>();
        String text = JOINED.matcher(source).replaceAll("");
        JAVA.matcher(text)
                .results()
                .filter(token -> token.group().startsWith("\""))
                .forEach(token -> report(ROOT, token.group(), WORDS, found));
        assertThat(found).containsExactly(": \"who is told\"");
    }

    @Test
    void theCheckSeesCommentsOfSeveralLinesAndNoLiterals() {
        String source =
                """
                /**
                 * The call goes
                 * on.
                 */
                String told = "anew"; // and nobody
                // gets to
                // know
                char c = '"'; /* heard */
                """;
        List<String> found = new ArrayList<>();
        reportComments(ROOT, source, found);
        assertThat(found)
                .containsExactly(
                        ": /** The call goes on. */",
                        ": // and nobody gets to know",
                        ": /* heard */");
    }

    @Test
    void theCheckSeesTheBeginningsOfComments() {
        String source =
                """
                /** What is sent. */
                /**
                 * As above.
                 */
                // So many
                /** Forwards whatever comes, as it is. */
                String s = "For";
                """;
        List<String> found = new ArrayList<>();
        comments(source).forEach(comment -> report(ROOT, comment, BEGINNING, found));
        assertThat(found).hasSize(3).noneMatch(comment -> comment.contains("Forwards"));
    }

    @Test
    void theCheckSeesTheProseOfAPageAlone() {
        String page =
                """
                ## What is a task?
                Shows what `what` is. <!-- what -->
                ```java
                // what
                ```
                A [link](what.md).
                """;
        assertThat(NO_PROSE.matcher(page).replaceAll("").lines().filter(line -> !line.isBlank()))
                .containsExactly("Shows what  is. ", "A [link.");
    }

    @Test
    void theCheckSeesWordsInNamesOnly() {
        List<String> found = new ArrayList<>();
        String source =
                """
                void aServerGoesOnWithIt() {}
                void whoeverWaits() {}
                class ToldTest {}
                void aNewResultIsToldered() {}
                void retold() { told(); }
                """;
        reportNames(ROOT, source, found);
        assertThat(found)
                .containsExactly(
                        ": void aServerGoesOnWithIt", ": void whoeverWaits", ": class ToldTest");
    }

    private static void reportNames(Path source, String code, List<String> found) {
        NAME_WORDS
                .matcher(code)
                .results()
                .forEach(name -> found.add(ROOT.relativize(source) + ": " + name.group()));
    }

    private static void reportComments(Path source, String text, List<String> found) {
        comments(text).forEach(comment -> report(source, comment, COMMENT_WORDS, found));
    }

    private static Stream<String> comments(String text) {
        return JAVA.matcher(text)
                .results()
                .map(MatchResult::group)
                .filter(token -> token.startsWith("/"))
                .map(comment -> LINE_BREAK.matcher(comment).replaceAll(" "));
    }

    private static List<Path> sourcesAndTests() throws IOException {
        List<Path> sources = mainSources();
        sources.addAll(sources("src/test/java"));
        return sources;
    }

    private static void report(Path file, String text, Pattern words, List<String> found) {
        if (words.matcher(text).find()) {
            found.add(ROOT.relativize(file) + ": " + text.strip());
        }
    }

    private static List<Path> mainSources() throws IOException {
        List<Path> sources = sources("src/main/java");
        assertThat(sources).hasSizeGreaterThan(1000);
        return sources;
    }

    private static List<Path> sources(String folder) throws IOException {
        return Checkout.sources(folder).stream()
                .filter(source -> !source.startsWith(ROOT.resolve("kit/requirements")))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** The pages that people read; the ledger has the words of the specification. */
    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (Path root : List.of(ROOT, ROOT.resolve("docs"), ROOT.resolve("checks/conformance"))) {
            files(root, root.endsWith("docs") ? Integer.MAX_VALUE : 1).stream()
                    .filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.toString().contains("spec/requirements-"))
                    .forEach(pages::add);
        }
        assertThat(pages).hasSizeGreaterThan(40);
        return pages;
    }

    private static List<Path> files(Path folder, int depth) throws IOException {
        try (Stream<Path> files = Files.walk(folder, depth)) {
            return files.toList();
        }
    }
}
