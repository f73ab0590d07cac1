import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks or rewrites the Java code blocks of Markdown pages that are taken from sources; run by
 * {@code ./format}.
 *
 * <p>A block follows the line {@code <!-- snippet: PATH#REGION -->}. In the source the region
 * stands between the comments {@code // @start region="REGION"} and {@code // @end}. A Java block
 * without that line is refused, unless the line {@code <!-- not compiled: WHY -->} stands there.
 */
final class Snippets {

    private static final Pattern BLOCK =
            Pattern.compile(
                    "(<!-- snippet: (\\S+)#(\\S+) -->\n```java\n)(.*?)(```\n)", Pattern.DOTALL);

    private static final Pattern LOOSE =
            Pattern.compile("(?<!<!-- (?:snippet|not compiled): [^\n]{1,200} -->\n)```java\n");

    public static void main(String[] arguments) throws IOException {
        boolean replace = arguments[0].equals("--replace");
        Path root = Path.of(arguments[1]);
        boolean differs = false;
        boolean loose = false;
        for (Path page : pages(root)) {
            String text = Files.readString(page);
            loose |= hasLooseBlock(page, text);
            Matcher block = BLOCK.matcher(text);
            String current =
                    block.replaceAll(
                            found ->
                                    Matcher.quoteReplacement(
                                            found.group(1)
                                                    + region(root, found.group(2), found.group(3))
                                                    + found.group(5)));
            if (current.equals(text)) {
                continue;
            }
            differs = true;
            if (replace) {
                Files.writeString(page, current);
            } else {
                System.err.println("code differs from its source: " + page);
            }
        }
        if (differs && !replace) {
            System.err.println("Run ./format to take the code from its source.");
        }
        if (loose || (differs && !replace)) {
            System.exit(1);
        }
    }

    private static boolean hasLooseBlock(Path page, String text) {
        List<Integer> lines =
                LOOSE.matcher(text)
                        .results()
                        .map(found -> 1 + (int) text.substring(0, found.start()).lines().count())
                        .toList();
        lines.forEach(
                line ->
                        System.err.println(
                                page
                                        + ":"
                                        + line
                                        + ": Java code that no source stands behind;"
                                        + " put <!-- snippet: PATH#REGION --> before it"));
        return !lines.isEmpty();
    }

    private static String region(Path root, String path, String name) {
        List<String> lines;
        try {
            lines =
                    Files.readAllLines(root.resolve(path)).stream()
                            .map(String::stripTrailing)
                            .toList();
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + path, e);
        }
        List<String> region = new ArrayList<>();
        boolean inside = false;
        for (String line : lines) {
            if (line.strip().equals("// @start region=\"" + name + "\"")) {
                inside = true;
            } else if (inside && line.strip().equals("// @end")) {
                return withoutMargins(region);
            } else if (inside) {
                region.add(line);
            }
        }
        throw new IllegalArgumentException("no region " + name + " in " + path);
    }

    /** Without the indentation that all lines share, and without blank lines around them. */
    private static String withoutMargins(List<String> region) {
        String text = String.join("\n", region).replaceAll("\\A\n+", "").stripTrailing();
        return text.stripIndent() + "\n";
    }

    private static List<Path> pages(Path root) throws IOException {
        List<Path> pages = new ArrayList<>();
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        String name = folder.getFileName().toString();
                        boolean skipped =
                                !folder.equals(root)
                                        && (name.equals("target")
                                                || name.equals("src")
                                                || name.equals("node_modules")
                                                || name.startsWith("."));
                        return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (file.toString().endsWith(".md")) {
                            pages.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return pages;
    }
}
