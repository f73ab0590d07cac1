package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** A program with a database and without a provider of SLF4J. */
@Timeout(90)
class QuietStartTest {
    @TempDir Path folder;

    /** The program: it uses the database. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            try (Database database = Database.sqlite(Path.of(arguments[0]))) {
                JdbcTasks.on(database);
                database.stateKeys();
            }
            org.slf4j.LoggerFactory.getLogger("library").info("as Hikari would");
            System.out.println("done");
        }
    }

    @Test
    void slf4jDoesNotComplain() throws Exception {
        List<String> command =
                new ArrayList<>(
                        ChildJvm.command(Program.class, folder.resolve("quiet.db").toString()));
        String withoutProvider =
                Arrays.stream(ChildJvm.classPath().split(File.pathSeparator))
                        .filter(entry -> !entry.contains("slf4j-jdk14"))
                        .collect(Collectors.joining(File.pathSeparator));
        Collections.replaceAll(command, ChildJvm.classPath(), withoutProvider);

        try (ChildProcess program = ChildProcess.start(command)) {
            assertThat(program.rest()).containsExactly("done");
            assertThat(program.exitStatus()).isZero();
            assertThat(program.errors()).doesNotContain("SLF4J");
        }
    }
}
