package dev.fairlead.processor;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import javax.annotation.processing.Processor;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Sources compiled by the compiler of this JVM, with the processor. */
record Compiled(
        boolean succeeded, List<Diagnostic<? extends JavaFileObject>> diagnostics, Path directory) {
    /** The options of every compilation; an annotation that no processor claims is no fault. */
    private static final List<String> STRICT =
            List.of("--release", "21", "-Xlint:all,-processing", "-Werror");

    /**
     * Compiles the files of a folder.
     *
     * @param directory has a folder {@code src}, and gets {@code classes} and {@code generated}
     */
    static Compiled in(Path directory, String... options) {
        return files(directory, javaFiles(directory.resolve("src")), options);
    }

    /** Compiles some files, with the classes compiled before on the class path. */
    static Compiled files(Path directory, List<Path> files, String... options) {
        return with(List.of(new FeatureProcessor()), directory, files, options);
    }

    /** Compiles some files with these processors. */
    static Compiled with(
            List<Processor> processors, Path directory, List<Path> files, String... options) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var diagnostics = new DiagnosticCollector<JavaFileObject>();
        try (StandardJavaFileManager manager =
                compiler.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
            Path classes = Files.createDirectories(directory.resolve("classes"));
            Path generated = Files.createDirectories(directory.resolve("generated"));
            List<String> all = new ArrayList<>(STRICT);
            all.addAll(List.of("-d", classes.toString(), "-s", generated.toString()));
            if (!List.of(options).contains("--module-path")) {
                all.addAll(List.of("-cp", classes + ":" + System.getProperty("java.class.path")));
            }
            all.addAll(List.of(options));
            JavaCompiler.CompilationTask task =
                    compiler.getTask(
                            new StringWriter(),
                            manager,
                            diagnostics,
                            all,
                            null,
                            manager.getJavaFileObjectsFromPaths(files));
            task.setProcessors(processors);
            task.setLocale(Locale.ROOT);
            return new Compiled(task.call(), diagnostics.getDiagnostics(), directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes sources by their paths and compiles them. */
    static Compiled of(Path directory, Map<String, String> sources, String... options) {
        sources.forEach((path, text) -> write(directory.resolve("src").resolve(path), text));
        return in(directory, options);
    }

    static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A class that was written. */
    String generated(String path) {
        try {
            return Files.readString(directory.resolve("generated").resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The classes, as children of those of this JVM. */
    ClassLoader loader() {
        try {
            URL classes = directory.resolve("classes").toUri().toURL();
            return new URLClassLoader(new URL[] {classes}, Compiled.class.getClassLoader());
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each diagnostic as {@code Library.java:12:5: error: …}. */
    List<String> messages() {
        return diagnostics.stream().map(Compiled::message).toList();
    }

    private static String message(Diagnostic<? extends JavaFileObject> diagnostic) {
        JavaFileObject source = diagnostic.getSource();
        String where =
                source == null
                        ? ""
                        : Path.of(source.getName()).getFileName()
                                + ":"
                                + diagnostic.getLineNumber()
                                + ":"
                                + diagnostic.getColumnNumber()
                                + ": ";
        return where
                + diagnostic.getKind().toString().toLowerCase(Locale.ROOT)
                + ": "
                + diagnostic.getMessage(Locale.ROOT);
    }
}
