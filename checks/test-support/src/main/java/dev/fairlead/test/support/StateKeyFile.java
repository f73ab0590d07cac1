package dev.fairlead.test.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * A file of keys that processes share, and the three steps by which its first key is replaced.
 * After each step a process reads the file again within 10 s.
 */
public record StateKeyFile(Path path) {
    /** Writes the file with its first key. */
    public static StateKeyFile in(Path folder) throws IOException {
        StateKeyFile file = new StateKeyFile(folder.resolve("keys"));
        file.write(1);
        return file;
    }

    /** Adds the second key behind the first, so that all processes open states sealed with it. */
    public void add() throws IOException {
        write(1, 2);
    }

    /** Moves the second key to the front, so that it seals. */
    public void move() throws IOException {
        write(2, 1);
    }

    /** Drops the first key; everything that it sealed must have expired. */
    public void drop() throws IOException {
        write(2);
    }

    /** Moves the file into its place, so that no process reads half of it. */
    private void write(int... keys) throws IOException {
        List<String> lines = Arrays.stream(keys).mapToObj(StateKeyFile::key).toList();
        Path fresh = Files.write(path.resolveSibling("fresh"), lines);
        Files.move(
                fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String key(int number) {
        byte[] key = new byte[32];
        key[0] = (byte) number;
        return Base64.getEncoder().encodeToString(key);
    }
}
