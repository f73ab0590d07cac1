package dev.fairlead.cli.project;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of a new project.
 *
 * @param template its name in the resources of this package
 * @param path from the folder of the project on
 */
record TemplateFile(String template, String path) {
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

    /** A Java source of the program. */
    static TemplateFile source(String folder, String name) {
        return new TemplateFile(folder + "/" + name, "src/main/java/com/example/" + name);
    }

    /** A Java source of its tests. */
    static TemplateFile test(String folder, String name) {
        return new TemplateFile(folder + "/" + name, "src/test/java/com/example/" + name);
    }

    /** A file in the folder of the project. */
    static TemplateFile top(String folder, String name) {
        return new TemplateFile(folder + "/" + name, name);
    }

    /**
     * Returns the text of the file.
     *
     * @param values by the names that stand in braces in the template
     */
    String text(Map<String, String> values) {
        try (InputStream in = TemplateFile.class.getResourceAsStream(template)) {
            String text =
                    new String(
                            Objects.requireNonNull(in, template).readAllBytes(),
                            StandardCharsets.UTF_8);
            return PLACE.matcher(text).replaceAll(found -> value(found.group(1), values));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String value(String name, Map<String, String> values) {
        return Matcher.quoteReplacement(Objects.requireNonNull(values.get(name), name));
    }
}
