package dev.fairlead.proofs.crash;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The world outside, which processes cannot take with them: a folder with an empty file for each
 * effect, named by task, step and idempotency key. A second effect under the same key is none.
 */
public record Effects(Path folder) {
    /**
     * Takes effect, unless it did under this key.
     *
     * @return the key
     */
    public String book(int task, String step, String key) throws IOException {
        try {
            Files.createFile(folder.resolve(task + "." + step + "." + key));
        } catch (FileAlreadyExistsException e) {
            // it did: the other side drops the second
        }
        return key;
    }

    /** The keys under which each step of each task took effect: {@code 17.first}. */
    public Map<String, List<String>> all() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .collect(
                            Collectors.groupingBy(
                                    name -> name.substring(0, name.lastIndexOf('.')),
                                    Collectors.mapping(
                                            name -> name.substring(name.lastIndexOf('.') + 1),
                                            Collectors.toList())));
        }
    }
}
