import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks that the links of Markdown pages lead somewhere: to a file or folder of the project, and
 * to a heading of a page. Links to other sites are not followed. Run by {@code ./format}.
 */
final class Links {
    private static final Pattern LINK = Pattern.compile("]\\(<?([^)\\s>]+)>?(?: \"[^\"]*\")?\\)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z][a-z0-9+.-]*:.*");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *#*$");
    private static final Pattern ANCHOR = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");
    private static final Pattern BLOCK =
            Pattern.compile("(?ms)^ *(```+|~~~+).*?^ *\\1 *$|<!--.*?-->");
    private static final Pattern CODE = Pattern.compile("(`+)[^`]+\\1");
    private static final Set<String> SKIPPED = Set.of("target", "src", "node_modules");

    private final Path root;
    private final Map<Path, Set<String>> anchors = new HashMap<>();

    private Links(Path root) {
        this.root = root;
    }

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]).toAbsolutePath().normalize();
        Links links = new Links(root);
        Set<String> broken = new TreeSet<>();
        for (Path page : pages(root)) {
            broken.addAll(links.brokenLinksOf(page));
        }
        broken.forEach(System.err::println);
        System.exit(broken.isEmpty() ? 0 : 1);
    }

    private static List<Path> pages(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.flatMap(Links::pagesAt).toList();
        }
    }

    private static Stream<Path> pagesAt(Path entry) {
        String name = entry.getFileName().toString();
        if (!Files.isDirectory(entry)) {
            return name.endsWith(".md") ? Stream.of(entry) : Stream.empty();
        }
        if (SKIPPED.contains(name) || name.startsWith(".")) {
            return Stream.empty();
        }
        try {
            return pages(entry).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> brokenLinksOf(Path page) throws IOException {
        String prose = CODE.matcher(withoutBlocks(page)).replaceAll("");
        return LINK.matcher(prose)
                .results()
                .map(link -> link.group(1))
                .filter(target -> !ELSEWHERE.matcher(target).matches() && !resolves(page, target))
                .map(target -> root.relativize(page) + ": nothing is at " + target)
                .toList();
    }

    private static String withoutBlocks(Path page) throws IOException {
        return BLOCK.matcher(Files.readString(page)).replaceAll("");
    }

    private boolean resolves(Path page, String target) {
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file =
                path.isEmpty()
                        ? page
                        : page.resolveSibling(URLDecoder.decode(path, StandardCharsets.UTF_8))
                                .normalize();
        if (!file.startsWith(root) || !Files.exists(file)) {
            return false;
        }
        return hash < 0 || anchors(file).contains(target.substring(hash + 1));
    }

    private Set<String> anchors(Path page) {
        return anchors.computeIfAbsent(
                page,
                any -> {
                    try {
                        return anchorsOf(page);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /**
     * Returns the anchors that GitHub makes from headings; the second of two equal ones ends in
     * {@code -1}.
     */
    private static Set<String> anchorsOf(Path page) throws IOException {
        String text = withoutBlocks(page);
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        for (MatchResult heading : HEADING.matcher(text).results().toList()) {
            String anchor = anchor(heading.group(1));
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        ANCHOR.matcher(text).results().forEach(found -> anchors.add(found.group(1)));
        return anchors;
    }

    private static String anchor(String heading) {
        return heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }
}
