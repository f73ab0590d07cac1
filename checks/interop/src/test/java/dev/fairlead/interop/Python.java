package dev.fairlead.interop;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The virtual environment with the packages that {@code requirements.txt} pins. */
final class Python {
    private static final Path MODULE = Path.of("").toAbsolutePath();
    private static final Path ENVIRONMENT = MODULE.resolve(".venv");
    private static final Path PYTHON = install();

    private Python() {}

    /** The command line that runs a script of this module. */
    static List<String> script(String name, String... arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                PYTHON.toString(),
                                MODULE.resolve("src/test/python").resolve(name).toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Path install() {
        Programs.install("python");
        return ENVIRONMENT.resolve("bin/python");
    }
}
