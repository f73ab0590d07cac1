package dev.fairlead.cli.publish;

import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.protocol.Printable;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.spi.ToolProvider;

/** A Java runtime with the modules that a jar needs, linked by the JDK of this program. */
final class RuntimeImage {
    private RuntimeImage() {}

    /**
     * Links a runtime.
     *
     * @param modules the modules, separated by commas; null finds out which the jar needs
     * @throws TargetException if this Java has no tools, or they fail
     */
    static void link(Path jar, @Nullable String modules, Path image) {
        String needed = modules;
        if (needed == null) {
            needed =
                    run(
                                    "jdeps",
                                    "--print-module-deps",
                                    "--ignore-missing-deps",
                                    "--multi-release",
                                    "21",
                                    jar.toString())
                            + ",jdk.crypto.ec"; // for TLS up to JDK 21
        }
        run(
                "jlink",
                "--add-modules",
                needed,
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                "--compress",
                "zip-6",
                "--output",
                image.toString());
    }

    private static String run(String tool, String... arguments) {
        ToolProvider program =
                ToolProvider.findFirst(tool)
                        .orElseThrow(
                                () ->
                                        new TargetException(
                                                "the Java that runs fairlead has no "
                                                        + tool
                                                        + "; set JAVA_HOME to a JDK"));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = program.run(new PrintWriter(out), new PrintWriter(err), arguments);
        if (status != 0) {
            throw new TargetException(
                    tool + " failed: " + Printable.excerpt((out.toString() + err).strip()));
        }
        return out.toString().strip();
    }
}
