package dev.fairlead.interop;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The packages that {@code package-lock.json} pins, and the Node that is one of them. */
final class Npm {
    private static final Path MODULE = Path.of("").toAbsolutePath();
    private static final Path PACKAGES = MODULE.resolve("node_modules");
    private static final Path NODE = install();

    private Npm() {}

    /** The command line that runs a program of a package. */
    static List<String> program(String packageName, String file, String... arguments) {
        return node(PACKAGES.resolve(packageName).resolve(file), arguments);
    }

    /** The command line that runs a script of this module. */
    static List<String> script(String name, String... arguments) {
        return node(MODULE.resolve("src/test/js").resolve(name), arguments);
    }

    private static List<String> node(Path file, String... arguments) {
        List<String> command = new ArrayList<>(List.of(NODE.toString(), file.toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Path install() {
        Programs.install("npm");
        Path node = PACKAGES.resolve("node-" + platform()).resolve("bin/node");
        return Files.exists(node) ? node : Path.of("node");
    }

    private static String platform() {
        String system =
                System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac")
                        ? "darwin"
                        : "linux";
        return system + "-" + (System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64");
    }
}
