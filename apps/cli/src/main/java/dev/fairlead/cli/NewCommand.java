package dev.fairlead.cli;

import dev.fairlead.cli.project.BuildTool;
import dev.fairlead.cli.project.NewProject;
import dev.fairlead.cli.project.ProjectKind;
import dev.fairlead.cli.view.Screen;
import dev.fairlead.cli.view.ShellWords;
import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** {@code fairlead new}. */
@Command(
        name = "new",
        description = {
            "Creates a project in a new folder: a server with three tools, its test, one jar.",
            "The folder must not exist or be empty. Its name becomes that of the server. The"
                    + " project builds with Maven 3.8 or newer, and a JDK 21 or newer."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead new hello",
            "  fairlead new weather --annotations",
            "  fairlead new shop --spring",
            "  fairlead new caller --client --gradle"
        })
final class NewCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "DIR", description = "the folder of the project")
    private @Nullable String directory;

    @ArgGroup private @Nullable Kind kind;

    @Option(names = "--gradle", description = "build files for Gradle instead of Maven")
    private boolean gradle;

    @Option(names = "--json", description = "print exactly one JSON document on standard output")
    private boolean json;

    /** The kind of the project; at most one is given. */
    private static final class Kind {
        @Option(names = "--annotations", description = "tools are annotated methods, not lambdas")
        private boolean annotations;

        @Option(names = "--spring", description = "a Spring Boot application")
        private boolean spring;

        @Option(names = "--client", description = "a client instead of a server")
        private boolean client;
    }

    NewCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        return new Output(console, json).answer(this::answer, this::lines);
    }

    private JsonObject answer() {
        NewProject project = project();
        List<String> files = project.write(console.environment());
        return JsonObject.of(
                "directory",
                project.directory().toString(),
                "name",
                project.name(),
                "kind",
                project.kind().toString(),
                "build",
                project.build().toString(),
                "files",
                files);
    }

    private NewProject project() {
        String typed = Objects.requireNonNull(directory);
        try {
            Path path = console.environment().directory().resolve(Path.of(typed));
            return new NewProject(path, kind(), gradle ? BuildTool.GRADLE : BuildTool.MAVEN);
        } catch (InvalidPathException e) {
            throw new UsageException("DIR is no path: " + e.getMessage());
        }
    }

    private ProjectKind kind() {
        Kind given = kind;
        if (given == null) {
            return ProjectKind.SERVER;
        }
        if (given.annotations) {
            return ProjectKind.ANNOTATIONS;
        }
        return given.spring ? ProjectKind.SPRING : ProjectKind.CLIENT;
    }

    private List<String> lines(JsonObject answer, Screen screen) {
        NewProject project = project();
        List<String> lines = new ArrayList<>();
        lines.add("Created " + project.name() + " in " + project.directory());
        if (NewProject.version().endsWith("-SNAPSHOT")) {
            lines.add(
                    "Fairlead "
                            + NewProject.version()
                            + " is in no public repository: README.md of Fairlead (Coordinates) has"
                            + " the command that installs its artifacts on this machine.");
        }
        lines.add("Next:");
        String folder = ShellWords.line(Stream.of(Objects.requireNonNull(directory)));
        lines.add("  cd " + folder);
        lines.add("  " + project.build().build());
        lines.addAll(calls(project));
        lines.add("README.md there has the rest.");
        return lines;
    }

    private static List<String> calls(NewProject project) {
        String call = "  fairlead tools call greet name=Ada " + project.name();
        String jar = "  java -jar " + project.jar();
        return switch (project.kind()) {
            case SERVER, ANNOTATIONS -> List.of(call);
            case SPRING -> List.of(jar, call + "     # in another terminal");
            case CLIENT -> List.of(jar + " http://127.0.0.1:3000/mcp");
        };
    }
}
