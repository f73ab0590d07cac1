package dev.fairlead.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** The virtual environment with the packages that {@code requirements.txt} pins. */
final class Python {
    private static final Path MODULE = Path.of("").toAbsolutePath();
    private static final Path ENVIRONMENT = MODULE.resolve(".venv");
    private static final Path EXECUTABLE = ENVIRONMENT.resolve("bin/python");
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

    /** Makes the environment unless it has these packages. */
    private static Path install() {
        try {
            Programs.alone("python", Python::installPackages);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("the packages for Python cannot be installed", e);
        }
        return EXECUTABLE;
    }

    private static void installPackages() throws IOException, InterruptedException {
        Path wanted = MODULE.resolve("requirements.txt");
        Path installed = ENVIRONMENT.resolve("requirements.txt");
        if (Files.exists(installed) && Files.mismatch(installed, wanted) == -1) {
            return;
        }
        Programs.run(MODULE, List.of("python3", "-m", "venv", "--clear", ENVIRONMENT.toString()));
        Programs.run(
                MODULE,
                List.of(
                        EXECUTABLE.toString(),
                        "-m",
                        "pip",
                        "install",
                        "--quiet",
                        "--disable-pip-version-check",
                        "--retries",
                        "1",
                        "--requirement",
                        wanted.toString()));
        Files.copy(wanted, installed, StandardCopyOption.REPLACE_EXISTING);
    }
}
