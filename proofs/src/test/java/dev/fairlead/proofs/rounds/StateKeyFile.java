package dev.fairlead.proofs.rounds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** A file of keys that processes share, and the three steps by which its first key is replaced. */
record StateKeyFile(Path path) {
    /** A file of keys is read again within 10 s of a change. */
    static final Duration READ_AGAIN = Duration.ofSeconds(11);

    static StateKeyFile in(Path folder) throws IOException {
        StateKeyFile file = new StateKeyFile(folder.resolve("keys"));
        file.write(1);
        return file;
    }

    /** Adds the second key behind the first, so that all processes open what it seals. */
    void add() throws IOException, InterruptedException {
        write(1, 2);
        Thread.sleep(READ_AGAIN); // the condition is that this time has passed
    }

    /** Has the second key seal. */
    void move() throws IOException, InterruptedException {
        write(2, 1);
        Thread.sleep(READ_AGAIN); // the condition is that this time has passed
    }

    /** Drops the first key, once all that it sealed has expired. */
    void drop(Duration ttl) throws IOException, InterruptedException {
        Thread.sleep(ttl); // the condition is that this time has passed
        write(2);
        Thread.sleep(READ_AGAIN); // the condition is that this time has passed
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
