package dev.fairlead.proofs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** How to start a class of these tests as a process of its own. */
public final class Child {
    private Child() {}

    public static String[] command(Class<?> main, String... options) {
        String classPath =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        Stream.of(options).forEach(command::add);
        command.addAll(List.of("-cp", classPath, main.getName()));
        return command.toArray(String[]::new);
    }
}
