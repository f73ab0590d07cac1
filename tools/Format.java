import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.JavaFormatterOptions.Style;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks or rewrites the format of the Java sources below some folders; run by {@code ./format}.
 */
final class Format {

    private static final Formatter FORMATTER =
            new Formatter(JavaFormatterOptions.builder().style(Style.AOSP).build());

    public static void main(String[] arguments) throws IOException {
        boolean replace = arguments[0].equals("--replace");
        List<Path> sources = new ArrayList<>();
        for (String path : List.of(arguments).subList(1, arguments.length)) {
            sources.addAll(sources(Path.of(path)));
        }
        List<Path> different =
                sources.parallelStream().filter(source -> differs(source, replace)).toList();
        if (!different.isEmpty() && !replace) {
            different.forEach(source -> System.err.println("not formatted: " + source));
            System.err.println("Run ./format to format all sources.");
            System.exit(1);
        }
    }

    private static List<Path> sources(Path root) throws IOException {
        List<Path> sources = new ArrayList<>();
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
                                                || name.equals("node_modules")
                                                || name.startsWith("."));
                        return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (file.toString().endsWith(".java")) {
                            sources.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return sources;
    }

    /**
     * Formats a text until it is stable: the formatter may need a second pass over lines that it
     * wrapped.
     */
    private static String stable(String text) throws FormatterException {
        String formatted = FORMATTER.formatSourceAndFixImports(text);
        return formatted.equals(text) ? text : FORMATTER.formatSourceAndFixImports(formatted);
    }

    private static boolean differs(Path source, boolean replace) {
        try {
            String text = Files.readString(source);
            String formatted = stable(text);
            boolean differs = !formatted.equals(text);
            if (differs && replace) {
                Files.writeString(source, formatted);
            }
            return differs;
        } catch (FormatterException e) {
            System.err.println(source + ": " + e.getMessage());
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
